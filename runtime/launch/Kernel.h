// A compiled kernel as a function of tensors.
//
//   Kernel add(loaded);                               what compiler/jit gives
//   add(a.read(), b.read(), c.give())                 Operation<Tensor<float>>: c comes back
//   add(a.read(), b.read(), c.write())                Operation<Done>
//   sumRows.with("blocks", 4)(x.read(), y.write())    a size that follows from no operand
//
// Operands stand in the kernel's order. Each launch is checked against what the kernel was proven
// for: types, shapes, sizes and their facts (E0280 to E0284), and who else holds the memory
// (E0285). Cost: about a microsecond, see make bench-launch.
#pragma once

#include "runtime/launch/Operation.h"

namespace imbrex::launch {

class Kernel {
public:
  explicit Kernel(LoadedKernel kernel)
      : kernel(std::make_shared<const LoadedKernel>(std::move(kernel))),
        last(std::make_shared<Remembered>()) {}

  const LaunchContract &contract() const { return kernel->contract; }
  /// Changes when its machine code does.
  uint64_t codeHash() const { return kernel->codeHash; }
  Kernel with(std::string size, int64_t value) const {
    Kernel k = *this;
    k.sizes.insert_or_assign(std::move(size), value);
    return k;
  }

  template <class... Operands> auto operator()(Operands... operands) const;

private:
  friend struct Launch;
  /// The last launch that was admitted: most programs repeat it.
  struct Remembered {
    std::mutex mutex;
    std::vector<int64_t> shapes;
    SizeBindings sizes;
    AdmittedLaunch launch;
  };
  Result<AdmittedLaunch> admit(std::span<const ImxView> operands) const;

  std::shared_ptr<const LoadedKernel> kernel;
  std::shared_ptr<Remembered> last; // copies share it
  SizeBindings sizes;
};

/// A launch that was written down. Not for users.
struct Launch {
  Kernel kernel;
  std::vector<Loan> loans;

  std::shared_ptr<DeviceCore> device() const;
  Status start(Starting &at);
  /// Against the contract; the call, and what it uses.
  Result<KernelCall> prepare(std::vector<Use> &uses) const;
};

namespace detail {

template <class T> struct LentType {};
template <Element T> struct LentType<Read<T>> {
  using Back = std::tuple<>;
};
template <Element T> struct LentType<Write<T>> {
  using Back = std::tuple<>;
};
template <Element T> struct LentType<Given<T>> {
  using Back = std::tuple<Tensor<T>>;
};
template <class T>
concept Lent = requires { typename LentType<T>::Back; };

template <class... T> struct ValueOf {
  using Type = std::tuple<T...>;
};
template <> struct ValueOf<> {
  using Type = Done;
};
template <class T> struct ValueOf<T> {
  using Type = T;
};
template <class Tuple> struct ValueOfTuple;
template <class... T> struct ValueOfTuple<std::tuple<T...>> : ValueOf<T...> {};

template <class Operand> typename LentType<Operand>::Back backOf(Operand &operand) {
  if constexpr (std::tuple_size_v<typename LentType<Operand>::Back> == 1)
    return {Access::tensor(operand)};
  else
    return {};
}

} // namespace detail

namespace detail {

template <class... Operands> auto launchOf(const Kernel &kernel, Operands &...operands) {
  using Back = decltype(std::tuple_cat(detail::backOf(operands)...));
  using T = typename detail::ValueOfTuple<Back>::Type;
  Launch launch{kernel, {}};
  (launch.loans.push_back(std::move(Access::loan(operands))), ...);
  auto where = launch.device();
  return detail::makeOperation<T>(
      where,
      [launch = std::move(launch), back = Back(std::tuple_cat(detail::backOf(operands)...))](
          Starting &at) mutable -> Result<T> {
        if (Status s = launch.start(at); !s)
          return s.takeError();
        launch.loans.clear(); // the work holds the memory now
        if constexpr (std::tuple_size_v<Back> == 0)
          return Done{};
        else if constexpr (std::tuple_size_v<Back> == 1)
          return std::move(std::get<0>(back));
        else
          return std::move(back);
      });
}

} // namespace detail

template <class... Operands> auto Kernel::operator()(Operands... operands) const {
  constexpr bool loans = (detail::Lent<Operands> && ...);
  static_assert(loans, "operands are loans: x.read(), x.write() or x.give()");
  if constexpr (loans)
    return detail::launchOf(*this, operands...);
}

} // namespace imbrex::launch
