//! The door: reads lines, asks the gate, writes lines, and looks at the clock.

use std::{
    collections::VecDeque,
    io,
    sync::mpsc::{Receiver, RecvTimeoutError},
    time::{Duration, Instant},
};

use divulge_guard::{
    Gate, Held, Out, Reason, Standing,
    lines::{LineError, Writer},
};

use super::{input::Said, streams::Stream};

/// So many pieces of input are taken in before they are committed together.
const TOGETHER: usize = 16;

/// While so many images wait for their beat, no input is taken in.
const WAITING: usize = 4096;

/// What the clock is for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Times {
    /// How long from one beat to the next.
    pub beat: Option<Duration>,
    /// How many beats there are in all.
    pub beats: Option<u64>,
    /// Whether a beat without an image is a reason to hold.
    pub on_time: bool,
    /// How long the robot may say nothing.
    pub heartbeat: Option<Duration>,
}

/// Where lines come from and go to.
pub struct Doors {
    /// The robot's stream first.
    pub streams: Vec<Box<dyn Stream>>,
    /// Which stream each observer has.
    pub own: Vec<usize>,
    /// What the robot says.
    pub said: Receiver<Said>,
}

/// A gate with its streams.
pub struct Door<'s> {
    gate: Gate<'s>,
    writer: Writer,
    streams: Vec<Box<dyn Stream>>,
    own: Vec<usize>,
    times: Times,
    /// With a beat: what waits for it, for each observer.
    queues: Vec<VecDeque<Out>>,
    /// When the next beat comes, and how many came before.
    next_beat: Option<Instant>,
    beats: u64,
    last_heard: Instant,
    said: Receiver<Said>,
    listening: bool,
}

impl<'s> Door<'s> {
    pub fn new(gate: Gate<'s>, writer: Writer, doors: Doors, times: Times) -> Self {
        let Doors { streams, own, said } = doors;
        let now = Instant::now();
        Self {
            queues: own.iter().map(|_| VecDeque::new()).collect(),
            beats: gate.beats(),
            gate,
            writer,
            streams,
            own,
            next_beat: times.beat.map(|beat| now + beat),
            last_heard: now,
            times,
            said,
            listening: true,
        }
    }

    /// Lets through what may pass, until the run has ended or is held; gives the exit status.
    pub fn keep(mut self) -> u8 {
        self.show();
        while !self.is_done() {
            self.listen();
            self.look_at_the_clock();
            self.show();
        }
        self.gate.mark();
        self.gate.status()
    }

    fn is_open(&self) -> bool {
        *self.gate.standing() == Standing::Open
    }

    fn is_done(&self) -> bool {
        let quiet = match (self.next_beat, self.times.beats) {
            (None, _) => true,
            (Some(_), Some(all)) => self.beats >= all,
            (Some(_), None) => self.queues.iter().all(VecDeque::is_empty),
        };
        !self.is_open() && quiet
    }

    /// Takes in what there is, or waits until there is something or the clock has to be looked at.
    fn listen(&mut self) {
        let takes = self.listening && self.is_open() && self.queues.iter().all(|queue| queue.len() < WAITING);
        let wake = self.wake();
        if !takes {
            // Something is due, or nothing would be waited for.
            std::thread::sleep(
                wake.map_or(Duration::ZERO, |at| at.saturating_duration_since(Instant::now())),
            );
            return;
        }
        let first = match wake {
            None => self.said.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(at) => self.said.recv_timeout(at.saturating_duration_since(Instant::now())),
        };
        match first {
            Ok(said) => self.take_in(said),
            Err(RecvTimeoutError::Disconnected) => self.take_in(Said::Ended),
            Err(RecvTimeoutError::Timeout) => return,
        }
        for _ in 1..TOGETHER {
            match self.said.try_recv() {
                Ok(said) => self.take_in(said),
                Err(_) => break,
            }
        }
    }

    fn take_in(&mut self, said: Said) {
        self.last_heard = Instant::now();
        match said {
            Said::Lines(lines) => {
                let whole = lines.strip_suffix(b"\n").unwrap_or(&lines);
                whole.split(|&byte| byte == b'\n').for_each(|line| self.gate.line(line));
            }
            Said::TooLong => self.gate.unreadable(&LineError::too_long()),
            Said::Ended => {
                self.listening = false;
                self.gate.input_ended();
            }
        }
    }

    /// When the clock has to be looked at, if ever.
    fn wake(&self) -> Option<Instant> {
        let silence = self.times.heartbeat.filter(|_| self.is_open()).map(|most| self.last_heard + most);
        self.next_beat.into_iter().chain(silence).min()
    }

