package main

import (
	"math"
	"os"
	"testing"

	"gangway/internal/need"
)

func TestTrialTheCommittedFileIsWhatThePackageMakes(t *testing.T) {
	need.Trial(t)
	need.Refdata(t)
	got, err := outline("../node_modules/world-atlas/land-110m.json")
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("../../../internal/world/data/land.path")
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("it differs (%d bytes, committed %d): run go generate ./internal/world", len(got), len(want))
	}
}

// area returns the area of a polygon in square degrees.
func area(polygon []point) float64 {
	sum := 0.0
	for i, p := range polygon {
		q := polygon[(i+1)%len(polygon)]
		sum += p.lon*q.lat - q.lon*p.lat
	}
	return math.Abs(sum) / 2
}

func TestPieces(t *testing.T) {
	tests := []struct {
		name  string
		ring  []point
		areas []float64
	}{
		{"within the map", []point{{0, 0}, {10, 0}, {10, 10}, {0, 10}, {0, 0}}, []float64{100}},
		{"across the edge, eastwards", []point{{175, 0}, {-170, 0}, {-170, 10}, {175, 10}, {175, 0}},
			[]float64{100, 50}},
		{"across the edge, westwards", []point{{-170, 0}, {175, 0}, {175, 10}, {-170, 10}, {-170, 0}},
			[]float64{100, 50}},
		{"around the pole, eastwards", []point{{-100, -80}, {0, -80}, {100, -80}, {-160, -80}, {-100, -80}},
			[]float64{3600}},
		{"around the pole, westwards", []point{{-100, -80}, {-160, -80}, {100, -80}, {0, -80}, {-100, -80}},
			[]float64{3600}},
		{"around the pole, from the edge", []point{{180, -80}, {60, -80}, {-60, -80}, {-180, -80}}, []float64{3600}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			list := pieces(tt.ring)
			if len(list) != len(tt.areas) {
				t.Fatalf("pieces = %v; want %d", list, len(tt.areas))
			}
			for i, piece := range list {
				if got := area(piece); math.Abs(got-tt.areas[i]) > 1e-6 {
					t.Errorf("piece %v has %.1f square degrees; want %.1f", piece, got, tt.areas[i])
				}
				for _, p := range piece {
					if math.Abs(p.lon) > 180 {
						t.Errorf("%v is off the map", p)
					}
				}
			}
		})
	}
	t.Run("the edge of the map is followed, for it is curved", func(t *testing.T) {
		if got := alongEdges([]point{{180, -90}, {180, -80}, {170, -80}, {170, -90}}); len(got) != 13 {
			t.Errorf("%d points: %v; want 9 more along the edge", len(got), got)
		}
	})
}
