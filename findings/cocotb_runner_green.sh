#!/bin/sh
# SPDX-License-Identifier: MIT OR Apache-2.0
# cocotb 2.1.0's runner, `runner.test`: outside pytest it ends with exit code 0 when cocotb's tests fail, and raises nothing; the caller has to read
# results.xml. Under pytest a failed test does fail, but a `test_filter` that matches no test, or a `testcase` that does not exist, is a pass: no test
# ran, and pytest says 1 passed. Needs Icarus Verilog.
set -eu
command -v iverilog >/dev/null || { echo "Icarus Verilog is needed" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv tools
tools/bin/pip install -q cocotb==2.1.0 pytest==9.2.0
cat >wire.v <<'V'
module through (input wire a, output wire b);
  assign b = a;
endmodule
V
cat >bench.py <<'P'
import cocotb
from cocotb.triggers import Timer


@cocotb.test()
async def inverts(dut):
    dut.a.value = 0
    await Timer(1, "ns")
    assert dut.b.value == 1
P
cat >test_wire.py <<'P'
import os

from cocotb_tools.runner import get_runner


def run(**which):
    runner = get_runner("icarus")
    runner.build(sources=["wire.v"], hdl_toplevel="through", timescale=("1ns", "1ps"))
    return runner.test(hdl_toplevel="through", test_module="bench", test_dir=os.getcwd(), **which)


def test_all():
    run()


def test_filter():
    run(test_filter="no_such_test")


def test_testcase():
    run(testcase="no_such_test")


if __name__ == "__main__":
    run()
P
PATH=$PWD/tools/bin:$PATH
code() { if "$@" >log 2>&1; then echo 0; else echo $?; fi; }
script=$(code tools/bin/python test_wire.py)
grep -q 'TESTS=1 PASS=0 FAIL=1' log
all=$(code tools/bin/python -m pytest -q test_wire.py::test_all)
filter=$(code tools/bin/python -m pytest -q test_wire.py::test_filter)
testcase=$(code tools/bin/python -m pytest -q test_wire.py::test_testcase)
echo "exit codes with a test that fails: script $script, pytest $all; with no test that fits: test_filter $filter, testcase $testcase"
[ "$script" = 0 ] && [ "$all" = 1 ] && [ "$filter" = 0 ] && [ "$testcase" = 0 ]
