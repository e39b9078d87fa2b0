// Words for clang's typestate analysis (-Wconsumed): a value that was moved or given away, or an
// operation that was started, may not be used again. Other compilers read nothing.
#pragma once

#if defined(__clang__)
/// A class whose values can be used up. Values of unknown state pass: only certain faults are told.
#define IMX_OWNED [[clang::consumable(unconsumed)]]
#define IMX_USES [[clang::callable_when("unconsumed", "unknown")]]
#define IMX_USES_UP                                                                                \
  [[clang::callable_when("unconsumed", "unknown"), clang::set_typestate(consumed)]]
#else
#define IMX_OWNED
#define IMX_USES
#define IMX_USES_UP
#endif
