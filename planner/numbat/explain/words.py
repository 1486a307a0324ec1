"""Conditions and reasons as sentences, with names and numbers.

In, out      rules, bindings and the relaxed fixpoint → text such as
             load(package0, crane0): needs weight-cap(crane0) >= weight(package0), which is 15 >= 16 for ever
Manner       actions and fluents as name(arguments), facts as PDDL writes them, comparisons between their two sides
Truth        "for ever" and "never" are said only of what the fixpoint proves
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from numbat.explain.causes import Inquiry, Reason
from numbat.explain.derivation import RuleStep
from numbat.explain.relaxed import Relaxed
from numbat.explain.rules import Kind, Need, terms_of
from numbat.ground.intervals import Bound, Interval
from numbat.normalise.context import Context
from numbat.normalise.linear import linear
from numbat.pddl import tree
from numbat.task.conditions import bind, bind_fluent
from numbat.task.lifted import Literal
from numbat.task.plan import decimal

ObjectNames = Mapping[str, str]  # variable → object


def action_text(step: RuleStep, names: ObjectNames) -> str:
    """name(arguments), without those of a quantified effect."""
    shown = [names[variable.name] for variable in step.rule.variables[: step.rule.arity]]
    return f"{step.rule.name}({', '.join(shown)})"


def expression_text(node: tree.Expression, names: ObjectNames) -> str:
    match node:
        case tree.Number():
            return decimal(node.value)
        case tree.Word():
            return names.get(node.name, node.name)
        case tree.Atom():
            arguments = ", ".join(names.get(argument, argument) for argument in node.arguments)
            return f"{node.name}({arguments})" if arguments else node.name
        case tree.Arithmetic(operator=operator, operands=operands):
            parts = [expression_text(operand, names) for operand in operands]
            parts = [
                f"({part})" if isinstance(operand, tree.Arithmetic) and operator != "+" else part
                for part, operand in zip(parts, operands, strict=True)
            ]
            return f"-{parts[0]}" if operator == "-" and len(parts) == 1 else f" {operator} ".join(parts)


def condition_text(node: tree.Condition, names: ObjectNames) -> str:
    """The condition as PDDL, comparisons as people write them."""
    match node:
        case tree.Atom():
            return f"({' '.join([node.name, *(names.get(a, a) for a in node.arguments)])})"
        case tree.Compare():
            left, right = expression_text(node.left, names), expression_text(node.right, names)
            return f"{left} {node.relation} {right}"
        case tree.Not():
            return f"(not {condition_text(node.part, names)})"
        case tree.And() | tree.Or():
            word = "and" if isinstance(node, tree.And) else "or"
            return f"({' '.join([word, *(condition_text(part, names) for part in node.parts)])})"
        case tree.Imply():
            return f"(imply {condition_text(node.premise, names)} {condition_text(node.conclusion, names)})"
        case tree.Quantified():
            variables = " ".join(variable.name for variable in node.variables)
            return f"({node.quantifier} ({variables}) {condition_text(node.part, names)})"


class Words:
    """Sentences about one task and its fixpoint."""

    def __init__(self, inquiry: Inquiry) -> None:
        self._inquiry = inquiry
        self._model = inquiry.model
        self._relaxed: Relaxed = inquiry.original
        self._context = Context(self._model.symbols)

    def names(self, step: RuleStep) -> dict[str, str]:
        """The object each variable of a step stands for; the variable itself where there is no such object."""
        objects = self._model.lifted.objects
        free = {need.parameter for need in step.rule.needs if self._model.is_empty(need)}
        return {
            variable.name: variable.name if number in free else objects[value]
            for number, (variable, value) in enumerate(zip(step.rule.variables, step.binding, strict=True))
        }

    def action(self, step: RuleStep) -> str:
        return action_text(step, self.names(step))

    def needs(self, step: RuleStep, need: Need) -> str:
        """What a step asks for, as text."""
        if need.text is None:
            return self._reads(step, need) if need.reads else f"a {' or a '.join(need.key.names)}"
        return condition_text(need.text, self.names(step))

    def reason(self, reason: Reason) -> str:
        """What can never hold, and why."""
        step, need = reason.step, reason.need
        if need.key.kind is Kind.TYPE:
            return self._type(step, need)
        if need.key.kind is Kind.VALUE:
            return f"reads {self._reads(step, need)}, which never has a value"
        return f"needs {self.needs(step, need)}, {self._never(step, need)}"

    def _type(self, step: RuleStep, need: Need) -> str:
        wanted = " or ".join(need.key.names)
        if self._model.is_empty(need):
            return f"needs an object of type {wanted} for {step.rule.variables[need.parameter].name}, and there is none"
        given = self._model.lifted.objects[step.binding[need.parameter]]
        types = self._model.symbols.object_types[step.binding[need.parameter]]
        return f"takes objects of type {wanted}, and {given} is declared as {' or '.join(types)}"

    def _reads(self, step: RuleStep, need: Need) -> str:
        task = self._model.lifted
        ground = dict.fromkeys(bind_fluent(fluent, terms_of(step.binding)) for fluent in need.reads)
        missing = [fluent for fluent in ground if self._relaxed.interval(fluent) is None]
        shown = [(task.functions[f.function].name, [task.objects[a] for a in f.arguments]) for f in missing]
        return " and ".join(f"{name}({', '.join(arguments)})" if arguments else name for name, arguments in shown)

    def _never(self, step: RuleStep, need: Need) -> str:
        condition = bind(need.condition, terms_of(step.binding))
        names = self.names(step)
        bound = all(name in self._model.symbols.objects for name in names.values())
        if isinstance(need.text, tree.Compare) and need.key.kind is Kind.NUMBER and bound:
            return self._comparison(need.text, names)
        if isinstance(condition, Literal):
            return self._literal(condition)
        return "which can never hold"

    # --- facts ---

    def _literal(self, literal: Literal) -> str:
        if literal.negated:
            task = self._model.lifted
            fact = _fact(task.predicates[literal.predicate].name, [task.objects[a] for a in literal.arguments])
            return (
                "which can never hold" if self._inquiry.changeable(literal) else f"but nothing ever makes {fact} false"
            )
        changeable = self._inquiry.changeable(literal)
        text = "which can never become true" if changeable else "which is not true initially, and no action adds it"
        return text + self._other_way_round(literal)

    def _other_way_round(self, literal: Literal) -> str:
        """Perhaps the arguments were swapped."""
        stated = self._inquiry.stated_otherwise(literal)
        if stated is None:
            return ""
        task = self._model.lifted
        return f"; {_fact(task.predicates[stated.predicate].name, [task.objects[a] for a in stated.arguments])} is"

    # --- numbers ---

    def _comparison(self, node: tree.Compare, names: ObjectNames) -> str:
        """Both sides as numbers if they never change, otherwise the bounds that keep them apart."""
        sides = [(side, self._bounds(side, names)) for side in (node.left, node.right)]
        unknown = [expression_text(side, names) for side, bounds in sides if bounds is None]
        if unknown:
            return f"but {' and '.join(unknown)} never has a value"
        known = [(side, bounds) for side, bounds in sides if bounds is not None]
        if all(low == high for _, (low, high) in known):
            (_, (left, _)), (_, (right, _)) = known
            return f"which is {number(left)} {node.relation} {number(right)} for ever"
        told = [
            f"{expression_text(side, names)} is {_told(bounds, self._direction(node.relation, position))}"
            for position, (side, bounds) in enumerate(known)
            if not isinstance(side, tree.Number)
        ]
        return f"but {' and '.join(told)} for ever"

    def _direction(self, relation: str, position: int) -> str:
        """Which bound of a side matters: its upper one where it should be large."""
        if relation == "=":
            return "both"
        return "upper" if (relation in (">", ">=")) == (position == 0) else "lower"

    def _bounds(self, node: tree.Expression, names: ObjectNames) -> Interval | None:
        scope = {variable: self._model.symbols.objects[name] for variable, name in names.items()}
        return self._relaxed.range(linear(node, scope, self._context, node.span))


def _fact(name: str, arguments: list[str]) -> str:
    return f"({' '.join([name, *arguments])})"


def number(value: Bound) -> str:
    return str(value) if isinstance(value, float) else decimal(Fraction(value))


def _told(bounds: Interval, direction: str) -> str:
    low, high = bounds
    if low == high:
        return number(low)
    if direction == "upper":
        return f"at most {number(high)}"
    return f"at least {number(low)}" if direction == "lower" else f"between {number(low)} and {number(high)}"
