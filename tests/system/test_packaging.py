"""What is installed and packaged: manual pages and completions that say what --help says. No device is needed."""
import datetime
import json
import pathlib
import platform
import re
import shlex
import shutil
import subprocess
import unittest

import documented
import gridlock_test
from gridlock_test import EXIT_USAGE, PROGRAM, ROOT

BUILD = pathlib.Path(PROGRAM).resolve().parent
SECTIONS = ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "FILES", "ENVIRONMENT", "EXAMPLES",
            "SEE ALSO"]


def needs(*programs):
    missing = [program for program in programs if shutil.which(program) is None]
    return unittest.skipIf(missing, f"not installed: {', '.join(missing)}")


def setting(name):
    """A variable of the build's cache, or None if the program stands in no build folder."""
    try:
        return re.search(rf"(?m)^{name}:\w+=(.*)$", (BUILD / "CMakeCache.txt").read_text())[1]
    except (OSError, TypeError):
        return None


def has_manual():
    """Whether the build makes it."""
    return not (setting("GRIDLOCK_RST2HTML") or "NOTFOUND").endswith("NOTFOUND")


needs_build = unittest.skipIf(setting("CMAKE_COMMAND") is None, "the program stands in no build folder")


class Case(gridlock_test.Case):
    def setUp(self):
        super().setUp()
        self.maxDiff = None

    def gridlock(self, *arguments, **options):
        """None of these commands looks for a device."""
        return self.run_gridlock(*arguments, OCL_ICD_VENDORS=self.folder, **options)

    def described(self):
        """{command: what its help says}"""
        commands = {}
        for name in re.findall(r"(?m)^  (\w+) ", self.gridlock("--help").out):
            shown = self.gridlock(name, "--help").out
            commands[name] = {
                "arguments": re.match(rf"Usage: gridlock {name} \[OPTION\.\.\.\] ?(.*)", shown)[1],
                "options": {match[2]: {"letter": match[1], "optional": match[3] != "", "argument": match[4]}
                            for match in re.finditer(r"(?m)^  (?:-(.), |    )--([\w-]+)(\[?)(?:=(\S+))?(?: |$)",
                                                     shown)}}
        return commands

    def tool(self, *arguments, **options):
        """Standard output of a program that must succeed and have nothing to complain about."""
        result = subprocess.run(arguments, capture_output=True, text=True,
                                cwd=self.folder, check=False, **options)
        self.assertEqual((result.returncode, result.stderr), (0, ""), f"{arguments}\n{result.stdout}")
        return result.stdout

    def files(self, folder):
        return {str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_dir()}

    def pages(self, section=1):
        """Writes all manual pages; {name: path} of a section."""
        self.tool("cmake", f"-DPROGRAM={PROGRAM}", f"-DFOLDER={self.folder / 'man'}",
                  f"-DPACKAGING={ROOT / 'packaging'}",
                  f"-DPROJECT_VERSION={self.gridlock('--version').out.split()[1]}",
                  "-P", ROOT / "cmake" / "describe.cmake", env=self.environment())
        return {path.stem: path for path in (self.folder / "man" / f"man{section}").iterdir()}


class Help(Case):
    def test_of_a_command(self):
        self.assertEqual(self.gridlock("help").out, self.gridlock("--help").out)
        for name in self.described():
            self.assertEqual(self.gridlock("help", name).out, self.gridlock(name, "--help").out)

    def test_of_what_is_none(self):
        for name in ("nosuch", "", "worker", "describe"):
            self.assertEqual(self.gridlock("help", name, code=EXIT_USAGE).err,
                             f'gridlock: no help on "{name}" ("gridlock help" lists the commands, "gridlock help '
                             f'words" '
                             "explains words)\n")

    def test_words(self):
        """As a terminal of 80 columns shows them, no word twice."""
        lines = self.gridlock("help", "words").out.splitlines()
        self.assertLess(max(map(len, lines)), 80)
        terms = [line for line in lines[1:] if re.match("[a-z]", line)]
        self.assertEqual(len(terms), len(set(terms)))
        self.assertIn('"gridlock help words"', self.gridlock("help").out)

    def test_choices(self):
        """An option refuses another word than help lists, and names those."""
        choices = {(name, f"--{option}"): shown["argument"] for name, command in self.described().items()
                   for option, shown in command["options"].items() if "|" in (shown["argument"] or "")}
        self.assertEqual(choices["limits", "--format"], "text|json")
        self.assertEqual(choices["progress", "--engine"], "table|compiled|shared,...")
        for (name, option), argument in choices.items():
            if "SELECTOR" in argument:
                continue
            result = self.gridlock(name, f"{option}=nosuch", code=EXIT_USAGE)
            for word in re.sub(r"\[.*|,\.\.\.$", "", argument).split("|"):
                self.assertRegex(result.err, rf"\b{word}\b", (name, option))


