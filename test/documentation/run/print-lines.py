"""Runs the Python examples of a page. Arguments: the page and the file with its code.

The code has the line numbers of the page, so that errors name them. Each call of `print` is also recorded with
its line, in the file that the variable RECORD names.
"""

import ast
import builtins
import io
import json
import os
import sys
import tokenize

page, code_file = sys.argv[1:3]
with open(code_file, encoding="utf-8") as file:
    code = file.read()
tree = ast.parse(code, page)

comments = {
    token.start[0]: token.string[1:].strip()
    for token in tokenize.generate_tokens(io.StringIO(code).readline)
    if token.type == tokenize.COMMENT
}
stated = {}
for node in ast.walk(tree):
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "print"
        and node.end_lineno in comments
    ):
        stated[node.lineno] = comments[node.end_lineno]

record = open(os.environ["RECORD"], "w", encoding="utf-8", buffering=1)
record.write(json.dumps({"stated": stated}) + "\n")
plain_print = builtins.print


def recorded_print(*values, **options):
    line = sys._getframe(1).f_lineno
    if options.get("file") in (None, sys.stdout):
        text = io.StringIO()
        plain_print(*values, **{**options, "file": text, "flush": False})
        record.write(json.dumps({"line": line, "text": text.getvalue()}) + "\n")
    plain_print(*values, **options)


builtins.print = recorded_print
sys.argv = [page]
exec(compile(tree, page, "exec"), {"__name__": "__main__", "__file__": page})
