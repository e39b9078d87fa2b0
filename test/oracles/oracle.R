# Answers requests of check.py with R. Usage: Rscript oracle.R families/x.R < requests.jsonl > answers.jsonl
# A family file adds functions to `procedures`; each takes the arguments and returns a named list of numbers under the
# keys of the driver. An error becomes {"error": …}.
suppressWarnings(suppressMessages(library(jsonlite)))
options(warn = -1, contrasts = c("contr.sum", "contr.poly"))
procedures <- list()
source(commandArgs(trailingOnly = TRUE)[1])

number <- function(x) if (is.na(x)) '"nan"' else if (is.infinite(x)) (if (x > 0) '"inf"' else '"-inf"') else sprintf("%.17g", x)
lines <- readLines(file("stdin"))
for (line in lines) {
  request <- fromJSON(line, simplifyVector = TRUE, simplifyDataFrame = FALSE, simplifyMatrix = FALSE)
  reply <- tryCatch(suppressMessages(procedures[[request$procedure]](request$arguments)),
                    error = function(e) list(error = conditionMessage(e)))
  if (!is.null(reply$error)) {
    cat(toJSON(list(error = reply$error), auto_unbox = TRUE), "\n", sep = "")
  } else {
    cat("{", paste0('"', names(reply), '": ', vapply(reply, number, ""), collapse = ", "), "}\n", sep = "")
  }
}
