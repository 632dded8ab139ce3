#include "look/stack.h"

#include "base/alloc.h"
#include "look/instruction.h"

#include <elfutils/libdwfl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SCAN_WORDS = 4096, RESTARTS_MOST = 8, REGISTERS = 17, RBP = 6, RSP = 7, RIP = 16 };

struct stacks {
    const struct pages *pages;
    Dwfl *dwfl;
    bool attached;
    Dwarf_Word registers[REGISTERS]; /* where the search begins, by the numbers of DWARF */
    struct stack *stack;             /* that is being found */
    bool blind;                      /* its last frame does not say how to go on, */
    bool returned;                   /* the first is one that was returned to */
};

/* --- memory --- */

static bool read_memory(const struct stacks *stacks, uint64_t address, void *bytes, size_t count)
{
    const struct memory_page *const page = pages_find(stacks->pages, address);

    if (page == NULL || address % PAGE + count > PAGE)
        return pages_read(stacks->pages->process, address, bytes, count);
    memcpy(bytes, page->bytes + address % PAGE, count);
    return true;
}

static bool read_word(Dwfl *dwfl, Dwarf_Addr address, Dwarf_Word *word, void *context)
{
    (void)dwfl;
    return read_memory(context, address, word, sizeof *word);
}

/* --- names --- */

static const char *find_name(const struct stacks *stacks, uint64_t address)
{
    Dwfl_Module *const module = dwfl_addrmodule(stacks->dwfl, address);
    return module != NULL ? dwfl_module_addrname(module, address) : NULL;
}

/* What the instructions at an address jump to by way of a word in memory, as those of a PLT do; or the address. */
static uint64_t follow(const struct stacks *stacks, uint64_t address)
{
    uint8_t code[12];
    uint64_t target;
    int32_t offset;
    size_t at = 0;

    if (!read_memory(stacks, address, code, sizeof code))
        return address;
    if (memcmp(code, (const uint8_t[]){0xf3, 0x0f, 0x1e, 0xfa}, 4) == 0) /* endbr64 */
        at = 4;
    at += code[at] == 0xf2; /* bnd */
    if (code[at] != 0xff || code[at + 1] != 0x25)
        return address;
    memcpy(&offset, code + at + 2, sizeof offset);
    return read_memory(stacks, address + at + 6 + (uint64_t)(int64_t)offset, &target, sizeof target) ? target : address;
}

/* The function that was called by the instruction before `pc`. */
static const char *find_called(const struct stacks *stacks, uint64_t pc)
{
    uint8_t code[6];
    uint64_t target;
    int32_t offset;

    if (!read_memory(stacks, pc - sizeof code, code, sizeof code))
        return NULL;
    memcpy(&offset, code + 2, sizeof offset);
    const uint64_t to = pc + (uint64_t)(int64_t)offset;
    if (code[0] == 0xff && code[1] == 0x15)
        return read_memory(stacks, to, &target, sizeof target) ? find_name(stacks, target) : NULL;
    return code[1] == 0xe8 ? find_name(stacks, follow(stacks, to)) : NULL;
}

static void copy(char *text, size_t size, const char *from)
{
    snprintf(text, size, "%s", from != NULL ? from : "");
}

/* Of code whose compiler wrote no table of addresses, as PoCL's: each unit is asked. NULL: it is not known. */
static const char *search_line(Dwfl_Module *module, uint64_t pc, int *number)
{
    Dwarf_Die *unit = NULL;
    Dwarf_Addr bias = 0;

    while ((unit = dwfl_module_nextcu(module, unit, &bias)) != NULL) {
        Dwarf_Line *const line = dwarf_haspc(unit, pc - bias) == 1 ? dwarf_getsrc_die(unit, pc - bias) : NULL;
        if (line != NULL && dwarf_lineno(line, number) == 0)
            return dwarf_linesrc(line, NULL, NULL);
    }
    return NULL;
}

static void find_line(Dwfl_Module *module, uint64_t pc, struct frame *frame)
{
    Dwfl_Line *const line = module != NULL ? dwfl_module_getsrc(module, pc) : NULL;
    const char *file = line != NULL ? dwfl_lineinfo(line, NULL, &frame->line, NULL, NULL, NULL) : NULL;

    if (file == NULL && module != NULL)
        file = search_line(module, pc, &frame->line);

    copy(frame->file, sizeof frame->file, file != NULL ? maps_base(file) : "");
    if (file == NULL || frame->line <= 0)
        frame->file[0] = '\0';
}

