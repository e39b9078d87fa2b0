frame_of <- function(a) {
  d <- data.frame(y = a$y)
  for (x in a$predictors) d[[x$name]] <- x$values
  d
}
procedures$linear <- function(a) {
  formula <- if (isFALSE(a$intercept)) y ~ . - 1 else y ~ .
  model <- lm(formula, frame_of(a))
  s <- summary(model)
  result <- list(F = unname(s$fstatistic[1]), df0 = unname(s$fstatistic[2]), df1 = unname(s$fstatistic[3]),
                 "R squared" = s$r.squared, "adjusted R squared" = s$adj.r.squared, "residual standard error" = s$sigma)
  limits <- confint(model)
  for (name in rownames(s$coefficients)) {
    key <- paste0("coefficients/", sub("(Intercept)", "(intercept)", name, fixed = TRUE), "/")
    result[[paste0(key, "estimate")]] <- s$coefficients[name, 1]
    result[[paste0(key, "standard error")]] <- s$coefficients[name, 2]
    result[[paste0(key, "t")]] <- s$coefficients[name, 3]
    result[[paste0(key, "p")]] <- s$coefficients[name, 4]
    result[[paste0(key, "ci.low")]] <- limits[name, 1]
    result[[paste0(key, "ci.high")]] <- limits[name, 2]
  }
  result
}
procedures$logistic <- function(a) {
  d <- frame_of(a)
  model <- glm(y ~ ., binomial, d, control = list(epsilon = 1e-15, maxit = 50))
  if (any(abs(predict(model)) > 15)) stop("separated")
  # R takes standard errors from the step before the last; from the solution on, that is the solution too.
  model <- update(model, start = coef(model))
  s <- summary(model)
  result <- list(deviance = s$deviance, "null deviance" = s$null.deviance,
                 p = pchisq(s$null.deviance - s$deviance, length(a$predictors), lower.tail = FALSE))
  limits <- confint.default(model)
  for (name in rownames(s$coefficients)) {
    key <- paste0("coefficients/", sub("(Intercept)", "(intercept)", name, fixed = TRUE), "/")
    result[[paste0(key, "estimate")]] <- s$coefficients[name, 1]
    result[[paste0(key, "standard error")]] <- s$coefficients[name, 2]
    result[[paste0(key, "z")]] <- s$coefficients[name, 3]
    result[[paste0(key, "p")]] <- s$coefficients[name, 4]
    result[[paste0(key, "ci.high")]] <- limits[name, 2]
  }
  result
}
