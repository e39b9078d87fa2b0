"""Linear and logistic regression."""

import math
import warnings

from scipy import stats

from check import Case

warnings.filterwarnings("ignore")


def line_scipy(a):
    r = stats.linregress(a["predictors"][0]["values"], a["y"])
    return {"coefficients/x0/estimate": r.slope, "coefficients/(intercept)/estimate": r.intercept,
            "coefficients/x0/standard error": r.stderr, "coefficients/(intercept)/standard error": r.intercept_stderr,
            "coefficients/x0/p": r.pvalue, "R squared": r.rvalue ** 2}


def predictors(random, n, k):
    offset = random.choice([0, 0, 100])
    return [{"name": f"x{i}", "values": [round(random.gauss(offset, 1), 4) for _ in range(n)]} for i in range(k)]


def linear(random, k=None):
    k = k or random.randint(1, 5)
    n = random.randint(k + 3, 60)
    xs = predictors(random, n, k)
    noise = random.choice([0.01, 1, 10])
    y = [round(sum((i + 1) * x["values"][r] for i, x in enumerate(xs)) + random.gauss(3, noise), 5) for r in range(n)]
    return {"y": y, "predictors": xs, "intercept": random.random() < 0.8 or k == 1}


def logistic(random):
    k = random.randint(1, 3)
    n = random.randint(20 * k, 120)
    xs = [{"name": f"x{i}", "values": [round(random.gauss(0, 1), 3) for _ in range(n)]} for i in range(k)]
    slopes = [random.gauss(0, 0.7) for _ in range(k)]
    while True:
        y = [int(random.random() < 1 / (1 + math.exp(-sum(b * x["values"][r] for b, x in zip(slopes, xs)))))
             for r in range(n)]
        if 3 < sum(y) < n - 3:
            return {"y": y, "predictors": xs}


def cases(random, count):
    for _ in range((count + 1) // 2):
        yield Case("linear_regression", linear(random), "linear")
        yield Case("linear_regression", linear(random, 1) | {"intercept": True}, None, line_scipy)
    for _ in range(count):
        yield Case("logistic_regression", logistic(random), "logistic")
