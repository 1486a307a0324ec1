"""Which actions may be executed several times in a row at one position of a pattern.

Definition   rules R1 to R5: some increase changes something (R1); no increase depends on what the action writes (R2);
             nor does an assigned value (R3); no precondition reads an assigned variable (R4);
             no needed fact is destroyed (R5). Disjunctions count with everything they mention
Consequence  before run j of k every numeric precondition has the value L + j * D with one and the same D, so the first
             and the last run imply all between: one row, `L + min(0, D) * (k - 1) >= 0`, where the sign of D is known
Amounts      R2 here allows amounts that depend on variables the action does not write. Where such an amount is not a
             constant at the position, the effect of k runs is a product
Guarantee    executing an action once is always allowed, so a rule that is too strict loses no plan
"""

from __future__ import annotations

from numbat.engines.patterns.reduce import Action, Change, Model


def may_repeat(model: Model, action: Action) -> bool:
    """Rules R1 to R5; an action with conditional effects is not repeated."""
    if len(action.blocks) != 1 or action.blocks[0].condition != 0:
        return False
    block = action.blocks[0]
    increases = [change for change in block.changes if not change.assign]
    assigned = {change.variable for change in block.changes if change.assign}
    written = {change.variable for change in block.changes}
    atoms = model.atoms_below(action.precondition)
    destroyed = {2 * fact for fact in block.deletes} | {2 * fact + 1 for fact in block.adds}
    reads_assigned = any(
        variable in assigned
        for atom in atoms
        if (form := model.condition(atom)) is not None
        for variable, _ in form.terms
    )
    return (
        bool(increases)
        and not any(_reads(change, written) for change in block.changes)
        and not reads_assigned
        and not atoms & destroyed
    )


def _reads(change: Change, variables: set[int]) -> bool:
    return any(variable in variables for variable, _ in change.form.terms)
