# Writes manual pages into FOLDER/man1 and FOLDER/man7, what the manual says of commands and words into FOLDER/manual,
# and the schema of stored facts into FOLDER: PROGRAM, a gridlock that runs on this machine, fills the templates in PACKAGING/manual. PROJECT_VERSION
# is its version; PACKAGING/debian/changelog has the date of that.
cmake_minimum_required(VERSION 3.25)

# The newest entry ends with " -- NAME <ADDRESS>  Fri, 21 Nov 2025 12:00:00 +0000".
file(STRINGS ${PACKAGING}/debian/changelog signed REGEX "^ -- .*>  " LIMIT_COUNT 1)
if(NOT signed MATCHES ">  [A-Z][a-z][a-z], ([0-9][0-9]) ([A-Z][a-z][a-z]) ([0-9][0-9][0-9][0-9]) ")
  message(FATAL_ERROR "${PACKAGING}/debian/changelog: the date of the newest entry cannot be read")
endif()
set(months Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec)
list(FIND months ${CMAKE_MATCH_2} month)
math(EXPR month "${month} + 101")
string(SUBSTRING ${month} 1 2 month)
set(date ${CMAKE_MATCH_3}-${month}-${CMAKE_MATCH_1})

foreach(part files environment examples)
  file(READ ${PACKAGING}/manual/${part} ${part})
  string(STRIP "${${part}}" ${part})
endforeach()

function(describe template page name)
  string(TOUPPER "${name}" NAME)
  configure_file(${PACKAGING}/manual/${template} ${FOLDER}/template @ONLY)
  execute_process(COMMAND ${PROGRAM} describe ${name} INPUT_FILE ${FOLDER}/template OUTPUT_FILE ${FOLDER}/${page}
                  COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER}/man1 ${FOLDER}/man7 ${FOLDER}/manual)
describe(gridlock.1 man1/gridlock.1 "")
describe(gridlock.7 man7/gridlock.7 "")
describe(commands.rst manual/commands.rst rst)
describe(words.rst manual/words.rst rst)
execute_process(COMMAND ${PROGRAM} complete OUTPUT_VARIABLE commands COMMAND_ERROR_IS_FATAL ANY)
string(REGEX REPLACE "\nhelp\t.*" "" commands "${commands}")
string(REGEX MATCHALL "\n[a-z]+" commands "${commands}")
string(REPLACE "\n" "" commands "${commands}")
foreach(name IN LISTS commands)
  describe(command.1 man1/gridlock-${name}.1 ${name})
endforeach()
file(REMOVE ${FOLDER}/template)
execute_process(COMMAND ${PROGRAM} describe json OUTPUT_FILE ${FOLDER}/facts.schema.json COMMAND_ERROR_IS_FATAL ANY)
