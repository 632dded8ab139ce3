"""Pages for browsers, as tests read them."""
import base64
import hashlib
import html.parser
import json
import re

from gridlock_test import EXIT_OK
from report_case import Case

PAGE_BYTES = 5_000_000
# Attributes by which a browser would load something.
LOADING = {"src", "srcset", "href", "action", "formaction", "data", "poster", "background", "ping", "style"}


class Page(html.parser.HTMLParser):
    """The elements of a page: its policy, its style, its scripts, its data."""

    def __init__(self, text):
        super().__init__()
        self.policies, self.styles, self.scripts, self.texts, self.tags, self.attributes = [], [], [], [], [], set()
        self.runs, self.explanations, self.pictures = [], [], []
        self.into = None
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.tags.append(tag)
        self.attributes |= set(attributes)
        if attributes.get("http-equiv") == "Content-Security-Policy":
            self.policies.append(attributes["content"])
        if tag == "script" and "data-run" in attributes:
            self.runs.append({**attributes, "text": ""})
        elif tag == "script" and "data-explains" in attributes:
            self.explanations.append("")
        elif tag == "script" and "data-pictures" in attributes:
            self.pictures.append("")
        elif tag in ("script", "style", "pre"):
            {"script": self.scripts, "style": self.styles, "pre": self.texts}[tag].append("")
        self.into = next((name for name in ("data-run", "data-explains", "data-pictures") if name in attributes), tag)

    def handle_endtag(self, tag):
        self.into = None

    def handle_data(self, data):
        if self.into == "data-run":
            self.runs[-1]["text"] += data
        elif self.into == "data-explains":
            self.explanations[-1] += data
        elif self.into == "data-pictures":
            self.pictures[-1] += data
        elif self.into in ("script", "style", "pre"):
            {"script": self.scripts, "style": self.styles, "pre": self.texts}[self.into][-1] += data

    def data(self):
        return [json.loads(run["text"]) for run in self.runs]

    def explained(self):
        """Of all runs, by the names of trials."""
        return {entry["trial"]: entry for text in self.explanations for entry in json.loads(text)}

    def drawn(self):
        """The graphs and the plays by their numbers."""
        pictures = json.loads(self.pictures[0])
        return tuple({entry["number"]: entry[kind] for entry in pictures if kind in entry}
                     for kind in ("graph", "play"))


class PageCase(Case):
    def page(self, *paths, code=EXIT_OK, **variables):
        paths = paths or (self.path,)
        return Page(self.run_gridlock("report", *map(str, paths), "--format", "html", code=code, **variables).out)

    def assert_safe(self, page, runs=1):
        """One policy, which allows its own style and script alone; nothing is loaded; no name has made an element."""
        self.assertEqual(page.tags, ["html", "head", "meta", "meta", "meta", "title", "style", "body", "main"] +
                         ["noscript", "pre", "script", "script"] * runs + ["script", "script"])
        hashes = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
                  for text in (page.styles[0], page.scripts[0])]
        self.assertEqual(page.policies, [f"default-src 'none'; style-src 'sha256-{hashes[0]}'; "
                                         f"script-src 'sha256-{hashes[1]}'; base-uri 'none'; form-action 'none'"])
        self.assertEqual(page.attributes & LOADING, set())
        self.assertIsNone(re.search(r"@import|url\(", page.styles[0]))
        self.assertEqual(re.findall(r"\w+://[^\"]*", page.scripts[0]), ["http://www.w3.org/2000/svg"])
