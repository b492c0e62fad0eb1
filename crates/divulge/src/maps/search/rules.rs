//! What is known of the maps that would do, as clauses over "these two labels look alike", and a solver that finds a map to match.
//!
//! *Background.* That looking alike is transitive takes a clause for each three labels; those that matter are few, so each is added when a
//! guess breaks it. Images are counted by the first label of each, in unary.

use batsat::{Callbacks, Lit, Solver, SolverInterface, SolverOpts, Var, lbool};

use crate::{
    limit::{Limit, Monitor, Progress},
    maps::space::{ImageCount, Pairs, PartialMap},
    problem::{Kind, Label, MapConstraints},
};

/// Stops the solver when the monitor says so.
struct Watch<'m> {
    monitor: &'m dyn Monitor,
}

impl Watch<'_> {
    fn poll(&self) -> Result<(), Limit> {
        self.monitor.poll(&Progress { doing: "guessing maps", ..Progress::default() })
    }
}

impl Callbacks for Watch<'_> {
    fn stop(&self) -> bool {
        self.poll().is_err()
    }
}

/// The rules that a map must keep, as far as they are known.
pub struct Rules<'m> {
    solver: Solver<Watch<'m>>,
    /// A map of the labels in question, nothing decided.
    open: PartialMap,
    /// By the number of a pair: that its labels look alike.
    alike: Vec<Var>,
    /// Once they are counted: that there are more than this many images.
    more_images: Vec<Lit>,
    /// What merging costs, by pair, and the least cost that is too much.
    costs: Option<(Vec<(usize, u64)>, u64)>,
}

impl<'m> Rules<'m> {
    /// No rules but what `demanded` has decided. Guesses keep labels apart where nothing speaks against it, or `merge` them.
    pub fn new(demanded: &PartialMap, merge: bool, monitor: &'m dyn Monitor) -> Self {
        let mut solver = Solver::new(SolverOpts::default(), Watch { monitor });
        let leaning = if merge { lbool::TRUE } else { lbool::UNDEF };
        let alike = (0..demanded.index().len()).map(|_| solver.new_var(leaning, true)).collect();
        let open = demanded.only(std::iter::empty());
        let mut rules = Self { solver, open, alike, more_images: Vec::new(), costs: None };
        for pair in demanded.decided().iter() {
            rules.add(vec![rules.says(pair, demanded.merged().contains(pair))]);
        }
        rules
    }

    fn says(&self, pair: usize, alike: bool) -> Lit {
        Lit::new(self.alike[pair], alike)
    }

    fn add(&mut self, mut clause: Vec<Lit>) {
        self.solver.add_clause_reuse(&mut clause);
    }

    /// Not all of these pairs may be as they are said to be: merged if they are in `merged`, else apart.
    pub fn forbid(&mut self, pairs: &Pairs, merged: &Pairs) {
        let clause = pairs.iter().map(|pair| self.says(pair, !merged.contains(pair))).collect();
        self.add(clause);
    }

    /// There must be so many images.
    pub fn so_many_images(&mut self, images: ImageCount) {
        if images.most < usize::MAX {
            self.at_most_images(images.most);
        }
        if let Some(fewer) = images.least.checked_sub(1) {
            self.more_images_than(fewer);
        }
    }

    /// There must be at most this many images.
    fn at_most_images(&mut self, images: usize) {
        self.count_images();
        if let Some(&more) = self.more_images.get(images) {
            self.add(vec![!more]);
        }
    }

    /// There must be fewer images than this.
    pub fn fewer_images_than(&mut self, images: usize) {
        match images.checked_sub(1) {
            Some(most) => self.at_most_images(most),
            None => self.add(Vec::new()),
        }
    }

    /// There must be more images than this.
    pub fn more_images_than(&mut self, images: usize) {
        self.count_images();
        let clause = self.more_images.get(images).copied().into_iter().collect();
        self.add(clause);
    }

    /// Merging must cost less than this in all.
    pub fn cheaper_than(&mut self, constraints: &MapConstraints, bound: u64) {
        let mapped =
            |l: Label| [Kind::Action, Kind::Observation].iter().any(|&k| self.open.labels(k).contains(&l));
        let kind = |l: Label| self.open.labels(Kind::Action).contains(&l);
        let mut costs = Vec::new();
        let mut left = bound;
        for &(a, b, cost) in constraints.merge_cost.iter().filter(|&&(a, b, _)| mapped(a) && mapped(b)) {
            if a == b {
                left = left.saturating_sub(cost);
            } else if kind(a) == kind(b) {
                costs.push((self.open.index().number(a, b), cost));
            }
        }
        if left == 0 {
            self.add(Vec::new());
        }
        self.costs = Some((costs, left));
    }

