package inbox

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/flights"
	"gangway/internal/web/app/shell"
)

// A hotelsPage lists the hotel requirements received: those still to do, and those that somebody has
// handled.
type hotelsPage struct {
	From, To shell.Day
	Show     string     // "open", "handled" or "all"
	Undated  []hotelRow // without a check-in date yet
	More     int        // how many more of those there are
	Cut      bool       // there are more on these days than were read
	Rows     []hotelRow
	BaseURL  string
	Back     string
}

// A hotelRow is one hotel requirement.
type hotelRow struct {
	Key               flights.RequestKey
	RequestID, SubID  string
	Traveller, About  string
	Location          string
	CheckIn, CheckOut gangway.Date
	Nights            int // 0: not known yet
	Vessel            string
	Remarks           string
	Upset, Why        string // "moved" or "removed": why the hotel may be wrong by now; and in words
	HandledAt         time.Time
	HandledBy, Note   string

	request store.StoredTravelRequest
}

// hotelDays is how many days ahead the page lists unless told otherwise, and hotelNote is how long a
// note may be.
const (
	hotelDays = 30
	hotelNote = 500
)

// Hotels lists the hotel requirements of some days.
func (room *Room) Hotels(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	q := r.URL.Query()
	p := hotelsPage{From: room.ReadDay(r, "from", gangway.Nearest), To: room.ReadDay(r, "to", gangway.Nearest),
		Show: q.Get("show"), BaseURL: room.BaseURL, Back: r.URL.RequestURI()}
	p.From.Date = cmp.Or(p.From.Date, room.Date(r))
	if p.To.Date < p.From.Date {
		p.To.Date = p.From.AddDays(hotelDays)
	}
	if p.Show != "handled" && p.Show != "all" {
		p.Show = "open"
	}
	list, err := in.HotelRequests(r.Context(), p.From.Date, p.To.Date, flights.RequestsShown+1)
	if err != nil {
		return err
	}
	if p.Cut = len(list) > flights.RequestsShown; p.Cut {
		list = list[:flights.RequestsShown]
	}
	undated, err := p.undated(r.Context(), in)
	if err != nil {
		return err
	}
	open := undated[false]
	for _, q := range list {
		handled := !q.Handled.At.IsZero()
		if !handled {
			open++
		}
		if p.Show == "all" || handled == (p.Show == "handled") {
			p.Rows = append(p.Rows, hotel(q))
		}
	}
	upset, err := p.markUpset(r.Context(), in)
	if err != nil {
		return err
	}
	answer := "None from " + shell.DateInWords(p.From.Date) + " to " + shell.DateInWords(p.To.Date)
	if all := len(list) + undated[false] + undated[true]; all > 0 {
		answer = shell.Number(open) + " to arrange · " + shell.Number(all-open) + " arranged"
		if n := undated[false] + undated[true]; n > 0 {
			answer += " · " + shell.Number(n) + " without a date yet"
		}
		if upset > 0 {
			answer += " · " + shell.Number(upset) + " to check"
		}
	}
	return room.Show(w, r, shell.Page{Template: "hotels", Section: "hotels", Title: "Hotels", Answer: answer, Data: p})
}

// undated lists the hotels without a check-in date that the page shows, and returns how many there
// are in all, by whether somebody has handled them.
func (p *hotelsPage) undated(ctx context.Context, in store.Scoped) (map[bool]int, error) {
	counts := map[bool]int{}
	for _, handled := range []bool{false, true} {
		room := 0
		if p.Show == "all" || handled == (p.Show == "handled") {
			room = undatedShown
		}
		list, all, err := in.UndatedHotels(ctx, handled, room)
		if err != nil {
			return nil, err
		}
		for _, q := range list {
			p.Undated = append(p.Undated, hotel(q))
		}
		counts[handled] = all
		if room > 0 {
			p.More += all - len(list)
		}
	}
	return counts, nil
}

// upsetDays is how many days a crew change may be away from the days of the page that has moved since its hotels were
// asked for.
const upsetDays = 45

