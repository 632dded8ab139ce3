/* Copies of programs and kernels, with marks. */
#include "door/marks.h"
#include "door/shared.h"

#include "core/instrument.h"
#include "core/program_scope.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { KERNELS_MOST = 4096, DEVICES = 64, ADDED = 4 /* parameters */ };

/* Whatever macros of other files make of these words, nothing is stored outside of the launch's bytes. */
#define PREFIX "gridlock_marks"
#define NUMBER "(get_group_id(2) * get_num_groups(1) + get_group_id(1)) * get_num_groups(0) + get_group_id(0)"
static const char *const words[] = {"get_group_id", "get_num_groups", "if",  "const", "volatile", "__global",
                                    "unsigned",     "long",           "int", "char",  NULL};
static const struct instrument with = {
    .parameter = "volatile __global unsigned char *" PREFIX ", unsigned long " PREFIX "_at, unsigned int " PREFIX
                 "_count, unsigned char " PREFIX "_mark",
    .argument = "(volatile __global unsigned char *)0, 0, 0, 0",
    .statement = " { const unsigned long " PREFIX "_of = " NUMBER "; if (" PREFIX "_of < " PREFIX "_count) " PREFIX
                 "[" PREFIX "_at + " PREFIX "_of] = " PREFIX "_mark; } ",
};

struct marked {
    cl_kernel kernel;    /* NULL: there is none, */
    enum page_marks why; /* and why */
    cl_uint arguments;   /* that the program's own has */
    cl_mem memory;       /* of its own, which an argument is; or NULL */
    _Atomic uint32_t busy;
    _Atomic int uses; /* by which the program holds its own */
};

cl_kernel marked_kernel(const struct marked *of)
{
    return of->kernel;
}

cl_uint marked_arguments(const struct marked *of)
{
    return of->arguments;
}

_Atomic uint32_t *marked_busy(struct marked *of)
{
    return &of->busy;
}

void marked_takes(struct marked *of, cl_mem memory)
{
    cl_mem before = of->memory;

    of->memory = memory;
    if (before != NULL)
        REAL(before)->clReleaseMemObject(before);
}

/* --- what goes past the door --- */

static _Atomic uint32_t past_door;

void marks_pass(const char *name, bool past)
{
    if (past && strncmp(name, "clSetKernel", strlen("clSetKernel")) == 0)
        atomic_store(&past_door, 1);
}

enum page_marks marked_why(const struct marked *of)
{
    if (of == NULL || (of->kernel == NULL && of->why == PAGE_MARKED))
        return PAGE_MARKS_SOURCE;
    return atomic_load(&past_door) != 0 ? PAGE_MARKS_FOREIGN : of->why;
}

/* --- the copies of programs --- */

static struct copy {
    _Atomic uintptr_t program; /* 0: there is none, */
    _Atomic uint32_t why;      /* and why; PAGE_MARKED: nobody has wanted one */
    _Atomic int uses;          /* by which the program holds its own */
} copies[DOOR_PROGRAMS];

static void drop_copy(struct copy *copy)
{
    cl_program program = (cl_program)atomic_exchange(&copy->program, 0); // NOLINT(performance-no-int-to-ptr)

    atomic_store(&copy->why, PAGE_MARKED);
    if (program != NULL)
        REAL(program)->clReleaseProgram(program);
}

void marks_program_built(cl_program program)
{
    const uint32_t slot = marks_wanted() ? program_slot(program) : DOOR_PROGRAMS;
    cl_uint count = 1;

    if (slot == DOOR_PROGRAMS)
        return;
    drop_copy(&copies[slot]);
    REAL(program)->clGetProgramInfo(program, CL_PROGRAM_REFERENCE_COUNT, sizeof count, &count, NULL);
    atomic_store(&copies[slot].uses, (int)count); /* it has no kernels yet, which would hold it, too */
}

void marks_program_held(cl_program program, int by)
{
    const uint32_t slot = program_slot(program);

    if (slot != DOOR_PROGRAMS && atomic_fetch_add(&copies[slot].uses, by) + by <= 0)
        drop_copy(&copies[slot]);
}

/* Splits "a;b;c" in place. */
static size_t split(char *text, const char **names)
{
    size_t count = 0;

    for (char *at = text; at != NULL && *at != '\0' && count < KERNELS_MOST;) {
        char *end = strchr(at, ';');
        names[count++] = at;
        if (end != NULL)
            *end++ = '\0';
        at = end;
    }
    return count;
}

/* The text with marks in those kernels that have a place for them; allocated. NULL: in none. */
static char *change(cl_program program, const char *text)
{
    char *list = NULL, *changed = NULL;
    const char **names = calloc(KERNELS_MOST, sizeof *names);
    bool *found = calloc(KERNELS_MOST, sizeof *found), any = false;
    size_t size = 0, count = 0;

    if (REAL(program)->clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, 0, NULL, &size) == CL_SUCCESS)
        list = calloc(1, size + 1);
    if (list != NULL && names != NULL && found != NULL &&
        REAL(program)->clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, size, list, NULL) == CL_SUCCESS) {
        count = split(list, names);
        changed = instrument_kernels(text, names, count, &with, found);
    }
    for (size_t i = 0; i < count; ++i)
        any = any || found[i];
    free(list);
    free(names);
    free(found);
    if (any)
        return changed;
    free(changed);
    return NULL;
}

