package crew

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"gangway/internal/book/plan"
	"gangway/internal/gangway"
	"gangway/internal/web/app/flights"
	"gangway/internal/web/app/shell"
	"gangway/internal/world"
)

// A crewMap shows on a map of the world where everybody comes from and goes to: along
// the chosen flights, or in a straight line where no flight is chosen yet.
type crewMap struct {
	Box    string // the part of the world that is shown, as an SVG view box
	Text   string // font size on the map
	Ways   []mapWay
	Places []mapPlace
	About  string // the map in words
}

// A mapWay is one flight, or the straight line of a person who has none yet.
type mapWay struct {
	Name  string // as in "MNL-DXB", the same for all who fly it
	Path  string
	Class string // "flown" or "sought", and "shown" for the selected person's
}

// A mapPlace is an airport, or the port.
type mapPlace struct {
	X, Y, Size float64
	Class      string // "home", "via" or "port"
	Label      string // empty where there is no room for it
	LabelX     float64
	LabelY     float64
}

// Land is the outline of the land, which all maps share.
func Land() []byte {
	return []byte(`<svg xmlns="http://www.w3.org/2000/svg"><path id="land" d="` + world.Land() + `"/></svg>`)
}

// The size at which the map is drawn, by which text and dots are measured.
const (
	mapWidth  = 460
	mapHeight = 220
)

// newCrewMap draws the ways of the rows to and from a place, or returns nil when nobody's
// way is known.
func newCrewMap(at gangway.Place, sides []crewSide) *crewMap {
	d := mapDrawing{ways: map[string]*drawnWay{}, classes: map[gangway.Place]string{}}
	people := 0
	for _, side := range sides {
		for _, row := range side.Rows {
			if len(row.Ways) > 0 {
				people++
			}
			for _, w := range row.Ways {
				d.add(w, row)
			}
		}
	}
	if len(d.ways) == 0 {
		return nil
	}
	d.class(at, "port")
	x, y, width, height := d.box()
	scale := width / mapWidth
	m := &crewMap{Ways: d.sorted(scale), Places: d.places(scale, area{x, y, x + width, y + height}),
		About: "Map: the ways of " + shell.Plural(people, "traveller", "travellers")}
	if port, ok := world.PlaceOf(string(at)); ok {
		m.About += " to and from " + flights.PlaceName(port)
	}
	m.About += "; the table below says the same in words"
	m.Box = fmt.Sprintf("%.1f %.1f %.1f %.1f", x, y, width, height)
	m.Text = fmt.Sprintf("%.2f", 10*scale)
	return m
}

// A way is one uninterrupted piece of somebody's journey.
type way struct {
	From, To gangway.Place
	Sought   bool // no flight is chosen yet
}

func (w way) String() string { return string(w.From) + "-" + string(w.To) }

// waysOf returns the flights of a row or, where there are none yet, its legs.
func waysOf(flights []gangway.Segment, asked []gangway.Leg) []way {
	var ways []way
	for _, s := range flights {
		ways = append(ways, way{From: gangway.Place(s.Origin), To: gangway.Place(s.Destination)})
	}
	if len(ways) > 0 {
		return ways
	}
	for _, l := range asked {
		ways = append(ways, way{l.Origin, l.Destination, true})
	}
	return ways
}

// A mapDrawing is a map while it is being drawn.
type mapDrawing struct {
	ways    map[string]*drawnWay
	classes map[gangway.Place]string // of each place: "home", "via" or "port"
}

// A drawnWay is a way on the map, in one line or in two.
type drawnWay struct {
	mapWay
	lines [][][2]float64
	shown bool
}

// add draws one way, unless it is drawn already or one of its ends is not known.
func (d *mapDrawing) add(w way, row *crewRow) {
	from, known := world.PlaceOf(string(w.From))
	to, alsoKnown := world.PlaceOf(string(w.To))
	if !known || !alsoKnown {
		return
	}
	class := "flown"
	if w.Sought {
		class = "sought"
	}
	own := d.ways[w.String()]
	if own == nil {
		own = &drawnWay{mapWay: mapWay{Name: w.String(), Class: class}, lines: world.GreatCircleLines(from.Lat,
			from.Lon, to.Lat, to.Lon)}
		d.ways[own.Name] = own
	}
	own.shown = own.shown || row.Shown
	d.class(w.From, "via")
	d.class(w.To, "via")
	d.class(gangway.Place(row.Home), "home")
}

