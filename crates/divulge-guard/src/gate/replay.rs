//! Where a journal left off.

use super::{Gate, OpenError, Out, Recall, Standing};
use crate::{
    guard::Told,
    journal::{Journal, JournalError, Record},
};

/// What is wrong with a record, or with the journal as a whole.
enum Wrong {
    Damaged(&'static str),
    Other(String),
}

impl Gate<'_> {
    /// Goes through a journal as far as it leads. Images that observers have not been shown wait to be.
    pub(super) fn replay(
        &mut self,
        journal: &mut Journal,
        digest: &str,
        mut recall: Option<&mut Recall<'_>>,
    ) -> Result<(), OpenError> {
        let mut shown = journal.shown().to_vec();
        shown.resize(self.counts.len(), 0);
        let mut was_shown = |observer: usize, image, n: u64| {
            let marked = n <= shown[observer];
            recall.as_mut().map_or(Some(marked), |recall| recall(observer, image, n, marked))
        };
        let path = journal.path().to_owned();
        let (mut line, mut unfit) = (0, None);
        journal.each(|record, _| {
            line += 1;
            let images = self.again(record, line == 1, digest).map_err(|wrong| match wrong {
                Wrong::Damaged(why) => {
                    JournalError::Damaged { path: path.clone(), line, why: why.to_owned() }
                }
                Wrong::Other(what) => JournalError::Other { path: path.clone(), what },
            })?;
            for (observer, image, n) in images {
                match was_shown(observer, image, n) {
                    Some(true) => self.shown[observer] = n,
                    Some(false) => self.out.push(Out::Image { observer: observer as u32, image, n }),
                    None => unfit = unfit.or(Some(observer)),
                }
            }
            Ok(())
        })?;
        self.beats = journal.beats();
        self.marked = (self.shown.clone(), self.beats);
        match unfit {
            Some(observer) => Err(OpenError::Shown(self.guard.problem().observer_name(observer))),
            None => Ok(()),
        }
    }

    /// Goes on with one record, and gives the images of its event.
    fn again(
        &mut self,
        record: Record,
        first: bool,
        digest: &str,
    ) -> Result<Vec<(usize, divulge::problem::Image, u64)>, Wrong> {
        let mode = self.options.mode.word();
        match record {
            Record::Start(start, told) if first => {
                if start.digest != digest {
                    return Err(Wrong::Other("another problem, plan or map".to_owned()));
                }
                if start.mode != mode {
                    let what = format!("a guard in the mode `{}`, and this one is in `{mode}`", start.mode);
                    return Err(Wrong::Other(what));
                }
                self.told = self.told_of(told)?;
            }
            Record::Start(..) => return Err(Wrong::Damaged("it begins anew")),
            _ if first => return Err(Wrong::Damaged("it does not say what it is of")),
            Record::Shown(counts, _) => {
                if counts.len() != self.counts.len() || counts.iter().zip(&self.counts).any(|(a, b)| a > b) {
                    return Err(Wrong::Damaged("more was shown than there was to show"));
                }
            }
            // What was accepted could not be shown to the end.
            Record::Held(held) if self.standing == Standing::Ended => self.standing = Standing::Held(held),
            _ if self.standing != Standing::Open => return Err(Wrong::Damaged("something follows the end")),
            Record::Held(held) => self.standing = Standing::Held(held),
            Record::Ended { would_hold } => {
                self.would_hold += u64::from(would_hold.is_some());
                self.standing = Standing::Ended;
            }
            Record::Event { name, told, would_hold } => {
                let told = self.told_of(told)?;
                self.would_hold += u64::from(would_hold.is_some());
                let label = self.guard.problem().alphabet.get(&name);
                let accepted = label.filter(|&label| would_hold.is_some() || self.against(label).is_none());
                let Some(label) = accepted else {
                    return match would_hold {
                        Some(_) => Ok(Vec::new()),
                        None => Err(Wrong::Damaged("its event cannot have been accepted")),
                    };
                };
                self.told = told;
                return Ok(self.pass(label));
            }
        }
        Ok(Vec::new())
    }

    /// What the robot was told, from its name in a journal.
    fn told_of(&self, name: Option<Option<String>>) -> Result<Option<Told>, Wrong> {
        Ok(match name {
            None if self.options.mode == super::Mode::Shadow => None,
            None => Some(Told::Observe),
            Some(None) => Some(Told::Stop),
            Some(Some(name)) => {
                let label = self.guard.problem().alphabet.get(&name);
                Some(Told::Do(label.ok_or(Wrong::Damaged("no action has the name that the robot was told"))?))
            }
        })
    }
}
