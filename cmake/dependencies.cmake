# Everything comes from the distribution's packages (packages.txt); nothing is downloaded or vendored.
find_package(Threads REQUIRED)
find_package(CURL REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(simdjson REQUIRED)
find_package(CLI11 REQUIRED)
find_package(TBB REQUIRED)
find_package(OpenSSL REQUIRED COMPONENTS Crypto)
find_package(Boost REQUIRED)  # headers only: Boost.Math quantiles
find_package(Eigen3 REQUIRED)  # headers only: two likelihood fits
find_package(PkgConfig REQUIRED)
pkg_check_modules(pcre2 REQUIRED IMPORTED_TARGET libpcre2-8)
pkg_check_modules(xxhash REQUIRED IMPORTED_TARGET libxxhash)
include(CheckCXXSourceCompiles)
set(CMAKE_REQUIRED_LIBRARIES PkgConfig::xxhash)
check_cxx_source_compiles("#include <xxh_x86dispatch.h>
int main() { return XXH3_128bits_update_dispatch(XXH3_createState(), \"\", 0); }" ASSAY_XXHASH_DISPATCH)
unset(CMAKE_REQUIRED_LIBRARIES)
pkg_check_modules(tomlplusplus REQUIRED IMPORTED_TARGET tomlplusplus)

find_path(LIBCSV_INCLUDE_DIR csv.h REQUIRED)
find_library(LIBCSV_LIBRARY csv REQUIRED)
add_library(libcsv UNKNOWN IMPORTED)
set_target_properties(libcsv PROPERTIES IMPORTED_LOCATION "${LIBCSV_LIBRARY}"
                      INTERFACE_INCLUDE_DIRECTORIES "${LIBCSV_INCLUDE_DIR}")

# Optional: assay-mpi, the program for many nodes, is built where MPI is found.
find_package(MPI COMPONENTS CXX QUIET)
