package query_test

import (
	"errors"
	"net/http"
	"net/url"
	"testing"
	"time"

	"gangway/internal/report/odata"
	"gangway/internal/report/query"
)

// TestRelatedRows holds that what asks for rows of other sets is refused in words, wherever it stands.
func TestRelatedRows(t *testing.T) {
	text := func(name string) *odata.Property {
		return &odata.Property{Name: name, Type: odata.Type{Kind: odata.String}}
	}
	id, carrier, code := text("Id"), text("Carrier"), text("Code")
	segments := &odata.EntitySet{Name: "Segments", Key: []*odata.Property{carrier},
		Properties: []*odata.Property{carrier}}
	vessels := &odata.EntitySet{Name: "Vessels", Key: []*odata.Property{code}, Properties: []*odata.Property{code}}
	bookings := &odata.EntitySet{Name: "Bookings", Key: []*odata.Property{id}, Properties: []*odata.Property{id},
		Navigations: []*odata.Navigation{{Name: "Flights", Target: segments, Many: true},
			{Name: "Vessel", Target: vessels}}}
	schema, err := odata.NewSchema(bookings, segments, vessels)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ path, options, want string }{
		{"Bookings", "$expand=Flights", "$expand: rows of Segments cannot be read through Flights here"},
		{"Bookings", "$filter=not Flights/any(f:f/Carrier eq 'QR')", "$filter: rows of Segments cannot be read " +
			"through Flights here"},
		{"Bookings", "$filter=length(Vessel/Code) gt 2", "$filter: rows of Vessels cannot be read through Vessel here"},
		{"Bookings", "$orderby=Flights/$count desc", "$orderby: rows of Segments cannot be read through Flights here"},
		{"Bookings", "$compute=Vessel/Code as V", "$compute: rows of Vessels cannot be read through Vessel here"},
		{"Bookings", "$apply=filter(Flights/any())", "$apply: rows of Segments cannot be read through Flights here"},
		{"Bookings", "$apply=compute(concat(Id,Vessel/Code) as V)", "$apply: rows of Vessels cannot be read through " +
			"Vessel here"},
		{"Bookings", "$apply=aggregate(Flights/$count with sum as N)", "$apply: rows of Segments cannot be read " +
			"through Flights here"},
		{"Bookings('a')/Flights", "", "rows of Segments cannot be read through Flights here"},
		{"Bookings('a')/Vessel", "$select=Code", "rows of Vessels cannot be read through Vessel here"},
		{"Bookings('a')", "$select=Id", ""},
		{"Bookings", "$apply=aggregate($count as N)&$orderby=N", ""},
	} {
		options := url.PathEscape(c.options)
		req, err := odata.Parse(schema, c.path, options, odata.Options{Now: time.Unix(1.77e9, 0)})
		if err != nil {
			t.Errorf("%s?%s: %v", c.path, c.options, err)
			continue
		}
		_, err = query.For(req)
		if c.want == "" && err == nil {
			continue
		}
		var bad *odata.Error
		if !errors.As(err, &bad) || bad.Status != http.StatusNotImplemented || bad.Error() != c.want {
			t.Errorf("%s?%s: %v; want 501, %s", c.path, c.options, err, c.want)
		}
	}
}
