#include "door/marks.h"
#include "door/shared.h"

#include <dirent.h>
#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define EXPORTED __attribute__((visibility("default")))

enum { PLATFORMS = 64, LINE = PATH_MAX };

typedef cl_int CL_API_CALL platforms_function(cl_uint, cl_platform_id *, cl_uint *);
typedef void *CL_API_CALL address_function(const char *);

/* A table of a driver: the places of ours in it, and what was there. */
struct table {
    void **place;
    union {
        cl_icd_dispatch real;
        void *functions[sizeof(cl_icd_dispatch) / sizeof(void *)];
    };
};

static union {
    cl_icd_dispatch calls;
    void *functions[sizeof(cl_icd_dispatch) / sizeof(void *)];
} ours;

static struct table tables[PAGE_DRIVERS];
static size_t table_count;
static address_function *addresses[PAGE_DRIVERS];
static size_t address_count;
static cl_platform_id platforms[PLATFORMS];
static cl_uint platform_count;
static pthread_once_t loaded = PTHREAD_ONCE_INIT;

#define FUNCTIONS(last) (offsetof(cl_icd_dispatch, last) / sizeof(void *) + 1)

const cl_icd_dispatch *real_of(const void *object)
{
    /* Before a loader, which has not looked at it yet, it may be anything; but then there is one table alone. */
    void **const place = table_count > 1 ? *(void **const *)object : NULL;

    for (size_t i = 1; i < table_count; ++i)
        if (tables[i].place == place)
            return &tables[i].real;
    return &tables[0].real;
}

void *drivers_replace(void *function)
{
    for (size_t i = 0; i < table_count && function != NULL; ++i)
        for (size_t k = 0; k < FUNCTIONS(clSetContextDestructorCallback); ++k)
            if (ours.functions[k] != NULL && tables[i].functions[k] == function)
                return ours.functions[k];
    return function;
}

/* --- tables --- */

/* A driver of an earlier version may have a shorter table. */
static size_t functions_of(cl_platform_id platform, const cl_icd_dispatch *table)
{
    char version[1024] = "";
    static const size_t number = sizeof "OpenCL " - 1; /* "OpenCL 3.0 ..." */

    table->clGetPlatformInfo(platform, CL_PLATFORM_VERSION, sizeof version - 1, version, NULL);
    const int major = version[number] - '0', minor = version[number + 2] - '0';
    if (major >= 3)
        return FUNCTIONS(clSetContextDestructorCallback);
    if (major == 2)
        return minor == 0 ? FUNCTIONS(clSetKernelExecInfo) : FUNCTIONS(clSetDefaultDeviceCommandQueue);
    return minor >= 2   ? FUNCTIONS(clGetExtensionFunctionAddressForPlatform)
           : minor == 1 ? FUNCTIONS(clEnqueueCopyBufferRect)
                        : FUNCTIONS(clGetGLContextInfoKHR);
}

/* Lines are "BEGIN-END rwxp ...". */
static int protection_of(const void *address)
{
    FILE *maps = fopen("/proc/self/maps", "re");
    int protection = maps != NULL ? PROT_READ : PROT_READ | PROT_WRITE; /* who knows: what works in both cases */
    char line[512];

    while (maps != NULL && fgets(line, sizeof line, maps) != NULL) {
        char *rest;
        const unsigned long begin = strtoul(line, &rest, 16), end = strtoul(rest + (*rest == '-'), &rest, 16);
        if ((uintptr_t)address >= begin && (uintptr_t)address < end && strlen(rest) > 4)
            protection = PROT_READ | (rest[2] == 'w' ? PROT_WRITE : 0) | (rest[3] == 'x' ? PROT_EXEC : 0);
    }
    if (maps != NULL)
        fclose(maps);
    return protection;
}

static cl_int CL_API_CALL unload_nothing(void)
{
    return CL_SUCCESS;
}

/*
 * Two functions that no loader calls by a table may have the value of "OPENCL31" instead: a loader of cl_khr_icd 2 then
 * asks the driver for all functions by name, past the table. Without it all goes by the table, as with older loaders.
 */
static void clear_tag(void **place)
{
    static const uint64_t tag = UINT64_C(0x4f50454e434c3331);

    if ((uintptr_t)place[FUNCTIONS(clGetPlatformIDs) - 1] != tag)
        return;
    place[FUNCTIONS(clGetPlatformIDs) - 1] = (void *)&clIcdGetPlatformIDsKHR;
    place[FUNCTIONS(clUnloadCompiler) - 1] = (void *)&unload_nothing;
}

/* Notes the library that has this address. */
static void note(char paths[PAGE_DRIVERS][PAGE_PATH], _Atomic uint32_t *count, void *address)
{
    const uint32_t at = atomic_load(count);
    Dl_info info;

    if (at == PAGE_DRIVERS || dladdr(address, &info) == 0)
        return;
    char *path = realpath(info.dli_fname, NULL);
    snprintf(paths[at], PAGE_PATH, "%s", path != NULL ? path : info.dli_fname);
    free(path);
    if (at == 0 || strcmp(paths[at], paths[at - 1]) != 0)
        atomic_store(count, at + 1);
}

