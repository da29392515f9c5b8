"""Samples past memory: mapped, cached, read once."""
import json
import os
import subprocess
import time

import numpy as np
import pytest

from conftest import BIN, needs_little_memory

QUICK = ["--estimator", "mom", "--critic", "lipschitz", "--steps", 20, "--read-out", 5, "--quiet", "--json", "-"]


def samples(n, d, seed=0, shift=1.0):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((n, d)), rng.standard_normal((n, d)) + shift


def write_csv(path, rows):
    names = ",".join(f"c{k + 1}" for k in range(rows.shape[1]))
    with open(path, "w") as out:
        out.write(names + "\n")
        for row in rows:
            out.write(",".join(repr(float(value)) for value in row) + "\n")


def answer(run):
    """Everything but the clock and the names of the files."""
    assert run.code == 0, run.err
    result = json.loads(run.out)
    del result["run"]["seconds"]
    del result["asked"]["files"]
    return result


@pytest.fixture
def pair(tmp_path):
    """The same rows in every format."""
    for name, rows in zip("xy", samples(400, 3)):
        np.save(tmp_path / f"{name}.npy", rows)
        np.save(tmp_path / f"{name}-fortran.npy", np.asfortranarray(rows))
        (tmp_path / f"{name}.bin").write_bytes(rows.tobytes())
        write_csv(tmp_path / f"{name}.csv", rows)
    return tmp_path


@pytest.mark.parametrize("estimator", [["mom"], ["mou", "--critic", "exact"], ["plain"], ["mom", "--critic", "clipped"]])
def test_mapped_equals_read_bit_for_bit(motmot, pair, estimator):
    more = ["--steps", 30] if "clipped" in estimator else []
    common = ["--estimator", *estimator, *more, "--quiet", "--json", "-"]
    read = answer(motmot("distance", "x-fortran.npy", "y-fortran.npy", *common))
    assert answer(motmot("distance", "x.npy", "y.npy", *common)) == read
    assert answer(motmot("distance", "x.bin", "y.bin", "--raw", "float64,3", *common)) == read
    assert answer(motmot("distance", "x.npy", "y-fortran.npy", *common)) == read
    assert answer(motmot("distance", "x.csv", "y.csv", *common)) == read
    cached = ["distance", "x.csv", "y-fortran.npy", "--cache", "kept", *common]
    assert answer(motmot(*cached)) == read
    assert len(list((pair / "kept").iterdir())) == 2
    assert answer(motmot(*cached)) == read  # and from what the first run left


def test_a_cache_follows_its_file(motmot, pair):
    run = ["distance", "x.csv", "y.npy", "--cache", "kept", *QUICK]
    first = answer(motmot(*run))
    text = (pair / "x.csv").read_text().splitlines()
    (pair / "x.csv").write_text("\n".join(text[:1] + text[2:]) + "\n")
    second = answer(motmot(*run))
    assert second["asked"]["n"] == first["asked"]["n"] - 1
    assert second["value"] != first["value"]


def test_what_a_cache_cannot_do_is_said(motmot, pair):
    (pair / "words.csv").write_text("a,b,c\n1,2,three\n4,5,six\n")
    run = motmot("distance", "words.csv", "y.npy", "--cache", "kept", *QUICK)
    assert run.code == 2 and "'three' is not a number" in run.err
    run = motmot("distance", "x.csv", "y.csv", "--cache", "kept")
    assert run.code == 2 and "--cache does nothing here" in run.err
    run = motmot("distance", "-", "y.csv", "--cache", "kept", *QUICK, stdin=b"1,2,3\n")
    assert run.code == 2 and "cannot be cached" in run.err


@pytest.mark.parametrize("value", [np.nan, np.inf, 1e301])
def test_bad_values_of_mapped_files_are_named_as_those_of_read_ones(motmot, pair, value):
    rows, _ = samples(400, 3)
    rows[123, 1] = value
    np.save(pair / "bad.npy", rows)
    mapped = motmot("distance", "bad.npy", "y.npy", *QUICK)
    read = motmot("distance", "bad.npy", "y.npy", *QUICK, "--na", "12345678")
    assert mapped.code == read.code == 2
    assert mapped.err == read.err and "row 124" in mapped.err


@pytest.mark.parametrize("option, said", [("float64", "--raw must be TYPE,COLUMNS"), ("float16,3", "--raw must be TYPE"),
                                          ("float64,0", "--raw must be TYPE,COLUMNS"), ("float64,7", "no whole rows"),
                                          (None, "--raw TYPE,COLUMNS does")])
def test_raw_files_must_be_explained(motmot, pair, option, said):
    run = motmot("distance", "x.bin", "y.npy", *([] if option is None else ["--raw", option]))
    assert run.code == 2 and said in run.err and run.err.count("\n") == 1


@pytest.mark.parametrize("command", [["distance", "x.npy", "y.npy"], ["transport", "x.npy", "y.npy"], ["outliers", "x.npy"]])
def test_raw_needs_a_raw_file(motmot, pair, command):
    run = motmot(*command, "--raw", "float64,3")
    assert run.code == 2 and "--raw says what .bin and .raw files hold" in run.err


