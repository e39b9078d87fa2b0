#include "tools/imbrex-run/Inputs.h"

#include "formats/npy/Npy.h"
#include "tools/common/Files.h"
#include "tools/common/ModelOptions.h"
#include "tools/common/TensorText.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <optional>

namespace imbrex::tools {

namespace {

std::optional<uint64_t> seedIn(const std::string &text) {
  uint64_t value = 0;
  auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return value;
}

/// SplitMix64 (Steele, Lea, Flood 2014): small, and the same everywhere.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}
  uint64_t next() {
    uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

private:
  uint64_t state;
};

/// The code of the value nearest to `value`; of two, the one with the lower code.
uint8_t nearestCode(DType type, double value) {
  const int codes = 1 << packedBits(type);
  int best = 0;
  for (int c = 1; c < codes; ++c)
    if (std::abs(narrowToDouble(type, uint8_t(c)) - value) <
        std::abs(narrowToDouble(type, uint8_t(best)) - value))
      best = c;
  return uint8_t(best);
}

/// Stores `value`, which every type here holds, narrow floats about.
void store(DType type, std::byte *place, double value) {
  auto put = [&](auto typed) { std::memcpy(place, &typed, sizeof typed); };
  switch (type) {
  case DType::Bool:
    return put(uint8_t(value != 0));
  case DType::I8:
    return put(int8_t(value));
  case DType::U8:
    return put(uint8_t(value));
  case DType::I16:
    return put(int16_t(value));
  case DType::U16:
    return put(uint16_t(value));
  case DType::I32:
    return put(int32_t(value));
  case DType::U32:
    return put(uint32_t(value));
  case DType::I64:
    return put(int64_t(value));
  case DType::U64:
    return put(uint64_t(value));
  case DType::F16:
    return put(floatToHalf(float(value)));
  case DType::BF16:
    return put(floatToBfloat16(float(value)));
  case DType::F32:
    return put(float(value));
  case DType::F64:
    return put(value);
  case DType::I4:
  case DType::I2:
    return put(int8_t(value));
  case DType::U4:
  case DType::U2:
    return put(uint8_t(value));
  case DType::F8E4M3FN:
  case DType::F8E5M2:
  case DType::F8E4M3FNUZ:
  case DType::F8E5M2FNUZ:
  case DType::F8E8M0:
  case DType::F4E2M1:
    return put(nearestCode(type, value));
  case DType::Invalid:
  case DType::String:
  case DType::Item:
    return;
  }
}

double draw(Random &random, DType type) {
  if (isFloat(type) || isNarrowFloat(type))
    return static_cast<double>(random.next() >> 40) / (1 << 23) - 1; // exact in f32
  const bool tiny = type == DType::Bool || type == DType::I2;
  return static_cast<double>(random.next() % (tiny ? 2 : isNarrow(type) ? 4 : 10));
}

std::string namesOf(const std::vector<Port> &ports) {
  std::vector<std::string> names;
  for (const Port &port : ports)
    names.push_back(port.name);
  return joined(names, ", ");
}

/// The spec for a port: its own, else the one without a name; null when there is none.
const InputSpec *specFor(const Port &port, const std::vector<InputSpec> &specs) {
  const InputSpec *general = nullptr;
  for (const InputSpec &spec : specs) {
    if (spec.name == port.name)
      return &spec;
    if (spec.name.empty())
      general = &spec;
  }
  return general;
}

Status checkNames(const std::vector<Port> &ports, const std::vector<InputSpec> &specs) {
  for (size_t i = 0; i < specs.size(); ++i)
    for (size_t k = 0; k < i; ++k)
      if (specs[i].name == specs[k].name)
        return badInput(722,
                        specs[i].name.empty() ? "two values for all inputs"
                                              : "two values for the input '" + specs[i].name + "'",
                        "which one is meant is not known", "one --input for each");
  for (const InputSpec &spec : specs) {
    bool known = spec.name.empty();
    for (const Port &port : ports)
      known |= port.name == spec.name;
    if (!known)
      return badInput(722, "the model has no input '" + spec.name + "'",
                      "its inputs are " + namesOf(ports));
  }
  std::vector<std::string> missing;
  for (const Port &port : ports)
    if (!specFor(port, specs))
      missing.push_back(port.name);
  if (missing.empty())
    return {};
  return badInput(723, "no value for " + joined(missing, ", "), "a run needs every input",
                  "--input " + missing[0] + "=FILE.npy, or --input random for all of them");
}

/// Each --dim must be a dimension of some input.
Status checkDims(const std::vector<Port> &ports, const DimSizes &dims) {
  std::vector<std::string> names;
  for (const Port &port : ports)
    for (const std::string &name : port.dimNames)
      if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end())
        names.push_back(name);
  for (const auto &[name, size] : dims)
    if (std::find(names.begin(), names.end(), name) == names.end())
      return badInput(721, "the model's inputs have no dimension '" + name + "'",
                      names.empty() ? "all their sizes are fixed"
                                    : "their dimensions are " + joined(names, ", "));
  return {};
}

/// How NumPy makes an array of `type`: x.astype("float32"); "" for types that it has not.
std::string numpyCast(DType type) {
  const std::string text(name(type)), bits = text.substr(1);
  const char *kind = text[0] == 'f'   ? "float"
                     : text[0] == 'i' ? "int"
                     : text[0] == 'u' ? "uint"
                                      : nullptr;
  if (!kind || (bits != "8" && bits != "16" && bits != "32" && bits != "64"))
    return "";
  return "x.astype(\"" + (kind + bits) + "\") before it is saved";
}

/// Reads a port's file and learns the sizes of named dimensions from it.
Result<HostTensor> readInput(const Port &port, const std::string &path, DimSizes &dims) {
  Result<HostTensor> tensor = npy::read(path);
  if (!tensor)
    return tensor;
  bool fits = tensor->type() == port.type && tensor->shape().size() == port.shape.size();
  for (size_t i = 0; fits && i < port.shape.size(); ++i)
    fits = port.shape[i] < 0 || port.shape[i] == tensor->shape()[i];
  if (!fits)
    return badInput(725, path + " does not fit the input " + port.name,
                    "it holds " + typeText(tensor->type(), tensor->shape()) + " and the input is " +
                        typeText(port.type, port.shape, port.dimNames),
                    tensor->type() == port.type ? "" : numpyCast(port.type));
  for (size_t i = 0; i < port.shape.size(); ++i)
    if (port.shape[i] < 0 && !port.dimNames[i].empty())
      dims.try_emplace(port.dimNames[i], tensor->shape()[i]);
  return tensor;
}

Result<std::vector<int64_t>> shapeFor(const Port &port, const DimSizes &dims) {
  std::vector<int64_t> shape = port.shape;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] >= 0)
      continue;
    auto found = dims.find(port.dimNames[i]);
    if (found == dims.end())
      return badInput(724,
                      "the size of dimension " + std::to_string(i) + " of " +
                          typeText(port.type, port.shape, port.dimNames) + " " + port.name +
                          " is not known",
                      "the model takes any size there",
                      port.dimNames[i].empty() ? "--input " + port.name + "=FILE.npy"
                                               : "--dim " + port.dimNames[i] + "=1");
    shape[i] = found->second;
  }
  Result<int64_t> elems = elementCount(shape);
  if (!elems || *elems > (int64_t(1) << 40) / std::max<int64_t>(1, byteSize(port.type)))
    return badInput(724, "the input " + port.name + " is too large", "it would be over 1 TiB");
  return shape;
}

} // namespace

