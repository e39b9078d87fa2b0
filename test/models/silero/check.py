#!/usr/bin/env python3
"""Compares the compiled Silero model with ONNX Runtime, chunk by chunk over a made sound.

    check.py [--build BUILD] [--wav FILE]

Each side carries its own state from chunk to chunk, so differences may add up. The model decides by its input `sr`
when it runs: its branch for 8 kHz does not fit the chunks compiled for and must say so, and both branches of the
model's variant that fits both rates must agree with ONNX Runtime. Last line: `silero: P of N chunks, max difference D`.
Exit 1 unless all probabilities are within 1e-4 and the sound holds both speech and silence, as ONNX Runtime hears it.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import wave

import numpy
import onnxruntime

TOLERANCE = 1e-4
RATE, CHUNK, CONTEXT = 16000, 512, 64
ROOT = pathlib.Path(__file__).resolve().parents[3]


def read_samples(path):
    """Float samples, filled up with silence to whole chunks."""
    with wave.open(str(path)) as file:
        form = (file.getframerate(), file.getnchannels(), file.getsampwidth())
        assert form == (RATE, 1, 2), f"{path}: rate, channels, bytes are {form}"
        samples = numpy.frombuffer(file.readframes(file.getnframes()), "<i2")
    samples = samples.astype(numpy.float32) / 32768
    return numpy.pad(samples, (0, -len(samples) % CHUNK))


def open_session(model):
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])


def expected_probabilities(model, samples):
    session = open_session(model)
    state = numpy.zeros((2, 1, 128), numpy.float32)
    padded = numpy.concatenate([numpy.zeros(CONTEXT, numpy.float32), samples])
    probabilities = []
    for at in range(0, len(samples), CHUNK):
        feeds = {
            "input": padded[None, at : at + CONTEXT + CHUNK],
            "state": state,
            "sr": numpy.array(RATE, numpy.int64),
        }
        probability, state = session.run(["output", "stateN"], feeds)
        probabilities.append(float(probability[0, 0]))
    return numpy.array(probabilities)


def run_once(build, artifact, feeds):
    """One call of the compiled model with imbrex run: its outputs, or the text of its error."""
    work = build / "models/silero-check"
    work.mkdir(parents=True, exist_ok=True)
    command = [build / "bin/imbrex-run", artifact, "--output", work]
    for name, value in feeds.items():
        numpy.save(work / f"in-{name}.npy", value)
        command += ["--input", f"{name}={work}/in-{name}.npy"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        return done.stderr
    return [numpy.load(work / f"{name}.npy") for name in ("output", "stateN")]


def check_branches(build, models):
    """Both values of the condition, in both models; the number of failures."""
    artifact = build / "models/silero-both-rates.imx"
    shapes = ["input=1x576", "state=2x1x128", "sr="]
    options = [word for shape in shapes for word in ("--input-shape", shape)]
    both = models / "silero_vad_op18_ifless.onnx"
    subprocess.run([build / "bin/imbrex-compile", both, "-o", artifact, "--quiet", *options], check=True)
    session = open_session(both)
    random = numpy.random.default_rng(1)
    feeds = {
        "input": (random.standard_normal((1, CONTEXT + CHUNK)) * 0.1).astype(numpy.float32),
        "state": (random.standard_normal((2, 1, 128)) * 0.1).astype(numpy.float32),
    }
    failures = 0
    for rate in (RATE, 8000):
        feeds["sr"] = numpy.array(rate, numpy.int64)
        got, want = run_once(build, artifact, feeds), session.run(["output", "stateN"], feeds)
        good = not isinstance(got, str) and all(numpy.abs(g - w).max() <= TOLERANCE for g, w in zip(got, want))
        print(f"branch for {rate} Hz: {'as ONNX Runtime' if good else f'DIFFERS: {got}, expected {want}'}")
        failures += not good
    refusal = run_once(build, build / "models/silero.imx", feeds)
    if not isinstance(refusal, str) or "the else_branch of node 'If_0' cannot run" not in refusal:
        print(f"the branch for 8 kHz was not refused: {refusal}")
        failures += 1
    return failures


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--wav", type=pathlib.Path)
    options = parser.parse_args()
    build = options.build.resolve()
    program = build / "bin" / "silero"
    subprocess.run([ROOT / "examples/silero/compile-model", build], check=True)
    sound = options.wav
    if sound is None:
        sound = build / "models/speech.wav"
        subprocess.run([program, "--write", sound], check=True)
    models = build / "wheels/silero-vad/silero_vad/data"
    failures = check_branches(build, models)
    expected = expected_probabilities(models / "silero_vad.onnx", read_samples(sound))
    output = subprocess.run(
        [program, "--model", build / "models/silero.imx", "--json", sound],
        check=True, capture_output=True, text=True,
    ).stdout
    answer = json.loads(output)
    got = numpy.array(answer["probabilities"])
    if len(got) != len(expected):
        print(f"{len(got)} probabilities for {len(expected)} chunks")
        return 1
    difference = numpy.abs(got - expected)
    passed = int((difference <= TOLERANCE).sum())
    for chunk in numpy.flatnonzero(~(difference <= TOLERANCE))[:10]:
        print(f"DIFFERS chunk {chunk}: {got[chunk]:.6f}, ONNX Runtime {expected[chunk]:.6f}")
    heard = (int((expected >= 0.5).sum()), int((expected < 0.1).sum()))
    print(f"sound: {heard[0]} chunks of speech, {heard[1]} without; {answer['ms_per_chunk']} ms a chunk")
    print(f"silero: {passed} of {len(expected)} chunks, max difference {difference.max():.1e}")
    return 0 if passed == len(expected) and min(heard) >= 50 and not failures else 1


if __name__ == "__main__":
    sys.exit(main())
