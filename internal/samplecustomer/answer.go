package samplecustomer

import (
	"encoding/json"
	"net/http"
	"strings"
	"time"
)

// The questions that Gangway asks while somebody waits. Where there is nothing, the
// answer is an empty list.

// suggest answers B1: those of the crew whose surname begins so, however it is typed.
func (s *System) suggest(w http.ResponseWriter, r *http.Request) {
	begin := strings.ToLower(strings.TrimSpace(r.URL.Query().Get("surname")))
	if begin == "" {
		http.Error(w, "surname is the beginning of a surname", http.StatusBadRequest)
		return
	}
	found := []person{}
	for _, p := range s.crew {
		if strings.HasPrefix(strings.ToLower(p.LastName), begin) {
			found = append(found, p)
		}
	}
	answer(w, found)
}

// planned answers B3: the travel requests of a period, both of its days included.
func (s *System) planned(w http.ResponseWriter, r *http.Request) {
	from, to := r.URL.Query().Get("from"), r.URL.Query().Get("to")
	if !isDay(from) || !isDay(to) {
		http.Error(w, "from and to are days, as in 2026-12-01", http.StatusBadRequest)
		return
	}
	found := []travelRequest{}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, request := range s.requests {
		if starts := request.starts(); starts >= from && starts <= to {
			found = append(found, request)
		}
	}
	answer(w, found)
}

// starts is the day on which a journey begins, or else the stay.
func (r travelRequest) starts() string {
	if r.Flight != nil {
		return r.Flight.Date
	}
	return r.Hotel.CheckIn
}

// changing answers B4: the crew changes of a day.
func (s *System) changing(w http.ResponseWriter, r *http.Request) {
	date := r.URL.Query().Get("date")
	if !isDay(date) {
		http.Error(w, "date is a day, as in 2026-12-01", http.StatusBadRequest)
		return
	}
	found := []crewChange{}
	for _, change := range s.changes {
		if change.ChangeDate == date {
			found = append(found, change)
		}
	}
	answer(w, found)
}

func isDay(text string) bool {
	_, err := time.Parse(time.DateOnly, text)
	return err == nil
}

func answer(w http.ResponseWriter, records any) {
	doc, err := json.Marshal(records)
	if err != nil {
		http.Error(w, "the records could not be written", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Write(doc)
}
