package reporting_test

import (
	"io"
	"strings"
	"testing"
	"time"

	"gangway/internal/report/odata"
	"gangway/internal/report/query"
	"gangway/internal/store"
	"gangway/internal/web/reporting"
)

// TestTimeOfRequests holds that a request, and all requests of a batch together, wait for the database and read from it
// for so long and no longer, and that each answer says so.
func TestTimeOfRequests(t *testing.T) {
	each(t, 3, reporting.Limits{Time: 50 * time.Millisecond}, func(t *testing.T, s *service) {
		read, err := odata.Parse(query.Schema, "/FlightBookingDetailed", "", odata.Options{Now: time.Now()})
		must(t, err)
		req, err := query.For(read)
		must(t, err)
		held, free, over := make(chan struct{}), make(chan struct{}), make(chan error)
		for range store.ReportsOfOne { // all of the account's connections
			go func() {
				over <- s.in.Report(t.Context(), req, store.ReportAnswer{Row: func(query.Row) error {
					held <- struct{}{}
					<-free
					return io.EOF
				}})
			}()
			<-held
		}
		const says = "the report has taken longer than a minute"
		a := s.get(t, "FlightBookingDetailed")
		if _, message, _ := a.fault(t); a.status != 503 || !strings.HasPrefix(message, says) {
			t.Errorf("a request is answered with %d, %s", a.status, message)
		}
		one := `{"id":"%","method":"GET","url":"FlightBookingDetailed"}`
		list := s.batch(t, `{"requests":[`+strings.Replace(one, "%", "1", 1)+","+strings.Replace(one, "%", "2", 1)+`]}`,
			"Prefer", "odata.continue-on-error")
		if got := summary(list); strings.Count(got, ` 503 {"error":{"code":"Unavailable","message":"the report has`) != 2 {
			t.Errorf("a batch is answered with %s", got)
		}
		close(free)
		for range store.ReportsOfOne {
			if err := <-over; err != io.EOF {
				t.Error(err)
			}
		}
	})
}
