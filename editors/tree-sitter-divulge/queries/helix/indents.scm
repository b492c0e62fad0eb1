[
  (rules)
  (left_open)
  (observe)
  (outcome)
  (drawing)
  (program)
  (observer)
  (enumeration)
] @indent

"}" @outdent