    fn look_at_the_clock(&mut self) {
        let now = Instant::now();
        if let Some(most) = self.times.heartbeat.filter(|_| self.is_open())
            && now.saturating_duration_since(self.last_heard) >= most
        {
            let message = format!("the robot has said nothing for {most:?}");
            self.gate.hold(Held::new(Reason::NoHeartbeat, message));
        }
        let Some((due, beat)) = self.next_beat.zip(self.times.beat) else { return };
        if now >= due {
            // Images that were accepted by now may go out with this beat.
            self.show();
            // A beat that was missed, because the machine was busy, is not made up for: two lines at once would tell.
            let missed = now.saturating_duration_since(due).as_nanos() / beat.as_nanos().max(1);
            self.next_beat = Some(due + beat * (u32::try_from(missed).unwrap_or(u32::MAX - 1) + 1));
            self.on_beat();
        }
    }

    /// Every observer gets one line: its next image, or that there is none.
    fn on_beat(&mut self) {
        if self.times.beats.is_some_and(|all| self.beats >= all) {
            if self.is_open() && self.queues.iter().any(|queue| !queue.is_empty()) {
                self.over();
                self.show();
            }
            return;
        }
        self.beats += 1;
        if self.times.on_time && self.is_open() && self.queues.iter().any(VecDeque::is_empty) {
            let message = format!("beat {} came before the next image was there", self.beats);
            self.gate.hold(Held::new(Reason::Late, message));
            self.show();
        }
        if self.times.beats == Some(self.beats) && self.queues.iter().any(|queue| queue.len() > 1) {
            self.over();
        }
        let mut lines = vec![Vec::new(); self.streams.len()];
        let mut shown = Vec::new();
        for (observer, queue) in self.queues.iter_mut().enumerate() {
            let line = &mut lines[self.own[observer]];
            match queue.pop_front() {
                Some(out) => {
                    self.writer.line(&out, line);
                    shown.extend(number(&out));
                }
                None => self.writer.beat(observer, line),
            }
        }
        if self.times.beats.is_some() {
            self.gate.count_beats(self.beats);
        }
        self.send(&lines, &shown);
        self.gate.mark();
    }

    /// There are images, and no beats for them.
    fn over(&mut self) {
        let message = format!("all {} beats are over, and more images wait", self.beats);
        self.gate.hold(Held::new(Reason::Late, message));
    }

    /// Commits what was taken in, then shows it, or puts it where the beat will find it.
    fn show(&mut self) {
        self.gate.commit();
        let mut lines = vec![Vec::new(); self.streams.len()];
        let mut shown = Vec::new();
        for out in self.gate.take() {
            match out {
                Out::Image { observer, .. } if self.next_beat.is_some() => {
                    self.queues[observer as usize].push_back(out);
                }
                Out::Image { observer, .. } => {
                    self.writer.line(&out, &mut lines[self.own[observer as usize]]);
                    shown.extend(number(&out));
                }
                robots => self.writer.line(&robots, &mut lines[0]),
            }
        }
        if matches!(self.gate.standing(), Standing::Held(_)) {
            self.queues.iter_mut().for_each(VecDeque::clear);
        }
        self.send(&lines, &shown);
    }

    /// Sends lines to each stream. Where that fails nothing more is shown to anybody; the robot is told if it can be.
    fn send(&mut self, lines: &[Vec<u8>], shown: &[(usize, u64)]) {
        // Observers first: the robot goes on when it hears.
        for stream in (0..self.streams.len()).rev().filter(|&stream| !lines[stream].is_empty()) {
            if let Err(e) = self.streams[stream].send(&lines[stream]) {
                return self.broken(stream, &e);
            }
        }
        shown.iter().for_each(|&(observer, n)| self.gate.shown(observer, n));
    }

    fn broken(&mut self, stream: usize, e: &io::Error) {
        let whose = match (stream, self.own.iter().position(|own| *own == stream)) {
            (1.., Some(observer)) => format!("what `{}` is shown", self.writer.names()[observer]),
            _ => "standard output".to_owned(),
        };
        self.gate.hold(Held::new(Reason::Output, format!("{whose} cannot be written: {e}")));
        self.queues.iter_mut().for_each(VecDeque::clear);
        self.gate.commit();
        let mut line = Vec::new();
        for out in self.gate.take() {
            if matches!(out, Out::Held(_)) {
                self.writer.line(&out, &mut line);
            }
        }
        // Who does not hear that cannot be told.
        let _ = self.streams[0].send(&line);
        self.next_beat = None;
    }
}

fn number(out: &Out) -> Option<(usize, u64)> {
    match out {
        Out::Image { observer, n, .. } => Some((*observer as usize, *n)),
        _ => None,
    }
}
