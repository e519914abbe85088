/* arguments.c: NULL and wrong arguments give errors with a text. */
#include "check.h"

static void check_null_handles(void) {
    uint64_t ticket = 1;
    GscapResult *result = NULL;
    GscapPhoto *photo = NULL;
    size_t size = 1;
    EXPECT(GSCAP_ERROR_ARGUMENT, gscap_close(NULL));
    EXPECT(GSCAP_ERROR_ARGUMENT, gscap_capture(NULL, NULL, &ticket));
    EXPECT(GSCAP_ERROR_ARGUMENT, gscap_capture_structure(NULL, NULL, &ticket));
    EXPECT(GSCAP_ERROR_ARGUMENT, gscap_capture_text(NULL, "capture", &ticket));
    EXPECT(GSCAP_ERROR_ARGUMENT, gscap_wait(NULL, 1, 1, &result));
    EXPECT(GSCAP_ERROR_ARGUMENT, gscap_take_photo(NULL, NULL, 1, &photo));
    EXPECT(GSCAP_ERROR_ARGUMENT, gscap_cancel(NULL, 1));
    EXPECT(GSCAP_ERROR_ARGUMENT, gscap_set_callback(NULL, NULL, NULL, NULL));
    EXPECT(GSCAP_ERROR_ARGUMENT, gscap_get_readiness(NULL, NULL, NULL));
    EXPECT(GSCAP_ERROR_ARGUMENT, gscap_get_metrics(NULL, NULL));
    EXPECT(GSCAP_ERROR_ARGUMENT, gscap_photo_get_receipt(NULL, NULL));
    CHECK(gscap_get_element(NULL) == NULL && gscap_get_pipeline(NULL) == NULL);
    CHECK(gscap_photo_ref(NULL) == NULL && gscap_result_ref(NULL) == NULL);
    CHECK(gscap_photo_get_bytes(NULL, &size) == NULL && size == 0 && gscap_photo_get_bytes(NULL, NULL) == NULL);
    CHECK(!gscap_photo_get_format(NULL) && !gscap_photo_get_media_type(NULL) && !gscap_photo_get_path(NULL));
    CHECK(!gscap_photo_get_error(NULL) && !gscap_photo_get_receipt_json(NULL) && !gscap_photo_get_sample(NULL));
    CHECK(gscap_photo_get_exposure(NULL) == 0 && gscap_photo_get_ticket(NULL) == 0);
    CHECK(gscap_result_get_ticket(NULL) == 0);
    CHECK(gscap_result_get_outcome(NULL) == GSCAP_FAILED && !gscap_result_get_reason(NULL));
    CHECK(gscap_result_get_photo_count(NULL) == 0 && !gscap_result_get_photo(NULL, 0));
    gscap_photo_unref(NULL);
    gscap_result_unref(NULL);
    CHECK(ticket == 0 && !result && !photo);
}

/* Pointers to something else are recognised without being read. */
static void check_wrong_handles(void) {
    int other = 0;
    uint64_t ticket = 0;
    GscapCamera *camera = (GscapCamera *)&other;
    EXPECT(GSCAP_ERROR_ARGUMENT, gscap_close(camera));
    EXPECT(GSCAP_ERROR_ARGUMENT, gscap_close((GscapCamera *)(uintptr_t)8));
    EXPECT(GSCAP_ERROR_ARGUMENT, gscap_capture(camera, NULL, &ticket));
    CHECK(gscap_photo_get_ticket((GscapPhoto *)&other) == 0);
    gscap_photo_unref((GscapPhoto *)&other);
    gscap_result_unref((GscapResult *)&other);
}

static void check_opening(void) {
    GscapCamera *camera = (GscapCamera *)&camera;
    GscapOptions options = GSCAP_OPTIONS_INIT, empty;
    memset(&empty, 0, sizeof empty);
    EXPECT(GSCAP_ERROR_ARGUMENT, gscap_open(CAMERA, NULL, NULL));
    EXPECT(GSCAP_ERROR_ARGUMENT, gscap_open(NULL, NULL, &camera));
    CHECK(camera == NULL);
    EXPECT(GSCAP_ERROR_ARGUMENT, gscap_open("\xff\xfe", NULL, &camera));
    EXPECT(GSCAP_ERROR_ARGUMENT, gscap_open(CAMERA, &empty, &camera));
    EXPECT(GSCAP_ERROR_PIPELINE, gscap_open("", NULL, &camera));
    EXPECT(GSCAP_ERROR_PIPELINE, gscap_open("gscapsensorsrc !", NULL, &camera));
    EXPECT(GSCAP_ERROR_PIPELINE, gscap_open("nosuchelement", NULL, &camera));
    CHECK(strstr(gscap_last_error(), "nosuchelement"));
    EXPECT(GSCAP_ERROR_PIPELINE, gscap_open("gscapsensorsrc ! fakesink", NULL, &camera));
    EXPECT(GSCAP_ERROR_PIPELINE, gscap_open("audiotestsrc", NULL, &camera));
    options.quality = 7;
    EXPECT(GSCAP_ERROR_ARGUMENT, gscap_open(CAMERA, &options, &camera));
    CHECK(strstr(gscap_last_error(), "quality"));
    options.quality = NAN;
    EXPECT(GSCAP_ERROR_ARGUMENT, gscap_open(CAMERA, &options, &camera));
    options.quality = -1;
    options.frames = 100000;
    EXPECT(GSCAP_ERROR_ARGUMENT, gscap_open(CAMERA, &options, &camera));
    options.frames = 0;
    options.start_limit = NAN;
    EXPECT(GSCAP_ERROR_ARGUMENT, gscap_open(CAMERA, &options, &camera));
    EXPECT(GSCAP_ERROR_ARGUMENT, gscap_attach(NULL, NULL, &camera));
    EXPECT(GSCAP_ERROR_ARGUMENT, gscap_attach_tee(NULL, NULL, &camera));
    EXPECT(GSCAP_ERROR_ARGUMENT, gscap_use_element(NULL, NULL, &camera));
    CHECK(camera == NULL);
}

static void check_texts(void) {
    CHECK(strcmp(gscap_status_name(GSCAP_OK), "ok") == 0);
    CHECK(strcmp(gscap_status_name((GscapStatus)-1000), "unknown") == 0);
    CHECK(strchr(gscap_version(), '.'));
}

void test_arguments(void) {
    CHECK(*gscap_last_error() == 0 || gscap_last_error());
    check_null_handles();
    check_wrong_handles();
    check_opening();
    check_texts();
}
