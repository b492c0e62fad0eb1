//! Searches over maps that are shared out: the same answer for any number of threads, and for anybody else who carries out the tasks, in any
//! order, some of them twice.

use std::{
    cell::{Cell, RefCell},
    collections::{HashMap, HashSet, VecDeque},
    sync::Mutex,
    thread::ThreadId,
};

use divulge::{
    ask::{Question, Verdict, What, ask},
    limit::{Limit, Monitor, Polls, Progress, Unlimited},
    maps::{Crew, Done, Hands, Keep, Office, Prefer, Sharing, Task},
    problem::Problem,
    verdict::QuestionError,
};
use divulge_naive::random::{self, Profile, Rng};

/// Tasks so small that even these problems have many.
const SMALL: Sharing = Sharing { alone: 1, budget: 1, ahead: 3 };

fn questions(given: bool) -> Vec<Question> {
    let one = if given { What::Map } else { What::Both };
    let all = [Prefer::First, Prefer::Finest, Prefer::Coarsest, Prefer::Cheapest];
    let prefer = all.map(|prefer| Question { prefer, ..Question::new(one) });
    let shortest = Question { shortest: true, prefer: Prefer::Finest, ..Question::new(one) };
    let mut all: Vec<Question> = prefer.into_iter().chain([shortest, Question::new(What::Maps)]).collect();
    all.iter_mut().for_each(|question| (question.any_map, question.sharing) = (true, SMALL));
    all
}

fn problems(seed: u64, count: usize) -> impl Iterator<Item = (Problem, Vec<Question>)> {
    let mut rng = Rng::new(random::seed(seed));
    (0..count * random::effort()).map(move |turn| {
        let given = turn.is_multiple_of(3);
        let profile = Profile { odd_kinds: false, ..Profile::maps(given) };
        (random::problem(&mut rng, &profile), questions(given))
    })
}

/// All that an answer says, and how much work it was.
fn told(problem: &Problem, question: &Question) -> Option<String> {
    let answer = ask(problem).question(question.clone()).within(&Unlimited).ok()?;
    Some(format!("{:?} {:?}", answer.verdict, answer.work))
}

#[test]
fn the_answer_is_the_same_for_any_number_of_threads() {
    let mut answers = 0;
    for (problem, questions) in problems(51, 80) {
        for question in questions {
            let Some(expected) = told(&problem, &question) else { continue };
            answers += 1;
            for threads in [1, 2, 3, 8] {
                let threads = Question { threads, ..question.clone() };
                assert_eq!(told(&problem, &threads).as_ref(), Some(&expected), "{question:?} {problem:?}");
            }
        }
    }
    assert!(answers > 100, "{answers}");
}

/// Remembers who has polled it, what was last told of maps and lessons, and how many that were in all.
#[derive(Default)]
struct Heard {
    threads: Mutex<HashSet<ThreadId>>,
    counts: Mutex<[(u64, u64); 2]>,
}

impl Monitor for Heard {
    fn poll(&self, progress: &Progress) -> Result<(), Limit> {
        self.threads.lock().unwrap().insert(std::thread::current().id());
        if !progress.again && ["searching maps", "guessing maps"].contains(&progress.doing) {
            let [last, all] = &mut *self.counts.lock().unwrap();
            let now = (progress.maps, progress.learnt);
            // Where a plan was sought in between, counts begin anew.
            let before = if now.0 < last.0 || now.1 < last.1 { (0, 0) } else { *last };
            *all = (all.0 + now.0 - before.0, all.1 + now.1 - before.1);
            *last = now;
        }
        Ok(())
    }
}

#[test]
fn one_map_is_sought_by_several_threads_and_work_is_counted_once() {
    let mut shared = 0;
    for (problem, questions) in problems(56, 60) {
        for question in questions {
            let question = Question { threads: 3, ..question };
            let heard = Heard::default();
            let Ok(answer) = ask(&problem).question(question.clone()).within(&heard) else { continue };
            let counted = (answer.work.maps, answer.work.learnt);
            assert_eq!(counted, heard.counts.lock().unwrap()[1], "{question:?} {problem:?}");
            if question.prefer == Prefer::First && question.what != What::Maps {
                shared += usize::from(heard.threads.lock().unwrap().len() > 1);
            }
        }
    }
    // Without that feature, there is one thread.
    assert!(!cfg!(feature = "parallel") || shared > 4, "{shared}");
}

/// Carries out tasks in any order, some twice, all of them sent as bytes.
struct Outside<'a, 'b, 'c> {
    hands: &'a Hands<'b, 'c>,
    rng: RefCell<Rng>,
    tasks: Cell<usize>,
}