class Readme(Case):
    def test_commands_that_it_shows(self):
        """Those of the manual, too, and those within a sentence: each is one, and has the options."""
        described = {**self.described(), "help": {"options": {}}}
        text = "\n".join(path.read_text() for path in documented.DOCUMENTS)
        shown = re.findall(r"(?m)^    \$ .*?(?<![\w/.-])(?:build/|bin/)?gridlock ([a-z]+)(.*)$", text)
        self.assertGreater(len(shown), 80)
        within = re.findall(r"`gridlock ([a-z]+)([^`]*)`", text.replace("\n", " "))
        self.assertGreater(len(within), 30)
        shown += within
        for name, rest in shown:
            self.assertIn(name, described)
            self.assertLessEqual(set(re.findall(r"(?<= --)[a-z-]+", re.split(r"[|>;&]", rest)[0])),
                                 set(described[name]["options"]), (name, rest))

    def test_tables_of_formats(self):
        """They have those that help names."""
        described = self.described()
        for name, chapter in (("report", "recipes"), ("explain", "verdicts")):
            shown = re.findall(r"(?m)^``(\w+)`` {3,}", (ROOT / "manual" / f"{chapter}.rst").read_text())
            formats = described[name]["options"]["format"]["argument"].split("|")
            self.assertEqual(set(formats) - set(shown), set(), name)


