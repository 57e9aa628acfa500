// Stopping another process so that it is known to stand still, for tests that look at what it has done so far.
#pragma once

#include <sys/types.h>

namespace assay::support {

// Sends SIGSTOP and returns when every thread of `process` has stopped: a signal sent is not yet a signal taken.
// False where there is no such process any more. SIGCONT lets it go on.
[[nodiscard]] bool stop_process(pid_t process);

}  // namespace assay::support
