// A report as Markdown (GitHub's tables). Pictures cannot be in it: their captions say what they
// would show, or, when `pictures` names a folder, they are linked as FOLDER/1.svg, FOLDER/2.svg, …
// and the caller writes them.
#pragma once

#include "stats/report/document/Document.h"

namespace imbrex::stats {

std::string markdownOf(const Document &document, const std::string &pictures = {});

} // namespace imbrex::stats