impl Crew for Outside<'_, '_, '_> {
    fn carry_out(&self, office: &mut dyn Office) -> Result<(), QuestionError> {
        let mut rng = self.rng.borrow_mut();
        let mut under_way: VecDeque<(Task, Option<Vec<u8>>)> = VecDeque::new();
        loop {
            // Whether tasks are asked for at once or later must not matter either.
            while (under_way.is_empty() || rng.below(3) > 0)
                && let Some(task) = office.give()
            {
                under_way.push_back((task, None));
            }
            if under_way.is_empty() {
                return Ok(());
            }
            let at = rng.below(under_way.len());
            let (task, before) = &mut under_way[at];
            let came = self.hands.one(&Task::from_bytes(&task.to_bytes()).unwrap())?.to_bytes();
            self.tasks.set(self.tasks.get() + 1);
            if let Some(before) = before.replace(came.clone()) {
                assert_eq!(before, came, "{task:?}");
            }
            while let Some(done) =
                under_way.pop_front_if(|(_, done)| done.is_some()).and_then(|(_, done)| done)
            {
                if !office.take(Done::from_bytes(&done).unwrap())? {
                    return Ok(());
                }
            }
        }
    }
}

#[test]
fn tasks_may_be_carried_out_elsewhere_in_any_order_and_twice() {
    let (mut tasks, mut answers) = (0, 0);
    for (turn, (problem, questions)) in problems(52, 120).enumerate() {
        for question in questions {
            let Some(expected) = told(&problem, &question) else { continue };
            let answer = question.with_hands(&problem, &Unlimited, |hands| {
                let rng = RefCell::new(Rng::new(turn as u64));
                let crew = Outside { hands, rng, tasks: Cell::new(0) };
                let answer = ask(&problem).question(question.clone()).crew(&crew).within(&Unlimited)?;
                tasks += crew.tasks.get();
                Ok(format!("{:?} {:?}", answer.verdict, answer.work))
            });
            assert_eq!(answer, Ok(expected), "{question:?} {problem:?}");
            answers += 1;
        }
    }
    assert!(answers > 100 && tasks > 1000, "{answers} answers, {tasks} tasks");
}

#[derive(Default)]
struct Memory {
    known: Mutex<HashMap<Task, Done>>,
    new: Mutex<usize>,
}

impl Keep for Memory {
    fn recall(&self, task: &Task) -> Option<Done> {
        self.known.lock().unwrap().get(task).cloned()
    }

    fn note(&self, task: &Task, done: &Done) {
        *self.new.lock().unwrap() += 1;
        assert_eq!(self.known.lock().unwrap().insert(task.clone(), done.clone()), None);
    }
}

#[test]
fn a_search_that_was_stopped_goes_on_where_it_was() {
    let (mut stopped, mut resumed) = (0, 0);
    for (problem, questions) in problems(53, 100) {
        let question = Question { threads: 2, ..questions.into_iter().next_back().unwrap() };
        let Some(expected) = told(&problem, &question) else { continue };
        let memory = Memory::default();
        for polls in [6, 20, 60, 180] {
            let asking = ask(&problem).question(question.clone()).keep(&memory);
            let answer = asking.within(&Polls::new(polls)).unwrap();
            if let Verdict::Unknown { limit, .. } = answer.verdict {
                assert_eq!(limit, Limit::Time);
                stopped += 1;
            }
        }
        let before = *memory.new.lock().unwrap();
        for _ in 0..2 {
            let asking = ask(&problem).question(question.clone()).keep(&memory);
            let answer = asking.within(&Unlimited).unwrap();
            assert_eq!(format!("{:?} {:?}", answer.verdict, answer.work), expected);
        }
        // No task was carried out twice: that is asserted where they are noted.
        resumed += usize::from(before > 0);
    }
    assert!(stopped > 30 && resumed > 10, "{stopped} stopped, {resumed} resumed");
}

#[test]
fn tasks_of_another_question_are_refused() {
    let (mut refused, mut last) = (0, None);
    for (problem, questions) in problems(54, 20) {
        let question = questions.into_iter().next_back().unwrap();
        if let Some(task) = &last {
            let came = question.with_hands(&problem, &Unlimited, |hands| hands.one(task).map(|_| ()));
            refused += usize::from(matches!(came, Err(QuestionError::Refused(_))));
        }
        struct First(RefCell<Option<Task>>);
        impl Crew for First {
            fn carry_out(&self, office: &mut dyn Office) -> Result<(), QuestionError> {
                *self.0.borrow_mut() = office.give();
                Err(QuestionError::Limit(Limit::Interrupt))
            }
        }
        let first = First(RefCell::default());
        let _ = ask(&problem).question(question).crew(&first).within(&Unlimited);
        last = first.0.into_inner().or(last);
    }
    assert!(refused > 0, "{refused}");
}

#[test]
fn nothing_is_shared_out_of_small_searches() {
    struct Nobody;
    impl Crew for Nobody {
        fn carry_out(&self, office: &mut dyn Office) -> Result<(), QuestionError> {
            panic!("a task of a small search: {:?}", office.give())
        }
    }
    for (problem, questions) in problems(55, 10) {
        for question in questions {
            let question = Question { sharing: Sharing::default(), ..question };
            let _ = ask(&problem).question(question).crew(&Nobody).within(&Unlimited);
        }
    }
}
