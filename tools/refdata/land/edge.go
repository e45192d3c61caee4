package main

import (
	"math"
	"slices"
)

// pieces cuts a ring, whose last point is its first, where it crosses the edge
// of the map at 180 degrees, and returns what lies within.
func pieces(ring []point) [][]point {
	ring = unwrap(ring)
	if math.Abs(ring[len(ring)-1].lon-ring[0].lon) > 180 {
		ring = overPole(ring)
	}
	var list [][]point
	for _, turn := range []float64{-360, 0, 360} {
		piece := make([]point, len(ring))
		for i, p := range ring {
			piece[i] = point{p.lon + turn, p.lat}
		}
		piece = clip(piece, func(lon float64) bool { return lon <= 180 }, 180)
		piece = clip(piece, func(lon float64) bool { return lon >= -180 }, -180)
		// else it only touches the edge
		if slices.ContainsFunc(piece, func(p point) bool { return math.Abs(p.lon) < 180 }) {
			list = append(list, piece)
		}
	}
	return list
}

// unwrap lets longitudes continue beyond 180 degrees, so that points that are close on the earth
// are close in numbers.
func unwrap(ring []point) []point {
	list := []point{ring[0]}
	for _, p := range ring[1:] {
		before := list[len(list)-1].lon
		list = append(list, point{before + math.Remainder(p.lon-before, 360), p.lat})
	}
	return list
}

// overPole closes a ring that goes around the south pole, as Antarctica's
// does: it begins at one edge of the map, ends at the other, and returns along
// the pole, which is a line on the map.
func overPole(ring []point) []point {
	turn := ring[len(ring)-1].lon - ring[0].lon // 360 or -360
	open := ring[:len(ring)-1]
	// The edge is crossed where the number of whole turns changes.
	turns := func(p point) float64 { return math.Floor((p.lon + 180) / 360) }
	for i := range open {
		p, next := open[i], ring[i+1]
		if turns(p) == turns(next) {
			continue
		}
		edge := 360*max(turns(p), turns(next)) - 180
		lat := p.lat + (next.lat-p.lat)*(edge-p.lon)/(next.lon-p.lon)
		list := []point{{edge, lat}}
		list = append(list, open[i+1:]...)
		for _, q := range open[:i+1] {
			list = append(list, point{q.lon + turn, q.lat})
		}
		return append(list, point{edge + turn, lat}, point{edge + turn, -90}, point{edge, -90})
	}
	return ring
}

// clip cuts off the part of a polygon that is not inside a meridian.
//
// Source: Sutherland, Hodgman, "Reentrant polygon clipping", 1974.
func clip(polygon []point, inside func(lon float64) bool, meridian float64) []point {
	var list []point
	for i, p := range polygon {
		before := polygon[(i+len(polygon)-1)%len(polygon)]
		if inside(p.lon) != inside(before.lon) {
			list = append(list, point{meridian, before.lat + (p.lat-before.lat)*(meridian-before.lon)/
				(p.lon-before.lon)})
		}
		if inside(p.lon) {
			list = append(list, p)
		}
	}
	return list
}

// alongEdges adds points where a polygon runs along the edge of the map, which is curved.
func alongEdges(polygon []point) []point {
	var list []point
	for i, p := range polygon {
		before := polygon[(i+len(polygon)-1)%len(polygon)]
		if math.Abs(p.lon) == 180 && p.lon == before.lon {
			steps := math.Ceil(math.Abs(p.lat - before.lat))
			for s := 1.0; s < steps; s++ {
				list = append(list, point{p.lon, before.lat + (p.lat-before.lat)*s/steps})
			}
		}
		list = append(list, p)
	}
	return list
}
