/* Texts that would keep a compiler busy for ever, or take all memory: each is refused, and leaves nothing behind. */
#include "base/alloc.h"
#include "program_fixture.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>

static char folder[] = "/tmp/test_compile_harmful.XXXXXX";

static void ck_is_refused(const char *source, const char *said)
{
    char options[64], *log;
    struct error error;
    DIR *rest;
    int entries = 0;

    snprintf(options, sizeof options, "-I %s", folder);
    ck_assert_int_eq(model_compile(&(struct model_source){source, options, false}, &program, &log, &error), -1);
    ck_assert_msg(log != NULL && strstr(log, said) != NULL, "%s", log);
    ck_assert_int_eq(error.status, STATUS_USAGE);
    ck_assert_ptr_null(strchr(error.text, '\n'));
    free(log);
    rest = opendir(getenv("TMPDIR"));
    while (readdir(rest) != NULL)
        ++entries;
    closedir(rest);
    ck_assert_int_eq(entries, 2); /* "." and ".." */
}

static void begin(void)
{
    static char temporary[64], path[64];

    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(temporary, sizeof temporary, "%s/temporary", folder);
    ck_assert_int_eq(mkdir(temporary, 0700), 0);
    setenv("TMPDIR", temporary, 1);
    snprintf(path, sizeof path, "%s/pipe", folder);
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    snprintf(path, sizeof path, "%s/round.h", folder);
    FILE *file = fopen(path, "we");
    fputs("#include \"round.h\"\n", file);
    fclose(file);
}

static void end(void)
{
    char *command = xasprintf("rm -r %s", folder);

    ck_assert_int_eq(system(command), 0);
    free(command);
}

START_TEST(what_is_included_is_no_file)
{
    begin();
    ck_is_refused("#include \".\"\n", "error");
    ck_is_refused("#include \"round.h\"\n", "nested too deeply");
    ck_is_refused("#include \"pipe\"\n", "the compiler did not end as it should");
    end();
}
END_TEST

/* A string of 4 KiB, doubled 20 times. */
START_TEST(what_is_defined_is_larger_than_memory)
{
    char *source;
    FILE *out = xopen_memstream(&source, NULL);

    fprintf(out, "#define S0 \"%04096d\"\n", 0);
    for (int i = 1; i <= 20; ++i)
        fprintf(out, "#define S%d S%d S%d\n", i, i - 1, i - 1);
    fputs("kernel void k(global int *v) { constant char *s = S20; *v = s[*v]; }\n", out);
    xclose_memstream(out, &source);
    begin();
    ck_is_refused(source, "memory");
    end();
    free(source);
}
END_TEST

HARNESS_MAIN("compile_harmful", what_is_included_is_no_file, what_is_defined_is_larger_than_memory)
