// Writes SVG: shapes in a coordinate system of pixels, y downwards. Colours are classes, so that
// the page around decides them for light and dark; a picture that stands alone brings its own
// style.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace imbrex::stats {

struct Point {
  double x, y;
};

enum class Anchor { Start, Middle, End };

class Canvas {
public:
  Canvas(double width, double height, std::string_view title);

  void line(Point from, Point to, std::string_view style);
  void polyline(std::span<const Point> points, std::string_view style);
  void polygon(std::span<const Point> points, std::string_view style);
  void rect(Point corner, double width, double height, std::string_view style);
  void circle(Point centre, double radius, std::string_view style);
  void text(Point at, std::string_view text, Anchor anchor, std::string_view style = "label");
  /// Upwards, for the axis on the left.
  void textUp(Point at, std::string_view text, std::string_view style = "label");

  double width() const { return w; }
  double height() const { return h; }
  /// The whole picture, with its style.
  std::string finish() const;

private:
  double w, h;
  std::string title, body;
};

/// The style that pictures bring along.
std::string_view pictureStyle();

} // namespace imbrex::stats
