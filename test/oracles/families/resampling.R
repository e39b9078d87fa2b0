suppressMessages({library(coin); library(exactRankTests)})

procedures$permutation <- function(a) {
  d <- data.frame(v = c(a$x, a$y), g = factor(rep(c("x", "y"), c(length(a$x), length(a$y)))))
  test <- function(alt) as.numeric(pvalue(oneway_test(v ~ g, d, distribution = "exact", alternative = alt)))
  list(p = test("two.sided"), p.less = test("less"), p.greater = test("greater"))
}
