// Command land makes internal/world/data/land.path, the outline of the land on
// a map of the world, from Natural Earth's coast lines in npm's world-atlas.
// Run it by go generate ./internal/world: the same inputs give the same bytes.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"gangway/internal/world"
)

func main() {
	log.SetFlags(0)
	_, self, _, _ := runtime.Caller(0)
	refdata := filepath.Join(filepath.Dir(self), "..")
	path, err := outline(filepath.Join(refdata, "node_modules/world-atlas/land-110m.json"))
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(refdata, "../../internal/world/data/land.path"), []byte(path), 0o644); err !=
		nil {
		log.Fatal(err)
	}
	log.Printf("the land takes %d bytes", len(path))
}

// outline returns the land of a TopoJSON file as the data of an SVG path.
func outline(file string) (string, error) {
	rings, err := decode(file)
	if err != nil {
		return "", err
	}
	var path strings.Builder
	for _, r := range rings {
		for _, piece := range pieces(r) {
			var line [][2]float64
			for _, p := range alongEdges(piece) {
				x, y := world.Project(p.lat, p.lon)
				line = append(line, [2]float64{x, y})
			}
			if data := world.Path(line); strings.Contains(data, "l") { // else it is smaller than a pixel
				path.WriteString(data + "z")
			}
		}
	}
	return path.String() + "\n", nil
}

// A point of the earth, in degrees.
type point struct{ lon, lat float64 }

// decode reads the rings of a TopoJSON file of polygons. A ring is a list of
// arcs, which two rings may share; ^n is arc n backwards. An arc's points are
// whole numbers, each but the first as its distance from the one before.
func decode(file string) ([][]point, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("%w (scripts/need refdata brings it)", err)
	}
	var topology struct {
		Objects struct {
			Land struct {
				Geometries []struct {
					Type string    `json:"type"`
					Arcs [][][]int `json:"arcs"`
				} `json:"geometries"`
			} `json:"land"`
		} `json:"objects"`
		Arcs      [][][2]int `json:"arcs"`
		Transform struct {
			Scale     [2]float64 `json:"scale"`
			Translate [2]float64 `json:"translate"`
		} `json:"transform"`
	}
	if err := json.Unmarshal(text, &topology); err != nil {
		return nil, fmt.Errorf("read %s: %w", file, err)
	}
	scale, translate := topology.Transform.Scale, topology.Transform.Translate
	arcs := make([][]point, len(topology.Arcs))
	for i, arc := range topology.Arcs {
		var x, y int
		for _, step := range arc {
			x, y = x+step[0], y+step[1]
			arcs[i] = append(arcs[i], point{float64(x)*scale[0] + translate[0], float64(y)*scale[1] + translate[1]})
		}
	}
	var rings [][]point
	for _, g := range topology.Objects.Land.Geometries {
		if g.Type != "MultiPolygon" {
			return nil, fmt.Errorf("read %s: the land is a %s", file, g.Type)
		}
		for _, polygon := range g.Arcs {
			for _, indices := range polygon {
				var ring []point
				for _, i := range indices {
					arc := arcs[max(i, ^i)]
					for j := range arc {
						p := arc[j]
						if i < 0 {
							p = arc[len(arc)-1-j]
						}
						if j > 0 || len(ring) == 0 { // an arc begins where the one before ends
							ring = append(ring, p)
						}
					}
				}
				rings = append(rings, ring)
			}
		}
	}
	return rings, nil
}
