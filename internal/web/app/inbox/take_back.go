package inbox

import (
	"cmp"
	"net/http"
	"net/url"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/flights"
	"gangway/internal/web/app/shell"
)

// A takeBackPage asks whether to take back a record that a customer's system has sent, and says what
// stays.
type takeBackPage struct {
	What     string // the record
	About    string
	CameFrom string
	Action   string            // where the form is sent
	Fields   map[string]string // the form fields that identify the record
	Back     string            // where "Keep it" leads
	Button   string            // "Withdraw", or "Remove" a traveller
	Bookings []standingBooking // live bookings that were made from it
	More     int               // how many more there are
}

// A standingBooking is a line about a live booking that was made from a record.
type standingBooking struct {
	ID, Locator, Who string
	State            gangway.State
}

// standingShown is how many bookings a page lists for a record.
const standingShown = 20

// listLive lists the live bookings among those given.
func (p *takeBackPage) listLive(bookings []gangway.Booking) {
	for _, b := range bookings {
		switch {
		case !b.Live():
		case len(p.Bookings) == standingShown:
			p.More++
		default:
			who := b.Passenger.LastName + ", " + b.Passenger.FirstName
			p.Bookings = append(p.Bookings, standingBooking{ID: b.ID, Locator: b.Locator, Who: who, State: b.State})
		}
	}
}

func (room *Room) askTakeBack(w http.ResponseWriter, r *http.Request, section string, p takeBackPage) error {
	p.Button = cmp.Or(p.Button, "Withdraw")
	return room.Show(w, r, shell.Page{Template: "take_back", Section: section, Title: p.Button, Answer: p.What,
		Data: p})
}

// takenBack confirms that a record was taken back, or says that there was none.
func (room *Room) takenBack(w http.ResponseWriter, r *http.Request, n int, err error, what, done, back string) error {
	switch {
	case err != nil:
		return err
	case n == 0:
		return gangway.Errorf(gangway.NotFound, "this %s no longer exists", what)
	}
	room.Sessions.SetFlash(r.Context(), "The "+what+" was "+done+". Bookings stay as they are.")
	return room.Redirect(w, r, back)
}

// TakeBackCrewChange asks before it takes a crew change back.
func (room *Room) TakeBackCrewChange(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	c, err := in.CrewChange(r.Context(), r.FormValue("key"))
	if err != nil {
		return err
	}
	p := takeBackPage{
		What: "The crew change of " + c.Vessel + " on " + shell.DateInWords(c.ChangeDate), About: flights.CrewCounts(c),
		Action: "/crew-changes/take-back",
		Fields: map[string]string{"key": c.Key()}, Back: flights.CrewChangePath(c.Key()),
		CameFrom: flights.CameFrom(c.Origin),
	}
	bookings, _, err := in.Bookings(r.Context(), store.BookingQuery{Change: c.Key(), Limit: 1000})
	if err != nil {
		return err
	}
	p.listLive(bookings)
	return room.askTakeBack(w, r, "crew-changes", p)
}

// DeleteCrewChange takes a crew change back.
func (room *Room) DeleteCrewChange(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	n, err := in.TakeBackCrewChange(r.Context(), room.Actor(r), r.PostFormValue("key"), room.Now())
	return room.takenBack(w, r, n, err, "crew change", "withdrawn", "/crew-changes")
}

// TakeBackRequest asks before it takes a travel request back.
func (room *Room) TakeBackRequest(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	q, err := in.TravelRequest(r.Context(), r.FormValue("request"), r.FormValue("sub"))
	if err != nil {
		return err
	}
	p := takeBackPage{
		What:   "The travel request " + q.IDAt("") + " of " + q.Traveller.LastName + ", " + q.Traveller.FirstName,
		Action: "/requests/take-back",
		Fields: map[string]string{"request": q.RequestID, "sub": q.SubRequestID}, Back: "/requests",
		CameFrom: flights.CameFrom(q.Origin),
	}
	starts := gangway.Date("")
	switch {
	case q.Flight != nil:
		starts = q.Flight.Starts()
		p.About = string(q.Flight.Origin) + " to " + string(q.Flight.Destination)
	case q.Hotel != nil:
		starts = q.Hotel.CheckIn
		p.About, p.Back = "A hotel in "+q.Hotel.Location, "/hotels"
	}
	if starts != "" {
		p.About += ", " + shell.DateInWords(starts)
		p.Back += map[bool]string{true: "?date=", false: "?from="}[q.Flight != nil] + string(starts)
	}
	bookings, err := in.BookingsOfRequests(r.Context(), []string{q.RequestID})
	if err != nil {
		return err
	}
	if b, ok := flights.ByRequest(bookings)[flights.RequestKey{ID: q.RequestID, Sub: q.SubRequestID}]; ok {
		p.listLive([]gangway.Booking{b})
	}
	return room.askTakeBack(w, r, "requests", p)
}

// DeleteRequest takes a travel request back.
func (room *Room) DeleteRequest(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	n, err := in.TakeBackTravelRequest(r.Context(), room.Actor(r), r.PostFormValue("request"),
		r.PostFormValue("sub"), room.Now())
	return room.takenBack(w, r, n, err, "travel request", "withdrawn", "/requests")
}

// TakeBackTraveller asks before it takes a traveller back.
func (room *Room) TakeBackTraveller(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	t, err := flights.TravellerBy(r.Context(), in, r.FormValue("key"))
	if err != nil {
		return err
	}
	p := takeBackPage{
		What: t.LastName + ", " + t.FirstName, About: flights.About(t), Action: "/travellers/take-back",
		Button: "Remove", Fields: map[string]string{"key": flights.TravellerRef(r.Context(), t)}, Back: "/travellers?" +
			url.Values{"name": {t.LastName}}.Encode(),
	}
	from, err := in.TravellerOrigin(r.Context(), t.RecordKey())
	if err != nil {
		return err
	}
	p.CameFrom = flights.CameFrom(from)
	bookings, err := in.BookingsOf(r.Context(), t, "0001-01-01", "9999-12-31")
	if err != nil {
		return err
	}
	p.listLive(bookings)
	return room.askTakeBack(w, r, "book", p)
}

// DeleteTraveller takes a traveller back.
func (room *Room) DeleteTraveller(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	key := flights.TravellerKey(r.Context(), r.PostFormValue("key"))
	n, err := in.TakeBackTraveller(r.Context(), room.Actor(r), key, room.Now())
	return room.takenBack(w, r, n, err, "traveller", "removed", "/travellers")
}
