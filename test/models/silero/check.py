#!/usr/bin/env python3
"""Compares the compiled Silero model with ONNX Runtime, chunk by chunk over a made sound.

    check.py [--build BUILD] [--wav FILE]

Each side carries its own state from chunk to chunk, so differences may add up. Last line:
`silero: P of N chunks, max difference D`. Exit 1 unless all probabilities are within 1e-4 and the sound holds both
speech and silence, as ONNX Runtime hears it.
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


def expected_probabilities(model, samples):
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
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
    expected = expected_probabilities(build / "wheels/silero-vad/silero_vad/data/silero_vad.onnx", read_samples(sound))
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
    return 0 if passed == len(expected) and min(heard) >= 50 else 1


if __name__ == "__main__":
    sys.exit(main())
