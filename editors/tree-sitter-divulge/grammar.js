/**
 * The divulge modelling language. docs/language.md is its manual.
 *
 * An item ends with its line or with `;`. Whether a line goes on on the next one depends on what stands there, which
 * src/scanner.c looks at: `_end` stands where an item ends, the `_near`s where something follows on the same line, and `_and_sees` before a
 * `;` after which `sees` goes on.
 */

/// <reference types="tree-sitter-cli/dsl" />

const RESERVED = [
  'action', 'and', 'as', 'bool', 'by', 'const', 'def', 'else', 'false', 'goal', 'if', 'iff', 'implies', 'in', 'include',
  'is', 'kind', 'knows', 'let', 'not', 'observe', 'observer', 'or', 'others', 'otherwise', 'plan', 'possible', 'state',
  'then', 'true', 'when', 'where', 'world',
];

// Words that mean something in stipulations cannot be the names of definitions either.
const TIMELY = ['always', 'eventually', 'next', 'until', 'unless', 'hindsight', 'was', 'initially'];

const LEVEL = {
  time: 1, iff: 2, implies: 3, or: 4, and: 5, not: 6, compare: 7, sum: 8, product: 9, minus: 10, call: 11,
};

const list = (rule, separator = ',') => seq(rule, repeat(seq(separator, rule)));
const block = ($, item) => seq('{', repeat(choice(';', seq(item, $._end))), '}');

