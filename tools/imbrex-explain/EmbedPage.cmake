# Writes OUT, a header with the text of each file of DIR under its name.
set(text "// Written by the build from tools/imbrex-explain/page.\n#pragma once\n\n#include <string_view>\n\n")
string(APPEND text "namespace imbrex::tools::page {\n\n")
foreach(pair page:page.html style:page.css layout:layout.js model:model.js graph:graph.js tables:tables.js
             memory:memory.js main:main.js)
  string(REPLACE ":" ";" parts ${pair})
  list(GET parts 0 name)
  list(GET parts 1 file)
  file(READ ${DIR}/${file} content)
  string(APPEND text "inline constexpr std::string_view ${name} = R\"page(${content})page\";\n\n")
endforeach()
string(APPEND text "} // namespace imbrex::tools::page\n")
file(WRITE ${OUT} "${text}")
