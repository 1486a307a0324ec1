"""The same experiment on a real Slurm: one node, started here, on loopback."""

from __future__ import annotations

import importlib.util
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from numbat.errors import ConfigurationError
from numbat.lab import cluster, planners, results, suites
from numbat.lab.cli import main
from numbat.lab.runs import Job
from tests.lab.conftest import write_planners, write_suite

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "setpriv")
SLURM_HERE = os.geteuid() == 0 and all(map(shutil.which, PROGRAMS)) and importlib.util.find_spec("lab") is not None
CONFIGURATION = """
ClusterName=test
SlurmctldHost=localhost(127.0.0.1)
SlurmUser=root
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=task=1
JobAcctGatherParams=OverMemoryKill
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
AccountingStorageType=accounting_storage/none
MpiDefault=none
ReturnToService=2
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
NodeName=localhost NodeAddr=127.0.0.1 CPUs={cpus} RealMemory={memory}
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""
ROOT = Path(__file__).resolve().parents[2]
GOOD = "plan.write_text('(ring)\\n' * rings)\n"


def start(folder: Path, *command: str) -> subprocess.Popen[bytes]:
    log = (folder / f"{Path(command[0]).name}.log").open("wb")
    return subprocess.Popen(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL)


@pytest.fixture(scope="module")
def slurm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The three daemons in the foreground; SLURM_CONF names their configuration."""
    folder = tmp_path_factory.mktemp("slurm")
    (folder / "state").mkdir()
    (folder / "spool").mkdir()
    pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") >> 20
    text = CONFIGURATION.format(folder=folder, cpus=os.cpu_count(), memory=pages // 2)
    (folder / "slurm.conf").write_text(text)
    patch = pytest.MonkeyPatch()
    patch.setenv("SLURM_CONF", str(folder / "slurm.conf"))
    daemons = []
    if not Path("/run/munge/munge.socket.2").exists():
        Path("/run/munge").mkdir(exist_ok=True)
        shutil.chown("/run/munge", "munge", "munge")
        as_munge = ("setpriv", "--reuid=munge", "--regid=munge", "--clear-groups")
        daemons.append(start(folder, *as_munge, "munged", "--foreground"))
        time.sleep(0.5)
    daemons.append(start(folder, "slurmctld", "-D", "-i"))
    daemons.append(start(folder, "slurmd", "-D", "-N", "localhost"))
    try:
        patience = time.monotonic() + 60
        while "idle" not in subprocess.run(["sinfo", "-h", "-o", "%t"], capture_output=True, text=True).stdout:
            assert time.monotonic() < patience, (folder / "slurmctld.log").read_text()
            time.sleep(0.2)
        yield folder
    finally:
        for daemon in reversed(daemons):
            daemon.terminate()
            try:
                daemon.wait(timeout=10)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
        patch.undo()


def on_cluster(tmp_path: Path, body: str, problems: int = 3) -> list[str]:
    table = write_planners(tmp_path / "planners", mine=body, spin="while True: pass\n")
    suite = write_suite(tmp_path, problems)
    options = ["--time", "2", "--memory", "200M", "-o", str(tmp_path / "out"), "--planners", str(table)]
    return ["run", str(suite), "-p", "mine", *options, "--slurm", "main"]


needs_slurm = pytest.mark.skipif(not SLURM_HERE, reason="no Slurm, no Downward Lab or not root")


@pytest.mark.slow
@needs_slurm
def test_an_experiment_on_slurm(slurm: Path, tmp_path: Path) -> None:
    arguments = on_cluster(tmp_path, GOOD)
    assert main([*arguments, "-p", "spin"]) == 0
    records = {(record.planner, record.problem): record for record in results.read(tmp_path / "out")}
    assert len(records) == 6
    for (planner, problem), record in records.items():
        assert record.unexplained == ""
        assert record.outcome == ("solved" if planner == "mine" else "out-of-time")
        if planner == "mine":
            assert record.length == int(problem.removeprefix("p"))
            assert (tmp_path / "out" / record.log / "plan").is_file()
    assert main([*arguments, "-p", "spin"]) == 0  # nothing is left to do
    assert len(list((tmp_path / "out").glob("cluster-*/"))) == 2  # the submission and Downward Lab's scripts for it


@pytest.mark.slow
@needs_slurm
def test_a_submission_outlives_its_submitter(slurm: Path, tmp_path: Path) -> None:
    arguments = on_cluster(
        tmp_path, f"Path('{tmp_path}', f'started-{{rings}}-{{os.getpid()}}').touch()\ntime.sleep(3)\n" + GOOD
    )
    submitter = subprocess.Popen([sys.executable, "-I", "-m", "numbat", "lab", *arguments], cwd=ROOT)
    while not list(tmp_path.glob("started-*")):
        assert submitter.poll() is None
        time.sleep(0.1)
    submitter.send_signal(signal.SIGKILL)
    submitter.wait()
    assert main(arguments) == 0
    records = results.read(tmp_path / "out")
    assert sorted(record.problem for record in records) == ["p1", "p2", "p3"]
    assert len(list(tmp_path.glob("started-*"))) == 3  # nothing was run twice


def test_a_job_travels_as_text(tmp_path: Path) -> None:
    (task,) = suites.select([str(write_suite(tmp_path))])
    for name in ("S(hadd)", "enhsp:sat-hadd"):
        planner = planners.FOREIGN.get(name) or planners.ours(name)
        job = Job(planner, task, 10.0, 1 << 30, tmp_path)
        again = cluster.decode(cluster.encode(job))
        assert again.key == job.key and again.log == job.log
        assert again.planner.command == planner.command
        assert again.planner.read_statistics("Expanded Nodes: 7") == planner.read_statistics("Expanded Nodes: 7")


def test_without_slurm_the_error_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ConfigurationError, match="sbatch is not installed"):
        main(["run", str(write_suite(tmp_path)), "--slurm", "main", "-o", str(tmp_path / "out")])