module.exports = grammar({
  name: 'divulge',

  word: $ => $.identifier,
  reserved: { global: _ => RESERVED, timely: _ => [...RESERVED, ...TIMELY] },
  externals: $ => [$._end, $._near_word, $._near_call, $._near_block, $._near_text, $._and_sees, $._error],
  extras: $ => [/[ \t\r\n]/, $.comment],
  supertypes: $ => [$._item, $._rule, $._clause, $._statement],
  inline: $ => [$._name],

  conflicts: $ => [
    [$.label_set, $.family],
  ],

  rules: {
    model: $ => repeat(choice(';', seq($._item, $._end))),

    _item: $ => choice(
      $.title, $.include, $.constant, $.type, $.definition, $.world, $.graph, $.plan, $.observer, $.cost, $.use,
    ),
    title: $ => seq('model', $.string),
    include: $ => seq('include', field('path', $.string)),
    constant: $ => seq(choice('const', 'let'), list($.binding)),
    binding: $ => seq(field('name', $.identifier), '=', field('value', $._formula)),
    type: $ => seq('type', field('name', $.identifier), '=', $._values),
    definition: $ => seq(
      'def', field('name', reserved('timely', $.identifier)), optional($.parameters), '=', field('body', $._formula),
    ),
    parameters: $ => seq('(', list(field('name', $.identifier)), ')'),
    cost: $ => seq('cost', $._sets, '=', $._formula),
    use: $ => seq('use', choice(
      seq('plan', field('plan', $._name)),
      seq('observer', field('observer', $._name)),
    )),

    _values: $ => choice($.bool, $.range, $.enumeration, $.type_name),
    bool: _ => 'bool',
    type_name: $ => prec(-1, $.identifier),
    range: $ => prec.left(LEVEL.sum, seq(field('low', $._sum), '..', field('high', $._sum))),
    enumeration: $ => seq('{', list(field('value', $._name)), '}'),

    // Worlds.

    world: $ => seq('world', choice(
      field('body', $.rules),
      seq('graph', field('body', $.drawing)),
      seq('from', $.string, optional(seq($._near_text, $.string)), optional(seq($._near_block, field('body', $.left_open)))),
    )),
    rules: $ => block($, $._rule),
    left_open: $ => block($, choice(
      $.constant,
      seq('start', optional('where'), $._formula),
      seq('goal', $._formula),
      seq('avoid', $._formula),
    )),
    _rule: $ => choice($.variable, $.action, $.observe, $.start, $.goal, $.picture),
    variable: $ => seq(field('name', $.identifier), ':', $._values, optional(seq('=', field('start', $._formula)))),
    action: $ => seq(
      'action', field('name', $._name), optional(seq('when', field('guard', $._formula))), optional($._outcomes),
    ),
    observe: $ => seq('observe', block($, $.observation)),
    observation: $ => seq(
      choice(
        seq(list(field('label', $._name), '|'), optional(seq('by', field('by', $._formula)))),
        seq('(', list(field('variable', $.identifier)), ')'),
      ),
      optional(choice(seq('when', field('guard', $._formula)), 'otherwise')),
      optional($._outcomes),
    ),
    _outcomes: $ => seq($._near_block, $.outcome, repeat(seq('or', $.outcome))),
    outcome: $ => block($, list($.assignment)),
    assignment: $ => seq(
      choice(field('variable', $.identifier), seq('(', list(field('variable', $.identifier)), ')')),
      ':=', field('value', $._formula),
    ),
    start: $ => seq('start', optional(choice('acting', 'observing', 'anywhere')), optional(seq('where', $._formula))),
    goal: $ => seq('goal', optional(choice('acting', 'observing', 'anywhere')), $._formula),
    picture: $ => seq('picture', 'grid', field('row', $._name), optional(','), field('col', $._name)),

    // Graphs drawn by hand.

    graph: $ => seq('graph', field('name', $.identifier), field('body', $.drawing)),
    drawing: $ => block($, choice($.labels, $.vertices, $.edges)),
    labels: $ => seq(choice('actions', 'observations'), list(field('label', $._name))),
    vertices: $ => seq(list(field('vertex', $._vertex)), ':', list($.attribute)),
    edges: $ => seq(
      field('vertex', $._vertex), repeat1(seq('-', list(field('label', $._name)), '->', field('vertex', $._vertex))),
    ),
    // Two words declare labels only where a name follows them.
    _vertex: $ => choice($._name, alias('actions', $.identifier), alias('observations', $.identifier)),
    attribute: $ => choice(
      'action', 'observation', 'start', 'goal', 'terminal',
      seq(field('property', $._name), optional(seq('=', field('value', $._formula)))),
    ),

    // Plans.

    plan: $ => seq('plan', optional(field('name', $.identifier)), choice(
      field('body', $.program),
      seq('graph', field('body', $.drawing)),
    )),
    program: $ => block($, $._statement),
    _statement: $ => choice($.act, $.branch, $.while, $.repeat, $.choose, $.stop),
    act: $ => list(field('action', $._name), '|'),
    branch: $ => prec.right(seq(
      'if', $.seen, $.program, repeat(seq('else', 'if', $.seen, $.program)), optional(seq('else', $.program)),
    )),
    while: $ => seq('while', $.seen, $.program),
    repeat: $ => seq('repeat', field('times', $._formula), $.program),
    choose: $ => prec.right(seq('choose', $.program, repeat(seq('or', $.program)))),
    stop: _ => 'stop',
    seen: $ => choice(
      $._seen_labels,
      seq('(', $._seen_labels, ')'),
      seq(choice('!', 'not'), choice(field('label', $._name), seq('(', $._seen_labels, ')'))),
    ),
    _seen_labels: $ => list(field('label', $._name), choice('|', 'or')),

    // Observers.

    observer: $ => seq('observer', optional(field('name', $._name)), '{', repeat(choice(';', seq($._clause, $._end))), '}'),
    _clause: $ => choice($.knows, $.filter, $.sees, $.constraint, $.bound, $.stipulation),
    knows: $ => seq('knows', choice(
      'plan',
      seq('plans', '[', list(field('plan', $._name)), ']'),
      seq('goal', '-', 'directed'),
      'world',
      seq('graph', choice(field('graph', $._name), $.drawing)),
    )),
    filter: $ => seq('filter', choice('strongest', 'image', seq('graph', choice(field('graph', $._name), $.drawing)))),
    sees: $ => seq('sees', $.appearance, repeat(seq($._and_sees, ';', $.appearance))),
    appearance: $ => choice(
      seq('from', $.string),
      seq(choice($._sets, 'others'), $._look),
    ),
    _look: $ => choice(seq('as', choice('themselves', field('image', $._name))), seq('not', 'at', 'all')),
    constraint: $ => choice(
      seq(choice('merge', 'separate', 'unseen'), $._sets),
      seq('fixed', $._sets, 'as', field('image', $._name)),
      seq('merge', 'cost', $._sets, '=', $._formula),
    ),
    bound: $ => seq(choice('max', 'min'), 'images', $._formula),
    stipulation: $ => seq('stipulate', field('name', $._name), ':', optional($.scope), field('formula', $._formula)),
    scope: $ => choice(
      prec(1, seq('at', 'end')), 'run', prec.right(seq('hindsight', optional(choice($.integer, $.bound_name)))),
    ),
    bound_name: $ => prec.dynamic(-1, $.identifier),

    _sets: $ => list(choice($.label_set, $.family)),
    label_set: $ => field('label', $._name),
    family: $ => choice(
      seq(field('variable', $.identifier), '=', '*'),
      seq('(', list($.family_part), ')'),
    ),
    family_part: $ => seq(
      field('variable', $.identifier), '=', choice('*', field('value', $._name), seq(optional('-'), $.integer), 'true', 'false'),
    ),

    // Expressions and formulas.

    _formula: $ => choice($.time_between, $._expression),
    time_between: $ => prec.left(LEVEL.time, seq($._expression, choice('until', 'unless'), $._expression)),
    _expression: $ => choice($.binary, $.unary, $.time_before, $.membership, $._sum),
    binary: $ => choice(
      ...[['<->', LEVEL.iff], ['iff', LEVEL.iff], ['|', LEVEL.or], ['or', LEVEL.or], ['&', LEVEL.and], ['and', LEVEL.and]]
        .map(([sign, level]) => prec.left(level, seq($._expression, field('operator', sign), $._expression))),
      ...['->', 'implies']
        .map(sign => prec.right(LEVEL.implies, seq($._expression, field('operator', sign), $._expression))),
      ...['=', '!=', '<', '<=', '>', '>=']
        .map(sign => prec.left(LEVEL.compare, seq($._sum, field('operator', sign), choice($._sum, $.kind_word)))),
    ),
    kind_word: _ => 'action',
    unary: $ => prec(LEVEL.not, seq(choice('!', 'not'), $._expression)),
    time_before: $ => prec(LEVEL.not, seq(choice('always', 'eventually', 'next'), $._expression)),
    membership: $ => prec.left(LEVEL.compare, seq($._sum, 'in', choice($.range, $.set))),
    set: $ => seq('{', list($._sum), '}'),
    _sum: $ => choice($.arithmetic, $.negative, $._primary),
    arithmetic: $ => choice(
      ...['+', '-'].map(sign => prec.left(LEVEL.sum, seq($._sum, field('operator', sign), $._sum))),
      ...['*', '/', '%'].map(sign => prec.left(LEVEL.product, seq($._sum, field('operator', sign), $._sum))),
    ),
    negative: $ => prec(LEVEL.minus, seq('-', $._sum)),
    _primary: $ => choice($.integer, $.boolean, $.string, $.reference, $.call, $.parenthesized, $.conditional),
    parenthesized: $ => seq('(', list($._formula), ')'),
    conditional: $ => prec.right(LEVEL.time, seq('if', $._formula, 'then', $._formula, 'else', $._formula)),
    reference: $ => field('name', choice($.identifier, $.atom)),
    call: $ => prec(LEVEL.call, choice(
      seq(field('name', choice($.identifier, $.atom)), $._near_call, '(', list($._formula), ')'),
      seq(field('name', choice($.identifier, $.atom)), $._near_word, field('argument', choice($.reference_argument, $.call))),
    )),
    reference_argument: $ => $.identifier,
    atom: _ => choice('goal', 'kind', 'knows', 'possible', 'state', 'is', 'was', 'initially'),

    _name: $ => choice($.identifier, $.string),
    identifier: _ => /[\p{Alphabetic}_][\p{Alphabetic}\p{N}_]*/,
    integer: _ => /[0-9]+/,
    boolean: _ => choice('true', 'false'),
    string: $ => seq('"', repeat(choice($.escape, token.immediate(prec(1, /[^"\\\n]+/)))), token.immediate('"')),
    escape: _ => token.immediate(/\\["\\nt]/),
    comment: _ => token(seq('//', /[^\n]*/)),
  },
});
