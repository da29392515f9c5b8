"""Memory goes by the true size of the input, and by --memory-limit: a forecast before the work, a refusal behind it."""
import gzip
import json
import os
import resource
import struct
import subprocess
import zlib

import numpy
import pytest
from conftest import BIN, needs_little_memory


def refused(done):
    assert done.code == 2 and done.err.count("\n") == 1 and done.out == "", (done.code, done.err)
    return done.err


@pytest.fixture
def large(tmp_path):
    """40 000 x 20 numbers: 6.4 MB."""
    numpy.save(tmp_path / "x.npy", numpy.random.default_rng(1).normal(size=(40_000, 20)))
    numpy.savetxt(tmp_path / "x.csv", numpy.random.default_rng(1).normal(size=(4000, 20)), delimiter=",", fmt="%.3g")


@pytest.mark.parametrize("arguments", [["transport", "x.npy", "x.npy"], ["outliers", "x.npy"], ["matrix", "x.npy", "x.csv"],
                                       ["reference", "r.ref", "x.npy"], ["outliers", "x.csv", "--memory-limit", "1MB"]])
def test_what_is_too_large_to_be_read_is_refused_before(motmot, large, arguments):
    limit = [] if "--memory-limit" in arguments else ["--memory-limit", "8MB"]
    said = refused(motmot(*arguments, *limit))
    assert "reading 'x." in said and "would take about" in said and "are allowed (--memory-limit)" in said


@pytest.mark.parametrize("arguments", [["distance", "x.csv", "x.csv"], ["distance", "x.csv", "x.csv", "--estimator", "mom"],
                                       ["transport", "x.csv", "x.csv"], ["matrix", "x.csv", "y.csv"], ["compare", "x.csv", "x.csv"],
                                       ["outliers", "x.csv"], ["doctor", "x.csv", "x.csv"], ["reference", "r.ref", "x.csv"],
                                       ["check", "y.ref", "x.csv"], ["monitor", "y.ref", "x.csv", "--one-in", "5"]])
def test_work_that_takes_more_is_refused_before_it_begins(motmot, large, tmp_path, arguments):
    (tmp_path / "y.csv").write_text("\n".join((tmp_path / "x.csv").read_text().splitlines()[:100]))
    if "y.ref" in arguments:
        assert motmot("reference", "y.ref", "y.csv").code == 0
    limit = "13MB" if "doctor" in arguments else "15MB"
    said = refused(motmot(*arguments, "--memory-limit", limit))
    assert ": this would take about " in said and f", and {limit[:2]} MB are allowed (--memory-limit): compare fewer" in said
    assert not (tmp_path / "r.ref").exists()


@pytest.mark.parametrize("size", [["--n", "1000000000000"], ["--n", "4000000000", "--d", "4000000000"],
                                  ["--d", "18446744073709551615"], ["--n", "1000000", "--memory-limit", "20MB"]])
def test_rows_that_do_not_fit_are_not_generated(motmot, tmp_path, size):
    said = refused(motmot("generate", "d1", "--output", "toy", *size))
    assert ": this would take about " in said and "(--memory-limit): take fewer rows or columns, or allow more" in said
    assert not (tmp_path / "toy").exists()


@pytest.mark.parametrize("study", ["error", "convergence", "breakdown", "rate", "schemes"])
@pytest.mark.parametrize("more", [["--memory-limit", "10MB"], ["--repetitions", "18446744073709551615"]])
def test_a_study_that_does_not_fit_is_not_begun(motmot, tmp_path, study, more):
    said = refused(motmot("reproduce", study, "--quick", "--output", "out", "--report", "page.html", *more))
    assert ": this would take about " in said and "(--memory-limit): take fewer rows, repetitions or threads, or allow more" in said
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("rows, limit, remedy", [(10, "14MB", "take a smaller critic"), (900_000, "30MB", "evaluate fewer rows")])
def test_a_critic_that_does_not_fit_is_not_evaluated(motmot, tmp_path, rows, limit, remedy):
    (tmp_path / "critic.json").write_bytes(critic(hidden=[5000], weights=[0.5] * 20_001))
    numpy.save(tmp_path / "x.npy", numpy.zeros((rows, 2)))
    said = refused(motmot("evaluate", "critic.json", "x.npy", "--output", "phi.csv", "--memory-limit", limit))
    assert f"MB are allowed (--memory-limit): {remedy}, or allow more" in said
    assert not (tmp_path / "phi.csv").exists()


