# SPDX-License-Identifier: MIT OR Apache-2.0
"""Every warning of slang over Verilog files, but for what a generated module may leave unused. python slang_parses.py FILE..."""

import sys

from pyslang import driver

#: Ports and nets of a module that all configurations share, of which one has no use.
UNUSED = "-Wno-unused-port -Wno-unused-but-set-net -Wno-unused-but-set-variable"

for file in sys.argv[1:]:
    if file.endswith("_ready.v"):
        continue
    one = driver.Driver()
    one.addStandardArgs()
    assert one.parseCommandLine(f"slang -Weverything {UNUSED} -Werror {file}") and one.processOptions()
    assert one.parseAllSources() and one.runFullCompilation(True), file
print(f"slang: {len(sys.argv) - 1} files without a warning")
