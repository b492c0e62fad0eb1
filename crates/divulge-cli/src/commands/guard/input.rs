//! What the robot says, read on a thread of its own.

use std::{
    io::Read,
    sync::mpsc::{Receiver, SyncSender, sync_channel},
};

use divulge_guard::lines::MOST;

/// So much is read at once.
const PIECE: usize = 1 << 16;

/// What came in.
pub enum Said {
    /// Whole lines.
    Lines(Vec<u8>),
    /// A line that is too long to be one.
    TooLong,
    /// Nothing more will come.
    Ended,
}

/// Reads lines and passes them on, as many at once as there are. The thread waits while nobody takes them.
pub fn reading(from: impl Read + Send + 'static) -> Receiver<Said> {
    let (to, said) = sync_channel(4);
    std::thread::spawn(move || read(from, &to));
    said
}

fn read(mut from: impl Read, to: &SyncSender<Said>) {
    let mut rest: Vec<u8> = Vec::new();
    let mut piece = vec![0; PIECE];
    loop {
        let read = match from.read(&mut piece) {
            Ok(0) => break,
            Ok(read) => read,
            Err(e) if e.kind() == std::io::ErrorKind::Interrupted => continue,
            // A robot that cannot be heard is one that has gone.
            Err(_) => break,
        };
        let end = piece[..read].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        if end > 0 {
            let mut lines = std::mem::take(&mut rest);
            lines.extend_from_slice(&piece[..end]);
            if to.send(Said::Lines(lines)).is_err() {
                return;
            }
        }
        rest.extend_from_slice(&piece[end..read]);
        if rest.len() > MOST {
            let _ = to.send(Said::TooLong);
            return;
        }
    }
    if !rest.is_empty() {
        let _ = to.send(Said::Lines(rest));
    }
    let _ = to.send(Said::Ended);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives its bytes a few at a time.
    struct Slowly(&'static [u8], usize);

    impl Read for Slowly {
        fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
            let given = self.1.min(self.0.len()).min(into.len());
            into[..given].copy_from_slice(&self.0[..given]);
            self.0 = &self.0[given..];
            Ok(given)
        }
    }

    #[test]
    fn lines_come_whole_however_they_are_read() {
        for step in 1..20 {
            let said = reading(Slowly(b"one\ntwo\n\nfour and the end", step));
            let mut all = Vec::new();
            loop {
                match said.recv().unwrap() {
                    Said::Lines(lines) => all.extend(lines),
                    Said::TooLong => panic!("nothing is too long"),
                    Said::Ended => break,
                }
            }
            assert_eq!(all, b"one\ntwo\n\nfour and the end");
        }
    }

    #[test]
    fn a_line_without_end_is_given_up() {
        let said = reading(std::io::repeat(b'a'));
        assert!(matches!(said.recv().unwrap(), Said::TooLong));
    }
}
