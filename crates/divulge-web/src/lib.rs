//! What pages run: the explorer and the playground. A request in JSON, and what follows it, is written into [`input`]'s room, [`answer`] or
//! [`play`] answers it, and the answer is read from [`output`].
//!
//! No memory is handed over: both texts stay in buffers of this module. Of the page only one thing is asked, whether to go on
//! ([`host`]); the explorer asks nothing.

mod host;

use std::cell::RefCell;

use divulge_explore::Explorer;
use divulge_playground::Playground;

thread_local! {
    static INPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static OUTPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static EXPLORER: RefCell<Explorer<'static>> = RefCell::new(Explorer::default());
    static PLAYGROUND: RefCell<Playground> = RefCell::new(Playground::default());
}

/// Makes room for a request of `length` bytes and says where.
#[allow(unsafe_code)] // the attribute alone
#[unsafe(no_mangle)]
pub extern "C" fn input(length: usize) -> *const u8 {
    INPUT.with_borrow_mut(|input| {
        input.clear();
        input.resize(length, 0);
        input.as_ptr()
    })
}

/// Answers the request to the explorer and says how long the answer is.
#[allow(unsafe_code)] // the attribute alone
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> usize {
    reply(|request| EXPLORER.with_borrow_mut(|explorer| explorer.answer(request)))
}

/// Answers the request to the playground and says how long the answer is.
#[allow(unsafe_code)] // the attribute alone
#[unsafe(no_mangle)]
pub extern "C" fn play() -> usize {
    reply(|request| {
        PLAYGROUND.with_borrow_mut(|playground| {
            playground.answer(request, &host::Host { adding: false }, &host::Host { adding: true })
        })
    })
}

fn reply(answer: impl FnOnce(&str) -> String) -> usize {
    let request = INPUT.with_borrow_mut(std::mem::take);
    let reply = answer(&String::from_utf8_lossy(&request));
    OUTPUT.with_borrow_mut(|output| {
        *output = reply.into_bytes();
        output.len()
    })
}

/// Where the answer is, until the next one.
#[allow(unsafe_code)] // the attribute alone
#[unsafe(no_mangle)]
pub extern "C" fn output() -> *const u8 {
    OUTPUT.with_borrow(|output| output.as_ptr())
}
