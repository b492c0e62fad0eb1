//! The gate: lines in, lines out, and a latch that falls once.

mod replay;

use divulge::problem::{Image, Label};

use crate::{
    chance::Chance,
    guard::{Guard, Told},
    held::{Held, Reason},
    journal::{Journal, JournalError, Record, Start},
    lines::{self, Line, LineError},
    table::Refusal,
};

/// What is done about events that are refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// They are held back, and all that follows; the robot is told what to do.
    Enforce,
    /// They are shown, and it is said that they would have been held back.
    Shadow,
}

impl Mode {
    /// The word used for it.
    pub fn word(self) -> &'static str {
        match self {
            Mode::Enforce => "enforce",
            Mode::Shadow => "shadow",
        }
    }
}

/// How a gate works.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// What is done about events that are refused.
    pub mode: Mode,
    /// Where choices come from.
    pub chance: Chance,
}

/// Why a gate cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The journal cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// An observer was shown what the journal knows nothing of.
    #[error("what `{0}` was shown does not fit the journal")]
    Shown(String),
    /// A choice has to be made, and cannot.
    #[error("the system has no source of chance: {0}")]
    Chance(#[from] getrandom::Error),
}

/// Something that is said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Out {
    /// To the robot, first: how many events have been accepted, by an earlier process or not at all.
    Hello {
        /// How many.
        events: u64,
    },
    /// To the robot: do this, or stop.
    Do(Option<Label>),
    /// To an observer.
    Image {
        /// The number of the observer.
        observer: u32,
        /// What it sees.
        image: Image,
        /// How many images it has been shown with this one.
        n: u64,
    },
    /// To the robot: nothing more is shown.
    Held(Held),
    /// To the robot, in the shadow: this would have been held back.
    WouldHold(Held),
    /// To the robot: the run has ended as planned.
    Ended,
}

/// How things stand at a gate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Events pass.
    Open,
    /// The robot has stopped.
    Ended,
    /// Nothing passes any more.
    Held(Held),
}

/// Finds out what observers were shown before: asked about each image in order (whose, which, its number, and whether the journal says that it
/// was shown), it tells whether the image was; `None` if something else was.
pub type Recall<'r> = dyn FnMut(usize, Image, u64, bool) -> Option<bool> + 'r;

/// A guard with a latch and perhaps a journal.
///
/// Lines are taken in with [`line`](Self::line); what they lead to waits until it is [committed](Self::commit), and is then
/// [given out](Self::take), to be written by the caller, who says that it was [shown](Self::shown).
pub struct Gate<'s> {
    guard: Guard<'s>,
    options: Options,
    journal: Option<Journal>,
    standing: Standing,
    /// What the robot was told to do; nothing in the shadow.
    told: Option<Told>,
    /// How many images each observer has been given.
    counts: Vec<u64>,
    /// What waits to be shown.
    out: Vec<Out>,
    /// How many images each observer has been shown. `marked` is what the journal says of this and of the beats.
    shown: Vec<u64>,
    /// How many beats have come, where they are counted.
    beats: u64,
    marked: (Vec<u64>, u64),
    would_hold: u64,
}

impl<'s> Gate<'s> {
    /// Opens a gate, where the journal left off if there is one. `digest` says what the journal must belong to, and
    /// `recall` what observers have been shown; without it they have been shown what the journal says they were.
    ///
    /// # Errors
    /// If the journal belongs to something else or is damaged, or if observers were shown something else.
    pub fn open(
        guard: Guard<'s>,
        options: Options,
        digest: &str,
        journal: Option<Journal>,
        recall: Option<&mut Recall<'_>>,
    ) -> Result<Self, OpenError> {
        let counts = vec![0; guard.maps().len()];
        let mut gate = Self {
            guard,
            options,
            journal: None,
            standing: Standing::Open,
            told: None,
            shown: counts.clone(),
            beats: 0,
            marked: (counts.clone(), 0),
            counts,
            out: Vec::new(),
            would_hold: 0,
        };
        match journal {
            Some(mut journal) if !journal.is_new() => {
                gate.replay(&mut journal, digest, recall)?;
                gate.journal = Some(journal);
            }
            journal => {
                gate.tell()?;
                gate.journal = journal;
                let start = Start { digest: digest.to_owned(), mode: options.mode.word().to_owned() };
                let told = gate.told_name();
                gate.record(|| Record::Start(start, told));
                if let Some(broken) = gate.guard.broken() {
                    let held = gate.refused(None, broken);
                    gate.refuse(Held {
                        message: format!("before the first event: {}", held.message),
                        ..held
                    });
                }
            }
        }
        if matches!(gate.standing, Standing::Held(_)) {
            // Nothing more is shown, not even what was accepted before.
            gate.out.retain(|out| !matches!(out, Out::Image { .. }));
        }
        let events = gate.guard.events();
        gate.out.insert(0, Out::Hello { events });
        gate.say_again();
        Ok(gate)
    }

