#pragma once
#include <jxl/decode.h>
#include <jxl/encode.h>
#include <jxl/version.h>

/// The functions that are called, without their `Jxl`: use(name) stands for one.
#define JXL_FUNCTIONS(use) \
    use(ColorEncodingSetToLinearSRGB) use(DecoderCloseInput) use(DecoderCreate) use(DecoderDestroy) \
    use(DecoderGetBasicInfo) use(DecoderProcessInput) use(DecoderSetImageOutBuffer) use(DecoderSetInput) \
    use(DecoderSetKeepOrientation) use(DecoderSubscribeEvents) use(EncoderAddBox) use(EncoderAddImageFrame) \
    use(EncoderCloseInput) use(EncoderCreate) use(EncoderDestroy) use(EncoderFrameSettingsCreate) \
    use(EncoderFrameSettingsSetOption) use(EncoderGetError) use(EncoderInitBasicInfo) use(EncoderProcessOutput) \
    use(EncoderSetBasicInfo) use(EncoderSetCodestreamLevel) use(EncoderSetColorEncoding) \
    use(EncoderSetFrameDistance) use(EncoderSetFrameLossless) use(EncoderSetParallelRunner) use(EncoderUseBoxes) \
    use(EncoderUseContainer)

/// Where they are, once their library is loaded: only pictures of its kind need it, and nothing links it.
typedef struct {
#define FIELD(name) __typeof__(&Jxl##name) name;
    JXL_FUNCTIONS(FIELD)
#undef FIELD
} JXLFunctions;

/// Loads the library of this file name. Gives NULL, or what is wrong.
const char *gscap_load_jxl(const char *library, JXLFunctions *functions);
