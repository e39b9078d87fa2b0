suppressMessages(library(car))

stacked <- function(a) data.frame(v = unlist(a$groups), g = factor(rep(seq_along(a$groups), lengths(a$groups))))
procedures$f_test <- function(a) {
  table <- anova(lm(v ~ g, stacked(a)))
  list(F = table$F[1], df0 = table$Df[1], df1 = table$Df[2], p = table[["Pr(>F)"]][1],
       "analysis of variance/between/sum of squares" = table[["Sum Sq"]][1],
       "analysis of variance/within/sum of squares" = table[["Sum Sq"]][2])
}
procedures$welch_anova <- function(a) {
  test <- oneway.test(v ~ g, stacked(a))
  list(F = unname(test$statistic), df0 = unname(test$parameter[1]), df1 = unname(test$parameter[2]), p = test$p.value)
}
procedures$kruskall_wallis <- function(a) {
  test <- kruskal.test(v ~ g, stacked(a))
  list(H = unname(test$statistic), df0 = unname(test$parameter), p = test$p.value)
}
procedures$friedman <- function(a) {
  test <- friedman.test(do.call(cbind, a$conditions))
  list(Q = unname(test$statistic), df0 = unname(test$parameter), p = test$p.value)
}

frame_of <- function(a) {
  d <- data.frame(y = a$y)
  for (f in a$factors) d[[f$name]] <- factor(f$codes, levels = seq_len(f$levels) - 1)
  for (x in a$covariates) d[[x$name]] <- x$values
  d
}
names_of <- function(items) vapply(items, function(f) f$name, "")
table_of <- function(model, type) if (type == 1) anova(model) else Anova(model, type = type)
# Rows of the driver's table; R sorts interactions by order too.
rows <- function(table) {
  result <- list()
  for (term in setdiff(rownames(table), c("(Intercept)", "Residuals"))) {
    key <- paste0("analysis of variance/", term, "/")
    result[[paste0(key, "sum of squares")]] <- table[term, "Sum Sq"]
    result[[paste0(key, "df")]] <- table[term, "Df"]
    result[[paste0(key, "F")]] <- table[term, grep("^F", colnames(table))]
    result[[paste0(key, "p")]] <- table[term, "Pr(>F)"]
  }
  result
}
# lambda / (lambda + n) at both limits of the noncentrality (Steiger 2004).
share_limits <- function(f, df1, df2, n) {
  limit <- function(p) {
    if (pf(f, df1, df2) < p) return(0)
    lambda <- uniroot(function(l) pf(f, df1, df2, ncp = l) - p, c(0, 1), extendInt = "downX", tol = 1e-13)$root
    lambda / (lambda + n)
  }
  c(limit(0.975), limit(0.025))
}
procedures$factorial <- function(a) {
  model <- lm(as.formula(paste("y ~", paste(names_of(a$factors), collapse = "*"))), frame_of(a))
  table <- table_of(model, a$type)
  result <- rows(table)
  n <- nobs(model); error <- deviance(model) / df.residual(model)
  for (term in setdiff(rownames(table), c("(Intercept)", "Residuals"))) {
    key <- paste0("analysis of variance/", term, "/effect.partial ")
    ss <- table[term, "Sum Sq"]; df <- table[term, "Df"]
    result[[paste0(key, "eta squared")]] <- ss / (ss + deviance(model))
    result[[paste0(key, "omega squared")]] <- (ss - df * error) / (ss + (n - df) * error)
    limits <- share_limits(ss / df / error, df, df.residual(model), n)
    result[[paste0(key, "eta squared.low")]] <- limits[1]
    result[[paste0(key, "eta squared.high")]] <- limits[2]
  }
  result
}
# Differences of predictions for all cells, covariates at their means: rows "la - lb", or "la - lb at lc, ld".
compared <- function(a, simple) {
  d <- frame_of(a)
  factors <- names_of(a$factors)
  right <- paste(c(names_of(a$covariates), paste(factors, collapse = "*")), collapse = "+")
  model <- lm(as.formula(paste("y ~", right)), d)
  if (df.residual(model) == 0) stop("no residuals")
  cells <- rev(expand.grid(rev(lapply(d[factors], levels)), stringsAsFactors = TRUE))
  for (f in factors) cells[[f]] <- factor(cells[[f]], levels(d[[f]]))
  names(cells) <- factors
  for (x in a$covariates) cells[[x$name]] <- mean(x$values)
  x <- model.matrix(delete.response(terms(model)), cells)
  place <- if (length(factors) > 1) do.call(paste, c(lapply(factors[-1], function(f) paste0("l", cells[[f]])), sep = ", ")) else ""
  if (!simple) place <- rep("", nrow(cells))
  out <- list(); raw <- c(); t <- c(); keys <- c()
  k <- nlevels(d[[factors[1]]])
  for (at in unique(place)) for (i in 1:(k - 1)) for (j in (i + 1):k) {
    of <- function(l) colMeans(x[place == at & as.integer(cells[[factors[1]]]) == l, , drop = FALSE])
    contrast <- of(i) - of(j)
    difference <- sum(contrast * coef(model))
    t <- c(t, difference / sqrt(c(contrast %*% vcov(model) %*% contrast)))
    key <- paste0("comparisons/l", i - 1, " - l", j - 1, if (at == "" || !simple) "" else paste(" at", at), "/")
    keys <- c(keys, key)
    out[[paste0(key, "estimate")]] <- difference
    out[[paste0(key, "effect.Cohen's d")]] <- difference / sigma(model)
  }
  df <- df.residual(model)
  if (!simple && df < 5) stop("ptukey is rough on so few degrees of freedom")
  p <- if (simple) p.adjust(2 * pt(-abs(t), df), "holm") else ptukey(abs(t) * sqrt(2), k, df, lower.tail = FALSE)
  for (i in seq_along(keys)) {
    out[[paste0(keys[i], "t")]] <- t[i]
    if (simple || p[i] > 1e-3) out[[paste0(keys[i], "p")]] <- p[i] # ptukey has few digits of smaller ones
  }
  out
}
procedures$marginal_means <- function(a) compared(a, FALSE)
procedures$simple_effects <- function(a) compared(a, TRUE)
procedures$ancova <- function(a) {
  covariates <- paste(names_of(a$covariates), collapse = "+")
  factors <- paste(names_of(a$factors), collapse = "*")
  d <- frame_of(a)
  model <- lm(as.formula(paste("y ~", covariates, "+", factors)), d)
  if (df.residual(model) == 0) stop("no residuals")
  result <- rows(table_of(model, a$type))
  slopes <- lm(as.formula(paste0("y ~ (", covariates, ")*", factors)), d)
  # Several covariates would also interact with each other here; then only the table is compared.
  if (length(a$covariates) == 1 && length(a$factors) == 1 && df.residual(slopes) > 0)
    result[["homogeneity of slopes/covariates:factors/F"]] <- anova(model, slopes)$F[2]
  at <- unique(d[names_of(a$factors)])
  at <- at[do.call(order, at), , drop = FALSE]
  for (x in a$covariates) at[[x$name]] <- mean(x$values)
  means <- predict(model, at, se.fit = TRUE, interval = "confidence")
  labels <- do.call(paste, c(lapply(names_of(a$factors), function(f) paste0("l", at[[f]])), sep = ":"))
  for (i in seq_along(labels)) {
    key <- paste0("adjusted means/", labels[i], "/")
    result[[paste0(key, "estimate")]] <- means$fit[i, "fit"]
    result[[paste0(key, "ci.low")]] <- means$fit[i, "lwr"]
    result[[paste0(key, "standard error")]] <- unname(means$se.fit[i])
  }
  result
}