@needs("cmake")
class Manual(Case):
    def test_sections(self):
        for name, path in self.pages().items():
            sections = re.findall(r"(?m)^\.SH (.*)$", path.read_text())
            self.assertEqual([section for section in sections if section != "COMMANDS"], SECTIONS, name)
            for section in re.split(r"(?m)^\.SH .*\n", path.read_text())[1:]:
                self.assertTrue(section.strip(), name)

    def test_options(self):
        """All that help shows, and none that it hides."""
        pages = self.pages()
        for name, command in self.described().items():
            text = pages[f"gridlock-{name}"].read_text()
            shown = re.findall(r"(?m)^\.TP\n(?:\\fB\\-\S\\fR, )?\\fB\\-\\-([\w\\-]+)\\fR", text)
            self.assertEqual([option.replace("\\-", "-") for option in shown], list(command["options"]), name)

    def test_variables(self):
        """Of what a command does, and no others."""
        pages = {name: path.read_text() for name, path in self.pages().items()}
        for name in ("run", "limits", "report", "compare", "resume"):
            self.assertIn("NO_COLOR", pages[f"gridlock-{name}"], name)
        for name in ("list", "check", "devices", "merge"):
            self.assertNotIn("NO_COLOR", pages[f"gridlock-{name}"], name)

    def test_exit_status(self):
        text = self.pages()["gridlock-limits"].read_text()
        section = text.partition(".SH EXIT STATUS\n")[2].partition(".SH")[0]
        self.assertEqual(re.findall(r"(?m)^\.TP\n\.B (.+)$", section),
                         ["0", "1", "2", "3", "4", "5", "75", "77", "130, 143"])

    def test_examples_can_be_given(self):
        """Each names a command, and options that it has."""
        described = self.described()
        for name, path in self.pages().items():
            section = path.read_text().partition(".SH EXAMPLES\n")[2].partition(".SH")[0]
            lines = re.findall(r"(?m)^\.TP\n\\fB(.+)\\fR$", section)
            self.assertTrue(lines, name)
            for line in lines:
                words = shlex.split(line.replace("\\-", "-").replace("\\(aq", "'"))
                self.assertEqual(words[0], "gridlock")
                options = {f"--{option}" for option in described[words[1]]["options"]}
                self.assertLessEqual({word for word in words if word.startswith("--")}, options, line)

    def test_other_pages(self):
        pages = self.pages()
        for name, path in pages.items():
            others = set(re.findall(r"(?m)^\.BR (gridlock\S*) \(1\)", path.read_text()))
            self.assertEqual({other.replace("\\-", "-") for other in others}, set(pages) - {name})

    def test_statuses_are_those_of_the_program(self):
        listed = self.pages()["gridlock"].read_text().partition(".SH EXIT STATUS\n")[2].partition(".SH")[0]
        header, = (ROOT / "src").glob("*/error.h")
        self.assertEqual(re.findall(r"(?m)^\.B (\d+)$", listed),
                         re.findall(r"(?m)^    STATUS_\w+ = (\d+),", header.read_text()))

    def test_date(self):
        day, month, year = re.search(r"(?m)^ -- .*>  \w+, (\d+) (\w+) (\d+) ",
                                     (ROOT / "packaging/debian/changelog").read_text()).groups()
        date = datetime.datetime.strptime(f"{day} {month} {year}", "%d %b %Y").date().isoformat()
        for path in self.pages().values():
            self.assertRegex(path.read_text(), rf'(?m)^\.TH \S+ 1 "{date}" "gridlock \d+\.\d+\.\d+" "User Commands"$')

    def test_words(self):
        """The page has all that help has."""
        text = self.pages(7)["gridlock"].read_text().replace("\\", "")
        terms = re.findall(r"(?m)^([a-z].*)\n {4}", self.gridlock("help", "words").out)
        self.assertEqual(re.findall(r"(?m)^\.TP\n\.B (.+)$", text), terms)
        self.assertEqual(re.findall(r"(?m)^\.TP\n\.B .+\n(?=\.)", text), [])

    @needs("man", "groff")
    def test_man(self):
        for name, path in [*self.pages().items(), *self.pages(7).items()]:
            shown = self.tool("man", "--warnings", "-E", "UTF-8", "-l", path,
                              env=self.environment(MANWIDTH=80, LC_ALL="C.UTF-8"))
            self.assertIn(f"{name} - ", shown)

    @needs("mandoc")
    def test_mandoc(self):
        self.assertEqual(self.tool("mandoc", "-T", "lint", "-W", "style", *self.pages().values(),
                                   *self.pages(7).values()), "")


