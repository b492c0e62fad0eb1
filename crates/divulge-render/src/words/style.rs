//! How text is set: width and colour.

/// How text for people is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Whether ANSI colours may be used.
    pub colour: bool,
    /// How many columns a line may take.
    pub width: usize,
}

impl Default for Style {
    fn default() -> Self {
        Self::plain()
    }
}

impl Style {
    /// No colours, 100 columns.
    pub fn plain() -> Self {
        Self { colour: false, width: 100 }
    }

    /// ANSI colours, 100 columns.
    pub fn coloured() -> Self {
        Self { colour: true, ..Self::plain() }
    }

    /// Good news.
    pub(super) fn good(self, text: &str) -> String {
        self.paint("1;32", text)
    }

    /// Bad news.
    pub(super) fn bad(self, text: &str) -> String {
        self.paint("1;31", text)
    }

    /// What to look at first.
    pub(super) fn strong(self, text: &str) -> String {
        self.paint("1", text)
    }

    /// What can be passed over.
    pub(super) fn faint(self, text: &str) -> String {
        self.paint("2", text)
    }

    fn paint(self, code: &str, text: &str) -> String {
        if self.colour && !text.is_empty() { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}
