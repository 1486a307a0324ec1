"""The image does outside this tree what the planner does inside it: plans, limits, signals, and nothing of the host."""

from __future__ import annotations

import json
import os
import resource
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.image.measure import cpu_seconds, processes_naming, run
from tests.image.tree import EXAMPLES, ROOT

OUT_OF_MEMORY = (22, 24)
OUT_OF_TIME = (21, 23)
WRONG_ARGUMENTS = 36
MEGABYTE = 10**6
FEATURES = ["Derived", "UniversallyQuantified", "ExistentiallyQuantified", "Negative", "Imply"]

# the ways a competition or a user starts an image; {here} is the directory of the task
WAYS = {
    "run, everything contained": ["apptainer", "run", "-C", "-B", "{here}", "--pwd", "{here}", "{image}"],
    "run, contained in a home of its own": ["apptainer", "run", "-C", "-H", "{here}", "{image}"],
    "run, without home": ["apptainer", "run", "--no-home", "{image}"],
    "the image as a program": ["{image}"],
}


def validate(image: Path, here: Path, *files: object, **options: object) -> subprocess.CompletedProcess[str]:
    return run(["apptainer", "exec", image, "validate", *files], here, **options)


def test_its_own_test_passes(image: Path, tmp_path: Path) -> None:
    done = run(["apptainer", "test", image], tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


def test_it_is_small(image: Path) -> None:
    assert image.stat().st_size <= 200 * MEGABYTE


def test_its_grammar_is_compiled(image: Path, tmp_path: Path) -> None:
    assert run(["apptainer", "exec", image, "find", "/opt/numbat", "-name", "*.grammar"], tmp_path).stdout


def test_it_says_what_it_is(image: Path, tmp_path: Path) -> None:
    inspected = json.loads(run(["apptainer", "inspect", "--json", "--labels", image], tmp_path).stdout)
    labels = inspected["data"]["attributes"]["labels"]
    assert {"Name", "Description", "Authors", "License", "Tracks"} <= labels.keys()
    for feature in FEATURES:
        assert any(key.startswith(f"Supports{feature}") for key in labels), feature
    assert "apptainer run planner.sif" in run(["apptainer", "run-help", image], tmp_path).stdout


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.name)
def test_it_plans_in_another_directory(image: Path, tmp_path: Path, example: Path, way: str) -> None:
    shutil.copytree(example, tmp_path / "task")
    start = [word.format(here=tmp_path, image=image) for word in WAYS[way]]
    done = run([*start, "task/domain.pddl", "task/problem.pddl", "the plan", "--time", 60], tmp_path)
    assert done.returncode == 0, done.stderr
    verdict = validate(image, tmp_path, "task/domain.pddl", "task/problem.pddl", "the plan")
    assert verdict.returncode == 0, verdict.stdout + verdict.stderr
    (tmp_path / "the plan").write_text("")
    assert validate(image, tmp_path, "task/domain.pddl", "task/problem.pddl", "the plan").returncode != 0


@pytest.mark.parametrize("script", sorted(path.name for path in ROOT.glob("run-lnp-*")))
def test_competition_scripts_take_three_files_anywhere(image: Path, tmp_path: Path, script: str) -> None:
    place = tmp_path / "competition"
    (place / "packaging").mkdir(parents=True)
    shutil.copy(ROOT / script, place)
    shutil.copy(ROOT / "packaging/run-image.sh", place / "packaging")
    (place / "planner.sif").symlink_to(image)
    task = tmp_path / 'odd, "name":'
    shutil.copytree(ROOT / "examples/jugs", task)
    start = [place / script, task / "domain.pddl", task / "problem.pddl"]
    done = run([*start, tmp_path / "plan"], Path("/"))
    assert done.returncode in (0, 2), done.stderr
    shutil.copytree(task, tmp_path / "task")
    assert validate(image, tmp_path, "task/domain.pddl", "task/problem.pddl", "plan").returncode == 0
    assert run(start, Path("/")).returncode == WRONG_ARGUMENTS


