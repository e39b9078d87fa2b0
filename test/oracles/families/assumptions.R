suppressMessages(library(car))

stacked <- function(a) data.frame(v = unlist(a$groups), g = factor(rep(seq_along(a$groups), lengths(a$groups))))
procedures$shapiro_wilk <- function(a) {
  test <- shapiro.test(a$x)
  list(W = unname(test$statistic), p = test$p.value)
}
procedures$levene <- function(a) {
  d <- stacked(a)
  table <- switch(a$centre, mean = leveneTest(d$v, d$g, center = mean), median = leveneTest(d$v, d$g),
                  trimmed = leveneTest(d$v, d$g, center = mean, trim = 0.1))
  list(F = table[["F value"]][1], p = table[["Pr(>F)"]][1], df0 = table$Df[1], df1 = table$Df[2])
}
procedures$bartlett <- function(a) {
  test <- bartlett.test(v ~ g, stacked(a))
  list("K squared" = unname(test$statistic), p = test$p.value, df0 = unname(test$parameter))
}
procedures$fligner_killeen <- function(a) {
  test <- fligner.test(v ~ g, stacked(a))
  list("chi-square" = unname(test$statistic), p = test$p.value, df0 = unname(test$parameter))
}
