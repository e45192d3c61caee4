package paper

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"gangway/internal/book"
	"gangway/internal/gangway"
	"gangway/internal/itinerary"
	"gangway/internal/store"
	"gangway/internal/web/app/flights"
	"gangway/internal/web/app/shell"
)

// A subject is whose itinerary it is: that of a booking, or of a crew change.
type subject struct{ Booking, Change string }

// subjectOf reads what a request is about.
func subjectOf(r *http.Request) subject {
	return subject{r.FormValue("booking"), r.FormValue("change")}
}

// Query is the subject in an address.
func (s subject) Query() url.Values {
	if s.Booking != "" {
		return url.Values{"booking": {s.Booking}}
	}
	return url.Values{"change": {s.Change}}
}

// A document is a paper, and what the page says of it.
type document struct {
	itinerary.Paper
	answer string
	name   string        // of its files
	stripe *shell.Stripe // of a booking that is not real
	ends   time.Time     // when its last flight has landed
	// the port whose agent nobody has listed, and the crew change there
	NoAgent  gangway.Place
	ChangeAt string
}

// document makes the paper of a subject. Locators and tickets are on that of a booking; on that of a crew change they
// are for the account's own people.
func (room *Room) document(ctx context.Context, in store.Scoped, account gangway.Account, of subject,
	own bool) (document, error) {
	now := in.Now(room.Now())
	if of.Booking == "" {
		crew, err := book.CrewBookedOf(ctx, in, of.Change)
		if err != nil {
			return document{}, err
		}
		agent, err := in.PortAgent(ctx, crew.Place)
		return crewDocument(crew, account, agent, own, now), err
	}
	b, err := in.Booking(ctx, of.Booking)
	if err != nil {
		return document{}, err
	}
	if !b.ErasedAt.IsZero() {
		return document{}, gangway.Errorf(gangway.NotFound, "the traveller of this booking was erased")
	}
	plans, err := book.PlansOf(ctx, in, []gangway.Booking{b})
	if err != nil {
		return document{}, err
	}
	trip := itinerary.TripOf(b, itinerary.Whose{Rank: book.RankOf(b), Misfit: plans.Misfit(b), Private: true})
	plan, why := plans.Of(b), b.Purpose
	place := cmp.Or(plan.AtShip(), why.Port, gangway.Place(why.Airport))
	agent, err := in.PortAgent(ctx, place)
	if err != nil {
		return document{}, err
	}
	d := document{name: "itinerary-" + strings.ToLower(b.Locator), ends: b.Itinerary.Arrival(),
		stripe: flights.StripeOf(b)}
	d.Paper = itinerary.Paper{Unreal: b.Simulated, Title: b.Passenger.LastName + ", " + b.Passenger.FirstName, At: now,
		Facts: facts(why.Vessel, why.Flag, why.Side, place, cmp.Or(plan.ShipDate(), why.Date)),
		Trips: []itinerary.Trip{trip}}
	d.call(account, agent, why.Change, own, b)
	d.answer = "Leaves " + trip.Leaves.Format("Mon 2 Jan 15:04") + " · there " + trip.There.Format("Mon 2 Jan 15:04")
	return d, nil
}

// crewDocument makes the paper of a crew change.
func crewDocument(crew book.CrewBooked, account gangway.Account, agent gangway.PortAgent, own bool,
	now time.Time) document {
	d := document{name: "itinerary-" + string(crew.Date), ends: crew.Lands}
	d.Paper = itinerary.Paper{At: now,
		Title: strings.Trim(crew.Vessel+" · "+flights.PlaceLabel(crew.Place), " ·"),
		Facts: facts(crew.Vessel, crew.Flag, "", crew.Place, crew.Date)}
	var bookings []gangway.Booking
	missed := 0
	for _, b := range crew.List {
		t := itinerary.TripOf(b.Booking, itinerary.Whose{Rank: book.RankOf(b.Booking), Misfit: b.Misfit, Private: own})
		d.Trips, d.Unreal, bookings = append(d.Trips, t), d.Unreal || b.Simulated, append(bookings, b.Booking)
		if b.Misfit != "" && b.Misfit != book.Undecided {
			missed++
		}
	}
	itinerary.Sort(d.Trips)
	d.call(account, agent, crew.Key, own, bookings...)
	d.answer = shell.Number(len(crew.List)-missed) + " booked"
	if missed > 0 {
		d.answer += " · " + shell.Plural(missed, "booking", "bookings") + " not as planned"
	}
	if n := len(crew.Missing); n > 0 {
		d.answer += " · " + shell.Number(n) + " not booked"
		d.Remark = shell.Plural(n, "traveller of the crew change is", "travellers of the crew change are") +
			" not booked yet."
	}
	if crew.Cut {
		d.Remark += " There are more bookings than are listed."
	}
	if date := crew.Date; date.Valid() {
		d.answer += " · " + shell.DateInWords(date)
	}
	return d
}

