"""The manual page and the completions have every option that help has, and the shells take them."""
import re
import shutil
import subprocess

import pytest

SHELLS = ["bash", "zsh", "fish"]


def options_in_help(motmot):
    """{command: its options}, as the help of every command shows them."""
    def walk(words):
        text = motmot(*words, "--help").out
        below = re.findall(r"^  (\w+) ", text.split("Subcommands:")[1].split("\n\n")[0], re.M) if "Subcommands:" in text else []
        found = {" ".join(words): set(re.findall(r"^  (?:-\w,)?(--[\w-]+)", text, re.M))}
        for word in below:
            found.update({} if word == "gan" else walk([*words, word]))
        return found
    return walk([])


def test_every_option_of_the_help_is_in_the_manual(motmot):
    page = motmot("man").out.replace("\\-", "-")
    for command, options in options_in_help(motmot).items():
        if not command:
            continue
        section = page.split(f".SS motmot {command}", 1)[1].split(".SS")[0]
        shown = set(re.findall(r"^\\fB(?:-\w,)?(--[\w-]+)", section, re.M))
        assert shown == options, command


def shown_by(script, shell, command):
    if shell == "bash":
        quoted = f"'{command}'" if " " in command or not command else command
        return set(re.search(rf"^ +{quoted}\) options='([^']*)'", script, re.M).group(1).split())
    if shell == "zsh":
        body = script.split("_" + "_".join(["motmot", *command.split()]) + "() {\n")[1].split("\n}\n")[0]
        return set(re.findall(r"^    '?(--[\w-]+)", body, re.M))
    when = "__fish_use_subcommand" if not command else "'" + "; and ".join(
        f"__fish_seen_subcommand_from {word}" for word in reversed(command.split())) + "'"
    return {"--" + name for name in re.findall(rf"^complete -c motmot -n {re.escape(when)} -l ([\w-]+)", script, re.M)}


@pytest.mark.parametrize("shell", SHELLS)
def test_every_option_of_the_help_is_completed(motmot, shell):
    script = motmot("completion", shell).out
    for command, options in options_in_help(motmot).items():
        assert shown_by(script, shell, command) == options, command


@pytest.mark.parametrize("shell", SHELLS)
def test_the_shell_takes_the_script(motmot, tmp_path, shell):
    if shutil.which(shell) is None:
        pytest.skip(f"no {shell} here")
    (tmp_path / "script").write_text(motmot("completion", shell).out)
    done = subprocess.run([shell, "-n", tmp_path / "script"], capture_output=True, text=True)
    assert done.returncode == 0 and done.stderr == "", done.stderr


@pytest.mark.parametrize("line,want", [
    ("motmot dis", "distance"), ("motmot distance a.csv b.csv --est", "--estimator"), ("motmot distance --scheme sw", "swor"),
    ("motmot reproduce br", "breakdown"), ("motmot reproduce error --rep", "--report --repetitions"), ("motmot generate far", "far"),
    ("motmot distance x", "")])
def test_bash_completes(motmot, tmp_path, line, want):
    (tmp_path / "script").write_text(motmot("completion", "bash").out)
    ask = f'source ./script; COMP_WORDS=({line}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); _motmot; echo "${{COMPREPLY[*]}}"'
    assert subprocess.run(["bash", "-c", ask], cwd=tmp_path, capture_output=True, text=True).stdout.strip() == want


@pytest.mark.skipif(shutil.which("groff") is None, reason="no groff here")
def test_groff_has_nothing_to_say_about_the_manual(motmot):
    page = motmot("man").out
    done = subprocess.run(["groff", "-man", "-ww", "-Tutf8"], input=page, capture_output=True, text=True)
    assert done.stderr == "" and "Exit codes" in done.stdout and "toy/x.csv" in done.stdout
