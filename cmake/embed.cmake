# cmake -DFROM=file -DTO=out.cpp -DHEADER=path -DNAMESPACE=a::b -DFUNCTION=name -P embed.cmake
# writes a C++ source whose function gives the bytes of the file as a std::string_view.
file(READ "${FROM}" hex HEX)
string(REGEX REPLACE "(................................)" "\\1\n" hex "${hex}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
file(WRITE "${TO}" "#include \"${HEADER}\"

namespace ${NAMESPACE} {

std::string_view ${FUNCTION}() noexcept {
    static constexpr unsigned char bytes[] = {
${bytes}
    };
    return {reinterpret_cast<const char*>(bytes), sizeof bytes};
}

}  // namespace ${NAMESPACE}
")
