# Makes of the installed files what Debian wants in a package. CPack runs it before it builds one.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
  return()
endif()
find_program(gzip gzip REQUIRED)
set(source ${CPACK_GRIDLOCK_SOURCE})
set(share ${CPACK_TEMPORARY_DIRECTORY}${CPACK_PACKAGING_INSTALL_PREFIX}/share)
set(doc ${share}/doc/gridlock)

function(compress)
  execute_process(COMMAND ${gzip} -9nf ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(STRINGS ${source}/packaging/debian/changelog newest LIMIT_COUNT 1)
set(version ${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})
if(NOT newest MATCHES "^gridlock \\(${version}\\) ")
  message(FATAL_ERROR "packaging/debian/changelog begins with \"${newest}\", but this is version ${version}")
endif()
file(COPY_FILE ${source}/packaging/debian/changelog ${doc}/changelog.Debian)
file(COPY_FILE ${source}/packaging/debian/copyright ${doc}/copyright)
file(CHMOD ${doc}/changelog.Debian ${doc}/copyright
  FILE_PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
file(GLOB pages ${share}/man/man?/*)
compress(${doc}/changelog.Debian ${pages})

# The copyright file says it.
file(REMOVE ${doc}/LICENSE)
# Debian's zsh looks for completions of packages elsewhere.
if(EXISTS ${share}/zsh/site-functions/_gridlock)
  file(MAKE_DIRECTORY ${share}/zsh/vendor-completions)
  file(RENAME ${share}/zsh/site-functions/_gridlock ${share}/zsh/vendor-completions/_gridlock)
  file(REMOVE_RECURSE ${share}/zsh/site-functions)
endif()
