tails <- function(p, q, a, ...) {
  args <- as.list(a$parameters)
  result <- list(log.cdf = do.call(p, c(list(a$x), args, log.p = TRUE)),
                 log.sf = do.call(p, c(list(a$x), args, lower.tail = FALSE, log.p = TRUE)))
  if (!is.null(a[["p"]])) result$quantile <- do.call(q, c(list(a[["p"]]), args))
  result
}
procedures$normal <- function(a) tails(pnorm, qnorm, a)
procedures$t <- function(a) tails(pt, qt, a)
procedures[["F"]] <- function(a) {
  a$p <- NULL # qf loses digits near 0; SciPy answers for quantiles
  tails(pf, qf, a)
}
procedures$chisquare <- function(a) tails(pchisq, qchisq, a)
procedures$beta <- function(a) tails(pbeta, qbeta, a)
procedures$binomial <- function(a) {
  p <- a$parameters
  list(pmf = dbinom(a$x, p[1], p[2]), cdf = pbinom(a$x, p[1], p[2]), sf = pbinom(a$x, p[1], p[2], lower.tail = FALSE))
}
procedures$hypergeometric <- function(a) {
  p <- a$parameters
  list(pmf = dhyper(a$x, p[1], p[2], p[3]), cdf = phyper(a$x, p[1], p[2], p[3]),
       sf = phyper(a$x, p[1], p[2], p[3], lower.tail = FALSE))
}
