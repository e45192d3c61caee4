package timetable

import (
	"compress/gzip"
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
)

// A route is an airline flying between two airports, in both directions. Its numbers were worked out when the
// file was made: here everything is an integer, so that every machine has the same timetable.
type route struct {
	carrier    string
	hub, other string // the airline's hub comes first
	weekly     int    // departures each way
	aircraft   string
	km         int
	out, back  int // minutes from gate to gate, from the hub and to it
}

func readRoutes(packed io.Reader) ([]route, error) {
	z, err := gzip.NewReader(packed)
	if err != nil {
		return nil, err
	}
	c := csv.NewReader(z)
	c.FieldsPerRecord, c.ReuseRecord = 8, true
	if _, err := c.Read(); err != nil {
		return nil, fmt.Errorf("read routes: %w", err)
	}
	var routes []route
	for {
		row, err := c.Read()
		if err == io.EOF {
			return routes, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read routes: %w", err)
		}
		r := route{carrier: row[0], hub: row[1], other: row[2], aircraft: row[4]}
		for i, to := range map[int]*int{3: &r.weekly, 5: &r.km, 6: &r.out, 7: &r.back} {
			if *to, err = strconv.Atoi(row[i]); err != nil {
				return nil, fmt.Errorf("read route %s %s-%s: %w", row[0], row[1], row[2], err)
			}
		}
		routes = append(routes, r)
	}
}
