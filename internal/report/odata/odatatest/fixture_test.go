package odatatest_test

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"gangway/internal/report/odata"
	"gangway/internal/report/odata/odatatest"
)

func property(name string, k odata.Kind) *odata.Property {
	return &odata.Property{Name: name, Type: odata.Type{Kind: k, Precision: 3}, Nullable: true,
		Searchable: name == "Name" || name == "Vessel"}
}

func decimal(name string, precision, scale int) *odata.Property {
	return &odata.Property{Name: name, Type: odata.Type{Kind: odata.Decimal, Precision: precision, Scale: scale},
		Nullable: true}
}

func at(s string) time.Time {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		panic(err)
	}
	return t
}

// fixture returns bookings and their segments:
//
//	Id  Name      Vessel   Price   Km      Minutes  NoShow  Created                  Departs
//	a   Müller    Aurora   100.00  1.500   60       true    2024-02-29T10:00:00Z     2024-03-03T10:00:00Z
//	b   O'Brien   null     100.00  2.500   null     false   2024-02-29T10:00:00.123Z null
//	c   Ω Åsa     aurora   -7.25   null    0        null    2023-12-31T23:59:59.999Z 2024-01-01T00:00:00Z
//	d   null      Boreas   null    1000    -45      null    null                     null
//	e   (blanks)  Boreas   0.00    0.001   7        false   2025-01-01T00:00:00Z     2025-01-01T06:30:00Z
func fixture(t testing.TB) (*odata.Schema, odatatest.Data) {
	t.Helper()
	id := &odata.Property{Name: "Id", Type: odata.Type{Kind: odata.String}}
	booking, nr := &odata.Property{Name: "Id", Type: odata.Type{Kind: odata.String}},
		&odata.Property{Name: "Nr", Type: odata.Type{Kind: odata.Int32}}
	segments := &odata.EntitySet{Name: "Segments", Key: []*odata.Property{booking, nr},
		Properties: []*odata.Property{booking, nr, property("Carrier", odata.String), decimal("Length", 9, 3)}}
	created := property("Created", odata.DateTimeOffset)
	bookings := &odata.EntitySet{Name: "Bookings", Key: []*odata.Property{id},
		Order: []odata.Sort{{Property: created, Descending: true}},
		Properties: []*odata.Property{id, property("Name", odata.String), property("Vessel", odata.String),
			decimal("Price", 12, 2),
			decimal("Km", 12, 3), property("Minutes", odata.Int32), property("NoShow", odata.Boolean), created,
			property("Departs", odata.DateTimeOffset)},
		Navigations: []*odata.Navigation{{Name: "Segments", Target: segments, Many: true,
			On: []string{"Id"}}}}
	segments.Navigations = []*odata.Navigation{{Name: "Booking", Target: bookings, On: []string{"Id"}}}
	s := odata.NewSchema(bookings, segments)
	row := func(id string, name, vessel, price, km, minutes, noShow, created, departs any) odatatest.Record {
		for _, v := range []*any{&created, &departs} {
			if s, ok := (*v).(string); ok {
				*v = at(s)
			}
		}
		return odatatest.Record{"Id": id, "Name": name, "Vessel": vessel, "Price": price, "Km": km, "Minutes": minutes,
			"NoShow": noShow, "Created": created, "Departs": departs}
	}
	data := odatatest.NewData(map[*odata.EntitySet][]odatatest.Record{bookings: {
		row("a", "Müller", "Aurora", 10000, 1500, 60, true, "2024-02-29T10:00:00Z", "2024-03-03T10:00:00Z"),
		row("b", "O'Brien", nil, 10000, 2500, nil, false, "2024-02-29T10:00:00.123Z", nil),
		row("c", "Ω Åsa", "aurora", -725, nil, 0, nil, "2023-12-31T23:59:59.999Z", "2024-01-01T00:00:00Z"),
		row("d", nil, "Boreas", nil, 1000000, -45, nil, nil, nil),
		row("e", " \u00a0\t", "Boreas", 0, 1, 7, false, "2025-01-01T00:00:00Z", "2025-01-01T06:30:00Z"),
	}, segments: {
		{"Id": "a", "Nr": 1, "Carrier": "KL", "Length": 500}, {"Id": "a", "Nr": 2, "Carrier": "QR", "Length": 1000},
		{"Id": "b", "Nr": 1, "Carrier": nil, "Length": 2500},
	}})
	return s, data
}

// ask answers a query written without encoding.
func ask(t testing.TB, path, query string) odatatest.Result {
	t.Helper()
	s, data := fixture(t)
	r, err := odata.Parse(s, path, strings.ReplaceAll(query, " ", "%20"),
		odata.Options{Now: at("2024-03-01T00:00:00Z")})
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return data.Answer(r.Query)
}

// ids returns the keys of the bookings that a filter keeps, in the order of the keys.
func ids(t testing.TB, filter string) string {
	t.Helper()
	out := ""
	for _, r := range ask(t, "Bookings", "$orderby=Id&$select=Id&$filter="+url.QueryEscape(filter)).Rows {
		out += r["Id"].(string)
	}
	return out
}
