"""Documents: each file that they name is there, each link leads somewhere, and the picture is what its run file
gives."""
import html.parser
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from gridlock_test import PROGRAM, ROOT

DOCUMENTS = ("CONTRIBUTING.md", "src/README.md", "src/WAYS.md", "src/ADDING.md", "tests/README.md",
             "tests/truth/README.md", "tests/soak/README.md", "tests/faults/README.md",
             "tests/bench/scenarios/README.md", "scenarios/README.md")
LAYERS = "|".join(re.findall(r"(?m)^gridlock_layer\((\w+)\)", (ROOT / "CMakeLists.txt").read_text()))
PATH = re.compile(rf"`((?:\w[\w.-]*/)+[\w.*-]*)`|\(((?:{LAYERS})/[\w.]+)\)")
FOLDERS = ("", "manual", "results", "results/*", "scenarios", "src", "tests", "tests/*", "tests/bench/*")
LINKED = sorted(path for folder in FOLDERS for path in ROOT.glob(f"{folder}/*.*" if folder else "*.*")
                if path.suffix in (".md", ".rst"))
PAGE = pathlib.Path(PROGRAM).resolve().parent / "manual.html"


def is_there(document, name):
    """From the top, from src, or from the document's own folder."""
    for folder in (ROOT, ROOT / "src", (ROOT / document).parent):
        path = folder / name
        if path.exists() or any(path.parent.glob(path.name or "*")):
            return True
    return False


def links(path):
    """What it links, without addresses elsewhere."""
    text = re.sub(r"(?m)^ {4}.*$|(?<!`)`[^`<\n]+`(?!`)", "",
                  path.read_text()) if path.suffix == ".md" else path.read_text()
    found = re.findall(r"\]\(([^)\s]+)\)" if path.suffix == ".md" else r"<(\S+)>`__?|^\.\. image:: (\S+)", text, re.M)
    return [link for match in found for link in ([match] if isinstance(match, str) else match)
            if link and not re.match(r"\w+://|mailto:", link)]


def anchors(path):
    """Its headings, as GitHub and docutils name them."""
    text = path.read_text()
    if path.suffix == ".md":
        return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in re.findall(r"(?m)^#+ (.+)$", text)}
    titles = re.findall(r"(?m)^(\S.*)\n([=~-])\2{2,}$", text)
    return {re.sub(r"^[^a-z]+|-+$", "", re.sub(r"[^a-z0-9]+", "-", title.lower())) for title, _ in titles}


def dead(path):
    for link in links(path):
        name, _, anchor = link.partition("#")
        target = path.parent / name if name else path
        if not target.exists() or anchor and anchor not in anchors(target):
            yield link


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.ids, self.links, self.loaded = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.ids += [attributes["id"]] if "id" in attributes else []
        self.links += [attributes["href"]] if tag == "a" and "href" in attributes else []
        self.loaded += [attributes[name] for name in ("src", "data") if name in attributes]
        self.loaded += [attributes["href"]] if tag == "link" else []


class Documents(unittest.TestCase):
    def test_files_that_are_named_exist(self):
        for document in DOCUMENTS:
            names = {a or b for a, b in PATH.findall((ROOT / document).read_text())}
            # What the build makes, and what is still to be named.
            missing = sorted(name for name in names if not re.match(r"build/|/", name)
                             and not re.search(r"[A-Z]{4}", name)
                             and not is_there(document, name))
            self.assertEqual(missing, [], document)

    def test_a_file_that_is_not_there_is_missed(self):
        self.assertTrue(is_there("src/README.md", "search/search.c"))
        self.assertFalse(is_there("src/README.md", "core/no_such_file.c"))

    def test_no_link_is_dead(self):
        self.assertIn(ROOT / "README.md", LINKED)
        self.assertGreater(len([link for path in LINKED for link in links(path)]), 60)
        self.assertEqual([f"{path.relative_to(ROOT)}: {link}" for path in LINKED for link in dead(path)], [])

    def test_a_dead_link_is_found(self):
        with tempfile.TemporaryDirectory(prefix="gridlock-test-") as name:
            text = pathlib.Path(name, "text.md")
            text.write_text("# A part\n[here](#a-part) [there](other.rst#see-it) [not](#b-part) ![nor](no.svg)\n\n    "
                            "[code](x)\n")
            other = pathlib.Path(name, "other.rst")
            other.write_text("See it\n------\n\n`here <text.md>`__ and `not <text.md#see-it>`__ nor `that "
                             "<https://a.b>`__\n")
            self.assertEqual(list(dead(text)), ["#b-part", "no.svg"])
            self.assertEqual(list(dead(other)), ["text.md#see-it"])

    @unittest.skipUnless(PAGE.exists(), "the manual was not built")
    def test_the_page_of_the_manual(self):
        """Its links lead somewhere, each id is there once, and it loads nothing."""
        page = Page(PAGE.read_text())
        self.assertEqual([name for name in set(page.ids) if page.ids.count(name) > 1], [])
        self.assertGreater(len(page.links), 100)
        self.assertEqual({link[1:] for link in page.links if link.startswith("#")} - {"top"} - set(page.ids), set())
        self.assertEqual({link.partition("#")[0] for link in page.links if link[0] != "#"},
                         {"README.md", "examples/scenarios/README.md", "https://ui.perfetto.dev"})
        self.assertEqual([link[:20] for link in page.loaded], ["data:image/svg+xml,%"])
        self.assertNotIn("@import", PAGE.read_text())

    def test_pictures_are_those_of_their_run_files(self):
        for name in ("cliff", "places"):
            made = subprocess.run([sys.executable, ROOT / "results" / f"{name}.py", PROGRAM], stdout=subprocess.PIPE,
                                  check=True)
            self.assertEqual(made.stdout, (ROOT / "results" / f"{name}.svg").read_bytes())

    def test_atlas_has_a_row_for_each_folder_with_run_files(self):
        """As results/devices.py writes it from what is there, and as it stands there."""
        made = subprocess.run([sys.executable, ROOT / "results" / "devices.py", PROGRAM], capture_output=True,
                              text=True, check=True)
        self.assertEqual(made.stderr, "")
        folders = {path.parent.name for path in (ROOT / "results").glob("*/*.run.xz")}
        for page in (made.stdout, (ROOT / "results" / "devices.md").read_text()):
            rows = [line for line in page.splitlines() if line.startswith("| ")][1:]
            self.assertEqual({re.search(r"\]\(([^)]+)\)", row)[1] for row in rows}, folders)
            self.assertEqual({len(re.findall(r"(?<!\\)\|", row)) for row in rows}, {11})


if __name__ == "__main__":
    unittest.main()
