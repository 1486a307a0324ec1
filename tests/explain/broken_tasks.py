"""Tasks without a plan, each with one known cause: three solvable tasks, and one small mistake at a time.

In, out      Case: a base and replacements of its text → the two files; `cause` is what the first reason must say
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

BASES = {
    "delivery": (
        """
(define (domain delivery)
  (:types place vehicle item - object  truck - vehicle  parcel letter - item)
  (:predicates (parked ?v - vehicle ?l - place) (at ?i - item ?l - place) (in ?i - item ?v - vehicle)
               (road ?a ?b - place) (open ?l - place) (broken ?v - vehicle) (signed ?i - item) (paid ?i - item))
  (:functions (capacity ?v - vehicle) (loaded ?v - vehicle) (size ?i - item) (fuel ?v - vehicle)
              (distance ?a ?b - place))
  (:action drive
    :parameters (?v - truck ?a ?b - place)
    :precondition (and (parked ?v ?a) (road ?a ?b) (not (broken ?v)) (>= (fuel ?v) (distance ?a ?b)))
    :effect (and (not (parked ?v ?a)) (parked ?v ?b) (decrease (fuel ?v) (distance ?a ?b))))
  (:action load
    :parameters (?i - parcel ?v - truck ?l - place)
    :precondition (and (at ?i ?l) (parked ?v ?l) (<= (+ (loaded ?v) (size ?i)) (capacity ?v)))
    :effect (and (not (at ?i ?l)) (in ?i ?v) (increase (loaded ?v) (size ?i))))
  (:action unload
    :parameters (?i - parcel ?v - truck ?l - place)
    :precondition (and (in ?i ?v) (parked ?v ?l) (open ?l))
    :effect (and (not (in ?i ?v)) (at ?i ?l) (decrease (loaded ?v) (size ?i))))
  (:action sign
    :parameters (?i - parcel ?l - place)
    :precondition (and (at ?i ?l) (open ?l))
    :effect (and (signed ?i) (when (paid ?i) (signed ?i)))))
""",
        """
(define (problem shop) (:domain delivery)
  (:objects depot hub shop - place  truck1 - truck  box - parcel  note - letter)
  (:init (parked truck1 depot) (at box depot) (at note depot) (road depot hub) (road hub shop) (open hub) (open shop)
         (paid box) (= (capacity truck1) 6) (= (loaded truck1) 0) (= (size box) 6) (= (size note) 1)
         (= (fuel truck1) 8) (= (distance depot hub) 4) (= (distance hub shop) 4))
  (:goal (and (at box shop))))
""",
    ),
    "rooms": (
        """
(define (domain rooms)
  (:predicates (robot ?x) (room ?x) (key ?x) (at ?x ?r) (next ?a ?b) (locked ?r) (has ?x ?k) (opens ?k ?r) (clean ?r)
               (free ?x) (lit ?r))
  (:action go
    :parameters (?x ?a ?b)
    :precondition (and (robot ?x) (room ?a) (room ?b) (at ?x ?a) (next ?a ?b) (not (locked ?b)))
    :effect (and (not (at ?x ?a)) (at ?x ?b)))
  (:action take
    :parameters (?x ?k ?r)
    :precondition (and (robot ?x) (key ?k) (room ?r) (at ?x ?r) (at ?k ?r) (free ?x))
    :effect (and (has ?x ?k) (not (free ?x)) (not (at ?k ?r))))
  (:action unlock
    :parameters (?x ?k ?a ?b)
    :precondition (and (robot ?x) (has ?x ?k) (opens ?k ?b) (at ?x ?a) (next ?a ?b) (locked ?b))
    :effect (not (locked ?b)))
  (:action sweep
    :parameters (?x ?r)
    :precondition (and (robot ?x) (at ?x ?r) (or (lit ?r) (exists (?k) (and (key ?k) (has ?x ?k)))))
    :effect (clean ?r)))
""",
        """
(define (problem vault) (:domain rooms)
  (:objects hall cellar vault robbie brass)
  (:init (robot robbie) (room hall) (room cellar) (room vault) (key brass) (at robbie hall) (at brass cellar)
         (next hall cellar) (next cellar hall) (next hall vault) (locked vault) (opens brass vault) (free robbie)
         (lit vault))
  (:goal (and (clean vault))))
""",
    ),
    "forge": (
        """
