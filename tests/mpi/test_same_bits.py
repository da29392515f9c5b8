"""One, two, three ranks and none: the same answers, bit for bit."""
import numpy as np
import pytest
from conftest import answer_of

COMMON = ["--quiet", "--json", "-", "--threads", 1, "--seed", 5]
CASES = {
    "clipped shuffle": ["--estimator", "mom", "--critic", "clipped", "--steps", 4, "--blocks", 20, "--hidden", "8,4"],
    "clipped partition": ["--estimator", "mou", "--critic", "clipped", "--scheme", "partition", "--steps", 3, "--blocks", 21, "--hidden", 8],
    "clipped swor": ["--estimator", "mou-diag", "--critic", "clipped", "--scheme", "swor", "--steps", 3, "--blocks", 31, "--block-size", 100,
                     "--hidden", 8],
    "clipped pairs": ["--estimator", "mou", "--critic", "clipped", "--scheme", "pairs", "--steps", 3, "--blocks", 11, "--pairs", 500, "--hidden", 8],
    "clipped plain": ["--estimator", "plain", "--critic", "clipped", "--steps", 3, "--hidden", 8],
    "lipschitz mom": ["--estimator", "mom", "--critic", "lipschitz", "--steps", 6, "--read-out", 7],
    "lipschitz mou": ["--estimator", "mou", "--critic", "lipschitz", "--steps", 4, "--read-out", 7, "--blocks", 101],
    "auto": ["--estimator", "mou-diag", "--steps", 3, "--read-out", 5],
}


@pytest.mark.parametrize("case", CASES)
def test_rows_split_over_ranks(motmot, large, case):
    words = ["distance", "x.npy", "y.npy", *CASES[case], *COMMON]
    alone, run = answer_of(motmot(0, *words))
    assert run["ranks"] == 1 and run["bytes_sent"] == 0
    for ranks in (1, 2, 3):
        answer, run = answer_of(motmot(ranks, *words))
        assert answer == alone, (case, ranks)
        assert run["ranks"] == ranks
        assert (run["bytes_sent"] > 0) == (ranks > 1)


def test_traffic_of_a_step_is_block_means_and_one_gradient(motmot, large):
    words = ["distance", "x.npy", "y.npy", *CASES["clipped shuffle"], *COMMON]
    _, run = answer_of(motmot(2, *words))
    weights = 5 * 8 + 8 + 8 * 4 + 4 + 4 + 1
    assert run["bytes_a_step"] == 2 * (40 * 8 + weights * 4)  # up and down


def test_tables_that_cannot_be_mapped_are_split_too(motmot, large):
    for name in ("x", "y"):
        np.savetxt(large / f"{name}.csv", np.load(large / f"{name}.npy"), delimiter=",", fmt="%.17g")
    words = [*CASES["clipped shuffle"], *COMMON]
    alone, _ = answer_of(motmot(0, "distance", "x.npy", "y.npy", *words))
    answer, run = answer_of(motmot(2, "distance", "x.csv", "y.csv", *words))
    assert answer["value"] == alone["value"] and run["bytes_a_step"] > 0


def test_the_first_rank_makes_the_cache(motmot, large):
    for name in ("x", "y"):
        np.savetxt(large / f"{name}.csv", np.load(large / f"{name}.npy"), delimiter=",", fmt="%.17g")
    words = ["distance", "x.csv", "y.csv", *CASES["lipschitz mom"], *COMMON]
    alone, _ = answer_of(motmot(0, *words))
    answer, run = answer_of(motmot(2, *words, "--cache", "kept"))
    assert answer == alone and run["bytes_a_step"] > 0
    assert len(list((large / "kept").glob("*.motmot"))) == 2


def test_trace_rows_and_critic_are_the_same(motmot, large):
    words = ["distance", "x.npy", "y.npy", *CASES["lipschitz mom"], "--quiet", "--threads", 1]
    outputs = []
    for ranks in (0, 3):
        job = motmot(ranks, *words, "--trace", f"t{ranks}.csv", "--rows", f"r{ranks}.csv", "--save-phi", f"p{ranks}.json")
        assert job.code == 0, job.err
        outputs.append([(large / name).read_bytes() for name in (f"t{ranks}.csv", f"r{ranks}.csv", f"p{ranks}.json")])
    assert outputs[0] == outputs[1]


def test_permutations_are_spread(motmot, tmp_path):
    rng = np.random.default_rng(1)
    np.savetxt(tmp_path / "x.csv", rng.normal(size=(150, 3)), delimiter=",")
    np.savetxt(tmp_path / "y.csv", rng.normal(size=(120, 3)) + 0.1, delimiter=",")
    words = ["distance", "x.csv", "y.csv", *COMMON]
    alone, _ = answer_of(motmot(0, *words))
    for ranks in (1, 2, 3):
        answer, run = answer_of(motmot(ranks, *words))
        assert answer == alone and (run["bytes_sent"] > 0) == (ranks > 1)


def test_pairs_of_a_matrix_are_spread(motmot, tmp_path):
    rng = np.random.default_rng(2)
    names = [f"s{k}.csv" for k in range(5)]
    for k, name in enumerate(names):
        np.savetxt(tmp_path / name, rng.normal(size=(60 + k, 2)) + k / 3, delimiter=",")
    words = ["matrix", *names, "--quiet", "--json", "-", "--seed", 2]
    alone, _ = answer_of(motmot(0, *words))
    for ranks in (1, 2, 3):
        answer, run = answer_of(motmot(ranks, *words))
        assert answer == alone and run["ranks"] == ranks


def test_cells_of_a_study_are_spread(motmot, tmp_path):
    words = ["reproduce", "error", "--data", "d1", "--tau", "0,0.1", "--blocks", "1,10", "--repetitions", 2, "--n", 60, "--hidden", 4,
             "--steps", 30, "--quiet"]
    outputs = {}
    for ranks in (0, 1, 2, 3):
        job = motmot(ranks, *words, "--output", f"o{ranks}")
        assert job.code == 0, job.err
        outputs[ranks] = {name: (tmp_path / f"o{ranks}" / name).read_bytes() for name in ("error.csv", "error-summary.csv", "error-claims.md")}
    assert outputs[0] == outputs[1] == outputs[2] == outputs[3]
    # Another number of ranks finds the cells finished.
    job = motmot(2, *words[:-1], "--output", "o3")
    assert job.code == 0 and "found finished" in job.out and job.out.count("error:") == 1


@pytest.mark.parametrize("study", ["rate", "schemes"])
def test_cells_of_theory_are_spread(motmot, tmp_path, study):
    grids = {"rate": ["--laws", "shift", "--d", 2, "--n", "40,80", "--tau", 0, "--alpha", 0.5, "--estimators", "plain,mom", "--rules", "default"],
             "schemes": ["--laws", "shift", "--estimators", "mom", "--schemes", "shuffle,swor", "--blocks", 11, "--sizes", 1, "--n", 60]}
    words = ["reproduce", study, *grids[study], "--repetitions", 3, "--quiet"]
    outputs = []
    for ranks in (0, 2, 3):
        job = motmot(ranks, *words, "--output", f"o{ranks}")
        assert job.code == 0, job.err
        text = (tmp_path / f"o{ranks}" / f"{study}.csv").read_text()
        if study == "schemes":  # but for the seconds, its last column
            text = "\n".join(line.rpartition(",")[0] for line in text.splitlines())
        outputs.append(text)
    assert outputs[0] == outputs[1] == outputs[2]
    job = motmot(2, *words[:-1], "--output", "o3")
    assert job.code == 0 and "found finished" in job.out and job.out.count(f"{study}:") == 1
