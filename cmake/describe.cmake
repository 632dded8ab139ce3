# Writes what the program says of itself: manual pages into FOLDER/man1, and completions into FOLDER.
# PROGRAM is a gridlock that runs on this machine; CHANGELOG has the date of the version.

# The newest entry ends with " -- NAME <ADDRESS>  Fri, 21 Nov 2025 12:00:00 +0000".
file(STRINGS ${CHANGELOG} signed REGEX "^ -- .*>  " LIMIT_COUNT 1)
if(NOT signed MATCHES ">  [A-Z][a-z][a-z], ([0-9][0-9]) ([A-Z][a-z][a-z]) ([0-9][0-9][0-9][0-9]) ")
  message(FATAL_ERROR "${CHANGELOG}: the date of the newest entry cannot be read")
endif()
set(day ${CMAKE_MATCH_1})
set(year ${CMAKE_MATCH_3})
set(months Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec)
list(FIND months ${CMAKE_MATCH_2} month)
math(EXPR month "${month} + 1")
if(month LESS 10)
  set(month 0${month})
endif()

# describe FILE ARGUMENT...
function(describe file)
  execute_process(COMMAND ${PROGRAM} describe --date=${year}-${month}-${day} ${ARGN}
    OUTPUT_FILE ${FOLDER}/${file} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER}/man1)
execute_process(COMMAND ${PROGRAM} describe names OUTPUT_VARIABLE commands COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[^\n]+" commands "${commands}")
describe(man1/gridlock.1 man)
foreach(command IN LISTS commands)
  describe(man1/gridlock-${command}.1 man ${command})
endforeach()
describe(gridlock.bash bash)
describe(_gridlock zsh)
describe(gridlock.fish fish)
