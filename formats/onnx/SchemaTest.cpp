// Every field that Onnx.proto declares has the number, label and kind of the schema in the onnx
// package.
#include <google/protobuf/descriptor.h>
#include <google/protobuf/descriptor.pb.h>

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>

namespace pb = google::protobuf;

/// A schema as protoc understands it.
struct Schema {
  Schema(const std::string &dir, const std::string &name) {
    std::string command = "'" PROTOC "' --include_imports --descriptor_set_out=/dev/stdout -I '" +
                          dir + "' '" + dir + "/" + name + "'";
    std::string out;
    FILE *pipe = popen(command.c_str(), "r");
    char part[4096];
    for (size_t n; pipe && (n = fread(part, 1, sizeof part, pipe)) > 0;)
      out.append(part, n);
    pb::FileDescriptorSet set;
    if (pipe && pclose(pipe) == 0 && set.ParseFromString(out))
      for (const auto &part : set.file()) // what it imports first
        file = pool.BuildFile(part);
  }
  pb::DescriptorPool pool;
  const pb::FileDescriptor *file = nullptr;
};

/// An enum is read as the int32 it is on the wire.
static std::string kind(const pb::FieldDescriptor &f) {
  if (f.type() == pb::FieldDescriptor::TYPE_ENUM)
    return "int32";
  return f.type() == pb::FieldDescriptor::TYPE_MESSAGE ? f.message_type()->name() : f.type_name();
}

static int compare(const pb::Descriptor &ours, const pb::Descriptor &theirs) {
  int fields = 0;
  for (int i = 0; i < ours.field_count(); ++i, ++fields) {
    const auto &f = *ours.field(i);
    const auto *g = theirs.FindFieldByName(f.name());
    EXPECT_NE(g, nullptr) << f.full_name();
    if (!g)
      continue;
    EXPECT_EQ(f.number(), g->number()) << f.full_name();
    EXPECT_EQ(kind(f), kind(*g)) << f.full_name();
    EXPECT_EQ(f.is_repeated(), g->is_repeated()) << f.full_name();
    EXPECT_EQ(f.real_containing_oneof() != nullptr, g->real_containing_oneof() != nullptr)
        << f.full_name();
  }
  for (int i = 0; i < ours.nested_type_count(); ++i) {
    const auto &inner = *ours.nested_type(i);
    const auto *match = theirs.FindNestedTypeByName(inner.name());
    EXPECT_NE(match, nullptr) << inner.full_name();
    if (match)
      fields += compare(inner, *match);
  }
  return fields;
}

TEST(OnnxSchema, AgreesWithThePackage) {
  if (!std::filesystem::exists(PACKAGE_SCHEMA_DIR "/onnx-ml.proto"))
    GTEST_SKIP() << "no onnx package under wheels/: run scripts/fetch-wheels";
  Schema ours(OUR_SCHEMA_DIR, "Onnx.proto"), theirs(PACKAGE_SCHEMA_DIR, "onnx-ml.proto");
  Schema values(PACKAGE_SCHEMA_DIR "/..", "onnx/onnx-data.proto");
  ASSERT_NE(ours.file, nullptr);
  ASSERT_NE(theirs.file, nullptr);
  ASSERT_NE(values.file, nullptr);
  int fields = 0;
  for (int i = 0; i < ours.file->message_type_count(); ++i) {
    const auto &m = *ours.file->message_type(i);
    const auto *match = theirs.file->FindMessageTypeByName(m.name());
    if (!match)
      match = values.file->FindMessageTypeByName(m.name());
    ASSERT_NE(match, nullptr) << m.name();
    fields += compare(m, *match);
  }
  EXPECT_GE(fields, 90);
}
