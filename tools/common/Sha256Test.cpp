#include "tools/common/Sha256.h"

#include <gtest/gtest.h>

using namespace imbrex::tools;

namespace {

std::string hashOf(std::string_view text) {
  Sha256 hash;
  hash.update(text);
  return hash.hex();
}

} // namespace

// The examples of FIPS 180-4.
TEST(Sha256, GivesTheValuesOfTheStandard) {
  EXPECT_EQ(hashOf(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(hashOf("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hashOf("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

TEST(Sha256, IsTheSameInPiecesOfAnySize) {
  const std::string text(1000, 'x');
  for (size_t piece : {1, 3, 55, 56, 63, 64, 65, 128, 999}) {
    Sha256 hash;
    for (size_t at = 0; at < text.size(); at += piece)
      hash.update(std::string_view(text).substr(at, piece));
    EXPECT_EQ(hash.hex(), hashOf(text)) << piece;
  }
}

TEST(Sha256, TellsFieldsApart) {
  Sha256 a, b;
  a.updateField("ab"), a.updateField("c");
  b.updateField("a"), b.updateField("bc");
  EXPECT_NE(a.hex(), b.hex());
}
