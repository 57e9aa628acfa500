#include "harness/http/descriptor_limit.hpp"

#include <sys/resource.h>

#include <limits>

namespace assay::http {

std::int64_t raise_descriptor_limit() {
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return 1024;  // what a system grants unasked
    if (limit.rlim_cur != limit.rlim_max) {
        rlimit raised{limit.rlim_max, limit.rlim_max};
        if (::setrlimit(RLIMIT_NOFILE, &raised) == 0) limit = raised;
    }
    constexpr auto most = static_cast<rlim_t>(std::numeric_limits<std::int64_t>::max());
    return static_cast<std::int64_t>(limit.rlim_cur < most ? limit.rlim_cur : most);
}

}  // namespace assay::http
