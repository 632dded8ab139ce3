#include "look/standin.h"

#include "look/instruction.h"

#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef MFD_EXEC
#define MFD_EXEC 0x10u
#endif

enum { TRAP_FLAG = 0x100, RESUME_FLAG = 0x10000 };
static const uint64_t top = UINT64_C(0x7ffffffff000); /* of what a process may have */

/* --- its program, which is two instructions --- */

struct gate_program {
    Elf64_Ehdr header;
    Elf64_Phdr segment;
    uint8_t code[16];
};

static int write_program(uint64_t gate)
{
    const struct gate_program program = {
        .header = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
                   .e_type = ET_EXEC,
                   .e_machine = EM_X86_64,
                   .e_version = EV_CURRENT,
                   .e_entry = gate + offsetof(struct gate_program, code),
                   .e_phoff = offsetof(struct gate_program, segment),
                   .e_ehsize = sizeof(Elf64_Ehdr),
                   .e_phentsize = sizeof(Elf64_Phdr),
                   .e_phnum = 1},
        .segment = {.p_type = PT_LOAD,
                    .p_flags = PF_R | PF_X,
                    .p_vaddr = gate,
                    .p_filesz = sizeof(struct gate_program),
                    .p_memsz = sizeof(struct gate_program),
                    .p_align = PAGE},
        .code = {0x0f, 0x05, 0xcc}, /* syscall; int3 */
    };
    int file = memfd_create("gridlock-stand-in", MFD_CLOEXEC | MFD_EXEC);

    if (file < 0 && errno == EINVAL) /* a system that does not know MFD_EXEC lets all be executed */
        file = memfd_create("gridlock-stand-in", MFD_CLOEXEC);
    if (file >= 0 && write(file, &program, sizeof program) != (ssize_t)sizeof program) {
        close(file);
        file = -1;
    }
    return file;
}

static _Noreturn void become(int program)
{
    char *none[] = {NULL};

    if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0)
        fexecve(program, none, none);
    _exit(127);
}

/* false: it has ended, which it does not by itself. */
static bool await(const struct standin *standin, int *signal)
{
    int status;
    pid_t got;

    do
        got = waitpid(standin->id, &status, __WALL);
    while (got < 0 && errno == EINTR);
    if (got != standin->id || !WIFSTOPPED(status))
        return false;
    *signal = WSTOPSIG(status);
    return true;
}

/* --- its own system calls --- */

/* Its registers are other ones afterwards. Returns the result; -1 also if it could not be made. */
static int64_t call(const struct standin *standin, long number, const uint64_t arguments[static 6])
{
    struct user_regs_struct registers = {0};
    int signal;

    if (ptrace(PTRACE_GETREGS, standin->id, NULL, &registers) != 0)
        return -1;
    registers.rip = standin->gate + offsetof(struct gate_program, code);
    registers.rax = (uint64_t)number;
    registers.orig_rax = UINT64_MAX;
    registers.rdi = arguments[0];
    registers.rsi = arguments[1];
    registers.rdx = arguments[2];
    registers.r10 = arguments[3];
    registers.r8 = arguments[4];
    registers.r9 = arguments[5];
    if (ptrace(PTRACE_SETREGS, standin->id, NULL, &registers) != 0 ||
        ptrace(PTRACE_CONT, standin->id, NULL, NULL) != 0 || !await(standin, &signal) || signal != SIGTRAP ||
        ptrace(PTRACE_GETREGS, standin->id, NULL, &registers) != 0)
        return -1;
    return (int64_t)registers.rax;
}

static bool unmap(const struct standin *standin, uint64_t from, uint64_t to)
{
    return from >= to || call(standin, SYS_munmap, (uint64_t[6]){from, to - from}) == 0;
}

/* Nothing is left but the page with its two instructions. */
static bool unmap_all(const struct standin *standin)
{
    return unmap(standin, 0, standin->gate) && unmap(standin, standin->gate + PAGE, top);
}

int standin_open(struct standin *standin, struct pages *pages, struct error *error)
{
    int signal;

    *standin = (struct standin){.gate = maps_gap(pages->maps), .pages = pages};
    const int program = write_program(standin->gate);
    if (program < 0)
        return error_set(error, STATUS_HARNESS, "cannot make a stand-in for its threads: %s", strerror(errno));
    const pid_t child = fork();
    if (child == 0)
        become(program);
    close(program);
    if (child < 0)
        return error_set(error, STATUS_HARNESS, "cannot make a stand-in for its threads: %s", strerror(errno));
    standin->id = child;
    if (!await(standin, &signal)) {
        standin->id = 0; /* it has been reaped */
        return error_set(error, STATUS_HARNESS, "a stand-in for its threads cannot be executed (vm.memfd_noexec?)");
    }
    if (syscall(SYS_ptrace, PTRACE_SETOPTIONS, child, 0, PTRACE_O_EXITKILL) == 0 && unmap_all(standin))
        return 0;
    standin_close(standin);
    return error_set(error, STATUS_HARNESS, "a stand-in for its threads cannot be made ready");
}

void standin_close(struct standin *standin)
{
    if (standin->id == 0)
        return;
    kill(standin->id, SIGKILL);
    while (waitpid(standin->id, NULL, __WALL) > 0 || errno == EINTR)
        ;
    standin->id = 0;
}

/* --- its memory --- */