procedures$mixed <- function(a) {
  wide <- do.call(rbind, a$subjects)
  d <- data.frame(id = seq_len(nrow(wide)))
  for (f in a$factors) d[[f$name]] <- factor(f$codes, levels = seq_len(f$levels) - 1)
  idata <- rev(expand.grid(lapply(rev(a$within), function(w) factor(seq_len(w$levels)))))
  names(idata) <- names_of(a$within)
  right <- if (length(a$factors)) paste(names_of(a$factors), collapse = "*") else "1"
  model <- lm(as.formula(paste("wide ~", right)), d)
  within <- as.formula(paste("~", paste(names_of(a$within), collapse = "*")))
  s <- summary(Anova(model, idata = idata, idesign = within, type = a$type), multivariate = FALSE)
  result <- list()
  tests <- s$univariate.tests
  for (term in setdiff(rownames(tests), "(Intercept)")) {
    key <- paste0("analysis of variance/", term, "/")
    result[[paste0(key, "sum of squares")]] <- tests[term, "Sum Sq"]
    result[[paste0(key, "error sum of squares")]] <- tests[term, "Error SS"]
    result[[paste0(key, "F")]] <- tests[term, "F value"]
    result[[paste0(key, "p")]] <- tests[term, "Pr(>F)"]
  }
  epsilons <- s$pval.adjustments
  for (term in rownames(epsilons)) {
    gg <- epsilons[term, "GG eps"]
    # A singular error matrix leaves R without epsilons.
    if (is.na(gg)) next
    result[[paste0("Greenhouse-Geisser/", term, "/epsilon")]] <- gg
    result[[paste0("Greenhouse-Geisser/", term, "/p")]] <- epsilons[term, "Pr(>F[GG])"]
    hf <- epsilons[term, "HF eps"]
    if (hf > 0 && hf < 1) {
      result[[paste0("Huynh-Feldt/", term, "/epsilon")]] <- hf
      result[[paste0("Huynh-Feldt/", term, "/p")]] <- epsilons[term, "Pr(>F[HF])"]
    }
  }
  # W only: R's p-value has a wrong constant in its second term (see Sphericity.h).
  w <- s$sphericity.tests
  for (term in rownames(w)) if (!is.na(w[term, 1])) result[[paste0("sphericity/", term, "/Mauchly's W")]] <- w[term, 1]
  result
}
