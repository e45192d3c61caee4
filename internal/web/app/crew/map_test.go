package crew

import (
	"strconv"
	"strings"
	"testing"

	"gangway/internal/calltest"
	"gangway/internal/gangway"
	"gangway/internal/itinerarytest"
)

// box reads a view box: left, top, width, height.
func box(t *testing.T, m *crewMap) [4]float64 {
	t.Helper()
	var b [4]float64
	for i, text := range strings.Fields(m.Box) {
		n := calltest.Must(strconv.ParseFloat(text, 64))(t)
		b[i] = n
	}
	return b
}

// bound is the row of a person who flies from home to a place.
func bound(home gangway.Airport, to gangway.Place) *crewRow {
	return &crewRow{Home: home, Ways: waysOf(nil, []gangway.Leg{{Origin: gangway.Place(home), Destination: to}})}
}

func TestCrewMap(t *testing.T) {
	t.Run("nobody goes anywhere that is known", func(t *testing.T) {
		if m := newCrewMap("AMS", []crewSide{{Rows: []*crewRow{{Home: "MNL"}, bound("XQX", "AMS")}}}); m != nil {
			t.Fatalf("map = %+v; want none", m)
		}
	})
	t.Run("who has no flight yet goes straight, others the way they fly, and each way is drawn once",
		func(t *testing.T) {
			flies := &crewRow{Home: "MNL", Shown: true, Ways: waysOf(itinerarytest.ViaDubai(t).Segments, nil)}
			m := newCrewMap("AMS", []crewSide{{Rows: []*crewRow{flies, bound("CEB", "AMS"), bound("CEB", "AMS"),
				{Home: "MNL", Ways: flies.Ways}}}})
			got := map[string]string{}
			for _, w := range m.Ways {
				got[w.Name] = w.Class
			}
			if len(m.Ways) != 3 || got["MNL-DXB"] != "flown shown" || got["DXB-AMS"] != "flown shown" ||
				got["CEB-AMS"] !=
					"sought" {
				t.Fatalf("ways = %v; want CEB-AMS sought and the two flights by way of Dubai, selected", got)
			}
			if last := m.Ways[len(m.Ways)-1]; !strings.HasSuffix(last.Class, "shown") {
				t.Errorf("%s lies on top; want what is selected", last.Name)
			}
			if port := m.Places[len(m.Places)-1]; port.Class != "port" || port.Label != "Amsterdam" {
				t.Errorf("on top is %+v; want the port by its name", port)
			}
			if want := "Map: the ways of 4 travellers to and from Amsterdam; the table below says the same in " +
				"words"; m.About != want {
				t.Errorf("in words: %q; want %q", m.About, want)
			}
		})
	t.Run("it shows the part of the world that is flown through, in one shape", func(t *testing.T) {
		near := box(t, newCrewMap("AMS", []crewSide{{Rows: []*crewRow{bound("ABZ", "AMS"), bound("GDN", "AMS")}}}))
		far := box(t, newCrewMap("SIN", []crewSide{{Rows: []*crewRow{bound("LAX", "SIN"), bound("GRU", "SIN")}}}))
		if near[2] != 100 || far[2] != 1000 {
			t.Errorf("%v and %v wide; want a tenth of the world for the North Sea, and all of it over the Pacific",
				near[2], far[2])
		}
		for _, b := range [][4]float64{near, far} {
			if b[0] < 0 || b[1] < 0 || b[0]+b[2] > 1000 || b[1]+b[3] > 520 || b[2]/b[3] < 2 || b[2]/b[3] > 2.2 {
				t.Errorf("box = %v; want one within the map, twice as wide as high", b)
			}
		}
	})
	t.Run("labels do not lie on each other", func(t *testing.T) {
		m := newCrewMap("NLRTM", []crewSide{{Rows: []*crewRow{bound("MNL", "NLRTM"), bound("CEB", "NLRTM"),
			bound("ILO", "NLRTM"), bound("CRK", "NLRTM"), bound("TAG", "NLRTM")}}})
		var labelled []mapPlace
		for _, p := range m.Places {
			if p.Label != "" {
				labelled = append(labelled, p)
			}
		}
		size, _ := strconv.ParseFloat(m.Text, 64)
		for i, a := range labelled {
			for _, b := range labelled[i+1:] {
				if dx, dy := a.LabelX-b.LabelX, a.LabelY-b.LabelY; dx*dx < size*size && dy*dy < size*size/4 {
					t.Errorf("%s and %s lie on each other", a.Label, b.Label)
				}
			}
		}
		edges := box(t, m)
		taken := labelAreas(m, edges[2]/mapWidth)
		for i, a := range taken {
			for j, b := range taken[i+1:] {
				if !a.apart(b, edges[2]/mapWidth) {
					t.Errorf("the labels %d and %d touch: %v, %v", i, i+1+j, a, b)
				}
			}
		}
		if len(labelled) < 3 || labelled[len(labelled)-1].Label != "port of Rotterdam" {
			t.Errorf("labels = %+v; want the port and most homes", labelled)
		}
	})
}

// labelAreas are where letters and dots that have letters lie on the map.
func labelAreas(m *crewMap, scale float64) []area {
	var list []area
	for _, p := range m.Places {
		if p.Label != "" {
			list = append(list, area{p.LabelX, p.LabelY - 8.5*scale, p.LabelX + float64(len(p.Label))*letterWidth*scale,
				p.LabelY + 1.5*scale})
		}
	}
	return list
}
