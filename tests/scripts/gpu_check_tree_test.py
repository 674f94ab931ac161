#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Which tree scripts/gpu_check takes, and how long it builds one."""
import time
import unittest
from unittest import mock

from gpu_check_stubs import OnAMachine, write_program

import gpu_check_tree
from gpu_check_tree import build_tree, find_tree


class ATree(OnAMachine):
    def find(self, *folders, do=None):
        with mock.patch.dict("os.environ", self.machine.variables(do or {})):
            return find_tree(folders)

    def test_is_the_first_that_starts(self):
        write_program(self.folder / "broken" / "bin" / "scree", "#!/bin/sh\necho no such library >&2\nexit 127\n")

        tree, _ = self.find(self.folder / "none", self.folder / "broken", self.machine.tree)

        self.assertEqual(tree.folder, self.machine.tree.resolve())
        self.assertEqual(tree.library_path(), {})

    def test_takes_the_libraries_beside_it_only_where_it_needs_them(self):
        (self.machine.tree / "lib").mkdir()
        tree, _ = self.find(self.machine.tree)
        self.assertEqual(tree.libraries, self.machine.tree.resolve() / "lib")

    def test_that_does_not_start_says_why(self):
        write_program(self.folder / "broken" / "bin" / "scree", "#!/bin/sh\necho no such library >&2\nexit 127\n")
        tree, said = self.find(self.folder / "broken")
        self.assertIsNone(tree)
        self.assertIn("no such library", said)

    def test_that_hangs_does_not_start(self):
        with mock.patch.object(gpu_check_tree, "START_SECONDS", 0.5):
            tree, said = self.find(self.machine.tree, do={"info": "hang"})
        self.assertIsNone(tree)
        self.assertIn("does not end", said)


class ABuild(OnAMachine):
    def build(self, cmake, seconds):
        write_program(self.machine.tools / "cmake", f"#!/bin/sh\n{cmake}\n")
        end = time.monotonic() + seconds
        with mock.patch.dict("os.environ", self.machine.variables({})):
            return build_tree(self.folder / "build", lambda: end - time.monotonic())

    def test_is_configured_and_built(self):
        self.assertEqual(self.build("exit 0", 60), "")

    def test_says_what_failed(self):
        self.assertIn("no compiler", self.build("echo no compiler; exit 1", 60))

    def test_has_only_the_time_that_its_configuration_left(self):
        begin = time.monotonic()
        said = self.build('test "$1" = -S && exec sleep 2; exec sleep 60', 4)

        self.assertIn("did not end in the time", said)
        self.assertLess(time.monotonic() - begin, 6.0)  # 4 s, not twice that; a slow machine needs some of its own.


if __name__ == "__main__":
    unittest.main()
