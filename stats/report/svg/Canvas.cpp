#include "stats/report/svg/Canvas.h"

#include "support/text/Markup.h"

#include <cmath>
#include <cstdio>

namespace imbrex::stats {
namespace {

/// One decimal is a tenth of a pixel.
std::string number(double value) {
  if (!std::isfinite(value))
    value = 0;
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", value);
  std::string result = text;
  if (result.ends_with(".0"))
    result.resize(result.size() - 2);
  return result == "-0" ? "0" : result;
}

std::string listed(std::span<const Point> points) {
  std::string list;
  for (const Point &p : points)
    list += (list.empty() ? "" : " ") + number(p.x) + "," + number(p.y);
  return list;
}

const char *anchorName(Anchor anchor) {
  return anchor == Anchor::Start ? "start" : anchor == Anchor::Middle ? "middle" : "end";
}

} // namespace

std::string_view pictureStyle() {
  return "text{font:11px system-ui,'DejaVu Sans',sans-serif;fill:#444}"
         ".name{font-size:12px;fill:#111}.axis{stroke:#888;stroke-width:1}"
         ".grid{stroke:#e3e3e3;stroke-width:1}.box{fill:#dbe7f3;stroke:#33658a;stroke-width:1.2}"
         ".median{stroke:#1f3d57;stroke-width:2.4}.whisker{stroke:#33658a;stroke-width:1.2}"
         ".dot{fill:#33658a;fill-opacity:.55}.mean{fill:#c8553d}"
         ".error{stroke:#c8553d;stroke-width:1.6}"
         ".fit{stroke:#c8553d;stroke-width:2;fill:none}.band{fill:#c8553d;fill-opacity:.14}"
         ".pair{fill:none;stroke:#33658a;stroke-opacity:.45;stroke-width:1.2}"
         ".s0{stroke:#33658a;fill:none;stroke-width:2}.s1{stroke:#c8553d;fill:none;stroke-width:2}"
         ".s2{stroke:#3d8b5f;fill:none;stroke-width:2}.s3{stroke:#8a5aa3;fill:none;stroke-width:2}"
         ".s4{stroke:#a3802c;fill:none;stroke-width:2}.f0{fill:#33658a}.f1{fill:#c8553d}"
         ".f2{fill:#3d8b5f}.f3{fill:#8a5aa3}.f4{fill:#a3802c}"
         ".b0{fill:#7fa3c4}.b1{fill:#e3a08f}.b2{fill:#8fc2a5}.b3{fill:#bfa0d0}.b4{fill:#d3bd84}";
}

Canvas::Canvas(double width, double height, std::string_view title)
    : w(width), h(height), title(title) {}

void Canvas::line(Point from, Point to, std::string_view style) {
  body += "<line x1=\"" + number(from.x) + "\" y1=\"" + number(from.y) + "\" x2=\"" + number(to.x) +
          "\" y2=\"" + number(to.y) + "\" class=\"" + std::string(style) + "\"/>\n";
}

void Canvas::polyline(std::span<const Point> points, std::string_view style) {
  body += "<polyline points=\"" + listed(points) + "\" class=\"" + std::string(style) + "\"/>\n";
}

void Canvas::polygon(std::span<const Point> points, std::string_view style) {
  body += "<polygon points=\"" + listed(points) + "\" class=\"" + std::string(style) + "\"/>\n";
}

void Canvas::rect(Point corner, double width, double height, std::string_view style) {
  body += "<rect x=\"" + number(corner.x) + "\" y=\"" + number(corner.y) + "\" width=\"" +
          number(width) + "\" height=\"" + number(height) + "\" class=\"" + std::string(style) +
          "\"/>\n";
}

void Canvas::circle(Point centre, double radius, std::string_view style) {
  body += "<circle cx=\"" + number(centre.x) + "\" cy=\"" + number(centre.y) + "\" r=\"" +
          number(radius) + "\" class=\"" + std::string(style) + "\"/>\n";
}

void Canvas::text(Point at, std::string_view text, Anchor anchor, std::string_view style) {
  body += "<text x=\"" + number(at.x) + "\" y=\"" + number(at.y) + "\" text-anchor=\"" +
          anchorName(anchor) + "\" class=\"" + std::string(style) + "\">" + escapeMarkup(text) +
          "</text>\n";
}

void Canvas::textUp(Point at, std::string_view text, std::string_view style) {
  body += "<text transform=\"translate(" + number(at.x) + " " + number(at.y) +
          ") rotate(-90)\" text-anchor=\"middle\" class=\"" + std::string(style) + "\">" +
          escapeMarkup(text) + "</text>\n";
}

std::string Canvas::finish() const {
  std::string size = number(w) + " " + number(h);
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + size + "\" width=\"" +
         number(w) + "\" height=\"" + number(h) + "\" role=\"img\">\n<title>" +
         escapeMarkup(title) + "</title>\n<style>" + std::string(pictureStyle()) + "</style>\n" +
         body + "</svg>\n";
}

} // namespace imbrex::stats
