package main

import (
	"fmt"
	"strings"
)

// The kinds of data/gone.txt that keep flights out of the network. Others are
// noted there for whoever types facts next.
const (
	ceased   = "ceased"   // sells nothing any more
	recode   = "recode"   // the code is not the operator's
	doubtful = "doubtful" // left out until a person has checked
	noBase   = "base"     // no longer has a hub at the airport
	notThere = "left"     // does not fly to the airport at all
)

// gone lists what airlines no longer fly.
type gone struct {
	airlines map[string]string  // code → kind
	bases    map[[2]string]bool // airline and airport
	airports map[[2]string]bool // airline and airport
}

// readGone reads lines of "W6|Wizz Air|base|AUH|2025-09-01|what happened|h|source".
func readGone(path string) (gone, error) {
	g := gone{airlines: map[string]string{}, bases: map[[2]string]bool{}, airports: map[[2]string]bool{}}
	lines, err := linesOf(path)
	if err != nil {
		return g, err
	}
	for i, line := range lines {
		f := strings.Split(line, "|")
		if len(f) != 8 {
			return g, fmt.Errorf("%s: %q has %d columns, not 8", path, line, len(f))
		}
		if i == 0 {
			continue // the heading
		}
		switch code, kind, at := f[0], f[2], f[3]; kind {
		case ceased, recode, doubtful:
			g.airlines[code] = kind
		case noBase:
			g.bases[[2]string{code, at}] = true
		case notThere:
			g.bases[[2]string{code, at}] = true
			g.airports[[2]string{code, at}] = true
		}
	}
	return g, nil
}

// hub says why an airline can have no hub at an airport; nil if it can.
func (g gone) hub(code, at string) error {
	if kind := g.airlines[code]; kind != "" {
		return fmt.Errorf("%s at %s: gone.txt says %s", code, at, kind)
	}
	if g.bases[[2]string{code, at}] {
		return fmt.Errorf("%s at %s: gone.txt says that it has no base there", code, at)
	}
	return nil
}

// serves reports whether an airline still flies to an airport.
func (g gone) serves(code, at string) bool { return !g.airports[[2]string{code, at}] }
