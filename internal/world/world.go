// Package world knows facts about the world: airports and their time zones,
// airlines, cities, sea ports, countries, distances, emission factors and the
// outline of the land. It holds no opinion on how to travel: routes, timetables and
// fares belong to suppliers.
//
// The facts are small files in data, embedded in the program. airports.csv.gz
// is made by tools/refdata, and land.path was made once (see PROVENANCE.md); the
// others are maintained by hand. Everything is read on first use and never changes.
package world

import (
	"embed"
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"
)

//go:generate ../../scripts/need refdata
//go:generate go run ../../tools/refdata/airports

//go:embed data
var files embed.FS

// rows reads a CSV with the given number of columns and calls read for each row
// below the heading. The files are ours and embedded, so one that cannot be read is a
// broken build: it panics.
func rows(name string, r io.Reader, columns int, read func(row []string)) {
	c := csv.NewReader(r)
	c.FieldsPerRecord, c.ReuseRecord, c.Comment = columns, true, '#'
	for first := true; ; first = false {
		row, err := c.Read()
		switch {
		case err == io.EOF:
			return
		case err != nil:
			panic(fmt.Sprintf("world: read %s: %v", name, err))
		case !first:
			read(row)
		}
	}
}

// table reads an embedded CSV.
func table(name string, columns int, read func(row []string)) {
	f, err := files.Open("data/" + name)
	if err != nil {
		panic(fmt.Sprintf("world: open %s: %v", name, err))
	}
	defer f.Close()
	rows(name, f, columns, read)
}

// number reads a number of an embedded file.
func number(s string) float64 {
	n, err := strconv.ParseFloat(s, 64)
	if err != nil {
		panic(fmt.Sprintf("world: %v", err))
	}
	return n
}

// codeForm brings a code into the form that the tables have.
func codeForm(code string) string { return strings.ToUpper(strings.TrimSpace(code)) }
