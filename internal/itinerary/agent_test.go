package itinerary_test

import (
	"fmt"
	"slices"
	"testing"

	"gangway/internal/itinerary"
)

// TestSince holds what a list marks since it was sent before.
func TestSince(t *testing.T) {
	row := func(booking, name, flights string) itinerary.Row {
		return itinerary.Row{Booking: booking, Cells: []string{"on-signer", name, "", flights}}
	}
	before := map[string]string{}
	for _, r := range []itinerary.Row{row("b1", "ANA", "KL 1"), row("b2", "BEN", "KL 2"), row("b3", "CAS", "KL 3"),
		row("b4", "DOV", "KL 4"), row("b5", "ELI", "KL 5"), row("b6", "FAY", "KL 6"), row("b7", "FAY", "KL 7")} {
		before[r.Booking] = r.Words()
	}
	now := []itinerary.Row{row("b1", "ANA", "KL 1"), row("b2", "BEN", "KL 22"), row("b9", "CAS", "KL 9"),
		row("", "DOV", ""), row("b6", "FAY", "KL 6"), row("b10", "GUS", "KL 10"), row("", "HAL", "")}
	var got []string
	for _, r := range itinerary.Since(now, before) {
		got = append(got, fmt.Sprintf("%s %s", r.Cells[1], r.Mark))
	}
	want := []string{"ANA ", "BEN changed", "CAS changed", "DOV changed", "FAY changed", "GUS new", "HAL ",
		"ELI removed"}
	if !slices.Equal(got, want) {
		t.Errorf("the rows are %q; want %q", got, want)
	}
	for _, r := range itinerary.Since(now, nil) {
		if r.Mark != itinerary.Same {
			t.Errorf("%q is marked although nothing was sent before", r.Cells)
		}
	}
}
