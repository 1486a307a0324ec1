"""The corpus of bad inputs: NAME.pddl in this folder, and what the planner must say about it.

Each file is one of the two in companions/ with one mistake; the other of the two goes with it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from numbat.errors import ExitCode

FOLDER = Path(__file__).resolve().parent
DOMAIN = FOLDER / "companions" / "domain.pddl"
PROBLEM = FOLDER / "companions" / "problem.pddl"

INPUT = ExitCode.TRANSLATE_INPUT_ERROR
UNSUPPORTED = ExitCode.SEARCH_UNSUPPORTED
TOO_LARGE = ExitCode.TRANSLATE_OUT_OF_MEMORY


@dataclass(frozen=True)
class Case:
    """`line` is where the mistake is, `message` a part of what is said; `grounded`: not seen before grounding."""

    name: str
    role: Literal["domain", "problem"]
    code: ExitCode
    line: int
    message: str
    grounded: bool = False

    @property
    def file(self) -> Path:
        return FOLDER / f"{self.name}.pddl"

    @property
    def files(self) -> tuple[Path, Path]:
        """Domain and problem."""
        return (self.file, PROBLEM) if self.role == "domain" else (DOMAIN, self.file)


CASES = (
    # --- syntax
    Case("truncated-domain", "domain", INPUT, 10, "never closed"),
    Case("truncated-problem", "problem", INPUT, 4, "never closed"),
    Case("truncated-word", "problem", INPUT, 4, "never closed"),
    Case("one-parenthesis-too-many", "domain", INPUT, 17, "end of the file"),
    Case("one-parenthesis-too-few", "domain", INPUT, 16, ":effect"),
    Case("goal-not-closed", "problem", INPUT, 8, "in the list (:goal"),
    Case("only-comments", "domain", INPUT, 1, "empty"),
    Case("only-blanks", "problem", INPUT, 1, "empty"),
    Case("lone-parenthesis", "domain", INPUT, 1, "(define"),
    Case("closing-parenthesis-first", "problem", INPUT, 1, "(define"),
    Case("not-a-definition", "domain", INPUT, 1, "(define"),
    Case("prose", "problem", INPUT, 1, "(define"),
    Case("problem-as-domain", "domain", INPUT, 1, "(domain"),
    Case("domain-as-problem", "problem", INPUT, 1, "(problem"),
    Case("two-definitions", "domain", INPUT, 18, "end of the file"),
    Case("text-after-the-end", "problem", INPUT, 10, "end of the file"),
    Case("unknown-section", "domain", INPUT, 3, "(:action"),
    Case("types-twice", "domain", INPUT, 3, ":types is given twice"),
    Case("goal-twice", "problem", INPUT, 8, ":goal is given twice"),
    Case("precondition-twice", "domain", INPUT, 16, ":precondition is given twice"),
    Case("parameters-twice", "domain", INPUT, 16, ":parameters is given twice"),
    Case("unknown-part-of-an-action", "domain", INPUT, 15, ":precondition"),
    Case("plural-part-of-an-action", "domain", INPUT, 15, "got: :preconditions (and"),
    Case("atom-not-closed", "domain", INPUT, 15, "in the list (at ...) of line 15"),
    Case("atom-of-the-goal-not-closed", "problem", INPUT, 7, "in the list (in ...) of line 7"),
    Case("misspelled-change", "domain", INPUT, 11, "in the list (decrese ...) of line 11"),
    Case("action-without-a-name", "domain", INPUT, 14, "a name"),
    Case("precondition-without-a-condition", "domain", INPUT, 16, "a condition"),
    Case("no-goal", "problem", INPUT, 1, "no goal"),
    Case("empty-goal", "problem", INPUT, 7, "a condition"),
    Case("two-goals", "problem", INPUT, 7, "expected: )"),
    Case("negation-of-two", "domain", INPUT, 15, "in the list (not"),
    Case("negation-of-nothing", "domain", INPUT, 15, "a condition"),
    Case("implication-of-one", "domain", INPUT, 15, "in the list (imply"),
    Case("comparison-of-one", "domain", INPUT, 15, "a numeric expression"),
    Case("comparison-of-three", "domain", INPUT, 15, "expected: )"),
    Case("unknown-comparison", "domain", INPUT, 15, "in the list (=<"),
    Case("quantifier-without-variables", "domain", INPUT, 15, "a variable"),
    Case("quantifier-without-condition", "domain", INPUT, 15, "in the list (forall"),
    Case("when-without-effect", "domain", INPUT, 16, "in the list (when"),
    Case("disjunctive-effect", "domain", INPUT, 16, "(or ...) cannot stand here"),
    Case("negated-conjunction-in-effect", "domain", INPUT, 16, "(and ...) cannot stand here"),
    Case("change-without-amount", "domain", INPUT, 11, "in the list (increase"),
    Case("change-of-a-number", "domain", INPUT, 11, "in the list (increase"),
    Case("change-in-precondition", "domain", INPUT, 15, "a condition"),
    Case("difference-of-nothing", "domain", INPUT, 9, "in the list (-"),
    Case("quotient-of-one", "domain", INPUT, 9, "a quotient needs two"),
    Case("minus-glued-to-a-number", "domain", INPUT, 11, "-1 2"),
    Case("variable-in-init", "problem", INPUT, 4, "a name"),
    Case("decimal-as-object", "problem", INPUT, 3, "1.5 - van"),
    Case("letter-beyond-ascii", "problem", INPUT, 4, "a name"),
    Case("exclamation-mark", "problem", INPUT, 4, "! hub"),
    Case("quoted-name", "problem", INPUT, 4, "a name"),
    Case("control-character", "problem", INPUT, 4, "\\x07"),
    Case("comma-between-objects", "problem", INPUT, 3, ", box"),
    Case("brackets", "problem", INPUT, 3, "a name"),
    Case("dash-first", "problem", INPUT, 3, "a name"),
    Case("dash-without-type", "problem", INPUT, 3, "a name"),
    Case("dash-twice", "problem", INPUT, 3, "a name"),
    Case("dash-before-a-digit", "problem", INPUT, 3, "-2parcels"),
    Case("either-without-types", "domain", INPUT, 14, "a name"),
    Case("predicate-without-name", "domain", INPUT, 4, "a name"),
    Case("predicate-without-parentheses", "domain", INPUT, 4, "blocked"),
    Case("metric-without-direction", "problem", INPUT, 8, "minimize or maximize"),
    Case("metric-with-wrong-direction", "problem", INPUT, 8, "minimize or maximize"),
    Case("metric-of-two", "problem", INPUT, 8, "expected: )"),
    Case("length-below-zero", "problem", INPUT, 9, "a non-negative integer"),
    Case("length-of-half-a-step", "problem", INPUT, 9, "a non-negative integer"),
    Case("length-without-a-number", "problem", INPUT, 9, "a non-negative integer"),
    Case("length-without-its-kind", "problem", INPUT, 9, "(:parallel, (:serial or )"),
    Case("length-twice", "problem", INPUT, 10, ":length is given twice"),
    Case("serial-length-twice", "problem", INPUT, 10, ":serial is given twice"),
    # --- numbers
    Case("not-a-number", "problem", INPUT, 5, "a number"),
    Case("infinity", "problem", INPUT, 5, "a number"),
    Case("two-decimal-points", "problem", INPUT, 5, "a number"),
    Case("hexadecimal", "problem", INPUT, 5, "a number"),
    Case("decimal-comma", "problem", INPUT, 5, ",5"),
    Case("lone-decimal-point", "problem", INPUT, 5, "a number"),
    Case("foreign-digits", "problem", INPUT, 5, "a number"),
    Case("huge-exponent", "problem", UNSUPPORTED, 5, "more than 300 digits"),
    Case("tiny-exponent", "problem", UNSUPPORTED, 5, "more than 300 digits"),
    Case("number-of-5000-digits", "problem", UNSUPPORTED, 5, "more than 300 digits"),
    Case("coefficient-too-large", "domain", UNSUPPORTED, 11, "bits"),
    Case("value-is-a-fluent", "problem", INPUT, 5, "a number"),
    Case("value-is-a-sum", "problem", INPUT, 5, "a number"),
    Case("number-for-a-fluent", "problem", INPUT, 6, "in the list (= ...)"),
    # --- names
    Case("unknown-predicate", "domain", INPUT, 15, "unknown predicate near"),
    Case("unknown-predicate-in-effect", "domain", INPUT, 16, "unknown predicate inside"),
    Case("unknown-predicate-in-init", "problem", INPUT, 4, "unknown predicate lies"),
    Case("unknown-predicate-in-goal", "problem", INPUT, 7, "unknown predicate inside"),
    Case("unknown-function", "domain", INPUT, 15, "unknown function mass"),
    Case("unknown-function-in-effect", "domain", INPUT, 11, "unknown function total-price"),
    Case("unknown-function-in-goal", "problem", INPUT, 7, "unknown function petrol"),
    Case("unknown-function-in-metric", "problem", INPUT, 8, "unknown function total-price"),
    Case("unknown-object-in-init", "problem", INPUT, 4, "unknown object crate"),
    Case("unknown-object-in-value", "problem", INPUT, 6, "unknown object crate"),
    Case("number-as-argument", "problem", INPUT, 4, "unknown object 5"),
    Case("unknown-object-in-goal", "problem", INPUT, 7, "unknown object harbour"),
    Case("unknown-constant", "domain", INPUT, 15, "unknown object harbour"),
    Case("unknown-type-of-parameter", "domain", INPUT, 14, "unknown type harbour"),
    Case("unknown-type-in-predicate", "domain", INPUT, 4, "unknown type packet"),
    Case("unknown-type-in-either", "domain", INPUT, 14, "unknown type harbour"),
    Case("unknown-type-in-quantifier", "domain", INPUT, 15, "unknown type harbour"),
    Case("unknown-type-of-object", "problem", INPUT, 3, "unknown type factory"),
    Case("too-few-arguments", "domain", INPUT, 15, "wrong number of arguments"),
    Case("too-many-arguments", "domain", INPUT, 16, "wrong number of arguments"),
    Case("too-many-arguments-of-function", "domain", INPUT, 15, "wrong number of arguments"),
    Case("too-few-arguments-in-value", "problem", INPUT, 5, "wrong number of arguments"),
    Case("too-many-arguments-in-goal", "problem", INPUT, 7, "wrong number of arguments"),
    Case("wrong-type-in-init", "problem", INPUT, 4, "mill is of type place"),
    Case("wrong-type-in-value", "problem", INPUT, 6, "van1 is of type van"),
    Case("wrong-type-in-goal", "problem", INPUT, 7, "van1 is of type van"),
    Case("wrong-type-of-variable", "domain", INPUT, 16, "?l is of type place"),
    Case("wrong-type-of-constant", "domain", INPUT, 15, "hub is of type place"),
    Case("duplicate-object", "problem", INPUT, 3, "van1 is declared twice"),
    Case("duplicate-object-same-type", "problem", INPUT, 3, "mill is declared twice"),
    Case("constant-with-another-type", "problem", INPUT, 3, "hub is declared twice"),
    Case("duplicate-predicate", "domain", INPUT, 4, "at is declared twice"),
    Case("duplicate-function", "domain", INPUT, 5, "fuel is declared twice"),
    Case("duplicate-action", "domain", INPUT, 13, "drive is declared twice"),
    Case("duplicate-parameter", "domain", INPUT, 8, "?a is declared twice"),
    Case("duplicate-quantified-variable", "domain", INPUT, 15, "?x is declared twice"),
    Case("type-with-two-supertypes", "domain", INPUT, 2, "van is declared twice"),
    Case("circular-types", "domain", INPUT, 2, "its own supertype"),
    Case("type-below-itself", "domain", INPUT, 2, "its own supertype"),
    Case("supertype-of-object", "domain", INPUT, 2, "object cannot have a supertype"),
    Case("free-variable", "domain", INPUT, 15, "?x is not declared"),
    Case("free-variable-in-effect", "domain", INPUT, 16, "?w is not declared"),
    Case("free-variable-in-change", "domain", INPUT, 11, "?p is not declared"),
    Case("free-variable-in-equality", "domain", INPUT, 15, "?q is not declared"),
    Case("free-variable-in-goal", "problem", INPUT, 7, "?x is not declared"),
    Case("variable-outside-its-quantifier", "domain", INPUT, 15, "?x is not declared"),
    Case("function-as-predicate", "domain", INPUT, 15, "weight is a function"),
    Case("predicate-as-function", "domain", INPUT, 15, "in is a predicate"),
    Case("variable-as-number", "domain", INPUT, 15, "an object stands where a number should"),
    Case("object-as-number", "domain", INPUT, 15, "an object stands where a number should"),
    Case("object-compared-with-fluent", "domain", INPUT, 15, "an object stands where a number should"),
    Case("two-initial-values", "problem", INPUT, 5, "two initial values"),
    Case("true-and-false", "problem", INPUT, 4, "both true and false"),
    Case("number-for-a-predicate", "problem", INPUT, 4, "at is a predicate"),
    # --- PDDL beyond what we plan for
    Case("durative-action", "domain", UNSUPPORTED, 13, "a durative action"),
    Case("derived-predicate", "domain", UNSUPPORTED, 13, "a derived predicate"),
    Case("process", "domain", UNSUPPORTED, 13, "a process"),
    Case("event", "domain", UNSUPPORTED, 13, "an event"),
    Case("constraints-in-domain", "domain", UNSUPPORTED, 13, "trajectory constraint"),
    Case("constraints-in-problem", "problem", UNSUPPORTED, 8, "trajectory constraint"),
    Case("preference-in-goal", "problem", UNSUPPORTED, 7, "a preference"),
    Case("preference-in-precondition", "domain", UNSUPPORTED, 15, "a preference"),
    Case("preference-in-metric", "problem", UNSUPPORTED, 8, "a preference"),
    Case("timed-initial-literal", "problem", UNSUPPORTED, 4, "a timed initial literal"),
    Case("timed-initial-value", "problem", UNSUPPORTED, 4, "a timed initial literal"),
    Case("object-function", "domain", UNSUPPORTED, 5, "a function whose values are objects"),
    Case("object-fluent", "domain", UNSUPPORTED, 15, "an object fluent"),
    Case("object-fluent-in-init", "problem", INPUT, 4, "a number"),
    Case("continuous-effect", "domain", UNSUPPORTED, 11, "a continuous effect"),
    Case("non-deterministic-effect", "domain", UNSUPPORTED, 16, "a non-deterministic effect"),
    Case("probabilistic-effect", "domain", UNSUPPORTED, 16, "a probabilistic effect"),
    # --- too deep, too large
    Case("nested-conjunctions", "problem", UNSUPPORTED, 7, "nested more than 1000 deep"),
    Case("nested-conjunctions-not-closed", "problem", UNSUPPORTED, 7, "nested more than 1000 deep"),
    Case("nested-negations", "problem", UNSUPPORTED, 7, "nested more than 1000 deep"),
    Case("nested-sums", "problem", UNSUPPORTED, 8, "nested more than 1000 deep"),
    Case("quantifier-blow-up", "problem", TOO_LARGE, 8, "quantifiers expand"),
    Case("nested-quantifier-blow-up", "problem", TOO_LARGE, 8, "quantifiers expand"),
    Case("product-blow-up", "domain", TOO_LARGE, 12, "the product of sums"),
    # --- seen only when the task is grounded
    Case("non-linear-effect", "domain", UNSUPPORTED, 11, "not linear", grounded=True),
    Case("non-linear-condition", "domain", UNSUPPORTED, 15, "not linear", grounded=True),
    Case("division-by-a-changing-fluent", "domain", UNSUPPORTED, 15, "not linear", grounded=True),
    Case("scale-up-by-a-changing-fluent", "domain", UNSUPPORTED, 11, "not linear", grounded=True),
    Case("non-linear-goal", "problem", UNSUPPORTED, 7, "not linear", grounded=True),
    Case("undefined-fluent-in-metric", "problem", UNSUPPORTED, 8, "never has a value", grounded=True),
    Case("too-many-ground-actions", "domain", TOO_LARGE, 13, "too many instances", grounded=True),
)