// call adds whom the travellers of bookings call.
func (d *document) call(account gangway.Account, agent gangway.PortAgent, change string, own bool,
	bookings ...gangway.Booking) {
	d.Facts = append(d.Facts, itinerary.Contacts(account.Customer.Name, account.Settings.Phone, agent, own,
		bookings...)...)
	if agent.Name+agent.Phone == "" && change != "" {
		d.NoAgent, d.ChangeAt = agent.Port, change
	}
}

// facts are what stands at the head of a paper.
func facts(vessel string, flag gangway.Country, side gangway.Side,
	place gangway.Place, date gangway.Date) (list []itinerary.Fact) {
	if vessel != "" {
		words := map[gangway.Side]string{"": "Crew change", gangway.OnSigner: "Joins", gangway.OffSigner: "Leaves"}
		if flag != "" {
			vessel += " (" + flag.Name() + ")"
		}
		list = append(list, itinerary.Fact{Name: "Ship", Value: vessel})
		at := flights.PlaceLabel(place)
		if date.Valid() {
			at += " · " + date.In(time.UTC).Format(itinerary.Day)
		}
		if at = strings.TrimPrefix(at, " · "); at != "" {
			list = append(list, itinerary.Fact{Name: words[side], Value: at})
		}
	}
	return list
}

// An itineraryPage is a paper on the page of those who sign in.
type itineraryPage struct {
	subject
	document
	Text  string
	Agent bool // the crew change has a list for the agent
	Links []store.SharedLink
	Fresh string // the address of a link that was made just now
	Open  bool   // a link can be made
	Off   bool   // the company has switched links off
}

// Itinerary shows the itinerary of a booking or a crew change.
func (room *Room) Itinerary(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	of := subjectOf(r)
	if of == (subject{}) { // whose is nowhere said
		return room.Redirect(w, r, "/bookings")
	}
	return room.showItinerary(w, r, in, of, "")
}

// showItinerary shows an itinerary, with the address of a link that was made just now.
func (room *Room) showItinerary(w http.ResponseWriter, r *http.Request, in store.Scoped, of subject,
	fresh string) error {
	v, _ := shell.VisitorOf(r.Context())
	d, err := room.document(r.Context(), in, v.Account, of, true)
	if err != nil {
		return err
	}
	p := itineraryPage{subject: of, document: d, Agent: of.Booking == "", Fresh: fresh,
		Open: d.open(in.Now(room.Now())), Off: v.Account.Settings.NoLinks}
	if p.Links, err = in.Links(r.Context(), of.Booking, of.Change); err != nil {
		return err
	}
	var text bytes.Buffer
	if err := itinerary.WriteText(&text, d.Paper); err != nil {
		return err
	}
	p.Text = text.String()
	section := map[bool]string{true: "crew-changes", false: "bookings"}[p.Agent]
	return room.Show(w, r, shell.Page{Template: "itinerary", Section: section, Title: "Itinerary · " + d.Title,
		Answer: d.answer, Stripe: d.stripe, Data: p})
}

// files are the kinds of files that an itinerary is downloaded as.
var files = map[string]struct {
	kind  string
	write func(io.Writer, itinerary.Paper) error
}{
	"itinerary.pdf": {"application/pdf", itinerary.WritePDF},
	"itinerary.ics": {"text/calendar; charset=utf-8", itinerary.WriteICS},
	"itinerary.txt": {"text/plain; charset=utf-8", itinerary.WriteText},
}

// ItineraryFile sends the itinerary as a file.
func (room *Room) ItineraryFile(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	v, _ := shell.VisitorOf(r.Context())
	d, err := room.document(r.Context(), in, v.Account, subjectOf(r), true)
	if err != nil {
		return err
	}
	return send(w, r.PathValue("file"), d)
}

// send sends a document as one of files.
func send(w http.ResponseWriter, name string, d document) error {
	f, ok := files[name]
	if !ok {
		return gangway.Errorf(gangway.NotFound, "there is no page at this address")
	}
	var out bytes.Buffer
	if err := f.write(&out, d.Paper); err != nil {
		return err
	}
	w.Header().Set("Content-Type", f.kind)
	w.Header().Set("Content-Disposition", `inline; filename="`+d.name+name[strings.Index(name, "."):]+`"`)
	_, err := w.Write(out.Bytes())
	return err
}
