long <- function(a) {
  groups <- a$groups
  list(y = unlist(groups), g = factor(rep(seq_along(groups), lengths(groups))), pairs = combn(length(groups), 2))
}
# One number for each pair, under the driver's keys.
pairs_as <- function(d, p, name = "p") {
  keys <- paste0("comparisons/", d$pairs[1, ], " - ", d$pairs[2, ], "/", name)
  setNames(as.list(unname(p)), keys)
}
of_matrix <- function(m, pairs) m[cbind(pairs[2, ] - 1, pairs[1, ])]

procedures$adjust <- function(a) {
  p <- suppressWarnings(as.numeric(unlist(a$p)))
  setNames(as.list(p.adjust(p, a$method)), paste0("p", seq_along(p) - 1))
}
procedures$pairwise_t <- function(a) {
  d <- long(a)
  pairs_as(d, of_matrix(pairwise.t.test(d$y, d$g, p.adjust.method = a$method)$p.value, d$pairs))
}
procedures$pairwise_welch <- function(a) {
  d <- long(a)
  pairs_as(d, of_matrix(pairwise.t.test(d$y, d$g, pool.sd = FALSE, p.adjust.method = a$method)$p.value, d$pairs))
}
procedures$pairwise_paired_t <- function(a) {
  d <- long(a)
  pairs_as(d, of_matrix(pairwise.t.test(d$y, d$g, paired = TRUE, p.adjust.method = a$method)$p.value, d$pairs))
}
procedures$tukey_hsd <- function(a) {
  d <- long(a)
  t <- TukeyHSD(aov(y ~ g, data.frame(y = d$y, g = d$g)))$g
  rows <- paste0(d$pairs[2, ], "-", d$pairs[1, ])
  c(pairs_as(d, t[rows, "p adj"]), pairs_as(d, -t[rows, "diff"], "estimate"),
    pairs_as(d, -t[rows, "upr"], "ci.low"), pairs_as(d, -t[rows, "lwr"], "ci.high"))
}
ranked <- function(d) {
  r <- rank(d$y)
  n <- tabulate(d$g)
  i <- d$pairs[1, ]; j <- d$pairs[2, ]
  mean_rank <- tapply(r, d$g, mean)
  list(difference = (mean_rank[i] - mean_rank[j]), error = sqrt(var(r) * (1 / n[i] + 1 / n[j])))
}
procedures$dunn <- function(a) {
  d <- long(a); r <- ranked(d)
  z <- r$difference / r$error
  c(pairs_as(d, z, "z"), pairs_as(d, p.adjust(2 * pnorm(-abs(z)), a$method)))
}
procedures$conover <- function(a) {
  d <- long(a); r <- ranked(d)
  h <- unname(kruskal.test(d$y, d$g)$statistic); n <- length(d$y); df <- n - length(a$groups)
  t <- r$difference / (r$error * sqrt((n - 1 - h) / df))
  c(pairs_as(d, t, "t"), pairs_as(d, p.adjust(2 * pt(-abs(t), df), a$method)))
}
procedures$conover_blocks <- function(a) {
  m <- do.call(cbind, a$groups); d <- long(a)
  r <- t(apply(m, 1, rank)); b <- nrow(m); k <- ncol(m); s <- colSums(r)
  t <- (s[d$pairs[1, ]] - s[d$pairs[2, ]]) / sqrt(2 * (b * sum(r^2) - sum(s^2)) / ((b - 1) * (k - 1)))
  c(pairs_as(d, t, "t"), pairs_as(d, p.adjust(2 * pt(-abs(t), (b - 1) * (k - 1)), a$method)))
}
procedures$games_howell <- function(a) {
  d <- long(a); g <- a$groups; i <- d$pairs[1, ]; j <- d$pairs[2, ]
  n <- lengths(g); m <- sapply(g, mean); v <- sapply(g, var) / n
  df <- (v[i] + v[j])^2 / (v[i]^2 / (n[i] - 1) + v[j]^2 / (n[j] - 1))
  pairs_as(d, ptukey(abs(m[i] - m[j]) / sqrt((v[i] + v[j]) / 2), length(g), df, lower.tail = FALSE))
}
procedures$nemenyi <- function(a) {
  d <- long(a); r <- ranked(d)
  pairs_as(d, ptukey(sqrt(2) * abs(r$difference / r$error), length(a$groups), Inf, lower.tail = FALSE))
}
procedures$nemenyi_blocks <- function(a) {
  m <- do.call(cbind, a$groups); d <- long(a); k <- ncol(m)
  r <- colMeans(t(apply(m, 1, rank)))
  q <- sqrt(2) * abs(r[d$pairs[1, ]] - r[d$pairs[2, ]]) / sqrt(k * (k + 1) / (6 * nrow(m)))
  pairs_as(d, ptukey(q, k, Inf, lower.tail = FALSE))
}
