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
procedures$factorial <- function(a) {
  model <- lm(as.formula(paste("y ~", paste(names_of(a$factors), collapse = "*"))), frame_of(a))
  rows(table_of(model, a$type))
}
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
