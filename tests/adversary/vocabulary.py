"""The names of a random task: types, objects, predicates, functions, and which terms fit where."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from tests.adversary import syntax as s
from tests.adversary.numbers import Scale, random_scale

Scope = dict[str, s.Names]  # variables in sight and their types

# types and their supertypes; the last of each may be left without objects
_HIERARCHIES: tuple[tuple[s.Typed, ...], ...] = (
    (),
    (),
    (s.Typed("thing"),),
    (s.Typed("thing"), s.Typed("place")),
    (s.Typed("thing", ("object",)), s.Typed("place", ("object",)), s.Typed("box", ("thing",))),
    (s.Typed("box", ("thing",)), s.Typed("bag", ("thing",)), s.Typed("thing", ("object",))),
    (s.Typed("place"), s.Typed("box"), s.Typed("bag", ("place", "box"))),
)


@dataclass(frozen=True, slots=True)
class Function:
    """static: no action changes it."""

    signature: s.Signature
    static: bool
    scale: Scale


@dataclass(frozen=True, slots=True)
class Vocabulary:
    types: tuple[s.Typed, ...]
    constants: tuple[s.Typed, ...]
    objects: tuple[s.Typed, ...]
    predicates: tuple[s.Signature, ...]
    functions: tuple[Function, ...]

    def fits(self, own: s.Names, wanted: s.Names) -> bool:
        """Whether everything of the own types has one of the wanted ones."""
        return not wanted or all(self._below(name, wanted) for name in own or ("object",))

    def _below(self, name: str, wanted: s.Names) -> bool:
        if name in wanted:
            return True
        supertypes = next((entry.types or ("object",) for entry in self.types if entry.name == name), ())
        return bool(supertypes) and any(self._below(supertype, wanted) for supertype in supertypes)

    def everything(self) -> tuple[s.Typed, ...]:
        return self.constants + self.objects

    def members(self, types: s.Names) -> list[str]:
        return [entry.name for entry in self.everything() if self.fits(entry.types, types)]

    def terms(self, types: s.Names, scope: Scope, objects: Sequence[s.Typed]) -> list[str]:
        """Variables in sight and objects among those given that fit."""
        variables = [name for name, own in scope.items() if self.fits(own, types)]
        return variables + [entry.name for entry in objects if self.fits(entry.types, types)]


def random_vocabulary(random: Random) -> Vocabulary:
    types = random.choice(_HIERARCHIES)
    objects = _objects(types, random)
    split = random.choice((0, 0, 1)) if objects else 0
    main = random_scale(random)
    predicates = [
        s.Signature(f"p{number}", random_parameters(types, random, most=2)) for number in range(random.randint(1, 3))
    ]
    functions = [
        Function(
            s.Signature(_function_name(number, random), random_parameters(types, random, most=1)),
            static=number > 0 and random.random() < 0.25,
            scale=main if random.random() < 0.75 else random_scale(random),
        )
        for number in range(random.randint(1, 3))
    ]
    return Vocabulary(types, objects[:split], objects[split:], tuple(predicates), tuple(functions))


def _function_name(number: int, random: Random) -> str:
    """Now and then a predicate's name, too."""
    return f"p{number}" if random.random() < 0.1 else f"f{number}"


def _objects(types: tuple[s.Typed, ...], random: Random) -> tuple[s.Typed, ...]:
    names = ["p0", "f0", "o2"] if random.random() < 0.05 else ["o0", "o1", "o2"]
    count = random.choice((1, 2, 2, 2, 3))
    usable = types[:-1] if len(types) > 1 and random.random() < 0.2 else types
    return tuple(s.Typed(name, (random.choice(usable).name,) if usable else ()) for name in names[:count])


def random_types(types: tuple[s.Typed, ...], random: Random) -> s.Names:
    if not types:
        return ()
    if len(types) > 1 and random.random() < 0.1:
        return tuple(entry.name for entry in random.sample(types, 2))
    return (random.choice((*types, s.Typed("object"))).name,)


def random_parameters(types: tuple[s.Typed, ...], random: Random, most: int) -> tuple[s.Typed, ...]:
    count = random.choices(range(most + 1), (5, 4, 1)[: most + 1])[0]
    return tuple(s.Typed(name, random_types(types, random)) for name in ("?a", "?b", "?c")[:count])