/* `at`: within the instruction that it is at, which is before the one that it returns to. */
static void add_frame(struct stacks *stacks, uint64_t pc, uint64_t at)
{
    struct stack *const stack = stacks->stack;
    const struct map *const map = maps_find(stacks->pages->maps, at);

    GROW(stack->frames, stack->count);
    struct frame *const frame = &stack->frames[stack->count++];
    *frame = (struct frame){.pc = pc, .kind = map != NULL ? map->kind : MAP_OTHER};
    copy(frame->path, sizeof frame->path, map != NULL ? map->path : "");
    copy(frame->object, sizeof frame->object, maps_base(frame->path));
    copy(frame->function, sizeof frame->function, find_name(stacks, at));
    find_line(dwfl_addrmodule(stacks->dwfl, at), at, frame);
    if (at != pc)
        copy(frame->called, sizeof frame->called, find_called(stacks, pc));
}

/* --- frames --- */

/* *ends: nobody has called it. */
static bool covers(Dwarf_CFI *rules, uint64_t pc, bool *ends)
{
    Dwarf_Frame *frame = NULL;
    Dwarf_Op room[3], *rule = NULL;
    size_t count = 1;
    const bool found = rules != NULL && dwarf_cfi_addrframe(rules, pc, &frame) == 0;

    *ends = found && dwarf_frame_register(frame, RIP, room, &rule, &count) == 0 && count == 0 && rule == room;
    free(frame);
    return found;
}

/* Answers whether it is said how the registers of the caller are found; *ends: that there is none. */
static bool has_rules(const struct stacks *stacks, uint64_t at, bool *ends)
{
    Dwfl_Module *const module = dwfl_addrmodule(stacks->dwfl, at);
    Dwarf_Addr bias = 0;

    *ends = false;
    if (module == NULL)
        return false;
    Dwarf_CFI *rules = dwfl_module_eh_cfi(module, &bias); /* before its bias is used */
    if (covers(rules, at - bias, ends))
        return true;
    bias = 0;
    rules = dwfl_module_dwarf_cfi(module, &bias);
    return covers(rules, at - bias, ends);
}

static bool is_code(const struct stacks *stacks, uint64_t address)
{
    const struct map *const map = maps_find(stacks->pages->maps, address);
    return map != NULL && map->executable;
}

static int take_frame(Dwfl_Frame *state, void *context)
{
    struct stacks *const stacks = context;
    bool exact;
    Dwarf_Addr pc;

    if (stacks->stack->count == STACK_FRAMES || !dwfl_frame_pc(state, &pc, &exact))
        return DWARF_CB_ABORT;
    if (stacks->stack->count > 0 && !is_code(stacks, pc - 1)) { /* a register was none of the caller's */
        stacks->blind = true;
        return DWARF_CB_ABORT;
    }
    exact = exact && !stacks->returned;
    stacks->returned = false;
    add_frame(stacks, pc, exact ? pc : pc - 1);
    stacks->blind = !has_rules(stacks, exact ? pc : pc - 1, &stacks->stack->whole);
    return stacks->blind ? DWARF_CB_ABORT : DWARF_CB_OK;
}

static pid_t next_thread(Dwfl *dwfl, void *context, void **thread)
{
    (void)dwfl;
    if (*thread != NULL)
        return 0;
    *thread = context;
    return 1;
}

static bool get_thread(Dwfl *dwfl, pid_t id, void *context, void **thread)
{
    (void)dwfl;
    (void)id;
    *thread = context;
    return true;
}

static bool set_registers(Dwfl_Thread *thread, void *context)
{
    const struct stacks *const stacks = context;
    return dwfl_thread_state_registers(thread, 0, REGISTERS, stacks->registers);
}

static enum map_kind kind_at(const struct stacks *stacks, uint64_t address)
{
    const struct map *const map = maps_find(stacks->pages->maps, address);
    return map != NULL ? map->kind : MAP_OTHER;
}

static bool is_kernel(enum map_kind kind)
{
    return kind == MAP_KERNEL || kind == MAP_CODE;
}

