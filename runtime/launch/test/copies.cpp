// Owners, loans for writing and operations have one holder.
// clang-format off: a diagnostic stands on its line
#include "runtime/launch/Launch.h"
using namespace imbrex::launch;

// expected-note@* 0+ {{}}
void copyOwner(const Tensor<float> &x) {
  Tensor<float> y = x; // expected-error {{call to implicitly-deleted copy constructor of 'Tensor<float>'}}
}

void copyLoan(Tensor<float> x) {
  auto piece = x.write();
  auto other = piece; // expected-error {{call to implicitly-deleted copy constructor}}
}

void writeThroughConst(const Tensor<float> &x) {
  (void)x.write(); // expected-error {{'this' argument to member function 'write' has type 'const Tensor<float>', but function is not marked const}}
}

void giveThroughConst(const Tensor<float> &x) {
  (void)x.give(); // expected-error {{'this' argument to member function 'give' has type 'const Tensor<float>', but function is not marked const}}
}

void spanWithoutLoan(const Tensor<float> &x) {
  (void)x.read().host(); // expected-error {{call to deleted member function 'host'}}
}

void sharedIsReadOnly(Shared<Tensor<float>> x) {
  (void)x->write(); // expected-error {{'this' argument to member function 'write' has type 'const imbrex::launch::Tensor<float>', but function is not marked const}}
}
