"""Random cases of ONNX's operators with odd shapes and values; see draw.py."""

from . import attentions, elementwise, older, reductions, shapes, windows

# A family that is named twice is drawn twice as often.
FAMILIES = [
    attentions.attention, attentions.rotary, attentions.root_mean_square,
    older.older, older.older,
    elementwise.unary, elementwise.unary, elementwise.activation, elementwise.binary, elementwise.binary,
    elementwise.several, elementwise.where, elementwise.clip, elementwise.cast, reductions.reduce, reductions.reduce,
    reductions.argument, reductions.normal, reductions.scan, shapes.reshape, shapes.transpose, shapes.squeeze,
    shapes.concat, shapes.split, shapes.slicing, shapes.slicing, shapes.gather, shapes.gather, shapes.scatter,
    shapes.pad, shapes.spread, shapes.made, shapes.blocks, shapes.chosen, windows.product, windows.einsum,
    windows.pool, windows.pool, windows.conv, windows.conv, windows.norms, windows.recurrent, windows.resize,
    windows.resize, windows.quantize, windows.pictures]
