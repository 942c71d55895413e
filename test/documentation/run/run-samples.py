"""Runs Python samples one after another: run-samples.mjs in Python."""

import builtins
import json
import os
import runpy
import sys
import traceback


class Ended(Exception):
    pass


for sample in json.loads(sys.argv[1]):
    output = []

    def collect(*values, **_):
        output.append(" ".join(map(str, values)))
        # Ends the loop over a stream that never ends.
        if sample["stream"]:
            raise Ended

    os.environ.update(sample["environment"])
    os.chdir(sample["folder"])
    error = None
    original, builtins.print = builtins.print, collect
    try:
        runpy.run_path(sample["program"])
    except Ended:
        pass
    except Exception:
        error = traceback.format_exc()
    finally:
        builtins.print = original
    result = {"operationId": sample["operationId"], "error": error, "output": "".join(output)[:200]}
    print(json.dumps(result), flush=True)