static cl_program build(cl_program program, const char *text, const char *options)
{
    const cl_icd_dispatch *real = REAL(program);
    cl_device_id devices[DEVICES];
    const cl_uint count = program_devices(program, devices, DEVICES);
    cl_context context = NULL;
    cl_program made = NULL;

    if (real->clGetProgramInfo(program, CL_PROGRAM_CONTEXT, sizeof(cl_context), &context, NULL) == CL_SUCCESS)
        made = real->clCreateProgramWithSource(context, 1, &text, NULL, NULL);
    if (made != NULL && real->clBuildProgram(made, count, devices, options, NULL, NULL) != CL_SUCCESS) {
        real->clReleaseProgram(made);
        made = NULL;
    }
    return made;
}

static enum page_marks make_copy(cl_program program, cl_program *copy)
{
    char *text = program_source(program), *options = program_options(program), *changed = NULL;
    enum page_marks why = PAGE_MARKED;

    if (text == NULL || options == NULL)
        why = PAGE_MARKS_SOURCE;
    else if (program_defines(text, options, words))
        why = PAGE_MARKS_MACRO;
    else if ((changed = change(program, text)) == NULL)
        why = PAGE_MARKS_HEAD;
    else if (program_may_share_variables(text, options))
        why = PAGE_MARKS_VARIABLES;
    else if ((*copy = build(program, changed, options)) == NULL)
        why = PAGE_MARKS_BUILD;
    free(changed);
    free(options);
    free(text);
    return why;
}

/* NULL: there is none, and *why. */
static cl_program copy_of(cl_program program, enum page_marks *why)
{
    const uint32_t slot = program_slot(program);
    struct copy *copy = &copies[slot % DOOR_PROGRAMS];
    uintptr_t none = 0;
    cl_program made = NULL;

    *why = PAGE_MARKS_SOURCE;
    if (slot == DOOR_PROGRAMS)
        return NULL;
    if (atomic_load(&copy->program) == 0 && atomic_load(&copy->why) == PAGE_MARKED) {
        atomic_store(&copy->why, make_copy(program, &made));
        if (made != NULL && !atomic_compare_exchange_strong(&copy->program, &none, (uintptr_t)made))
            REAL(made)->clReleaseProgram(made); /* another thread was first */
    }
    *why = (enum page_marks)atomic_load(&copy->why);
    return (cl_program)atomic_load(&copy->program); // NOLINT(performance-no-int-to-ptr)
}

/* --- kernels --- */

static cl_uint count_arguments(cl_kernel kernel)
{
    cl_uint count = 0;

    REAL(kernel)->clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, NULL);
    return count;
}

static void drop(struct marked *of, enum page_marks why)
{
    cl_kernel kernel = of->kernel;

    of->kernel = NULL;
    of->why = why;
    if (kernel != NULL)
        REAL(kernel)->clReleaseKernel(kernel);
    marked_takes(of, NULL);
}

/* A head that a macro makes has no more parameters than before. */
static void take_kernel(struct marked *of, cl_kernel kernel, cl_program copy)
{
    char name[1024] = "";

    of->arguments = count_arguments(kernel);
    REAL(kernel)->clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof name - 1, name, NULL);
    of->kernel = REAL(kernel)->clCreateKernel(copy, name, NULL);
    if (of->kernel == NULL || count_arguments(of->kernel) != of->arguments + ADDED)
        drop(of, PAGE_MARKS_HEAD);
}

struct marked *marks_made(cl_kernel kernel, struct marked *before)
{
    struct marked *of = !marks_wanted() ? NULL : before != NULL ? before : calloc(1, sizeof *of);
    cl_program program = NULL;

    if (of == NULL)
        return NULL;
    drop(of, PAGE_MARKS_SOURCE);
    atomic_store(&of->uses, 1);
    REAL(kernel)->clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof(cl_program), &program, NULL);
    cl_program copy = program != NULL ? copy_of(program, &of->why) : NULL;
    if (copy != NULL)
        take_kernel(of, kernel, copy);
    return of;
}

/* One whose arguments are not those of the program's is of no use. */
static void settle(struct marked *of, cl_int outcome)
{
    if (outcome != CL_SUCCESS)
        drop(of, PAGE_MARKS_REFUSED);
}

void marks_cloned(struct marked *to, const struct marked *from)
{
    if (to == NULL || from == NULL || to->kernel == NULL)
        return;
    drop(to, from->why);
    if (from->kernel == NULL)
        return;
    to->kernel = REAL(from->kernel)->clCloneKernel(from->kernel, NULL);
    to->why = to->kernel != NULL ? PAGE_MARKED : PAGE_MARKS_REFUSED;
}

void marks_argument(struct marked *of, cl_uint index, size_t size, const void *value)
{
    if (of != NULL && of->kernel != NULL)
        settle(of, REAL(of->kernel)->clSetKernelArg(of->kernel, index, size, value));
}

void marks_argument_svm(struct marked *of, cl_uint index, const void *value, const struct shared *by)
{
    if (of != NULL && of->kernel != NULL)
        settle(of, by != NULL ? shared_set(by, of->kernel, index, value)
                              : REAL(of->kernel)->clSetKernelArgSVMPointer(of->kernel, index, value));
}

void marks_information(struct marked *of, cl_kernel_exec_info name, size_t size, const void *value)
{
    if (of != NULL && of->kernel != NULL)
        settle(of, REAL(of->kernel)->clSetKernelExecInfo(of->kernel, name, size, value));
}

void marks_held(struct marked *of, int by)
{
    if (of != NULL && atomic_fetch_add(&of->uses, by) + by <= 0)
        drop(of, PAGE_MARKS_SOURCE);
}