@pytest.mark.parametrize("size", ["0", "-1GB", "much", "1XB", "GB", "1e30", "nan"])
def test_a_size_is_a_positive_number_with_a_unit(motmot, large, size):
    assert "--memory-limit must be a size" in refused(motmot("outliers", "x.csv", f"--memory-limit={size}"))


def test_enough_memory_changes_nothing(motmot, toy):
    answers = [motmot("distance", "toy/x.csv", "toy/y.csv", *limit).out for limit in ([], ["--memory-limit", "1.5GB"], ["--memory-limit", "900M"])]
    assert answers[0] == answers[1] == answers[2] and answers[0]


@needs_little_memory
@pytest.mark.parametrize("command", ["outliers", "distance"])
def test_what_no_forecast_sees_is_held_all_the_same(motmot, tmp_path, command):
    """40 kB that unpack to 20 million rows."""
    (tmp_path / "x.csv.gz").write_bytes(gzip.compress(b"1\n" * 20_000_000, 6))
    files = ["x.csv.gz", "x.csv.gz"] if command == "distance" else ["x.csv.gz"]
    if command == "distance":
        files += ["--estimator", "plain"]
    assert "memory" in refused(motmot(command, *files, "--memory-limit", "100MB"))


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def critic(**fields):
    return json.dumps({"motmot_critic": 1, "kind": "clipped", "dimension": 2, "hidden": [4], "weights": [0.5] * 17, **fields}).encode()


def npy(shape, data):
    head = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}".ljust(117).encode() + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head + data


SMALL = {  # files of at most 1 kB that claim much
    "a.npy": npy("(1000000000, 1000)", b"\0" * 64),
    "b.npy": npy("(1, 2305843009213693951)", b"\0" * 64),
    "a.idx": b"\0\0\x08\x03" + struct.pack(">III", 1, 0xffffffff, 1000) + b"abc",
    "a.npy.gz": gzip.compress(npy("(1000000000, 1000)", b"\0" * 64)),
    "b.npy.gz": gzip.compress(npy("(100, 1000)", b"\0" * 800_000)),
    "a.csv": b"," * 1000,
    "b.csv": b"1\n" + b"\n" * 1000,
    "c.csv": b'"' * 1000,
    "a.json": critic(hidden=[1048576, 1048576]),
    "b.json": critic(dimension=1 << 40),
    "c.json": b"[" * 1000,
    "a.ref": b"motmot reference 3 sha256 " + b"0" * 64 + b"\n{}",
}


@needs_little_memory
@pytest.mark.parametrize("name", SMALL)
def test_a_file_of_1_kB_takes_no_gigabyte_and_no_minute(tmp_path, name):
    (tmp_path / name).write_bytes(SMALL[name])
    (tmp_path / "y.csv").write_text("1,2\n3,4\n")
    assert len(SMALL[name]) <= 1024
    command = {"json": ["evaluate", name, "y.csv"], "ref": ["check", name, "y.csv"]}.get(name.split(".")[-1], ["outliers", name])
    done = subprocess.run([BIN / "motmot", *command, "--memory-limit", "2GB"], cwd=tmp_path, capture_output=True, timeout=60,
                          env={**os.environ, "MOTMOT_CORES": "1"}, text=True,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30)))
    assert done.returncode in (0, 2) and "memory" not in done.stderr and done.stderr.count("\n") == (done.returncode == 2), done.stderr
