# Checks what a library takes from outside of the project: only what cmake/pure.txt names, so that what it decides
# depends on its arguments alone.
#
#   cmake -DNM=nm -DLIBRARY=libcore.a "-DLAYERS=libbase.a;..." -DALLOWED=cmake/pure.txt -P cmake/pure.cmake

function(symbols library options variable)
  execute_process(COMMAND ${NM} -P ${options} ${library} OUTPUT_VARIABLE output ERROR_QUIET
                  COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "(^|\n)[A-Za-z_][^ \n]* [A-Za-z]" lines "${output}")
  list(TRANSFORM lines REPLACE "^\n?([^ ]+) .$" "\\1")
  list(REMOVE_DUPLICATES lines)
  set(${variable} ${lines} PARENT_SCOPE)
endfunction()

symbols(${LIBRARY} -u taken)
foreach(layer IN LISTS LIBRARY LAYERS)
  symbols(${layer} --defined-only defined)
  list(REMOVE_ITEM taken ${defined})
endforeach()
# The C library's own names for a function, of a standard or with checks.
list(TRANSFORM taken REPLACE "^__isoc[0-9]+_(.+)$" "\\1")
list(TRANSFORM taken REPLACE "^__(.+)_chk$" "\\1")
file(STRINGS ${ALLOWED} allowed REGEX "^[^#]")
list(REMOVE_ITEM taken ${allowed})
if(taken)
  list(JOIN taken " " taken)
  get_filename_component(name ${LIBRARY} NAME)
  message(FATAL_ERROR "${name} uses ${taken}: a pure layer names no clock, environment, file, thread or process.\n"
                      "What needs them belongs in src/base; what does not is to be named in ${ALLOWED}")
endif()
