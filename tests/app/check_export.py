#!/usr/bin/python3
"""check_export.py FOLDER [quadratic]: reads an export of the small experiment by NumPy, meshio and an own reader of glTF.

All must have the positions of the archive's frames. With `quadratic` the folder has the first frame of a body of quadratic elements, at
rest, as an archive and for gmsh. Prints what differs; the exit code is 1 then.
"""
import json
import pathlib
import struct
import sys

import meshio
import numpy

folder = pathlib.Path(sys.argv[1])
problems = []


def check(holds, what):
    if not holds:
        problems.append(what)


def glb(path):
    """The JSON of a .glb, and its accessors as arrays."""
    data = path.read_bytes()
    magic, version, size = struct.unpack_from("<III", data)
    check((magic, version, size) == (0x46546C67, 2, len(data)), f"the head of {path.name} is {magic:x} {version} {size}")
    length, kind = struct.unpack_from("<II", data, 12)
    check(kind == 0x4E4F534A and length % 4 == 0, "the first chunk is JSON")
    text = json.loads(data[20:20 + length])
    start = 20 + length
    size, kind = struct.unpack_from("<II", data, start)
    check(kind == 0x004E4942 and size == text["buffers"][0]["byteLength"], "the second chunk is the buffer")
    buffer = data[start + 8:]
    arrays = []
    for accessor in text["accessors"]:
        view = text["bufferViews"][accessor["bufferView"]]
        width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[accessor["type"]]
        kind = {5126: "<f4", 5125: "<u4"}[accessor["componentType"]]
        check(view["byteOffset"] % 4 == 0 and view["byteLength"] == 4 * width * accessor["count"], "a view fits its accessor")
        array = numpy.frombuffer(buffer, kind, width * accessor["count"], view["byteOffset"]).reshape(-1, width)
        for name, bound in (("min", array.min(0)), ("max", array.max(0))):
            check(name not in accessor or numpy.array_equal(numpy.float32(accessor[name]), bound), f"{name} of an accessor")
        arrays.append(array)
    return text, arrays


def volumes(points, cells):
    a, b, c, d = (points[cells[:, i]] for i in range(4))
    return numpy.einsum("ij,ij->i", numpy.cross(b - a, c - a), d - a) / 6


def check_quadratic():
    """Each element has its edges' vertices in the middle, in the order of VTK, and the volume of eight linear ones."""
    archive = numpy.load(folder / "run.npz", allow_pickle=False)
    mesh = meshio.read(next(folder.glob("*.msh")))
    cells = mesh.cells_dict["tetra10"]
    check(list(mesh.cells_dict) == ["tetra10"] and numpy.array_equal(mesh.points, archive["positions"][0]), "cells and positions")
    for edge, (i, j) in enumerate([(0, 1), (1, 2), (0, 2), (0, 3), (1, 3), (2, 3)]):
        middle = (mesh.points[cells[:, i]] + mesh.points[cells[:, j]]) / 2
        check(numpy.allclose(mesh.points[cells[:, 4 + edge]], middle, atol=1e-12), f"the vertices of the edge {i} {j}")
    eighths = volumes(mesh.points, archive["tetrahedra"]).reshape(-1, 8)
    check(numpy.allclose(volumes(mesh.points, cells), eighths.sum(1), rtol=1e-12), "the volumes")


def main():
    if len(sys.argv) > 2:
        check_quadratic()
        print("\n".join(problems))
        return 1 if problems else 0
    archive = numpy.load(folder / "run.npz", allow_pickle=False)
    positions = archive["positions"]
    frames, vertices, _ = positions.shape
    check(list(archive["body_names"]) == ["bar"], f"bodies {archive['body_names']}")
    check(list(archive["steps"]) == list(range(frames)), f"steps {archive['steps']}")
    check(numpy.allclose(archive["times"], 0.01 * archive["steps"]), f"times {archive['times']}")
    check(positions.dtype == numpy.float64 and numpy.array_equal(positions, numpy.load(folder / "positions.npy")), "positions.npy")
    for name in archive["field_names"]:
        check(archive[f"field_{name}"].shape == (frames, vertices), f"the field {name}")

    last = positions[-1]
    for name in (f"frame_{frames - 1:02}.vtu", f"frame_{frames - 1:02}.msh"):
        mesh = meshio.read(folder / name)
        check(numpy.array_equal(mesh.points, last), f"{name}: positions")
        check(numpy.array_equal(mesh.cells_dict["tetra"], archive["tetrahedra"]), f"{name}: tetrahedra")
        if name.endswith("msh"):
            check(list(mesh.field_data) == ["bar"], f"{name}: physical volumes {mesh.field_data}")
    surface = meshio.read(folder / f"frame_{frames - 1:02}.obj")
    check(numpy.array_equal(surface.points[surface.cells_dict["triangle"]], last[archive["triangles"]]), "obj: the corners")

    text, arrays = glb(folder / "scene.glb")
    primitive = text["meshes"][0]["primitives"][0]
    triangles = arrays[primitive["indices"]].reshape(-1, 3)
    first = arrays[primitive["attributes"]["POSITION"]]
    shapes = [first] + [first + arrays[target["POSITION"]] for target in primitive["targets"]]
    check(len(shapes) == frames, f"{len(shapes)} shapes")
    for frame, shape in enumerate(shapes):
        check(numpy.allclose(shape[triangles], positions[frame][archive["triangles"]], atol=1e-7), f"glb: the shape {frame}")
    sampler = text["animations"][0]["samplers"][0]
    check(numpy.allclose(arrays[sampler["input"]].ravel(), archive["times"]), "glb: the times")
    check(numpy.array_equal(arrays[sampler["output"]].reshape(frames, -1), numpy.eye(frames)[:, 1:]), "glb: the weights")

    print("\n".join(problems))
    return 1 if problems else 0


sys.exit(main())
