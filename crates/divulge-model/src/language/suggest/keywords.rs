//! The words of the language, and what each means in a line or two.

/// What a word means. A word may stand in several places; what is said holds of all of them.
pub fn meaning(word: &str) -> Option<&'static str> {
    Some(match word {
        "model" => "`model \"title\"`: the model's name.",
        "include" => {
            "`include \"other.divulge\"`: everything in that file. The path starts at this file's folder."
        }
        "const" => "`const n = 3`: a constant, which `--set n=10` can change.",
        "let" => "`let spot = (1, 2)`: a constant that `--set` cannot change.",
        "type" => "`type cell = 0..3`: a name for the values of variables.",
        "def" => "`def near(p) = …`: a condition or a value that depends on the state.",
        "graph" => "A graph drawn by hand: `{ u0: start; u0 -a-> y0 -o-> u1; u1: goal }`.",
        "cost" => {
            "`cost left, right = 2`: what these events cost. Without it an action costs 1, an observation 0."
        }
        "use" => "`use plan NAME` or `use observer NAME`: chooses one of several.",
        "action" => {
            "`action NAME when CONDITION { x := x + 1 }`: what the robot can do, where, and what it changes. `{ … } or { … }` are outcomes that the robot cannot choose."
        }
        "observe" => {
            "`observe { dark when x = 1; nothing otherwise }`: what the robot observes after each action."
        }
        "when" => "The condition under which this applies.",
        "otherwise" => "Where no other line of the block applies.",
        "by" => {
            "`blue | dark by facility`: one label for each value, in their order; of a condition, the first where it holds."
        }
        "start" => {
            "`start where CONDITION`: restricts where the world starts. `start observing`: it begins with an observation."
        }
        "goal" => {
            "`goal CONDITION`: where the robot should get to. In stipulations: the vertex is a goal. `knows goal-directed`: the observer knows that the plan reaches the goal."
        }
        "picture" => "`picture grid row col`: the variables that are the row and the column in pictures.",
        "knows" => {
            "In an observer, what it knows of the plan beforehand. In a stipulation, `knows(p)`: the observer is certain of p. `knows(x)`: it knows the value of x."
        }
        "knows_whether" => "`knows_whether(p)`: the observer is certain that p, or certain that not p.",
        "possible" => "`possible(p)`: the observer does not rule p out.",
        "state" => "`state(\"v\")`: the observer holds the vertex v possible.",
        "is" => "`is(\"v\")`: it is the vertex v.",
        "sees" => {
            "`sees a, b as x; c not at all; others as themselves`: what events look like to the observer."
        }
        "as" => "What the events before it look like to the observer.",
        "others" => "Every event that is not mentioned.",
        "themselves" | "itself" => "Each event looks like itself, and like no other.",
        "filter" => "How the observer remembers: `strongest` (all it saw, the default), `image`, or a graph.",
        "strongest" => "The observer remembers all that it sees.",
        "stipulate" => "`stipulate NAME: FORMULA`: what must hold of what the observer holds possible.",
        "merge" => "`merge a, b`: in a map that is sought, these look alike.",
        "separate" => "`separate a, b`: in a map that is sought, no two of these look alike.",
        "fixed" => "`fixed a, b as x`: in a map that is sought, these look like x.",
        "unseen" => "`unseen a, b`: in a map that is sought, these are not seen at all.",
        "max" => "`max images 5`: at most so many images. In expressions, `max(a, b)`: the largest.",
        "min" => "`min images 3`: at least so many images. In expressions, `min(a, b)`: the smallest.",
        "abs" => "`abs(x)`: x without its sign.",
        "always" => {
            "At this moment and at all later ones. In front of a whole formula: before the first event and after every event."
        }
        "eventually" => "At this moment or at some later one.",
        "next" => "There is a next moment, and it holds there.",
        "until" => "`f until g`: g holds then or later, and f at all moments before that.",
        "unless" => "`f unless g`: `f until g`, or f holds for ever.",
        "hindsight" => {
            "Also of what the observer later makes of an earlier moment. `hindsight 3`: up to three images later."
        }
        "run" => "`run FORMULA`: the formula is about whole runs.",
        "was" => "`was(p)`: p holds, or held at some time on the way.",
        "initially" => "`initially(p)`: p held at the start.",
        "if" => {
            "In a plan, tests the last observation: `if red { … } else { … }`. In expressions: `if c then a else b`."
        }
        "while" => "`while nothing { … }`: repeats as long as the last observation passes the test.",
        "repeat" => "`repeat 3 { … }`: repeats so many times.",
        "choose" => "`choose { … } or { … }`: takes any of the parts.",
        "stop" => "Terminates the plan; so does its end.",
        "in" => "`x in 0..3`, `x in {1, 3}`.",
        "terminal" => "The plan stops here.",
        _ => return None,
    })
}
