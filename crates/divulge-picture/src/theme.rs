//! Colours, chosen so that colour-blind readers can tell them apart; and never colours alone.

/// How a picture is coloured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// Dark on white.
    #[default]
    Light,
    /// Light on black.
    Dark,
    /// Greys alone, for printers: dashes and marks tell things apart.
    Print,
}

/// The colours of one theme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colours {
    /// Behind everything.
    pub background: &'static str,
    /// Texts and outlines.
    pub ink: &'static str,
    /// Less important texts.
    pub soft: &'static str,
    /// Lines of grids.
    pub line: &'static str,
    /// Where there is no place.
    pub void: &'static str,
    /// What the observer holds possible.
    pub shade: &'static str,
    /// The outline of that.
    pub shade_line: &'static str,
    /// Goals.
    pub goal: &'static str,
    /// What is wrong.
    pub wrong: &'static str,
    /// The lines of branches, the first for what comes before any branch.
    pub branches: [&'static str; 7],
}

impl Theme {
    /// The colours of the theme. Branches have the colours of Okabe and Ito.
    pub fn colours(self) -> Colours {
        match self {
            Theme::Light => Colours {
                background: "#ffffff",
                ink: "#1b1f24",
                soft: "#56606b",
                line: "#c4ccd4",
                void: "#e4e8ec",
                shade: "#c5e3f6",
                shade_line: "#0072b2",
                goal: "#d9f0e6",
                wrong: "#c04a00",
                branches: ["#59626d", "#0072b2", "#d55e00", "#009e73", "#b3589a", "#b87a00", "#1b1f24"],
            },
            Theme::Dark => Colours {
                background: "#15191e",
                ink: "#f1f4f7",
                soft: "#aab4bf",
                line: "#4a5561",
                void: "#2b323a",
                shade: "#1d5a83",
                shade_line: "#56b4e9",
                goal: "#11503d",
                wrong: "#ff9b54",
                branches: ["#b4bdc7", "#56b4e9", "#ff8a3c", "#2fc99a", "#e39bc8", "#f0c84a", "#f1f4f7"],
            },
            Theme::Print => Colours {
                background: "#ffffff",
                ink: "#000000",
                soft: "#3c3c3c",
                line: "#a6a6a6",
                void: "#dedede",
                shade: "#cfcfcf",
                shade_line: "#000000",
                goal: "#efefef",
                wrong: "#000000",
                branches: ["#6e6e6e", "#000000", "#000000", "#000000", "#000000", "#6e6e6e", "#6e6e6e"],
            },
        }
    }
}

/// A mark that goes with a line's colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    Disc,
    Square,
    Triangle,
    Diamond,
    Ring,
    Cross,
}

/// How the line of a branch looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stroke {
    pub colour: &'static str,
    pub dash: &'static str,
    pub mark: Mark,
}

impl Colours {
    /// The line of a branch; the first is that before any branch. After some time they repeat, with other dashes.
    pub(crate) fn stroke(&self, branch: usize) -> Stroke {
        const DASHES: [&str; 5] = ["", "7 3.5", "2 3", "9 3 2 3", "4 2"];
        const MARKS: [Mark; 6] =
            [Mark::Disc, Mark::Square, Mark::Triangle, Mark::Diamond, Mark::Ring, Mark::Cross];
        let Some(number) = branch.checked_sub(1) else {
            return Stroke { colour: self.branches[0], dash: "", mark: Mark::Disc };
        };
        Stroke {
            colour: self.branches[1 + number % 6],
            dash: DASHES[(number + number / 30) % 5],
            mark: MARKS[number % 6],
        }
    }
}
