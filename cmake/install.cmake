# What `cmake --install` puts where, and packages.
include(GNUInstallDirs)

set(GRIDLOCK_DESCRIBE "" CACHE FILEPATH
    "A gridlock of this version that runs here, to write manual pages in a cross build")
set(GRIDLOCK_ZSH_DIR ${CMAKE_INSTALL_DATADIR}/zsh/site-functions CACHE STRING "Where zsh looks for completions")

install(TARGETS gridlock RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS door LIBRARY DESTINATION lib/gridlock) # from bin, src/watch/started.c finds it there
# Where it is installed the README stands alone: its picture is not there, and its links would lead nowhere.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS README.md)
file(READ README.md readme)
string(REGEX REPLACE "!\\[[^]]*\\]\\([^)]*\\)\n\n" "" readme "${readme}")
string(REGEX REPLACE "\\[([^]]*)\\]\\([^)]*\\)" "\\1" readme "${readme}")
file(WRITE ${CMAKE_BINARY_DIR}/README.md "${readme}")
install(FILES ${CMAKE_BINARY_DIR}/README.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES ${scenarios} scenarios/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples/scenarios)
file(GLOB schemas CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/format/schemas/*.json)
install(FILES ${schemas} DESTINATION ${CMAKE_INSTALL_DATADIR}/gridlock/schemas)
install(FILES ${kernels} DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples/kernels)
install(DIRECTORY examples/relax examples/ports DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples)
install(FILES packaging/completion/gridlock.bash RENAME gridlock
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES packaging/completion/_gridlock DESTINATION ${GRIDLOCK_ZSH_DIR})
install(FILES packaging/completion/gridlock.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

# Manual pages say what the program says of itself. A cross build cannot run what it has built.
set(described ${CMAKE_BINARY_DIR}/described)
set(describe_program ${GRIDLOCK_DESCRIBE})
if(NOT describe_program AND (NOT CMAKE_CROSSCOMPILING OR CMAKE_CROSSCOMPILING_EMULATOR))
  set(describe_program ${CMAKE_CROSSCOMPILING_EMULATOR} $<TARGET_FILE:gridlock>)
endif()
if(describe_program)
  file(GLOB manual CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/packaging/manual/*)
  add_custom_command(
    OUTPUT ${described}.stamp
    COMMAND ${CMAKE_COMMAND} "-DPROGRAM=${describe_program}" -DFOLDER=${described}
            -DPACKAGING=${CMAKE_SOURCE_DIR}/packaging -DPROJECT_VERSION=${PROJECT_VERSION}
            -P ${CMAKE_SOURCE_DIR}/cmake/describe.cmake
    COMMAND ${CMAKE_COMMAND} -E touch ${described}.stamp
    DEPENDS gridlock ${manual} packaging/debian/changelog cmake/describe.cmake
    VERBATIM)
  install(FILES ${described}/facts.schema.json DESTINATION ${CMAKE_INSTALL_DATADIR}/gridlock/schemas)
  install(DIRECTORY ${described}/man1 ${described}/man7 DESTINATION ${CMAKE_INSTALL_MANDIR})
else()
  message(STATUS "Cross build: without GRIDLOCK_DESCRIBE there are no manual pages, no manual, and no schema of facts")
endif()

# The manual is a page for a browser, made with docutils of the same. Without docutils its text is installed.
find_program(GRIDLOCK_RST2HTML NAMES rst2html5 rst2html5.py DOC "rst2html5 of docutils, to make the manual")
if(describe_program AND GRIDLOCK_RST2HTML)
  file(GLOB chapters CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/manual/*)
  set(manual_page ${CMAKE_BINARY_DIR}/manual.html)
  add_custom_command(
    OUTPUT ${manual_page}
    COMMAND ${CMAKE_COMMAND} -DRST2HTML=${GRIDLOCK_RST2HTML} -DFOLDER=${CMAKE_SOURCE_DIR}/manual
            -DCOMMANDS=${described}/manual/commands.rst -DWORDS=${described}/manual/words.rst
            "-DSTYLES=${page}/page.css;${CMAKE_SOURCE_DIR}/manual/manual.css" -DOUTPUT=${manual_page}
            -P ${CMAKE_SOURCE_DIR}/cmake/manual.cmake
    DEPENDS ${described}.stamp ${chapters} ${page}/page.css results/cliff.svg cmake/manual.cmake
    VERBATIM)
  install(FILES ${manual_page} DESTINATION ${CMAKE_INSTALL_DOCDIR})
elseif(describe_program)
  message(STATUS "Without rst2html5 (Debian: python3-docutils) the manual is installed as text, and not as a page")
  install(DIRECTORY manual ${described}/manual DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.rst")
endif()
if(describe_program)
  add_custom_target(described ALL DEPENDS ${described}.stamp ${manual_page})
endif()

# A Debian package: `cmake --build build --target package`.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME gridlock)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "gridlock developers <gridlock@example.org>")
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_SOURCE_DIR}/cmake/debian.cmake)
set(CPACK_GRIDLOCK_SOURCE ${CMAKE_SOURCE_DIR})
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "ocl-icd-libopencl1 | libopencl1, pocl-opencl-icd | opencl-icd, clang")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS graphviz)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "stress tester for OpenCL work-groups that wait for each other")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"OpenCL promises nothing about work-groups that wait for each other: they may
do so only while all of them are resident, and no query tells how many that
are. A kernel with a global barrier, a spin lock or a work queue hangs as soon
as one group too many is launched.

gridlock measures how many groups a device holds, sweeps barriers, locks,
reductions and other idioms over group counts below, at and above that, and
tells for each up to which count it is safe, and which group waited for which
where it was not. Kernels that stall are ended.")
include(CPack)
