# heddle_add_test(NAME <name> SOURCES <file>...
#                 [ARGS <argument>...] [OPTIONS <option>...]
#                 [LIBRARIES <library>...] [COMPILE_OPTIONS <option>...]
#                 [EXPECT verified|finding|<kind>])
#
# Builds a program of the sources with Heddle's compilers, as the target <name>, and adds the test
# <name>, which explores it. docs/cmake.md has the details.
include_guard(GLOBAL)
cmake_minimum_required(VERSION 3.20) # DEPFILE, for Makefiles too

# The language by the suffix, as heddle check does it: cc or c++.
function(_heddle_compiler_of source result)
  cmake_path(GET source EXTENSION LAST_ONLY suffix)
  if(suffix MATCHES "^\\.(c|s|S|i)$")
    set(${result} cc PARENT_SCOPE)
  elseif(suffix MATCHES "^\\.(cpp|cc|cxx|c\\+\\+|cp|C|CPP|ii)$")
    set(${result} c++ PARENT_SCOPE)
  else()
    message(FATAL_ERROR "heddle_add_test: ${source} is neither C nor C++, by its suffix")
  endif()
endfunction()

# What a library means for compiling, for linking, and to wait for.
function(_heddle_use_library library)
  if(NOT TARGET ${library})
    if(NOT library MATCHES "^-|/" AND NOT library MATCHES "\\.(a|so|o)$")
      set(library -l${library})
    endif()
    set(link_items ${link_items} ${library} PARENT_SCOPE)
    return()
  endif()
  # Empty lists make no option at all: what is joined is split again by COMMAND_EXPAND_LISTS.
  set(directories $<TARGET_PROPERTY:${library},INTERFACE_INCLUDE_DIRECTORIES>)
  set(definitions $<TARGET_PROPERTY:${library},INTERFACE_COMPILE_DEFINITIONS>)
  set(options $<TARGET_PROPERTY:${library},INTERFACE_COMPILE_OPTIONS>)
  set(compile_items ${compile_items}
      "$<$<BOOL:${directories}>:-I$<JOIN:${directories},$<SEMICOLON>-I>>"
      "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},$<SEMICOLON>-D>>"
      "${options}" PARENT_SCOPE)
  get_target_property(type ${library} TYPE)
  if(NOT type STREQUAL INTERFACE_LIBRARY)
    set(link_items ${link_items} "$<TARGET_FILE:${library}>" PARENT_SCOPE)
    set(built_before ${built_before} ${library} PARENT_SCOPE)
  endif()
endfunction()

function(heddle_add_test)
  cmake_parse_arguments(PARSE_ARGV 0 given "" "NAME;EXPECT"
                        "SOURCES;ARGS;OPTIONS;LIBRARIES;COMPILE_OPTIONS")
  if(given_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "heddle_add_test does not know ${given_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT given_NAME OR NOT given_SOURCES)
    message(FATAL_ERROR "heddle_add_test needs NAME and SOURCES")
  endif()
  set(compile_items)
  set(link_items)
  set(built_before)
  foreach(library IN LISTS given_LIBRARIES)
    _heddle_use_library(${library})
  endforeach()

  set(directory ${CMAKE_CURRENT_BINARY_DIR}/${given_NAME}.heddle)
  file(MAKE_DIRECTORY ${directory})
  set(objects)
  set(linker cc)
  foreach(source IN LISTS given_SOURCES)
    _heddle_compiler_of(${source} compiler)
    if(compiler STREQUAL c++)
      set(linker c++)
    endif()
    # It is compiled in the build directory, and reports name it from anywhere.
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
    string(MAKE_C_IDENTIFIER ${source} object)
    set(object ${directory}/${object}.o)
    add_custom_command(
      OUTPUT ${object}
      COMMAND ${HEDDLE_EXECUTABLE} ${compiler} ${compile_items} ${given_COMPILE_OPTIONS}
              -MD -MQ ${object} -MF ${object}.d -c ${source} -o ${object}
      DEPENDS ${source} ${HEDDLE_EXECUTABLE} ${built_before}
      DEPFILE ${object}.d
      COMMENT "Compiling ${source} for heddle"
      COMMAND_EXPAND_LISTS VERBATIM)
    list(APPEND objects ${object})
  endforeach()
  set(program ${directory}/${given_NAME})
  add_custom_command(
    OUTPUT ${program}
    COMMAND ${HEDDLE_EXECUTABLE} ${linker} ${objects} ${link_items} ${given_COMPILE_OPTIONS}
            -Qunused-arguments -o ${program}
    DEPENDS ${objects} ${built_before}
    COMMENT "Linking ${given_NAME} for heddle"
    COMMAND_EXPAND_LISTS VERBATIM)
  add_custom_target(${given_NAME} ALL DEPENDS ${program})

  set(arguments)
  if(given_EXPECT)
    list(APPEND arguments --expect ${given_EXPECT})
  endif()
  list(APPEND arguments ${given_OPTIONS})
  if(given_ARGS)
    list(APPEND arguments -- ${given_ARGS})
  endif()
  add_test(NAME ${given_NAME} COMMAND ${HEDDLE_EXECUTABLE} run ${program} ${arguments})
endfunction()