class Bash(Case):
    def setUp(self):
        super().setUp()
        self.script = ROOT / "packaging" / "completion" / "gridlock.bash"
        self.work = self.folder / "work"
        (self.work / "folder").mkdir(parents=True)
        for name in ("one.gridlock", "with blank.gridlock", "my.ini", "other.txt"):
            (self.work / name).touch()

    def complete(self, *words):
        """What the last word can become."""
        line = (f"source {shlex.quote(str(self.script))}; COMP_WORDS=({shlex.join([PROGRAM, *words])}); "
                "COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); cd work; _gridlock; "
                '[[ ${#COMPREPLY[@]} -eq 0 ]] || printf "%s\\n" "${COMPREPLY[@]}"')
        return self.tool("bash", "--norc", "-u", "-c", line, env=self.environment()).splitlines()

    def test_syntax_and_registration(self):
        out = self.tool("bash", "--norc", "-c", f"source {self.script}; complete -p gridlock")
        self.assertEqual(out, "complete -F _gridlock gridlock\n")

    def test_commands(self):
        self.assertEqual(self.complete(""), [*self.described(), "help", "--help", "--version"])
        self.assertEqual(self.complete("re"), [name for name in self.described() if name.startswith("re")])
        self.assertEqual(self.complete("--v"), ["--version"])
        self.assertEqual(self.complete("help", "")[:len(self.described()) + 1], [*self.described(), "words"])
        self.assertEqual(self.complete("help", "sta"),
                         ["stall-budget", "stale", "starved", "stalled", "stale-data", "state"])

    def test_options(self):
        for name, command in self.described().items():
            names = [f"--{option}" for option in command["options"]]
            self.assertEqual(self.complete(name, "-"), names)
        self.assertEqual(self.complete("limits", "--local-"), ["--local-memory", "--local-size"])

    def test_values(self):
        self.assertEqual(self.complete("limits", "--format", ""), ["text", "json"])
        self.assertEqual(self.complete("limits", "--format", "j"), ["json"])
        self.assertEqual(self.complete("list", "--format", "=", "t"), ["text"])
        self.assertEqual(self.complete("run", "--channel", "="), ["auto", "shared", "queue", "none"])
        self.assertEqual(self.complete("run", "-q", "-d", "po"), ["pocl"])
        self.assertEqual(self.complete("limits", "--timeout", ""), [])
        self.assertEqual(self.complete("limits", "--shard", ""), ["env"])

    def test_lists(self):
        self.assertEqual(self.complete("limits", "--estimator", "c"), ["census"])
        self.assertEqual(self.complete("limits", "--estimator", "census,b"), ["census,barrier"])
        self.assertEqual(self.complete("progress", "--mapping", "plain,r"),
                         ["plain,round-robin", "plain,random", "plain,reversed"])

    def test_optional_value(self):
        """It is one only behind an equals sign."""
        self.assertEqual(self.complete("run", "--live", "=", ""), ["any"])
        self.assertIn("lock_tas", self.complete("run", "--live", "lock_t"))

    def test_choices(self):
        """One of several words, once."""
        self.assertEqual(self.complete("litmus", ""), ["enumerate", "judge", "print", "choose"])
        self.assertEqual(self.complete("litmus", "j"), ["judge"])
        self.assertEqual(sorted(self.complete("litmus", "judge", "o")), ["one.gridlock", "other.txt"])
        self.assertEqual(self.complete("litmus", "judge", "--format", ""), ["text", "dot", "c"])
        self.assertEqual(self.complete("litmus", "--witness", "p"), ["print"])

    def test_scenarios(self):
        names = [scenario["name"] for scenario in self.gridlock("list", "--format", "json").json()["scenarios"]]
        for command in ("run", "list"):
            self.assertEqual(self.complete(command, ""), ["folder", "my.ini", *names])
        self.assertEqual(self.complete("run", "lock_tas", "barrier_"),
                         [name for name in names if name.startswith("barrier_")])

    def test_run_files(self):
        for name, command in self.described().items():
            if re.search("RUN|BASE", command["arguments"] or ""):
                self.assertEqual(sorted(self.complete(name, "")), ["folder", "one.gridlock", "with blank.gridlock"])
        self.assertEqual(self.complete("resume", "w"), ["with blank.gridlock"])

    def test_files(self):
        every = ["folder", "my.ini", "one.gridlock", "other.txt", "with blank.gridlock"]
        self.assertEqual(sorted(self.complete("check", "")), every)
        self.assertEqual(sorted(self.complete("limits", "-o", "")), every)
        self.assertEqual(self.complete("run", "--kernel-dir", ""), ["folder"])
        self.assertEqual(self.complete("limits", ""), [])


