"""Makes the wheel of gridlock_cl: wheel.py VERSION FOLDER. It is a zip file whose parts have their hashes in RECORD."""
import base64
import hashlib
import pathlib
import sys
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
MODULE = "gridlock_cl"


def parts(version):
    info = f"{MODULE}-{version}.dist-info"
    metadata = (f"Metadata-Version: 2.1\nName: {MODULE}\nVersion: {version}\n"
                "Summary: OpenCL kernels whose work-groups wait for each other, launched where they do not hang\n"
                "License: Apache-2.0\nRequires-Python: >=3.8\nRequires-Dist: pyopencl\nRequires-Dist: numpy\n")
    wheel = "Wheel-Version: 1.0\nGenerator: gridlock\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    return {f"{MODULE}/__init__.py": (ROOT / "python" / f"{MODULE}.py").read_bytes(),
            f"{MODULE}/gridlock.clh": (ROOT / "src" / "emit" / "gridlock.clh").read_bytes(),
            f"{info}/LICENSE": (ROOT / "LICENSE").read_bytes(),
            f"{info}/METADATA": metadata.encode(),
            f"{info}/WHEEL": wheel.encode()}, f"{info}/RECORD"


def main(version, folder):
    files, record = parts(version)
    lines = []
    for name, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        lines.append(f"{name},sha256={digest},{len(data)}\n")
    lines.append(f"{record},,\n")
    path = pathlib.Path(folder) / f"{MODULE}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in [*files.items(), (record, "".join(lines).encode())]:
            entry = zipfile.ZipInfo(name)  # of 1980, so that the same files make the same wheel
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    print(path)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("wheel.py VERSION FOLDER")
    main(*sys.argv[1:])
