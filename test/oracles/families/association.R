three <- function(test) list(p = test("two.sided")$p.value, p.less = test("less")$p.value, p.greater = test("greater")$p.value)

procedures$pearson <- function(a) {
  test <- cor.test(a$x, a$y)
  c(list(r = unname(test$estimate), t = unname(test$statistic), df0 = unname(test$parameter),
         ci.low = test$conf.int[1], ci.high = test$conf.int[2]),
    three(function(alt) cor.test(a$x, a$y, alternative = alt)))
}
procedures$pointbiserial <- function(a) {
  x <- c(rep(0, length(a$x)), rep(1, length(a$y)))
  test <- cor.test(x, c(a$x, a$y))
  list(r = unname(test$estimate), t = unname(test$statistic), p = test$p.value, ci.low = test$conf.int[1])
}
procedures$partial <- function(a) {
  z <- do.call(cbind, a$z)
  r <- cor(residuals(lm(a$x ~ z)), residuals(lm(a$y ~ z)))
  df <- length(a$x) - 2 - ncol(z)
  t <- r * sqrt(df / (1 - r^2))
  list(r = r, t = t, df0 = df, p = 2 * pt(-abs(t), df))
}
procedures$spearman <- function(a) {
  test <- function(alt) suppressWarnings(cor.test(a$x, a$y, method = "spearman", alternative = alt))
  both <- test("two.sided")
  c(list(rho = unname(both$estimate), S = unname(both$statistic)), three(test))
}
procedures$kendall <- function(a) {
  test <- function(alt) suppressWarnings(cor.test(a$x, a$y, method = "kendall", alternative = alt, continuity = a$continuity))
  both <- test("two.sided")
  c(list(tau = unname(both$estimate)), three(test))
}
