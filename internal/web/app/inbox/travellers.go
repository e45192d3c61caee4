package inbox

import (
	"context"
	"net/http"
	"strings"

	"gangway/internal/book"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/flights"
	"gangway/internal/web/app/shell"
)

// A travellersPage finds travellers that customers' systems have sent.
type travellersPage struct {
	Name    string // as typed
	Rows    []travellerRow
	More    bool // some are not listed
	Asking  flights.Asking
	Uploads flights.UploadLinks
	BaseURL string
}

// A travellerRow is one traveller.
type travellerRow struct {
	Key, Who, About, ID string
}

// travellersShown bounds the list. Typing more of the name finds the others.
const travellersShown = 50

// TravellersQuestion is what the page asks customers' systems: the travellers whose
// surname begins as typed.
func (room *Room) TravellersQuestion(r *http.Request) flights.Question {
	name := r.FormValue("name")
	q := flights.Question{Flow: gangway.TravellerLookupFlow, Picked: true, Query: r.URL.Query()}
	if book.SurnameAsked(name) == "" {
		return q
	}
	q.Ask = func(ctx context.Context, in store.Scoped) ([]gangway.FeedAnswer, error) {
		return room.flights.Desk().AskTravellers(ctx, in, name)
	}
	return q
}

// Travellers finds travellers by name.
func (room *Room) Travellers(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	p := travellersPage{Name: strings.TrimSpace(r.FormValue("name")), Asking: flights.AskingOf(r.Context()),
		BaseURL: room.BaseURL}
	uploads, err := flights.UploadsOf(r.Context(), in, gangway.TravellersFlow)
	if err != nil {
		return err
	}
	p.Uploads = uploads
	found, err := book.Suggest(r.Context(), in, p.Name, travellersShown+1)
	if strings.Trim(p.Name, ", ") == "" {
		found, err = in.SuggestTravellers(r.Context(), "", nil, travellersShown+1) // from the first on
	}
	if err != nil {
		return err
	}
	p.More = len(found) > travellersShown
	found = found[:min(len(found), travellersShown)]
	about, err := flights.AboutAll(r.Context(), in, found, gangway.DateOf(room.Clock(r.Context()).UTC()))
	if err != nil {
		return err
	}
	for i, t := range found {
		p.Rows = append(p.Rows, travellerRow{Key: flights.TravellerRef(r.Context(), t), Who: t.LastName + ", " +
			t.FirstName, About: about[i], ID: t.ID})
	}
	answer := shell.Plural(len(p.Rows), "traveller", "travellers")
	if p.More {
		answer = "The first " + answer + "; type more of the name to find others"
	}
	return room.Show(w, r, shell.Page{Template: "travellers", Section: "book", Title: "Travellers", Answer: answer,
		Data: p})
}
