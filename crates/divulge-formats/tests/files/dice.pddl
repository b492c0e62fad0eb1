(define (domain dice)
  (:predicates (won) (lost) (tired) (careful))
  (:action throw
    :precondition (not (lost))
    :effect (oneof (and) (won)))
  (:action gamble
    :precondition (not (lost))
    :effect (oneof (won) (lost) (tired))))
(define (problem try) (:domain dice) (:init) (:goal (won)))
