package crew

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/flights"
	"gangway/internal/web/app/shell"
	"gangway/internal/world"
)

// A shipPage is a vessel with its crew changes and the people who travel for it, or a port with the crew changes there.
type shipPage struct {
	Vessel   string // empty: of a port
	Port     string // its code; empty: of a vessel
	About    string
	Coming   []crewChangeRow
	Past     []crewChangeRow // the last first
	Ahead    []flights.JourneyRow
	Cut      bool // there are more crew changes to come
	CutAhead bool // not all bookings were looked at
}

// How much is shown of a vessel or a port.
const (
	comingShown    = 30
	pastShown      = 10
	travelShown    = 200 // bookings of a vessel
	portDays       = 60
	changesAtPorts = 200 // that are looked at
)

// Vessel shows a vessel.
func (room *Room) Vessel(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	ctx, now := r.Context(), in.Now(room.Now())
	today := gangway.DateOf(room.Clock(ctx).UTC())
	folded := gangway.Fold(r.PathValue("name"))
	name, err := in.VesselName(ctx, folded)
	if err != nil {
		return err
	}
	p := shipPage{Vessel: name}
	keys, err := in.CrewChangesOf(ctx, folded, today, comingShown+1)
	if err != nil {
		return err
	}
	p.Cut, keys = len(keys) > comingShown, keys[:min(len(keys), comingShown)]
	last, err := in.CrewChangesOf(ctx, folded, "", len(keys)+pastShown)
	if err != nil {
		return err
	}
	last = slices.DeleteFunc(last, func(key string) bool { return slices.Contains(keys, key) })
	if p.Coming, err = room.changeRows(ctx, in, keys); err != nil {
		return err
	}
	if p.Past, err = room.changeRows(ctx, in, last[:min(len(last), pastShown)]); err != nil {
		return err
	}
	p.Past = slices.DeleteFunc(p.Past, func(row crewChangeRow) bool { return row.Date >= today })
	found, err := in.BookingPage(ctx, store.BookingQuery{Vessel: name, From: today, Live: true, Limit: travelShown})
	if err != nil {
		return err
	}
	p.CutAhead = found.After != "" || found.Cut
	found.List = slices.DeleteFunc(found.List, func(b gangway.Booking) bool {
		return gangway.Fold(b.Purpose.Vessel) != folded
	})
	if p.Ahead, _, err = flights.Journeys(ctx, in, found.List, now); err != nil {
		return err
	}
	return room.Show(w, r, shell.Page{Template: "vessel", Section: "crew-changes", Title: name, Data: p,
		Answer: p.answer() + " · " + shell.Plural(len(p.Ahead), "booking ahead", "bookings ahead")})
}

func (p shipPage) answer() string {
	answer := shell.Plural(len(p.Coming), "crew change ahead", "crew changes ahead")
	if len(p.Coming) > 0 {
		answer += ", next " + shell.DateInWords(p.Coming[0].Date)
	}
	return answer
}

// Port shows a sea port with the crew changes there, or at the airports that serve it, in the next weeks.
func (room *Room) Port(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	port, ok := world.PlaceOf(r.PathValue("code"))
	if !ok || port.Kind != world.PortPlace {
		return gangway.Errorf(gangway.NotFound, "there is no such port")
	}
	at := []string{port.Code}
	for _, a := range port.Airports {
		at = append(at, a.Airport.IATA)
	}
	p := shipPage{Port: port.Code, About: "Airports: " + strings.Join(at[1:], ", ")}
	today := gangway.DateOf(room.Clock(r.Context()).UTC())
	keys, err := in.CrewChangeKeys(r.Context(), "", today, today.AddDays(portDays), changesAtPorts+1)
	if err != nil {
		return err
	}
	p.Cut, keys = len(keys) > changesAtPorts, keys[:min(len(keys), changesAtPorts)]
	of := map[string][]gangway.Traveller{}
	for _, key := range keys {
		of[key] = nil
	}
	lines, err := in.CrewChangeLines(r.Context(), of)
	if err != nil {
		return err
	}
	keys = slices.DeleteFunc(keys, func(key string) bool {
		place, _ := lines[key].Where()
		return !slices.Contains(at, string(place))
	})
	p.Cut, keys = p.Cut || len(keys) > comingShown, keys[:min(len(keys), comingShown)]
	if p.Coming, err = room.changeRows(r.Context(), in, keys); err != nil {
		return err
	}
	return room.Show(w, r, shell.Page{Template: "vessel", Section: "crew-changes", Title: flights.PlaceWords(port),
		Answer: p.answer() + " · " + p.About, Data: p})
}

// changeRows returns crew changes as rows, in the order of their keys.
func (room *Room) changeRows(ctx context.Context, in store.Scoped, keys []string) (rows []crewChangeRow, err error) {
	list, err := room.desk.ProgressOf(ctx, in, keys)
	if err != nil {
		return nil, err
	}
	asked, err := in.Asked(ctx)
	for _, c := range list {
		rows = append(rows, crewChangeRow{Progress: c, Asked: asked[c.Key]})
	}
	return rows, err
}
