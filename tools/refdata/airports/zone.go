package main

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	_ "time/tzdata"
)

// A zone is a time zone of a country, with the city that stands for it.
type zone struct {
	name     string
	lat, lon float64
}

// setZones gives every airport its time zone. tz-lookup knows old and coarse
// borders, so what it says counts only where zone.tab lists that zone for the
// airport's country. Otherwise the country's zones with the same clock are
// tried, nearest city first, and then all of the country's.
func setZones(list []airport, here string) error {
	seen, err := lookup(here)
	if err != nil {
		return err
	}
	byCountry, err := zoneTab(filepath.Join(here, "data/zone.tab"))
	if err != nil {
		return err
	}
	overrides, err := table(filepath.Join(here, "data/tz_overrides.csv"))
	if err != nil {
		return err
	}
	typed := map[string]string{}
	for _, r := range overrides {
		typed[r["iata"]] = r["tz"]
	}
	for i := range list {
		a := &list[i]
		switch {
		case a.zone != "": // patched
		case typed[a.iata] != "":
			a.zone = typed[a.iata]
		case a.country == "CN": // one clock in the whole country
			a.zone = "Asia/Shanghai"
		default:
			a.zone = nearest(*a, seen[a.iata], byCountry[a.country])
		}
		if _, err := time.LoadLocation(a.zone); err != nil || a.zone == "" {
			return fmt.Errorf("airport %s has no known zone: %q", a.iata, a.zone)
		}
	}
	return nil
}

func nearest(a airport, seen string, zones []zone) string {
	if len(zones) == 0 || slices.ContainsFunc(zones, func(z zone) bool { return z.name == seen }) {
		return seen
	}
	clock := offsets(seen)
	same := slices.DeleteFunc(slices.Clone(zones), func(z zone) bool { return offsets(z.name) != clock })
	if len(same) == 0 {
		same = zones
	}
	return slices.MinFunc(same, func(x, y zone) int {
		if distance(a, x) < distance(a, y) {
			return -1
		}
		return 1
	}).name
}

// offsets returns the seconds from UTC in winter and in summer.
func offsets(name string) [2]int {
	loc, err := time.LoadLocation(name)
	if err != nil {
		return [2]int{-1, -1}
	}
	_, january := time.Date(2027, 1, 15, 12, 0, 0, 0, time.UTC).In(loc).Zone()
	_, july := time.Date(2027, 7, 15, 12, 0, 0, 0, time.UTC).In(loc).Zone()
	return [2]int{january, july}
}

// distance is good enough to compare.
func distance(a airport, z zone) float64 {
	dLon := math.Mod(math.Abs(a.lon-z.lon), 360)
	dLon = min(dLon, 360-dLon) * math.Cos(a.lat*math.Pi/180)
	return math.Hypot(a.lat-z.lat, dLon)
}

// lookup asks tz-lookup for the zone of every airport.
func lookup(here string) (map[string]string, error) {
	node := exec.Command("node", "zones.mjs")
	node.Dir, node.Stderr = here, os.Stderr
	text, err := node.Output()
	if err != nil {
		return nil, fmt.Errorf("run zones.mjs: %w", err)
	}
	seen := map[string]string{}
	for line := range bytes.Lines(text) {
		iata, name, _ := strings.Cut(strings.TrimSpace(string(line)), "\t")
		seen[iata] = name
	}
	return seen, nil
}

// zoneTab reads the list of zones by country that comes with the time zone database.
func zoneTab(path string) (map[string][]zone, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	zones := map[string][]zone{}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(strings.TrimSpace(line), "\t")
		if len(f) < 3 {
			return nil, fmt.Errorf("%s: %q", path, line)
		}
		split := strings.LastIndexAny(f[1], "+-")
		lat, err := degrees(f[1][:split])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		lon, err := degrees(f[1][split:])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		zones[f[0]] = append(zones[f[0]], zone{f[2], lat, lon})
	}
	return zones, nil
}

// degrees reads ±DDMM, ±DDDMM, ±DDMMSS or ±DDDMMSS.
func degrees(s string) (float64, error) {
	n, err := strconv.Atoi(s[1:])
	if err != nil {
		return 0, err
	}
	seconds := 0
	if len(s) > 6 {
		n, seconds = n/100, n%100
	}
	d := float64(n/100) + float64(n%100)/60 + float64(seconds)/3600
	if s[0] == '-' {
		d = -d
	}
	return d, nil
}
