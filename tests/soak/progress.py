#!/usr/bin/env python3
"""Is each device classified as what it is? Model devices, and PoCL beside busy loops.

    tests/soak/progress.py models [--seeds 100]     each model device, weak and strong: its strongest model is itself
    tests/soak/progress.py limits [--most 64]       the limit of OBE:k, HSA_OBE:k and LOBE:k is k
    tests/soak/progress.py pocl [--tests 500]       PoCL with 1 to 8 threads and `basic`, beside a busy loop on each
                                                    processor: no test stalls that its model guarantees; LOBE is broken
                                                    with 4 threads
    tests/soak/progress.py classes [--runs 10]      PoCL with 1 to 16 threads and `basic`, every other run beside two
                                                    busy loops, with 20 launches of a test and with 4: all runs of a
                                                    device say the same of it

GRIDLOCK names the program (default: build/gridlock). Exit status 1: something was not as it is.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time

GRIDLOCK = os.environ.get("GRIDLOCK", "build/gridlock")
MODELS = ("unfair", "hsa", "obe:8", "hsa_obe:8", "lobe:8", "fair")


def progress(*options, environment=None, timeout=3600):
    """Runs gridlock progress; gives its exit status and the first device of its report."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [GRIDLOCK, "progress", "-q", "--format", "json", "-o", os.path.join(folder, "run"), *options],
            capture_output=True, text=True, timeout=timeout, env={**os.environ, **(environment or {})}, check=False)
    if not done.stdout:
        sys.exit(f"gridlock progress {' '.join(options)}: {done.stderr}")
    return done.returncode, json.loads(done.stdout)["devices"][0]


def wanted_class(model, weak):
    name = model.split(":")[0].upper()
    if name == "UNFAIR":
        return "unfair"
    return name + (" (weak)" if weak else "")


def check_models(arguments):
    wrong = 0
    for model in MODELS:
        for weak in (False, True):
            right = 0
            for seed in range(1, arguments.seeds + 1):
                name = f"model:{model}" + (":weak" if weak else "")
                _, device = progress("-d", name, "--seed", str(seed), "--no-limit")
                right += device["strongest"] == wanted_class(model, weak)
            wrong += right < arguments.seeds
            print(f"{name:22} {right:4} of {arguments.seeds} as itself", flush=True)
    return wrong


def check_limits(arguments):
    wrong = 0
    for model in ("obe", "hsa_obe", "lobe"):
        found = []
        for k in range(1, arguments.most + 1):
            _, device = progress("-d", f"model:{model}:{k}", "--iterations", "3", "--suite", "quick", "--mapping",
                                 "plain")
            found.append(device["limit_stalls"])
        right = sum(a == b for a, b in zip(found, range(1, arguments.most + 1)))
        wrong += right < arguments.most
        print(f"{model:8} {right:3} of {arguments.most} limits found exactly", flush=True)
    return wrong


def busy_loops(count=os.cpu_count()):
    return [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]


def choose(arguments, model, path):
    with open(path, "w", encoding="ascii") as file:
        subprocess.run([GRIDLOCK, "litmus", "choose", "--count", str(arguments.tests), "--seed", str(arguments.seed),
                        "--guaranteed", model], stdout=file, check=True)


def pocl_device(arguments, name, environment, model, path):
    """All tests are guaranteed: each mapping keeps the order of the threads."""
    choose(arguments, model, path)
    began = time.monotonic()
    status, device = progress("-d", "pocl", "--tests", path, "--expect", model, "--no-limit", "--mapping",
                              "plain,round-robin,chunked,hybrid,random", environment=environment)
    standing = next(standing for standing in device["models"]
                    if f"{standing['model']}:{standing['fairness']}".lower() == model)
    good = status == 0 and standing["guaranteed"] == device["tests"] == standing["ended"]
    print(f"{name:10} {model:13} {standing['guaranteed']:5} tests, {device['launches']:6} launches: "
          f"{device['stalled_launches']} stalled, {device['undecided_launches']} undecided, exit {status} "
          f"({time.monotonic() - began:.0f} s)", flush=True)
    return not good


def check_pocl(arguments):
    wrong = 0
    loops = busy_loops()
    try:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "tests")
            for threads in arguments.threads:
                environment = {"POCL_MAX_PTHREAD_COUNT": str(threads)}
                model = "lobe:weak" if threads == 1 else "hsa_obe:weak"
                wrong += pocl_device(arguments, f"{threads} threads", environment, model, path)
            wrong += pocl_device(arguments, "basic", {"POCL_DEVICES": "basic"}, "lobe:weak", path)
            _, device = progress("-d", "pocl", "--no-limit", environment={"POCL_MAX_PTHREAD_COUNT": "4"})
            print(f"4 threads, quick suite: {device['strongest']}", flush=True)
            wrong += any(model["model"] == "LOBE" and not model["broken"] for model in device["models"])
    finally:
        for loop in loops:
            loop.kill()
    return wrong


def classify(wanted, iterations, busy, environment):
    """Whether a run says what is wanted, and what it says: the class, and how often its model and LOBE were broken."""
    loops = busy_loops(2) if busy else []
    try:
        status, device = progress("-d", "pocl", "--iterations", str(iterations), "--expect", wanted, "--no-limit",
                                  environment=environment)
    finally:
        for loop in loops:
            loop.kill()
    broken = {model["model"]: model["stalled"] + model["states"] for model in device["models"]
              if model["fairness"] == "strong"}
    says = f"{device['strongest']} ({broken[wanted]} against it, {broken['LOBE']} against LOBE, " \
           f"{device['strongest_undecided']} undecided)"
    return status == 0 and device["strongest"] == wanted, says


def check_classes(arguments):
    devices = [(f"{threads} threads", {"POCL_MAX_PTHREAD_COUNT": str(threads)}, "LOBE" if threads == 1 else "HSA_OBE")
               for threads in arguments.threads] + [("basic", {"POCL_DEVICES": "basic"}, "LOBE")]
    wrong = 0
    for name, environment, wanted in devices:
        for iterations in arguments.iterations:
            runs = [classify(wanted, iterations, run % 2 == 1, environment) for run in range(arguments.runs)]
            right = sum(good for good, _ in runs)
            wrong += right < arguments.runs
            print(f"{name:10} {iterations:3} launches: {right:2} of {arguments.runs} runs say {wanted}: "
                  + "; ".join(says for _, says in runs), flush=True)
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    models = commands.add_parser("models")
    models.add_argument("--seeds", type=int, default=100)
    limits = commands.add_parser("limits")
    limits.add_argument("--most", type=int, default=64)
    pocl = commands.add_parser("pocl")
    pocl.add_argument("--tests", type=int, default=500)
    pocl.add_argument("--seed", type=int, default=1)
    pocl.add_argument("--threads", type=int, nargs="+", default=list(range(1, 9)))
    classes = commands.add_parser("classes")
    classes.add_argument("--runs", type=int, default=10)
    classes.add_argument("--iterations", type=int, nargs="+", default=[20, 4])
    classes.add_argument("--threads", type=int, nargs="*", default=[1, 2, 3, 4, 8, 16])
    arguments = parser.parse_args()
    check = {"models": check_models, "limits": check_limits, "pocl": check_pocl,
             "classes": check_classes}[arguments.command]
    sys.exit(1 if check(arguments) else 0)


if __name__ == "__main__":
    main()
