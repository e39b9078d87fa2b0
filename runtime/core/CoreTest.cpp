#include "runtime/core/Arena.h"
#include "runtime/core/Objects.h"

#include <cstring>
#include <gtest/gtest.h>
#include <thread>

namespace imbrex::runtime {
namespace {

TEST(ValueTest, ReleasesAListOfAMillionElements) {
  Value list;
  for (int64_t i = 0; i < 1'000'000; ++i) {
    std::vector<Value> fields;
    fields.emplace_back(i);
    fields.push_back(std::move(list));
    list = Value(static_cast<Object *>(Record::create(1, std::move(fields))));
  }
  EXPECT_EQ(list.record()->fields[0].integer(), 999'999);
  list = Value();
  EXPECT_EQ(list.tag(), Value::Tag::None);
}

TEST(ValueTest, CountsReferences) {
  int64_t shape[] = {2, 3};
  Value a(static_cast<Object *>(Tensor::create(DType::F32, shape, nullptr)));
  Value b = a;
  EXPECT_EQ(a.object()->refs, 2u);
  b = Value(int64_t{7});
  EXPECT_EQ(a.object()->refs, 1u);
  EXPECT_EQ(a.tensor()->byteCount, 24u);
  EXPECT_EQ(a.tensor()->view.stride[0], 3);
  EXPECT_EQ(b.tensor(), nullptr);
}

struct Listener : ReleaseListener {
  void released(uint64_t, uint64_t bytes) override { total += bytes; }
  uint64_t total = 0;
};

TEST(TensorTest, TellsWhenItsStorageGoes) {
  auto pool = std::make_shared<StoragePool>(1 << 20);
  Listener listener;
  int64_t shape[] = {10};
  StorageRef storage = pool->allocate(40);
  Tensor *t = Tensor::create(DType::F32, shape, storage->data());
  t->storage = storage;
  t->listener = &listener;
  Value value(static_cast<Object *>(t));
  value = Value();
  EXPECT_EQ(listener.total, 0u) << "somebody else still holds the storage";
  t = Tensor::create(DType::F32, shape, storage->data());
  t->storage = std::move(storage);
  t->listener = &listener;
  releaseObject(t);
  EXPECT_EQ(listener.total, 40u);
}

TEST(DenseBytesTest, RefusesOverflowAndNegative) {
  uint64_t bytes = 1;
  int64_t huge[] = {1ll << 40, 1ll << 40};
  EXPECT_FALSE(denseBytes(DType::F32, huge, bytes));
  int64_t negative[] = {4, -1};
  EXPECT_FALSE(denseBytes(DType::F32, negative, bytes));
  int64_t empty[] = {1ll << 40, 1ll << 40, 0};
  EXPECT_TRUE(denseBytes(DType::F32, empty, bytes));
  EXPECT_EQ(bytes, 0u);
}

TEST(StoragePoolTest, ReusesBlocksAndOutlivesItsOwner) {
  auto pool = std::make_shared<StoragePool>(64ull << 20);
  std::byte *first = nullptr;
  {
    StorageRef a = pool->allocate(3 << 20);
    first = a->data();
    EXPECT_EQ(reinterpret_cast<uintptr_t>(first) % 64, 0u);
    std::memset(first, 1, 3 << 20);
  }
  StorageRef b = pool->allocate((3 << 20) - 100);
  EXPECT_EQ(b->data(), first);
  pool.reset();
  std::thread([c = std::move(b)]() mutable { c = StorageRef(); }).join();
  EXPECT_FALSE(std::make_shared<StoragePool>(0)->allocate(1ull << 60));
}

TEST(StoragePoolTest, WhatIsNotAskedForMakesRoom) {
  auto pool = std::make_shared<StoragePool>(16ull << 20);
  pool->allocate(15 << 20); // released at once, and kept
  const std::byte *first = pool->allocate(4 << 20)->data();
  EXPECT_EQ(pool->allocate(4 << 20)->data(), first) << "the large block keeps it out";
  // Any number of other sizes in between.
  for (uint64_t i = 1; i <= 200; ++i) {
    pool->allocate(i * 4096);
    EXPECT_EQ(pool->allocate(4 << 20)->data(), first) << i;
  }
}

TEST(ArenaTest, GivesBackWhatManyRunsLeaveUnused) {
  Arena arena(Prefault::No);
  auto run = [&](uint64_t bytes) {
    Arena::Frame outer, inner;
    ASSERT_TRUE(arena.push(64, outer));
    ASSERT_TRUE(arena.push(bytes, inner));
    arena.pop(inner);
    arena.pop(outer);
  };
  run(64 << 20);
  for (int i = 0; i < 40; ++i)
    run(i % 8 ? 4 << 20 : 64 << 20);
  EXPECT_GE(arena.mappedBytes(), 64u << 20) << "large runs still come";
  for (int i = 0; i < 40; ++i)
    run(i % 2 ? 4 << 20 : 1 << 20);
  EXPECT_LE(arena.mappedBytes(), 8u << 20);
  uint64_t mapped = arena.mappedBytes();
  run(4 << 20);
  EXPECT_EQ(arena.mappedBytes(), mapped);
}

TEST(ArenaTest, FramesNestAndBlocksJoin) {
  Arena arena(Prefault::No);
  Arena::Frame a, b, c;
  ASSERT_TRUE(arena.push(1000, a));
  ASSERT_TRUE(arena.push(10 << 20, b));
  ASSERT_TRUE(arena.push(0, c));
  std::memset(a.base, 1, a.bytes);
  std::memset(b.base, 2, b.bytes);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(b.base) % hugePageBytes, 0u);
  EXPECT_EQ(a.base[999], std::byte{1});
  EXPECT_NE(c.base, nullptr);
  arena.pop(c);
  arena.pop(b);
  arena.pop(a);
  uint64_t mapped = arena.mappedBytes();
  Arena::Frame d, e;
  ASSERT_TRUE(arena.push(1000, d));
  ASSERT_TRUE(arena.push(10 << 20, e));
  EXPECT_EQ(e.base, d.base + d.bytes) << "one block serves both now";
  EXPECT_EQ(arena.mappedBytes(), mapped + (hugePageBytes - mapped % hugePageBytes) % hugePageBytes);
  arena.pop(e);
  arena.pop(d);
  EXPECT_FALSE(arena.push(1ull << 60, a));
}

} // namespace
} // namespace imbrex::runtime