def test_a_file_that_is_cut_short_while_it_is_mapped_ends_the_run_with_a_sentence(tmp_path):
    for name, rows in zip("xy", samples(500_000, 20)):
        np.save(tmp_path / f"{name}.npy", rows)
    process = subprocess.Popen([BIN / "motmot", "distance", "x.npy", "y.npy", "--estimator", "mom", "--critic", "lipschitz",
                                "--steps", "1000000", "--quiet"], cwd=tmp_path, stderr=subprocess.PIPE)
    try:
        maps = f"/proc/{process.pid}/maps"
        while "y.npy" not in open(maps).read():
            assert process.poll() is None, process.stderr.read()
            time.sleep(0.05)
        time.sleep(1)
        os.truncate(tmp_path / "x.npy", 1_000_000)
        _, err = process.communicate(timeout=120)
    finally:
        process.kill()
    assert process.returncode == 2
    assert err.decode() == "motmot: 'x.npy' was cut short, or could not be read, while the run looked at it\n"


def anonymous_peak(arguments, cwd):
    """Largest RssAnon in MB while the command ran; its output."""
    process = subprocess.Popen([BIN / "motmot", *map(str, arguments)], cwd=cwd, stdout=subprocess.PIPE)
    peak = 0
    while process.poll() is None:
        try:
            status = open(f"/proc/{process.pid}/status").read()
            peak = max(peak, int(status.split("RssAnon:")[1].split()[0]) / 1024)
        except (FileNotFoundError, ProcessLookupError, IndexError):
            break
        time.sleep(0.002)
    out, _ = process.communicate()
    assert process.returncode == 0
    return peak, json.loads(out)


@needs_little_memory
def test_the_lipschitz_critic_does_not_copy_large_samples(tmp_path):
    for name, rows in zip("xy", samples(600_000, 20)):  # 192 MB, and 96 MB in float32
        np.save(tmp_path / f"{name}.npy", rows)
    peak, result = anonymous_peak(["distance", "x.npy", "y.npy", *QUICK, "--threads", 1], tmp_path)
    assert result["asked"]["n"] == 600_000
    assert peak < 90, peak


# ------------------------------------------------------------------------------------------ read once

def test_large_samples_are_read_once_and_drawn_from(motmot, tmp_path):
    for name, rows in zip("xy", samples(150_000, 1, shift=0.5)):  # one column: exact problems are quick
        np.save(tmp_path / f"{name}.npy", rows)
    run = ["distance", "x.npy", "y.npy", "--in-memory", 1000, "--permutations", 0]
    told = motmot(*run)
    assert told.code == 0, told.err
    assert "X (150000 rows) and Y (150000 rows)" in told.out
    words = " ".join(told.out.split())
    assert "All rows were read once and 100000 rows of X and 100000 rows of Y were drawn" in words
    assert "Fewer rows lie farther apart" in words
    result = answer(motmot(*run, "--quiet", "--json", "-"))
    assert result["asked"]["rows_read"] == {"x": 150_000, "y": 150_000}
    assert result["asked"]["n"] == 100_000 and result["asked"]["rows_used"]["x"] <= 10_000
    sizes = result["subsampling"]["sizes"]
    assert [size["rows"]["x"] for size in sizes] == sorted(size["rows"]["x"] for size in sizes)
    assert sizes[0]["chance"] > 2 * sizes[-1]["chance"] > 0
    assert abs(result["subsampling"]["all_rows"] - 0.5) < 0.04  # its sd is 0.01, and the seed is fixed


def test_the_draw_depends_on_rows_and_seed_alone(motmot, tmp_path):
    for name, rows in zip("xy", samples(120_000, 1)):
        np.save(tmp_path / f"{name}.npy", rows)
        write_csv(tmp_path / f"{name}.csv", rows)
    common = ["--in-memory", 1000, "--permutations", 0, "--quiet", "--json", "-"]
    first = answer(motmot("distance", "x.npy", "y.npy", *common, "--threads", 1))
    second = answer(motmot("distance", "x.csv", "y.csv", *common))
    del first["run"]["threads"], second["run"]["threads"]
    assert first == second
    other = answer(motmot("distance", "x.npy", "y.npy", *common, "--seed", 1))
    assert other["value"] != first["value"]


def test_tables_with_words_are_drawn_from_too(motmot, tmp_path):
    rng = np.random.default_rng(5)
    for name in "xy":
        levels = rng.choice(["a", "b", "c"], 110_000)
        with open(tmp_path / f"{name}.csv", "w") as out:
            out.write("level,size\n" + "".join(f"{level},{size:.3f}\n" for level, size in zip(levels, rng.random(110_000))))
    result = answer(motmot("distance", "x.csv", "y.csv", "--in-memory", 1000, "--time-limit", 5, "--quiet", "--json", "-"))
    assert result["asked"]["rows_read"]["x"] == 110_000 and result["asked"]["kinds"] == ["category", "number"]


@needs_little_memory
def test_memory_does_not_grow_with_what_is_read_once(tmp_path):
    with open(tmp_path / "x.csv", "w") as out:
        rows = "".join(f"{0.001 * k % 1:.6f},{0.37 * k % 1:.6f}\n" for k in range(200_000))
        for _ in range(15):
            out.write(rows)  # 3 million rows: 48 MB as doubles
    peak, result = anonymous_peak(["distance", "x.csv", "x.csv", "--in-memory", 1000, "--permutations", 0, "--tau", 0, "--quiet",
                                   "--json", "-", "--threads", 1, "--time-limit", 5], tmp_path)
    assert result["asked"]["rows_read"]["x"] == 3_000_000
    assert peak < 120, peak
