// decode_image: the bytes of a picture's file as pixels. The codecs are a library of their own,
// opened at first use.
#include "support/images/Images.h"
#include "support/hostops/Access.h"
#include "support/hostops/HostOps.h"

#include <dlfcn.h>
#include <mutex>
#include <string>

namespace imbrex {

using namespace hostops;

namespace {

constexpr const char *kLibrary = "libimbrex-images.so.0";

/// Where this code's own file lies, and the folder lib beside it; then where the system finds
/// libraries.
std::vector<std::string> places() {
  std::vector<std::string> all;
  Dl_info own{};
  if (::dladdr(reinterpret_cast<const void *>(&places), &own) && own.dli_fname) {
    const std::string path = own.dli_fname;
    const size_t slash = path.rfind('/');
    const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash);
    all = {folder + "/" + kLibrary, folder + "/../lib/" + kLibrary};
  }
  all.emplace_back(kLibrary);
  return all;
}

Result<ImbrexDecodePicture> openLibrary() {
  std::string why;
  for (const std::string &path : places()) {
    void *handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    void *function = handle ? ::dlsym(handle, "imbrex_decode_picture") : nullptr;
    if (function)
      return reinterpret_cast<ImbrexDecodePicture>(function);
    if (const char *said = ::dlerror())
      why += (why.empty() ? "" : "; ") + std::string(said);
  }
  return unsupported(118, "the library that decodes pictures cannot be opened", why,
                     std::string(kLibrary) +
                         " beside the runtime, and Debian's packages libjpeg62-turbo, libpng16-16, "
                         "libwebp7, libtiff6 and libopenjp2-7");
}

/// Opened once; a failure is tried again, as the library may come to be there.
Result<ImbrexDecodePicture> decoder() {
  static std::mutex mutex;
  static ImbrexDecodePicture known = nullptr;
  std::lock_guard lock(mutex);
  if (!known) {
    auto opened = openLibrary();
    if (!opened)
      return opened;
    known = *opened;
  }
  return known;
}

uint8_t *grow(void *user, int64_t height, int64_t width) {
  auto &out = *static_cast<HostTensor *>(user);
  out = HostTensor(DType::U8, {height, width, 3});
  return reinterpret_cast<uint8_t *>(out.mutableBytes().data());
}

} // namespace

Status imagesReady() {
  auto opened = decoder();
  return opened ? Status() : Status(opened.takeError());
}

Result<std::vector<HostTensor>> decodeImage(HostArgs args) {
  enum Format : int64_t { Rgb, Bgr, Gray };
  const HostTensor &file = *args[0];
  const int64_t format = param(*args[1], 0);
  if (file.type() != DType::U8 || format < Rgb || format > Gray)
    return wrongValue("a picture is a vector of bytes, decoded as RGB, BGR or gray");
  auto decode = decoder();
  if (!decode)
    return decode.takeError();
  HostTensor rgb(DType::U8, {0, 0, 3});
  const auto *bytes = reinterpret_cast<const uint8_t *>(file.bytes().data());
  if ((*decode)(bytes, static_cast<size_t>(file.elems()), grow, &rgb) != 0)
    rgb = HostTensor(DType::U8, {0, 0, 3});
  if (format == Rgb)
    return std::vector{std::move(rgb)};
  const int64_t pixels = rgb.elems() / 3, channels = format == Gray ? 1 : 3;
  HostTensor out(DType::U8, {rgb.shape()[0], rgb.shape()[1], channels});
  const auto *from = rgb.data<uint8_t>();
  auto *to = out.mutableData<uint8_t>();
  for (int64_t k = 0; k < pixels; ++k) {
    const uint8_t *p = from + k * 3;
    if (format == Gray) // ITU-R BT.601, in 16 fractional bits
      to[k] = static_cast<uint8_t>((p[0] * 19595 + p[1] * 38470 + p[2] * 7471 + 0x8000) >> 16);
    else
      to[k * 3] = p[2], to[k * 3 + 1] = p[1], to[k * 3 + 2] = p[0];
  }
  return std::vector{std::move(out)};
}

} // namespace imbrex
