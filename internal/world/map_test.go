package world

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"gangway/internal/calltest"
)

var pathNumber = regexp.MustCompile(`-?(\d+\.?\d*|\.\d+)`)

// drawn reads the data of an SVG path as a browser does: lines in pixels.
func drawn(t *testing.T, path string) [][][2]float64 {
	t.Helper()
	var lines [][][2]float64
	for _, sub := range strings.Split(path, "M")[1:] {
		var line [][2]float64
		var at [2]float64
		numbers := pathNumber.FindAllString(sub, -1)
		if len(numbers)%2 != 0 || strings.Trim(pathNumber.ReplaceAllString(sub, ""), " ") != "l" &&
			!strings.HasSuffix(sub, "z") {
			t.Fatalf("malformed: M%s", sub)
		}
		for i := 0; i < len(numbers); i += 2 {
			for j := range at {
				n := calltest.Must(strconv.ParseFloat(numbers[i+j], 64))(t)
				at[j] += n
			}
			line = append(line, at)
		}
		lines = append(lines, line)
	}
	return lines
}

// atEdge returns how far right of the middle the map reaches at the height y.
func atEdge(y float64) float64 {
	low, high := -90.0, 90.0
	for range 50 {
		lat := (low + high) / 2
		if _, at := Project(lat, 0); at > y {
			low = lat
		} else {
			high = lat
		}
	}
	x, _ := Project(low, 180)
	return x - MapWidth/2
}

func TestProject(t *testing.T) {
	tests := []struct{ lat, lon, x, y float64 }{
		{0, 0, 500, 260}, {0, 180, 1000, 260}, {0, -180, 0, 260}, {90, 0, 500, 0}, {-90, 0, 500, 520},
		{45, 90, 725.2, 115.1}, // the parallel is 0.9006 of the equator, at 0.557 of the way to the pole
		{-45, -90, 274.8, 404.9},
	}
	for _, tt := range tests {
		if x, y := Project(tt.lat, tt.lon); math.Abs(x-tt.x) > 0.5 || math.Abs(y-tt.y) > 0.5 {
			t.Errorf("Project(%v, %v) = %.1f, %.1f; want %v, %v", tt.lat, tt.lon, x, y, tt.x, tt.y)
		}
	}
}

func TestLand(t *testing.T) {
	rings := drawn(t, Land())
	t.Run("it is small enough to be sent with a page", func(t *testing.T) {
		var packed bytes.Buffer
		z, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression)
		z.Write([]byte(Land()))
		z.Close()
		if packed.Len() > 16<<10 {
			t.Errorf("%d bytes, %d packed; want at most 16 KB", len(Land()), packed.Len())
		}
	})
	t.Run("it stays on the map, and no line crosses the map", func(t *testing.T) {
		for _, ring := range rings {
			for i, p := range ring {
				if math.Abs(p[0]-MapWidth/2) > atEdge(p[1])+0.5 || p[1] < 0 || p[1] > MapHeight {
					t.Errorf("%v is off the map", p)
				}
				before := ring[(i+len(ring)-1)%len(ring)]
				onPole := p[1] > MapHeight-0.2 && before[1] > MapHeight-0.2
				if d := math.Hypot(p[0]-before[0], p[1]-before[1]); d > 60 && !onPole {
					t.Errorf("a line of %.0f px from %v to %v", d, before, p)
				}
			}
		}
	})
	t.Run("land is land and sea is sea, even at the edge and the pole", func(t *testing.T) {
		tests := []struct {
			where    string
			lat, lon float64
			land     bool
		}{
			{"Alice Springs", -23.7, 133.9, true}, {"Kansas", 38.5, -98, true}, {"Chad", 15, 19, true},
			{"Madrid", 40.4, -3.7, true},
			{"Chukotka west of the edge", 68, 178, true}, {"Chukotka east of it", 66.5, -175, true},
			{"the south pole", -89.5, 0, true}, {"Antarctica at the edge", -88, 179.5, true},
			{"and beyond it", -88, -179.5, true}, {"Marie Byrd Land", -79, -120, true},
			{"the Ross Sea", -74, -178, false}, {"the Pacific", 0, -150, false}, {"the Pacific at the edge", 10, 179.9,
				false},
			{"the Caspian Sea", 42, 50.5, false}, {"the Atlantic", 30, -45, false}, {"the north pole", 89, 0, false},
			{"the Bering Sea", 58, 179, false},
		}
		for _, tt := range tests {
			x, y := Project(tt.lat, tt.lon)
			inside := false
			for _, ring := range rings {
				for i, p := range ring {
					q := ring[(i+1)%len(ring)]
					if (p[1] > y) != (q[1] > y) && x < p[0]+(q[0]-p[0])*(y-p[1])/(q[1]-p[1]) {
						inside = !inside
					}
				}
			}
			if inside != tt.land {
				t.Errorf("%s: land is %v; want %v", tt.where, inside, tt.land)
			}
		}
	})
}

