// For memfd_create, seals, pipe2, posix_spawn_file_actions_addclosefrom_np and dladdr.
#define _GNU_SOURCE

#include "CCameraRaw.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <unistd.h>

int gscap_raw_create_output(void) {
    return memfd_create("gscap-libraw", MFD_CLOEXEC | MFD_ALLOW_SEALING);
}

int gscap_raw_seal(int output) {
    return fcntl(output, F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE);
}

// Returns a copy of a descriptor above those of the program, since assigning one of these may close it otherwise.
static int copy(int descriptor) {
    return fcntl(descriptor, F_DUPFD_CLOEXEC, GSCAP_RAW_OUTPUT + 1);
}

// Starts the program with these descriptors, all above those of the program.
static int spawn(char *const *arguments, char *const *environment, int file, int output, int messages, pid_t *process) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0) return error;
    error = posix_spawnattr_init(&attributes);
    if (error == 0) {
        posix_spawn_file_actions_adddup2(&actions, file, GSCAP_RAW_FILE);
        posix_spawn_file_actions_adddup2(&actions, messages, STDOUT_FILENO);
        posix_spawn_file_actions_adddup2(&actions, messages, STDERR_FILENO);
        posix_spawn_file_actions_adddup2(&actions, output, GSCAP_RAW_OUTPUT);
        // The host may have opened descriptors without O_CLOEXEC, and may block or ignore signals.
        posix_spawn_file_actions_addclosefrom_np(&actions, GSCAP_RAW_OUTPUT + 1);
        sigset_t signals;
        sigemptyset(&signals);
        posix_spawnattr_setsigmask(&attributes, &signals);
        sigfillset(&signals);
        posix_spawnattr_setsigdefault(&attributes, &signals);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
        error = posix_spawn(process, arguments[0], &actions, &attributes, arguments, environment);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

int gscap_raw_start(
    char *const *arguments, char *const *environment, int file, int output, int *messages, pid_t *process) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return errno;
    int copies[] = {copy(file), copy(output), copy(ends[1])};
    int error = errno;
    if (copies[0] >= 0 && copies[1] >= 0 && copies[2] >= 0) {
        error = spawn(arguments, environment, copies[0], copies[1], copies[2], process);
    }
    for (int index = 0; index < 3; index++) {
        if (copies[index] >= 0) close(copies[index]);
    }
    close(ends[1]);
    if (error == 0) *messages = ends[0]; else close(ends[0]);
    return error;
}

const char *gscap_raw_object(const void *address) {
    Dl_info information;
    return dladdr(address, &information) != 0 ? information.dli_fname : NULL;
}

const char *gscap_raw_runtime(void) {
    void *function = dlsym(RTLD_DEFAULT, "swift_retain");
    return function != NULL ? gscap_raw_object(function) : NULL;
}
