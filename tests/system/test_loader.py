"""The system's OpenCL loader: looked for when a driver is needed, and never before."""
import subprocess

import gridlock_test
from gridlock_test import EXIT_NO_DEVICE, PROGRAM


class Loader(gridlock_test.Case):
    def put(self, name="libOpenCL.so.1", source=None):
        """A library in front of the system's: one that is none, or of this source."""
        path = self.folder / name
        path.write_text(source or "")
        if source is not None:
            path.rename(self.folder / "loader.c")
            subprocess.run(["cc", "-shared", "-fPIC", "-o", path, self.folder / "loader.c"], check=True)

    def refused(self, *arguments):
        result = self.run_gridlock(*arguments, code=EXIT_NO_DEVICE, LD_LIBRARY_PATH=self.folder)
        self.assertEqual(result.out, "")
        self.assertEqual(result.err.count("\n"), 1, result)
        return result.err

    def test_where_it_is_missing(self):
        """One sentence names the package, whatever drivers are registered."""
        self.put()
        for arguments in (["devices"], ["run", "barrier_central", "-o", "x.run"],
                          ["devices", "--icd", "libnosuch.so"]):
            self.assertRegex(self.refused(*arguments),
                             r"^gridlock: no OpenCL loader: .*libOpenCL\.so\.1: file too short; "
                             r"install one \(Debian: ocl-icd-libopencl1\), or choose a model device .*\n$")

    def test_where_it_lacks_a_function(self):
        self.put(source="int clGetPlatformIDs(void) { return -1001; }\nint clBuildProgram(void) { return 0; }\n")
        self.assertRegex(self.refused("devices"), r"^gridlock: the OpenCL loader libOpenCL\.so\.1 lacks clCreateBuffer")

    def test_what_needs_none(self):
        self.put()
        self.run_gridlock("list", LD_LIBRARY_PATH=self.folder)
        self.assertNotIn(b"libOpenCL", subprocess.run(["readelf", "-d", PROGRAM], capture_output=True,
                                                      check=True).stdout)


if __name__ == "__main__":
    gridlock_test.main()
