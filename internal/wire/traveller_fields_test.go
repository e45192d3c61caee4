package wire

import (
	"fmt"
	"net/url"
	"testing"

	"gangway/internal/gangway"

	"github.com/go-json-experiment/json/jsontext"
)

// Every member of a traveller is read in each of the three ways in which travellers arrive: in an upload, with a travel
// request, and by a hand-off.
func TestTravellersAreReadWholeInEveryWay(t *testing.T) {
	of := func(record string) func(func(int, jsontext.Value) bool) {
		return func(yield func(int, jsontext.Value) bool) { yield(0, jsontext.Value(record)) }
	}
	traveler := gangway.UploadedRequest.Members.Named("traveler").Members
	for i := range gangway.UploadedTraveller.Members {
		m := &gangway.UploadedTraveller.Members[i]
		read := func(way string, got gangway.Traveller) {
			if value := m.Text(&got); value != m.Sample || len(got.Extra) > 0 {
				t.Errorf("%s by %s is %q, with %s kept as unknown; want %q", m.Name, way, value, got.Extra, m.Sample)
			}
		}
		for got := range Travellers(of(fmt.Sprintf(`{%q:%q}`, m.Name, m.Sample))) {
			read("upload", *got)
		}
		for got := range TravelRequests(of(fmt.Sprintf(`{"traveler":{%q:%q}}`, traveler[i].Name, m.Sample))) {
			read("travel request", got.Traveller)
		}
		handed, err := ReadHandoff(url.Values{"onsigners[0][" + m.Name + "]": {m.Sample.(string)}},
			gangway.Today{Earliest: "2026-11-01", Latest: "2026-11-02"})
		if err != nil || len(handed.Change.OnSigners) != 1 {
			t.Fatalf("ReadHandoff: %v, %+v", err, handed)
		}
		read("hand-off", handed.Change.OnSigners[0].Traveller)
	}
}
