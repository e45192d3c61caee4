package odatatest_test

import (
	"errors"
	"math/big"
	"math/rand/v2"
	"testing"

	"gangway/internal/report/odata"
	"gangway/internal/report/odata/odatatest"
)

// TestRandom asks thousands of random queries, and checks of every expression
// in them what package odata promises: whether it can be null, and how large it
// can become.
func TestRandom(t *testing.T) {
	s, data := fixture(t)
	set := s.Set("Bookings")
	g := odatatest.Generator{Rand: rand.New(rand.NewPCG(1, 2)), Set: set, Data: data}
	refused, found := 0, 0
	for range 10000 {
		query := g.Query()
		r, err := odata.Parse(s, "Bookings", query, odata.Options{Now: at("2024-03-01T00:00:00Z")})
		if e, is := errors.AsType[*odata.Error](err); is {
			if refused++; e.Status != 400 {
				t.Fatalf("%s: %v", query, err)
			}
			t.Logf("%s: %v", query, err)
			continue
		}
		if rows := data.Answer(r.Query).Rows; len(rows) > 0 {
			found++
		}
		for _, row := range data.Rows[set] {
			if r.Query.Filter != nil && r.Query.Apply == nil && r.Query.Compute == nil {
				holds(t, query, data, r.Query.Filter, row)
			}
			for _, c := range r.Query.Compute {
				holds(t, query, data, c.By, row)
			}
			for _, s := range r.Query.Apply {
				if f, ok := s.(*odata.FilterStage); ok {
					holds(t, query, data, f.By, row)
				}
			}
		}
	}
	if refused > 500 || found < 5000 {
		t.Errorf("of 10,000 queries %d were refused, and %d found rows", refused, found)
	}
	t.Logf("%d queries were refused, %d found rows", refused, found)
}

// holds checks an expression, and what it is made of, for a row.
func holds(t *testing.T, query string, data odatatest.Data, e odata.Expr, row odatatest.Record) {
	t.Helper()
	n := e.Info()
	v := data.Value(e, row)
	if v == nil && !n.Nullable {
		t.Fatalf("%s: an expression at byte %d is null", query, n.At)
	}
	if v, ok := v.(*big.Int); ok && n.Type.Kind != odata.TimeOfDay {
		if f, _ := new(big.Float).SetInt(v).Float64(); f > n.Max || -f > n.Max {
			t.Fatalf("%s: an expression at byte %d is %v; want at most %g", query, n.At, v, n.Max)
		}
		if digits := len(new(big.Int).Abs(v).String()); n.Type.Precision > 0 && digits > n.Type.Precision {
			t.Fatalf("%s: an expression at byte %d is %v; want at most %d digits", query, n.At, v, n.Type.Precision)
		}
	}
	switch e.(type) {
	case *odata.Lambda, *odata.RelatedCount:
		return // what is within speaks of other rows
	}
	for _, c := range odata.Children(e) {
		holds(t, query, data, c, row)
	}
}
