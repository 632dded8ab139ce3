/* The parts of a program that the driver fails of: words of its build options or of its text. */
#include "spoil_icd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_BYTES = 1 << 20 };

/* NAME=VALUE is in the environment. */
static bool is_set(const char *setting)
{
    char name[64];
    const size_t length = strcspn(setting, "=");

    snprintf(name, sizeof name, "%.*s", (int)length, setting);
    return getenv(name) != NULL && strcmp(getenv(name), setting + length + (setting[length] == '=')) == 0;
}

static bool has(const char *word, const char *options, const char *text)
{
    return *word == '$' ? is_set(word + 1) : strstr(options, word) != NULL || strstr(text, word) != NULL;
}

/* Each of the words, separated by commas, is there; one behind '!' is not. */
static bool has_all(const char *words, const char *options, const char *text)
{
    char word[128];

    while (*words != '\0') {
        const size_t length = strcspn(words, ",");
        const bool inverse = *words == '!';
        snprintf(word, sizeof word, "%.*s", (int)(length - inverse), words + inverse);
        if (has(word, options, text) == inverse)
            return false;
        words += length + (words[length] == ',');
    }
    return true;
}

/* WHERE:FAULT:WORDS, where WHERE is build, launch, or launch=N */
static bool read_plan(const char *where, size_t items, char fault[32], const char **words)
{
    const char *plan = getenv("SPOIL_PARTS");
    const size_t length = strlen(where);

    if (plan == NULL || strncmp(plan, where, length) != 0 || (plan[length] != ':' && plan[length] != '='))
        return false;
    if (plan[length] == '=' && items < strtoul(plan + length + 1, NULL, 10))
        return false;
    plan = strchr(plan, ':') + 1;
    *words = strchr(plan, ':') + 1;
    snprintf(fault, 32, "%.*s", (int)(*words - 1 - plan), plan);
    return true;
}

static cl_int fail(const char *fault)
{
    spoil_process(fault);
    return strncmp(fault, "code=", 5) == 0 ? atoi(fault + 5) : CL_SUCCESS;
}

cl_int spoil_parts_built(const cl_icd_dispatch *real, cl_program program, const char *options)
{
    static char text[TEXT_BYTES];
    const char *words;
    char fault[32];

    text[0] = '\0';
    if (!read_plan("build", 0, fault, &words) ||
        real->clGetProgramInfo(program, CL_PROGRAM_SOURCE, sizeof text, text, NULL) != CL_SUCCESS)
        return CL_SUCCESS;
    return has_all(words, options != NULL ? options : "", text) ? fail(fault) : CL_SUCCESS;
}

cl_int spoil_parts_launched(const cl_icd_dispatch *real, cl_kernel kernel, size_t items)
{
    static char text[TEXT_BYTES], options[1 << 14];
    const char *words;
    char fault[32];
    cl_program program = NULL;
    cl_context context = NULL;
    cl_device_id device = NULL;

    text[0] = options[0] = '\0';
    if (!read_plan("launch", items, fault, &words) ||
        real->clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof(cl_program), &program, NULL) != CL_SUCCESS ||
        real->clGetKernelInfo(kernel, CL_KERNEL_CONTEXT, sizeof(cl_context), &context, NULL) != CL_SUCCESS ||
        real->clGetContextInfo(context, CL_CONTEXT_DEVICES, sizeof(cl_device_id), &device, NULL) != CL_SUCCESS)
        return CL_SUCCESS;
    real->clGetProgramInfo(program, CL_PROGRAM_SOURCE, sizeof text, text, NULL);
    real->clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_OPTIONS, sizeof options, options, NULL);
    return has_all(words, options, text) ? fail(fault) : CL_SUCCESS;
}
