# Makes gridlock-VERSION-linux-ARCH.tar.gz: the binary, and in lib/ every library that it needs but
# the C and C++ libraries, which have to fit the machine's kernel and drivers: a driver that was built with
# a newer one could not be loaded beside ours. The binary's run path finds the others.
execute_process(COMMAND uname -m OUTPUT_VARIABLE arch OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
set(name gridlock-${VERSION}-linux-${arch})
set(folder ${OUTPUT}/bundle/${name})
file(REMOVE_RECURSE ${OUTPUT}/bundle)
file(MAKE_DIRECTORY ${folder}/bin ${folder}/lib ${folder}/licenses)

set(CMAKE_GET_RUNTIME_DEPENDENCIES_PLATFORM linux+elf)
set(CMAKE_GET_RUNTIME_DEPENDENCIES_TOOL objdump)
file(GET_RUNTIME_DEPENDENCIES EXECUTABLES ${BINARY}
  RESOLVED_DEPENDENCIES_VAR libraries UNRESOLVED_DEPENDENCIES_VAR missing
  PRE_EXCLUDE_REGEXES "^ld-linux" "^lib(c|m|dl|pthread|rt|stdc\\+\\+|gcc_s)\\.so")
if(missing)
  message(FATAL_ERROR "libraries that cannot be found: ${missing}")
endif()
file(COPY ${BINARY} DESTINATION ${folder}/bin)
foreach(library IN LISTS libraries)
  get_filename_component(file ${library} NAME)
  file(REAL_PATH ${library} real)
  file(COPY_FILE ${real} ${folder}/lib/${file})
endforeach()
file(COPY ${SOURCE}/LICENSE ${OUTPUT}/README.md DESTINATION ${folder})
foreach(package ocl-icd-libopencl1 libsqlite3-0 libinih1 zlib1g)
  if(EXISTS /usr/share/doc/${package}/copyright)
    file(COPY_FILE /usr/share/doc/${package}/copyright ${folder}/licenses/${package})
  endif()
endforeach()
execute_process(COMMAND ${CMAKE_COMMAND} -E tar czf ${OUTPUT}/${name}.tar.gz ${name}
  WORKING_DIRECTORY ${OUTPUT}/bundle COMMAND_ERROR_IS_FATAL ANY)
message(STATUS "${OUTPUT}/${name}.tar.gz")
