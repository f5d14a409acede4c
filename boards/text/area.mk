# Mapped for area: ABC recovers area in rounds.
BEGIN = strash;ifraig;scorr;dc2;dc2;dc2;strash;dch,-f;if,-a;mfs2,-a,-L,20
ROUND = strash;dch;if,-a;mfs2,-a;lutpack
MAPPED = $(SYNTH) -run begin:map_luts; abc -lut 4 -script +$(BEGIN);$(ROUND);$(ROUND);$(ROUND);$(ROUND); clean; $(SYNTH) -run map_cells:
