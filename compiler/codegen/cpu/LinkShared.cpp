#include "compiler/codegen/cpu/EmitCode.h"

#include "lld/Common/Driver.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Target/TargetMachine.h"

#include <algorithm>
#include <mutex>
#include <set>

LLD_HAS_DRIVER(elf)

namespace imbrex::codegen {

size_t ImportTable::place(llvm::StringRef name) {
  for (size_t i = 0; i < names.size(); ++i)
    if (names[i] == name)
      return i;
  names.push_back(name.str());
  return names.size() - 1;
}

namespace {

/// A private directory that goes with its files.
struct ScratchDirectory {
  llvm::SmallString<128> path;
  bool good = !llvm::sys::fs::createUniqueDirectory("imbrex-link", path);
  ~ScratchDirectory() {
    if (good)
      llvm::sys::fs::remove_directories(path);
  }
  std::string file(llvm::StringRef name) const { return (path + "/" + name).str(); }
};

bool writeFile(const std::string &path, llvm::StringRef bytes) {
  std::error_code error;
  llvm::raw_fd_ostream out(path, error);
  if (error)
    return false;
  out << bytes;
  out.close();
  return !out.has_error();
}

/// Adds the names that an object uses and does not define.
Status addUndefinedSymbols(const std::vector<char> &object, std::set<std::string> &names) {
  llvm::MemoryBufferRef buffer(llvm::StringRef(object.data(), object.size()), "kernels.o");
  auto file = llvm::object::ObjectFile::createObjectFile(buffer);
  if (!file) {
    llvm::consumeError(file.takeError());
    return internalError(612, "the compiled object is not readable");
  }
  for (const auto &symbol : (*file)->symbols()) {
    auto flags = symbol.getFlags();
    auto name = symbol.getName();
    if (!flags || !name) {
      if (!flags)
        llvm::consumeError(flags.takeError());
      if (!name)
        llvm::consumeError(name.takeError());
      continue;
    }
    if ((*flags & llvm::object::SymbolRef::SF_Undefined) && !name->empty() &&
        *name != "_GLOBAL_OFFSET_TABLE_")
      names.insert(name->str());
  }
  return {};
}

/// Assembly of one jump through the table for each name: every call out goes through memory that
/// the loader filled, and the file needs no library.
std::string stubs(const std::set<std::string> &names, ImportTable &imports) {
  std::string text = ".text\n";
  for (const std::string &name : names) {
    text += ".globl " + name + "\n.hidden " + name + "\n.type " + name +
            ",@function\n.p2align 4\n" + name + ":\n  jmpq *.Limports+" +
            std::to_string(8 * imports.place(name)) + "(%rip)\n";
  }
  text +=
      ".bss\n.globl imx_imports\n.type imx_imports,@object\n.p2align 6\nimx_imports:\n.Limports:\n";
  return text;
}

} // namespace

static Result<std::vector<char>> assembleStubs(const CpuTarget &target, const std::string &text) {
  llvm::LLVMContext context;
  llvm::Module module("imports", context);
  module.setTargetTriple(llvm::Triple(target.triple));
  module.setModuleInlineAsm(text);
  auto machine = machineFor(target);
  if (!machine)
    return machine.takeError();
  module.setDataLayout((*machine)->createDataLayout());
  llvm::SmallVector<char, 0> object;
  llvm::raw_svector_ostream out(object);
  llvm::legacy::PassManager emit;
  if ((*machine)->addPassesToEmitFile(emit, out, nullptr, llvm::CodeGenFileType::ObjectFile))
    return internalError(612, "LLVM cannot write the import stubs");
  emit.run(module);
  return std::vector<char>(object.begin(), object.end());
}

/// The linker's arguments: objects in order, then names for their functions.
static std::vector<std::string> arguments(const ScratchDirectory &scratch, size_t objects,
                                          const SymbolNames &exported) {
  std::vector<std::string> args = {"ld.lld", "-shared", "-o", scratch.file("kernels.so")};
  for (size_t i = 0; i < objects; ++i)
    args.push_back(scratch.file(std::to_string(i) + ".o"));
  for (const auto &[name, symbol] : exported)
    if (name != symbol)
      args.push_back("--defsym=" + name + "=" + symbol);
  args.insert(args.end(), {scratch.file("imports.o"), "--version-script=" + scratch.file("exports"),
                           "--no-undefined", "--gc-sections", "-z", "now", "-z", "separate-code",
                           "--build-id=none", "--hash-style=gnu", "--threads=1"});
  return args;
}

/// What the linker reads. False when it cannot be written.
static bool writeInputs(const ScratchDirectory &scratch,
                        const std::vector<std::vector<char>> &objects,
                        const std::vector<char> &imports, const SymbolNames &exported) {
  std::string script = "{ global: imx_imports;";
  for (const auto &names : exported)
    script += " " + names.first + ";";
  script += " local: *; };\n";
  bool good = writeFile(scratch.file("imports.o"), {imports.data(), imports.size()}) &&
              writeFile(scratch.file("exports"), script);
  for (size_t i = 0; good && i < objects.size(); ++i)
    good =
        writeFile(scratch.file(std::to_string(i) + ".o"), {objects[i].data(), objects[i].size()});
  return good;
}

Result<std::vector<char>> linkShared(const std::vector<std::vector<char>> &objects,
                                     const CpuTarget &target, const SymbolNames &exported,
                                     ImportTable &imports) {
  std::set<std::string> names;
  for (const std::vector<char> &object : objects)
    if (auto s = addUndefinedSymbols(object, names); !s)
      return s.takeError();
  std::string text = stubs(names, imports);
  // At least one word, so that the symbol is an object even when nothing is imported.
  size_t bytes = 8 * std::max<size_t>(1, imports.names.size());
  text +=
      "  .zero " + std::to_string(bytes) + "\n.size imx_imports," + std::to_string(bytes) + "\n";
  auto table = assembleStubs(target, text);
  if (!table)
    return table.takeError();

  ScratchDirectory scratch;
  if (!scratch.good)
    return badInput(612, "no temporary directory can be made", "the linker works on files",
                    "setting TMPDIR to a writable directory");
  if (!writeInputs(scratch, objects, *table, exported))
    return badInput(612,
                    "the temporary directory " + std::string(scratch.path) + " cannot be written",
                    "it may be full", "setting TMPDIR to another directory");
  const std::vector<std::string> words = arguments(scratch, objects.size(), exported);
  std::vector<const char *> args;
  for (const std::string &word : words)
    args.push_back(word.c_str());
  std::string said;
  llvm::raw_string_ostream log(said);
  {
    static std::mutex one; // the linker keeps global state
    std::lock_guard lock(one);
    lld::DriverDef driver{lld::Gnu, &lld::elf::link};
    auto result = lld::lldMain(args, log, log, {driver});
    if (result.retCode != 0 || !result.canRunAgain)
      return internalError(612, "the linker refused the kernels: " + said);
  }
  auto file = llvm::MemoryBuffer::getFile(scratch.file("kernels.so"), false, false);
  if (!file)
    return internalError(612, "the linked kernels cannot be read back");
  return std::vector<char>((*file)->getBufferStart(), (*file)->getBufferEnd());
}

} // namespace imbrex::codegen
