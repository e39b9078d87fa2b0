// What the steps of Winograd's convolution do with tiles: sums and differences, first along one
// axis, then along the other.
#include "compiler/passes/lower/TileKernelText.h"
#include "compiler/passes/lower/Winograd.h"

#include <cstdio>

namespace imbrex::lower {

namespace {

using Shape = std::vector<int64_t>;

/// Lines of tile operations; values are named by number.
class Lines {
public:
  std::string text;

  std::string line(const std::string &what) {
    std::string name = "%w" + std::to_string(count++);
    text += "  " + name + " = " + what + "\n";
    return name;
  }
  std::string reshape(const std::string &x, const Shape &from, const Shape &to) {
    return line("tile.reshape " + x + " : " + tileText(from) + " -> " + tileText(to));
  }
  std::string slice(const std::string &x, const Shape &from, const Shape &at, const Shape &to) {
    std::string places;
    for (int64_t d : at)
      places += (places.empty() ? "" : ", ") + std::to_string(d);
    return line("tile.slice " + x + " from [" + places + "] : " + tileText(from) + " -> " +
                tileText(to));
  }
  std::string concat(const std::vector<std::string> &parts, const Shape &each, size_t axis) {
    std::string names, types;
    for (const std::string &p : parts) {
      names += (names.empty() ? "" : ", ") + p;
      types += (types.empty() ? "" : ", ") + tileText(each);
    }
    Shape to = each;
    to[axis] *= static_cast<int64_t>(parts.size());
    return line("tile.concat " + names + " axis " + std::to_string(axis) + " : " + types + " -> " +
                tileText(to));
  }
  std::string add(const std::string &x, const std::string &y, const Shape &shape) {
    return line("arith.addf " + x + ", " + y + " : " + tileText(shape));
  }
  std::string sub(const std::string &x, const std::string &y, const Shape &shape) {
    return line("arith.subf " + x + ", " + y + " : " + tileText(shape));
  }
  std::string times(double by, const std::string &x, const Shape &shape) {
    char digits[32]; // of a few bits, so exact
    std::snprintf(digits, sizeof digits, "%.17e", by);
    const std::string c =
        line(std::string("arith.constant dense<") + digits + "> : " + tileText(shape));
    return line("arith.mulf " + c + ", " + x + " : " + tileText(shape));
  }

private:
  int count = 0;
};

constexpr double kA = kNearPoint, kB = kFarPoint, kA2 = kA * kA, kB2 = kB * kB;

/// B^T d: six of six.
std::vector<std::string> forwardOf(Lines &l, const std::vector<std::string> &d, const Shape &s) {
  auto even = [&](double by) { return l.sub(d[4], l.times(by, d[2], s), s); };
  auto odd = [&](double by, double all) {
    return l.times(all, l.sub(d[3], l.times(by, d[1], s), s), s);
  };
  auto end = [&](const std::string &x, const std::string &y, const std::string &z) {
    return l.add(l.sub(l.times(kA2 * kB2, x, s), l.times(kA2 + kB2, y, s), s), z, s);
  };
  return {end(d[0], d[2], d[4]),
          l.add(even(kB2), odd(kB2, kA), s),
          l.sub(even(kB2), odd(kB2, kA), s),
          l.add(even(kA2), odd(kA2, kB), s),
          l.sub(even(kA2), odd(kA2, kB), s),
          end(d[1], d[3], d[5])};
}

/// A^T m: four of six.
std::vector<std::string> inverseOf(Lines &l, const std::vector<std::string> &m, const Shape &s) {
  auto sum = [&](size_t from) { return l.add(m[from], m[from + 1], s); };
  auto difference = [&](size_t from) { return l.sub(m[from], m[from + 1], s); };
  auto both = [&](double a, const std::string &x, double b, const std::string &y) {
    return l.add(l.times(a, x, s), l.times(b, y, s), s);
  };
  return {l.add(l.add(m[0], sum(1), s), sum(3), s), both(kA, difference(1), kB, difference(3)),
          both(kA2, sum(1), kB2, sum(3)),
          l.add(both(kA * kA2, difference(1), kB * kB2, difference(3)), m[5], s)};
}

} // namespace

std::string winogradForward(const std::string &view, int64_t pieces, int64_t channels) {
  Lines l;
  const int64_t wide = 4 * (pieces + 1), c = channels;
  const Shape block = {1, 1, 4, wide, c}, rows = {4, wide, c}, row = {1, wide, c};
  const std::string below = l.line("arith.addi %o1, %one : index");
  auto load = [&](const std::string &y) {
    return l.reshape(l.line("tile.load %x[%o0, " + y + ", %zero, %zero, %i] : " + view + " -> " +
                            tileText(block)),
                     block, rows);
  };
  const std::string upper = load("%o1"), lower = load(below);
  std::vector<std::string> d;
  for (int64_t i = 0; i < 6; ++i)
    d.push_back(l.slice(i < 4 ? upper : lower, rows, {i % 4, 0, 0}, row));
  const std::string down = l.concat(forwardOf(l, d, row), row, 0);
  const Shape fours = {6, pieces + 1, 4, c}, column = {6, pieces, 1, c}, part = {6, 1, pieces, c};
  const std::string split = l.reshape(down, {6, wide, c}, fours);
  d.clear();
  for (int64_t j = 0; j < 6; ++j)
    d.push_back(l.slice(split, fours, {0, j / 4, j % 4, 0}, column));
  std::vector<std::string> parts;
  for (const std::string &x : forwardOf(l, d, column))
    parts.push_back(l.reshape(x, column, part));
  const std::string all = l.concat(parts, part, 1);
  return l.text + "  %sum = tile.reshape " + all + " : " + tileText({6, 6, pieces, c}) + " -> " +
         tileText({6, 6, 1, 1, pieces, c}) + "\n";
}

std::string winogradInverse(const std::string &view, int64_t pieces, int64_t channels) {
  Lines l;
  const int64_t m = channels;
  const Shape block = {6, 6, 1, 1, pieces, m}, all = {6, 6, pieces, m}, row = {1, 6, pieces, m};
  const std::string loaded =
      l.reshape(l.line("tile.load %x[%zero, %zero, %o0, %c0, %zero, %i] : " + view + " -> " +
                       tileText(block)),
                block, all);
  std::vector<std::string> d;
  for (int64_t u = 0; u < 6; ++u)
    d.push_back(l.slice(loaded, all, {u, 0, 0, 0}, row));
  const std::string down = l.concat(inverseOf(l, d, row), row, 0);
  const Shape column = {4, 1, pieces, m}, part = {4, pieces, 1, m};
  d.clear();
  for (int64_t v = 0; v < 6; ++v)
    d.push_back(l.slice(down, {4, 6, pieces, m}, {0, v, 0, 0}, column));
  std::vector<std::string> parts;
  for (const std::string &x : inverseOf(l, d, column))
    parts.push_back(l.reshape(x, column, part));
  const std::string places =
      l.reshape(l.concat(parts, part, 2), {4, pieces, 4, m}, {16 * pieces, m});
  const std::string turned =
      l.line("tile.transpose " + places + " [1, 0] : " + tileText({16 * pieces, m}) + " -> " +
             tileText({m, 16 * pieces}));
  return l.text + "  %sum = tile.reshape " + turned + " : " + tileText({m, 16 * pieces}) + " -> " +
         tileText({m, 4, 4 * pieces}) + "\n";
}

} // namespace imbrex::lower
