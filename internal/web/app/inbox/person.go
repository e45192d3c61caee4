package inbox

import (
	"net/http"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/flights"
	"gangway/internal/web/app/shell"
)

// A personPage is a traveller on record: what is planned, the journeys, and the documents.
type personPage struct {
	Key, ID  string
	Who      gangway.Traveller
	Document string // the passport's number, most of it hidden
	Expired  bool   // the passport
	Passport string // what is wrong with it for the next journey, a sentence
	CameFrom string
	Planned  []plannedFor
	Ahead    []flights.JourneyRow
	Past     []flights.JourneyRow
	Cut      bool // there are earlier journeys than Past
}

// plannedFor is a crew change or a travel request that a person is planned for.
type plannedFor struct {
	Path, What string
	Where      gangway.Place
	Date       gangway.Date
	ID         string // the customer's
}

// How much of a person is shown.
const (
	journeysShown = 60
	plannedShown  = 20
)

// Person shows a traveller.
func (room *Room) Person(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	ctx, now := r.Context(), in.Now(room.Now())
	t, err := flights.TravellerBy(ctx, in, r.PathValue("key"))
	if err != nil {
		return err
	}
	today := gangway.DateOf(room.Clock(ctx).UTC())
	p := personPage{Key: flights.TravellerRef(ctx, t), ID: t.ID, Who: t, Document: flights.MaskDocument(t.DocNumber),
		Expired: t.DocExpire != "" && t.DocExpire < today}
	from, err := in.TravellerOrigin(ctx, t.RecordKey())
	if err != nil {
		return err
	}
	p.CameFrom = flights.CameFrom(from)
	list, err := in.JourneysOf(ctx, t, journeysShown)
	if err != nil {
		return err
	}
	p.Cut = len(list) == journeysShown
	if p.Ahead, p.Past, err = flights.Journeys(ctx, in, list, now); err != nil {
		return err
	}
	if len(p.Ahead) > 0 {
		p.Passport = flights.Passport(t, gangway.DateOf(p.Ahead[0].Departure))
	}
	if p.Planned, err = plansFor(r, in, t, today); err != nil {
		return err
	}
	return room.Show(w, r, shell.Page{Template: "person", Section: "book", Title: t.LastName + ", " + t.FirstName,
		Answer: p.answer(), Data: p})
}

func (p personPage) answer() string {
	if len(p.Ahead) == 0 {
		return "No journeys ahead · " + shell.Number(len(p.Planned)) + " planned"
	}
	next := p.Ahead[0]
	return shell.Plural(len(p.Ahead), "journey ahead", "journeys ahead") + " · next: " + journeyOf(next.Booking)
}

// plansFor returns the crew changes and travel requests that t is planned for.
func plansFor(r *http.Request, in store.Scoped, t gangway.Traveller,
	today gangway.Date) (list []plannedFor, err error) {
	changes, requests, err := in.PlannedFor(r.Context(), t, today, plannedShown)
	if err != nil {
		return nil, err
	}
	of := map[string][]gangway.Traveller{}
	for _, key := range changes {
		of[key] = []gangway.Traveller{t}
	}
	lines, err := in.CrewChangeLines(r.Context(), of)
	if err != nil {
		return nil, err
	}
	for _, key := range changes {
		c, ok := lines[key]
		if !ok || len(c.OnSigners)+len(c.OffSigners) == 0 { // a namesake, or somebody who was dropped
			continue
		}
		side := "on-signer"
		if len(c.OnSigners) == 0 {
			side = "off-signer"
		}
		p := plannedFor{Path: flights.CrewChangePath(key), What: c.Vessel + ", " + side, ID: c.TravelRequestID}
		p.Where, p.Date = c.Where()
		list = append(list, p)
	}
	for _, q := range requests {
		p := plannedFor{Path: requestPath(q.TravelRequest), What: "Travel request", ID: q.RequestID}
		if q.Flight != nil {
			p.Where, p.Date = gangway.Place(q.Flight.Destination), q.Flight.Starts()
		}
		list = append(list, p)
	}
	return list, nil
}

// requestPath is where a travel request is listed.
func requestPath(q gangway.TravelRequest) string {
	switch {
	case q.Flight != nil && q.Flight.Starts() != "":
		return "/requests?date=" + string(q.Flight.Starts())
	case q.Flight == nil && q.Hotel != nil:
		return "/hotels?from=" + string(q.Hotel.CheckIn)
	}
	return "/requests"
}
