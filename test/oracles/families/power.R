sides <- function(a, beyond) {
  # Power of a statistic by its noncentral distribution: beyond(tail, sign).
  if (a$alternative == "two-sided") beyond(a$alpha / 2, 1) + beyond(a$alpha / 2, -1)
  else beyond(a$alpha, if (a$alternative == "greater") 1 else -1)
}
of_t <- function(a, delta, df) sides(a, function(tail, sign) pt(qt(tail, df, lower.tail = FALSE), df, sign * delta, lower.tail = FALSE))

procedures$power_t1 <- function(a) list(power = of_t(a, a$d * sqrt(a$n), a$n - 1))
procedures$power_t2 <- function(a) list(power = of_t(a, a$d / sqrt(1 / a$n + 1 / a$m), a$n + a$m - 2))
procedures$power_anova <- function(a) {
  df2 <- a$k * (a$n - 1)
  list(power = pf(qf(a$alpha, a$k - 1, df2, lower.tail = FALSE), a$k - 1, df2, a$f^2 * a$n * a$k, lower.tail = FALSE))
}
procedures$power_chisq <- function(a)
  list(power = pchisq(qchisq(a$alpha, a$df, lower.tail = FALSE), a$df, a$w^2 * a$n, lower.tail = FALSE))
procedures$power_proportions <- function(a) {
  h <- 2 * asin(sqrt(a$p1)) - 2 * asin(sqrt(a$p2)); delta <- h / sqrt(1 / a$n + 1 / a$m)
  list(power = sides(a, function(tail, sign) pnorm(qnorm(tail, lower.tail = FALSE) - sign * delta, lower.tail = FALSE)))
}
procedures$power_r <- function(a) {
  list(power = sides(a, function(tail, sign) {
    t <- qt(tail, a$n - 2, lower.tail = FALSE); critical <- t / sqrt(t^2 + a$n - 2)
    z <- atanh(sign * a$r) + sign * a$r / (2 * (a$n - 1))
    pnorm((z - atanh(critical)) * sqrt(a$n - 3))
  }))
}
procedures$size_t2 <- function(a)
  list(power = power.t.test(delta = a$d, sig.level = a$alpha, power = a$power, strict = TRUE, tol = 1e-13)$n)
