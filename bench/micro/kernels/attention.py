#!/usr/bin/env python3
"""The library's attention beside ONNX Runtime's fused one (GroupQueryAttention). Run by `make bench-kernels`.

  attention.py build/bin/bench-attention [--threads N] [--rounds N]

Causal, several heads sharing one head of keys, f32. Both sides have the same queries, keys and values; results are
compared first, then rounds alternate and a line gives the median of the rounds' ratios. Keys and values lie in the peer's
cache, which it updates in place. Its operator also appends the new tokens to that cache; ours does not.
"""
import argparse
import math
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np
import onnxruntime as ort
from onnx import TensorProto, helper

# kind, heads of keys, heads that share one, new tokens, tokens before them, width of a head
CASES = [
    ("prefill", 8, 2, 512, 0, 128),
    ("prefill", 8, 2, 2048, 0, 128),
    ("prefill", 4, 4, 512, 0, 64),
    ("prefill", 8, 2, 256, 1024, 128),
    ("decode", 8, 2, 1, 1023, 128),
    ("decode", 8, 2, 1, 8191, 128),
    ("decode", 4, 4, 1, 4095, 64),
]


class Peer:
    """ONNX Runtime's operator, its cache shared between past and present."""

    def __init__(self, case, q, k, v, threads):
        _, kv, group, tokens, past, width = case
        heads, total = kv * group, past + tokens
        f, i = TensorProto.FLOAT, TensorProto.INT32
        cache = [1, kv, total, width]
        inputs = [("query", f, [1, tokens, heads * width]), ("key", f, [1, tokens, kv * width]),
                  ("value", f, [1, tokens, kv * width]), ("past_key", f, cache), ("past_value", f, cache),
                  ("seqlens_k", i, [1]), ("total", i, [1])]
        outputs = [("output", f, [1, tokens, heads * width]), ("present_key", f, cache), ("present_value", f, cache)]
        node = helper.make_node("GroupQueryAttention", [n for n, _, _ in inputs], [n for n, _, _ in outputs],
                                domain="com.microsoft", num_heads=heads, kv_num_heads=kv)
        graph = helper.make_graph([node], "attention", [helper.make_tensor_value_info(*x) for x in inputs],
                                  [helper.make_tensor_value_info(*x) for x in outputs])
        model = helper.make_model(graph, ir_version=10, opset_imports=[helper.make_opsetid("", 21),
                                                                       helper.make_opsetid("com.microsoft", 1)])
        options = ort.SessionOptions()
        options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
        self.session = ort.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
        flat = lambda x: np.ascontiguousarray(x.transpose(1, 0, 2)).reshape(1, x.shape[1], -1)
        values = {"query": flat(q), "key": flat(k[:, past:]), "value": flat(v[:, past:]), "past_key": k[None].copy(),
                  "past_value": v[None].copy(), "seqlens_k": np.array([total - 1], np.int32),
                  "total": np.array([total], np.int32)}
        self.held = {name: ort.OrtValue.ortvalue_from_numpy(x) for name, x in values.items()}
        self.held["output"] = ort.OrtValue.ortvalue_from_numpy(np.zeros((1, tokens, heads * width), np.float32))
        self.binding = self.session.io_binding()
        for name, _, _ in inputs:
            self.binding.bind_ortvalue_input(name, self.held[name])
        for name in ("output", "present_key", "present_value"):
            self.binding.bind_ortvalue_output(name, self.held[name.replace("present", "past")])
        self.shape = (tokens, heads, width)

    def run(self):
        self.session.run_with_iobinding(self.binding)

    def result(self):
        return self.held["output"].numpy().reshape(self.shape).transpose(1, 0, 2)


class Ours:
    def __init__(self, program, folder, threads):
        self.child = subprocess.Popen([program, folder, str(threads)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                      text=True)

    def ask(self, order):
        self.child.stdin.write(order + "\n")
        self.child.stdin.flush()
        answer = self.child.stdout.readline().split()
        if not answer or answer[-1] != "done":
            sys.exit(f"bench-attention ended at: {order}")
        return answer


def timed(peer, calls, threads):
    peer.run()
    clock = time.thread_time if threads == 1 else time.perf_counter
    start = clock()
    for _ in range(calls):
        peer.run()
    return (clock() - start) / calls


def compare(case, ours, folder, threads, rounds):
    kind, kv, group, tokens, past, width = case
    random = np.random.default_rng(1)
    q, k, v = (random.standard_normal(s, dtype=np.float32)
               for s in ((kv * group, tokens, width), (kv, past + tokens, width), (kv, past + tokens, width)))
    for name, x in (("q", q), ("k", k), ("v", v)):
        x.tofile(folder / f"{name}.bin")
    sizes = f"{tokens} {past}" if kind == "prefill" else f"{past + tokens}"
    ours.ask(f"{kind} {kv} {group} {sizes} {width}")
    peer = Peer(case, q, k, v, threads)
    peer.run()
    once = timed(peer, 1, threads)
    ours.ask("run 1")
    ours.ask("save")
    mine = np.fromfile(folder / "o.bin", np.float32).reshape(q.shape)
    worst = float(np.abs(mine - peer.result()).max())
    if not worst < 1e-4:
        sys.exit(f"{kind} {case[1:]}: results differ by {worst}")
    calls = max(1, math.ceil(0.05 / once))
    a, b = [], []
    for _ in range(rounds):
        if threads > 1:
            time.sleep(0.02)  # the other side's threads have gone to sleep
        a.append(float(ours.ask(f"run {calls}")[0]))
        if threads > 1:
            time.sleep(0.02)
        b.append(timed(peer, calls, threads))
    ratios = [y / x for x, y in zip(a, b)]
    shape = f"{kv}x{group} heads, {tokens} after {past}, {width}"
    print(f"{kind:8} {shape:34} {statistics.median(a) * 1e3:9.3f} {statistics.median(b) * 1e3:9.3f} "
          f"{statistics.median(ratios):7.2f}   {min(ratios):.2f} - {max(ratios):.2f}", flush=True)
    return statistics.median(ratios)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=7)
    o = parser.parse_args()
    print(f"{'kind':8} {'shape':34} {'ours ms':>9} {'peer':>9} {'ratio':>7} {'spread':>13}   ({o.threads} threads)")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        ours = Ours(o.program, folder, o.threads)
        ratios = [compare(c, ours, folder, o.threads, o.rounds) for c in CASES]
    geomean = math.exp(statistics.mean(map(math.log, ratios)))
    print(f"attention: geomean {geomean:.2f}, min {min(ratios):.2f}, n {len(ratios)} "
          f"(ours/peer speed, ONNX Runtime {ort.__version__})")


if __name__ == "__main__":
    main()