/*
 * Words of calls that are over are left on a stack. A driver calls a kernel by a word in memory, and a kernel its own
 * functions.
 */
static bool may_call_kernel(const struct stacks *stacks, uint64_t word, const uint8_t before[7])
{
    const enum map_kind caller = kind_at(stacks, word);
    int32_t offset;

    memcpy(&offset, before + 3, sizeof offset);
    if (before[2] == 0xe8)
        return is_kernel(kind_at(stacks, word + (uint64_t)(int64_t)offset));
    return caller != MAP_SYSTEM && caller != MAP_COMPILER;
}

/* Answers whether a word is an address behind a call by which the last frame may have been reached. */
static bool is_return(const struct stacks *stacks, uint64_t word)
{
    const struct stack *const stack = stacks->stack;
    uint8_t before[7];

    return is_code(stacks, word) && read_memory(stacks, word - sizeof before, before, sizeof before) &&
           instruction_was_call(before, sizeof before) &&
           (!is_kernel(stack->frames[stack->count - 1].kind) || may_call_kernel(stacks, word, before));
}

/* Where nothing says how to go on, as in kernels: the next word on the stack that a call may have put there. */
static bool find_caller(struct stacks *stacks)
{
    const struct stack *const stack = stacks->stack;
    const uint64_t pc = stack->frames[stack->count - 1].pc;
    bool below = pc == stacks->registers[RIP];
    uint64_t word;

    for (uint64_t at = stacks->registers[RSP], i = 0; i < SCAN_WORDS; ++i, at += sizeof word) {
        if (!read_memory(stacks, at, &word, sizeof word))
            return false;
        if (below && is_return(stacks, word)) {
            stacks->registers[RSP] = at + sizeof word;
            stacks->registers[RIP] = word;
            return true;
        }
        below = below || word == pc;
    }
    return false;
}

void stacks_find(struct stacks *stacks, const struct user_regs_struct *registers, struct stack *stack)
{
    const Dwarf_Word first[REGISTERS] = {registers->rax, registers->rdx, registers->rcx, registers->rbx, registers->rsi,
                                         registers->rdi, registers->rbp, registers->rsp, registers->r8,  registers->r9,
                                         registers->r10, registers->r11, registers->r12, registers->r13, registers->r14,
                                         registers->r15, registers->rip};

    *stack = (struct stack){0};
    stacks->stack = stack;
    stacks->returned = false;
    memcpy(stacks->registers, first, sizeof first);
    for (int i = 0; stacks->attached && i < RESTARTS_MOST; ++i) {
        stacks->blind = false;
        dwfl_getthread_frames(stacks->dwfl, 1, take_frame, stacks);
        /* Kernels leave registers by which others are found as they like. */
        const bool lost = stacks->blind || (!stack->whole && stack->count > 0 && is_kernel(stack->frames[0].kind));
        if (!lost || stack->count == STACK_FRAMES || !find_caller(stacks))
            break;
        stacks->returned = true;
    }
}

void stack_fini(struct stack *stack)
{
    free(stack->frames);
    *stack = (struct stack){0};
}

struct stacks *stacks_new(const struct pages *pages)
{
    static const Dwfl_Callbacks files = {.find_elf = dwfl_linux_proc_find_elf,
                                         .find_debuginfo = dwfl_standard_find_debuginfo};
    static const Dwfl_Thread_Callbacks threads = {.next_thread = next_thread,
                                                  .get_thread = get_thread,
                                                  .memory_read = read_word,
                                                  .set_initial_registers = set_registers};
    struct stacks *const stacks = xcalloc(1, sizeof *stacks);

    unsetenv("DEBUGINFOD_URLS"); /* nothing is asked of a network */
    stacks->pages = pages;
    stacks->dwfl = dwfl_begin(&files);
    stacks->attached = stacks->dwfl != NULL && dwfl_linux_proc_report(stacks->dwfl, pages->process) == 0 &&
                       dwfl_report_end(stacks->dwfl, NULL, NULL) == 0 &&
                       dwfl_attach_state(stacks->dwfl, NULL, pages->process, &threads, stacks);
    return stacks;
}

void stacks_free(struct stacks *stacks)
{
    if (stacks->dwfl != NULL)
        dwfl_end(stacks->dwfl);
    free(stacks);
}
