package duffel_test

import (
	"strings"
	"testing"

	"gangway/internal/book/flight/duffel"
)

func TestForget(t *testing.T) {
	tests := []struct {
		name, doc, want string
	}{
		{
			"the passenger for the airline",
			`{"reference":"r1","offer":"off_1","seen":{"id":"o1","price":{}},"made":"2026-03-01T09:00:00Z","buy":{"passenger":{"given_name":"MARIA","family_name":"SANTOS","born_on":"1990-01-02"},"metadata":{"vessel":"Nordlys"},"until":"2026-03-01T10:00:00Z"}}`,
			`"metadata":{"vessel":"Nordlys"}`,
		},
		{"why nothing was booked",
			`{"reference":"r1","offer":"off_1","seen":{},"made":"2026-03-01T09:00:00Z","never":"MARIA SANTOS is on a list"}`, `"never":"nothing was booked: search again"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := duffel.Forget([]byte(tt.doc))
			if err != nil || !strings.Contains(string(got), tt.want) || !strings.Contains(string(got),
				`"offer":"off_1"`) {
				t.Fatalf("Forget = %s, %v; want everything else unchanged", got, err)
			}
			for _, word := range []string{"MARIA", "SANTOS", "1990"} {
				if strings.Contains(string(got), word) {
					t.Errorf("%s is still there: %s", word, got)
				}
			}
		})
	}
	if got, err := duffel.Forget(
		[]byte(`{"reference":"r1","offer":"off_1","order":"ord_1","seen":{},"made":"2026-03-01T09:00:00Z"}`)); err !=
		nil || got != nil {
		t.Errorf("Forget = %s, %v; want nothing to write if there is no traveller", got, err)
	}
}