def test_it_has_the_solver_of_patterns(image: Path, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "examples/jugs", tmp_path / "task")
    done = run([image, "task/domain.pddl", "task/problem.pddl", "plan", "--search", "patterns"], tmp_path)
    assert done.returncode == 0, done.stderr
    assert validate(image, tmp_path, "task/domain.pddl", "task/problem.pddl", "plan").returncode == 0


def test_python_of_the_host_does_not_get_in(image: Path, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "examples/jugs", tmp_path / "task")
    for name in ("numbat", "lark", "sitecustomize", "numbat_validate"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('the host got in')")
    hostile = os.environ | {"PYTHONPATH": str(tmp_path), "PYTHONHOME": "/nowhere", "PYTHONOPTIMIZE": "2"}
    done = run([image, "task/domain.pddl", "task/problem.pddl", "plan"], tmp_path, env=hostile)
    assert done.returncode == 0, done.stderr
    judged = validate(image, tmp_path, "task/domain.pddl", "task/problem.pddl", "plan", env=hostile)
    assert judged.returncode == 0, judged.stderr


def test_term_ends_everything_and_leaves_the_last_plan(image: Path, tmp_path: Path, tour: list[str]) -> None:
    plan = tmp_path / "plan"
    outer = subprocess.Popen(["apptainer", "run", image, *tour, plan, "--track", "satisficing"], cwd=tmp_path)
    deadline = time.monotonic() + 60
    while not plan.exists() and time.monotonic() < deadline:
        time.sleep(0.1)
    assert outer.poll() is None, "planning ended by itself"
    outer.send_signal(signal.SIGTERM)
    outer.wait(timeout=10)
    time.sleep(0.5)
    assert not processes_naming(str(plan))
    assert validate(image, tmp_path, *tour, plan).returncode == 0


def test_a_time_limit_holds_inside(image: Path, tmp_path: Path, endless: list[str]) -> None:
    started = time.monotonic()
    done = run([image, *endless, "plan", "--time", 8], tmp_path)
    assert done.returncode in OUT_OF_TIME, done.stderr
    assert time.monotonic() - started < 12
    assert not (tmp_path / "plan").exists()


def test_a_memory_limit_holds_inside(image: Path, tmp_path: Path, endless: list[str]) -> None:
    limit = 200 * MEGABYTE
    plan = tmp_path / "plan"
    limits = ["--memory", str(limit), "--time", "120", "--search", "S(hgc)"]
    peak = 0
    with subprocess.Popen([image, *endless, plan, *limits], cwd=tmp_path) as outer:
        while outer.poll() is None:
            peak = max(peak, sum(processes_naming(str(plan)).values()))
            time.sleep(0.05)
    assert outer.returncode in OUT_OF_MEMORY
    assert peak < 1.1 * limit


def test_limits_set_outside_reach_inside(image: Path, tmp_path: Path) -> None:
    eight_gigabytes = 8 << 30

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (eight_gigabytes, eight_gigabytes))

    shutil.copytree(ROOT / "examples/jugs", tmp_path / "task")
    seen = run(["apptainer", "exec", image, "sh", "-c", "ulimit -v"], tmp_path, preexec_fn=limit)
    assert int(seen.stdout) == eight_gigabytes // 1024
    done = run([image, "task/domain.pddl", "task/problem.pddl", "plan"], tmp_path, preexec_fn=limit)
    assert done.returncode == 0, done.stderr


def test_a_trivial_task_takes_at_most_a_second(image: Path, clone: Path, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "examples/jugs", tmp_path / "task")
    arguments = ["task/domain.pddl", "task/problem.pddl", "plan"]
    # by turns, so that what else the machine does disturbs both alike
    turns = [
        [cpu_seconds([start, *arguments], tmp_path, runs=1) for start in (image, clone / "plan.sh")] for _ in range(7)
    ]
    assert min(inside for inside, _ in turns) <= 1.0
    assert min(inside - outside for inside, outside in turns) < 0.5
