/* What is known of a device: what its driver says (facts), and what was probed. */
#pragma once

#include "core/holdings.h"
#include "core/optional.h"
#include "core/trial.h"

enum device_kind { DEVICE_CPU, DEVICE_GPU, DEVICE_OTHER, DEVICE_KINDS };

/* Which memory the running kernel shares with the host, for CHANNEL_SHARED and CHANNEL_PROOF. */
enum shared_memory { MEMORY_DEVICE, MEMORY_SVM, MEMORY_MAPPED, MEMORY_COUNT };

/* The platform of model devices (litmus/emulate.h). */
#define DEVICE_MODEL_PLATFORM "gridlock"

/*
 * What a driver says about its device. Strings end with a zero byte and hold what the driver gave,
 * control characters included, cut to fit. `ordinal` tells devices apart that are alike in all names.
 */
struct device_info {
    char platform[128];
    char name[256];
    char vendor[128];
    char driver_version[128];
    char device_version[128];
    char c_version[128];
    char extensions[512];    /* those that matter for synchronization, separated by spaces */
    char uuid[33];           /* lower-case hexadecimal, or empty */
    char pci[16];            /* dddd:bb:dd.f, or empty */
    uint32_t platform_index; /* of this listing; not stable */
    uint32_t device_index;
    uint32_t ordinal;
    /* Beside others of a list, as device_info_number has it; not stored. */
    uint32_t number;              /* of those with its name, from 1; 0: no other has it */
    bool pci_shared, uuid_shared; /* with another of its platform */
    enum device_kind kind;
    uint32_t compute_units;
    uint32_t address_bits;
    uint64_t max_local_size;
    uint64_t local_memory_bytes;
    uint64_t global_memory_bytes;
    uint64_t max_allocation_bytes;
    uint64_t svm;           /* cl_device_svm_capabilities */
    uint64_t atomic_memory; /* cl_device_atomic_capabilities, or 0 */
    uint64_t atomic_fence;
    bool atomics_64;        /* cl_khr_int64_base_atomics */
    bool atomics_known;     /* the driver answered the two capability queries */
    bool subgroup_progress; /* CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS */
    bool subgroup_progress_known;
    uint32_t subgroup_width;  /* 0: not known */
    struct holdings holdings; /* of a model device that is like another one; not stored */
};

/* What was found by running kernels. A zeroed struct: nothing was probed. */
struct device_probe {
    bool dialect_works[DIALECT_COUNT];
    char dialect_log[DIALECT_COUNT][160]; /* why it does not, on one line */
    enum dialect dialect;                 /* the one to use, or DIALECT_NONE */
    bool yield;                           /* sched_yield from inside a kernel works */
    enum channel channel;
    enum shared_memory memory;
    uint64_t read_latency_ns; /* from a change in the running kernel to the host's seeing it, at most */
    uint64_t stop_latency_ns; /* from writing the stop word to the kernel's end, as the host sees it */
    uint64_t loops_cut_at;    /* turns after which the driver ended a loop; 0: not within loops_tried */
    uint64_t loops_tried;
    uint64_t poll_ps;              /* picoseconds a poll, one group alone */
    char left_out[OPTIONAL_NOTES]; /* what kernels are built without, by the size of their groups (core/optional.h) */
    uint32_t without;              /* the same for the groups that are launched now; not stored */
};

/* Both name the same device: all names, and UUID and PCI address where known. */
bool device_info_same(const struct device_info *a, const struct device_info *b);

/* It is a model device. */
bool device_info_is_model(const struct device_info *info);

bool device_info_has_uuid(const struct device_info *info);

/*
 * Numbers the devices that have the same name in a list: by PCI address, else by UUID, platform, ordinal, and their
 * places at last. The N-th device of a machine among those that only an ordinal tells apart has number N,
 * even if the list lacks some of them.
 */
void device_info_number(struct device_info *devices, size_t count);

/* "NVIDIA H200"; of several with this name "NVIDIA H200 #2 (pci 0000:4f:00.0)", or "#2 (uuid ...)", or "#2". */
enum { DEVICE_LABEL = 320 };
const char *device_info_label(const struct device_info *info, char label[DEVICE_LABEL]);
#define DEVICE_LABEL_OF(info) device_info_label((info), (char[DEVICE_LABEL]){""}) /* valid in the block around it */

/*
 * What selects it on its machine: "pci:...", "uuid:..." or "NAME#N"; its name, if no other has it in the list, unless
 * it may be `one_of_several` there all the same.
 */
const char *device_info_selector(const struct device_info *info, bool one_of_several, char selector[DEVICE_LABEL]);

/* What selects it in its list: "NAME#N". */
const char *device_info_selector_in_list(const struct device_info *info, char selector[DEVICE_LABEL]);

/* The selector is meant for one device: P:D, uuid:..., pci:..., or NAME#N. */
bool device_selector_is_of_one(const char *selector);

/*
 * The device answers to the selector: a case-insensitive glob, or part, of its platform's or its own
 * name; P:D; uuid:...; pci:...; NAME#N, where NAME is its whole name or a glob and N its number; or a
 * short name (pocl, rusticl, oclgrind, nvidia, intel, amd).
 */
bool device_info_matches(const struct device_info *info, const char *selector);

/* Kernels have the part: it works, and is not left out at present. */
bool device_has_part(const struct device_probe *probe, enum optional part);

/* The dialect of kernels for which none is asked for. */
enum dialect device_dialect(const struct device_probe *probe);

/* Polls that one group alone makes in a millisecond (GL_POLLS_A_MS); 0: not known. */
uint32_t device_polls_a_ms(const struct device_probe *probe);

NAMING_DECLARE(device_kind, enum device_kind);
NAMING_DECLARE(shared_memory, enum shared_memory);

/* Names of the bits of OpenCL's capability fields (clGetDeviceInfo, OpenCL 3.0). */
extern const struct naming svm_naming, atomics_naming;
