#include "support/tensor/ItemHeap.h"

#include <gtest/gtest.h>

namespace imbrex {
namespace {

TEST(ItemHeapTest, EqualTextsHaveEqualNumbers) {
  ItemHeap heap;
  EXPECT_EQ(heap.string(""), 0u);
  const uint64_t a = heap.string("a"), b = heap.string("b");
  EXPECT_NE(a, b);
  EXPECT_EQ(heap.string("a"), a);
  EXPECT_EQ(heap.text(a), "a");
  EXPECT_EQ(heap.text(99), std::nullopt);
}

TEST(ItemHeapTest, AHeapKnowsItsBase) {
  ItemHeap constants;
  const uint64_t a = constants.string("a");
  ItemHeap run(&constants);
  EXPECT_EQ(run.string("a"), a);
  const uint64_t b = run.string("b");
  EXPECT_EQ(run.text(a), "a");
  run.clear();
  EXPECT_EQ(run.text(b), std::nullopt);
  EXPECT_EQ(run.text(a), "a");
  EXPECT_EQ(run.bytes(), 0);
}

TEST(ItemHeapTest, KeepsWhatRootsReachThroughTensors) {
  ItemHeap heap;
  const std::string texts[] = {"kept", "kept too"};
  const uint64_t item = heap.tensor(stringTensor(heap, {2}, texts));
  const uint64_t lost = heap.string("lost"), other = heap.tensor(HostTensor(DType::F32, {1000}));
  const int64_t before = heap.bytes();
  heap.keepOnly({std::span(&item, 1)});
  ASSERT_TRUE(heap.tensorAt(item));
  EXPECT_EQ(textAt(heap, *heap.tensorAt(item), 1), "kept too");
  EXPECT_EQ(heap.text(lost), std::nullopt);
  EXPECT_FALSE(heap.tensorAt(other));
  EXPECT_LT(heap.bytes(), before - 4000);
  EXPECT_EQ(heap.text(heap.string("lost")), "lost");
}

TEST(ItemHeapTest, ReleasesManyNestedItemsInALoop) {
  ItemHeap heap;
  uint64_t inner = heap.string("core");
  for (int depth = 0; depth < 100000; ++depth) {
    HostTensor t(DType::Item, {1});
    t.mutableData<uint64_t>()[0] = inner;
    inner = heap.tensor(std::move(t));
  }
  heap.keepOnly({std::span(&inner, 1)});
  EXPECT_TRUE(heap.tensorAt(inner));
  heap.keepOnly({});
  EXPECT_FALSE(heap.tensorAt(inner));
}

} // namespace
} // namespace imbrex
