// Opacity with unseen events, K-step and infinite-step opacity in straightforward C++: a two-way observer (Yin and Lafortune, "A new approach for
// the verification of infinite-step and K-step opacity using two-way observers", Automatica 80, 2017). One observer follows the strings from the
// initial states on; the other follows them backwards from all states. What was seen before a moment makes a state of the first, what is
// seen after it one of the second, and the secret is out if what they have in common is not empty and all secret. K bounds the second one:
// K = 0 is current-state opacity by the plain observer. Sets of states are bits, in a hash table of the standard library; each new
// set is compared with all of the other side. It stops at the first pair that gives the secret away; with `shortest` it goes on until no pair can
// have fewer images, before and after the moment together. Reads what flatten.py writes; prints verdict, processor seconds and the states of both observers.
//
//   c++ -O2 -std=c++17 two_way.cpp -o two_way && two_way K|infinite [once] [shortest] < automaton.txt
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <unordered_set>
#include <vector>

using Set = std::vector<uint64_t>;
using Rows = std::vector<std::vector<std::vector<int>>>;  // image, state, targets

struct Hash {
    size_t operator()(const Set& set) const {
        uint64_t h = 1469598103934665603u;
        for (uint64_t x : set) h = (h ^ x) * 1099511628211u, h ^= h >> 29;
        return h;
    }
};

// The sets that strings of images lead to, shorter strings first.
struct Observer {
    const Rows& rows;
    const std::vector<std::vector<int>>& unseen;
    std::unordered_set<Set, Hash> seen;
    std::vector<const Set*> found;
    std::vector<int> length;
    size_t next = 0;
    int most;

    Observer(const Rows& rows, const std::vector<std::vector<int>>& unseen, Set start, int most)
        : rows(rows), unseen(unseen), most(most) {
        close(start);
        add(start, 0);
    }

    static void list(const Set& set, std::vector<int>& out) {
        for (size_t w = 0; w < set.size(); w++)
            for (uint64_t rest = set[w]; rest; rest &= rest - 1) out.push_back(int(w * 64 + __builtin_ctzll(rest)));
    }

    // Adds whatever unseen events lead to.
    void close(Set& set) const {
        std::vector<int> todo;
        list(set, todo);
        while (!todo.empty()) {
            int s = todo.back();
            todo.pop_back();
            for (int t : unseen[s])
                if (!(set[t / 64] >> (t % 64) & 1)) set[t / 64] |= uint64_t(1) << (t % 64), todo.push_back(t);
        }
    }

    void add(const Set& set, int after) {
        auto [at, fresh] = seen.insert(set);
        if (fresh) found.push_back(&*at), length.push_back(after);
    }

    // Whether a set is to be followed that has strings shorter than `least` after it.
    bool more(int least) const { return next < found.size() && length[next] < most && length[next] + 1 < least; }

    // Follows one more set.
    void advance() {
        const Set& set = *found[next];
        int after = length[next++] + 1;
        std::vector<int> members;
        list(set, members);
        for (auto& row : rows) {
            Set to(set.size(), 0);
            bool any = false;
            for (int s : members)
                for (int t : row[s]) to[t / 64] |= uint64_t(1) << (t % 64), any = true;
            if (!any) continue;
            close(to);
            add(to, after);
        }
    }
};

static bool gives_away(const Set& before, const Set& after, const Set& secret) {
    uint64_t any = 0, out = 0;
    for (size_t w = 0; w < secret.size(); w++) {
        uint64_t both = before[w] & after[w];
        any |= both, out |= both & ~secret[w];
    }
    return any && !out;
}

// How many images give the secret away, or INT_MAX if no pair of sets does; those found since the last time are compared. Any such number will do
// unless it is to be the least.
static int gives_away_after(Observer& forward, Observer& backward, const Set& secret, bool shortest) {
    size_t forth = 0, back = 0;
    int least = INT_MAX;
    auto compare = [&](size_t f, size_t b) {
        int images = forward.length[f] + backward.length[b];
        if (images < least && gives_away(*forward.found[f], *backward.found[b], secret)) least = images;
        return least != INT_MAX && !shortest;
    };
    for (;;) {
        for (; forth < forward.found.size(); forth++)
            for (size_t i = 0; i < back; i++)
                if (compare(forth, i)) return least;
        for (; back < backward.found.size(); back++)
            for (size_t i = 0; i < forth; i++)
                if (compare(i, back)) return least;
        if (!forward.more(least) && !backward.more(least)) return least;
        if (forward.more(least)) forward.advance();
        if (backward.more(least)) backward.advance();
    }
}

static bool read_list(std::vector<int>& list) {
    int count;
    if (scanf("%d", &count) != 1) return false;
    list.resize(count);
    for (int& v : list)
        if (scanf("%d", &v) != 1) return false;
    return true;
}

int main(int argc, char** argv) {
    int n, images;
    if (argc < 2 || scanf("%d %d", &n, &images) != 2) return 2;
    int most = strcmp(argv[1], "infinite") ? atoi(argv[1]) : INT_MAX;
    Rows rows(images, std::vector<std::vector<int>>(n)), back = rows;
    std::vector<std::vector<int>> unseen(n), unseen_back(n);
    for (int x = 0; x < images; x++)
        for (int s = 0; s < n; s++) {
            if (!read_list(rows[x][s])) return 2;
            for (int t : rows[x][s]) back[x][t].push_back(s);
        }
    std::vector<int> initial, secret;
    if (!read_list(initial) || !read_list(secret)) return 2;
    for (int s = 0; s < n; s++) {
        if (!read_list(unseen[s])) return 2;
        for (int t : unseen[s]) unseen_back[t].push_back(s);
    }
    size_t words = (n + 63) / 64;
    Set start(words, 0), all(words, 0), secrets(words, 0);
    for (int v : initial) start[v / 64] |= uint64_t(1) << (v % 64);
    for (int v : secret) secrets[v / 64] |= uint64_t(1) << (v % 64);
    for (int v = 0; v < n; v++) all[v / 64] |= uint64_t(1) << (v % 64);
    // Short runs are made many times, or the clock is too coarse for them; unless it is the whole process that is measured.
    bool once = false, shortest = false;
    for (int i = 2; i < argc; i++) once |= !strcmp(argv[i], "once"), shortest |= !strcmp(argv[i], "shortest");
    std::clock_t began = std::clock();
    double seconds = 0;
    int runs = 0;
    int after = 0;
    size_t states = 0, states_back = 0;
    while (!runs || (!once && seconds < 0.2)) {
        Observer forward(rows, unseen, start, INT_MAX), backward(back, unseen_back, all, most);
        after = gives_away_after(forward, backward, secrets, shortest);
        states = forward.found.size(), states_back = backward.found.size();
        seconds = double(std::clock() - began) / CLOCKS_PER_SEC;
        runs++;
    }
    bool holds = after == INT_MAX;
    printf("{\"verdict\": \"%s\", \"images\": %d, \"seconds\": %.7f, \"states\": %zu, \"backward\": %zu}\n", holds ? "holds" : "violated",
           holds ? -1 : after, seconds / runs, states, states_back);
}
