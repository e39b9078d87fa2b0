// A report as one HTML page that needs nothing else: style and pictures are in it, no script, no
// request.
#pragma once

#include "stats/report/document/Document.h"

namespace imbrex::stats {

std::string htmlOf(const Document &document);

} // namespace imbrex::stats