Result<InputSpec> parseInputSpec(const std::string &text) {
  InputSpec spec;
  size_t equals = text.find('=');
  std::string source = text;
  if (equals != std::string::npos) {
    spec.name = text.substr(0, equals);
    source = text.substr(equals + 1);
  }
  if (source == "zeros") {
    spec.source = InputSpec::Source::Zeros;
  } else if (source == "ones") {
    spec.source = InputSpec::Source::Ones;
  } else if (source == "random" || source.starts_with("random:")) {
    spec.source = InputSpec::Source::Random;
    std::optional<uint64_t> seed = source == "random" ? 0 : seedIn(source.substr(7));
    if (!seed)
      return badInput(720, "'" + text + "' has no seed after 'random:'", "", "random:1");
    spec.seed = *seed;
  } else if (spec.name.empty() || source.empty()) {
    return badInput(720, "'" + text + "' names no input", "",
                    "NAME=FILE.npy, or zeros, ones, random or random:SEED with or without NAME=");
  }
  spec.path = source;
  return spec;
}

Result<std::vector<InputSpec>> parseInputSpecs(const std::vector<std::string> &texts) {
  std::vector<InputSpec> specs;
  for (const std::string &text : texts) {
    Result<InputSpec> spec = parseInputSpec(text);
    if (!spec)
      return spec.takeError();
    specs.push_back(spec.take());
  }
  return specs;
}

Status parseDim(const std::string &text, DimSizes &dims) {
  Result<std::vector<DimOption>> options = parseDimOption(text);
  if (!options)
    return options.takeError();
  for (const DimOption &option : *options) {
    if (option.low != option.high)
      return badInput(721, "'" + text + "' is a range", "a run needs one size", "--dim NAME=SIZE");
    if (auto [known, fresh] = dims.emplace(option.name, option.low);
        !fresh && known->second != option.low)
      return badInput(721, "two sizes for the dimension '" + option.name + "'",
                      "they are " + std::to_string(known->second) + " and " +
                          std::to_string(option.low),
                      "one --dim for it");
  }
  return {};
}

HostTensor makeTensor(const InputSpec &spec, DType type, const std::vector<int64_t> &shape) {
  HostTensor tensor(type, shape);
  if (spec.source == InputSpec::Source::Zeros)
    return tensor;
  Random random(spec.seed);
  std::byte *data = tensor.mutableBytes().data();
  for (int64_t i = 0, n = tensor.elems(); i < n; ++i)
    store(type, data + i * byteSize(type),
          spec.source == InputSpec::Source::Ones ? 1 : draw(random, type));
  return tensor;
}

Result<std::vector<HostTensor>> makeInputs(const std::vector<Port> &ports,
                                           const std::vector<InputSpec> &specs, DimSizes dims) {
  if (Status names = checkNames(ports, specs); !names)
    return names.takeError();
  if (Status sizes = checkDims(ports, dims); !sizes)
    return sizes.takeError();
  // Files first: what is made up takes its sizes from them.
  std::vector<HostTensor> tensors(ports.size());
  for (size_t i = 0; i < ports.size(); ++i) {
    const InputSpec *spec = specFor(ports[i], specs);
    if (spec->source != InputSpec::Source::File)
      continue;
    Result<HostTensor> tensor = readInput(ports[i], spec->path, dims);
    if (!tensor)
      return tensor.takeError();
    tensors[i] = tensor.take();
  }
  for (size_t i = 0; i < ports.size(); ++i) {
    InputSpec spec = *specFor(ports[i], specs);
    if (spec.source == InputSpec::Source::File)
      continue;
    Result<std::vector<int64_t>> shape = shapeFor(ports[i], dims);
    if (!shape)
      return shape.takeError();
    spec.seed += i; // two inputs of one seed shall differ
    tensors[i] = makeTensor(spec, ports[i].type, *shape);
  }
  return tensors;
}

} // namespace imbrex::tools
