package flights

import (
	"context"
	"net/http"
	"strings"

	"gangway/internal/book"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"
	"gangway/internal/world"
)

// suggestions is how many are offered at once: as many as people take in without scrolling.
const suggestions = 10

// A suggestedTraveller is a line of the list below the traveller field.
type suggestedTraveller struct {
	Key   string
	Name  string
	About string
	Home  gangway.Airport
	Notes []passportNote    // on the passport, for every day of travel
	Fill  map[string]string // the fields that picking the traveller fills in
	Best  bool              // nobody else fits: Enter picks them
}

// SuggestTravellers answers with the travellers whose surname starts with the typed
// text, as options for the combobox: those who are stored, at once. If the customer
// has a system that can be asked, the script comes again with "live", and then it is
// asked first.
//
// Spec: B1 Suggest travellers.
func (room *Room) SuggestTravellers(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	typed := r.URL.Query().Get("surname")
	asking, err := room.askTravellers(r.Context(), in, typed, r.URL.Query().Get("live") == "")
	if err != nil {
		return err
	}
	found, err := book.Suggest(r.Context(), in, typed, suggestions)
	if err != nil {
		return err
	}
	today := gangway.DateOf(room.Clock(r.Context()).UTC())
	about, err := AboutAll(r.Context(), in, found, today)
	if err != nil {
		return err
	}
	list := make([]suggestedTraveller, 0, len(found))
	for i, t := range found {
		s := suggestedTraveller{Key: TravellerRef(r.Context(), t), Name: t.LastName + ", " + t.FirstName,
			Best: len(found) == 1, About: about[i], Home: t.HomeAirport, Notes: passportNotes(t, today)}
		s.Fill = map[string]string{"traveller": s.Key, "name": s.Name}
		if r.URL.Query().Get("for") == "entry" {
			s.Fill = map[string]string{
				"traveller": s.Key, "known": s.Name, "last_name": t.LastName, "first_name": t.FirstName,
				"dob": shell.DateInWords(t.DOB), "gender": t.Gender, "nationality": string(t.Nationality),
			}
		} else if t.HomeAirport != "" {
			s.Fill["from"] = PlaceLabel(gangway.Place(t.HomeAirport))
		}
		list = append(list, s)
	}
	return room.options(w, "traveller-options", suggestedTravellers{list, asking})
}

// suggestedTravellers are the list below the traveller field, and what its last line
// says of the customer's systems.
type suggestedTravellers struct {
	List   []suggestedTraveller
	Asking Asking
}

// askTravellers asks the customer's systems for travellers, or says that they can be
// asked afterwards.
func (room *Room) askTravellers(ctx context.Context, in store.Scoped, typed string, later bool) (Asking, error) {
	if book.SurnameAsked(typed) == "" {
		return Asking{}, nil
	}
	asks, err := room.desk.Asks(ctx, in, gangway.TravellerLookupFlow)
	if err != nil || !asks {
		return Asking{}, err
	}
	a := Asking{System: systemOf(ctx)}
	if later {
		a.Later = "live"
		return a, nil
	}
	answers, err := room.desk.AskTravellers(ctx, in, typed)
	a.tell(answers, room.Now())
	return a, err
}

// SuggestAirports answers with the airports, cities and sea ports that fit the typed
// text, by code or name: those first that belong at the field's end of the journey.
func (room *Room) SuggestAirports(w http.ResponseWriter, r *http.Request, _ store.Scoped) error {
	q := r.URL.Query()
	field := q.Get("field")
	if field != "from" && field != "to" && field != "airport" {
		field = "to"
	}
	list, clear := findPlaces(fieldEnd(field, q.Get("from")), q.Get("q"), suggestions)
	for i := range list {
		list[i].Fill, list[i].Best = map[string]string{field: list[i].Label}, clear && i == 0
	}
	return room.options(w, "airport-options", list)
}

func (room *Room) options(w http.ResponseWriter, part string, list any) error {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	return room.Part(w, "book", part, list)
}

// A foundPlace is a place that a field may mean.
type foundPlace struct {
	Code  gangway.Place
	Name  string // in a sentence: "Rotterdam (port)"
	Label string // the text of the field: "MNL Manila"
	About string
	Fill  map[string]string
	Best  bool // it is the one that is meant: Enter picks it
}

// findPlaces returns the places that fit the text typed for an end of a journey, best first, and whether the first is
// the one that is meant.
func findPlaces(at world.End, typed string, limit int) (list []foundPlace, clear bool) {
	found, clear := at.Find(typed, limit)
	for _, p := range found {
		code := gangway.Place(p.Code)
		list = append(list, foundPlace{Code: code, Name: PlaceWords(p), Label: PlaceLabel(code), About: aboutPlace(p)})
	}
	return list, clear
}

// PlaceWords names a place in a sentence: "Rotterdam (port)", "Rotterdam (RTM)".
func PlaceWords(p world.Place) string {
	if p.Kind == world.PortPlace {
		return strings.TrimPrefix(PlaceName(p), "port of ") + " (port)"
	}
	return PlaceName(p) + " (" + p.Code + ")"
}

// aboutPlace says what a place is: an airport's name, or which airports serve
// a city or a port.
func aboutPlace(p world.Place) string {
	var codes []string
	for _, a := range p.Airports {
		if a.Airport.IATA != p.Code {
			codes = append(codes, a.Airport.IATA)
		}
	}
	if p.Kind == world.AirportPlace {
		about := p.Name + ", " + gangway.Country(p.Country).Name()
		if len(codes) > 0 {
			about += "; no airlines, by road from " + strings.Join(codes, ", ")
		}
		if len(p.Formerly) > 0 {
			about += "; " + strings.Join(p.Formerly, ", ") + " is now " + p.Code
		}
		return about
	}
	kind := "city, any of "
	if p.Kind == world.PortPlace {
		kind = "port, by way of "
	}
	return kind + strings.Join(codes, ", ") + "; " + gangway.Country(p.Country).Name()
}

// PlaceLabel is the text of a place in a field: its code and its city. A code that we
// do not know stands alone; a code that an airport had before comes with its present
// one.
func PlaceLabel(code gangway.Place) string {
	p, ok := world.PlaceOf(string(code))
	switch now, moved := world.CurrentCode(string(code)); {
	case ok && moved:
		return string(code) + " now " + now + " " + PlaceName(p) // what matters comes first, because fields are narrow
	case !ok || string(code) != p.Code:
		return string(code)
	}
	return p.Code + " " + PlaceName(p)
}

// placeCode returns the code of a place for a record. It keeps a code that an airport
// had before, because the customer still uses it.
func placeCode(given string, p world.Place) gangway.Place {
	if _, moved := world.CurrentCode(given); moved {
		return gangway.Place(strings.ToUpper(strings.TrimSpace(given)))
	}
	return gangway.Place(p.Code)
}

// PlaceName returns what people call a place: the city of an airport, the name of a city or port.
func PlaceName(p world.Place) string { return p.Called() }