(define (domain forge)
  (:predicates (powered) (cooled) (hot))
  (:functions (ore) (iron) (coal) (tools) (deposit) (store) (heat))
  (:action mine
    :parameters ()
    :precondition (and (>= (tools) 1) (>= (deposit) 1) (<= (+ (ore) 1) (store)))
    :effect (and (increase (ore) 1) (decrease (deposit) 1)))
  (:action smelt
    :parameters ()
    :precondition (and (>= (ore) 2) (powered))
    :effect (and (decrease (ore) 2) (increase (iron) 1) (when (cooled) (hot))))
  (:action switch-on
    :parameters ()
    :precondition (and (not (powered)) (> (coal) 0))
    :effect (and (powered) (not (cooled)) (decrease (coal) 1)))
  (:action wait
    :parameters ()
    :precondition (powered)
    :effect (and (cooled) (not (powered)))))
""",
        """
(define (problem plates) (:domain forge)
  (:init (= (ore) 0) (= (iron) 0) (= (coal) 2) (= (tools) 1) (= (deposit) 6) (= (store) 4) (= (heat) 0))
  (:goal (and (>= (iron) 3))))
""",
    ),
}


@dataclass(frozen=True)
class Case:
    """`cause` is in the first reason; of an EXHAUSTED task that is the repair, or the goals that exclude each other."""

    name: str
    base: str
    replacements: tuple[tuple[str, str], ...]
    cause: str
    exhausted: bool = False

    def texts(self) -> tuple[str, str]:
        domain, problem = BASES[self.base]
        for old, new in self.replacements:
            assert (old in domain) != (old in problem), f"{self.name}: {old}"
            domain, problem = domain.replace(old, new, 1), problem.replace(old, new, 1)
        return domain, problem

    def write(self, folder: Path) -> tuple[Path, Path]:
        paths = folder / "domain.pddl", folder / "problem.pddl"
        for path, text in zip(paths, self.texts(), strict=True):
            path.write_text(text, encoding="utf-8")
        return paths


def case(name: str, base: str, *replacements: tuple[str, str], cause: str, exhausted: bool = False) -> Case:
    return Case(name, base, replacements, cause, exhausted)


CASES = (
    # a capacity one too small, a number that never suffices
    case(
        "capacity",
        "delivery",
        ("(capacity truck1) 6", "(capacity truck1) 5"),
        cause="load(box, truck1, depot): needs loaded(truck1) + size(box) <= capacity(truck1), which is 6 <= 5",
    ),
    case(
        "tank too small",
        "delivery",
        ("(fuel truck1) 8", "(fuel truck1) 3"),
        cause="drive(truck1, depot, hub): needs fuel(truck1) >= distance(depot, hub), which is 3 >= 4 for ever",
    ),
    case(
        "one road too long",
        "delivery",
        ("(distance hub shop) 4", "(distance hub shop) 9"),
        cause="needs fuel(truck1) >= distance(hub, shop), but fuel(truck1) is at most 8 and distance(hub, shop) is 9",
    ),
    case(
        "no tools",
        "forge",
        ("(= (tools) 1)", "(= (tools) 0)"),
        cause="mine(): needs tools >= 1, which is 0 >= 1 for ever",
    ),
    case("no coal", "forge", ("(coal) 2)", "(coal) 0)"), cause="switch-on(): needs coal > 0, which is 0 > 0 for ever"),
    case("no store", "forge", ("(store) 4)", "(store) 0)"), cause="needs ore + 1 <= store, which is 1 <= 0 for ever"),
    case(
        "an impossible demand",
        "forge",
        ("(>= (iron) 3)", "(>= (heat) 3)"),
        cause="the goal: needs heat >= 3, which is 0",
    ),
    # a missing type
    case(
        "no object of a type",
        "delivery",
        ("truck1 - truck", "truck1 - vehicle"),
        cause="needs an object of type truck for ?v, and there is none",
    ),
    case(
        "the wrong type",
        "delivery",
        ("box - parcel", "box - letter  crate - parcel"),
        cause="takes objects of type parcel, and box is declared as letter",
    ),
    case(
        "a place that is an item",
        "delivery",
        (
            "?a ?b - place)\n    :precondition (and (parked",
            "?a - place ?b - object)\n    :precondition (and (= ?b ?a) (parked",
        ),
        cause="drive(truck1, depot, hub): needs hub = depot",
    ),
    # a swapped argument
    case(
        "swapped road",
        "delivery",
        ("(road hub shop)", "(road shop hub)"),
        cause="needs (road hub shop), which is not true initially, and no action adds it; (road shop hub) is",
    ),
    case(
        "swapped opens",
        "rooms",
        ("(opens brass vault)", "(opens vault brass)"),
        cause="needs (opens brass vault), which is not true initially, and no action adds it; (opens vault brass) is",
    ),
    case("swapped start", "rooms", ("(at robbie hall)", "(at hall robbie)"), cause="(at robbie hall)"),
    case(
        "swapped in a precondition",
        "delivery",
        ("(road ?a ?b) (not", "(road ?b ?a) (not"),
        cause="needs (road hub depot), which is not true initially, and no action adds it; (road depot hub) is",
    ),
    case(
        "swapped next",
        "rooms",
        ("(next hall cellar) (next cellar hall)", "(next cellar hall)"),
        cause="go(robbie, hall, cellar): needs (next hall cellar), which is not true initially",
    ),
    # a fact nobody adds or states
    case("missing road", "delivery", ("(road hub shop)", ""), cause="drive(truck1, hub, shop): needs (road hub shop)"),
    case("closed shop", "delivery", ("(open shop)", ""), cause="unload(box, truck1, shop): needs (open shop)"),
    case("no truck at the start", "delivery", ("(parked truck1 depot)", ""), cause="needs (parked truck1 "),
    case(
        "a broken truck",
        "delivery",
        ("(paid box)", "(paid box) (broken truck1)"),
        cause="needs (not (broken truck1)), but nothing ever makes (broken truck1) false",
    ),
    case("not a robot", "rooms", ("(robot robbie)", ""), cause="needs (robot robbie), which is not true initially"),
    case("not a key", "rooms", ("(key brass)", ""), cause="take(robbie, brass, cellar): needs (key brass)"),
    case("not a room", "rooms", ("(room vault)", ""), cause="go(robbie, hall, vault): needs (room vault)"),
    case(
        "a goal nobody brings about",
        "delivery",
        ("(:goal (and (at box shop))", "(:goal (and (at box shop) (paid note))"),
        cause="the goal: needs (paid note), which is not true initially, and no action adds it",
    ),
    case(
        "an effect left out",
        "delivery",
        ("(not (in ?i ?v)) (at ?i ?l)", "(not (in ?i ?v))"),
        cause="the goal: needs (at box shop), which is not true initially, and no action adds it",
    ),
    case("hands full", "rooms", ("(free robbie)", ""), cause="take(robbie, brass, cellar): needs (free robbie)"),
    case(
        "a value left out",
        "delivery",
        ("(= (distance hub shop) 4)", ""),
        cause="drive(truck1, hub, shop): reads distance(hub, shop), which never has a value",
    ),
    case(
        "a value left out of an effect",
        "delivery",
        ("(>= (fuel ?v) (distance ?a ?b))", ""),
        ("(= (distance hub shop) 4)", ""),
        cause="drive(truck1, hub, shop): reads distance(hub, shop), which never has a value",
    ),
    case(
        "dark",
        "rooms",
        ("(lit vault)", ""),
        ("(or (lit ?r) (exists (?k) (and (key ?k) (has ?x ?k))))", "(or (lit ?r) (lit ?x))"),
        cause="sweep(robbie, vault): needs (or (lit vault) (lit robbie)), which can never hold",
    ),
    case(
        "a condition of an effect",
        "delivery",
        ("(and (signed ?i) (when (paid ?i) (signed ?i)))", "(when (paid ?i) (signed ?i))"),
        ("(paid box)", ""),
        ("(at box shop))", "(signed box))"),
        cause="needs (paid box)",
    ),
    case(
        "the key behind its door",
        "rooms",
        ("(at brass cellar)", "(at brass vault)"),
        cause="take(robbie, brass, hall): needs (at brass hall), which can never become true",
    ),
    # a resource that runs out, goals that exclude each other: only a search can tell
    case(
        "fuel for one road",
        "delivery",
        ("(fuel truck1) 8", "(fuel truck1) 7"),
        cause="fuel(?v) >= distance(?a, ?b)",
        exhausted=True,
    ),
    case("deposit", "forge", ("(deposit) 6", "(deposit) 5"), cause="deposit >= 1", exhausted=True),
    case("a store too small", "forge", ("(store) 4)", "(store) 1)"), cause="ore + 1 <= store", exhausted=True),
    case(
        "two places at once",
        "delivery",
        ("(at box shop))", "(at box shop) (at box hub))"),
        cause="(at box shop), (at box hub)",
        exhausted=True,
    ),
    case("on and off", "forge", ("(>= (iron) 3)", "(powered) (cooled)"), cause="(powered), (cooled)", exhausted=True),
    case(
        "taken and free",
        "rooms",
        ("(clean vault)", "(has robbie brass) (free robbie)"),
        cause="(has robbie brass), (free robbie)",
        exhausted=True,
    ),
)
