#include "CCameraRaw.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
// The sanitizers reserve terabytes of memory, and read files of /proc for their reports.
#define SANITIZED 1
#endif
#endif

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

static void limit(int resource, uint64_t soft, uint64_t hard) {
    struct rlimit limits = {soft, hard};
    setrlimit(resource, &limits);
}

#if defined(ARCHITECTURE) && !defined(SANITIZED)
#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define RETURN(value) BPF_STMT(BPF_RET | BPF_K, (value))
// Returns a value for a system call.
#define CALL(number, value) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 1), RETURN(value)
#define ALLOW(name) CALL(__NR_##name, SECCOMP_RET_ALLOW)

static void filter(void) {
    // Calls that are refused return an error, with which the C library copes, instead of ending the process.
    struct sock_filter rules[] = {
        LOAD(arch), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0), RETURN(SECCOMP_RET_KILL_PROCESS),
        LOAD(nr),
        // The open descriptors: the raw file, the pipe and the memfd.
        ALLOW(read), ALLOW(write), ALLOW(writev), ALLOW(lseek), ALLOW(close), ALLOW(fstat), ALLOW(ftruncate),
        // Memory.
        ALLOW(mmap), ALLOW(munmap), ALLOW(mremap), ALLOW(mprotect), ALLOW(madvise), ALLOW(brk),
        // Threads and signals. The C library falls back to clone, whose flags can be examined, if clone3 is missing.
        ALLOW(futex), ALLOW(set_robust_list), ALLOW(rt_sigaction), ALLOW(rt_sigprocmask), ALLOW(rt_sigreturn),
        ALLOW(sched_yield), ALLOW(sched_getaffinity), ALLOW(gettid), ALLOW(getpid), ALLOW(tgkill),
        ALLOW(restart_syscall), ALLOW(exit), ALLOW(exit_group),
#ifdef __NR_rseq
        ALLOW(rseq),
#endif
#ifdef __NR_clone3
        CALL(__NR_clone3, SECCOMP_RET_ERRNO | ENOSYS),
#endif
        // The clock, and random numbers for hash tables.
        ALLOW(clock_gettime), ALLOW(clock_nanosleep), ALLOW(getrandom),
        // A new thread, but no new process.
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_clone, 0, 3), LOAD(args[0]),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 0, 1), RETURN(SECCOMP_RET_ALLOW),
        RETURN(SECCOMP_RET_ERRNO | EPERM),
    };
    struct sock_fprog program = {sizeof rules / sizeof *rules, rules};
    // Without the privilege to install filters, a process must give up gaining privileges first.
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}
#else
static void filter(void) {}
#endif

void gscap_raw_confine(uint64_t memory, uint64_t seconds) {
    // A crash must end the process. SwiftPM links the Swift runtime into programs in C, too, which may handle it.
    for (int number = 1; number < 32; number++) signal(number, SIG_DFL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_DUMPABLE, 0);
    limit(RLIMIT_CORE, 0, 0);
    // The soft limit ends the process with SIGXCPU, which names the reason.
    limit(RLIMIT_CPU, seconds, seconds + 1);
    limit(RLIMIT_FSIZE, memory, memory);
#ifndef SANITIZED
    limit(RLIMIT_DATA, memory, memory);
    limit(RLIMIT_NOFILE, 0, 0);
#endif
    filter();
}