class OtherShells(Case):
    @needs("zsh")
    def test_zsh_syntax(self):
        self.assertEqual(self.tool("zsh", "-f", "-n", ROOT / "packaging" / "completion" / "_gridlock"), "")

    @needs("fish")
    def test_fish(self):
        path = ROOT / "packaging" / "completion" / "gridlock.fish"
        self.assertEqual(self.tool("fish", "-N", "-n", path), "")
        (self.folder / "one.gridlock").touch()
        (self.folder / "bin").mkdir()
        (self.folder / "bin" / "gridlock").symlink_to(pathlib.Path(PROGRAM).resolve())

        def complete(line):
            out = self.tool("fish", "-N", "-c", f"source {path}; complete -C 'gridlock {line}'", env=self.environment(
                HOME=self.folder, PATH=f"{self.folder}/bin:/usr/bin:/bin"))
            return [line.partition("\t")[0] for line in out.splitlines()]

        self.assertEqual(complete(""), [*self.described(), "help", "--help", "-V", "--version"])
        self.assertLessEqual({"words", "wait-for-graph", "wrong"}, set(complete("help w")))
        self.assertIn("runs", complete("help r"))
        self.assertEqual(complete("limits --format "), ["text", "json"])
        self.assertEqual(complete("limits --format=j"), ["--format=json"])
        self.assertEqual(complete("limits -dpo"), ["-dpocl"])
        self.assertEqual(complete("run -vd po"), ["pocl"])
        self.assertNotIn("--seed", complete("run -- --se"))
        self.assertEqual(complete("limits --estimator census,b"), ["census,barrier"])
        self.assertEqual(complete("limits --local-"), ["--local-memory", "--local-size"])
        self.assertIn("one.gridlock", complete("resume "))
        self.assertIn("lock_tas", complete("run lock_"))


@needs_build
class Install(Case):
    def install(self, prefix):
        """Into a folder of its own; the folder under which it should be."""
        stage = self.folder / "stage"
        self.tool(setting("CMAKE_COMMAND"), "--install", BUILD, "--prefix", prefix,
                  env=self.environment(DESTDIR=stage))
        self.assertEqual(len(list(stage.iterdir())), 1)
        return stage / prefix.lstrip("/")

    def test_files(self):
        root = self.install("/opt/some where")
        names = ["gridlock"] + [f"gridlock-{name}" for name in self.described()]
        self.assertEqual(self.files(root), {
            "bin/gridlock",
            "lib/gridlock/libgridlock-door.so",
            *(f"share/man/man1/{name}.1" for name in names),
            "share/man/man7/gridlock.7",
            "share/bash-completion/completions/gridlock",
            "share/zsh/site-functions/_gridlock",
            "share/fish/vendor_completions.d/gridlock.fish",
            "share/doc/gridlock/README.md",
            "share/doc/gridlock/LICENSE",
            *(["share/doc/gridlock/manual.html"] if has_manual() else []),
            "share/doc/gridlock/examples/scenarios/README.md",
            *(f"share/doc/gridlock/examples/{path.relative_to(ROOT / 'examples')}"
              for path in (ROOT / "examples").glob("*/*")),
            *(f"share/doc/gridlock/examples/scenarios/{path.name}" for path in (ROOT / "scenarios").glob("*.ini")),
            *(f"share/doc/gridlock/examples/kernels/{path.name}" for path in (ROOT / "kernels").glob("[!.]*.[ch]*")),
            *(f"share/gridlock/schemas/{path.name}" for path in (ROOT / "src/format/schemas").glob("*.json")),
            "share/gridlock/schemas/facts.schema.json",
        })
        self.assertEqual(self.files(self.folder / "stage"), {f"opt/some where/{name}" for name in self.files(root)})

    @needs("cmake")
    def test_manual_without_docutils(self):
        """Its text is installed, with that of all commands and words."""
        build, stage = self.folder / "build", self.folder / "stage"
        self.tool(setting("CMAKE_COMMAND"), "-S", ROOT, "-B", build, "-DGRIDLOCK_RST2HTML=", "-DGRIDLOCK_TESTS=OFF",
                  env=self.environment())
        shutil.copy(PROGRAM, build / "gridlock")
        shutil.copy(BUILD / "libgridlock-door.so", build)
        shutil.copytree(BUILD / "described", build / "described")
        self.tool(setting("CMAKE_COMMAND"), "--install", build, "--prefix", "/usr", env=self.environment(DESTDIR=stage))
        self.assertEqual(self.files(stage / "usr/share/doc/gridlock/manual"),
                         {path.name for path in (ROOT / "manual").glob("*.rst")} | {"commands.rst", "words.rst"})

    def test_readme_links_to_nothing_that_is_not_there(self):
        text = (self.install("/usr") / "share/doc/gridlock/README.md").read_text()
        self.assertNotRegex(text, r"\]\(")
        self.assertIn("The manual says how each number is obtained", text)

    def test_schemas_find_their_parts(self):
        """In the folder in which they are."""
        folder = self.install("/usr") / "share" / "gridlock" / "schemas"
        for path in folder.iterdir():
            for name, part in re.findall(r'"\$ref": "(.*?)#/\$defs/(\w+)"', path.read_text()):
                self.assertIn(part, json.loads((folder / (name or path.name)).read_text())["$defs"], path.name)

    def test_what_is_installed_works(self):
        root = self.install("/usr")
        program = root / "bin" / "gridlock"
        self.assertEqual(self.tool(program, "--version"), self.gridlock("--version").out)
        examples = sorted((root / "share/doc/gridlock/examples/scenarios").glob("*.ini"))
        self.assertEqual(self.tool(program, "check", *examples), "".join(f"{path}: ok\n" for path in examples))
        for page in (root / "share/man/man1").iterdir():
            self.assertRegex(page.read_text(), r'(?m)^\.TH \S+ 1 "20\d\d-\d\d-\d\d" ')

    @needs("readelf")
    def test_no_run_path(self):
        """Libraries are looked for where the system has them."""
        self.assertNotIn("runpath", self.tool("readelf", "-d", self.install("/usr") / "bin" / "gridlock").lower())


