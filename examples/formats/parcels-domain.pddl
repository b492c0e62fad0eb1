; a parcel is in one of the rooms; looking tells
(define (domain parcels)
  (:requirements :strips :typing :contingent)
  (:types room thing - object)
  (:constants box - thing)
  (:predicates (at ?r - room) (in ?t - thing ?r - room) (door ?a ?b - room) (held) (locked ?r - room))

  (:action LOOK
    :parameters (?r - room)
    :precondition (at ?r)
    :observe (in box ?r))

  (:action walk
    :parameters (?a ?b - room)
    :precondition (and (at ?a) (door ?a ?b) (not (locked ?b)) (not (= ?a ?b)))
    :effect (and (at ?b) (not (at ?a))))

  (:action take
    :parameters (?r - room)
    :precondition (and (at ?r) (in box ?r))
    :effect (and (held) (forall (?x - room) (when (in box ?x) (not (in box ?x)))))))
