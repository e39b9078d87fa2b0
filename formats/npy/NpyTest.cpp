#include "formats/npy/Npy.h"

#include "support/tensor/ItemHeap.h"

#include <gtest/gtest.h>

#include <cstring>

namespace imbrex::npy {

static std::span<const std::byte> bytesOf(const std::string &s) {
  return std::as_bytes(std::span(s));
}

static std::string file(const std::string &dict, const std::string &data, int version = 1) {
  std::string out = "\x93NUMPY";
  out += {char(version), 0, char(dict.size()), 0};
  if (version > 1)
    out += std::string(2, '\0');
  return out + dict + data;
}

TEST(Npy, ReturnsWhatWasWritten) {
  for (auto shape : {std::vector<int64_t>{}, {6}, {2, 3}, {0, 5}, {1, 2, 3}})
    for (DType type : {DType::F32, DType::I64, DType::Bool, DType::F16, DType::BF16, DType::U8}) {
      HostTensor t(type, shape);
      if (!t.bytes().empty())
        t.mutableBytes()[0] = std::byte{1};
      auto back = read(bytesOf(encode(t)));
      ASSERT_TRUE(back.ok()) << back.error().str();
      EXPECT_EQ(back->type(), type);
      EXPECT_EQ(back->shape(), shape);
      EXPECT_TRUE(std::ranges::equal(back->bytes(), t.bytes()));
    }
}

TEST(Npy, AlignsData) {
  std::string bytes = encode(HostTensor(DType::F32, {3}));
  EXPECT_EQ((bytes.size() - 12) % 64, 0u);
  EXPECT_NE(bytes.find("'shape': (3,), }"), std::string::npos);
}

TEST(Npy, ReadsFortranOrderAndAllVersions) {
  for (int version : {1, 2, 3}) {
    auto t = read(bytesOf(file("{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3), }\n",
                               std::string("\x00\x01\x02\x03\x04\x05", 6), version)));
    ASSERT_TRUE(t.ok()) << t.error().str();
    EXPECT_EQ(t->toInts(), (std::vector<int64_t>{0, 2, 4, 1, 3, 5}));
  }
}

TEST(Npy, RefusesDamagedFiles) {
  std::string good = "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }\n";
  std::vector<std::string> bad = {
      "",
      "hello",
      file(good, "abc"),
      file(good, "abcde"),
      file(good, "abcd", 9),
      file("{'descr': '<f4', 'shape': (1,), }", "abcd"),
      file("{'descr': '<f4', 'fortran_order': False, 'shape': (1, }", "abcd"),
      file("{'descr': '<f4', 'fortran_order': False, 'shape': (-1,), }", "abcd"),
      file("{'descr': '<f4', 'fortran_order': False, "
           "'shape': (9223372036854775807,9223372036854775807), }",
           "abcd"),
      file("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,), }", ""),
      file(good, "abcd").substr(0, 20),
  };
  for (const auto &bytes : bad) {
    auto t = read(bytesOf(bytes), "x.npy");
    ASSERT_FALSE(t.ok()) << bytes;
    EXPECT_EQ(t.error().code, 801) << t.error().str();
    EXPECT_EQ(t.error().where.file, "x.npy");
  }
}

TEST(Npy, NamesUnsupportedTypes) {
  for (std::string descr : {"'>f4'", "'<c8'", "'>U3'", "[('a', '<f4')]"}) {
    auto t = read(
        bytesOf(file("{'descr': " + descr + ", 'fortran_order': False, 'shape': (1,), }", "abcd")));
    ASSERT_FALSE(t.ok()) << descr;
    EXPECT_EQ(t.error().code, 802) << t.error().str();
  }
}

TEST(Npy, NamesTheMissingFile) {
  auto t = read("/nonexistent/x.npy");
  ASSERT_FALSE(t.ok());
  EXPECT_EQ(t.error().code, 800);
}

TEST(Npy, StringsKeepTheirText) {
  const std::string words[] = {"", "ü漢🙂", "abc"};
  const HostTensor t = stringTensor(ItemHeap::process(), {3}, words);
  const std::string bytes = encode(t);
  auto back = read(bytesOf(bytes));
  ASSERT_TRUE(back.ok()) << back.error().str();
  EXPECT_EQ(back->type(), DType::String);
  EXPECT_EQ(back->toInts(), t.toInts()) << "equal texts have equal numbers";
}

} // namespace imbrex::npy
