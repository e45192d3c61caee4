package inbox

import (
	"net/http"
	"strings"

	"gangway/internal/book"
	"gangway/internal/store"
	"gangway/internal/web/app/flights"
	"gangway/internal/web/app/shell"
)

// A travellersPage finds travellers that customers' systems have sent.
type travellersPage struct {
	Name    string // as typed
	Rows    []travellerRow
	More    bool // some are not listed
	BaseURL string
}

// A travellerRow is one traveller.
type travellerRow struct {
	Key, Who, About, ID string
}

// travellersShown bounds the list. Typing more of the name finds the others.
const travellersShown = 50

// Travellers finds travellers by name.
func (room *Room) Travellers(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	p := travellersPage{Name: strings.TrimSpace(r.FormValue("name")), BaseURL: room.BaseURL}
	found, err := book.Suggest(r.Context(), in, p.Name, travellersShown+1)
	if strings.Trim(p.Name, ", ") == "" {
		found, err = in.SuggestTravellers(r.Context(), "", nil, travellersShown+1) // from the first on
	}
	if err != nil {
		return err
	}
	p.More = len(found) > travellersShown
	for _, t := range found[:min(len(found), travellersShown)] {
		p.Rows = append(p.Rows, travellerRow{Key: flights.TravellerRef(r.Context(), t), Who: t.LastName + ", " +
			t.FirstName, About: flights.About(t), ID: t.ID})
	}
	answer := shell.Plural(len(p.Rows), "traveller", "travellers")
	if p.More {
		answer = "The first " + answer + "; type more of the name to find others"
	}
	return room.Show(w, r, shell.Page{Template: "travellers", Section: "book", Title: "Travellers", Answer: answer,
		Data: p})
}
