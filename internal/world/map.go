package world

import (
	"math"
	"strconv"
	"strings"
	"sync"
)

// The size of the world map, as the view box of an SVG. The map has the Natural
// Earth projection, with Greenwich in the middle.
const (
	MapWidth  = 1000
	MapHeight = 520
)

// Project returns the position on the map of a point on the earth, in degrees.
//
// Source: Šavrič, Jenny, Patterson, Petrovič, Hurni, "A polynomial equation
// for the Natural Earth projection", 2011.
func Project(lat, lon float64) (x, y float64) {
	const scale = MapWidth / (2 * 0.8707 * math.Pi)
	p, l := lat*math.Pi/180, lon*math.Pi/180
	p2 := p * p
	p4 := p2 * p2
	x = l * (0.8707 + p2*(-0.131979+p2*(-0.013791+p4*p2*(0.003971-0.001529*p2))))
	y = p * (1.007226 + p2*(0.015085+p4*(-0.044475+0.028874*p2-0.005916*p4)))
	return MapWidth/2 + scale*x, MapHeight/2 - scale*y
}

// Land returns the outline of the land on the map, as the data of an SVG path.
func Land() string { return land() }

var land = sync.OnceValue(func() string {
	text, err := files.ReadFile("data/land.path")
	if err != nil {
		panic("world: " + err.Error())
	}
	return strings.TrimSpace(string(text))
})

// GreatCircleLines returns the shortest way between two points on the earth, in
// degrees, as points on the map. A way that crosses the edge of the map becomes two
// lines.
func GreatCircleLines(lat1, lon1, lat2, lon2 float64) [][][2]float64 {
	var lines [][][2]float64
	var line [][2]float64
	to := func(lat, lon float64) {
		x, y := Project(lat, lon)
		line = append(line, [2]float64{x, y})
	}
	var before [2]float64
	for i, at := range greatCirclePoints(lat1, lon1, lat2, lon2) {
		lat, lon := at[0], at[1]
		if i > 0 && math.Abs(lon-before[1]) > 180 {
			edge := math.Copysign(180, before[1])
			beyond := lon + 2*edge // as if the map continued past its edge
			cut := before[0]
			if beyond != before[1] {
				cut += (lat - before[0]) * (edge - before[1]) / (beyond - before[1])
			}
			to(cut, edge)
			lines, line = append(lines, line), nil
			to(cut, -edge)
		}
		to(lat, lon)
		before = at
	}
	return append(lines, line)
}

// greatCirclePoints returns points of a great circle, ends included: one every 250 km,
// and at least nine.
func greatCirclePoints(lat1, lon1, lat2, lon2 float64) [][2]float64 {
	const rad = math.Pi / 180
	angle := greatCircleKm(lat1, lon1, lat2, lon2) / earthKm
	if math.Pi-angle < 1e-6 { // opposite points: all ways between them are equally long
		lat2 -= math.Copysign(0.001, lat2)
		angle = greatCircleKm(lat1, lon1, lat2, lon2) / earthKm
	}
	lines := max(8, int(math.Ceil(angle*earthKm/250)))
	if angle == 0 {
		lines = 0
	}
	vector := func(lat, lon float64) [3]float64 {
		return [3]float64{math.Cos(lat*rad) * math.Cos(lon*rad), math.Cos(lat*rad) * math.Sin(lon*rad),
			math.Sin(lat * rad)}
	}
	from, to := vector(lat1, lon1), vector(lat2, lon2)
	points := [][2]float64{{lat1, lon1}}
	for i := 1; i < lines; i++ {
		part := float64(i) / float64(lines)
		a, b := math.Sin((1-part)*angle)/math.Sin(angle), math.Sin(part*angle)/math.Sin(angle)
		x, y, z := a*from[0]+b*to[0], a*from[1]+b*to[1], a*from[2]+b*to[2]
		points = append(points, [2]float64{math.Atan2(z, math.Hypot(x, y)) / rad, math.Atan2(y, x) / rad})
	}
	return append(points, [2]float64{lat2, lon2})
}

// Path returns a line through points of the map as the data of an SVG path, to a tenth
// of a pixel. Points that round to the same position are merged.
func Path(points [][2]float64) string {
	var b strings.Builder
	var at [2]int
	drawn := false
	for i, p := range points {
		to := [2]int{int(math.Round(p[0] * 10)), int(math.Round(p[1] * 10))}
		switch {
		case i == 0:
			b.WriteString("M" + tenths(to[0]) + separated(to[1]))
		case to == at:
		case !drawn:
			b.WriteString("l" + tenths(to[0]-at[0]) + separated(to[1]-at[1]))
			drawn = true
		default:
			b.WriteString(separated(to[0]-at[0]) + separated(to[1]-at[1]))
		}
		at = to
	}
	return b.String()
}

// tenths writes a number of tenths in its shortest form.
func tenths(n int) string {
	s := strconv.FormatFloat(float64(n)/10, 'f', -1, 64)
	if n > -10 && n < 10 && n != 0 {
		s = strings.Replace(s, "0.", ".", 1)
	}
	return s
}

// separated writes a number after another: a minus sign separates them as well as a space.
func separated(n int) string {
	if n < 0 {
		return tenths(n)
	}
	return " " + tenths(n)
}
