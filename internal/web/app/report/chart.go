package report

import (
	"math"
	"slices"
)

// A chart is columns over a line, each made of one part or of several that stand on each other. It is drawn
// in units that are pixels where the chart has the width that it was made for.
type chart struct {
	ID, Title, Desc string
	Width, Height   float64
	Left, Right     float64 // where the columns begin and end
	Base            float64 // the height of the line of nothing
	Ticks           []tick
	Columns         []drawn
}

// A tick is a line across the chart, with its value.
type tick struct {
	Y     float64
	Words string
}

// A column is what is to be drawn for a month, or a range of days.
type column struct {
	name  string // below the column; empty: none, as there is no room for each
	under string // a second line below that
	parts []part
	label string // over the column; empty: none
	title string // all of it in words, for a mouse
}

// A part is a piece of a column.
type part struct {
	value float64
	fill  string // one of the fills below
}

// The fills, which can be told apart without colours.
const (
	solid   = "solid"
	hatched = "hatched"
	dotted  = "dotted"
)

// A drawn is a column with its places.
type drawn struct {
	X, Width      float64 // of its parts
	Center        float64
	Parts         []drawnPart
	Label         string
	LabelY        float64
	Name, Under   string
	Title         string
	From, Breadth float64 // of the whole place of the column, for a mouse
}

type drawnPart struct {
	Y, Height float64
	Fill      string
}

// The measures of charts.
const (
	chartHeight = 190.0
	aboveChart  = 22.0 // room for labels over the columns
	belowChart  = 34.0 // room for two lines of names
	besideChart = 40.0 // room for the values of ticks
	ticksWanted = 3
)

// draw places columns in a chart of a width; name writes the values of ticks.
func draw(id, title, desc string, width float64, columns []column, name func(float64) string) chart {
	c := chart{ID: id, Title: title, Desc: desc, Width: width, Height: chartHeight, Left: besideChart, Right: width - 4}
	low, high := 0.0, 0.0
	for _, col := range columns {
		up, down := 0.0, 0.0
		for _, p := range col.parts {
			if p.value > 0 {
				up += p.value
			} else {
				down += p.value
			}
		}
		low, high = min(low, down), max(high, up)
	}
	step := niceStep((high-low)/ticksWanted, wholeColumns(columns))
	if -low < high/20 {
		low = 0 // next to nothing is below the line: no room for it
	}
	low, high = math.Floor(low/step)*step, math.Ceil(high/step)*step
	if high == low {
		high = low + step
	}
	y := func(v float64) float64 {
		return rounded(aboveChart + (high-v)/(high-low)*(chartHeight-aboveChart-belowChart))
	}
	c.Base = y(0)
	for v := low; v <= high+step/2; v += step {
		c.Ticks = append(c.Ticks, tick{y(v), name(math.Round(v/step) * step)})
	}
	place := (c.Right - c.Left) / float64(max(len(columns), 1))
	for i, col := range columns {
		wide := min(place*0.72, 44)
		from := c.Left + float64(i)*place
		d := drawn{X: rounded(from + (place-wide)/2), Width: rounded(wide), Center: rounded(from + place/2),
			Label: col.label, Name: col.name, Under: col.under, Title: col.title, From: rounded(from),
			Breadth: rounded(place)}
		up, down := 0.0, 0.0
		for _, p := range col.parts {
			if p.value == 0 {
				continue
			}
			at := &up
			if p.value < 0 {
				at = &down
			}
			top, bottom := y(max(*at, *at+p.value)), y(min(*at, *at+p.value))
			d.Parts = append(d.Parts, drawnPart{top, max(rounded(bottom-top), 0.5), p.fill})
			*at += p.value
		}
		d.LabelY = y(up) - 5
		c.Columns = append(c.Columns, d)
	}
	return c
}

// wholeColumns reports whether all values are counts, or read as such.
func wholeColumns(columns []column) bool {
	for _, c := range columns {
		for _, p := range c.parts {
			if p.value != math.Trunc(p.value) {
				return false
			}
		}
	}
	return true
}

// niceStep returns the next of 1, 2, 2.5, 5 and 10, times a power of ten, that is not less; a whole number if whole.
func niceStep(least float64, whole bool) float64 {
	if whole && least < 1 {
		return 1
	}
	if least <= 0 || math.IsInf(least, 0) || math.IsNaN(least) {
		return 1
	}
	unit := math.Pow(10, math.Floor(math.Log10(least)))
	for _, n := range []float64{1, 2, 2.5, 5} {
		if n*unit >= least*(1-1e-9) && (!whole || n*unit == math.Trunc(n*unit)) {
			return n * unit
		}
	}
	return 10 * unit
}

func rounded(v float64) float64 { return math.Round(v*10) / 10 }

// labelled returns which of values have labels, so that no two overlap: all if there are few, otherwise the
// largest, and the last unless the column before it is higher: its label would lie on that.
func labelled(values []float64, most int) func(i int) bool {
	if len(values) <= most {
		return func(int) bool { return true }
	}
	largest := slices.Index(values, slices.Max(values))
	last := len(values) - 1
	return func(i int) bool {
		return i == largest || i == last && last-largest > 2 && values[last] >= values[last-1]
	}
}

// TickX is where the values of ticks end.
func (c chart) TickX() float64 { return c.Left - 5 }

// NameY is the line of names below the columns.
func (c chart) NameY() float64 { return c.Height - belowChart + 14 }

// UnderY is the line below that.
func (c chart) UnderY() float64 { return c.Height - belowChart + 29 }
