# Fails where a file includes against the order of the house, or keeps a library out of its home.
#   harness <- datasets <- scorers <- reports <- runners          (each includes only folders to its left)
set(order harness datasets scorers reports runners)
set(wrong "")

# Libraries with one home: pattern of the include, then where it may stand.
set(homes
  "curl/"                "^harness/http/"
  "CLI/"                 "^runners/flags\\.cpp$"
  "mpi\\.h"              "^harness/ranks/"
  "tbb/|oneapi/tbb"      "^(harness/parallel|runners/drivers)/"
  "boost/math|Eigen/"    "^scorers/(.*\\.cpp|statistics/newton\\.hpp)$"
  "pcre2\\.h"            "^scorers/multichoice/"
  "csv\\.h>"             "^datasets/questions/")

set(position 0)
foreach(folder IN LISTS order)
  file(GLOB_RECURSE files RELATIVE ${ROOT} ${ROOT}/${folder}/*.hpp ${ROOT}/${folder}/*.cpp)
  foreach(file IN LISTS files)
    file(STRINGS ${ROOT}/${file} lines REGEX "^[ \t]*#[ \t]*include")
    foreach(line IN LISTS lines)
      if(line MATCHES "\"(harness|datasets|scorers|reports|runners|tests)/")
        set(included ${CMAKE_MATCH_1})
        list(FIND order ${included} where)
        if(where EQUAL -1 OR where GREATER position)
          list(APPEND wrong "${file}: ${line}  (${folder} may not include ${included})")
        endif()
      endif()
      list(LENGTH homes count)
      math(EXPR last "${count} - 1")
      foreach(i RANGE 0 ${last} 2)
        math(EXPR j "${i} + 1")
        list(GET homes ${i} pattern)
        list(GET homes ${j} home)
        if(line MATCHES "[<\"](${pattern})" AND NOT file MATCHES "${home}")
          list(APPEND wrong "${file}: ${line}  (its home is ${home})")
        endif()
      endforeach()
    endforeach()
  endforeach()
  math(EXPR position "${position} + 1")
endforeach()

if(wrong)
  list(JOIN wrong "\n  " text)
  message(FATAL_ERROR "includes against the order of the house:\n  ${text}")
endif()
message(STATUS "include order holds")
