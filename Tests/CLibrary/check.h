/* check.h: checks for the tests of libgscap, which end the program at the first failure. */
#ifndef CHECK_H
#define CHECK_H

#include <gscap.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: FAILED: %s (last error: %s)\n", __FILE__, __LINE__, #condition,                    \
                    gscap_last_error());                                                                               \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

/* Checks that a call returns a status, and that a failure has a text. */
#define EXPECT(status, call)                                                                                           \
    do {                                                                                                               \
        GscapStatus result_ = (call);                                                                                  \
        if (result_ != (status) || (result_ && !*gscap_last_error())) {                                                \
            fprintf(stderr, "%s:%d: FAILED: %s is %s and not %s: %s\n", __FILE__, __LINE__, #call,                     \
                    gscap_status_name(result_), gscap_status_name(status), gscap_last_error());                        \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

/* A small simulated camera; the tests wait at most LIMIT seconds for anything. */
#define CAMERA "gscapsensorsrc is-live=true ! video/x-bayer,format=rggb12le,width=64,height=48,framerate=30/1"
#define LIMIT 30.0

/* Returns an environment variable's number, or the default. */
static inline int number_from(const char *name, int standard) {
    const char *text = getenv(name);
    return text ? atoi(text) : standard;
}

void test_arguments(void);
void test_photo(void);
void test_requests(void);
void test_callbacks(void);
void test_threads(void);
void test_closing(void);
void test_attach(void);
void test_failures(void);
void test_handlers(void);
void test_repeated(void);
void test_process(void);

#endif
