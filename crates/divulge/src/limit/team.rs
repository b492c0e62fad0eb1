//! Threads that do pieces of work in step, round after round.
//!
//! *Practical.* [`with_team`] has somebody lead them, [`Team::round`] has each do a piece and waits for all; who is not needed is not started. Pieces are handed over and come back, so whoever
//! leads may look at them, and at what they were about, between two rounds. Whoever waits looks for a while before it sleeps, because to
//! be woken takes longer than most rounds; meanwhile anybody else who wants the processor gets it. If that is who was waited for, the two of them
//! share a processor while another one may be idle, and nobody moves threads that never wait for long: so both sleep for a moment, and whoever wakes
//! up second is given another processor.

#[cfg(feature = "parallel")]
use std::{
    cell::{Cell, RefCell},
    sync::mpsc::{Receiver, SyncSender, sync_channel},
    time::Duration,
};

#[cfg(feature = "parallel")]
use smallvec::SmallVec;

#[cfg(feature = "parallel")]
use super::account::{note, timed};
use super::threads::{threads, worth};

/// How often somebody looks, one time after the other, before it lets others have the processor between two looks: for a few microseconds.
#[cfg(feature = "parallel")]
const LOOKS: usize = 100;

/// How often somebody lets others have the processor before it sleeps: for a millisecond or so, if nobody wants it.
#[cfg(feature = "parallel")]
const YIELDS: usize = 2000;

/// Two share a processor if letting others have it once was enough for one of them, so often in a row.
#[cfg(feature = "parallel")]
const IN_A_ROW: u32 = 4;

/// How long they sleep then, and how often at most: there may be no other processor.
#[cfg(feature = "parallel")]
const MOMENT: Duration = Duration::from_micros(50);
#[cfg(feature = "parallel")]
const MOMENTS: u32 = 32;

/// Whoever does pieces of work of one kind.
pub struct Team<'w, J> {
    work: &'w (dyn Fn(&mut J) + Sync),
    #[cfg(feature = "parallel")]
    others: Others<'w, J>,
}

/// The other threads of a team, which start when there is something to do for them.
#[cfg(feature = "parallel")]
struct Others<'w, J> {
    /// How many there may be.
    most: usize,
    started: RefCell<Vec<Other<J>>>,
    patience: Patience,
    start: Box<dyn Fn() -> Other<J> + 'w>,
}

/// Where pieces go to one of them, and where they come back, with how long they took.
#[cfg(feature = "parallel")]
type Other<J> = (SyncSender<J>, Receiver<(J, u64)>);

