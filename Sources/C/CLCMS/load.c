#include <CSharedLibrary.h>

#include "CLCMS.h"

const char *gscap_load_lcms(const char *library, LCMSFunctions *functions) {
#define NAME(name) "cms" #name,
    static const char *const names[] = {LCMS_FUNCTIONS(NAME)};
#undef NAME
    return gscap_load(library, names, functions, sizeof *functions);
}

cmsHTRANSFORM gscap_lcms_transform(
    const LCMSFunctions *functions, const uint8_t *source, size_t sourceSize, const uint8_t *target, size_t targetSize,
    bool hasWideResult) {
    cmsHTRANSFORM transform = NULL;
    cmsHPROFILE from = functions->OpenProfileFromMem(source, (cmsUInt32Number)sourceSize);
    cmsHPROFILE to = functions->OpenProfileFromMem(target, (cmsUInt32Number)targetSize);
    // Without the cache of the last pixel, a transform has no state that its calls change.
    cmsUInt32Number flags = cmsFLAGS_BLACKPOINTCOMPENSATION | cmsFLAGS_NOCACHE | cmsFLAGS_HIGHRESPRECALC;
    if (from != NULL && to != NULL)
        transform = functions->CreateTransform(
            from, TYPE_RGB_16, to, hasWideResult ? TYPE_RGB_16 : TYPE_RGB_8, INTENT_RELATIVE_COLORIMETRIC, flags);
    if (from != NULL) functions->CloseProfile(from);
    if (to != NULL) functions->CloseProfile(to);
    return transform;
}
