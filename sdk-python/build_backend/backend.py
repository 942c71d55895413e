"""Builds the package with the standard library only (PEP 517 and 660), so that installing it needs no network."""

from __future__ import annotations

import ast
import base64
import gzip
import hashlib
import io
import tarfile
import zipfile
from pathlib import Path
from typing import Any, Dict, List, Optional

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = "document_service"
SOURCES = ("document_service", "build_backend", "tests")
FILES = ("LICENSE", "README.md", "pyproject.toml")
TIME = (1980, 1, 1, 0, 0, 0)
"""The earliest time of a zip archive: equal sources make equal files."""


def build_wheel(
    wheel_directory: str,
    config_settings: Optional[Dict[str, Any]] = None,
    metadata_directory: Optional[str] = None,
) -> str:
    files = {str(path.relative_to(ROOT).as_posix()): path.read_bytes() for path in _sources(PACKAGE)}
    return _write_wheel(wheel_directory, files)


def build_editable(
    wheel_directory: str,
    config_settings: Optional[Dict[str, Any]] = None,
    metadata_directory: Optional[str] = None,
) -> str:
    return _write_wheel(wheel_directory, {"_document_service.pth": f"{ROOT}\n".encode()})


def build_sdist(sdist_directory: str, config_settings: Optional[Dict[str, Any]] = None) -> str:
    project = read_project((ROOT / "pyproject.toml").read_text("utf-8"))
    base = f"{PACKAGE}-{project['version']}"
    name = f"{base}.tar.gz"
    contents = {path: (ROOT / path).read_bytes() for path in FILES}
    for folder in SOURCES:
        for path in _sources(folder):
            contents[str(path.relative_to(ROOT).as_posix())] = path.read_bytes()
    contents["PKG-INFO"] = _metadata(project)
    with open(Path(sdist_directory) / name, "wb") as file:
        with gzip.GzipFile(fileobj=file, mode="wb", mtime=0) as zipped:
            with tarfile.open(fileobj=zipped, mode="w", format=tarfile.PAX_FORMAT) as archive:
                for path, content in sorted(contents.items()):
                    entry = tarfile.TarInfo(f"{base}/{path}")
                    entry.size = len(content)
                    archive.addfile(entry, io.BytesIO(content))
    return name


def read_project(text: str) -> Dict[str, Any]:
    """Reads the table `project`: strings and lists of strings. `tomllib` only exists since Python 3.11."""
    project: Dict[str, Any] = {"urls": {}}
    table = ""
    pending = ""
    for line in text.splitlines():
        if not pending and line.startswith("["):
            table = line.strip("[] ")
        elif not pending and (not line.strip() or line.startswith("#")):
            continue
        else:
            pending += f"{line}\n"
            name, _, value = pending.partition("=")
            if value.count("[") == value.count("]"):
                pending = ""
                _store(project, table, name.strip(), ast.literal_eval(value.strip()))
    return project


def _store(project: Dict[str, Any], table: str, name: str, value: Any) -> None:
    if table == "project":
        project[name] = value
    elif table == "project.urls":
        project["urls"][name] = value
    elif table == "project.authors" and name == "name":
        project.setdefault("authors", []).append({"name": value})


def _sources(folder: str) -> List[Path]:
    paths = sorted((ROOT / folder).rglob("*"))
    return [path for path in paths if path.is_file() and "__pycache__" not in path.parts]


def _metadata(project: Dict[str, Any]) -> bytes:
    lines = [
        "Metadata-Version: 2.4",
        f"Name: {project['name']}",
        f"Version: {project['version']}",
        f"Summary: {project['description']}",
        f"Author: {', '.join(author['name'] for author in project['authors'])}",
        f"License-Expression: {project['license']}",
        *(f"License-File: {path}" for path in project["license-files"]),
        f"Keywords: {','.join(project['keywords'])}",
        *(f"Classifier: {classifier}" for classifier in project["classifiers"]),
        *(f"Project-URL: {name}, {url}" for name, url in project["urls"].items()),
        f"Requires-Python: {project['requires-python']}",
        "Description-Content-Type: text/markdown",
        "",
        (ROOT / project["readme"]).read_text("utf-8"),
    ]
    return "\n".join(lines).encode()


def _write_wheel(wheel_directory: str, files: Dict[str, bytes]) -> str:
    project = read_project((ROOT / "pyproject.toml").read_text("utf-8"))
    base = f"{PACKAGE}-{project['version']}"
    info = f"{base}.dist-info"
    contents = {
        **files,
        f"{info}/METADATA": _metadata(project),
        f"{info}/WHEEL": b"Wheel-Version: 1.0\nGenerator: document-service\n"
        b"Root-Is-Purelib: true\nTag: py3-none-any\n",
        **{f"{info}/licenses/{path}": (ROOT / path).read_bytes() for path in project["license-files"]},
    }
    record = [f"{path},sha256={_digest(content)},{len(content)}" for path, content in contents.items()]
    contents[f"{info}/RECORD"] = "\n".join([*record, f"{info}/RECORD,,", ""]).encode()
    name = f"{base}-py3-none-any.whl"
    with zipfile.ZipFile(Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in contents.items():
            entry = zipfile.ZipInfo(path, TIME)
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    return name


def _digest(content: bytes) -> str:
    digest = hashlib.sha256(content).digest()
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
