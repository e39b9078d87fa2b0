"""Files of Debian packages: each package is fetched once with apt-get and unpacked into a cache folder."""

import pathlib
import shutil
import subprocess
import tempfile


class Missing(Exception):
    """A package that could be neither fetched nor found installed."""


def unpack(package, cache):
    """The folder that holds the package's files as from the root of a machine.

    Where the package cannot be fetched but is installed, that is `/`, and this is said.
    """
    folder = pathlib.Path(cache) / package
    if folder.is_dir():
        return folder
    pathlib.Path(cache).mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache) as work:
        fetched = subprocess.run(
            ["apt-get", "download", "-qq", package], cwd=work, capture_output=True, text=True
        )
        archives = list(pathlib.Path(work).glob("*.deb"))
        if fetched.returncode == 0 and archives:
            subprocess.run(["dpkg-deb", "-x", archives[0], pathlib.Path(work) / "files"], check=True)
            shutil.move(pathlib.Path(work) / "files", folder)
            return folder
    if is_installed(package):
        print(f"{package}: cannot be fetched; its installed files are used")
        return pathlib.Path("/")
    reason = (fetched.stderr.strip() or "no reason given").splitlines()[-1]
    raise Missing(f"{package}: cannot be fetched ({reason}); try apt-get update")


def is_installed(package):
    status = subprocess.run(
        ["dpkg-query", "-W", "-f", "${Status}", package], capture_output=True, text=True
    )
    return status.returncode == 0 and "install ok installed" in status.stdout
