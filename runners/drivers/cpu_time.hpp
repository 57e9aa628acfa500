// CPU time that was taken so far, in seconds of user and system time; 0 where the system does not say.
#pragma once

namespace assay::runners {

[[nodiscard]] double process_cpu_seconds();
[[nodiscard]] double thread_cpu_seconds();  // of the calling thread

}  // namespace assay::runners
