#pragma once
#include <jxl/decode.h>
#include <jxl/encode.h>
#include <jxl/version.h>

/// Lists the functions that are called, without their prefix `Jxl`: use(name) is expanded for each.
#define JXL_FUNCTIONS(use) \
    use(ColorEncodingSetToLinearSRGB) use(DecoderCloseInput) use(DecoderCreate) use(DecoderDestroy) \
    use(DecoderGetBasicInfo) use(DecoderProcessInput) use(DecoderSetImageOutBuffer) use(DecoderSetInput) \
    use(DecoderSetKeepOrientation) use(DecoderSubscribeEvents) use(EncoderAddBox) use(EncoderAddImageFrame) \
    use(EncoderCloseInput) use(EncoderCreate) use(EncoderDestroy) use(EncoderFrameSettingsCreate) \
    use(EncoderFrameSettingsSetOption) use(EncoderGetError) use(EncoderInitBasicInfo) use(EncoderProcessOutput) \
    use(EncoderSetBasicInfo) use(EncoderSetCodestreamLevel) use(EncoderSetColorEncoding) \
    use(EncoderSetFrameDistance) use(EncoderSetFrameLossless) use(EncoderSetICCProfile) \
    use(EncoderSetParallelRunner) use(EncoderUseBoxes) use(EncoderUseContainer)

/// The addresses of the functions listed above in the loaded library. Nothing links libjxl: only JPEG XL
/// pictures need it.
typedef struct {
#define FIELD(name) __typeof__(&Jxl##name) name;
    JXL_FUNCTIONS(FIELD)
#undef FIELD
} JXLFunctions;

/// Loads the library with this file name and stores the addresses of its functions. Returns NULL, or the reason for the
/// failure.
const char *gscap_load_jxl(const char *library, JXLFunctions *functions);
