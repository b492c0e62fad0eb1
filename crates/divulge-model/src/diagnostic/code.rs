//! The table of all codes. A code never changes its meaning; a code that is no longer given keeps its number.

use super::Severity;

macro_rules! codes {
    ($($id:ident $name:ident $title:literal;)*) => {
        /// A stable code: `E…` for errors, `W…` for warnings.
        ///
        /// Ranges: E00 any input; E01 words and syntax of the language; E02 names; E03 values and types; E04 graphs,
        /// worlds, plans and observers; E05 the JSON document; E06 formulas; W01 probable mistakes; W05 of the
        /// JSON document.
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

    E0501 DocSyntax "the document is not JSON";
    E0502 DocTruncated "the document ends too early";
    E0503 DocUnknownField "a field that is not known here";
    E0504 DocRepeated "a key that is given twice";
    E0505 DocMissing "a field that is missing";
    E0506 DocType "a value of the wrong type";
    E0507 DocValue "a value that is none of those allowed";
    E0508 DocFormat "a document of another format";
    E0509 DocTooDeep "values nest too deeply";
    E0511 DocUnknownVertex "a vertex that does not exist";
    E0512 DocAlternation "an edge between vertices of one kind";
    E0513 DocKindConflict "a label that is both an action and an observation";
    E0514 DocNoLabels "an edge without labels";
    E0515 DocInitial "initial vertices that cannot be";
    E0516 DocObservers "not exactly one observer";
    E0517 DocPartialMap "a map that misses labels";
    E0518 DocMapAndConstraints "both a map and constraints on one";
    E0519 DocUnknownLabel "a label that does not exist";
    E0520 DocGroup "a group of labels that cannot be";
    E0521 DocMark "a mark that means nothing here";
    E0522 DocFormula "a formula that cannot be read";
    E0523 DocFormulaWorld "a formula that does not fit its world";

    W0501 DocMapLabel "a map that speaks of an unknown label";
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
