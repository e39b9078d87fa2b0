suppressMessages({library(coin); library(exactRankTests)})

three <- function(test, name) {
  both <- test("two.sided")
  list(p = both$p.value, p.less = test("less")$p.value, p.greater = test("greater")$p.value)
}
t_answer <- function(test) {
  both <- test("two.sided")
  c(list(t = unname(both$statistic), df0 = unname(both$parameter), ci.low = both$conf.int[1], ci.high = both$conf.int[2]),
    three(test))
}
procedures$one_sample_t <- function(a) t_answer(function(alt) t.test(a$x, mu = a$mu, alternative = alt))
procedures$students_t <- function(a) t_answer(function(alt) t.test(a$x, a$y, var.equal = TRUE, alternative = alt))
procedures$welchs_t <- function(a) t_answer(function(alt) t.test(a$x, a$y, alternative = alt))
procedures$paired_students_t <- function(a) t_answer(function(alt) t.test(a$x, a$y, paired = TRUE, alternative = alt))

procedures$mannwhitney <- function(a) {
  test <- function(alt) wilcox.test(a$x, a$y, alternative = alt)
  c(list(U = unname(test("two.sided")$statistic)), three(test))
}
procedures$mannwhitney_interval <- function(a) {
  test <- wilcox.test(a$x, a$y, exact = TRUE, conf.int = TRUE)
  list(U = unname(test$statistic), p = test$p.value, estimate = unname(test$estimate),
       ci.low = test$conf.int[1], ci.high = test$conf.int[2])
}
procedures$mannwhitney_loose <- function(a) {
  test <- wilcox.test(a$x, a$y, exact = FALSE, conf.int = TRUE)
  result <- list(U = unname(test$statistic), p = test$p.value)
  # Its ends are good to about 1e-4, which says nothing about one that is 0.
  if (abs(test$conf.int[1]) > 0.05) result$ci.low <- test$conf.int[1]
  if (abs(test$conf.int[2]) > 0.05) result$ci.high <- test$conf.int[2]
  result
}
two_groups <- function(a) data.frame(v = c(a$x, a$y), g = factor(rep(c("x", "y"), c(length(a$x), length(a$y)))))
procedures$mannwhitney_coin <- function(a) {
  d <- two_groups(a)
  test <- function(alt) list(p.value = as.numeric(pvalue(wilcox_test(v ~ g, d, distribution = "exact", alternative = alt))))
  three(test)
}
procedures$mannwhitney_exact <- function(a) {
  test <- function(alt) wilcox.exact(a$x, a$y, exact = TRUE, alternative = alt)
  # Its two-sided value sometimes leaves out sums exactly as far on the other side; coin's does not.
  list(U = unname(test("two.sided")$statistic), p.less = test("less")$p.value, p.greater = test("greater")$p.value)
}
procedures$wilcoxon <- function(a) {
  test <- function(alt) wilcox.test(a$x, a$y, paired = TRUE, alternative = alt)
  c(list(V = unname(test("two.sided")$statistic)), three(test))
}
procedures$wilcoxon_exact <- function(a) {
  test <- function(alt) wilcox.exact(a$x, a$y, paired = TRUE, exact = TRUE, alternative = alt)
  c(list(V = unname(test("two.sided")$statistic)), three(test))
}
procedures$wilcoxon_coin <- function(a) {
  d <- data.frame(x = a$x, y = a$y)
  test <- function(alt) list(p.value = as.numeric(pvalue(wilcoxsign_test(x ~ y, d, distribution = "exact", zero.method = "Pratt", alternative = alt))))
  three(test)
}
procedures$one_sample_wilcoxon <- function(a) {
  test <- wilcox.test(a$x, exact = TRUE, conf.int = TRUE)
  list(V = unname(test$statistic), p = test$p.value, estimate = unname(test$estimate),
       ci.low = test$conf.int[1], ci.high = test$conf.int[2])
}
procedures$one_sample_wilcoxon_default <- function(a) {
  test <- function(alt) wilcox.test(a$x, alternative = alt)
  c(list(V = unname(test("two.sided")$statistic)), three(test))
}
