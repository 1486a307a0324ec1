"""The parser's reductions: each rule of grammar.lark calls the method of its name and gets a node of the tree.

In, out      the children of a rule (tokens and nodes) → a node, or a part of one
Why here     lark calls these while it parses, so that its own parse tree is never built
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import Any

from lark import Token

from numbat.errors import InputError, Span, UnsupportedFeature
from numbat.pddl import tree
from numbat.pddl.source import Source

MAXIMUM_DIGITS = 300  # of a number written out; the core computes with doubles, which end at 10**308
_FACT = re.compile(r"\(\s*(?:=\s*\(([^()]*)\)\s*([^()\s]+)\s*|([^()]*))\)")
_EXPONENT = re.compile(r"e([+-]?[0-9]+)$")


@dataclass(frozen=True, slots=True)
class _Part:
    """A section of a file or a part of an action: the word that opens it, what it holds, and where."""

    keyword: str
    value: Any
    span: Span


class Builder:
    """Methods in lower case answer rules, methods in upper case answer tokens. One file at a time."""

    def __init__(self) -> None:
        self.source = Source("", "")
        self._numbers: dict[str, Fraction] = {}

    def _span(self, token: Token) -> Span:
        return self.source.span(token.start_pos or 0)

    # --- the two files -----------------------------------------------------------------------------------------------

    def domain(self, children: list[Any]) -> tree.Domain:
        label, *sections = children
        parts = _by_keyword([section for section in sections if isinstance(section, _Part)])
        return tree.Domain(
            name=str(label),
            types=parts.get(":types", ()),
            constants=parts.get(":constants", ()),
            predicates=parts.get(":predicates", ()),
            functions=parts.get(":functions", ()),
            actions=tuple(section for section in sections if isinstance(section, tree.Action)),
            span=self._span(label),
        )

    def problem(self, children: list[Any]) -> tree.Problem:
        label, *sections = children
        parts = _by_keyword(sections)
        if ":goal" not in parts:
            raise InputError("the problem has no goal", self._span(label), expected="a section (:goal ...)")
        init = parts.get(":init", ())
        return tree.Problem(
            name=str(label),
            domain=parts.get(":domain"),
            objects=parts.get(":objects", ()),
            init_atoms=tuple(item for item in init if isinstance(item, tree.Atom)),
            init_negations=tuple(item.atom for item in init if isinstance(item, tree.Delete)),
            init_values=tuple(item for item in init if isinstance(item, tree.InitialValue)),
            goal=parts[":goal"],
            metric=parts.get(":metric"),
            span=self._span(label),
        )

    def _section(self, token: Token, value: Any) -> _Part:
        return _Part(_word(token), value, self._span(token))

    def requirements(self, children: list[Any]) -> _Part:
        """Read and forgotten: what a task needs is seen from what it uses."""
        return self._section(children[0], None)

    def names_section(self, children: list[Any]) -> _Part:
        return self._section(*children)

    def signatures_section(self, children: list[Any]) -> _Part:
        return self._section(children[0], tuple(children[1:]))

    def functions_section(self, children: list[Any]) -> _Part:
        for item in children[1:]:
            if isinstance(item, Token) and item != "number":
                raise UnsupportedFeature("a function whose values are objects", self._span(item))
        return self._section(children[0], tuple(item for item in children[1:] if not isinstance(item, Token)))

    def problem_domain(self, children: list[Any]) -> _Part:
        return self._section(children[0], str(children[1]))

    def init(self, children: list[Any]) -> _Part:
        items: list[Any] = []
        for child in children[1:]:
            if isinstance(child, list):
                items.extend(child)
            else:
                items.append(child)
        return self._section(children[0], items)

    def goal(self, children: list[Any]) -> _Part:
        return self._section(*children)

    def metric(self, children: list[Any]) -> _Part:
        opening, direction, expression = children
        return self._section(opening, tree.Metric(str(direction), expression, self._span(opening)))  # type: ignore[arg-type]

    def length(self, children: list[Any]) -> _Part:
        """Read and forgotten: a preference about plans, which makes none of them valid or invalid."""
        _by_keyword(children[1:])
        return self._section(children[0], None)

    def length_part(self, children: list[Any]) -> _Part:
        return self._section(children[0], None)

    # --- declarations ------------------------------------------------------------------------------------------------

    def typed_names(self, children: list[Any]) -> tuple[tree.TypedName, ...]:
        names: list[tree.TypedName] = []
        for child in children:
            if isinstance(child, Token):
                names.append(tree.TypedName(str(child), (), self._span(child)))
            else:
                names.extend(child)
        return tuple(names)

    typed_variables = typed_names

    def typed_group(self, children: list[Any]) -> list[tree.TypedName]:
        *names, types = children
        types = tuple(str(name) for name in types)
        return [tree.TypedName(str(name), types, self._span(name)) for name in names]

    def type(self, children: list[Any]) -> list[Token]:
        return [token for token in children if token.type == "NAME"]

    def signature(self, children: list[Any]) -> tree.Signature:
        opening, name, parameters = children
        return tree.Signature(str(name), parameters, self._span(opening))

    def variables(self, children: list[Any]) -> tree.Variables:
        variables: tree.Variables = children[1] if len(children) > 1 else ()
        return variables

    def action(self, children: list[Any]) -> tree.Action:
        opening, name, *parts = children
        span = self._span(opening)
        given = _by_keyword(parts)
        return tree.Action(
            name=str(name),
            parameters=given.get(":parameters", ()),
            precondition=given.get(":precondition", tree.And((), span)),
            effect=given.get(":effect", tree.Effects((), span)),
            span=span,
        )

    def parameters(self, children: list[Any]) -> _Part:
        return self._section(*children)

    precondition = parameters
    effect = parameters

    # --- atoms and expressions ---------------------------------------------------------------------------------------

    def PLAIN(self, token: Token) -> tree.Atom:
        name, *arguments = token[1:-1].split()
        return tree.Atom(name, tuple(arguments), self._span(token))

    def atom(self, children: list[Any]) -> tree.Atom:
        opening, name, *arguments = children
        return tree.Atom(str(name), tuple(map(str, arguments)), self._span(opening))

    def variable(self, children: list[Any]) -> tree.Word:
        return tree.Word(str(children[0]), self._span(children[0]))

    bare_fluent = variable

    def number(self, children: list[Any]) -> tree.Number:
        token = children[0]
        return tree.Number(self._number(str(token), token.start_pos), self._span(token), str(token))

    def _number(self, text: str, position: int) -> Fraction:
        """The exact value; numbers too long to be meant are refused before they are built."""
        value = self._numbers.get(text)
        if value is None:
            exponent = _EXPONENT.search(text)
            shift = exponent[1].lstrip("+-").lstrip("0") if exponent else ""
            if len(shift) > 4 or len(text) + int(shift or "0") > MAXIMUM_DIGITS:
                raise UnsupportedFeature(f"a number of more than {MAXIMUM_DIGITS} digits", self.source.span(position))
            value = self._numbers[text] = Fraction(text)
        return value

    def arithmetic(self, children: list[Any]) -> tree.Arithmetic:
        opening, *operands = children
        return tree.Arithmetic(_word(opening), tuple(operands), self._span(opening))  # type: ignore[arg-type]

    # --- conditions --------------------------------------------------------------------------------------------------

    def conjunction(self, children: list[Any]) -> tree.And:
        return tree.And(tuple(children[1:]), self._span(children[0]))

    def disjunction(self, children: list[Any]) -> tree.Or:
        return tree.Or(tuple(children[1:]), self._span(children[0]))

    def negation(self, children: list[Any]) -> tree.Not:
        return tree.Not(children[1], self._span(children[0]))

    def implication(self, children: list[Any]) -> tree.Imply:
        return tree.Imply(children[1], children[2], self._span(children[0]))

    def quantified(self, children: list[Any]) -> tree.Quantified:
        opening, variables, part = children
        return tree.Quantified(_word(opening), variables, part, self._span(opening))  # type: ignore[arg-type]

    def comparison(self, children: list[Any]) -> tree.Compare:
        opening, left, right = children
        return tree.Compare(_word(opening), left, right, self._span(opening))  # type: ignore[arg-type]

    # --- effects -----------------------------------------------------------------------------------------------------

    def add(self, children: list[Any]) -> tree.Add:
        return tree.Add(children[0])

    def delete(self, children: list[Any]) -> tree.Delete:
        return tree.Delete(children[1])

    def effects(self, children: list[Any]) -> tree.Effects:
        return tree.Effects(tuple(children[1:]), self._span(children[0]))

    def universal(self, children: list[Any]) -> tree.ForAll:
        return tree.ForAll(children[1], children[2], self._span(children[0]))

    def conditional(self, children: list[Any]) -> tree.When:
        return tree.When(children[1], children[2], self._span(children[0]))

    def change(self, children: list[Any]) -> tree.Change:
        opening, fluent, expression = children
        if isinstance(fluent, tree.Word):
            fluent = tree.Atom(fluent.name, (), fluent.span)
        return tree.Change(_word(opening), fluent, expression, self._span(opening))  # type: ignore[arg-type]

    # --- the initial state -------------------------------------------------------------------------------------------

    def FACTS(self, token: Token) -> list[tree.Atom | tree.InitialValue]:
        """Take a run of initial atoms and values apart; the grammar has seen to it that they are well formed."""
        offset = token.start_pos or 0
        span = self.source.span
        items: list[tree.Atom | tree.InitialValue] = []
        for match in _FACT.finditer(token):
            fluent, value, atom = match.groups()
            position = offset + match.start()
            name, *arguments = (atom or fluent).split()
            node = tree.Atom(name, tuple(arguments), span(position))
            items.append(node if value is None else tree.InitialValue(node, self._number(value, position)))
        return items

    def initial_value(self, children: list[Any]) -> tree.InitialValue:
        _, fluent, number = children
        if isinstance(fluent, Token):
            fluent = tree.Atom(str(fluent), (), self._span(fluent))
        return tree.InitialValue(fluent, self._number(str(number), number.start_pos))

    def initial_negation(self, children: list[Any]) -> tree.Delete:
        return tree.Delete(children[1])


def _word(token: Token) -> str:
    """The word of an opening token: "and" of "(and"."""
    return token.lstrip("(").lstrip()


def _by_keyword(parts: list[_Part]) -> dict[str, Any]:
    """The parts by their keyword, which may stand only once."""
    found: dict[str, Any] = {}
    for keyword, group in groupby(sorted(parts, key=lambda part: part.keyword), key=lambda part: part.keyword):
        first, *others = group
        if others:
            raise InputError(f"{keyword} is given twice, first at {first.span}", others[0].span)
        found[keyword] = first.value
    return found