// markUpset marks the hotels of people whose crew change moved, or who were removed from it, and returns how many those
// are.
func (p *hotelsPage) markUpset(ctx context.Context, in store.Scoped) (marked int, err error) {
	var people []gangway.Traveller
	for _, row := range slices.Concat(p.Undated, p.Rows) {
		people = append(people, row.request.Traveller)
	}
	changes, err := in.CrewChangesWith(ctx, people, p.From.AddDays(-upsetDays), p.To.AddDays(upsetDays))
	if err != nil {
		return 0, err
	}
	for _, rows := range [][]hotelRow{p.Undated, p.Rows} {
		for i := range rows {
			c, was, is := rows[i].request.UpsetBy(changes, rows[i].request.Origin)
			if !is {
				continue
			}
			marked++
			rows[i].Vessel, rows[i].Upset = cmp.Or(rows[i].Vessel, c.Vessel), "moved"
			rows[i].Why = "moved " + flights.MoveWords(c, was)
			if _, date := c.Where(); was == (gangway.PortCall{}) {
				rows[i].Upset, rows[i].Why = "removed", "removed from the crew change of "+shell.DayInWords(date)
			}
		}
	}
	return marked, nil
}

func hotel(q store.StoredTravelRequest) hotelRow {
	row := hotelRow{
		Key: flights.RequestKey{ID: q.RequestID, Sub: q.SubRequestID}, RequestID: q.RequestID, SubID: q.SubRequestID,
		Traveller: q.Traveller.LastName + ", " + q.Traveller.FirstName, About: flights.About(q.Traveller),
		Location: q.Hotel.Location, CheckIn: q.Hotel.CheckIn, CheckOut: q.Hotel.CheckOut,
		Remarks: q.Remarks, request: q, HandledAt: q.Handled.At, HandledBy: q.Handled.By, Note: q.Handled.Note,
	}
	if row.CheckIn != "" && row.CheckOut != "" {
		row.Nights = int(row.CheckOut.In(time.UTC).Sub(row.CheckIn.In(time.UTC)).Hours() / 24)
	}
	if q.Vehicle != nil {
		row.Vessel = q.Vehicle.Name
	}
	return row
}

// HandleHotel marks hotel requirements as handled, with a note, or takes the mark of one back. What others have marked
// stays as it is.
func (room *Room) HandleHotel(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	r.ParseForm() // an unreadable form marks nothing
	note := strings.TrimSpace(r.PostForm.Get("note"))
	if len(note) > hotelNote {
		return gangway.Errorf(gangway.Invalid, "a note has at most %d characters", hotelNote)
	}
	var keys []store.HotelKey
	for _, text := range r.PostForm["key"] {
		k := flights.ReadRequestKey(text)
		keys = append(keys, store.HotelKey{RequestID: k.ID, SubRequestID: k.Sub})
	}
	said := "Undone: the hotel is under “To arrange” again."
	switch undo := r.PostForm.Get("undo") != ""; {
	case len(keys) == 0 || len(keys) > flights.RequestsShown:
		return gangway.Errorf(gangway.Invalid, "tick at least one hotel, and at most %d", flights.RequestsShown)
	case undo:
		err := in.ReopenHotel(r.Context(), room.Actor(r), keys[0].RequestID, keys[0].SubRequestID, room.Now())
		if err != nil {
			return err
		}
	default:
		marked, err := in.MarkHotels(r.Context(), room.Actor(r), keys, note, room.Now())
		if err != nil {
			return err
		}
		said = shell.Plural(marked, "hotel", "hotels") + " marked as arranged. “Arranged” lists them, with “Undo”."
		if others := len(keys) - marked; others > 0 {
			said += " " + shell.Plural(others, "was", "were") + " marked or withdrawn already."
		}
	}
	room.Sessions.SetFlash(r.Context(), said)
	return room.Redirect(w, r, shell.Local(r.PostForm.Get("back")))
}
