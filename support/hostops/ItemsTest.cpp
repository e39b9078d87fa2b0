#include "support/hostops/Items.h"

#include <gtest/gtest.h>

namespace imbrex {
namespace {

using Words = std::vector<std::string>;

HostTensor ints(std::vector<int64_t> shape, std::vector<int64_t> v) {
  return HostTensor::of<int64_t>(DType::I64, std::move(shape), v);
}
HostTensor params(std::vector<int64_t> v) {
  const auto n = static_cast<int64_t>(v.size());
  return ints({n}, std::move(v));
}

class Items : public testing::Test {
protected:
  ItemHeap heap;

  HostTensor words(Words v) { return stringTensor(heap, {static_cast<int64_t>(v.size())}, v); }
  Words texts(const HostTensor &t) {
    Words out;
    for (int64_t i = 0; i < t.elems(); ++i)
      out.emplace_back(textAt(heap, t, i));
    return out;
  }
  std::vector<HostTensor> run(const char *name, std::vector<const HostTensor *> args) {
    auto made = (*hostFunction(name))(args, heap);
    EXPECT_TRUE(made.ok()) << made.error().str();
    return made.ok() ? made.take() : std::vector<HostTensor>(4);
  }
  std::string failure(const char *name, std::vector<const HostTensor *> args) {
    auto made = (*hostFunction(name))(args, heap);
    return made.ok() ? "" : made.error().str();
  }
};

TEST_F(Items, ASequenceIsBuiltReadAndTakenApart) {
  const HostTensor none = params({}), x = ints({2}, {1, 2}), y = ints({1}, {3});
  const HostTensor zero = ints({}, {0}), minus = ints({}, {-1});
  const HostTensor a = run("item_of", {&x, &none})[0], b = run("item_of", {&y, &none})[0];
  HostTensor both = run("sequence_insert", {&b, &a, &zero, &none})[0];
  EXPECT_EQ(both.shape(), (std::vector<int64_t>{2}));
  const HostTensor type = params({int64_t(DType::I64), 1});
  EXPECT_EQ(run("sequence_at", {&both, &zero, &type})[0].toInts(), x.toInts());
  EXPECT_EQ(run("sequence_at", {&both, &minus, &type})[0].toInts(), y.toInts());
  EXPECT_EQ(
      run("concat_items", {&both, &(const HostTensor &)params({0, 0, int64_t(DType::I64), 1})})[0]
          .toInts(),
      (std::vector<int64_t>{1, 2, 3}));
  both = run("sequence_erase", {&both, nullptr, &none})[0];
  EXPECT_EQ(run("sequence_at", {&both, &minus, &type})[0].toInts(), x.toInts());
}

TEST_F(Items, WhatASequenceDoesNotHoldIsAnError) {
  const HostTensor none = params({}), x = ints({2}, {1, 2}), one = ints({}, {1});
  const HostTensor type = params({int64_t(DType::I64), 1}),
                   other = params({int64_t(DType::F32), 1});
  const HostTensor zero = ints({}, {0}), a = run("item_of", {&x, &none})[0];
  EXPECT_NE(failure("sequence_at", {&a, &one, &type}).find("outside"), std::string::npos);
  EXPECT_NE(failure("sequence_at", {&a, &zero, &other}).find("compiled for"), std::string::npos);
  HostTensor wild(DType::Item, {1});
  wild.mutableData<uint64_t>()[0] = 77;
  EXPECT_NE(failure("sequence_at", {&wild, &zero, &type}), "");
  const HostTensor empty(DType::Item, {0});
  EXPECT_NE(failure("sequence_erase", {&empty, nullptr, &none}), "");
}

TEST_F(Items, SplitsIntoParts) {
  const HostTensor x = ints({2, 3}, {1, 2, 3, 4, 5, 6}), two = ints({}, {2});
  const HostTensor at = params({int64_t(DType::I64), 2}), one = ints({}, {1});
  const HostTensor keep = params({1, 1});
  HostTensor parts = run("split_to_items", {&x, &two, &keep})[0];
  EXPECT_EQ(parts.elems(), 2);
  EXPECT_EQ(run("sequence_at", {&parts, &one, &at})[0].toInts(), (std::vector<int64_t>{3, 6}));
  EXPECT_NE(failure("split_to_items", {&x, &(const HostTensor &)ints({2}, {1, 1}), &keep}), "");
  EXPECT_NE(failure("split_to_items", {&x, &(const HostTensor &)ints({}, {0}), &keep}), "");
}

TEST_F(Items, SplitsStringsAsPythonDoes) {
  const HostTensor x = words({" a b  c ", "", "d"}), comma = words({","}), all = params({-1});
  auto made = run("string_split", {&x, nullptr, &all});
  EXPECT_EQ(texts(made[0]), (Words{"a", "b", "c", "", "", "", "d", "", ""}));
  EXPECT_EQ(made[1].toInts(), (std::vector<int64_t>{3, 0, 1}));
  EXPECT_EQ(texts(run("string_split", {&x, nullptr, &(const HostTensor &)params({1})})[0]),
            (Words{"a", "b  c ", "", "", "d", ""}));
  const HostTensor y = words({"a,,b", ""});
  EXPECT_EQ(texts(run("string_split", {&y, &comma, &all})[0]), (Words{"a", "", "b", "", "", ""}));
}

TEST_F(Items, NormalizesAndConverts) {
  const HostTensor x = words({"Monday", "tuesday", "Ünder"}), stops = words({"monday"});
  const HostTensor lower = params({2, 0}), sensitive = params({1, 1}), none = params({});
  EXPECT_EQ(texts(run("string_normalize", {&x, &stops, &lower})[0]), (Words{"TUESDAY", "ÜNDER"}));
  EXPECT_EQ(texts(run("string_normalize", {&x, &stops, &sensitive})[0]),
            (Words{"monday", "tuesday", "ünder"}));
  const HostTensor n = words({"1.5", "-2", "+inf"}), f32 = params({int64_t(DType::F32)});
  const HostTensor back = run("from_strings", {&n, &f32})[0];
  EXPECT_EQ(back.toDouble(0), 1.5);
  EXPECT_EQ(texts(run("to_strings", {&back, &none})[0]), (Words{"1.5", "-2", "INF"}));
  EXPECT_NE(failure("from_strings", {&x, &f32}).find("Monday"), std::string::npos);
}

TEST_F(Items, MapsLabelsAndSortsTexts) {
  const HostTensor x = words({"b", "a", "z", "b"}), keys = words({"a", "b"}), none = params({});
  const HostTensor values = ints({2}, {1, 2}), fallback = ints({1}, {-1});
  EXPECT_EQ(run("map_labels", {&x, &keys, &values, &fallback, &none})[0].toInts(),
            (std::vector<int64_t>{2, 1, -1, 2}));
  EXPECT_EQ(texts(run("unique", {&x, &(const HostTensor &)params({0, 1, 1})})[0]),
            (Words{"a", "b", "z"}));
}

TEST_F(Items, ConstantTextsAreCheckedWhenRead) {
  const std::string given[] = {"ab", "", "c"};
  const HostTensor packed = packTexts(stringTensor(ItemHeap::process(), {3}, given));
  const HostTensor none = params({}), shape = ints({1}, {3}), more = ints({1}, {4});
  EXPECT_EQ(texts(run("texts", {&packed, &shape, &none})[0]), (Words{"ab", "", "c"}));
  EXPECT_NE(failure("texts", {&packed, &more, &none}), "");
}

TEST_F(Items, RowsBecomeMaps) {
  const std::vector<float> scores = {1, 2, 3, 4};
  const HostTensor none = params({}), x = HostTensor::of<float>(DType::F32, {2, 2}, scores);
  const HostTensor keys = words({"no", "yes"}), few = words({"no"});
  HostTensor maps = run("zip_map", {&x, &keys, &none})[0];
  EXPECT_EQ(maps.shape(), (std::vector<int64_t>{2}));
  const HostTensor map = *heap.tensorAt(static_cast<uint64_t>(maps.toInt(1)));
  EXPECT_EQ(map.shape(), (std::vector<int64_t>{1, 2}));
  EXPECT_EQ(texts(*heap.tensorAt(static_cast<uint64_t>(map.toInt(0)))), (Words{"no", "yes"}));
  EXPECT_EQ(heap.tensorAt(static_cast<uint64_t>(map.toInt(1)))->toDouble(1), 4);
  EXPECT_NE(failure("zip_map", {&x, &few, &none}).find("E0242"), std::string::npos);
}

} // namespace
} // namespace imbrex
