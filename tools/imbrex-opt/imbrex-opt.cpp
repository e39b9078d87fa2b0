// imbrex-opt: runs passes over .mlir text; for developers and tests.
#include "tools/imbrex-opt/Registration.h"

int main(int argc, char **argv) { return imbrex::runOpt(argc, argv); }
