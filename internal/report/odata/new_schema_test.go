package odata

import (
	"strings"
	"sync"
	"testing"
)

// TestNewSchema checks what a schema must not be like.
func TestNewSchema(t *testing.T) {
	id := &Property{Name: "Id", Type: Type{Kind: String}}
	maybe := &Property{Name: "Maybe", Type: Type{Kind: String}, Nullable: true}
	price := func(precision, scale int) *Property {
		return &Property{Name: "Price", Type: Type{Kind: Decimal, Precision: precision, Scale: scale}}
	}
	set := func(key *Property, properties ...*Property) *EntitySet {
		return &EntitySet{Name: "Set", Key: []*Property{key}, Properties: properties}
	}
	other := &EntitySet{Name: "Other", Key: []*Property{id}, Properties: []*Property{id, maybe}}
	led := func(name string, to *EntitySet, many bool, on ...string) []*EntitySet {
		from := set(id, id, maybe)
		from.Navigations = []*Navigation{{Name: name, Target: to, Many: many, On: on}}
		return []*EntitySet{from, other}
	}
	tests := []struct {
		name string
		sets []*EntitySet
		want string
	}{
		{"two sets", []*EntitySet{set(id, id), set(id, id)}, "two entity sets are called Set"},
		{"two properties", []*EntitySet{set(id, id, id)}, "two properties are called Id"},
		{"no key", []*EntitySet{{Name: "Set", Properties: []*Property{id}}}, "has no key"},
		{"a key of another set", []*EntitySet{set(maybe, id)}, "Maybe cannot be part of the key"},
		{"a key that may be null", []*EntitySet{set(maybe, maybe)}, "Maybe cannot be part of the key"},
		{"a decimal without precision", []*EntitySet{set(id, id, price(0, 0))}, "a Decimal has 1 to 38 digits"},
		{"more places than digits", []*EntitySet{set(id, id, price(2, 3))}, "a Decimal has 1 to 38 digits"},
		{"more digits than an int64", []*EntitySet{set(id, id, price(19, 2))}, "Price has more than 18 digits"},
		{"a navigation property like a property", led("Id", other, false, "Id"), "two members called Id"},
		{"a navigation property to elsewhere", led("To", set(id, id), true, "Id"), "To leads to no set of the schema"},
		{"a navigation property on nothing", led("To", other, true), "To is on no property"},
		{"a navigation property on half a pair", led("To", other, true, "Price"), "not a property of both sets"},
		{"one row on what others may have", led("To", other, false, "Maybe"), "leads to one row, and is not on " +
			"its key"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := NewSchema(tt.sets...); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("err = %v; want %s", err, tt.want)
			}
		})
	}
}

// TestAtOnce checks that requests can share a schema; the race detector sees more.
func TestAtOnce(t *testing.T) {
	s := bookings(t)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			_, err := Parse(s, "FlightBookingDetailed", "$apply=groupby((State,Bytes,PriceTotal)"+
				",aggregate($count%20as%20N))"+
				"&$orderby=N&$compute=round(PriceTotal)%20as%20R", testOptions)
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
}
