"""The same experiment on a Slurm cluster, through Downward Lab (`lab` on PyPI).

Submission   a folder cluster-N beside the results: one Downward Lab run per run of ours, a job array in Slurm
A run        on its node, `python -m numbat.lab.cluster FILE` does the job described in the file with the lab's own
             accounting and judgement (runs.py) and writes the record beside it
Collecting   this process follows the queue and appends records to the file of results as they appear
Resuming     submissions that are still queued are followed, not repeated; finished runs are never repeated; a run that
             the cluster lost has no record and is submitted again by the same command. Ctrl-C cancels what is queued
Demands      the experiment's folder, the planner and the tasks on a file system that all nodes see
"""

from __future__ import annotations

import contextlib
import importlib
import json
import logging
import math
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from types import ModuleType
from typing import Any

from numbat import isolated
from numbat.errors import ConfigurationError
from numbat.lab import results, runs
from numbat.lab.experiment import Experiment
from numbat.lab.planners import WALL_FACTOR, Planner
from numbat.lab.progress import Progress
from numbat.lab.results import Appender, Record
from numbat.lab.runs import Job
from numbat.lab.suites import SuiteTask

LARGEST_ARRAY = 1000
OVERHEAD_MEMORY = 256
OVERHEAD_MINUTES = 2
POLL_SECONDS = 1.0
JOB_FILE, RECORD_FILE, ID_FILE = "job.json", "record.json", "slurm-id"


def run(experiment: Experiment, partition: str) -> int:
    """Do on the cluster what is not done yet; the number of runs that have no record afterwards."""
    _require("sbatch")
    jobs = experiment.jobs()
    with results.appending(experiment.folder) as file:
        gathering = _Gathering(experiment.folder, file, jobs)
        for submission in _submissions(experiment.folder):
            gathering.follow(submission)
        waiting = gathering.missing()
        if waiting:
            submission = _submit(waiting, experiment.folder, partition)
            with _withdrawn_on_interrupt(submission):
                gathering.follow(submission)
        gathering.progress.close()
        return len(gathering.missing())


class _Gathering:
    """Records on their way from run folders into the file of results."""

    def __init__(self, folder: Path, file: Appender, jobs: Sequence[Job]) -> None:
        self._folder = folder
        self._file = file
        self._jobs = jobs
        self._keys = {record.key for record in file.finished}
        mine = {job.key for job in jobs}
        self.progress = Progress(len(jobs), [record for record in file.finished if record.key in mine])

    def missing(self) -> list[Job]:
        return [job for job in self._jobs if job.key not in self._keys]

    def follow(self, submission: Path) -> None:
        """Collect a submission's records until it has left the queue and all are read."""
        while True:
            queued = _is_queued(submission)
            for path in sorted(submission.glob(f"runs-*/*/{RECORD_FILE}")):
                record = Record(**json.loads(path.read_text(encoding="utf-8")))
                if record.key not in self._keys:
                    self._file.append(record)
                    self._keys.add(record.key)
                    self.progress.add(record)
            if not queued:
                return
            time.sleep(POLL_SECONDS)


def _submissions(folder: Path) -> list[Path]:
    return sorted(path.parent for path in folder.glob(f"cluster-*/{ID_FILE}"))


def _is_queued(submission: Path) -> bool:
    """Whether any of its tasks waits or runs; the queue forgets a job some time after its end."""
    command = ["squeue", "--noheader", "--jobs", (submission / ID_FILE).read_text(encoding="utf-8")]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    return answer.returncode == 0 and bool(answer.stdout.strip())


@contextlib.contextmanager
def _withdrawn_on_interrupt(submission: Path) -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt:
        subprocess.run(["scancel", (submission / ID_FILE).read_text(encoding="utf-8")], check=False)
        raise


def _require(program: str) -> None:
    if shutil.which(program) is None:
        raise ConfigurationError(f"Slurm's {program} is not installed here")


def _import(name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise ConfigurationError("the cluster needs Downward Lab: pip install 'numbat[cluster]'") from error


def _submit(jobs: Sequence[Job], folder: Path, partition: str) -> Path:
    """Hand the jobs to Slurm as one array; the folder of the submission."""
    experiments = _import("lab.experiment")
    logging.getLogger().setLevel(logging.WARNING)
    number = 1 + len(list(folder.glob("cluster-*/")))
    path = (folder / f"cluster-{number}").resolve()
    environment = _environment(jobs, partition)
    experiment = experiments.Experiment(path=str(path), environment=environment)
    command = [*isolated.command("numbat.lab.cluster"), JOB_FILE]
    for job in jobs:
        one = experiment.add_run()
        one.set_property("id", list(map(str, job.key)))
        one.add_new_file("", JOB_FILE, encode(job))
        one.add_command("run", command)
    experiment.add_step("start", experiment.start_runs)
    experiment.build()
    environment.run_steps(experiment.steps)
    return path


def _environment(jobs: Sequence[Job], partition: str) -> Any:
    """Downward Lab's Slurm environment for jobs with these limits."""
    base: Any = _import("lab.environments").SlurmEnvironment

    def submit(self: Any, job_file: Path, dependency: str | None = None) -> str:
        # Noted at once, so that a submission is never forgotten.
        identity = str(base._submit_job(self, job_file, dependency))
        Path(self.exp.path, ID_FILE).write_text(identity, encoding="utf-8")
        return identity

    slurm = type("Slurm", (base,), {"MAX_TASKS": LARGEST_ARRAY, "DEFAULT_QOS": "normal", "_submit_job": submit})
    memory = max(job.memory for job in jobs) * runs.GRACE_MEMORY / 2**20 + OVERHEAD_MEMORY
    wall = max(job.time for job in jobs) * WALL_FACTOR + runs.WALL_SECONDS
    per_task = math.ceil(len(jobs) / LARGEST_ARRAY)
    return slurm(
        partition=partition,
        memory_per_cpu=f"{math.ceil(memory)}M",
        time_limit_per_task=str(OVERHEAD_MINUTES + math.ceil(wall * per_task / 60)),
        randomize_task_order=False,
    )


def encode(job: Job) -> str:
    """A job as JSON, paths absolute."""
    task = {
        "domain": job.task.domain,
        "problem": job.task.problem,
        "domain_file": str(job.task.domain_file.resolve()),
        "problem_file": str(job.task.problem_file.resolve()),
    }
    planner = {**asdict(job.planner), "command": list(job.planner.command)}
    root = str(job.root.resolve())
    return json.dumps({"planner": planner, "task": task, "time": job.time, "memory": job.memory, "root": root})


def decode(text: str) -> Job:
    values = json.loads(text)
    task, planner = values["task"], values["planner"]
    return Job(
        planner=Planner(**{**planner, "command": tuple(planner["command"])}),
        task=SuiteTask(task["domain"], task["problem"], Path(task["domain_file"]), Path(task["problem_file"])),
        time=values["time"],
        memory=values["memory"],
        root=Path(values["root"]),
    )


def main(job_file: Path) -> int:
    """On a node: do the job, and leave its record beside it, whole or not at all."""
    record = runs.execute(decode(job_file.read_text(encoding="utf-8")))
    partial = job_file.with_name(f"{RECORD_FILE}.partial")
    partial.write_text(json.dumps(asdict(record)), encoding="utf-8")
    partial.replace(job_file.with_name(RECORD_FILE))
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
