#pragma once
#include <lcms2.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Lists the functions that are called, without their prefix `cms`: use(name) is expanded for each.
#define LCMS_FUNCTIONS(use) \
    use(CloseProfile) use(CreateTransform) use(DeleteTransform) use(DoTransform) use(OpenProfileFromMem)

/// The addresses of the functions listed above in the loaded library. Nothing links Little CMS: only pictures with an
/// ICC output profile need it.
typedef struct {
#define FIELD(name) __typeof__(&cms##name) name;
    LCMS_FUNCTIONS(FIELD)
#undef FIELD
} LCMSFunctions;

/// Loads the library with this file name and stores the addresses of its functions. Returns NULL, or the reason for the
/// failure.
const char *gscap_load_lcms(const char *library, LCMSFunctions *functions);

/// Creates the conversion of 16-bit RGB pixels from one ICC profile to another: relative colorimetric, with black point
/// compensation. The result has 16-bit or 8-bit samples. Threads may use it at the same time. Returns NULL if a profile
/// cannot be used. In C because the pixel formats are macros.
cmsHTRANSFORM gscap_lcms_transform(
    const LCMSFunctions *functions, const uint8_t *source, size_t sourceSize, const uint8_t *target, size_t targetSize,
    bool hasWideResult);
