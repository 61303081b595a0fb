"""The benchmark of the alignment tests, and an engine-ready one for planning."""

from tests.alignment.conftest import bench, three

__all__ = ["bench", "three"]
