"""Does the text make sense? Names are declared, arguments fit in number and type, variables are bound.

In, out      tree.Domain, tree.Problem → warnings; raises InputError or UnsupportedFeature at the first mistake
Lenient      where the meaning is clear all the same: a warning (another domain's name, an undeclared function that only
             the initial state mentions, a variable of a wider type than declared)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from fractions import Fraction

from numbat.errors import InputError, Span, UnsupportedFeature
from numbat.pddl import tree
from numbat.pddl.symbols import Symbols, Warnings
from numbat.pddl.syntax_errors import UNSUPPORTED

MAXIMUM_DEPTH = 100  # of quantifiers and conditional effects; deeper ones the referee does not judge

VariableTypes = dict[str, tuple[str, ...]]  # the types of each variable in sight


def check(domain: tree.Domain, problem: tree.Problem) -> Warnings:
    """The warnings to show, in the order of the files."""
    warnings: Warnings = []
    symbols = Symbols(domain, problem, warnings)
    checker = _Checker(symbols, warnings)
    checker.actions(domain.actions)
    if problem.domain is None:
        warnings.append((problem.span, "the problem does not name its domain"))
    elif problem.domain != domain.name:
        warnings.append((problem.span, f"the problem is for the domain {problem.domain}, not {domain.name}"))
    _check_init(problem, symbols, warnings)
    checker.condition(problem.goal, {})
    if problem.metric:
        checker.expression(problem.metric.expression, {}, undeclared=("total-time",))
    return warnings


class _Checker:
    """Walks over conditions, expressions and effects."""

    def __init__(self, symbols: Symbols, warnings: Warnings) -> None:
        self._symbols = symbols
        self._warnings = warnings
        self._depth = 0  # of quantifiers and conditional effects

    def actions(self, actions: Iterable[tree.Action]) -> None:
        seen: dict[str, Span] = {}
        for action in actions:
            if action.name in seen:
                first = seen[action.name]
                raise InputError(f"the action {action.name} is declared twice, first at {first}", action.span)
            seen[action.name] = action.span
            scope = self._bind({}, action.parameters)
            self.condition(action.precondition, scope)
            self.effect(action.effect, scope)

    def _bind(self, scope: VariableTypes, variables: tree.Variables) -> VariableTypes:
        self._symbols.check_types(variables)
        inner = {variable.name: variable.types or ("object",) for variable in variables}
        if len(inner) < len(variables):
            names = [variable.name for variable in variables]
            twice = next(variable for number, variable in enumerate(variables) if variable.name in names[:number])
            raise InputError(f"the variable {twice.name} is declared twice", twice.span)
        return {**scope, **inner}

    def condition(self, node: tree.Condition, scope: VariableTypes) -> None:
        match node:
            case tree.Atom():
                self._atom(node, scope, self._symbols.predicates, "predicate")
            case tree.And() | tree.Or():
                for part in node.parts:
                    self.condition(part, scope)
            case tree.Not():
                self.condition(node.part, scope)
            case tree.Imply():
                self.condition(node.premise, scope)
                self.condition(node.conclusion, scope)
            case tree.Quantified():
                with self._deeper(node.span):
                    self.condition(node.part, self._bind(scope, node.variables))
            case tree.Compare():
                self._comparison(node, scope)

    def _comparison(self, node: tree.Compare, scope: VariableTypes) -> None:
        if self._symbols.between_objects(node):
            for side in (node.left, node.right):
                if isinstance(side, tree.Word):
                    self._types_of(side.name, scope, side.span)
        else:
            self.expression(node.left, scope)
            self.expression(node.right, scope)

    def expression(self, node: tree.Expression, scope: VariableTypes, undeclared: tuple[str, ...] = ()) -> None:
        match node:
            case tree.Arithmetic():
                if node.operator == "/" and len(node.operands) < 2:
                    raise InputError("a quotient needs two expressions", node.span, got="one")
                for operand in node.operands:
                    self.expression(operand, scope, undeclared)
            case tree.Word():
                if node.name.startswith("?") or (
                    node.name in self._symbols.objects and node.name not in self._symbols.functions
                ):
                    raise InputError("an object stands where a number should", node.span, got=node.name)
                self.expression(tree.Atom(node.name, (), node.span), scope, undeclared)
            case tree.Atom():
                if not (node.name in undeclared and not node.arguments):
                    self._atom(node, scope, self._symbols.functions, "function")

    def effect(self, node: tree.Effect, scope: VariableTypes) -> None:
        match node:
            case tree.Add() | tree.Delete():
                self._atom(node.atom, scope, self._symbols.predicates, "predicate")
            case tree.Effects():
                for part in node.parts:
                    self.effect(part, scope)
            case tree.When():
                with self._deeper(node.span):
                    self.condition(node.condition, scope)
                    self.effect(node.effect, scope)
            case tree.ForAll():
                with self._deeper(node.span):
                    self.effect(node.effect, self._bind(scope, node.variables))
            case tree.Change():
                self._atom(node.fluent, scope, self._symbols.functions, "function")
                self.expression(node.expression, scope)

    @contextmanager
    def _deeper(self, span: Span) -> Iterator[None]:
        self._depth += 1
        if self._depth > MAXIMUM_DEPTH:
            raise UnsupportedFeature(f"a quantifier or (when ...) nested more than {MAXIMUM_DEPTH} deep", span)
        yield
        self._depth -= 1

    def _atom(self, atom: tree.Atom, scope: VariableTypes, declared: dict[str, tree.Signature], kind: str) -> None:
        signature = declared.get(atom.name)
        if signature is None:
            raise _unknown(atom, kind, self._symbols)
        _check_arity(atom, signature, kind)
        for argument, parameter in zip(atom.arguments, signature.parameters, strict=True):
            wanted = parameter.types or ("object",)
            given = self._types_of(argument, scope, atom.span)
            if given != wanted and "object" not in wanted:
                self._check_type(argument, given, wanted, atom)

    def _types_of(self, name: str, scope: VariableTypes, span: Span) -> tuple[str, ...]:
        if name.startswith("?"):
            if name not in scope:
                raise InputError(f"the variable {name} is not declared here", span)
            return scope[name]
        number = self._symbols.objects.get(name)
        if number is None:
            raise InputError(f"unknown object {name}", span)
        return self._symbols.object_types[number]

    def _check_type(self, argument: str, given: tuple[str, ...], wanted: tuple[str, ...], atom: tree.Atom) -> None:
        """An object fits if one of its types does, a variable if all of them do, or with a warning if it could."""
        ancestors = self._symbols.ancestors
        fits = [not ancestors(name).isdisjoint(wanted) for name in given]
        if all(fits) or (any(fits) and not argument.startswith("?")):
            return
        text = f"{argument} is of type {_types(given)} where ({atom.name} ...) wants {_types(wanted)}"
        if not (argument.startswith("?") and self._symbols.may_be(given, wanted)):
            raise InputError(text, atom.span)
        self._warnings.append((atom.span, text))


def _check_init(problem: tree.Problem, symbols: Symbols, warnings: Warnings) -> None:
    """The initial state; by far the longest part of most tasks, so the usual case is one set lookup per argument."""
    checker = _Checker(symbols, warnings)
    allowed = {
        (kind, signature.name): [symbols.member_names(parameter.types) for parameter in signature.parameters]
        for kind, signatures in (("predicate", symbols.predicates), ("function", symbols.functions))
        for signature in signatures.values()
    }

    def fits(kind: str, atom: tree.Atom) -> bool:
        sets = allowed.get((kind, atom.name))
        return (
            sets is not None
            and len(sets) == len(atom.arguments)
            and all(argument in objects for argument, objects in zip(atom.arguments, sets, strict=True))
        )

    for atom in problem.init_atoms + problem.init_negations:
        if not fits("predicate", atom):
            checker.condition(atom, {})
    true = {(atom.name, atom.arguments) for atom in problem.init_atoms}
    for atom in problem.init_negations:
        if (atom.name, atom.arguments) in true:
            raise InputError(f"({' '.join((atom.name, *atom.arguments))}) is both true and false initially", atom.span)

    values: dict[tuple[str, tuple[str, ...]], Fraction] = {}
    ignored: set[str] = set()
    for item in problem.init_values:
        fluent = item.fluent
        if fluent.name not in symbols.functions:
            if fluent.name in symbols.predicates:
                raise _unknown(fluent, "function", symbols)
            if fluent.name not in ignored:
                ignored.add(fluent.name)
                warnings.append((fluent.span, f"the function {fluent.name} is not declared; its values are ignored"))
            continue
        if not fits("function", fluent):
            checker.expression(fluent, {})
        if values.setdefault((fluent.name, fluent.arguments), item.value) != item.value:
            raise InputError(f"({' '.join((fluent.name, *fluent.arguments))}) has two initial values", fluent.span)


def _check_arity(atom: tree.Atom, signature: tree.Signature, kind: str) -> None:
    if len(atom.arguments) != len(signature.parameters):
        raise InputError(
            f"wrong number of arguments of the {kind} {atom.name}",
            atom.span,
            expected=str(len(signature.parameters)),
            got=str(len(atom.arguments)),
        )


def _unknown(atom: tree.Atom, kind: str, symbols: Symbols) -> InputError | UnsupportedFeature:
    if atom.name in UNSUPPORTED:
        return UnsupportedFeature(UNSUPPORTED[atom.name], atom.span)
    other, names = ("function", symbols.functions) if kind == "predicate" else ("predicate", symbols.predicates)
    hint = f"{atom.name} is a {other}" if atom.name in names else None
    return InputError(f"unknown {kind} {atom.name}", atom.span, got=hint)


def _types(names: tuple[str, ...]) -> str:
    return names[0] if len(names) == 1 else f"(either {' '.join(names)})"
