// The proxy that a request to a URL goes through.
#pragma once

#include <functional>
#include <string>

#include "harness/http/url.hpp"

namespace assay::http {

// Reads an environment variable; nullptr where it is not set.
using Environment = std::function<const char*(const char*)>;

// The proxy's URL, or empty for none. `setting` is "env", "none" or a URL. Hosts for which is_private_host holds
// never go through one that the environment names. From the environment, as curl does: http_proxy in lower case only
// (upper case can be set by a remote client under CGI), https_proxy and all_proxy in either case, less the hosts of no_proxy.
[[nodiscard]] std::string proxy_for(const Url& url, const std::string& setting, const Environment& environment);

// The same proxy URL as it may be shown: without user and password.
[[nodiscard]] std::string proxy_shown(const std::string& proxy);

}  // namespace assay::http
