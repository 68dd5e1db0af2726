"""Checks of HTML pages by others: a validator of HTML, and one of accessibility.

Both are packages of the npm registry, fetched as schemas are (tests/schemas.py). The validator runs
in Node.js, axe in the page.
"""

import json
import os
import subprocess

import schemas

# What html-validate needs of other packages to validate a text.
VALIDATOR = [
    ("html-validate", "9.7.1",
     "sOCmfMGrSwax20SG2s+4iC8WqsE7JqncN6kh+YFwrb/gvP2VYN8WEnD4PIrnKBIeRf9ju8BGi50NdpHx9UNS9w=="),
    ("ajv", "8.20.0",
     "Thbli+OlOj+iMPYFBVBfJ3OmCAnaSyNn4M1vz9T6Gka5Jt9ba/HIR56joy65tY6kx/FCF5VXNB819Y7/GUrBGA=="),
    ("fast-deep-equal", "3.1.3",
     "f3qQ9oQy9j2AhBe/H9VC91wLmKBCCU/gDOnKNAYG5hswO7BLKj09Hc5HYNz9cGI++xlpDCIgDaitVs03ATR84Q=="),
    ("json-schema-traverse", "1.0.0",
     "NM8/P9n3XjXhIZn1lLhkFaACTOURQXjWhV4BA/RnOv8xvgqtqpAX9IO4mRQxSx1Rlo4tqzeqb0sOlruaOy3dug=="),
    ("fast-uri", "3.1.9",
     "hS/0Wt3Ya043oKXs0sIxrMpKQITXhMLIrVAKKXi4gozGC9v7YRWVnXIZzjNPTO02M9BdxLCWqK1yRXgNziVyJQ=="),
    ("@sidvind/better-ajv-errors", "4.0.0",
     "rLZQkN6IfNwG6iqZZwqFMcs7DvQX3ZrLVhsHmSO1LUA4EZAz+VZLpTBCIOFsC5Qu3xuwzVfRMZ+1rtk/mCRRZw=="),
    ("kleur", "4.1.5",
     "o+NO+8WrRiQEE4/7nwRJhN1HWpVmJm511pBHUxPLtp0BUISzlBplORYSmTclCnJvQq2tKu/sgl3xVpkc7ZWuQQ=="),
    ("@html-validate/stylish", "4.3.0",
     "eUfvKpRJg5TvzSfTf2EovrQoTKjkRnPUOUnXVJ2cQ4GbC/bQw98oxN+DdSf+HxOBK00YOhsP52xWdJPV1o4n5w=="),
    ("semver", "7.8.6",
     "9lpSSU4Mly3mrtruwLs1eLK6+gzbzqeBFwRNjIjE+9LuDpWdYctrQlQ3ej1Ilgi7gknpsTRnPoLP8DpCHqHIJw=="),
]
AXE = ("axe-core", "4.14.0",
       "9WTZxEjsZ7b13TH8JPmbV2z8CHbl80/2hm3XPEG4JgNdQLK81IBRXmSxHfMAOkSqQeRxT/0dwNDz2GOm3zzpcQ==")

VALIDATE = """
const {StaticConfigLoader, HtmlValidate} = require(
    process.argv[1] + '/node_modules/html-validate/dist/cjs/browser.js');
const validator = new HtmlValidate(new StaticConfigLoader({extends: ['html-validate:recommended']}));
for (const file of process.argv.slice(2)) {
  const report = validator.validateStringSync(require('fs').readFileSync(file, 'utf8'));
  for (const result of report.results)
    for (const m of result.messages)
      console.log(`${file}:${m.line}:${m.column}: ${m.message} [${m.ruleId}]`);
}
"""


def unpack(archive, to):
    """Regular files of the package, below this directory."""
    for member in archive:
        inside = os.path.normpath(member.name.split("/", 1)[-1])
        if not member.isfile() or inside.startswith(("..", "/")):
            continue
        path = os.path.join(to, inside)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as out:
            out.write(archive.extractfile(member).read())


def validator(directory):
    """Unpacks it there; what it returns takes files and returns the complaints about them."""
    for name, version, sha512 in VALIDATOR:
        with schemas.archive_of(name, version, sha512) as archive:
            unpack(archive, os.path.join(directory, "node_modules", name))

    def complaints(*files):
        run = subprocess.run(["node", "-e", VALIDATE, "--", directory, *files],
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
                             encoding="utf-8")
        return run.stdout + run.stderr
    return complaints


def axe():
    """Its source, to be evaluated in a page."""
    with schemas.archive_of(*AXE) as archive:
        return archive.extractfile("package/axe.min.js").read().decode()


def violations(browser):
    """What axe finds in the page that the browser shows, a line each. It has been evaluated there."""
    found = browser.evaluate("axe.run().then((r) => JSON.stringify(r.violations))")
    return [f"{v['id']}: {v['help']}: {node['html']}" for v in json.loads(found) for node in v["nodes"]]
