#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The archive of scripts/gpu_check --pack."""
import re
import shutil
import subprocess
import unittest

from gpu_check_stubs import OnAMachine

import gpu_check_pack
import gpu_check_plan as plan


class AnArchive(OnAMachine):
    def pack(self, *options, name="check.tgz", do=None):
        return self.machine.check("--pack", str(self.folder / name), *options, do=do)

    def test_holds_what_the_check_needs(self):
        for name in ("check.tgz", "check.tar.xz"):
            packed = self.pack(name=name)
            self.assertEqual(packed.returncode, 0, packed.stderr)
            self.assertRegex(packed.stdout, r" MiB .*: scree, kernels_tests of ")
            elsewhere = self.folder / "elsewhere" / "gpu_check"
            shutil.unpack_archive(self.folder / name, elsewhere.parent, "xztar" if name.endswith("xz") else "gztar")
            command = self.machine.command("--only", "compare", script=elsewhere / "scripts" / "gpu_check")
            done = subprocess.run(command, env=self.machine.variables({}), cwd="/", capture_output=True, text=True,
                                  check=False)

            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertIn("; tree packed, ", done.stdout)
            self.assertTrue(all((elsewhere / "scenes" / f"{scene}.yaml").exists() for scene, _, _ in plan.COMPARED))
            shutil.rmtree(elsewhere)

    def test_above_the_limit_is_not_written(self):
        packed = self.pack("--limit", "1")

        self.assertEqual(packed.returncode, 1)
        self.assertIn("more than 1 MiB", packed.stderr)
        self.assertEqual(list(self.folder.glob("check*")), [])

    def test_of_a_tree_without_cuda_or_gpu_tests_is_refused(self):
        self.assertIn("without CUDA", self.pack(do={"info": "without CUDA"}).stderr)
        (self.machine.tree / "bin" / "kernels_tests").unlink()
        self.assertIn("no GPU test", self.pack().stderr)

    def test_has_the_libraries_of_a_program_but_not_the_c_library(self):
        libraries, missing = gpu_check_pack.libraries_of([shutil.which("cmake") or shutil.which("bash")])

        self.assertEqual(missing, [])
        self.assertFalse([library for library in libraries if re.match(r"lib(c|m|pthread)\.so", library.name)])
        self.assertTrue(all(library.exists() for library in libraries))


if __name__ == "__main__":
    unittest.main()