@needs_build
@needs("dpkg-deb", "dpkg-shlibdeps", "file", "gzip")
class Package(Case):
    def build(self):
        cpack = pathlib.Path(setting("CMAKE_COMMAND")).with_name("cpack")
        subprocess.run([cpack, "-G", "DEB", "--config", BUILD / "CPackConfig.cmake", "-B", self.folder / "made"],
                       check=True, capture_output=True)
        package, = (self.folder / "made").glob("*.deb")
        return package

    def test_package(self):
        package = self.build()
        fields = dict(re.findall(r"(?m)^(\S+): (.*)$", self.tool("dpkg-deb", "-f", package)))
        version = self.gridlock("--version").out.split()[1]
        self.assertEqual((fields["Package"], fields["Version"]), ("gridlock", f"{version}-1"))
        for library in ("libc6", "libinih1", "liblzma5", "libsqlite3-0", "zlib1g"):
            self.assertIn(library, fields["Depends"])
        self.assertNotIn("opencl", fields["Depends"])
        self.assertIn("ocl-icd-libopencl1 | libopencl1, pocl-opencl-icd", fields["Recommends"])
        self.tool("dpkg-deb", "-x", package, self.folder / "root")
        files = self.files(self.folder / "root")
        for name in self.described():
            self.assertIn(f"usr/share/man/man1/gridlock-{name}.1.gz", files)
        self.assertLess({
            "usr/bin/gridlock",
            "usr/share/man/man1/gridlock.1.gz",
            "usr/share/man/man7/gridlock.7.gz",
            "usr/share/bash-completion/completions/gridlock",
            "usr/share/zsh/vendor-completions/_gridlock",
            "usr/share/fish/vendor_completions.d/gridlock.fish",
            "usr/share/doc/gridlock/copyright",
            "usr/share/doc/gridlock/changelog.Debian.gz",
            "usr/share/doc/gridlock/examples/scenarios/barrier_central.ini",
        }, files)
        self.assertEqual({name for name in files if not name.startswith(("usr/bin/", "usr/share/"))},
                         {"usr/lib/gridlock/libgridlock-door.so"})
        self.assertEqual(self.tool(self.folder / "root/usr/bin/gridlock", "--version"), f"gridlock {version}\n")


