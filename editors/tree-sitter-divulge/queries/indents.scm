[
  (rules)
  (left_open)
  (observe)
  (outcome)
  (drawing)
  (program)
  (observer)
  (enumeration)
] @indent.begin

"}" @indent.end @indent.branch