// greatCircle returns the path of the shortest way between two points.
func greatCircle(lat1, lon1, lat2, lon2 float64) (path string) {
	for _, line := range GreatCircleLines(lat1, lon1, lat2, lon2) {
		path += Path(line)
	}
	return path
}

func TestGreatCircleLines(t *testing.T) {
	tests := []struct {
		pair  string
		lines int // one, or two when the edge of the map is crossed
	}{
		{"MNL-LAX", 2}, {"LAX-MNL", 2}, {"SIN-SCL", 1}, {"AKL-SCL", 2}, {"SCL-AKL", 2}, {"LHR-NRT", 1}, {"AMS-GRU", 1},
		{"AMS-RTM", 1}, {"YVR-DEL", 2}, {"JFK-HKG", 2}, {"PER-EZE", 1}, {"NAN-APW", 2}, {"AKL-PPT", 2},
	}
	for _, tt := range tests {
		t.Run(tt.pair, func(t *testing.T) {
			from, _ := AirportOf(tt.pair[:3])
			to, _ := AirportOf(tt.pair[4:])
			path := greatCircle(from.Lat, from.Lon, to.Lat, to.Lon)
			lines := drawn(t, path)
			if len(lines) != tt.lines {
				t.Fatalf("%d lines; want %d: %s", len(lines), tt.lines, path)
			}
			for i, a := range []Airport{from, to} {
				x, y := Project(a.Lat, a.Lon)
				end := lines[0][0]
				if i == 1 {
					last := lines[len(lines)-1]
					end = last[len(last)-1]
				}
				if math.Hypot(end[0]-x, end[1]-y) > 0.3 {
					t.Errorf("it ends at %v; want %s at %.1f, %.1f", end, a.IATA, x, y)
				}
			}
			for _, line := range lines {
				for i := 1; i < len(line); i++ {
					if d := math.Hypot(line[i][0]-line[i-1][0], line[i][1]-line[i-1][1]); d > 60 {
						t.Errorf("a line of %.0f px from %v to %v", d, line[i-1], line[i])
					}
				}
			}
			if len(lines) == 2 {
				left, right := lines[0][len(lines[0])-1], lines[1][0]
				if math.Abs(left[1]-right[1]) > 0.15 || math.Abs(left[0]+right[0]-MapWidth) > 0.3 ||
					math.Abs(math.Abs(left[0]-MapWidth/2)-atEdge(left[1])) > 0.3 {
					t.Errorf("cut at %v and %v; want both edges at one latitude", left, right)
				}
			}
			if len(path) > 600 {
				t.Errorf("%d bytes; want at most 600", len(path))
			}
		})
	}
	t.Run("it is the shortest way", func(t *testing.T) {
		points := greatCirclePoints(14.5, 121, 33.9, -118.4)
		sum := 0.0
		for i := 1; i < len(points); i++ {
			km := greatCircleKm(points[i-1][0], points[i-1][1], points[i][0], points[i][1])
			if sum += km; km > 250 {
				t.Errorf("a step of %.0f km", km)
			}
		}
		if want := greatCircleKm(14.5, 121, 33.9, -118.4); math.Abs(sum-want) > 1 {
			t.Errorf("%.0f km; want %.0f", sum, want)
		}
		if n := len(greatCirclePoints(52.3, 4.8, 51.9, 4.4)); n != 9 {
			t.Errorf("a short way has %d points; want 9", n)
		}
	})
	t.Run("awkward ends draw something or nothing, and never across the map", func(t *testing.T) {
		for _, ends := range [][4]float64{{10, 20, 10, 20}, {10, 20, -10, -160}, {0, 0, 0, 180}, {90, 0, -90, 0}, {90,
			0, 90, 90}, {5, 180, 5, -180}, {5, 179, 5, -180}, {5, -180, 5, 179}, {0, 90, 0, -90}, {80, 0, 80, 180}} {
			path := greatCircle(ends[0], ends[1], ends[2], ends[3])
			if strings.Contains(path, "N") || strings.Contains(path, "Inf") {
				t.Errorf("great circle of %v = %s", ends, path)
			}
			for _, line := range strings.Split(path, "M")[1:] {
				if !strings.Contains(line, "l") {
					continue
				}
				points := drawn(t, "M"+line)[0]
				for i := 1; i < len(points); i++ {
					if d := math.Hypot(points[i][0]-points[i-1][0], points[i][1]-points[i-1][1]); d > 900 {
						t.Errorf("great circle of %v: a line of %.0f px: %s", ends, d, fmt.Sprint(path))
					}
				}
			}
		}
	})
}
