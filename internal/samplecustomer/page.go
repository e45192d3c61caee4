package samplecustomer

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"gangway/examples/receivers/go/receiver"
)

//go:embed page.html style.css live.js
var files embed.FS

var pages = template.Must(template.New("").Funcs(template.FuncMap{"words": Words, "ago": ago}).ParseFS(files,
	"page.html"))

func (s *System) routes(inbox *receiver.Inbox) *http.ServeMux {
	// Only people on our own page press buttons; Gangway is not a browser.
	guard := http.NewCrossOriginProtection()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/suggest_traveller", s.suggest)
	mux.HandleFunc("GET /api/travel_request", s.planned)
	mux.HandleFunc("GET /api/crew_change", s.changing)
	mux.Handle("POST /api/sync_flights", &receiver.Receiver{Secret: s.secret, Unsigned: s.secret == "", Now: s.now,
		Inbox: inbox, Took: s.took})
	mux.HandleFunc("GET /{$}", s.home)
	mux.HandleFunc("GET /feed", s.fragment)
	mux.HandleFunc("GET /events", s.events)
	mux.Handle("POST /pull", guard.Handler(http.HandlerFunc(s.pressPull)))
	mux.Handle("POST /requests/delete", guard.Handler(http.HandlerFunc(s.pressDelete)))
	mux.Handle("GET /style.css", http.FileServerFS(files))
	mux.Handle("GET /live.js", http.FileServerFS(files))
	return mux
}

// A view is everything that the page shows.
type view struct {
	Company  string
	AppURL   string
	HandOff  string // the address that crew changes are posted to
	Notes    map[string]string
	Uploads  []upload
	Feed     []happening
	Repeats  int
	Pull     *pulled
	Changes  []crewChange
	Requests []travelRequest
	Crew     int
	Checked  bool // whether signatures are checked
	Now      time.Time
}

// A field is a field of the hand-off form.
type field struct{ Name, Value string }

func (s *System) view() view {
	s.mu.Lock()
	defer s.mu.Unlock()
	return view{
		Company: company, AppURL: s.appURL, HandOff: s.appURL + "/integrations/search", Notes: maps.Clone(s.notes),
		Uploads: slices.Clone(s.uploads), Feed: slices.Clone(s.feed), Repeats: s.repeats, Pull: s.pull,
		Changes: s.changes, Requests: slices.Clone(s.requests), Crew: len(s.crew), Checked: s.secret != "",
		Now: s.now(),
	}
}

// company is the owner of this system.
const company = "Corvina Shipping"

// Form returns the fields of the hand-off of a crew change.
func (c crewChange) Form() []field {
	list := []field{{"vessel", c.Vessel}, {"flag", c.Flag}, {"change_airport", c.Port.Airport}}
	for i, m := range c.OnSigners {
		list = append(list, m.form(fmt.Sprintf("onsigners[%d]", i))...)
	}
	for i, m := range c.OffSigners {
		list = append(list, m.form(fmt.Sprintf("offsigners[%d]", i))...)
	}
	return list
}

// form returns the fields of one member of the hand-off.
//
// It shows how a customer fills in A6; off-signers have an arrive field as well.
func (m member) form(at string) []field {
	arrive := m.Arrive
	if arrive == nil {
		arrive = m.Depart
	}
	var fields []field
	for _, f := range []field{
		{"arrive", arrive.Date}, {"last_name", m.LastName}, {"first_name", m.FirstName}, {"dob", m.DOB},
		{"nationality", m.Nationality}, {"gender", m.Gender}, {"doc_country", m.DocCountry},
		{"doc_number", m.DocNumber},
		{"doc_expire", m.DocExpire}, {"home_airport", m.HomeAirport}, {"email", m.Email}, {"phone", m.Phone},
		{"id", m.ID},
	} {
		fields = append(fields, field{at + "[" + f.Name + "]", f.Value})
	}
	return append(fields, field{at + "[custom_fields][rank]", m.rank})
}

// Wish returns the departure time that is wished for; empty: there is none.
func (r travelRequest) Wish() string {
	for name, value := range r.ExternalInfo.AdditionalInfo {
		if leg, ok := strings.CutSuffix(name, "_departure_time"); ok {
			return leg + " at " + value
		}
	}
	return ""
}

func (s *System) home(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Security-Policy",
		"default-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'self' "+origin(s.appURL))
	s.show(w, "page")
}

func (s *System) fragment(w http.ResponseWriter, r *http.Request) { s.show(w, "live") }

func (s *System) show(w http.ResponseWriter, name string) {
	var page bytes.Buffer
	if err := pages.ExecuteTemplate(&page, name, s.view()); err != nil {
		s.log.Error("the page could not be rendered", "error", err)
		http.Error(w, "the page could not be shown", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.Write(page.Bytes())
}

// events tells an open page when there is something new to fetch.
func (s *System) events(w http.ResponseWriter, r *http.Request) {
	out := http.NewResponseController(w)
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	changed, end := s.watch()
	defer end()
	// An occasional line shows proxies, and us, that the page is still open.
	alive := time.NewTicker(15 * time.Second)
	defer alive.Stop()
	line := ": here\n\n"
	for {
		if _, err := w.Write([]byte(line)); err != nil || out.Flush() != nil {
			return
		}
		select {
		case <-r.Context().Done():
			return
		case <-s.ended:
			return
		case <-changed:
			line = "data: changed\n\n"
		case <-alive.C:
			line = ": here\n\n"
		}
	}
}

func (s *System) pressPull(w http.ResponseWriter, r *http.Request) {
	p, err := s.pullBookings(r.Context())
	note := ""
	if err != nil {
		note = "The pull failed: " + err.Error() + "."
	} else if p.Actions == 0 {
		note = "Nothing has happened since the last pull."
	} else if p.More {
		note = "There is more: pull again."
	}
	s.done(w, r, "pull", note)
}

func (s *System) pressDelete(w http.ResponseWriter, r *http.Request) {
	request, sub := r.FormValue("request"), r.FormValue("sub")
	note := "Travel request " + request + " was deleted, here and at Gangway."
	if err := s.takeBack(r.Context(), request, sub); err != nil {
		note = "Travel request " + request + " was not deleted: " + err.Error() + "."
	}
	s.done(w, r, "requests", note)
}

// done notes the outcome of a button and returns to its section of the page.
func (s *System) done(w http.ResponseWriter, r *http.Request, section, note string) {
	s.change(func() { s.notes[section] = note })
	http.Redirect(w, r, "/#"+section, http.StatusSeeOther)
}
