#!/bin/sh
# SPDX-License-Identifier: MIT OR Apache-2.0
# A Gomocup brain that plays the first free cell of a board of 7 x 6, and in its first argument what is unusual about it: what a lenient
# manager accepts all the same.
how=$1
cr=$(printf '\r')
say() {
  case $how in
  cr) printf '%s\r' "$1" ;;
  *) printf '%s\n' "$1" ;;
  esac
}
taken=' '
started=
limits=
move() {
  if [ "$how" = limits ] && [ -z "$limits" ]; then sleep 60; fi
  for y in 0 1 2 3 4 5; do
    for x in 0 1 2 3 4 5 6; do
      case $taken in
      *" $x,$y "*) ;;
      *)
        taken="$taken$x,$y "
        case $how in
        lower) say 'message thinking'; say 'debug x'; say "$x,$y" ;;
        talk) say 'thinking...'; say "$x,$y" ;;
        only_talk) say 'I resign' ;;
        knows_nothing) say UNKNOWN ;;
        suggest) say "suggest $x,$y" ;;
        blank) say "$x, $y" ;;
        after) say "$x,$y 0.5" ;;
        *) say "$x,$y" ;;
        esac
        return
        ;;
      esac
    done
  done
}
case $how in
banner) say 'My brain 1.0'; say 'error: no book found' ;;
latin) printf 'MESSAGE Jos\351\n' ;;
esac
while read -r line; do
  line=${line%"$cr"}
  set -- $line
  case $1 in
  INFO)
    [ -z "$started" ] || [ "$2" != timeout_turn ] || limits=$3
    case $how in
    unknown) say 'UNKNOWN INFO' ;;
    ok_to_info) say OK ;;
    esac
    ;;
  RECTSTART | RESTART)
    started=yes
    taken=' '
    case $how in
    lower) say Ok ;;
    ready) say 'OK - everything is good' ;;
    colon) say 'ok,ready' ;;
    refuses) say 'ERROR no such board' ;;
    *) say OK ;;
    esac
    ;;
  BEGIN) move ;;
  TURN) taken="$taken$2 "; move ;;
  PLAY) say "$2" ;;
  BOARD)
    taken=' '
    while read -r stone && stone=${stone%"$cr"} && [ "$stone" != DONE ]; do taken="$taken${stone%,*} "; done
    move
    ;;
  END) exit ;;
  esac
done
