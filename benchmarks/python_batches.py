#!/usr/bin/env python3
"""Times of batches of a material from Python and from C++: the same computation, with the same memory for the result.

    PYTHONPATH=build/release/python /usr/bin/python3 benchmarks/python_batches.py [--elements 100000] [--rounds 15]

Printed is the processor time of a call, summed over all threads: the least of all rounds, of several calls each, in which
Python and C++ take turns. Times of the processor hold on a machine that others use, too. "new memory" is the call without
`out=`, for which the system has to provide the memory of the result. "operation" is the plugin's operation alone, on blocks
of lanes that stay in the cache: the rest are conversions of arrays by rows, and memory.
"""

import argparse
import time

import numpy as np

import holomorph
from holomorph import plugins

CALLS = 5  # in a round


def processor_time(calls):
    start = time.process_time()
    calls()
    return (time.process_time() - start) / CALLS


def repeated(call):
    for _ in range(CALLS):
        call()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--elements", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args()
    material = holomorph.material("neo_hookean", youngs_modulus=1e5, poissons_ratio=0.4)
    random = np.random.default_rng(1)
    F, D = (np.eye(3) + 0.1 * random.standard_normal((options.elements, 3, 3)) for _ in range(2))
    print(f"{options.elements} elements, least of {options.rounds} rounds")
    print(f"{'':24} {'Python [ms]':>12} {'C++ [ms]':>12} {'ratio':>8} {'new memory [ms]':>16} {'operation [ms]':>15}")
    for function, operation, entries, order, shape, directions in (
            (material.energy, plugins._ENERGY, 1, 0, (), ()),
            (material.gradient, plugins._STRESS, 9, 0, (3, 3), ()),
            (material.hessian, plugins._HESSIAN, 45, 9, (3, 3, 3, 3), ()),
            (material.directional_hessian, plugins._DIRECTIONAL_HESSIAN, 45, 9, (3, 3, 3, 3), (D,)),
            (material.third_order_contraction, plugins._THIRD_ORDER, 9, 0, (3, 3), (D, D))):
        out = np.zeros((options.elements, *shape))
        python, cpp, new, blocks = [], [], [], []
        for _ in range(options.rounds):
            python.append(processor_time(lambda: repeated(lambda: function(F, *directions, out=out))))
            cpp.append(processor_time(
                lambda: material._native.seconds(operation, entries, order, F, list(directions), out, CALLS)))
            new.append(processor_time(lambda: repeated(lambda: function(F, *directions))))
            blocks.append(processor_time(lambda: repeated(
                lambda: material._native.run_blocks(operation, entries, len(directions), F[:64], options.elements))))
        times = [1e3 * min(each) for each in (python, cpp, new, blocks)]
        print(f"{function.__name__:24} {times[0]:12.3f} {times[1]:12.3f} {times[0] / times[1]:8.3f} {times[2]:16.3f} "
              f"{times[3]:15.3f}")


if __name__ == "__main__":
    main()
