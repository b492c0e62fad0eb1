[
  (rules)
  (left_open)
  (observe)
  (outcome)
  (drawing)
  (program)
  (observer)
] @fold
