if {[llength $argv] < 1} { error "name the checkout of wujian100_open: -tclargs CHECKOUT" }
set here [file dirname [file dirname [file normalize [info script]]]]
set checkout [file normalize [lindex $argv 0]]
set slot [expr {[llength $argv] > 1 ? [lindex $argv 1] : 0}]
set out [file normalize [expr {[llength $argv] > 2 ? [lindex $argv 2] : "@OUT@"}]]
set firmware [expr {[llength $argv] > 3 ? [file normalize [lindex $argv 3]] : ""}]
set instance [lindex {@PLACES@} $slot]
if {$instance eq ""} { error "slot $slot: there are slots 0 to @LAST@" }
set project [file join $checkout @PROJECT@]
if {![file exists $project]} { error "$checkout is no checkout of wujian100_open: $project is missing" }
if {$firmware ne "" && ![file exists $firmware]} { error "$firmware is missing: make it by `tengen firmware --slot $slot`" }
file mkdir $out

proc contents {path} { set channel [open $path]; set text [read $channel]; close $channel; return $text }
proc written {path text} { set channel [open $path w]; puts -nonewline $channel $text; close $channel }

# In a text one place becomes another; a place that is not there, or twice, is none.
proc replaced {text place with what} {
  set changed [regsub -all -- $place $text $with text]
  if {$changed != 1} { error "$what is not where it was: found $changed times" }
  return $text
}

# The slot: one of the sources names the empty ones. Its address phases are never held: hready_in is tied high.
proc with_slot {text} {
  global instance
  return [replaced $text "@EMPTY@(\\s+)$instance\\s*\\(" "@TOP@\\1$instance ( @TIED@" "@EMPTY@ $instance in @SLOT_FILE@"]
}

# The firmware in the block RAMs of the instruction memory: the bank is told so, and tells its four byte lanes.
proc with_image_sms {text} {
  set text [replaced $text {sms_bank_64k_top(\s+)x_isram_top\s*\(} {sms_bank_64k_top #(.IMAGE(1))\1x_isram_top (} x_isram_top]
  set text [replaced $text {sms_sram_bk2(\s+)x_sms_sram\s*\(} "parameter IMAGE = 0;\nsms_sram_bk2 #(.IMAGE(IMAGE))\\1x_sms_sram (" x_sms_sram]
  return [replaced $text {fpga_spram #\(DATAWIDTH,ADDRWIDTH,MEMDEPTH\)(\s+)x_fpga_spram\s*\(} \
    "parameter IMAGE = 0;\nfpga_spram #(DATAWIDTH,ADDRWIDTH,MEMDEPTH,IMAGE)\\1x_fpga_spram (" x_fpga_spram]
}
proc with_image_fpga_spram {text} {
  set text [replaced $text {parameter\s+MEMDEPTH\s*=[^;]*;} "&\nparameter IMAGE = 0;" "MEMDEPTH in fpga_spram.v"]
  foreach lane {0 1 2 3} {
    set text [replaced $text "fpga_byte_spram #\\(ADDRWIDTH,8,MEMDEPTH\\)(\\s+)x_fpga_byte${lane}_spram" \
      "fpga_byte_spram #(ADDRWIDTH,8,MEMDEPTH,IMAGE ? [expr {$lane + 1}] : 0)\\1x_fpga_byte${lane}_spram" x_fpga_byte${lane}_spram]
  }
  return $text
}
proc with_image_fpga_byte_spram {text} {
  global out
  set text [replaced $text {parameter\s+MEMDEPTH\s*=[^;]*;} "&\nparameter LANE = 0;" "MEMDEPTH in fpga_byte_spram.v"]
  set image "generate\n"
  foreach lane {0 1 2 3} {
    append image "  if (LANE == [expr {$lane + 1}]) begin : image_$lane\n    initial \$readmemh(\"[file join $out isram_byte$lane.hex]\", mem);\n  end\n"
  }
  return [replaced $text {\nendmodule} "\n${image}endgenerate\nendmodule" "the end of fpga_byte_spram.v"]
}

# A word a line in the firmware's image, its lowest byte first: a file for each byte lane, filled up with zeros.
proc lanes {image} {
  global out
  set words [regexp -all -inline -line {^[0-9a-fA-F]{8}$} [contents $image]]
  if {[llength $words] == 0 || [llength $words] > @ISRAM_WORDS@} {
    error "$image holds [llength $words] words of 8 hexadecimal digits: the instruction memory takes 1 to @ISRAM_WORDS@"
  }
  foreach lane {0 1 2 3} {
    set text ""
    foreach word $words { append text [string range $word [expr {2 * $lane}] [expr {2 * $lane + 1}]] "\n" }
    append text [string repeat "00\n" [expr {@ISRAM_WORDS@ - [llength $words]}]]
    written [file join $out isram_byte$lane.hex] $text
  }
}
if {$firmware ne ""} { lanes $firmware }

# A source as it is, or its changed copy in OUT.
set found {}
proc source_of {path} {
  global firmware out found
  set name [file tail $path]
  set change [switch -- $name {
    @SLOT_FILE@ { expr {"with_slot"} }
    sms.v - fpga_spram.v - fpga_byte_spram.v { expr {$firmware eq "" ? "" : "with_image_[file rootname $name]"} }
    default { expr {""} }
  }]
  if {$change eq ""} { return $path }
  lappend found $name
  set copy [file join $out $name]
  written $copy [$change [contents $path]]
  return $copy
}
proc all_found {} {
  global firmware found project
  set wanted [expr {$firmware eq "" ? {@SLOT_FILE@} : {fpga_byte_spram.v fpga_spram.v @SLOT_FILE@ sms.v}}]
  if {[lsort $found] ne $wanted} { error "$project names [lsort $found], not $wanted once each" }
}

# The board's constraints without the net that Synplify alone calls so: Vivado's is looked up once there is one.
proc board_constraints {} {
  global checkout out
  set xdc [contents [file join $checkout fpga xdc XC7A200T3B.xdc]]
  set line {set_property\s+CLOCK_DEDICATED_ROUTE\s+FALSE\s+\[get_nets\s+PAD_JTAG_TCLK_c\]}
  written [file join $out board.xdc] [replaced $xdc $line "# CLOCK_DEDICATED_ROUTE of the JTAG clock: set after synthesis" "the JTAG clock in XC7A200T3B.xdc"]
  return [file join $out board.xdc]
}

