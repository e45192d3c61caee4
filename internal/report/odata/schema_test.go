package odata

import (
	"sync"
	"testing"
	"time"
)

// bookings is the schema of the tests: a set with a property of each kind, and
// two that it leads to.
func bookings(t testing.TB) *Schema {
	t.Helper()
	text := func(name string) *Property {
		return &Property{Name: name, Type: Type{Kind: String}, Nullable: true, Searchable: name == "VesselName"}
	}
	number := func(name string, precision, scale int) *Property {
		return &Property{Name: name, Type: Type{Kind: Decimal, Precision: precision, Scale: scale}, Nullable: true}
	}
	at := func(name string) *Property {
		return &Property{Name: name, Type: Type{Kind: DateTimeOffset, Precision: 3}, Nullable: true}
	}
	id := &Property{Name: "BookingId", Type: Type{Kind: String}}
	created := at("CreatedAt")
	segment := &Property{Name: "SegmentId", Type: Type{Kind: String}}
	booking := &Property{Name: "BookingId", Type: Type{Kind: String}}
	nr := &Property{Name: "Nr", Type: Type{Kind: Int32}}
	segments := &EntitySet{Name: "Segments", Key: []*Property{segment},
		Properties: []*Property{segment, text("BookingId"), text("Carrier"), number("Km", 12, 3)}}
	actions := &EntitySet{Name: "Actions", Key: []*Property{booking, nr},
		Properties: []*Property{booking, nr, text("Name")}}
	set := &EntitySet{Name: "FlightBookingDetailed", Key: []*Property{id}, Order: []Sort{{created, true}},
		Properties: []*Property{id, text("State"), text("VesselName"), text("PassengerLastName"),
			number("PriceTotal", 12, 2), number("MileageKm", 12, 3), created, at("DepartureAt"),
			{Name: "NoShow", Type: Type{Kind: Boolean}, Nullable: true},
			{Name: "TotalConnectionDuration", Type: Type{Kind: Int32}, Nullable: true},
			{Name: "Bytes", Type: Type{Kind: Int64}, Nullable: true},
			{Name: "Day", Type: Type{Kind: Date}, Nullable: true},
			{Name: "Clock", Type: Type{Kind: TimeOfDay, Precision: 3}, Nullable: true},
			{Name: "Wait", Type: Type{Kind: Duration}, Nullable: true},
			{Name: "Guid", Type: Type{Kind: GUID}, Nullable: true}},
		Navigations: []*Navigation{{Name: "Segments", Target: segments, Many: true, On: []string{"BookingId"}},
			{Name: "Actions", Target: actions, Many: true, On: []string{"BookingId"}}}}
	segments.Navigations = []*Navigation{{Name: "Booking", Target: set, On: []string{"BookingId"}}}
	return NewSchema(set, segments, actions)
}

var testOptions = Options{Now: time.Date(2026, 3, 1, 9, 30, 0, 123456789, time.UTC)}

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