    /// A whole map that keeps all rules; `None` if there is none.
    ///
    /// # Errors
    /// If the monitor stops it.
    pub fn guess(&mut self) -> Result<Option<PartialMap>, Limit> {
        loop {
            let outcome = self.solver.solve_limited(&[]);
            if outcome == lbool::FALSE {
                return Ok(None);
            }
            self.solver.cb().poll()?;
            if outcome != lbool::TRUE {
                continue;
            }
            let mut merged = Pairs::new(self.alike.len());
            for pair in 0..self.alike.len() {
                if self.solver.value_var(self.alike[pair]) == lbool::TRUE {
                    merged.insert(pair);
                }
            }
            if self.mend(&merged) {
                continue;
            }
            return Ok(Some(self.open.whole(&merged)));
        }
    }

    /// Adds the rules of transitivity and of cost that a guess breaks, and tells whether there were any.
    fn mend(&mut self, merged: &Pairs) -> bool {
        let mut broken: Vec<Vec<Lit>> = Vec::new();
        for kind in [Kind::Action, Kind::Observation] {
            let labels = self.open.labels(kind);
            for (i, &a) in labels.iter().enumerate() {
                for (j, &b) in labels.iter().enumerate().take(i) {
                    for &c in &labels[..j] {
                        let three = [(a, b), (a, c), (b, c)].map(|(x, y)| self.open.index().number(x, y));
                        let apart: Vec<usize> =
                            three.into_iter().filter(|&pair| !merged.contains(pair)).collect();
                        if apart.len() == 1 {
                            broken.push(three.into_iter().map(|p| self.says(p, p == apart[0])).collect());
                        }
                    }
                }
            }
        }
        if broken.is_empty()
            && let Some((costs, bound)) = &self.costs
        {
            let spent = costs.iter().filter(|(pair, _)| merged.contains(*pair));
            let mut left = *bound;
            let mut clause = Vec::new();
            for &(pair, cost) in spent {
                left = left.saturating_sub(cost);
                clause.push(self.says(pair, false));
                if left == 0 {
                    broken.push(clause);
                    break;
                }
            }
        }
        let any = !broken.is_empty();
        broken.into_iter().for_each(|clause| self.add(clause));
        any
    }

    /// Says, of each number of images, whether there are more.
    fn count_images(&mut self) {
        if !self.more_images.is_empty() {
            return;
        }
        let mut firsts: Vec<Vec<Lit>> = Vec::new();
        for kind in [Kind::Action, Kind::Observation] {
            let labels: Vec<Label> = self.open.labels(kind).to_vec();
            for (i, &label) in labels.iter().enumerate() {
                let first = Lit::new(self.solver.new_var_default(), true);
                let mut smaller: Vec<Lit> = Vec::with_capacity(i + 1);
                for &other in &labels[..i] {
                    let like = self.says(self.open.index().number(label, other), true);
                    self.add(vec![!first, !like]);
                    smaller.push(like);
                }
                smaller.push(first);
                self.add(smaller);
                firsts.push(vec![first]);
            }
        }
        // Lists of "there are more than so many" are merged two by two.
        while firsts.len() > 1 {
            let mut next = Vec::with_capacity(firsts.len().div_ceil(2));
            for two in firsts.chunks(2) {
                next.push(match two {
                    [a, b] => self.sum(a, b),
                    one => one[0].clone(),
                });
            }
            firsts = next;
        }
        self.more_images = firsts.pop().unwrap_or_default();
    }

    /// The sum of two numbers in unary: the literal at i says that it is more than i.
    fn sum(&mut self, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        let sum: Vec<Lit> =
            (0..a.len() + b.len()).map(|_| Lit::new(self.solver.new_var_default(), true)).collect();
        for i in 0..=a.len() {
            for j in 0..=b.len() {
                // At least i and at least j make at least i + j; at most i and at most j make at most i + j.
                if i + j > 0 {
                    let least = [i.checked_sub(1).map(|i| !a[i]), j.checked_sub(1).map(|j| !b[j])];
                    let mut clause: Vec<Lit> = least.into_iter().flatten().collect();
                    clause.push(sum[i + j - 1]);
                    self.add(clause);
                }
                if i + j < sum.len() {
                    let mut clause: Vec<Lit> = [a.get(i), b.get(j)].into_iter().flatten().copied().collect();
                    clause.push(!sum[i + j]);
                    self.add(clause);
                }
            }
        }
        sum
    }
}
