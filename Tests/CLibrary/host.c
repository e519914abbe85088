/* host.c: what a program keeps: its signal handlers, descriptors and memory; and cameras that fail. */
#include "check.h"

#include <dirent.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t interrupts;

static void interrupt(int number) { interrupts += number == SIGINT; }

static void other_signal(int number, siginfo_t *info, void *context) {
    (void)number;
    (void)info;
    (void)context;
}

/* Returns whether the Swift runtime handles no signals. That of a toolchain does, to print backtraces of crashes. */
static int has_no_backtraces(void) {
    const char *setting = getenv("SWIFT_BACKTRACE");
    return setting && strstr(setting, "enable=no");
}

/* The program's handlers of SIGSEGV, SIGCHLD and SIGINT stay, and no other signal gets one. */
void test_handlers(void) {
    struct sigaction before[65] = {0}, after, plain = {0}, detailed = {0};
    GscapCamera *camera = NULL;
    GscapPhoto *photo = NULL;
    plain.sa_handler = interrupt;
    detailed.sa_sigaction = other_signal;
    detailed.sa_flags = SA_SIGINFO | SA_RESTART;
    CHECK(sigaction(SIGINT, &plain, NULL) == 0);
    CHECK(sigaction(SIGCHLD, &detailed, NULL) == 0 && sigaction(SIGSEGV, &detailed, NULL) == 0);
    for (int i = 1; i <= 64; i++) sigaction(i, NULL, &before[i]);
    EXPECT(GSCAP_OK, gscap_open(CAMERA, NULL, &camera));
    EXPECT(GSCAP_OK, gscap_take_photo(camera, NULL, LIMIT, &photo));
    raise(SIGINT);
    EXPECT(GSCAP_OK, gscap_close(camera));
    gscap_photo_unref(photo);
    CHECK(interrupts == 1);
    for (int i = 1; i <= 64; i++) {
        int is_own = i == SIGINT || i == SIGCHLD || i == SIGSEGV;
        if ((!is_own && !has_no_backtraces()) || sigaction(i, NULL, &after)) continue;
        if (after.sa_sigaction == before[i].sa_sigaction && after.sa_flags == before[i].sa_flags) continue;
        fprintf(stderr, "FAILED: the handler of signal %d has changed\n", i);
        exit(1);
    }
    signal(SIGINT, SIG_DFL);
    signal(SIGCHLD, SIG_DFL);
    signal(SIGSEGV, SIG_DFL);
}

/* A camera that is unplugged ends its captures, and refuses further presses. */
void test_failures(void) {
    char path[] = "/tmp/gscap-camera-XXXXXX", text[512];
    int file = mkstemp(path);
    CHECK(file >= 0 && close(file) == 0);
    snprintf(text, sizeof text, "gscapsensorsrc is-live=true device=%s ! video/x-bayer,width=64,height=48", path);
    GscapCamera *camera = NULL;
    GscapResult *result = NULL;
    uint64_t ticket = 0;
    EXPECT(GSCAP_OK, gscap_open(text, NULL, &camera));
    EXPECT(GSCAP_OK, gscap_capture_text(
        camera, "capture, frames=(int)64, zero-shutter-lag=(boolean)false", &ticket));
    CHECK(unlink(path) == 0);
    EXPECT(GSCAP_OK, gscap_wait(camera, ticket, LIMIT, &result));
    CHECK(gscap_result_get_outcome(result) != GSCAP_SUCCEEDED && *gscap_result_get_reason(result));
    gscap_result_unref(result);
    GscapStatus status = gscap_capture_text(camera, "capture", &ticket);
    CHECK(status == GSCAP_ERROR_CAMERA || status == GSCAP_ERROR_REFUSED);
    EXPECT(GSCAP_OK, gscap_close(camera));
    EXPECT(GSCAP_ERROR_CAMERA, gscap_open(text, NULL, &camera));
    CHECK(strstr(gscap_last_error(), path));
}

static int entries(const char *folder) {
    DIR *listing = opendir(folder);
    int count = 0;
    CHECK(listing);
    while (readdir(listing)) count++;
    closedir(listing);
    return count;
}

/* Returns the resident memory in kibibytes. */
static long resident(void) {
    long size = 0, pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    CHECK(file && fscanf(file, "%ld %ld", &size, &pages) == 2);
    fclose(file);
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

static void one_round(int index) {
    GscapCamera *camera = NULL;
    GscapPhoto *photo = NULL;
    uint64_t ticket = 0;
    EXPECT(GSCAP_OK, gscap_open(CAMERA, NULL, &camera));
    if (index % 2 == 0) EXPECT(GSCAP_OK, gscap_take_photo(camera, NULL, LIMIT, &photo));
    else EXPECT(GSCAP_OK, gscap_capture(camera, NULL, &ticket)); /* closed in mid-capture */
    EXPECT(GSCAP_OK, gscap_close(camera));
    gscap_photo_unref(photo);
}

/* Opening and closing again and again leaves no descriptors and threads, and little memory. */
void test_repeated(void) {
    int rounds = MAX(4, number_from("GSCAP_CLIB_ROUNDS", 24));
    int descriptors = 0, threads = 0;
    long memory = 0;
    for (int i = 0; i < rounds; i++) {
        one_round(i);
        if (i != rounds / 4) continue;
        descriptors = entries("/proc/self/fd");
        threads = entries("/proc/self/task");
        memory = resident();
    }
    long growth = resident() - memory;
    int more_threads = entries("/proc/self/task") - threads;
    printf("     %d rounds: %d descriptors, %+d threads, %+ld KiB\n", rounds, descriptors, more_threads, growth);
    CHECK(entries("/proc/self/fd") <= descriptors);
    CHECK(more_threads <= 16); /* the pools of GLib and of the Swift runtime start threads when they need them */
    CHECK(growth < 32 * 1024);
}

/* What one process uses that opens, takes a photo and closes, for the test that compares many processes. */
void test_process(void) {
    one_round(0);
    printf("process %d descriptors %ld KiB\n", entries("/proc/self/fd"), resident());
}
