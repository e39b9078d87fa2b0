#include "tools/imbrex-run/Inputs.h"

#include "formats/npy/Npy.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <unistd.h>

using namespace imbrex;
using namespace imbrex::tools;

namespace {

InputSpec spec(const std::string &text) {
  Result<InputSpec> parsed = parseInputSpec(text);
  EXPECT_TRUE(parsed.ok()) << text;
  return parsed ? *parsed : InputSpec{};
}

uint16_t failureOf(const std::vector<Port> &ports, const std::vector<std::string> &texts,
                   const DimSizes &dims = {}) {
  std::vector<InputSpec> specs;
  for (const std::string &text : texts)
    specs.push_back(spec(text));
  Result<std::vector<HostTensor>> inputs = makeInputs(ports, specs, dims);
  return inputs ? 0 : inputs.error().code;
}

const std::vector<Port> twoInputs = {{"x", DType::F32, {-1, 2}, {"n", ""}},
                                     {"y", DType::I64, {-1}, {"n"}}};

TEST(InputSpec, ReadsEachForm) {
  EXPECT_EQ(spec("x=a.npy").path, "a.npy");
  EXPECT_EQ(spec("x=a=b.npy").path, "a=b.npy");
  EXPECT_EQ(spec("x=zeros").source, InputSpec::Source::Zeros);
  EXPECT_EQ(spec("x=random:7").seed, 7u);
  EXPECT_EQ(spec("ones").name, "");
}

TEST(InputSpec, RefusesOtherForms) {
  for (const char *text : {"", "photo.npy", "x=", "x=random:", "x=random:seven", "=zeros="})
    EXPECT_FALSE(parseInputSpec(text).ok()) << text;
}

TEST(Dim, ReadsNameAndSize) {
  DimSizes dims;
  ASSERT_TRUE(parseDim("n=64", dims).ok());
  EXPECT_EQ(dims["n"], 64);
  EXPECT_TRUE(parseDim("n=64", dims).ok());
  EXPECT_FALSE(parseDim("n=65", dims).ok()) << "two sizes";
  for (const char *text : {"", "n", "n=", "=4", "n=-1", "n=4x"})
    EXPECT_FALSE(parseDim(text, dims).ok()) << text;
}

TEST(MakeTensor, IsTheSameForTheSameSeed) {
  InputSpec seven = spec("random:7"), eight = spec("random:8");
  HostTensor a = makeTensor(seven, DType::F32, {100}), b = makeTensor(seven, DType::F32, {100});
  HostTensor c = makeTensor(eight, DType::F32, {100});
  EXPECT_TRUE(std::equal(a.bytes().begin(), a.bytes().end(), b.bytes().begin()));
  EXPECT_FALSE(std::equal(a.bytes().begin(), a.bytes().end(), c.bytes().begin()));
}

TEST(MakeTensor, StaysInItsRange) {
  HostTensor floats = makeTensor(spec("random"), DType::F16, {1000});
  HostTensor ints = makeTensor(spec("random"), DType::U8, {1000});
  for (int64_t i = 0; i < 1000; ++i) {
    EXPECT_LE(std::abs(floats.toDouble(i)), 1.0);
    EXPECT_LT(ints.toInt(i), 10);
  }
  EXPECT_EQ(makeTensor(spec("ones"), DType::BF16, {1}).toDouble(0), 1.0);
}

TEST(MakeInputs, TakesSizesFromDim) {
  Result<std::vector<HostTensor>> inputs = makeInputs(twoInputs, {spec("ones")}, {{"n", 3}});
  ASSERT_TRUE(inputs.ok()) << inputs.error().str();
  EXPECT_EQ((*inputs)[0].shape(), (std::vector<int64_t>{3, 2}));
  EXPECT_EQ((*inputs)[1].shape(), (std::vector<int64_t>{3}));
}

TEST(MakeInputs, TakesSizesFromAFile) {
  std::string path = (std::filesystem::temp_directory_path() /
                      ("imbrex-inputs-" + std::to_string(getpid()) + ".npy"));
  ASSERT_TRUE(npy::write(path, HostTensor(DType::F32, {5, 2})).ok());
  Result<std::vector<HostTensor>> inputs =
      makeInputs(twoInputs, {spec("x=" + path), spec("zeros")}, {});
  EXPECT_TRUE(inputs.ok());
  if (inputs.ok()) {
    EXPECT_EQ((*inputs)[1].shape(), (std::vector<int64_t>{5}));
  }
  EXPECT_EQ(failureOf(twoInputs, {"y=" + path, "x=zeros"}), 725);
  auto refused = makeInputs(twoInputs, {spec("y=" + path), spec("x=zeros")}, {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().remedy, "x.astype(\"int64\") before it is saved");
  std::filesystem::remove(path);
}

TEST(MakeInputs, SaysWhatIsMissingOrTooMuch) {
  EXPECT_EQ(failureOf(twoInputs, {"x=ones", "x=zeros", "ones"}, {{"n", 1}}), 722);
  EXPECT_EQ(failureOf(twoInputs, {"ones", "zeros"}, {{"n", 1}}), 722);
  EXPECT_EQ(failureOf(twoInputs, {"z=ones", "ones"}, {{"n", 1}}), 722);
  EXPECT_EQ(failureOf(twoInputs, {"x=ones"}, {{"n", 1}}), 723);
  EXPECT_EQ(failureOf(twoInputs, {"ones"}), 724);
  EXPECT_EQ(failureOf(twoInputs, {"ones"}, {{"m", 1}}), 721);
  EXPECT_EQ(failureOf(twoInputs, {"ones"}, {{"n", int64_t(1) << 45}}), 724);
  EXPECT_EQ(failureOf(twoInputs, {"x=none.npy", "zeros"}), 800);
}

} // namespace