// class notes what a place is. A home outranks an airport on the way, and the port outranks both.
func (d *mapDrawing) class(at gangway.Place, class string) {
	if now, moved := world.CurrentCode(string(at)); moved {
		at = gangway.Place(now) // one dot, whichever code people use
	}
	order := []string{"", "via", "home", "port"}
	if slices.Index(order, class) > slices.Index(order, d.classes[at]) {
		d.classes[at] = class
	}
}

// sorted returns the ways in drawing order, the selected person's on top. scale is how
// much of the map a pixel covers.
func (d *mapDrawing) sorted(scale float64) []mapWay {
	list := make([]mapWay, 0, len(d.ways))
	for _, w := range d.ways {
		for _, line := range w.lines {
			w.Path += world.Path(thinLine(line, scale/3))
		}
		if w.shown {
			w.Class += " shown"
		}
		list = append(list, w.mapWay)
	}
	slices.SortFunc(list, func(a, b mapWay) int {
		return cmp.Or(plan.CompareBool(d.ways[a.Name].shown, d.ways[b.Name].shown), strings.Compare(a.Name, b.Name))
	})
	return list
}

// box returns the part of the map that all ways fit into, in the shape of the
// picture and never less than a tenth of the world.
func (d *mapDrawing) box() (x, y, width, height float64) {
	left, top, right, bottom := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, w := range d.ways {
		for _, p := range slices.Concat(w.lines...) {
			left, right = min(left, p[0]), max(right, p[0])
			top, bottom = min(top, p[1]), max(bottom, p[1])
		}
	}
	const shape = float64(mapWidth) / mapHeight
	width = max((right-left)*1.12, (bottom-top)*1.2*shape, world.MapWidth/10)
	width = min(width, world.MapWidth)
	height = width / shape
	x = min(max((left+right-width)/2, 0), world.MapWidth-width)
	y = min(max((top+bottom-height)/2, 0), world.MapHeight-height)
	return x, y, width, height
}

// places returns the dots within box, and a label for each that has room for one: the
// port first, then homes. scale is how much of the map a pixel covers.
func (d *mapDrawing) places(scale float64, box area) []mapPlace {
	rank := map[string]int{"port": 0, "home": 1, "via": 2}
	codes := slices.SortedFunc(maps.Keys(d.classes), func(a, b gangway.Place) int {
		return cmp.Or(cmp.Compare(rank[d.classes[a]], rank[d.classes[b]]), cmp.Compare(a, b))
	})
	var list []mapPlace
	var dots []area
	for _, code := range codes {
		p, ok := world.PlaceOf(string(code))
		if !ok {
			continue
		}
		dot := mapPlace{Class: d.classes[code], Size: map[string]float64{"port": 4, "home": 2.2,
			"via": 1.4}[d.classes[code]] * scale}
		dot.X, dot.Y = world.Project(p.Lat, p.Lon)
		switch dot.Class {
		case "port":
			dot.Label = flights.PlaceName(p)
		case "home":
			dot.Label = string(code)
		}
		if dot.Label != "" {
			dots = append(dots, area{dot.X - dot.Size, dot.Y - dot.Size, dot.X + dot.Size, dot.Y + dot.Size})
		}
		list = append(list, dot)
	}
	placeLabels(list, dots, scale, box)
	for i := range list {
		p := &list[i]
		p.X, p.Y, p.Size = roundToTenth(p.X), roundToTenth(p.Y), roundToTenth(p.Size)
		p.LabelX, p.LabelY = roundToTenth(p.LabelX), roundToTenth(p.LabelY)
	}
	slices.Reverse(list) // so that the port is drawn on top
	return list
}

func roundToTenth(n float64) float64 { return math.Round(n*10) / 10 }

// thinLine returns a line without the points that lie close to the straight line between
// those that stay. It does not change the line itself, which other maps draw too.
func thinLine(line [][2]float64, hardly float64) [][2]float64 {
	if len(line) < 3 {
		return line
	}
	from, to := line[0], line[len(line)-1]
	length := math.Hypot(to[0]-from[0], to[1]-from[1])
	far, farthest := 0, hardly
	for i, p := range line {
		off := math.Hypot(p[0]-from[0], p[1]-from[1])
		if length > 0 {
			off = math.Abs((to[0]-from[0])*(from[1]-p[1])-(from[0]-p[0])*(to[1]-from[1])) / length
		}
		if off > farthest {
			far, farthest = i, off
		}
	}
	if far == 0 {
		return [][2]float64{from, to}
	}
	return append(slices.Clip(thinLine(line[:far+1], hardly)), thinLine(line[far:], hardly)[1:]...)
}
