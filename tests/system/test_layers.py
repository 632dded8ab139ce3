"""The layers of the source are kept apart by the build: a call that goes the wrong way does not link."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Layer that calls, header of what it calls, the call, and what the build says of it.
SEEDS = [
    ("core", "store/store.h", "store_close(0)", "undefined reference to `store_close'"),
    ("host", "device/session.h", "session_close(0)", "undefined reference to `session_close'"),
    ("driver", "device/session.h", "session_open(0, 0, 0, 0)", "undefined reference to `session_open'"),
    ("worker", "host/supervisor.h", "supervisor_close(0)", "undefined reference to `supervisor_close'"),
    ("device", "act/promising.h", "event_status(0)", "undefined reference to `event_status'"),
    ("act", "worker/batch.h", "probe_canary(0, 0)", "undefined reference to `probe_canary'"),
    ("judge", "wire/wire.h", "wire_body_bytes(0)", "undefined reference to `wire_body_bytes'"),
    ("litmus", "time.h", "time(0)", "liblitmus.a uses time"),
    ("scenario", "stdlib.h", 'getenv("HOME")', "libscenario.a uses getenv"),
]


def copy_source(folder):
    for name in ("CMakeLists.txt", "LICENSE", "README.md"):
        shutil.copy(ROOT / name, folder)
    for name in ("cmake", "src", "kernels", "scenarios", "packaging", "manual"):
        shutil.copytree(ROOT / name, folder / name)


def seed(folder, layer, header, call):
    text = f'#include "{header}"\nvoid seeded_{layer}(void);\nvoid seeded_{layer}(void)\n{{\n    (void){call};\n}}\n'
    (folder / "src" / layer / "seeded.c").write_text(text)


class Layers(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="gridlock-test-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        copy_source(self.folder)

    def run_cmake(self, *arguments):
        done = subprocess.run(["cmake", *arguments], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, check=False)
        return done.returncode, " ".join(done.stdout.split())

    def test_a_call_of_another_layer_or_of_the_system_is_refused(self):
        for layer, header, call, _ in SEEDS:
            seed(self.folder, layer, header, call)
        code, said = self.run_cmake("-G", "Ninja", "-S", ".", "-B", "build", "-DCMAKE_BUILD_TYPE=Debug",
                                    "-DCMAKE_C_FLAGS=-O0 -g0 -w -Wno-error=implicit-function-declaration",
                                    "-DGRIDLOCK_TESTS=OFF")
        self.assertEqual(code, 0, said)
        targets = [f"guard_{layer}" for layer, *_ in SEEDS]
        jobs = str(os.cpu_count() or 1)
        for target, (*_, refusal) in zip(targets, SEEDS):
            code, said = self.run_cmake("--build", "build", "--target", target, "-j", jobs)
            self.assertNotEqual(code, 0, f"{target} was built")
            self.assertIn(refusal, said, target)
        code, said = self.run_cmake("--build", "build", "--target", "guard_base", "-j", jobs)
        self.assertEqual(code, 0, said)


class Additions(unittest.TestCase):
    """What is added in one place and has a row in another does not compile without it."""

    def compile(self, source, changed, old, new):
        with tempfile.TemporaryDirectory(prefix="gridlock-test-") as folder:
            shutil.copytree(ROOT / "src", pathlib.Path(folder, "src"))
            path = pathlib.Path(folder, "src", changed)
            text = path.read_text()
            self.assertIn(old, text)
            path.write_text(text.replace(old, new, 1))
            done = subprocess.run(["cc", "-std=c11", "-D_GNU_SOURCE", "-fsyntax-only", f"-I{folder}/src",
                                   f"-I{ROOT}/kernels", f"{folder}/src/{source}"], stderr=subprocess.PIPE, text=True,
                                  check=False)
        return done.returncode == 0, done.stderr

    def test_a_value_without_a_name(self):
        for source, changed, old in (("judge/cause.c", "judge/cause.h", "    CAUSE_COUNT,"),
                                     ("judge/verdict.c", "judge/verdict.h", "    VERDICT_COUNT,"),
                                     ("core/trial.c", "core/trial.h", "CHANNEL_COUNT }")):
            with self.subTest(source=source):
                self.assertTrue(self.compile(source, changed, old, old)[0])
                good, said = self.compile(source, changed, old, "ADDED, " + old)
                self.assertFalse(good)
                self.assertIn("each has a name", said)


if __name__ == "__main__":
    unittest.main()
