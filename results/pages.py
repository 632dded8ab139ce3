#!/usr/bin/env python3
"""Takes the pictures in results/pages: the page of an H200's runs in Chromium, light, dark, narrow and as it is printed, and a
stall, now made on PoCL with two threads, near the last of its steps.

    results/pages.py GRIDLOCK

Needs chromium, chromium-driver and python3-selenium.
"""
import lzma
import os
import pathlib
import subprocess
import sys
import tempfile

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By

FOLDER = pathlib.Path(__file__).parent
H200 = tuple(f"nvidia-h200/{run}" for run in ("limits", "scenarios", "progress-quick", "audit"))
# Name, width and height of the window, colours, medium.
PICTURES = (("light", 1200, 2600, "light", "screen"), ("dark", 1200, 2600, "dark", "screen"),
            ("narrow", 400, 3200, "light", "screen"), ("printed", 794, 2246, "light", "print"))


def browser():
    options = webdriver.ChromeOptions()
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"):
        options.add_argument(argument)
    options.binary_location = "/usr/bin/chromium"
    chromium = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
    chromium.implicitly_wait(10)  # details are drawn when they are opened
    return chromium


def gridlock(folder, *arguments, **variables):
    return subprocess.run([pathlib.Path(sys.argv[1]).resolve(), *arguments], stdout=subprocess.PIPE, check=False, cwd=folder,
                          env={**os.environ, **variables}).stdout


def make_page(folder, names):
    """The page's address."""
    page = pathlib.Path(folder, "page.html")
    page.write_bytes(gridlock(folder, "report", *names, "--format", "html"))
    return page.as_uri()


def unpack(folder, run):
    name = f"{run.split('/')[1]}.run"
    pathlib.Path(folder, name).write_bytes(lzma.decompress((FOLDER / f"{run}.run.xz").read_bytes()))
    return name


def stall(folder):
    gridlock(folder, "run", "philosophers_naive", "-d", "pocl", "-q", "--samples", "-o", "stall.run", POCL_MAX_PTHREAD_COUNT="2")
    return "stall.run"


def take_page(chromium, address, picture):
    name, width, height, scheme, medium = picture
    chromium.execute_cdp_cmd("Emulation.setEmulatedMedia", {
        "media": medium, "features": [{"name": "prefers-color-scheme", "value": scheme}]})
    chromium.set_window_size(width, height)
    chromium.get(address)
    chromium.save_screenshot(str(FOLDER / "pages" / f"{name}.png"))


def take_stall(chromium, address):
    """As it stands before its last step, with the words that are waited for."""
    chromium.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "screen", "features": []})
    chromium.set_window_size(900, 2600)
    chromium.get(address)
    chromium.find_element(By.CSS_SELECTOR, ".matrix .v-deadlock").click()
    slider = chromium.find_element(By.CSS_SELECTOR, "tr.open input[type=range]")
    chromium.execute_script("arguments[0].value = arguments[0].max - 1;"
                            "arguments[0].dispatchEvent(new Event('input'));", slider)
    chromium.find_element(By.CSS_SELECTOR, "tr.open").screenshot(str(FOLDER / "pages" / "stall.png"))


def main():
    (FOLDER / "pages").mkdir(exist_ok=True)
    chromium = browser()
    with tempfile.TemporaryDirectory() as folder:
        address = make_page(folder, [unpack(folder, run) for run in H200])
        for picture in PICTURES:
            take_page(chromium, address, picture)
        take_stall(chromium, make_page(folder, [stall(folder)]))
    chromium.quit()


if __name__ == "__main__":
    main()