/// Has `lead` lead a team that does `work`, of as many threads as `allowed`: 0 stands for as many as there are processors.
pub fn with_team<J: Send, R>(
    allowed: usize,
    work: impl Fn(&mut J) + Sync,
    lead: impl FnOnce(&Team<'_, J>) -> R,
) -> R {
    #[cfg(feature = "parallel")]
    {
        let work = &work;
        std::thread::scope(|scope| {
            let start = || {
                let ((to_do, own), (done, back)) = (sync_channel(1), sync_channel(1));
                scope.spawn(move || {
                    let patience = Patience::default();
                    while let Some(mut piece) = patience.take(&own) {
                        let ((), took) = timed(|| work(&mut piece));
                        if done.send((piece, took)).is_err() {
                            return;
                        }
                    }
                });
                (to_do, back)
            };
            let most = threads(allowed, usize::MAX, 1) - 1;
            let (started, patience) = (RefCell::default(), Patience::default());
            let others = Others { most, started, patience, start: Box::new(start) };
            lead(&Team { work, others })
        })
    }
    #[cfg(not(feature = "parallel"))]
    {
        _ = (allowed, threads);
        lead(&Team { work: &work })
    }
}

impl<J: Send> Team<'_, J> {
    /// In how many pieces so much work is done best, if `each` is worth a thread.
    pub fn pieces(&self, work: usize, each: usize) -> usize {
        #[cfg(feature = "parallel")]
        return (work / worth(each)).clamp(1, self.others.most + 1);
        #[cfg(not(feature = "parallel"))]
        {
            _ = (work, worth(each));
            1
        }
    }

    /// Does some pieces, no more than [`pieces`](Self::pieces) says, and waits for them. They come back in their order.
    #[cfg_attr(not(feature = "parallel"), allow(clippy::ptr_arg))]
    pub fn round(&self, pieces: &mut Vec<J>) {
        #[cfg(feature = "parallel")]
        let given = {
            let rest = pieces.drain(pieces.len().min(1)..);
            let given = rest.len();
            let mut started = self.others.started.borrow_mut();
            while started.len() < given {
                started.push((self.others.start)());
            }
            for (piece, (to_do, _)) in rest.zip(started.iter()) {
                assert!(to_do.send(piece).is_ok(), "a thread of the team is gone");
            }
            given
        };
        #[cfg(feature = "parallel")]
        if given > 0 {
            let ((), leader) = timed(|| pieces.iter_mut().for_each(self.work));
            let mut others: SmallVec<[u64; 16]> = SmallVec::new();
            let ((), waiting) = timed(|| {
                for (_, back) in self.others.started.borrow().iter().take(given) {
                    let (piece, took) =
                        self.others.patience.take(back).expect("a thread of the team is gone");
                    pieces.push(piece);
                    others.push(took);
                }
            });
            return note(leader, waiting, others.into_iter());
        }
        pieces.iter_mut().for_each(self.work);
    }
}

/// Whoever waits for others of a team, one time after the other.
#[cfg(feature = "parallel")]
#[derive(Default)]
struct Patience {
    /// How often in a row there was what it waited for when it had let others have the processor once.
    in_a_row: Cell<u32>,
    /// How often it has slept for that.
    slept: Cell<u32>,
}

#[cfg(feature = "parallel")]
impl Patience {
    /// Waits for the next one; `None` if there will be none.
    fn take<J>(&self, from: &Receiver<J>) -> Option<J> {
        use std::sync::mpsc::TryRecvError;
        if self.in_a_row.get() >= IN_A_ROW && self.slept.get() < MOMENTS {
            self.in_a_row.set(0);
            self.slept.set(self.slept.get() + 1);
            std::thread::sleep(MOMENT);
        }
        for look in 0..LOOKS + YIELDS {
            match from.try_recv() {
                Ok(piece) => {
                    let once = look == LOOKS + 1;
                    self.in_a_row.set(if once { self.in_a_row.get() + 1 } else { 0 });
                    return Some(piece);
                }
                Err(TryRecvError::Disconnected) => return None,
                Err(TryRecvError::Empty) if look < LOOKS => std::hint::spin_loop(),
                Err(TryRecvError::Empty) => std::thread::yield_now(),
            }
        }
        from.recv().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_come_back_in_their_order() {
        for allowed in [1, 2, 3, 8] {
            let squares = with_team(
                allowed,
                |n: &mut u64| *n *= *n,
                |team| {
                    let count = team.pieces(100, 10);
                    let mut pieces: Vec<u64> = (2..2 + count as u64).collect();
                    for _ in 0..3 {
                        team.round(&mut pieces);
                    }
                    team.round(&mut Vec::new());
                    pieces
                },
            );
            let expected: Vec<u64> = (2..2 + squares.len() as u64).map(|n: u64| n.pow(8)).collect();
            assert_eq!(squares, expected);
        }
    }

    #[test]
    #[cfg(feature = "parallel")]
    fn whoever_panics_is_heard_of() {
        let work = |n: &mut u64| assert!(*n != 1, "one is too much");
        let lead = |team: &Team<'_, u64>| team.round(&mut vec![0, 1]);
        assert!(std::panic::catch_unwind(|| with_team(2, work, lead)).is_err());
    }
}
