#!/usr/bin/env python3
"""Writes files.txt: for each label some files of the packages named here, with ONNX Runtime's answer.

    make_list.py --package BUILD/wheels/magika/magika --cache BUILD/debian-files > files.txt

Taken are files for which the model is asked, at most eight a label, in turns from the packages, so that no package
and no label dominates. Nothing is chosen by score. The last column tells how far single-precision evaluations of
the file lie apart (exact.py): check.py counts only files where that is small.
"""

import argparse
import collections
import pathlib

import exact
import numpy
import packages
import reference

PACKAGES = """antiword autoconf-archive ca-certificates coffeescript developers-reference dokuwiki
elpa-markdown-mode erlang-eunit extra-cmake-modules fonts-font-awesome gnustep-gui-common
golang-github-gabriel-vasile-mimetype-dev ibus-table-emoji libblas-dev libcommons-lang3-java libprotobuf-dev
librust-plist-dev libspreadsheet-parseexcel-perl libwmf-doc lua-penlight node-undici php-twig
python-matplotlib-data python3-docx r-cran-mass ruby-rouge systemd-boot-efi tcpreplay""".split()
PER_LABEL = 8


def classify(reference_, folder):
    """Yields (path below folder, model's label, said label, score) for files that the model is asked about."""
    for path in sorted(folder.rglob("*")):
        if path.is_symlink() or not path.is_file() or any(c.isspace() for c in str(path)):
            continue
        tokens = reference_.features(path)
        if tokens is not None:
            yield (path.relative_to(folder), *reference_.decide(reference_.scores(tokens)))


def take_turns(by_package, count):
    """At most count items, one from each list in turn."""
    queues = [collections.deque(items) for items in by_package.values()]
    taken = []
    while queues and len(taken) < count:
        queue = queues.pop(0)
        taken.append(queue.popleft())
        if queue:
            queues.append(queue)
    return taken


def measure_spread(model, exact_model, file):
    tokens = model.features(file)
    batch = model.session.run(["target_label"], {"bytes": numpy.repeat(tokens[None, :], 8, axis=0)})[0]
    return exact_model.spread(tokens, [float(model.scores(tokens).max()), float(batch.max())])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--package", required=True)
    parser.add_argument("--cache", required=True)
    options = parser.parse_args()
    model = reference.Reference(options.package)
    found = collections.defaultdict(lambda: collections.defaultdict(list))
    for package in PACKAGES:
        folder = packages.unpack(package, options.cache)
        if folder == pathlib.Path("/"):
            raise SystemExit(f"{package}: must be fetched to make the list")
        for path, _, said, score in classify(model, folder):
            found[said][package].append((package, str(path), said, score))
    rows = [row for label in found.values() for row in take_turns(label, PER_LABEL)]
    exact_model = exact.ExactModel(pathlib.Path(options.package) / "models/standard_v3_3/model.onnx")
    print("# package path label score spread: ONNX Runtime's answers, written by make_list.py")
    for package, path, label, score in sorted(rows):
        spread = measure_spread(model, exact_model, pathlib.Path(options.cache) / package / path)
        print(package, path, label, f"{score:.6f} {spread:.1e}")


if __name__ == "__main__":
    main()
