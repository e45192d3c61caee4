package inbox

import (
	"net/http"
	"net/url"
	"strings"

	"gangway/internal/book"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/flights"
	"gangway/internal/web/app/shell"
)

// A finding is a line of the list below the field that finds anything, and leads to a page.
type finding struct {
	Path, Name, Kind, About string
}

// SuggestAnything answers with what the typed text may mean: bookings, people, vessels, crew changes, travel requests
// and ports.
func (room *Room) SuggestAnything(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	today := gangway.DateOf(room.Clock(r.Context()).UTC())
	f, err := book.FindAnything(r.Context(), in, r.URL.Query().Get("find"), today)
	if err != nil {
		return err
	}
	about, err := flights.AboutAll(r.Context(), in, f.Travellers, today)
	if err != nil {
		return err
	}
	list := []finding{}
	for _, b := range f.Bookings {
		list = append(list, finding{bookingAt(b), b.Locator, "booking", nameOf(b.Passenger) + " · " + journeyOf(b)})
	}
	for i, t := range f.Travellers {
		list = append(list, finding{flights.PersonPath(r.Context(), t), nameOf(t), "traveller", about[i]})
	}
	for _, v := range f.Vessels {
		list = append(list, finding{flights.VesselPath(v), v, "vessel", ""})
	}
	for _, c := range f.Changes {
		place, date := c.Where()
		words := []string{shell.DateInWords(date), shell.Number(c.On) + " joining", shell.Number(c.Off) + " leaving"}
		if place != "" {
			words = append([]string{flights.PlaceLabel(place)}, words...)
		}
		if c.TravelRequestID != "" {
			words = append(words, c.TravelRequestID)
		}
		list = append(list, finding{flights.CrewChangePath(c.Key()), c.Vessel, "crew change",
			strings.Join(words, " · ")})
	}
	for _, q := range f.Requests {
		words := nameOf(q.Traveller)
		if q.Flight != nil {
			words += " · " + string(q.Flight.Origin) + " → " + string(q.Flight.Destination)
		}
		list = append(list, finding{requestPath(q.TravelRequest), q.RequestID, "travel request", words})
	}
	for _, b := range f.Passengers {
		list = append(list, finding{bookingAt(b), nameOf(b.Passenger), "booking", b.Locator + " · " + journeyOf(b)})
	}
	for _, p := range f.Ports {
		list = append(list, finding{"/ports/" + p.Code, flights.PlaceWords(p), "port",
			p.Code + " · " + gangway.Country(p.Country).Name()})
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	return room.Part(w, "person", "anything-options", map[string]any{"List": list, "More": f.More})
}

func bookingAt(b gangway.Booking) string { return "/bookings/" + url.PathEscape(b.ID) }

func nameOf(t gangway.Traveller) string { return t.LastName + ", " + t.FirstName }

// journeyOf says where and when a booking goes, and how it stands.
func journeyOf(b gangway.Booking) string {
	words := flights.Stands(b)
	if route := b.Itinerary.Route(); len(route) > 0 {
		words = string(route[0]) + " → " + string(route[len(route)-1]) + " · " +
			shell.DayInWords(gangway.DateOf(b.Itinerary.Departure())) + " · " + words
	}
	return words
}
