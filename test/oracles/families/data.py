"""Random samples for the families: with and without ties, of many shapes and sizes."""


SHAPES = ["normal", "uniform", "skewed", "offset"]


def shape(random):
    return random.choice(SHAPES + ["tied"] * 3)


def size(random, low=2, high=40):
    return random.randint(low, high)


def smooth(random, n, shift=0.0, shape=None):
    """No ties (almost surely), of one of several shapes."""
    shape = shape or random.choice(SHAPES)
    make = {"normal": lambda: random.gauss(shift, 1),
            "uniform": lambda: random.uniform(-2, 2) + shift,
            "skewed": lambda: random.expovariate(1) + shift,
            "offset": lambda: random.gauss(1000 + shift, 2)}[shape]
    return [round(make(), 6) for _ in range(n)]


def tied(random, n, shift=0.0, shape=None):
    """Multiples of 1/8, whose differences and means of few are exact; many ties."""
    width = random.choice([3, 6, 20])
    return [random.randint(0, width) / 8 + round(shift * 8) / 8 for _ in range(n)]


def sample(random, n, shift=0.0, shape=None):
    return (tied if shape == "tied" else smooth)(random, n, shift, shape)


def varied(make, random, n, shift=0.0, shape=None):
    """Not all values equal."""
    while True:
        values = make(random, n, shift, shape)
        if n < 2 or min(values) < max(values):
            return values


def groups(random, make=sample, low=2, high=20, count=(2, 6), spread=1.0):
    """Groups of one shape, some shifted."""
    kind = shape(random) if make is sample else None
    return [varied(make, random, size(random, low, high), random.gauss(0, spread), kind)
            for _ in range(random.randint(*count))]
