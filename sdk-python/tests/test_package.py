from __future__ import annotations

import ast
import sys
import tarfile
import tempfile
import unittest
import zipfile
from pathlib import Path
from typing import Any

import document_service

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "build_backend"))
import backend  # noqa: E402


class Package(unittest.TestCase):
    def test_uses_the_grammar_of_python_3_9(self) -> None:
        files = [*ROOT.glob("document_service/*.py"), *ROOT.glob("build_backend/*.py")]
        self.assertGreater(len(files), 10)
        for file in files:
            ast.parse(file.read_text("utf-8"), str(file), feature_version=(3, 9))

    def test_has_one_version(self) -> None:
        project = backend.read_project((ROOT / "pyproject.toml").read_text("utf-8"))
        self.assertEqual(project["version"], document_service.__version__)

    @unittest.skipIf(sys.version_info < (3, 11), "This Python has no tomllib.")
    def test_reads_its_project_as_tomllib_does(self) -> None:
        import importlib

        tomllib: Any = importlib.import_module("tomllib")
        text = (ROOT / "pyproject.toml").read_text("utf-8")
        self.assertEqual(backend.read_project(text), tomllib.loads(text)["project"])

    def test_builds_what_it_should_contain(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            wheel = zipfile.ZipFile(Path(folder, backend.build_wheel(folder)))
            names = wheel.namelist()
            self.assertIn("document_service/py.typed", names)
            self.assertFalse([name for name in names if "tests" in name or "pycache" in name])
            [metadata] = [name for name in names if name.endswith("/METADATA")]
            self.assertIn(b"\nName: document-service\n", wheel.read(metadata))
            wheel.close()
            with tarfile.open(Path(folder, backend.build_sdist(folder))) as sdist:
                base = f"document_service-{document_service.__version__}"
                for path in ("PKG-INFO", "pyproject.toml", "build_backend/backend.py", "LICENSE"):
                    self.assertIn(f"{base}/{path}", sdist.getnames())


if __name__ == "__main__":
    unittest.main()