static void stand_before(cl_platform_id platform)
{
    void **const place = *(void ***)platform;
    const size_t count = functions_of(platform, *(cl_icd_dispatch **)platform);
    const size_t before = (uintptr_t)place & ((uintptr_t)sysconf(_SC_PAGESIZE) - 1);
    char *const begin = (char *)place - before; /* of its memory page */
    const size_t length = before + count * sizeof *place;

    for (size_t i = 0; i < table_count; ++i)
        if (tables[i].place == place)
            return;
    if (table_count == PAGE_DRIVERS)
        return;
    struct table *table = &tables[table_count];
    memcpy(table->functions, place, count * sizeof *place);
    table->place = place;
    const int protection = protection_of(place);
    if (mprotect(begin, length, protection | PROT_WRITE) != 0)
        return; /* its calls are not seen; the watchdog names the library */
    note(door_page.drivers, &door_page.driver_count, (void *)place); /* it may stand before another one, as we do */
    ++table_count;
    for (size_t i = 0; i < count; ++i)
        if (ours.functions[i] != NULL && place[i] != NULL)
            place[i] = ours.functions[i];
    clear_tag(place);
    mprotect(begin, length, protection);
}

/* --- libraries --- */

static bool is_own(void *library)
{
    Dl_info own, other;
    void *found = dlsym(library, "clIcdGetPlatformIDsKHR");

    return found != NULL && dladdr((void *)&door_page, &own) != 0 && dladdr(found, &other) != 0 &&
           own.dli_fbase == other.dli_fbase;
}

static bool is_known(void *library)
{
    static void *libraries[PLATFORMS];
    static size_t count;

    for (size_t i = 0; i < count; ++i)
        if (libraries[i] == library)
            return true;
    if (count < PLATFORMS)
        libraries[count++] = library;
    return false;
}

static bool is_there(const char *name)
{
    void *library = dlopen(name, RTLD_LAZY | RTLD_NOLOAD);

    return library != NULL && dlclose(library) == 0;
}

/*
 * As a loader does it; what cannot be loaded is passed over, as by a loader, and so is what was loaded before. Those
 * that the loader has loaded itself are not offered to it.
 */
static void load(const char *name, bool by_loader)
{
    const bool early = !by_loader && is_there(name);
    void *library = dlopen(name, RTLD_LAZY | RTLD_LOCAL | (by_loader ? RTLD_NOLOAD : 0));
    cl_uint count = 0;

    if (library == NULL || is_own(library) || is_known(library))
        return;
    address_function *address = (address_function *)dlsym(library, "clGetExtensionFunctionAddress");
    platforms_function *get = (platforms_function *)dlsym(library, "clIcdGetPlatformIDsKHR");
    if (get == NULL && address != NULL)
        get = (platforms_function *)address("clIcdGetPlatformIDsKHR");
    if (address == NULL || get == NULL || address_count == PAGE_DRIVERS)
        return;
    addresses[address_count++] = address;
    note(door_page.drivers, &door_page.driver_count, (void *)address);
    if (early && door_page.driver_count > 0)
        atomic_fetch_or(&door_page.early, 1u << (door_page.driver_count - 1));
    if (get(0, NULL, &count) != CL_SUCCESS || count == 0 || count > PLATFORMS - platform_count ||
        get(count, platforms + platform_count, NULL) != CL_SUCCESS)
        return;
    for (cl_uint i = 0; i < count; ++i)
        stand_before(platforms[platform_count + i]);
    platform_count += by_loader ? 0 : count;
}

static void load_icd(const char *path)
{
    FILE *file = fopen(path, "re");
    char line[LINE] = "";

    if (file == NULL)
        return;
    const bool read = fgets(line, sizeof line, file) != NULL;
    fclose(file);
    line[strcspn(line, "\r\n")] = '\0';
    if (read && line[0] != '\0')
        load(line, false);
}

static bool ends_in_icd(const char *name)
{
    const size_t length = strlen(name);

    return length > 4 && strcmp(name + length - 4, ".icd") == 0;
}

/* A driver is loaded with the folder closed: the program may have no descriptor to spare. */
static bool load_folder(const char *folder)
{
    DIR *entries = opendir(folder);
    char names[PLATFORMS][NAME_MAX + 1], path[PATH_MAX];
    size_t count = 0;

    if (entries == NULL)
        return false;
    for (const struct dirent *entry = readdir(entries); entry != NULL && count < PLATFORMS; entry = readdir(entries))
        if (ends_in_icd(entry->d_name))
            snprintf(names[count++], sizeof names[0], "%s", entry->d_name);
    closedir(entries);
    for (size_t i = 0; i < count; ++i)
        if (snprintf(path, sizeof path, "%s/%s", folder, names[i]) < (int)sizeof path)
            load_icd(path);
    return true;
}

