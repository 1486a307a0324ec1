"""The paper's notation for configurations, read from the command line: S(hadd), M(3h||3n), P(S(hmd), M(3n)).

    configuration  =  search  |  engine  |  "P" "(" member { separator member } ")"
    member         =  ( search | engine | set | heuristic ) [ "*" share ]  -- h stands for S(h), a set for all of its
    search         =  algorithm "(" queue { separator queue } ")"        -- several queues only where it takes several
                   |  "W" "(" [ weight "*" ] name ")"
    algorithm      =  "S"  |  "M"  |  "L"  |  "Y"  |  "A"
    weight         =  a number from 1 to 1000; 1 if not said
    queue          =  set  |  heuristic
    set            =  "3h"  |  "3n"
    heuristic      =  name [ "<" ( novelty [ "," "k" "=" ("1"|"2") ]  |  "C" ) ">" ] [ "+" ("h"|"hj") ]
    novelty        =  ("A"|"B") "," ("PN"|"QB")  |  "G" "," "PN"
    engine         =  a name of numbat.engines.table
    separator      =  ","  |  "||"
    share          =  a number from 1 to 1000, how many times an ordinary member's time this one gets; 1 if not said

`||` is the union of lists: what is named twice counts once. Blanks are free; the paper's ⟨ ⟩ and ‖ are read too.
+h keeps only helpful actions, +hj adds their jumps; novelty has k = 2 unless said otherwise. L(...) and Y(...) prefer
helpful actions in any case and keep the others; there +hj adds jumps and +h nothing.

In, out      text → Configuration; str(Configuration) is the canonical text and reads back to an equal value
Not here     which heuristics and algorithms there are (registry, from the core), what a configuration does (run,
             numbat.portfolio)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, NoReturn, TypeVar

from numbat.errors import ConfigurationError


@dataclass(frozen=True, slots=True)
class Queue:
    """One heuristic, perhaps with novelty over it (feature and measure), perhaps with pruned expansions."""

    heuristic: str
    feature: str = ""
    measure: str = ""
    k: int = 2
    helpful: bool = False
    jumps: bool = False

    def __str__(self) -> str:
        k = "" if self.k == 2 else f",k={self.k}"
        measure = f",{self.measure}" if self.measure else ""
        novelty = f"<{self.feature}{measure}{k}>" if self.feature else ""
        suffix = "+hj" if self.jumps else "+h" if self.helpful else ""
        return f"{self.heuristic}{novelty}{suffix}"


@dataclass(frozen=True, slots=True)
class Search:
    """S(h): greedy with one queue; M(...): several in turn; L(...): lazily; Y(...): lazily, with plans carried out;
    A(...): A*; W(3*h): weighted A*.
    """

    queues: tuple[Queue, ...]
    algorithm: str = "S"
    weight: int = 1  # of the heuristic

    def __str__(self) -> str:
        weight = "" if self.weight == 1 else f"{self.weight}*"
        return f"{self.algorithm}({weight}{', '.join(map(str, self.queues))})"


@dataclass(frozen=True, slots=True)
class Member:
    """A search, or an engine by its name; out of what all shares come to, it gets `share` of the time."""

    what: Search | str
    share: int = 1

    def __str__(self) -> str:
        return str(self.what) if self.share == 1 else f"{self.what}*{self.share}"


@dataclass(frozen=True, slots=True)
class Configuration:
    """What --search names: one member, or a portfolio of several."""

    members: tuple[Member, ...]
    portfolio: bool = False

    def __str__(self) -> str:
        names = ", ".join(map(str, self.members))
        return f"P({names})" if self.portfolio else names

    @property
    def searches(self) -> tuple[Search, ...]:
        """Without the engines that have names of their own."""
        return tuple(member.what for member in self.members if isinstance(member.what, Search))


_BEST = (Queue("hmd"), Queue("hadd"), Queue("hmrp", helpful=True, jumps=True))
SETS: dict[str, tuple[Queue, ...]] = {
    "3h": _BEST,
    "3n": tuple(Queue(q.heuristic, "B", "QB", helpful=q.helpful, jumps=q.jumps) for q in _BEST),
}


class Feature(NamedTuple):
    """What novelty looks at: in a few words, and how it is measured; () if it is a measure itself."""

    summary: str
    measures: tuple[str, ...]


FEATURES = {
    "A": Feature("facts and values not seen before", ("PN", "QB")),
    "B": Feature("facts and new extremes of values", ("PN", "QB")),
    "C": Feature("how many states are nearly the same", ()),
    "G": Feature("progress towards subgoals", ("PN",)),
}

MOST_SHARES = 1000
LARGEST_WEIGHT = 1000  # as the core has it (astar.h)

_TOKEN = re.compile(r"\s*(?:(\|\||[(),<>+=*])|(\w+)|(\S))")
_SPELLING = str.maketrans({"⟨": "<", "⟩": ">", "〈": "<", "〉": ">", "‖": "||", "∥": "||"})
_END = "the end"
Item = TypeVar("Item")


class Vocabulary(NamedTuple):
    """Which names there are, and what the notation needs to know of them; see numbat.search.registry."""

    helpful: Mapping[str, bool]  # heuristic -> has it helpful actions?
    several: Mapping[str, bool]  # algorithm -> does it take several queues?
    admissible: Sequence[str] = ()  # heuristics
    proving: Sequence[str] = ()  # algorithms that need an admissible heuristic
    engines: Collection[str] = ()
    weighted: Collection[str] = ()  # algorithms that take a weight
    planning: Sequence[str] = ()  # heuristics with relaxed plans
    ahead: Collection[str] = ()  # algorithms that need one of them


def parse(text: str, vocabulary: Vocabulary) -> Configuration:
    """Read a configuration."""
    parser = _Parser(text, vocabulary)
    configuration = parser.configuration()
    parser.take(_END)
    return configuration


class _Parser:
    """Recursive descent, one method per rule of the grammar above."""

    def __init__(self, text: str, vocabulary: Vocabulary) -> None:
        self.text = text.translate(_SPELLING)
        self.heuristics, self.algorithms, self.admissible, self.proving, self.engines = vocabulary[:5]
        self.weighted, self.planning, self.ahead = vocabulary[5:]
        found = [(match.group().strip(), match.end()) for match in _TOKEN.finditer(self.text)]
        self.tokens = [(token, end - len(token)) for token, end in found] + [(_END, len(self.text))]
        self.index = 0

    @property
    def token(self) -> str:
        return self.tokens[self.index][0]

    def accept(self, *choices: str) -> str:
        """The next token if it is one of these, else the empty string."""
        token = self.token
        if token not in choices:
            return ""
        self.index = min(self.index + 1, len(self.tokens) - 1)
        return token

    def take(self, *choices: str) -> str:
        return self.accept(*choices) or self.fail(_alternatives(choices))

    def fail(self, expected: str, message: str = "cannot read the configuration") -> NoReturn:
        token, position = self.tokens[self.index]
        place = _END if token == _END else f"'{token}' at position {position + 1}"
        raise ConfigurationError(message, expected=expected, got=f"{place} of '{self.text}'")

    def configuration(self) -> Configuration:
        if self.token in self.algorithms:
            return Configuration((Member(self.search()),))
        if engine := self.accept(*self.engines):
            return Configuration((Member(engine),))
        if not self.accept("P"):
            forms = [f"{name}({'heuristics' if several else 'heuristic'})" for name, several in self.algorithms.items()]
            self.fail(f"{', '.join(forms)} or P(members)")
        return Configuration(self.listed(self.member, key=lambda member: member.what), portfolio=True)

    def listed(
        self, item: Callable[[], tuple[Item, ...]], key: Callable[[Item], Hashable] = lambda item: item
    ) -> tuple[Item, ...]:
        self.take("(")
        items = {key(entry): entry for entry in item()}
        while self.take(",", "||", ")") != ")":
            for entry in item():
                items.setdefault(key(entry), entry)
        return tuple(items.values())

    def member(self) -> tuple[Member, ...]:
        found: tuple[Search | str, ...]
        if engine := self.accept(*self.engines):
            found = (engine,)
        elif self.token in self.algorithms:
            found = (self.search(),)
        else:
            found = tuple(Search((queue,)) for queue in self.queue())
        share = self.share() if self.accept("*") else 1
        return tuple(Member(what, share) for what in found)

    def share(self) -> int:
        return self.number("share", MOST_SHARES)

    def number(self, what: str, most: int) -> int:
        token = self.token
        if not (token.isascii() and token.isdigit() and 1 <= int(token) <= most):
            self.fail(f"a {what} from 1 to {most}")
        return int(self.take(token))

    def search(self) -> Search:
        algorithm = self.take(*self.algorithms)
        if self.algorithms[algorithm]:
            item = self.admissible_heuristic if algorithm in self.proving else self.queue
            first = self.index + 1
            queues = self.listed(item)
            if algorithm in self.ahead and not any(queue.heuristic in self.planning for queue in queues):
                self.index = first
                self.fail(f"{_alternatives(self.planning)} among them", f"{algorithm}(...) carries out relaxed plans")
            return Search(queues, algorithm)
        self.take("(")
        if self.token in SETS:
            self.fail("one heuristic; M(...) takes several", f"{algorithm}(...) is a search with one queue")
        weight = self.weight() if algorithm in self.weighted else 1
        queue = self.plain_heuristic() if algorithm in self.weighted else self.heuristic()
        self.take(")")
        return Search((queue,), algorithm, weight)

    def weight(self) -> int:
        if not self.token[0].isdigit():
            return 1
        weight = self.number("weight", LARGEST_WEIGHT)
        self.take("*")
        return weight

    def plain_heuristic(self) -> Queue:
        return Queue(self.accept(*self.heuristics) or self.fail(f"a heuristic ({', '.join(self.heuristics)})"))

    def queue(self) -> tuple[Queue, ...]:
        name = self.accept(*SETS)
        return SETS[name] if name else (self.heuristic(),)

    def admissible_heuristic(self) -> tuple[Queue, ...]:
        names = ", ".join(self.admissible)
        return (Queue(self.accept(*self.admissible) or self.fail(f"an admissible heuristic ({names})")),)

    def heuristic(self) -> Queue:
        name = self.accept(*self.heuristics) or self.fail(f"a heuristic ({', '.join(self.heuristics)})")
        feature = measure = ""
        k = 2
        if self.accept("<"):
            feature, measure = self.novelty()
            if self.take(*([",", ">"] if measure else [">"])) == ",":
                self.take("k")
                self.take("=")
                k = int(self.take("1", "2"))
                self.take(">")
        suffix = ""
        if self.token == "+" and not self.heuristics[name]:
            able = [other for other, helpful in self.heuristics.items() if helpful]
            self.fail(f"{_alternatives(able)} before +h and +hj", f"{name} knows no helpful actions")
        if self.accept("+"):
            suffix = self.take("h", "hj")
        return Queue(name, feature, measure, k, helpful=bool(suffix), jumps=suffix == "hj")

    def novelty(self) -> tuple[str, str]:
        feature = self.take(*FEATURES)
        measures = FEATURES[feature].measures
        if not measures:
            return feature, ""
        self.take(",")
        return feature, self.take(*measures)


def _alternatives(choices: Sequence[str]) -> str:
    quoted = [choice if choice == _END else f"'{choice}'" for choice in choices]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} or {quoted[-1]}"
