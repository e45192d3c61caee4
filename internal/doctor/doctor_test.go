package doctor_test

import (
	"cmp"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"gangway/internal/accept/mapping"
	"gangway/internal/calltest"
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
	plan := calltest.Must(doctor.AtAddress(at))(t)
	plan.Ask = ask
	report := calltest.Must(d.Examine(t.Context(), plan))(t)
	return report
}

// ofFeed examines the system that a feed of travellers by surname fetches from.
func ofFeed(t *testing.T, settings map[string]any) doctor.Report {
	t.Helper()
	doc := calltest.Must(json.Marshal(settings))(t)
	plan, err := doctor.OfFeed(gangway.Feed{Name: "people", Flow: gangway.TravellerLookupFlow,
		Transport: gangway.Transport{Kind: "endpoint", Settings: doc}})
	calltest.Done(t, err)
	report := calltest.Must(newDoctor(doctor.Config{}).Examine(t.Context(), plan))(t)
	return report
}

// lookups examines B1 of a system.
func lookups(t *testing.T, h http.Handler, ask gangway.Ask) doctor.Report {
	t.Helper()
	return examine(t, newDoctor(doctor.Config{}), doctor.Address{URL: serve(t, h).URL,
		Flows: []gangway.Flow{gangway.TravellerLookupFlow}}, ask)
}

// wants checks how a check ended, and that each of these is among its sentences.
func wants(t *testing.T, r doctor.Report, id string, verdict doctor.Verdict, says ...string) doctor.Check {
	t.Helper()
	c := find(t, r, id)
	for _, part := range append(says, "") {
		if said := sentences(c); c.Verdict != verdict || !strings.Contains(said, part) {
			t.Errorf("%s is %s: %s; want %s and %q", id, c.Verdict, said, verdict, part)
		}
	}
	return c
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
	for _, c := range report.Checks {
		if c.Verdict != doctor.Fine && c.Verdict != doctor.NotTried && c.ID != "tls.certificate" {
			t.Errorf("%s is %s: %+v", c.ID, c.Verdict, c.Findings)
		}
	}
	if report.Fine < 30 {
		t.Errorf("%d checks are fine; want all that were made", report.Fine)
	}
}