@needs_build
@needs("apt-get", "cmake", "ninja", "objdump", "strip")
class Bundle(Case):
    """Packages of Debian 11 are fetched once for a build folder."""
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.made = cls.bundle()
        if "cannot fetch" in cls.made.stderr:
            raise unittest.SkipTest(cls.made.stderr.strip())

    @staticmethod
    def bundle(*options):
        return subprocess.run([ROOT / "scripts" / "bundle", "--output", BUILD, *options], capture_output=True,
                              text=True,
                              check=False)

    def setUp(self):
        super().setUp()
        self.assertEqual((self.made.returncode, self.made.stderr), (0, ""))
        self.archive, = BUILD.glob(f"gridlock-*-linux-{platform.machine()}.tar.gz")
        self.tool("tar", "xzf", self.archive)
        self.root, = self.folder.glob("gridlock-*-linux-*")
        self.program = self.root / "bin" / "gridlock"

    def test_size(self):
        unpacked = [path for path in self.root.rglob("*") if path.is_file()]
        self.assertLess(self.archive.stat().st_size, 5_000_000)
        self.assertLess(sum(path.stat().st_size for path in unpacked), 5_000_000)

    def test_nothing_else_is_needed_but_glibc_2_28(self):
        for path in (self.program, self.root / "lib" / "libOpenCL.so.1"):
            versions = re.findall(r"GLIBC_(\d+)\.(\d+)", self.tool("objdump", "-T", path))
            self.assertLessEqual(max((int(major), int(minor)) for major, minor in versions), (2, 28))
            needed = set(re.findall(r"NEEDED +(\S+)\.so\.\d+", self.tool("objdump", "-p", path)))
            self.assertLessEqual(needed, {"libc", "libm", "libdl", "libpthread", "ld-linux-x86-64"})

    def test_its_loader_is_the_one_that_is_used(self):
        """Also where another is looked for first; and no library is looked for in the folder it is started from."""
        elsewhere = self.folder / "elsewhere"
        elsewhere.mkdir()
        shutil.copy(self.root / "lib" / "libOpenCL.so.1", elsewhere)
        subprocess.run([self.program, "devices"], capture_output=True, check=False,
                       env=self.environment(LD_LIBRARY_PATH=elsewhere, OCL_ICD_VENDORS=self.folder,
                                            LD_DEBUG="files", LD_DEBUG_OUTPUT=self.folder / "loaded"))
        shown = "".join(path.read_text() for path in self.folder.glob("loaded.*"))
        loaders = {pathlib.Path(path).resolve() for path in re.findall(r"calling init: (\S+libOpenCL\.so\.1)", shown)}
        self.assertEqual(loaders, {(self.root / "lib" / "libOpenCL.so.1").resolve()})
        self.assertRegex(self.tool("objdump", "-p", self.program), r"R\w*PATH +\$ORIGIN/\.\./lib\n")

    def test_it_works(self):
        self.assertEqual(self.tool(self.program, "--version"), self.gridlock("--version").out)
        self.assertEqual(self.tool(self.program, "list"), self.gridlock("list").out)

    def test_licenses(self):
        self.assertEqual({path.name for path in (self.root / "licenses").iterdir()},
                         {"libbz2-1.0", "libdw", "libinih", "liblzma", "libsqlite3", "ocl-icd-libopencl1",
                          "zlib1g"})

    def test_a_later_glibc_is_refused(self):
        """By the name of what needs it; and no bundle is left that could be taken for one."""
        result = self.bundle("--glibc", "2.27")
        self.addCleanup(self.bundle)
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, "bin/gridlock needs [a-z]\\w+ of glibc 2.28, later than 2.27\n$")
        self.assertFalse(self.archive.exists())

    def test_usage(self):
        for options, message in ((["--arch", "riscv64"], "no bundle is made for riscv64"), (["--arch"], "usage: "),
                                 (["--nosuch", "x"], "usage: ")):
            result = self.bundle(*options)
            self.assertEqual((result.returncode, result.stdout), (EXIT_USAGE, ""))
            self.assertIn(message, result.stderr)


if __name__ == "__main__":
    gridlock_test.main()
