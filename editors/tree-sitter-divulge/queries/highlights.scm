; Later patterns win.

(comment) @comment
(string) @string
(escape) @string.escape
(integer) @number
(boolean) @constant.builtin

[
  "model" "include" "const" "let" "type" "def" "world" "graph" "from" "plan" "observer" "cost" "use"
  "action" "observe" "start" "goal" "picture" "grid" "when" "otherwise" "by" "where" "acting" "observing" "anywhere"
  "knows" "plans" "directed" "filter" "strongest" "image" "sees" "as" "themselves" "others" "at" "all" "end"
  "merge" "separate" "fixed" "unseen" "max" "min" "images" "stipulate" "run" "hindsight" "avoid"
  "actions" "observations" "observation" "terminal" "repeat" "choose"
] @keyword

["if" "then" "else" "while"] @keyword.conditional
(stop) @keyword.return
["always" "eventually" "next" "until" "unless"] @keyword.operator
["and" "or" "not" "iff" "implies" "in"] @keyword.operator

["=" "!=" "<" "<=" ">" ">=" "+" "-" "*" "/" "%" "&" "|" "!" "->" "<->" ":=" ".."] @operator
["{" "}" "(" ")" "[" "]"] @punctuation.bracket
["," ";" ":"] @punctuation.delimiter

(bool) @type.builtin
(type_name) @type
(type name: (identifier) @type)
(definition name: (identifier) @function)
(parameters name: (identifier) @variable.parameter)
(binding name: (identifier) @constant)
(variable name: (identifier) @variable.member)
(assignment variable: (identifier) @variable.member)
(enumeration value: (_) @constant)
(reference name: (identifier) @variable)
(reference name: (atom) @function.builtin)
(call name: (identifier) @function)
(call name: (atom) @function.builtin)
((call name: (identifier) @function.builtin)
  (#any-of? @function.builtin "min" "max" "abs" "knows_whether"))
(action name: (_) @function.method)
(act action: (_) @function.method)
(observation label: (_) @label)
(seen label: (_) @label)
(labels label: (_) @label)
(edges label: (_) @label)
(edges vertex: (_) @variable)
(vertices vertex: (_) @variable)
(label_set label: (_) @label)
(appearance image: (_) @property)
(stipulation name: (_) @property)
(plan name: (identifier) @type)
(observer name: (_) @type)
(graph name: (identifier) @type)
