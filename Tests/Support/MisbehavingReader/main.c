// Misbehaves in place of gscap-libraw: the first byte of the file on descriptor 0 says how.
#include <CCameraRaw.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <fcntl.h>

// Reports LibRaw's error of this number.
static void report(int error, const char *message) {
    GscapRawRecord record = {.magic = GSCAP_RAW_MAGIC, .version = GSCAP_RAW_VERSION, .size = sizeof record};
    record.outcome = GscapRawOutcomeLibRawError;
    record.error = error;
    strncpy(record.message, message, sizeof record.message - 1);
    _exit(write(GSCAP_RAW_OUTPUT, &record, sizeof record) == sizeof record ? 0 : 9);
}

// Keeps an optimising compiler from leaving out memory that nothing reads.
static char *volatile kept;

int main(int count, char **arguments) {
    static char bytes[1 << 20];
    ssize_t size = read(GSCAP_RAW_FILE, bytes, sizeof bytes);
    if (count != 4 || size < 1) return 9;
    gscap_raw_confine(strtoull(arguments[2], NULL, 10), strtoull(arguments[3], NULL, 10));
    switch (bytes[0]) {
    case 'c': // crashes
        raise(SIGSEGV);
        break;
    case 'h': // hangs
        for (volatile int turn = 0;; turn++) {}
    case 'm': // takes memory until there is none, at most 1 GB
        for (int block = 0; block < 1024; block++) {
            char *memory = malloc(1 << 20);
            if (memory == NULL) report(-100007, "no memory");
            memset(memory, block, 1 << 20);
            kept = memory;
        }
        break;
    case 'o': // opens a file and a connection, starts a process, and reads what it inherited
        if (open("/proc/self/status", O_RDONLY) >= 0) report(-1, "opened a file");
        if (socket(AF_INET, SOCK_STREAM, 0) >= 0) report(-1, "opened a socket");
        if (fork() >= 0) report(-1, "started a process");
        for (int other = GSCAP_RAW_OUTPUT + 1; other < 4096; other++) {
            if (lseek(other, 0, SEEK_CUR) >= 0) report(-1, "inherited a descriptor");
        }
        report(-1, "is confined");
        break;
    case 'r': // returns the rest of the file as its record
        return write(GSCAP_RAW_OUTPUT, bytes + 1, size - 1) == size - 1 ? 0 : 9;
    default: // fails
        fputs("out of order\n", stderr);
        return 9;
    }
    return 0;
}
