package odatatest_test

import (
	"math/rand/v2"
	"testing"

	"gangway/internal/report/odata"
	"gangway/internal/report/odata/odatatest"
)

// FuzzAnswer looks for queries that are read but cannot be answered for some
// row, or whose expressions break what package odata promises of them.
func FuzzAnswer(f *testing.F) {
	s, data := fixture(f)
	set := s.Set("Bookings")
	g := odatatest.Generator{Rand: rand.New(rand.NewPCG(3, 4)), Set: set, Data: data}
	for range 50 {
		f.Add(g.Query())
	}
	f.Fuzz(func(t *testing.T, query string) {
		r, err := odata.Parse(s, "Bookings", query, odata.Options{Now: at("2024-03-01T00:00:00Z")})
		if err != nil {
			return
		}
		data.Answer(r.Query)
		if r.Query.Filter == nil || r.Query.Apply != nil || r.Query.Compute != nil {
			return
		}
		for _, row := range data.Rows[set] {
			holds(t, query, data, r.Query.Filter, row)
		}
	})
}
