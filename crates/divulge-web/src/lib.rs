//! The explorer's engine for a page: a request in JSON, and what follows it, is written into [`input`]'s room, [`answer`] answers it, and the
//! answer is read from [`output`].
//!
//! Nothing is asked of the page, and no memory is handed over: both texts stay in buffers of this module.

use std::cell::RefCell;

use divulge_explore::Explorer;

thread_local! {
    static INPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static OUTPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static EXPLORER: RefCell<Explorer<'static>> = RefCell::new(Explorer::default());
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

/// Answers the request and says how long the answer is.
#[allow(unsafe_code)] // the attribute alone
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> usize {
    let request = INPUT.with_borrow_mut(std::mem::take);
    let reply = EXPLORER.with_borrow_mut(|explorer| explorer.answer(&String::from_utf8_lossy(&request)));
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
