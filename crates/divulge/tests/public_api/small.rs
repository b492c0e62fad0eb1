pub mod shape {
    mod round;
    mod hidden {
        #[derive(Clone, Debug)]
        pub struct Circle<'a> {
            pub radius: u32,
            name: &'a str,
        }
        impl<'a> Circle<'a> {
            pub const UNIT: u32 = 1;
            pub fn new(radius: u32, name: &'a str) -> Self {
                Self { radius, name }
            }
            pub(crate) fn secret(&self) {}
            fn own(&self) {}
        }
        impl super::Area for Circle<'_> {
            fn area(&self, scale: impl Fn(u32) -> f64) -> Option<(f64, Vec<u8>)> {
                None
            }
        }
        pub struct Unseen;
        impl Unseen {
            pub fn method(&self) {}
        }
    }
    pub use hidden::Circle;
    pub use self::{Area as Surface, hidden::Circle as Ring};
    pub trait Area: Sized {
        type Unit;
        const SIDES: usize;
        fn area(&self, scale: impl Fn(u32) -> f64) -> Option<(f64, Vec<u8>)>;
        fn twice(&mut self) {}
    }
    pub enum Kind<T = u8> {
        Plain,
        Both(T, &'static [T; 2]),
        Named { first: T },
    }
    impl<T> From<T> for Kind<T> {
        fn from(_: T) -> Self {
            Self::Plain
        }
    }
}
mod draw {
    pub fn draw<T>(what: &T, at: (i32, i32), most: Option<&mut dyn FnMut(usize) -> bool>) -> Result<(), String>
    where
        T: super::shape::Area + ?Sized,
    {
        Ok(())
    }
    pub(crate) fn inner() {}
    pub const LIMITS: [u8; 2] = [0; 2];
    pub type Pair = (u32, Box<dyn Fn()>);
    #[doc(hidden)]
    pub fn unlisted() {}
    #[cfg(test)]
    pub mod tests {}
}
pub use draw::*;
pub use shape::Circle;
pub use std::collections::BTreeMap as Map;
