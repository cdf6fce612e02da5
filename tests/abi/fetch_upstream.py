#!/usr/bin/env python3
"""Fetches the packages that carry upstream headers and unpacks the headers: fetch_upstream.py CACHE

Uses the package index that pip is set up for. Nothing is built: pip would run the build of a source distribution. A file
that is in CACHE already is verified again and not fetched again.
"""

import hashlib
import io
import json
import os
import pathlib
import subprocess
import sys
import tarfile
import tempfile
import time
import urllib.parse
import urllib.request
import zipfile

# package, file, SHA-256
PACKAGES = [
    ("xla-cpu-pjrt", "xla_cpu_pjrt-0.0.1-py3-none-manylinux_2_27_x86_64.whl",
     "55837b6b7b47daa717f2d9a5a03563ea0ceaa338d06a81a1e2d3f060d960decc"),
    ("pypjrt", "pypjrt-0.1.1.tar.gz", "e85e8fd382801726f9b8d1348deeebe5fb3aab35e95147c09d693cc701190dec"),
]
TRIES = 4


def pip_setting(name):
    done = subprocess.run([sys.executable, "-m", "pip", "config", "get", f"global.{name}"],
                          capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else ""


def index_url():
    for variable in ("PIER_INDEX_URL", "PIP_INDEX_URL", "UV_DEFAULT_INDEX"):
        if os.environ.get(variable):
            return os.environ[variable]
    configured = pip_setting("index-url")
    if configured:
        return configured
    try:
        from pip._internal.models.index import PyPI
    except ImportError as error:
        raise SystemExit(f"no package index is set and pip, which knows the default one, is missing: {error}") from error
    return PyPI.simple_url


def trust():
    for variable in ("PIP_CERT", "SSL_CERT_FILE"):
        if os.environ.get(variable):
            import ssl
            return ssl.create_default_context(cafile=os.environ[variable])
    return None


def get(url, headers=None):
    failure = None
    for attempt in range(TRIES):
        try:
            request = urllib.request.Request(url, headers=headers or {})
            with urllib.request.urlopen(request, timeout=60, context=trust()) as answer:
                return answer.read()
        except OSError as error:
            failure = error
            time.sleep(2 ** attempt)
    raise SystemExit(f"could not fetch {url}: {failure}")


def file_url(index, package, file):
    page = index.rstrip("/") + "/" + package + "/"
    listing = json.loads(get(page, {"Accept": "application/vnd.pypi.simple.v1+json"}))
    for entry in listing["files"]:
        if entry["filename"] == file:
            return urllib.parse.urljoin(page, entry["url"])
    raise SystemExit(f"{package}: the index has no {file}")


def fetched(cache, package, file, sha256):
    path = cache / file
    if path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == sha256:
        return path.read_bytes()
    content = get(file_url(index_url(), package, file))
    found = hashlib.sha256(content).hexdigest()
    if found != sha256:
        raise SystemExit(f"{file}: SHA-256 is {found}, expected {sha256}")
    write(path, content)
    return content


def write(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent)
    with os.fdopen(handle, "wb") as out:
        out.write(content)
    os.replace(temporary, path)


def members(file, content):
    if file.endswith(".whl"):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for name in archive.namelist():
                if name.endswith(".h"):
                    yield name, archive.read(name)
    else:
        with tarfile.open(fileobj=io.BytesIO(content)) as archive:
            for member in archive:
                if member.isfile() and member.name.endswith(".h"):
                    yield member.name, archive.extractfile(member).read()


def main():
    cache = pathlib.Path(sys.argv[1])
    for package, file, sha256 in PACKAGES:
        content = fetched(cache, package, file, sha256)
        for name, header in members(file, content):
            parts = pathlib.PurePosixPath(name).parts
            if name.startswith("/") or ".." in parts:
                raise SystemExit(f"{file}: member {name} would leave the cache")
            write(cache / "upstream" / package / name, header)


if __name__ == "__main__":
    main()
