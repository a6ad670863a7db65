#!/usr/bin/env python3
"""Help, manual pages and completion have every command and option that the program tells of in `--help`, and shells complete them.

    tests/tools/shell_test.py PROGRAM
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
from pathlib import Path

PROGRAM = ""
NAME = re.compile(r"^  ((?:-{1,2}[a-z][a-z-]*)(?:,-{1,2}[a-z][a-z-]*)*)", re.MULTILINE)

# Asks for the completion of the words that follow, as a user's shell would be asked after a tab.
BASH = """source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _tactus; printf '%s\\n' "${COMPREPLY[@]}" """
FISH = 'source $argv[1]; complete -C "$argv[2]"'
# What `compadd` and `_describe` are given is printed; the library of completion is that of zsh itself.
ZSH = r"""
zmodload zsh/zpty
zpty work zsh -f
zpty -w work "PS1='' PS2=''; fpath=($2 \$fpath); autoload -U compinit; compinit -u -d $2/dump; unsetopt zle_bracketed_paste 2>/dev/null"
zpty -w work "zstyle ':completion:*' list-prompt ''; zstyle ':completion:*' verbose no; LISTMAX=0; COLUMNS=60; LINES=500"
zpty -w work "compadd () { if [[ \${*} == *-[OAD]\ * ]]; then builtin compadd \"\$@\"; return; fi; local -a __hits; builtin compadd -O __hits \"\$@\"; print -l -- '<<'\$^__hits'>>' }"
zpty -w work "done_with () { print -- '<<end>''>'; zle -I }; zle -N done_with; bindkey '^G' done_with; print ready''!"
zpty -r work all '*ready!*'
zpty -n -w work "$3"$'\t\a'
zpty -r work all '*<<end>>*'
print -r -- "$all"
zpty -d work
"""


def output(*command, folder=None) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=60)
    if done.returncode != 0:
        raise AssertionError(f"{command}: {done.returncode}: {done.stderr}")
    return done.stdout


def section(text: str, title: str) -> str:
    """The lines after a title of a help text, up to the next blank line."""
    at = text.find(f"\n{title}:\n")
    return "" if at < 0 else text[at + len(title) + 3 :].split("\n\n")[0] + "\n"


class Command:
    """A command, as its --help tells."""

    def __init__(self, words: list[str]):
        self.words = words
        help_text = output(PROGRAM, *words, "--help")
        self.options = sorted(name for names in NAME.findall(section(help_text, "Options")) for name in names.split(","))
        self.inner = re.findall(r"^  ([a-z]+)\b", section(help_text, "Subcommands"), re.MULTILINE)
        self.choices = dict(re.findall(r"(--[a-z-]+) TEXT:\{([^}]*)\}", section(help_text, "Options")))

    def all(self) -> list["Command"]:
        return [self] + [found for name in self.inner for found in Command([*self.words, name]).all()]


class ShellTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.commands = Command([]).all()
        holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(holder.cleanup)
        cls.folder = Path(holder.name)
        for shell, name in (("bash", "tactus.bash"), ("zsh", "_tactus"), ("fish", "tactus.fish")):
            (cls.folder / name).write_text(output(PROGRAM, "completion", shell), encoding="utf-8")
        (cls.folder / "part.obj").write_text("", encoding="utf-8")

    def test_there_are_commands_with_options(self):
        self.assertGreaterEqual(len(self.commands), 20)
        for command in self.commands:
            self.assertIn("--help", command.options, command.words)
        self.assertIn("--interpolation", next(c for c in self.commands if c.words == ["robot", "path"]).options)

    def test_results_go_where_out_says(self):
        for command in self.commands:
            if "--out" in command.options:
                self.assertIn("-o", command.options, command.words)
                self.assertIn("--quiet", command.options, command.words)

    def test_help_of_a_command_is_its_help(self):
        for command in self.commands:
            self.assertEqual(output(PROGRAM, "help", *command.words), output(PROGRAM, *command.words, "--help"), command.words)
        run = subprocess.run([PROGRAM, "help", "robot", "pth"], capture_output=True, text=True, check=False)
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertEqual(run.stderr, "tactus robot: no subcommand is called pth (did you mean path?); known are clearance, path\n")

    def test_what_was_meant_is_told(self):
        for words, meant in ((["qeury"], "query"), (["simulat"], "simulate"), (["decompse"], "decompose"), (["hulll"], "hull"),
                             (["query", "--certifcate"], "--certificate"), (["planar", "quer"], "query")):
            run = subprocess.run([PROGRAM, *words], capture_output=True, text=True, check=False)
            self.assertEqual(run.returncode, 2)
            self.assertIn(f" {words[-1]} (did you mean {meant}?); known are ", run.stderr)
        run = subprocess.run([PROGRAM, "elephant"], capture_output=True, text=True, check=False)
        self.assertNotIn("did you mean", run.stderr)

    def test_quiet_runs_tell_nothing_of_files(self):
        box = ["tetrahedra", "--box", "1", "1", "1", "-o"]
        for quiet in ([], ["--quiet"], ["-q"]):
            run = subprocess.run([PROGRAM, *box, "box.msh", *quiet], cwd=self.folder, capture_output=True, text=True, check=False)
            self.assertEqual((run.returncode, run.stderr), (0, "" if quiet else "wrote box.msh\n"))
            self.assertIn("tetrahedra", run.stdout)
            (self.folder / "box.msh").unlink()

    def test_manual_pages_have_every_option(self):
        pages = self.folder / "man"
        output(PROGRAM, "help", "--quiet", "--pages", str(pages))
        self.assertEqual(sorted(p.stem for p in pages.iterdir()), sorted("-".join(["tactus", *c.words]) for c in self.commands))
        for command in self.commands:
            page = pages / ("-".join(["tactus", *command.words]) + ".1")
            text = page.read_text(encoding="utf-8")
            shown = re.findall(r"\\fB(\\-[a-z\\-]+)\\fR", text[text.index(".SH OPTIONS") : text.index(".SH EXIT STATUS")])
            self.assertEqual(sorted(set(name.replace("\\", "") for name in shown)), command.options, page.name)
            for name in command.inner:
                self.assertIn(f"\n.TP\n\\fB{name}\\fR\n", text, page.name)
            for choices in command.choices.values():
                self.assertIn("Values: " + choices.replace(",", ", ").replace("-", "\\-"), text, page.name)

    @unittest.skipUnless(shutil.which("groff"), "groff is not installed")
    def test_manual_pages_are_set_without_warnings(self):
        pages = self.folder / "set"
        output(PROGRAM, "help", "--quiet", "--pages", str(pages))
        for page in sorted(pages.iterdir()):
            run = subprocess.run(["groff", "-man", "-ww", "-Tutf8", "-P-cbou", page], capture_output=True, text=True, check=False)
            self.assertEqual((run.returncode, run.stderr), (0, ""), page.name)
            self.assertIn("NAME", run.stdout)

    def check_shell(self, complete):
        """`complete` gives what the shell offers for a line of words, the last of which is begun."""
        for command in self.commands:
            self.assertEqual(sorted(complete(*command.words, "--")), [n for n in command.options if n.startswith("--")], command.words)
            offered = complete(*command.words, "")
            self.assertEqual([n for n in command.inner if n not in offered], [], command.words)
        self.assertEqual(complete("sim"), ["simulate"])
        self.assertEqual(sorted(complete("distance", "a.obj", "b.obj", "--strategy", "g")), ["greedy"])
        self.assertEqual(sorted(complete("completion", "")), ["bash", "fish", "zsh"])
        self.assertIn("part.obj", complete("mesh", "pa"))
        self.assertIn("part.obj", complete("hull", "x.xyz", "--out", "pa"))
        self.assertEqual(complete("hull", "x.xyz", "--threads", ""), [])

    @unittest.skipUnless(shutil.which("bash"), "bash is not installed")
    def test_bash(self):
        def complete(*words):
            found = output("bash", "-c", BASH, "bash", self.folder / "tactus.bash", "tactus", *words, folder=self.folder)
            return found.split()

        self.check_shell(complete)
        self.assertEqual(complete("contour", "x.png", "--y", "=", "u"), ["up"])

    @unittest.skipUnless(shutil.which("fish"), "fish is not installed")
    def test_fish(self):
        environment = {"HOME": str(self.folder)}
        with unittest.mock.patch.dict(os.environ, environment):
            def complete(*words):
                found = output("fish", "--no-config", "-c", FISH, self.folder / "tactus.fish", " ".join(["tactus", *words]), folder=self.folder)
                return [line.split("\t")[0] for line in found.splitlines()]

            self.check_shell(complete)
            self.assertEqual(complete("contour", "x.png", "--y=u"), ["--y=up"])

    @unittest.skipUnless(shutil.which("zsh"), "zsh is not installed")
    def test_zsh(self):
        def complete(*words):
            found = output("zsh", "-f", "-c", ZSH, "zsh", "", str(self.folder), " ".join(["tactus", *words]), folder=self.folder)
            return [re.sub(r"=$", "", name) for name in re.findall(r"<<(?!end>>)(.*?)>>", found)]

        self.check_shell(complete)


if __name__ == "__main__":
    PROGRAM = str(Path(sys.argv.pop(1)).resolve())
    unittest.main()
