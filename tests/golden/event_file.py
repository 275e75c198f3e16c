"""Writes an event file with the tensorboard package, for tests/io/event_file.cpp.

Run from the root of the repository, with the tensorboard package and NumPy:

    python tests/golden/event_file.py

`tests/golden/event_file.bin`: the record of the version, then scalars and a histogram, at fixed times.

With the name of a folder, it reads the event files there and prints what TensorBoard sees:

    python tests/golden/event_file.py runs/1
"""

import itertools
import pathlib
import sys

import numpy as np
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from tensorboard.compat.proto.event_pb2 import Event
from tensorboard.compat.proto.summary_pb2 import HistogramProto, Summary
from tensorboard.summary.writer.record_writer import RecordWriter


def bucket_limits():
    """TensorFlow's: core/lib/histogram/histogram.cc."""
    up = list(itertools.takewhile(lambda v: v < 1e20, itertools.accumulate(itertools.repeat(1.1), lambda v, f: v * f, initial=1e-12)))
    up.append(np.finfo(float).max)
    return np.array([-v for v in reversed(up)] + [0.0] + up)


def histogram(values):
    limits = bucket_limits()
    counts = np.concatenate([[0], np.histogram(values, limits)[0]])  # nothing is below the first limit
    kept = [list(run)[-1:] if empty else list(run) for empty, run in itertools.groupby(range(len(limits)), lambda k: counts[k] == 0)]
    kept = [k for run in kept for k in run]
    return HistogramProto(min=values.min(), max=values.max(), num=len(values), sum=values.sum(), sum_squares=values @ values,
                          bucket_limit=limits[kept], bucket=counts[kept])


def write(path):
    with open(path, "wb") as file:
        records = RecordWriter(file)

        def put(wall_time, **event):
            records.write(Event(wall_time=wall_time, **event).SerializeToString())

        def put_value(wall_time, step, **value):
            put(wall_time, step=step, summary=Summary(value=[Summary.Value(**value)]))

        put(1700000000.25, file_version="brain.Event:2")
        put_value(1700000001.5, 0, tag="loss/train", simple_value=2.302585)
        put_value(1700000002.5, 1, tag="loss/train", simple_value=0.0)
        put_value(1700000003.5, 300, tag="a na\u00efve name of more than 127 bytes " + "x" * 100, simple_value=-1e-3)
        put_value(1700000004.5, 1 << 40, tag="loss/train", simple_value=float("inf"))
        put_value(1700000005.5, 7, tag="states.weight_hh_l0", histo=histogram(np.array([-2.0, -0.5, 0, 0, 1e-12, 0.25, 0.25, 3, 1e21])))


def read(folder):
    seen = EventAccumulator(folder, size_guidance={"scalars": 0, "histograms": 0})
    seen.Reload()
    print("file version", seen.file_version)
    for tag in seen.Tags()["scalars"]:
        print(tag, [(e.step, e.value) for e in seen.Scalars(tag)])
    for tag in seen.Tags()["histograms"]:
        for e in seen.Histograms(tag):
            h = e.histogram_value
            print(tag, e.step, "min", h.min, "max", h.max, "num", h.num, "sum", h.sum, "buckets", len(h.bucket), sum(h.bucket))


if len(sys.argv) > 1:
    read(sys.argv[1])
else:
    write(pathlib.Path(__file__).resolve().parent / "event_file.bin")
