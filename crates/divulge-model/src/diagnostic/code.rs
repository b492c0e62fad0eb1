//! The table of all codes. A code never changes its meaning; a code that is no longer given keeps its number.

use super::Severity;

macro_rules! codes {
    ($($id:ident $name:ident $title:literal;)*) => {
        /// A stable code: `E…` for errors, `W…` for warnings.
        ///
        /// Ranges: E00 any input; E01 words and syntax of the language; E02 names; E03 values and types; E04 graphs,
        /// worlds, plans and observers; E05 the JSON document; E06 formulas; W01 probable mistakes.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Code {
            $(#[doc = $title] $name,)*
        }

        impl Code {
            /// Every code, in the order of the table.
            pub const ALL: &'static [Code] = &[$(Code::$name,)*];

            /// The code as printed, such as `E0201`.
            pub fn id(self) -> &'static str {
                match self { $(Code::$name => stringify!($id),)* }
            }

            /// What it means in a few words.
            pub fn title(self) -> &'static str {
                match self { $(Code::$name => $title,)* }
            }

            /// What it means at length, with an example and its remedy.
            pub fn explanation(self) -> &'static str {
                match self { $(Code::$name => include_str!(concat!("explain/", stringify!($id), ".md")),)* }
            }
        }
    };
}

codes! {
    E0001 NotUtf8 "the input is not UTF-8 text";

    E0201 UnknownName "a name that is not known here";
}

impl Code {
    /// Errors and warnings are told apart by the first letter.
    pub fn severity(self) -> Severity {
        if self.id().starts_with('E') { Severity::Error } else { Severity::Warning }
    }

    /// The code that is printed as `id`, in either case.
    pub fn from_id(id: &str) -> Option<Code> {
        Code::ALL.iter().copied().find(|code| code.id().eq_ignore_ascii_case(id))
    }
}

/// What a code such as `E0201` means at length, with an example and its remedy; `None` for an unknown code.
pub fn explain(id: &str) -> Option<&'static str> {
    Code::from_id(id).map(Code::explanation)
}
