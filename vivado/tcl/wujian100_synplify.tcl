# tclsh tcl/wujian100_synplify.tcl CHECKOUT SLOT OUT FIRMWARE
# Writes OUT/@TOP@.prj (default folder wujian100_@TOP@_synplify): the project of wujian100_open (checked against commit
# 83e2975) with the engine in low-speed slot SLOT (0 to 3, default 0), and FIRMWARE, the tengen.pat of `tengen firmware`, in the
# instruction memory if it is named. The checkout stays as it is. Then:
#   synplify_premier -batch OUT/@TOP@.prj                                        (or synplify_pro; the netlist, in OUT)
#   vivado -mode batch -source tcl/wujian100_netlist.tcl -tclargs CHECKOUT OUT   (the bitstream)
@SOURCES@# Its paths are from its own folder; from here they are whole. Results stay beside the new project.
set lines {}
foreach line [split [contents $project] "\n"] {
  if {[regexp {^(add_file -(?:verilog|constraint)) "([^"]+)"} $line whole command path]} {
    set path [file normalize [file join [file dirname $project] $path]]
    lappend lines "$command \"[source_of $path]\""
    if {[file tail $path] eq "@SLOT_FILE@"} { lappend lines "add_file -verilog \"[file join $here rtl @TOP@.v]\"" }
  } elseif {[regexp {^set_option -include_path \{([^\}]+)\}} $line whole path]} {
    lappend lines "set_option -include_path {[file normalize [file join [file dirname $project] $path]]/}"
  } else {
    lappend lines $line
  }
}
all_found
written [file join $out @TOP@.prj] [join $lines "\n"]
puts "[file join $out @TOP@.prj]"
