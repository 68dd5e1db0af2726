# Writes a C++ source that has files as arrays, so that they need not be installed:
#   cmake -D STYLE=page.css -D "SCRIPT=run.js;page.js" -D OUT=page_files.cpp -P embed.cmake
# It defines what report/page_files.hpp declares.
cmake_minimum_required(VERSION 3.25)

# heddle_base64(<variable> <hex>): of a hash, which has 32 bytes.
function(heddle_base64 variable hex)
  set(alphabet "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
  set(out "")
  # Three digits are two characters; the last one is a character and half of nothing.
  foreach(at RANGE 0 60 3)
    string(SUBSTRING "${hex}" ${at} 3 group)
    foreach(shift 6 0)
      math(EXPR index "(0x${group} >> ${shift}) & 63")
      string(SUBSTRING "${alphabet}" ${index} 1 character)
      string(APPEND out "${character}")
    endforeach()
  endforeach()
  string(SUBSTRING "${hex}" 63 1 digit)
  math(EXPR index "0x${digit} << 2")
  string(SUBSTRING "${alphabet}" ${index} 1 character)
  set(${variable} "${out}${character}=" PARENT_SCOPE)
endfunction()

# heddle_array(<variable> <name> <file>...): the files one after the other.
function(heddle_array variable name)
  set(hex "")
  foreach(file IN LISTS ARGN)
    file(READ "${file}" more HEX)
    string(APPEND hex "${more}")
  endforeach()
  string(REGEX REPLACE "(..)" "'\\\\x\\1'," bytes "${hex}")
  # A line for about every 16 bytes: compilers are slow with one line of a megabyte.
  string(REGEX REPLACE "(('[^']*',)('[^']*',)('[^']*',)('[^']*',)('[^']*',)('[^']*',)('[^']*',)('[^']*',))"
         "\\1\n    " bytes "${bytes}")
  execute_process(COMMAND ${CMAKE_COMMAND} -E cat ${ARGN} OUTPUT_FILE "${OUT}.${name}"
                  COMMAND_ERROR_IS_FATAL ANY)
  file(SHA256 "${OUT}.${name}" sum)
  heddle_base64(hash "${sum}")
  set(${variable} "const char ${name}_bytes[] = {\n    ${bytes}};\n\
const PageFile ${name} = {{${name}_bytes, sizeof ${name}_bytes}, \"sha256-${hash}\"};\n" PARENT_SCOPE)
endfunction()

heddle_array(style page_style "${STYLE}")
heddle_array(script page_script ${SCRIPT})
file(WRITE "${OUT}" "// Made by cmake/embed.cmake.\n#include \"report/page_files.hpp\"\n\n\
namespace heddle::report {\n\n${style}\n${script}\n}  // namespace heddle::report\n")
