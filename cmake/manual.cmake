# Writes OUTPUT, the manual as one page: the chapters in FOLDER in the order of their list in README.rst, and then COMMANDS
# and WORDS, which describe.cmake has written. RST2HTML is docutils' program, STYLES are the sheets that the page carries.
cmake_minimum_required(VERSION 3.25)

file(STRINGS ${FOLDER}/README.rst listed REGEX "^- `.*<.*[.]rst>`__")
set(parts "")
foreach(line IN LISTS listed)
  string(REGEX REPLACE "^.*<(.*[.]rst)>.*$" "${FOLDER}/\\1" part "${line}")
  list(APPEND parts ${part})
endforeach()
list(APPEND parts ${COMMANDS} ${WORDS})

set(text ".. include:: ${FOLDER}/README.rst\n\n.. contents::\n    :depth: 2\n    :backlinks: none\n\n")
foreach(part IN LISTS parts)
  string(APPEND text ".. include:: ${part}\n\n")
endforeach()
file(WRITE ${OUTPUT}.rst "${text}")
string(REPLACE ";" "," styles "${STYLES}")
execute_process(
  COMMAND ${RST2HTML} --halt=warning --smart-quotes=no --syntax-highlight=none --strip-comments
          --stylesheet=${styles} ${OUTPUT}.rst ${OUTPUT}
  COMMAND_ERROR_IS_FATAL ANY)

# The page carries its picture.
file(READ ${OUTPUT} page)
file(READ ${FOLDER}/../results/cliff.svg picture)
foreach(character "%=%25" "\"=%22" "#=%23" "<=%3C" ">=%3E" "\n=")
  string(SUBSTRING "${character}" 0 1 from)
  string(SUBSTRING "${character}" 2 -1 to)
  string(REPLACE "${from}" "${to}" picture "${picture}")
endforeach()
string(REPLACE "src=\"../results/cliff.svg\"" "src=\"data:image/svg+xml,${picture}\"" page "${page}")

# Chapters are on this page, and other documents where they are installed.
string(REGEX REPLACE "href=\"[a-z-]+[.]rst#" "href=\"#" page "${page}")
string(REGEX REPLACE "href=\"([a-z-]+)[.]rst\"" "href=\"#\\1\"" page "${page}")
string(REPLACE "href=\"../scenarios/" "href=\"examples/scenarios/" page "${page}")
string(REPLACE "href=\"../" "href=\"" page "${page}")
file(WRITE ${OUTPUT} "${page}")
