#include "bench/tune/Log.h"

#include "support/json/Json.h"

#include <filesystem>
#include <fstream>
#include <thread>

namespace imbrex::tune {
namespace {

/// The kind of machine: verdicts of another one say nothing here.
std::string thisMachine() {
  std::ifstream cpu("/proc/cpuinfo");
  std::string line, model = "unknown";
  while (std::getline(cpu, line))
    if (line.rfind("model name", 0) == 0 && line.find(": ") != std::string::npos) {
      model = line.substr(line.find(": ") + 2);
      break;
    }
  return model + ", " + std::to_string(std::thread::hardware_concurrency()) + " threads";
}

Json toJson(const Configuration &c) {
  Json object = Json::object();
  for (const auto &[name, value] : c)
    object.set(name, value);
  return object;
}

Configuration configurationOf(const Json &object) {
  Configuration c;
  for (const std::string &name : object.keys())
    c[name] = object.at(name).toInt();
  return c;
}

/// JSON on one line: a line break within a text is escaped, so each of these is layout.
std::string onOneLine(const Json &json) {
  std::string line;
  bool layout = false;
  for (char c : json.str()) {
    if (c == '\n')
      layout = true;
    else if (c != ' ')
      layout = false;
    if (!layout)
      line += c;
  }
  return line;
}

Json toJson(const Duel &d, const Verdict &v) {
  return Json::object()
      .set("leader", toJson(d.leader))
      .set("challenger", toJson(d.challenger))
      .set("leader_code", std::to_string(d.leaderCode))
      .set("challenger_code", std::to_string(d.challengerCode))
      .set("speed", v.speed)
      .set("low", v.low)
      .set("high", v.high)
      .set("p", v.p)
      .set("faster", v.faster);
}

uint64_t codeOf(const Json &text) { return std::strtoull(text.toText().c_str(), nullptr, 10); }

} // namespace

Result<Log> Log::open(const std::string &file, const std::string &name) {
  Log log;
  log.file = file;
  log.name = name;
  log.machine = thisMachine();
  if (file.empty())
    return log;
  std::ifstream in(file, std::ios::binary);
  std::string line;
  while (in && std::getline(in, line)) {
    if (line.size() > (1 << 16))
      return badInput(851, "'" + file + "' is no log of tunings", "it has a line of 64 KiB");
    const bool last = in.eof(); // no line break behind it
    log.wholeBytes += last ? 0 : line.size() + 1;
    auto json = Json::parse(line, file);
    if (!json || !json->isObject() || !json->has("leader_code")) {
      if (last) {
        log.cut = true;
        break;
      }
      return badInput(851, "'" + file + "' is no log of tunings", "a line of it is no verdict",
                      "another file");
    }
    if (json->at("tuning").toText() != name)
      continue;
    if (json->at("machine").toText() != log.machine) {
      ++log.otherMachine;
      continue;
    }
    Duel duel{configurationOf(json->at("leader")), configurationOf(json->at("challenger")),
              codeOf(json->at("leader_code")), codeOf(json->at("challenger_code"))};
    Verdict v{duel.leader, duel.challenger};
    v.speed = json->at("speed").toDouble();
    v.low = json->at("low").toDouble();
    v.high = json->at("high").toDouble();
    v.p = json->at("p").toDouble();
    v.faster = json->at("faster").toBool();
    v.remembered = true;
    log.known.emplace_back(std::move(duel), std::move(v));
  }
  return log;
}

std::optional<Verdict> Log::find(const Duel &d) const {
  for (const auto &[duel, verdict] : known)
    if (duel.leader == d.leader && duel.challenger == d.challenger) {
      if (duel.leaderCode == d.leaderCode && duel.challengerCode == d.challengerCode)
        return verdict;
      ++otherCode;
    }
  return std::nullopt;
}

Status Log::add(const Duel &duel, const Verdict &verdict) {
  if (file.empty())
    return {};
  if (std::error_code bad; std::exchange(cut, false))
    if (std::filesystem::resize_file(file, wholeBytes, bad); bad)
      return badInput(851, "'" + file + "' cannot be written");
  std::ofstream out(file, std::ios::binary | std::ios::app);
  Json record = toJson(duel, verdict);
  record.set("tuning", name).set("machine", machine);
  out << onOneLine(record) << '\n';
  out.flush();
  if (!out)
    return badInput(851, "'" + file + "' cannot be written");
  return {};
}

std::vector<std::string> Log::remarks() const {
  std::vector<std::string> all;
  auto say = [&](int64_t count, const char *why) {
    if (count)
      all.push_back(std::to_string(count) + " verdicts of the log are stale: " + why);
  };
  say(otherMachine, "they are of another machine");
  say(otherCode, "their machine code has changed");
  if (cut)
    all.push_back("the last line of the log was cut short and is not used");
  return all;
}

} // namespace imbrex::tune
