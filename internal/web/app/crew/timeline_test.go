package crew

import (
	"testing"

	"gangway/internal/book/plan"
	"gangway/internal/gangway"
	"gangway/internal/itinerarytest"
	"gangway/internal/web/app/flights"
)

func TestTimeline(t *testing.T) {
	row := &crewRow{Name: "Santos, Maria", flights: itinerarytest.ViaDubai(t).Segments,
		Spare: flights.SpareOf(plan.Spare{Grade: plan.Ample, Until: itinerarytest.At(t, "2026-12-02 18:10", 1)},
			gangway.Fit{})}
	nobody := &crewRow{Name: "Tan, Li"}

	t.Run("nobody flies yet", func(t *testing.T) {
		if got := newTimeline("AMS", []crewSide{{Rows: []*crewRow{nobody}}}); got != nil {
			t.Fatalf("timeline = %+v; want none", got)
		}
	})
	t.Run("a lane for each who flies, in order of time, with nights, midnight and when she is wanted",
		func(t *testing.T) {
			got := newTimeline("AMS", []crewSide{{Rows: []*crewRow{row, nobody}}})
			if len(got.Lanes) != 1 || len(got.Lanes[0].Flights) != 2 || len(got.Lanes[0].Waits) != 1 {
				t.Fatalf("lanes = %+v; want one with two flights and the wait between", got.Lanes)
			}
			first, second, wait := got.Lanes[0].Flights[0], got.Lanes[0].Flights[1], got.Lanes[0].Waits[0]
			for name, ok := range map[string]bool{
				"one flight after the other": first.X+first.Width <= second.X && wait.X >= first.X && wait.X < second.X,
				"within the picture": first.X > 0 && second.X+second.Width < 100 && got.Wanted > second.X &&
					got.Wanted < 100,
				"one midnight": len(got.Days) == 1 && got.Days[0].Day == "Wed 2 Dec" && got.Days[0].Label,
				"two nights":   len(got.Nights) == 2,
			} {
				if !ok {
					t.Errorf("%s: not so in %+v", name, got)
				}
			}
			if want := "EK 333 MNL–DXB, Tue 11:10 to Tue 20:45 port time"; first.Title != want {
				t.Errorf("title = %q; want %q", first.Title, want)
			}
		})
	t.Run("over many days no label runs into another or out of the picture", func(t *testing.T) {
		late := row
		late.Spare = flights.SpareOf(plan.Spare{Grade: plan.Ample, Until: itinerarytest.At(t, "2026-12-14 18:10", 1)},
			gangway.Fit{})
		got := newTimeline("AMS", []crewSide{{Rows: []*crewRow{late}}})
		if len(got.Days) != 13 {
			t.Fatalf("%d midnights; want 13", len(got.Days))
		}
		var ends percent
		said := 0
		for _, d := range got.Days {
			from := d.X
			if d.Before {
				from -= labelWidth
			}
			if !d.Label {
				continue
			}
			if said++; from < ends || from+labelWidth > 100 {
				t.Errorf("%q stands from %v to %v, and the one before ends at %v", d.Day, from, from+labelWidth, ends)
			}
			ends = from + labelWidth
		}
		if said < 4 {
			t.Errorf("%d of 13 days are named; want every few", said)
		}
	})
	t.Run("an airport that we do not know is in UTC", func(t *testing.T) {
		if got := newTimeline("XQX", []crewSide{{Rows: []*crewRow{row}}}); got.Lanes[0].Flights[0].Title !=
			"EK 333 MNL–DXB, Tue 10:10 to Tue 19:45 port time" {
			t.Errorf("title = %q", got.Lanes[0].Flights[0].Title)
		}
	})
}