static bool set_registers(struct standin *standin)
{
    return ptrace(PTRACE_SETREGS, standin->id, NULL, &standin->registers) == 0;
}

static bool bring(struct standin *standin, struct memory_page *page)
{
    const uint64_t rights = PROT_READ | (page->map->executable ? PROT_EXEC : 0);
    const uint64_t how = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE;
    const struct iovec here = {page->bytes, PAGE}, there = pages_there(page->at, PAGE);

    page->present = call(standin, SYS_mmap, (uint64_t[6]){page->at, PAGE, PROT_READ | PROT_WRITE, how, UINT64_MAX}) ==
                        (int64_t)page->at &&
                    process_vm_writev(standin->id, &here, 1, &there, 1, 0) == PAGE &&
                    call(standin, SYS_mprotect, (uint64_t[6]){page->at, PAGE, rights}) == 0;
    return page->present && set_registers(standin);
}

static bool make_writable(struct standin *standin, struct memory_page *page)
{
    if (call(standin, SYS_mprotect, (uint64_t[6]){page->at, PAGE, PROT_READ | PROT_WRITE}) != 0)
        return false;
    page->dirty = true;
    memcpy(page->now, page->bytes, PAGE);
    memcpy(page->marked, page->bytes, PAGE);
    page->next_dirty = standin->pages->dirty;
    standin->pages->dirty = page;
    return set_registers(standin);
}

/* What an instruction could not reach is brought, or made writable. */
static bool resolve(struct standin *standin)
{
    siginfo_t information;

    if (ptrace(PTRACE_GETSIGINFO, standin->id, NULL, &information) != 0 || information.si_code <= 0 ||
        information.si_code == SI_KERNEL)
        return false;
    struct memory_page *const page = pages_get(standin->pages, (uint64_t)(uintptr_t)information.si_addr);
    if (page == NULL || page->dirty)
        return false;
    if (!page->present)
        return bring(standin, page);
    return page->map->writable && make_writable(standin, page);
}

/* --- its steps --- */

/* All that another thread had before is gone. */
int standin_begin(struct standin *standin, const struct user_regs_struct *registers, uint8_t *vectors,
                  size_t vectors_bytes, struct error *error)
{
    struct iovec room = {vectors, vectors_bytes};

    pages_reset(standin->pages);
    standin->registers = *registers;
    standin->registers.orig_rax = UINT64_MAX; /* it is in no system call */
    standin->registers.eflags &= ~(uint64_t)(TRAP_FLAG | RESUME_FLAG);
    standin->vectors_bytes = vectors_bytes;
    if (!unmap_all(standin) || !set_registers(standin) || vectors_bytes == 0 ||
        ptrace(PTRACE_SETREGSET, standin->id, (void *)NT_X86_XSTATE, &room) != 0)
        return error_set(error, STATUS_HARNESS, "a stand-in for a thread does not get its registers");
    return 0;
}

static enum standin_step look_ahead(struct standin *standin)
{
    uint8_t code[INSTRUCTION_BYTES_MOST];
    size_t count = 0;
    const struct memory_page *page = pages_get(standin->pages, standin->registers.rip);

    for (uint64_t at = standin->registers.rip; page != NULL && count < sizeof code; ++at) {
        if (at % PAGE == 0)
            page = pages_find(standin->pages, at);
        if (page != NULL)
            code[count++] = page->bytes[at % PAGE];
    }
    return instruction_is_call(code, count) ? STEP_CALLS : instruction_is_chance(code, count) ? STEP_TIME : STEP_TAKEN;
}

static void compare(struct memory_page *page, const uint8_t *fresh)
{
    size_t end = PAGE;

    while (end > 0 && page->now[end - 1] == fresh[end - 1])
        --end;
    page->changed_to = end;
    memcpy(page->now, fresh, end);
}

static bool read_dirty(const struct standin *standin)
{
    uint8_t fresh[PAGE];

    for (struct memory_page *page = standin->pages->dirty; page != NULL; page = page->next_dirty) {
        if (!pages_read(standin->id, page->at, fresh, PAGE))
            return false;
        page->changed_to = 0;
        if (memcmp(page->now, fresh, PAGE) != 0)
            compare(page, fresh);
    }
    return true;
}

enum standin_step standin_step(struct standin *standin)
{
    const enum standin_step ahead = look_ahead(standin);
    int signal;

    if (ahead != STEP_TAKEN)
        return ahead;
    for (;;) {
        if (ptrace(PTRACE_SINGLESTEP, standin->id, NULL, NULL) != 0 || !await(standin, &signal))
            return STEP_FAULT;
        if (signal == SIGTRAP)
            break;
        if (signal != SIGSEGV || !resolve(standin))
            return STEP_FAULT;
    }
    if (ptrace(PTRACE_GETREGS, standin->id, NULL, &standin->registers) != 0 || !read_dirty(standin))
        return STEP_FAULT;
    standin->registers.eflags &= ~(uint64_t)(TRAP_FLAG | RESUME_FLAG);
    standin->registers.orig_rax = UINT64_MAX;
    return STEP_TAKEN;
}

bool standin_vectors(const struct standin *standin, uint8_t *vectors)
{
    struct iovec room = {vectors, standin->vectors_bytes};
    return ptrace(PTRACE_GETREGSET, standin->id, (void *)NT_X86_XSTATE, &room) == 0 &&
           room.iov_len == standin->vectors_bytes;
}
