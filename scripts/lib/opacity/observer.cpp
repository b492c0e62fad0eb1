// Current-state opacity by the observer automaton in straightforward C++: sets of states as sorted vectors or as bits, in a hash
// table of the standard library. Reads what flatten.py writes; prints verdict, processor seconds and the observer's states.
//
//   c++ -O2 -std=c++17 observer.cpp -o observer && observer sets|bits < automaton.txt
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <deque>
#include <string>
#include <unordered_set>
#include <vector>

using Rows = std::vector<std::vector<std::vector<int>>>;  // image, state, targets

struct Hash {
    template <class T>
    size_t operator()(const std::vector<T>& set) const {
        uint64_t h = 1469598103934665603u;
        for (auto x : set) h = (h ^ uint64_t(x)) * 1099511628211u, h ^= h >> 29;
        return h;
    }
};

template <class Set, class Step, class Bad>
static bool opaque(std::unordered_set<Set, Hash>& seen, int images, Step step, Bad bad) {
    std::deque<const Set*> queue{&*seen.begin()};
    bool holds = !bad(*seen.begin());
    while (holds && !queue.empty()) {
        const Set* belief = queue.front();
        queue.pop_front();
        for (int x = 0; holds && x < images; x++) {
            Set after = step(*belief, x);
            auto [at, fresh] = seen.insert(std::move(after));
            if (!fresh) continue;
            if (bad(*at)) holds = false;
            queue.push_back(&*at);
        }
    }
    return holds;
}

// Short runs are made many times, or the clock is too coarse for them.
template <class Set, class Step, class Bad>
static void observe(Set start, int images, Step step, Bad bad) {
    std::clock_t began = std::clock();
    bool holds = true;
    size_t states = 0;
    double seconds = 0;
    int runs = 0;
    while (!runs || seconds < 0.2) {
        std::unordered_set<Set, Hash> seen{start};
        holds = opaque(seen, images, step, bad);
        states = seen.size();
        seconds = double(std::clock() - began) / CLOCKS_PER_SEC;
        runs++;
    }
    const char* verdict = holds ? "holds" : "violated";
    printf("{\"verdict\": \"%s\", \"seconds\": %.7f, \"states\": %zu}\n", verdict, seconds / runs, states);
}

int main(int argc, char** argv) {
    int n, images, count;
    if (argc < 2 || scanf("%d %d", &n, &images) != 2) return 2;
    Rows rows(images, std::vector<std::vector<int>>(n));
    for (auto& row : rows)
        for (auto& targets : row) {
            if (scanf("%d", &count) != 1) return 2;
            targets.resize(count);
            for (int& t : targets)
                if (scanf("%d", &t) != 1) return 2;
        }
    std::vector<int> initial, secret;
    for (auto* list : {&initial, &secret}) {
        if (scanf("%d", &count) != 1) return 2;
        list->resize(count);
        for (int& v : *list)
            if (scanf("%d", &v) != 1) return 2;
    }
    std::vector<char> is_secret(n, 0);
    for (int v : secret) is_secret[v] = 1;
    if (!strcmp(argv[1], "sets")) {
        observe(
            initial, images,
            [&](const std::vector<int>& belief, int x) {
                std::vector<int> after;
                for (int s : belief) after.insert(after.end(), rows[x][s].begin(), rows[x][s].end());
                std::sort(after.begin(), after.end());
                after.erase(std::unique(after.begin(), after.end()), after.end());
                return after;
            },
            [&](const std::vector<int>& b) {
                return !b.empty() && std::all_of(b.begin(), b.end(), [&](int s) { return is_secret[s]; });
            });
    } else {
        size_t words = (n + 63) / 64;
        std::vector<uint64_t> start(words, 0), secrets(words, 0);
        for (int v : initial) start[v / 64] |= uint64_t(1) << (v % 64);
        for (int v : secret) secrets[v / 64] |= uint64_t(1) << (v % 64);
        observe(
            start, images,
            [&](const std::vector<uint64_t>& belief, int x) {
                std::vector<uint64_t> after(words, 0);
                for (size_t w = 0; w < words; w++)
                    for (uint64_t rest = belief[w]; rest; rest &= rest - 1)
                        for (int t : rows[x][w * 64 + __builtin_ctzll(rest)]) after[t / 64] |= uint64_t(1) << (t % 64);
                return after;
            },
            [&](const std::vector<uint64_t>& b) {
                uint64_t any = 0, out = 0;
                for (size_t w = 0; w < words; w++) any |= b[w], out |= b[w] & ~secrets[w];
                return any && !out;
            });
    }
}
