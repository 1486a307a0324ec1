"""What every rewriting may ask: the symbols of the task, the numbers of its types, how large it has grown."""

from __future__ import annotations

from numbat.pddl.symbols import Symbols
from numbat.task.lifted import Fluent
from numbat.task.numbering import Numbering

TOTAL_TIME = Fluent(-1, ())  # stands for an undeclared (total-time); metric.py alone meets it

Scope = dict[str, int]  # the term each variable in sight stands for


class Context:
    """One per task. Types get their numbers in the order in which they are first asked for."""

    def __init__(self, symbols: Symbols) -> None:
        self.symbols = symbols
        self.conditions = 0  # how many there are after quantifiers have been expanded
        self.types: list[tuple[int, ...]] = []
        self._type_numbers: Numbering[tuple[str, ...]] = Numbering()
        self._names = list(symbols.objects)
        self._type_names: dict[tuple[str, ...], list[str]] = {}
        self._ground_fluents: dict[tuple[str, tuple[str, ...]], Fluent] = {}

    def type_number(self, types: tuple[str, ...]) -> int:
        """The number of a type; several types are an `either`."""
        number = self._type_numbers[types or ("object",)]
        if number == len(self.types):
            self.types.append(self.symbols.members(types))
        return number

    def object_names(self, types: tuple[str, ...]) -> list[str]:
        """The objects of a type by name."""
        found = self._type_names.get(types)
        if found is None:
            found = self._type_names[types] = [self._names[number] for number in self.types[self.type_number(types)]]
        return found

    def term(self, name: str, scope: Scope) -> int:
        """The term of lifted.py that a variable or object stands for."""
        return scope[name] if name.startswith("?") else self.symbols.objects[name]

    def fluent(self, name: str, arguments: tuple[str, ...], scope: Scope) -> Fluent:
        """The numeric fluent name(arguments); without variables in sight, each is made once."""
        if scope:
            return self._new_fluent(name, arguments, scope)
        found = self._ground_fluents.get((name, arguments))
        if found is None:
            found = self._ground_fluents[name, arguments] = self._new_fluent(name, arguments, scope)
        return found

    def _new_fluent(self, name: str, arguments: tuple[str, ...], scope: Scope) -> Fluent:
        number = self.symbols.function_numbers.get(name)
        if number is None:
            return TOTAL_TIME
        return Fluent(number, tuple([self.term(argument, scope) for argument in arguments]))
