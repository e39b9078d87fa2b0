table_of <- function(a) matrix(a$counts, nrow = a$rows, byrow = TRUE)

procedures$chi_square <- function(a) {
  test <- chisq.test(table_of(a), correct = a$yates == "capped")
  plain <- chisq.test(table_of(a), correct = FALSE)
  result <- list(unname(test$statistic), unname(test$parameter), test$p.value,
                 sqrt(unname(plain$statistic) / (sum(a$counts) * (min(a$rows, a$columns) - 1))))
  setNames(result, c("chi-square", "df0", "p", "effect.Cramer's V"))
}
procedures$goodness_of_fit <- function(a) {
  test <- chisq.test(a$counts, p = a$proportions)
  setNames(list(unname(test$statistic), unname(test$parameter), test$p.value), c("chi-square", "df0", "p"))
}
procedures$fisher <- function(a) {
  test <- function(alt) fisher.test(table_of(a), alternative = alt)
  list(p = test("two.sided")$p.value, p.less = test("less")$p.value, p.greater = test("greater")$p.value)
}
procedures$fisher_table <- function(a) list(p = fisher.test(table_of(a), workspace = 2e7)$p.value)
procedures$mcnemar <- function(a) {
  if (a$method == "exact") {
    test <- function(alt) binom.test(a$counts[2], a$counts[2] + a$counts[3], alternative = alt)$p.value
    return(list(p = test("two.sided"), p.less = test("less"), p.greater = test("greater")))
  }
  test <- mcnemar.test(table_of(a), correct = a$method == "corrected")
  setNames(list(unname(test$statistic), test$p.value), c("chi-square", "p"))
}
procedures$binomial <- function(a) {
  test <- function(alt) binom.test(a$successes, a$trials, a$proportion, alternative = alt)
  both <- test("two.sided")
  list(p = both$p.value, p.less = test("less")$p.value, p.greater = test("greater")$p.value,
       ci.low = both$conf.int[1], ci.high = both$conf.int[2])
}
