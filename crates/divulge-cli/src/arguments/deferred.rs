//! Commands whose options are not made before they are asked for.
//!
//! Making the options of every command takes longer than answering a small question; most runs use those of one.

use std::ops::Deref;

use clap::{
    ArgMatches, Args, Command, Error, FromArgMatches,
    builder::{Resettable, StyledStr},
};

/// The arguments `T` of a command, whose options are made when the command is used, or its help is.
#[derive(Debug)]
pub struct Deferred<T>(pub T);

impl<T> Deref for Deferred<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: FromArgMatches> FromArgMatches for Deferred<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        T::from_arg_matches(matches).map(Self)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        self.0.update_from_arg_matches(matches)
    }
}

impl<T: Args> Args for Deferred<T> {
    fn augment_args(command: Command) -> Command {
        command.defer(|command| described_as_before(command, T::augment_args))
    }

    fn augment_args_for_update(command: Command) -> Command {
        command.defer(|command| described_as_before(command, T::augment_args_for_update))
    }
}

/// Adds to a command without changing what it says of itself: the description of `T` is there for readers of this program.
fn described_as_before(command: Command, add: fn(Command) -> Command) -> Command {
    let (about, long_about) = (command.get_about().cloned(), command.get_long_about().cloned());
    let same = |said: Option<StyledStr>| said.map_or(Resettable::Reset, Resettable::Value);
    add(command).about(same(about)).long_about(same(long_about))
}
