"""An outcome claims nothing that it has no proof of."""

from __future__ import annotations

import pickle

import pytest

from numbat.engines.outcome import Basis, Outcome, Proof, Status

PROOF = Proof(Basis.EXHAUSTION)
CLAIMS = {Status.UNSOLVABLE, Status.OPTIMAL, Status.NONE_BETTER}


@pytest.mark.parametrize("status", Status)
def test_a_claim_and_its_proof_go_together(status: Status) -> None:
    given, lacking = (PROOF, None) if status in CLAIMS else (None, PROOF)
    outcome = Outcome(status, proof=given)
    assert pickle.loads(pickle.dumps(outcome)) == outcome
    with pytest.raises(ValueError, match="proof"):
        Outcome(status, proof=lacking)


@pytest.mark.parametrize("status", [Status.GAVE_UP, Status.OUT_OF_TIME, Status.OUT_OF_MEMORY])
def test_only_who_found_a_plan_has_one(status: Status) -> None:
    assert not Outcome(status).has_plan
    with pytest.raises(ValueError, match="no plan"):
        Outcome(status, (1, 2))
