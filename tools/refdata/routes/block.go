package main

import (
	"math"
	"slices"

	"gangway/internal/world"
)

// A point is a place on the way.
type point struct{ lat, lon float64 }

const rad = math.Pi / 180

// block returns the minutes from gate to gate, to the five minutes of a
// timetable: taxiing, climb and descent, and the flight along the great circle
// with the winds of the middle latitudes, around Russia for those who must.
func block(carrier string, from, to *place, km float64, aircraft string) int {
	ground, speed := 38.0, 13.8 // minutes, kilometres a minute
	switch aircraft {
	case "AT7":
		ground, speed = 25, 8
	case "333", "789", "77W", "359":
		// Long flights cruise for more of their time, and find better winds.
		speed = min(13.85+(km-3000)/9000*0.8, 14.8)
		if km > 15000 {
			speed = 14.3 // as slowly as saves fuel
		}
	}
	minutes := ground
	way := path(carrier, from, to, km)
	if len(way) > 2 {
		speed /= 1.05 // airways are crowded on a detour that everybody takes
	}
	for i := 1; i < len(way); i++ {
		minutes += flight(way[i-1], way[i], speed)
	}
	return max(int(minutes/5+0.5)*5, 20)
}

// path returns the points between which a flight follows the great circle.
func path(carrier string, from, to *place, km float64) []point {
	a, b := point{from.Lat, from.Lon}, point{to.Lat, to.Lon}
	airline, _ := world.AirlineOf(carrier)
	// they do on the way to America
	barred := slices.Contains(barredFromRussia, airline.Country) || airline.Country == "HK" && min(a.lon, b.lon) > -30
	if km < 3000 || !barred || !overRussia(a, b) {
		return []point{a, b}
	}
	var best []point
	shortest := math.Inf(1)
	for _, detour := range aroundRussia {
		way := append(append([]point{a}, detour...), b)
		length := 0.0
		for i := 1; i < len(way); i++ {
			length += angle(way[i-1], way[i])
		}
		if length < shortest {
			best, shortest = way, length
		}
	}
	return best
}

// barredFromRussia lists countries whose airlines may not, or do not, cross Russia since 2022.
var barredFromRussia = append([]string{"US", "CA", "JP", "KR", "TW", "AU", "NZ"}, singleMarket...)

// aroundRussia lists ways between Europe, Asia and America that leave Russia aside.
var aroundRussia = [][]point{
	{{41.5, 47}, {43, 78}},          // over the Caucasus and Kazakhstan
	{{41.5, 47}},                    // over the Caucasus
	{{72, 20}, {82, 0}, {66, -169}}, // over the Arctic and Alaska
	{{66, -169}, {50, 165}},         // over Alaska
	{{50, 165}},                     // over the Pacific
}

// russia lists boxes of latitude and longitude that cover it, roughly.
var russia = []struct{ south, west, north, east float64 }{
	{51.5, 32, 82, 61}, {55, 61, 82, 87}, {52, 87, 82, 120}, {53.5, 120, 78, 135}, {49, 135, 78, 142},
	{60, 142, 78, 180},
}

func overRussia(a, b point) bool {
	for i := range steps {
		p := between(a, b, float64(i)/steps)
		for _, box := range russia {
			if p.lat > box.south && p.lat < box.north && p.lon > box.west && p.lon < box.east {
				return true
			}
		}
	}
	return false
}

const steps = 64

// flight returns the minutes for a great circle at a speed through the air.
// Winds blow from the west, strongest between 35 and 55 degrees.
func flight(a, b point, speed float64) (minutes float64) {
	for i := range steps {
		p, q := between(a, b, float64(i)/steps), between(a, b, float64(i+1)/steps)
		km := angle(p, q) * 6371
		if km == 0 {
			continue
		}
		east := math.Mod(q.lon-p.lon+540, 360) - 180
		east *= rad * 6371 * math.Cos((p.lat+q.lat)/2*rad) // kilometres
		minutes += km / (speed + wind((p.lat+q.lat)/2)*max(-1, min(east/km, 1)))
	}
	return minutes
}

// wind returns the kilometres a minute that it blows towards the east.
func wind(lat float64) float64 {
	const strongest = 1.15
	switch lat = math.Abs(lat); {
	case lat < 15, lat > 70:
		return 0
	case lat < 35:
		return strongest * (lat - 15) / 20
	case lat > 55:
		return strongest * (70 - lat) / 15
	}
	return strongest
}

// angle returns the angle between two points, in radians.
func angle(a, b point) float64 {
	va, vb := a.vector(), b.vector()
	return math.Acos(max(-1, min(va[0]*vb[0]+va[1]*vb[1]+va[2]*vb[2], 1)))
}

// between returns the point a fraction of the way along the great circle.
func between(a, b point, fraction float64) point {
	d := angle(a, b)
	if d == 0 {
		return a
	}
	u, v := math.Sin((1-fraction)*d)/math.Sin(d), math.Sin(fraction*d)/math.Sin(d)
	va, vb := a.vector(), b.vector()
	x, y, z := u*va[0]+v*vb[0], u*va[1]+v*vb[1], u*va[2]+v*vb[2]
	return point{math.Atan2(z, math.Hypot(x, y)) / rad, math.Atan2(y, x) / rad}
}

func (p point) vector() [3]float64 {
	return [3]float64{math.Cos(p.lat*rad) * math.Cos(p.lon*rad), math.Cos(p.lat*rad) * math.Sin(p.lon*rad),
		math.Sin(p.lat * rad)}
}