    /// The last thing that the robot was told, for one that may not have heard it.
    fn say_again(&mut self) {
        match &self.standing {
            Standing::Open => match self.told {
                Some(Told::Do(label)) => self.out.push(Out::Do(Some(label))),
                Some(Told::Stop) => self.out.push(Out::Do(None)),
                Some(Told::Observe) | None => {}
            },
            Standing::Ended => self.out.push(Out::Ended),
            Standing::Held(held) => self.out.push(Out::Held(held.clone())),
        }
    }

    /// The guard behind the gate.
    pub fn guard(&self) -> &Guard<'s> {
        &self.guard
    }

    /// How things stand.
    pub fn standing(&self) -> &Standing {
        &self.standing
    }

    /// How many events would have been held back, in the shadow.
    pub fn would_hold(&self) -> u64 {
        self.would_hold
    }

    /// What the robot was told last; nothing in the shadow.
    pub fn told(&self) -> Option<Told> {
        self.told
    }

    /// The exit status that tells how things stand: 0 while all is well.
    pub fn status(&self) -> u8 {
        match &self.standing {
            Standing::Held(held) => held.reason.status(),
            Standing::Ended | Standing::Open => u8::from(self.would_hold > 0),
        }
    }

    /// Takes in a line. Once the gate holds or the robot has stopped, lines change nothing.
    pub fn line(&mut self, line: &[u8]) {
        match lines::read(line) {
            Ok(Line::Event(name)) => self.event(&name),
            Ok(Line::Heartbeat) => {}
            Ok(Line::End) => self.end(),
            Err(e) => self.unreadable(&e),
        }
    }

    /// Takes in a line that cannot be read.
    pub fn unreadable(&mut self, e: &LineError) {
        self.refuse(Held::new(Reason::Unreadable, e.to_string()));
    }

    /// Takes in an event.
    pub fn event(&mut self, name: &str) {
        if self.standing != Standing::Open {
            return;
        }
        let Some(label) = self.guard.problem().alphabet.get(name) else {
            let held = Held::unknown(self.guard.problem(), name);
            let (would_hold, name) = (Some(held.reason), name.to_owned());
            if self.refuse(held) {
                self.record(|| Record::Event { name, told: None, would_hold });
            }
            return;
        };
        let mut would_hold = None;
        if let Some(refusal) = self.against(label) {
            let held = self.refused(Some(label), refusal);
            would_hold = Some(held.reason);
            if !self.refuse(held) {
                return;
            }
        }
        let images = self.pass(label);
        self.out.extend(images.into_iter().map(|(o, image, n)| Out::Image { observer: o as u32, image, n }));
        let chosen = self.tell();
        let told = self.told_name();
        self.record(|| Record::Event { name: name.to_owned(), told, would_hold });
        match chosen {
            Ok(()) => self.say_again(),
            Err(e) => {
                self.hold(Held::new(Reason::NoChance, format!("the system has no source of chance: {e}")))
            }
        }
    }

    /// The robot says that it has stopped.
    pub fn end(&mut self) {
        if self.standing != Standing::Open {
            return;
        }
        let not_told = self.told.is_some_and(|told| told != Told::Stop) && self.guard.may_stop();
        let refusal = if not_told { Some(Refusal::NotTold) } else { self.guard.end_refusal() };
        let mut would_hold = None;
        if let Some(refusal) = refusal {
            let held = self.refused(None, refusal);
            would_hold = Some(held.reason);
            if !self.refuse(held) {
                return;
            }
        }
        self.standing = Standing::Ended;
        self.record(|| Record::Ended { would_hold });
        self.out.push(Out::Ended);
    }

    /// The input has ended: in the middle, unless the robot had stopped.
    pub fn input_ended(&mut self) {
        if self.standing != Standing::Open {
            return;
        }
        self.hold(Held::new(Reason::InputEnded, "the input ended before the robot said that it had stopped"));
    }

    /// Nothing passes from now on, in any mode; not even what was accepted before the robot stopped.
    pub fn hold(&mut self, held: Held) {
        if matches!(self.standing, Standing::Held(_)) {
            return;
        }
        self.record(|| Record::Held(held.clone()));
        self.out.push(Out::Held(held.clone()));
        self.standing = Standing::Held(held);
    }

    /// Holds, or in the shadow says that it would; tells whether to go on all the same.
    fn refuse(&mut self, held: Held) -> bool {
        match self.options.mode {
            _ if self.standing != Standing::Open => false,
            Mode::Enforce => {
                self.hold(held);
                false
            }
            Mode::Shadow => {
                self.would_hold += 1;
                self.out.push(Out::WouldHold(held));
                true
            }
        }
    }

    /// What is against an event.
    fn against(&mut self, label: Label) -> Option<Refusal> {
        let refusal = self.guard.refusal(label);
        let expected = match self.told {
            None | Some(Told::Observe) => None,
            Some(Told::Do(told)) => Some(Some(told)),
            Some(Told::Stop) => Some(None),
        };
        // What the plan does not foresee at all is told first.
        refusal.or(expected.filter(|told| *told != Some(label)).map(|_| Refusal::NotTold))
    }

    fn refused(&self, event: Option<Label>, refusal: Refusal) -> Held {
        let expected = match (refusal, self.told) {
            (Refusal::NotTold, Some(Told::Do(label))) => vec![label],
            (Refusal::NotTold, _) => Vec::new(),
            _ => self.guard.foreseen(),
        };
        let mut held = Held::refused(self.guard.problem(), event, refusal, &expected);
        match refusal {
            Refusal::NotTold if self.told == Some(Told::Stop) => {
                held.message = "the robot was told to stop".to_owned();
            }
            // It neither foresees anything there, nor stops.
            Refusal::Unforeseen | Refusal::EarlyEnd if !self.guard.is_on_plan() => {
                held.message = "the robot left the plan before".to_owned();
            }
            _ => {}
        }
        held
    }

    /// Goes on with an event, and gives the images to show.
    fn pass(&mut self, label: Label) -> Vec<(usize, Image, u64)> {
        self.guard.advance(label);
        let mut images = Vec::new();
        for observer in 0..self.counts.len() {
            if let Some(image) = self.guard.image(observer, label) {
                self.counts[observer] += 1;
                images.push((observer, image, self.counts[observer]));
            }
        }
        images
    }

    /// Chooses what the robot is to do, if it is to be told.
    fn tell(&mut self) -> Result<(), getrandom::Error> {
        if self.options.mode == Mode::Enforce {
            self.told = self.guard.choose(self.options.chance)?;
        }
        Ok(())
    }

    fn told_name(&self) -> Option<Option<String>> {
        match self.told? {
            Told::Do(label) => Some(Some(self.guard.problem().alphabet.name(label).to_owned())),
            Told::Observe => None,
            Told::Stop => Some(None),
        }
    }

    fn record(&mut self, record: impl FnOnce() -> Record) {
        self.note_shown();
        if let Some(journal) = &mut self.journal {
            journal.add(&record());
        }
    }

    /// Has the journal say what has been shown, if it does not; tells whether it did not.
    fn note_shown(&mut self) -> bool {
        let Some(journal) = &mut self.journal else { return false };
        let news = self.marked.0 != self.shown || self.marked.1 != self.beats;
        if news {
            self.marked = (self.shown.clone(), self.beats);
            journal.add(&Record::Shown(self.shown.clone(), (self.beats > 0).then_some(self.beats)));
        }
        news
    }

    /// Writes and syncs the journal. If that fails, nothing of what waits is shown, and the gate holds.
    pub fn commit(&mut self) {
        let Some(journal) = &mut self.journal else { return };
        if let Err(e) = journal.sync() {
            self.journal = None;
            let held = Held::new(Reason::Journal, format!("the journal cannot be written: {e}"));
            self.out = vec![Out::Held(held.clone())];
            self.standing = Standing::Held(held);
        }
    }

    /// What is to be said, in order; to be asked for after a commit.
    pub fn take(&mut self) -> Vec<Out> {
        std::mem::take(&mut self.out)
    }

    /// An observer has been shown its images up to the one of this number.
    pub fn shown(&mut self, observer: usize, n: u64) {
        self.shown[observer] = self.shown[observer].max(n);
    }

    /// Writes down what has been shown. The journal says it anyway with the next event; until then a restart would show it again.
    pub fn mark(&mut self) {
        if self.note_shown()
            && let Some(journal) = &mut self.journal
        {
            // What cannot be written here cannot be written with the next event either, and is noticed then.
            let _ = journal.write();
        }
    }

    /// How many beats have come, in earlier processes too.
    pub fn beats(&self) -> u64 {
        self.beats
    }

    /// So many beats have come by now, and it matters how many.
    pub fn count_beats(&mut self, beats: u64) {
        self.beats = beats;
    }
}
