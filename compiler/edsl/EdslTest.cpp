// Kernels as a reader of the guide would write them, and what tracing refuses.
#include "compiler/edsl/Kernel.h"

#include <gtest/gtest.h>

namespace imbrex::edsl {
namespace {

constexpr DType f32 = DType::F32;

std::string faultOf(const KernelFunction &kernel) {
  TraceReport report;
  auto text = traceKernels({{"k", kernel}}, report);
  return text ? "" : text.error().what;
}

void add(Kernel &k) {
  Size n = k.size("n");
  Input a = k.input("a", f32, {n}), b = k.input("b", f32, {n});
  Output c = k.output("c", f32, {n});
  Piece p = k.own(c, {1024});
  p.store(a.load(p) + b.load(p));
}

void matmul(Kernel &k) {
  Size m = k.size("m"), n = k.size("n"), d = k.size("d");
  Input a = k.input("a", f32, {m, d}), b = k.input("b", f32, {d, n});
  Output c = k.output("c", f32, {m, n});
  Piece p = k.own(c, {64, 64}, grouped(8));
  Tile product = k.loop(tiles(d, 32), k.zeros(f32, {64, 64}), [&](Index q, Tile sum) {
    return mma(a.load({p[0], q}, {64, 32}), b.load({q, p[1]}, {32, 64}), sum);
  });
  p.store(product);
}

void softmax(Kernel &k) {
  Size rows = k.size("rows");
  Input x = k.input("x", f32, {rows, 128});
  Output y = k.output("y", f32, {rows, 128});
  Piece p = k.own(y, {4, 128});
  Tile t = x.load(p);
  Tile e = exp(t - maximumOf(t, 1, Keep::Yes));
  p.store(e / sum(e, 1, Keep::Yes));
}

TEST(Edsl, TracesAndProvesKernels) {
  TraceReport report;
  auto text = traceKernels({{"add", add}, {"matmul", matmul}, {"softmax", softmax}}, report);
  ASSERT_TRUE(text) << text.error().what;
  EXPECT_EQ(report.kernels, 3u);
  EXPECT_EQ(report.launchChecks, 0);
  EXPECT_EQ(report.inKernelChecks, 0);
  EXPECT_EQ(report.unsafeRegions, 0);
  EXPECT_NE(text->find("tile.kernel @matmul"), std::string::npos);
  EXPECT_NE(text->find("grouped 8"), std::string::npos);
}

TEST(Edsl, IntegersKeepTheirSign) {
  auto textOf = [](DType type) {
    TraceReport report;
    auto text = traceKernels(
        {{"k",
          [&](Kernel &k) {
            Size n = k.size("n");
            Input x = k.input("x", type, {n});
            Output y = k.output("y", DType::I32, {n});
            Piece p = k.own(y, {64});
            Tile t = x.load(p);
            t = select(less(t, 9), maximum(t >> 1, t / 3), t);
            p.store(cast(k.loop(2, t, [](Index, Tile s) { return s & 15; }), DType::I32));
          }}},
        report);
    return text ? *text : text.error().what;
  };
  std::string isUnsigned = textOf(DType::U8), isSigned = textOf(DType::I8);
  for (const char *op : {"cmpi ult", "maxui", "shrui", "divui", "extui"})
    EXPECT_NE(isUnsigned.find(op), std::string::npos) << op << " in " << isUnsigned;
  for (const char *op : {"cmpi slt", "maxsi", "shrsi", "divsi", "extsi"})
    EXPECT_NE(isSigned.find(op), std::string::npos) << op << " in " << isSigned;
}

TEST(Edsl, StridesMustKeepElementsApart) {
  auto part = [](bool apart) {
    return faultOf([=](Kernel &k) {
      Size n = k.size("n"), room = k.size("room");
      if (apart)
        k.assumeAtLeast(room, n);
      Output y = k.output("y", f32, {4, n, 8}, {room * Size(8), 8, 1});
      k.own(y, {1, 16, 8}).store(k.zeros(f32, {1, 16, 8}));
    });
  };
  EXPECT_EQ(part(true), "");
  EXPECT_NE(part(false).find("two of its indices may be one address"), std::string::npos);
  EXPECT_NE(faultOf([](Kernel &k) {
              Output y = k.output("y", f32, {4, 8}, {8});
              k.own(y, {1, 8}).store(k.zeros(f32, {1, 8}));
            }).find("has 1 strides for the 2 axes of 'y'"),
            std::string::npos);
}

TEST(Edsl, BitsAreOfIntegers) {
  EXPECT_NE(faultOf([](Kernel &k) {
              Size n = k.size("n");
              Output y = k.output("y", f32, {n});
              Piece p = k.own(y, {8});
              p.store(k.zeros(f32, {8}) & 1);
            }).find("takes bits of tiles of f32"),
            std::string::npos);
}

TEST(Edsl, AStoreHasNoPlaceToGetWrong) {
  // A piece can be loaded from elsewhere, but stored only where it is.
  std::string fault = faultOf([](Kernel &k) {
    Size n = k.size("n");
    Input x = k.input("x", f32, {n});
    Output y = k.output("y", f32, {n});
    Piece p = k.own(y, {64});
    p.store(x.load({p[0] + 1}, {64}));
  });
  EXPECT_NE(fault.find("reads tile block.0+1 of axis 0 of 'x', which must be below"),
            std::string::npos)
      << fault;
  EXPECT_NE(fault.find("EdslTest.cpp:"), std::string::npos) << fault;
}

TEST(Edsl, NamesEveryFaultWithItsLine) {
  std::string fault = faultOf([](Kernel &k) {
    Size n = k.size("n");
    Input x = k.input("x", f32, {n}), h = k.input("h", DType::F16, {n});
    Output y = k.output("y", f32, {n});
    Piece p = k.own(y, {64});
    Tile a = x.load(p) + h.load(p);
    p.store(slice(a, {0}, {32}));
  });
  EXPECT_NE(fault.find("joins tiles of f32 and f16; cast one of them"), std::string::npos) << fault;
  EXPECT_NE(fault.find("stores a tile of another shape or type than its piece"), std::string::npos)
      << fault;
}

TEST(Edsl, RefusesOutputsThatAreNotWritten) {
  std::string fault = faultOf([](Kernel &k) {
    Size n = k.size("n");
    Output y = k.output("y", f32, {n});
    (void)k.own(y, {64});
  });
  EXPECT_NE(fault.find("never stores into 'y'"), std::string::npos) << fault;
}

TEST(Edsl, RefusesTwoGrids) {
  std::string fault = faultOf([](Kernel &k) {
    Size n = k.size("n");
    Output y = k.output("y", f32, {n}), z = k.output("z", f32, {n});
    k.own(y, {64}).store(k.zeros(f32, {64}));
    k.own(z, {32}).store(k.zeros(f32, {32}));
  });
  EXPECT_NE(fault.find("cuts two outputs into different grids"), std::string::npos) << fault;
}

TEST(Edsl, ChecksDataDependentPlacesInTheKernel) {
  TraceReport report;
  auto text = traceKernels({{"page",
                             [](Kernel &k) {
                               Size n = k.size("n");
                               Input pages = k.input("pages", DType::I32, {1});
                               Input x = k.input("x", f32, {n});
                               Output y = k.output("y", f32, {64});
                               Piece p = k.own(y, {64});
                               p.store(x.load({pages.read({0})}, {64}));
                             }}},
                           report);
  ASSERT_TRUE(text) << text.error().what;
  EXPECT_EQ(report.inKernelChecks, 2);
}

TEST(Edsl, PersistentKernelsShareThePieces) {
  TraceReport report;
  auto text = traceKernels({{"persistent",
                             [](Kernel &k) {
                               Size m = k.size("m"), n = k.size("n"),
                                    blocks = k.size("blocks", {.least = 1});
                               Input x = k.input("x", f32, {m, n});
                               Output y = k.output("y", f32, {m, n});
                               k.eachPiece(y, {16, 16}, blocks, grouped(4),
                                           [&](const Piece &p) { p.store(maximum(x.load(p), 0)); });
                             }}},
                           report);
  ASSERT_TRUE(text) << text.error().what;
  EXPECT_EQ(report.launchChecks, 0);
}

} // namespace
} // namespace imbrex::edsl
