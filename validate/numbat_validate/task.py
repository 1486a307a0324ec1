"""A domain and a problem as one task, every schema translated once; what cannot be judged is refused by name."""

from numbat_validate.declare import NAME, Declarations
from numbat_validate.evaluate import Code, Compiler, Environment, translate
from numbat_validate.reader import File, Key, Node, Number, Source, parse, read_source, shorten

_DOMAIN = frozenset((":requirements", ":types", ":constants", ":predicates", ":functions", ":action"))
_PROBLEM = frozenset((":domain", ":requirements", ":objects", ":init", ":goal", ":metric", ":length"))
_UNSUPPORTED = frozenset((":durative-action", ":derived", ":axiom", ":constraints", ":process", ":event"))
TOTAL_TIME = "total-time"


class Schema:
    """A condition and effects ready to run: an action, or the goal, which has no parameters and no effects."""

    def __init__(self, node: Node, fields: dict[str, int], declared: Declarations) -> None:
        absent = len(node)
        node.append(Node(node.source))  # stands for every part that is left out
        variables = declared.variables(node.list_at(fields.get(":parameters", absent), "a list of parameters"))
        compiler = Compiler(declared, variables)
        self.parameters = [name for name, _ in variables]
        self.members = [frozenset(declared.members(types)) for _, types in variables]  # allowed for each parameter
        self.condition = compiler.conjunction(node, fields.get(":precondition", absent))
        self.effects = compiler.effects(node, fields.get(":effect", absent))
        self.template = compiler.template
        self.read = compiler.read


class Task:
    """Everything a plan is judged against."""

    def __init__(self, domain: Source, problem: Source) -> None:
        sections, schemas = _sections(domain, "domain", _DOMAIN)
        given, _ = _sections(problem, "problem", _PROBLEM)
        declared = Declarations(sections[":types"], sections[":predicates"], sections[":functions"])
        declared.add_objects(sections[":constants"])
        declared.add_objects(given[":objects"])
        self.objects = declared.objects
        self.actions: dict[str, Schema] = {}
        for node in schemas:
            name = node[1] if len(node) > 1 else ""
            if isinstance(name, Node) or not NAME.match(name) or name in self.actions:
                raise node.error("expected an action's name, not used before", 1)
            self.actions[name] = Schema(node, _fields(node), declared)
        self.facts: set[Key] = set()
        self.values: dict[Key, Number] = {}
        self._initialise(given[":init"], declared)
        if len(given[":goal"]) != 2:
            raise given[":goal"].error("expected one goal: (:goal condition)")
        self.goal = Schema(given[":goal"], {":precondition": 1}, declared)
        self.read = self.goal.read.union(*(action.read for action in self.actions.values()))
        self.counts_steps = TOTAL_TIME not in declared.signatures["function"]
        self.metric = _metric(given[":metric"], declared)
        self.maximizes = self.metric is not None and given[":metric"][1] == "maximize"

    def _initialise(self, section: Node, declared: Declarations) -> None:
        """Facts and values at the start; a value of an undeclared function is ignored."""
        compiler = Compiler(declared, [])
        denied: list[tuple[Key, Node]] = []
        for index in range(1, len(section)):
            item = section.list_at(index, "a fact or (= (function ...) number)")
            head = item.head()
            if head == "=":
                value = item.number_at(2) if len(item) == 3 else None
                if value is None:
                    raise item.error("expected (= (function ...) number)")
                fluent = item.list_at(1, "(function ...)", bare=True)
                if fluent.head() not in declared.signatures["function"]:
                    if fluent[0] in declared.signatures["predicate"] or not all(NAME.match(str(w)) for w in fluent):
                        raise item.error("expected a function of objects")
                    continue
                if self.values.setdefault(compiler.key(item, 1, "function")([]), value) != value:
                    raise item.error("this fluent has another value already")
            elif head == "not" and len(item) == 2:
                denied.append((compiler.key(item, 1, "predicate")([]), item))
            elif head == "at" and len(item) == 3 and isinstance(item[2], Node) and item.number_at(1) is not None:
                raise item.unsupported("a timed initial literal")
            else:
                self.facts.add(compiler.key(section, index, "predicate")([]))
        for key, item in denied:
            if key in self.facts:
                raise item.error("this fact is stated and denied")


def load(domain: File, problem: File) -> Task:
    return Task(read_source(domain), read_source(problem))


def _sections(source: Source, kind: str, known: frozenset[str]) -> tuple[dict[str, Node], list[Node]]:
    """The lists of `(define (kind name) (:section ...) ...)` by keyword, empty if absent, and the actions."""
    root = parse(source)
    title = root[1] if len(root) > 1 else root
    if root[:1] != ["define"] or not isinstance(title, Node) or not _names(title, kind):
        raise root.error(f"expected (define ({kind} name) ...)")
    sections = {keyword: Node(source) for keyword in known}
    actions: list[Node] = []
    for index in range(2, len(root)):
        section = root.list_at(index, "a section (:keyword ...)")
        keyword = section.head()
        if keyword in _UNSUPPORTED:
            raise section.unsupported(f"'{keyword}'")
        if keyword not in known or sections[keyword]:
            raise section.error(f"'{shorten(keyword)}' is no section of a {kind} or stands here twice")
        wrong = keyword == ":domain" and not _names(section, keyword)
        wrong |= keyword == ":length" and not _is_length(section)
        if wrong or (keyword == ":requirements" and not all(NAME.match(str(w)[1:]) and w[0] == ":" for w in section)):
            raise section.error("expected (:domain d), (:requirements :key ...) or (:length (:serial 5) (:parallel 3))")
        if keyword == ":action":
            actions.append(section)
        else:
            sections[keyword] = section
    return sections, actions


def _names(node: Node, word: str) -> bool:
    """Whether this is `(word name)`. Names of domains and problems are free, as nothing refers to them."""
    return len(node) == 2 and node[0] == word and isinstance(node[1], str) and node[1][0] not in "?:"


def _is_length(node: Node) -> bool:
    """Whether this is `(:length (:serial 5) (:parallel 3))`, each part at most once. No plan is judged by it."""
    lengths = {part[0]: part[1] for part in node[1:] if len(part) == 2 and part[0] in (":serial", ":parallel")}
    return len(lengths) == len(node) - 1 and all(isinstance(n, str) and n.isdecimal() for n in lengths.values())


def _fields(node: Node) -> dict[str, int]:
    """Where the parts of an action stand."""
    fields: dict[str, int] = {}
    for index in range(2, len(node), 2):
        keyword = str(node[index])
        if keyword not in (":parameters", ":precondition", ":effect") or keyword in fields or index + 1 == len(node):
            raise node.error("expected one each of :parameters, :precondition and :effect, with values", index)
        fields[keyword] = index + 1
    return fields


def _metric(section: Node, declared: Declarations) -> tuple[Code, Environment] | None:
    """The expression to report; `total-time`, if no function of that name is declared, counts the steps."""
    if not section:
        return None
    if len(section) != 3 or section[1] not in ("minimize", "maximize"):
        raise section.error("expected (:metric minimize expression) or maximize")
    declared.signatures["function"].setdefault(TOTAL_TIME, ())
    compiler = Compiler(declared, [])
    return translate(compiler.expression, section, 2), compiler.template
