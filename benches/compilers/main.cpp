// SPDX-License-Identifier: MIT OR Apache-2.0
// Plays games on the bare core for so many clocks: prints the thousand clocks a CPU second and a hash of all answers.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include "Vcore.h"
#include "verilated.h"

double sc_time_stamp() { return 0; }

namespace {
constexpr int SIZE = 15, RESET = 0, PLAY = 1;
// Statuses that end a game: a win, a draw, of either side, or a game that is over.
bool ends(uint32_t status) { return status == 1 || status == 2 || status == 0x11 || status == 0x12 || status == 0x83; }
}  // namespace

int main(int, char** arguments) {
    const long clocks = atol(arguments[1]);
    VerilatedContext context;
    context.randReset(0);
    Vcore core{&context};
    const auto edge = [&core] {
        core.aclk = 1;
        core.eval();
        core.aclk = 0;
        core.eval();
    };
    core.aresetn = 0;
    core.m_axis_data_tready = 1;
    core.s_axis_control_tvalid = core.s_axis_data_tvalid = 0;
    for (int i = 0; i < 4; ++i) edge();
    core.aresetn = 1;
    uint64_t hash = 14695981039346656037u;
    uint32_t random = 12345, first_word = 0;
    uint32_t cell[2] = {SIZE, SIZE};
    bool reset = true, sent = false;
    int arguments_sent = 0, words = 0;
    const clock_t begin = std::clock();
    for (long now = 0; now < clocks; ++now) {
        if (!sent) {
            core.s_axis_control_tdata = reset ? RESET : PLAY;
            core.s_axis_control_tvalid = 1;
            sent = true;
            arguments_sent = 0;
        }
        core.s_axis_data_tvalid = !reset && arguments_sent < 2;
        core.s_axis_data_tdata = cell[arguments_sent & 1];
        core.eval();
        const bool control = core.s_axis_control_tvalid && core.s_axis_control_tready;
        const bool data = core.s_axis_data_tvalid && core.s_axis_data_tready;
        const bool answer = core.m_axis_data_tvalid;
        const uint32_t word = core.m_axis_data_tdata;
        edge();
        if (data) ++arguments_sent;
        if (control) core.s_axis_control_tvalid = 0;
        if (control && reset) {
            // A reset drops the words that wait: let it pass.
            for (int i = 0; i < 8; ++i) edge();
            reset = sent = false;
            cell[0] = cell[1] = SIZE;  // The engine begins.
        }
        if (!answer) continue;
        hash = (hash ^ word) * 1099511628211u;
        if (++words == 1) {
            first_word = word;
            continue;
        }
        words = 0;
        sent = false;
        reset = ends((first_word >> 8) & 0xff);
        random = random * 1664525 + 1013904223;
        cell[0] = 4 + ((random >> 16) % 7);
        cell[1] = 4 + ((random >> 24) % 7);
    }
    const double seconds = double(std::clock() - begin) / CLOCKS_PER_SEC;
    std::printf("%.1f %016llx\n", clocks / seconds / 1000, static_cast<unsigned long long>(hash));
}
