// header.cpp: the header and its initialisers compile as C++.
#include <gscap.h>

int main() {
    GscapOptions options = GSCAP_OPTIONS_INIT;
    GscapRequest request = GSCAP_REQUEST_INIT;
    GscapReceipt receipt = GSCAP_RECEIPT_INIT;
    GscapReadiness readiness = GSCAP_READINESS_INIT;
    GscapMetrics metrics = GSCAP_METRICS_INIT;
    GscapCamera *camera = nullptr;
    std::size_t sizes = options.struct_size + request.struct_size + receipt.struct_size + readiness.struct_size;
    return gscap_open(nullptr, nullptr, &camera) == GSCAP_ERROR_ARGUMENT && sizes && metrics.struct_size ? 0 : 1;
}
