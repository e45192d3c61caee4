package doctor_test

import (
	"cmp"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"testing"
	"time"

	"gangway/internal/accept/mapping"
	"gangway/internal/deliver"
	"gangway/internal/doctor"
	"gangway/internal/gangway"
	"gangway/internal/samplecustomer"
	"gangway/internal/transport"
)

// newDoctor may call systems on this machine.
func newDoctor(c doctor.Config) *doctor.Doctor {
	c.Limit = cmp.Or(c.Limit, 2*time.Minute) // the machine may be busy
	c.Options = transport.Options{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}
	c.Push = c.Options
	c.Now = time.Now
	c.Runner = mapping.NewWorkers().Patient("")
	return doctor.New(c)
}

// examine examines the system at an address.
func examine(t *testing.T, d *doctor.Doctor, at doctor.Address, ask gangway.Ask) doctor.Report {
	t.Helper()
	plan, err := doctor.AtAddress(at)
	if err != nil {
		t.Fatal(err)
	}
	plan.Ask = ask
	report, err := d.Examine(t.Context(), plan)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func serve(t *testing.T, h http.Handler) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s
}

// TestSampleCustomerIsWell: the system that integrators may take as an example does all
// that is looked at.
func TestSampleCustomerIsWell(t *testing.T) {
	secret := deliver.NewSecret()
	s := serve(t, samplecustomer.New(samplecustomer.Config{Secret: secret, Log: slog.New(slog.DiscardHandler)}))
	report := examine(t, newDoctor(doctor.Config{}), doctor.Address{URL: s.URL, Secret: secret,
		Flows: []gangway.Flow{gangway.TravellerLookupFlow, gangway.TravelRequestsFlow, gangway.CrewChangesFlow,
			doctor.PushFlow}}, gangway.Ask{})
	if os.Getenv("SHOW") != "" {
		os.Stdout.WriteString(report.Text())
	}
	for _, c := range report.Checks {
		if c.Verdict != doctor.Fine && c.Verdict != doctor.NotTried && c.ID != "tls.certificate" {
			t.Errorf("%s is %s: %+v", c.ID, c.Verdict, c.Findings)
		}
	}
	if report.Fine < 30 {
		t.Errorf("%d checks are fine; want all that were made", report.Fine)
	}
}