/* Libraries that Khronos' loader loads itself, before those of folders. */
static void load_named(void)
{
    const char *names = getenv("OCL_ICD_FILENAMES");
    char name[PATH_MAX];

    while (names != NULL && *names != '\0') {
        const size_t length = strcspn(names, ":");
        if (length > 0 && length < sizeof name) {
            memcpy(name, names, length);
            name[length] = '\0';
            load(name, true);
        }
        names += length + (names[length] == ':');
    }
}

/* What the loader would have read, had it not been for us: a folder, an .icd file or a library. */
static void load_vendors(void)
{
    const char *vendors = getenv(DOOR_VENDORS), *folder = getenv(DOOR_VENDOR_PATH);
    char path[PATH_MAX];

    if (folder == NULL || folder[0] == '\0')
        folder = "/etc/OpenCL/vendors";
    if (vendors == NULL || vendors[0] == '\0')
        load_folder(folder);
    else if (load_folder(vendors))
        return;
    else if (!ends_in_icd(vendors))
        load(vendors, false);
    else if (strchr(vendors, '/') == NULL && snprintf(path, sizeof path, "%s/%s", folder, vendors) > 0 &&
             access(path, R_OK) == 0)
        load_icd(path);
    else
        load_icd(vendors);
}

static void open_door(void)
{
    page_open();
    calls_set(&ours.calls);
    commands_set(&ours.calls);
    transfers_set(&ours.calls);
}

static void load_all(void)
{
    open_door();
    load_named();
    load_vendors();
    page_watch_exit();
}

/* --- a loader's layer --- */

enum { LAYERS = 8, CALLS = sizeof(cl_icd_dispatch) / sizeof(void *) };

/* Objects lead each loader to its driver, so functions of ours go on by the first one. */
static void open_before_loader(void)
{
    open_door();
    atomic_store(&door_page.layer, 1);
    page_watch_exit();
}

const cl_icd_dispatch *drivers_stand_before_loader(const cl_icd_dispatch *target, size_t count, void *caller)
{
    static struct table layers[LAYERS];
    static _Atomic size_t layer_count;

    pthread_once(&loaded, open_before_loader);
    const size_t at = atomic_fetch_add(&layer_count, 1);
    if (at >= LAYERS)
        return NULL;
    struct table *layer = &layers[at];
    memcpy(layer->functions, target, (count < CALLS ? count : CALLS) * sizeof(void *));
    if (table_count == 0) {
        tables[0] = *layer;
        table_count = 1;
    }
    for (size_t i = 0; i < CALLS; ++i)
        if (ours.functions[i] != NULL && layer->functions[i] != NULL)
            layer->functions[i] = ours.functions[i];
    note(door_page.loaders, &door_page.loader_count, caller);
    atomic_store(&door_page.ready, 1);
    return &layer->real;
}

/* --- what a loader asks for --- */

EXPORTED cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint num_entries, cl_platform_id *found, cl_uint *num_platforms)
{
    pthread_once(&loaded, load_all);
    note(door_page.loaders, &door_page.loader_count, __builtin_return_address(0));
    atomic_store(&door_page.ready, 1);
    if ((found == NULL && num_platforms == NULL) || (found != NULL && num_entries == 0))
        return CL_INVALID_VALUE;
    if (num_platforms != NULL)
        *num_platforms = platform_count;
    for (cl_uint i = 0; found != NULL && i < num_entries && i < platform_count; ++i)
        found[i] = platforms[i];
    return platform_count == 0 ? -1001 /* CL_PLATFORM_NOT_FOUND_KHR */ : CL_SUCCESS;
}

EXPORTED cl_int CL_API_CALL clGetPlatformInfo(cl_platform_id platform, cl_platform_info name, size_t size, void *value,
                                              size_t *size_ret)
{
    return platform == NULL ? CL_INVALID_PLATFORM
                            : REAL(platform)->clGetPlatformInfo(platform, name, size, value, size_ret);
}

EXPORTED void *CL_API_CALL clGetExtensionFunctionAddress(const char *name)
{
    if (name == NULL)
        return NULL;
    if (strcmp(name, "clIcdGetPlatformIDsKHR") == 0)
        return (void *)clIcdGetPlatformIDsKHR;
    if (strcmp(name, "clGetPlatformInfo") == 0)
        return (void *)clGetPlatformInfo;
    if (strncmp(name, "clIcd", 5) == 0)
        return NULL; /* other ways past the tables */
    pthread_once(&loaded, load_all);
    for (size_t i = 0; i < address_count; ++i) {
        void *const found = addresses[i](name);
        void *function = drivers_replace(found);
        if (found != NULL && strcmp(name, SHARED_SET) == 0)
            function = shared_stand_before(found, addresses[i](SHARED_INFO), addresses[i](SHARED_COPY));
        if (found != NULL) {
            marks_pass(name, function == found);
            return function;
        }
    }
    return NULL;
}
