//! The table of all codes. A code never changes its meaning; a code that is no longer given keeps its number.

use super::Severity;

macro_rules! codes {
    ($($id:ident $name:ident $title:literal;)*) => {
        /// A stable code: `E…` for errors, `W…` for warnings.
        ///
        /// Ranges: E00 any input; E01 words and syntax of the language; E02 names; E03 values and types; E04 graphs,
        /// worlds, plans and observers; E05 the JSON document; E06 formulas; E07 files of other
        /// tools; W01 probable mistakes; W05 of the
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

    E0101 UnknownCharacter "a character that means nothing in a model";
    E0102 UnclosedText "a missing closing quote";
    E0103 BadEscape "an unknown escape sequence";
    E0104 ForeignSign "an operator of another language";
    E0105 BadNumber "a number that cannot be read";
    E0106 Unexpected "unexpected input";
    E0107 Unclosed "a missing closing bracket";
    E0108 UnknownItem "a line that starts with no known word";
    E0109 ReservedWord "a reserved word used as a name";
    E0110 TooDeep "too deeply nested";
    E0111 ModelTooLarge "a model that is too large";
    E0112 TemporalWord "a word of time that stipulations do not have, or not there";

    E0201 UnknownName "an unknown name";
    E0202 DefinedTwice "something is defined twice";
    E0203 CyclicDefinition "a definition that uses itself";
    E0204 UnknownParameter "a value that cannot be set";
    E0205 BadInclude "a file that cannot be included";
    E0206 CyclicInclude "a file that includes itself";
    E0207 UnknownLabel "a label that the world does not have";
    E0208 UnknownReference "no plan, observer or graph of that name";
    E0209 UnknownVertex "a vertex that the world does not have";
    E0210 WrongArguments "the wrong number of arguments";

    E0301 TypeMismatch "a value of the wrong type";
    E0302 NotConstant "a variable where a constant is needed";
    E0303 OutOfRange "a value outside a variable's range";
    E0304 Arithmetic "a computation without a result";
    E0305 NotAValue "a value that a variable never has";
    E0306 EmptyRange "an empty range";
    E0307 TooManyStates "too many states, values or steps";
    E0308 AssignedTwice "a variable assigned twice in one block";
    E0309 WrongLevel "a condition on one state mixed up with what the observer knows";
    E0310 BadCount "a negative number that must not be negative";

    E0401 MissingWorld "a model without a world";
    E0402 NoInitial "nowhere to start";
    E0403 LabelOfBothKinds "a label that is both an action and an observation";
    E0404 NotAlternating "actions and observations that do not alternate";
    E0405 LabelsDoNotMatch "labels and values that do not match";
    E0406 MisplacedAttribute "an attribute on the wrong kind of graph";
    E0407 MissingKnows "an observer without `knows`";
    E0408 SeveralObservers "several observers without names, or without maps";
    E0409 MapAndConstraints "a map and constraints on it";
    E0410 BadGroup "too few labels, or one listed twice";
    E0411 NothingObservedYet "a test before anything was observed";
    E0412 IdleLoop "a loop without an action";
    E0413 ImageBounds "more images asked for than allowed";
    E0414 UnseenFilter "a filter that cannot follow unseen events";
    E0415 HindsightFilter "hindsight of an observer who forgets";
    E0416 UnseenConstrained "a label that is to be unseen and something else besides";

    E0501 DocSyntax "the document is not JSON";
    E0502 DocTruncated "the document ends too early";
    E0503 DocUnknownField "an unknown field";
    E0504 DocRepeated "a key given twice";
    E0505 DocMissing "a missing field";
    E0506 DocType "a value of the wrong type";
    E0507 DocValue "a value that is not allowed here";
    E0508 DocFormat "a document of another format";
    E0509 DocTooDeep "values nested too deeply";
    E0511 DocUnknownVertex "a vertex that does not exist";
    E0512 DocAlternation "an edge between vertices of one kind";
    E0513 DocKindConflict "a label that is both an action and an observation";
    E0514 DocNoLabels "an edge without labels";
    E0515 DocInitial "no initial vertex, or initial vertices of both kinds";
    E0516 DocObservers "no observer, or several without names or maps";
    E0517 DocPartialMap "a map that misses labels";
    E0518 DocMapAndConstraints "both a map and constraints on it";
    E0519 DocUnknownLabel "a label that does not exist";
    E0520 DocGroup "a bad group of labels";
    E0521 DocMark "a mark that has no meaning here";
    E0522 DocFormula "a formula that cannot be read";
    E0523 DocFormulaWorld "a formula that does not fit its world";
    E0524 DocImageBounds "more images asked for than allowed";
    E0525 DocScope "a scope that does not fit its stipulation";

    E0701 ForeignSyntax "a file of another tool that cannot be read";
    E0702 ForeignName "a name that a file of another tool does not define";
    E0703 ForeignValue "a value that does not fit, in a file of another tool";
    E0704 ForeignUnsupported "something that a world has no counterpart for";
    E0705 ForeignTooLarge "a file of another tool that has too many states";

    W0101 UnreachableGoal "the goal cannot be reached";
    W0102 UnusedLabel "a label that never happens";
    W0103 CannotFail "a stipulation that cannot fail";
    W0104 CannotHold "a stipulation that cannot hold";
    W0105 Deadlock "a world that gets stuck";
    W0106 MapMissesLabel "a map that does not mention a label";
    W0107 UnusedDefinition "a definition that nothing uses";
    W0108 UnreachableStatement "a part of a plan that is never reached";
    W0109 NoPlanChosen "several plans, none chosen";
    W0110 NoObserver "a model without an observer";
    W0111 LooksLikeVariable "an observation named almost like a variable";
    W0112 SeenAsNothing "an event seen as `nothing`";
    W0113 SimilarImages "two images that are almost the same";
    W0114 CatchAll "an observation that is possible everywhere";
    W0115 NoStartingValue "a variable without a starting value";
    W0116 SeesNothing "an observer who sees nothing at all";
    W0117 ShortAlways "an `always` that may reach less far than is meant, or further";
    W0118 FirstMoment "a part of a run's formula about the first moment alone";

    W0501 DocMapLabel "a map that mentions an unknown label";
    W0502 DocOddValue "a comparison with a value that nothing has";
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
