"""One configuration for every folder of IR tests; lit.site.cfg.py says which folder."""
import os

import lit.formats

config.name = config.imbrex_name
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir"]
config.test_source_root = config.imbrex_source
config.test_exec_root = config.imbrex_output
config.environment["PATH"] = os.pathsep.join(
    [config.imbrex_tools, config.llvm_tools, os.environ["PATH"]])
