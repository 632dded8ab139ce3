"""Local memory ends where the kernel's variables and its arguments do, however large they are made."""
import gridlock_test
import prove_case

VARIABLE = """kernel void variable(global int *out)
{
    local int s[10];
    s[get_local_id(0) + %d] = 1;
    out[get_global_id(0)] = s[get_local_id(0) + %d];
}
"""
ARGUMENT = """kernel void argument(global int *out, local int *s)
{
    s[get_local_id(0) + %d] = 1;
    out[get_global_id(0)] = s[get_local_id(0) + %d];
}
"""
LARGE = """kernel void large(global int *out)
{
    local char4 s[33];
    s[get_local_id(0) + 31] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = vload4(get_local_id(0) + %d, (local char *)s).x;
}
"""


class Local(prove_case.Case):
    def verdict(self, text, first, *options):
        path = self.folder / "k.cl"
        path.write_text(text % ((first, first) if text.count("%d") == 2 else first))
        launch, = self.prove(path, "--groups", "2", "--local-size", "2", *options, code=None)
        return launch["verdict"], launch["fault"] or ""

    def test_variables(self):
        self.assertEqual(self.verdict(VARIABLE, 8)[0], "proved")
        for first in (9, 10, 30, 32, 100):
            verdict, fault = self.verdict(VARIABLE, first)
            self.assertEqual(verdict, "fault", first)
            self.assertIn("writes outside of what the kernel was given", fault)

    def test_arguments(self):
        for size, first, right in ((16, 2, True), (16, 3, False), (16, 20, False), (16, 100, False), (140, 33, True),
                                   (140, 34, False)):
            verdict, fault = self.verdict(ARGUMENT, first, "--arg", f"s=local:{size}")
            self.assertEqual(verdict, "proved" if right else "fault", (size, first))
            self.assertEqual("writes outside" in fault, not right)

    def test_an_argument_that_is_made_up_has_some_room(self):
        self.assertEqual(self.verdict(ARGUMENT, 2)[0], "proved")

    def test_an_access_that_only_begins_inside(self):
        self.assertEqual(self.verdict(LARGE, 31)[0], "proved")
        verdict, fault = self.verdict(LARGE, 32)
        self.assertEqual((verdict, "reads outside" in fault), ("fault", True))


if __name__ == "__main__":
    gridlock_test.main()
