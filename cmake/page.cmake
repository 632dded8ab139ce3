# Writes OUTPUT, the page of a run without its data: FOLDER/page.html with page.css and page.js put into it. The page
# allows these two alone, by their SHA-256 in Base64.
cmake_minimum_required(VERSION 3.25)

function(base64 variable hex)
  set(digits ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/)
  set(result "")
  # 32 bytes are ten times three, and two.
  foreach(at RANGE 0 60 6)
    string(SUBSTRING "${hex}0000" ${at} 6 three)
    foreach(shift 18 12 6 0)
      math(EXPR digit "(0x${three} >> ${shift}) & 63")
      string(SUBSTRING "${digits}" ${digit} 1 digit)
      string(APPEND result "${digit}")
    endforeach()
  endforeach()
  string(SUBSTRING "${result}" 0 43 result)
  set(${variable} "${result}=" PARENT_SCOPE)
endfunction()

# What file(READ) and a list would change is none of these: brackets and semicolons stay in strings.
foreach(part css js)
  file(READ ${FOLDER}/page.${part} ${part})
  file(SHA256 ${FOLDER}/page.${part} hash)
  base64(${part}_hash ${hash})
endforeach()
file(READ ${FOLDER}/page.html page)
foreach(part css_hash js_hash css js)
  string(REPLACE "@${part}@" "${${part}}" page "${page}")
endforeach()
file(WRITE ${OUTPUT} "${page}")
