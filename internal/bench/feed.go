package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"gangway/internal/program"
)

// fed is how many travellers a feed brings.
const fed = 40_000

// germanHeader and germanCrew are a crew system's columns and the program that maps them.
const (
	germanHeader = "PersNr;Nachname;Vorname;Geburtsdatum;Staat;Geschlecht;Passland;Passnummer;Passablauf;Flughafen;" +
		"Mail;Telefon\n"
	germanCrew = `.[] | {id: .PersNr, last_name: .Nachname, first_name: .Vorname, dob: (.Geburtsdatum | date("DMY")),
		nationality: (.Staat | country), gender: (.Geschlecht | gender), doc_country: (.Passland | country),
		doc_number: .Passnummer, doc_expire: (.Passablauf | date("DMY")), home_airport: .Flughafen, email: .Mail,
		phone: .Telefon}`
)

func german(date string) string { return date[8:] + "." + date[5:7] + "." + date[:4] }

// feedContest fetches the same document for another customer in each round, by a command, on a database where nothing
// else happens.
func feedContest(ctx context.Context, p *place) (contest, error) {
	g, err := p.program(ctx)
	if err != nil {
		return contest{}, err
	}
	var doc bytes.Buffer
	doc.WriteString(germanHeader)
	for _, t := range program.Crew(0, fed) {
		fmt.Fprintln(&doc, strings.Join([]string{t.ID, t.LastName, t.FirstName, german(t.DOB), t.Nationality, t.Gender,
			t.DocCountry, t.DocNumber, german(t.DocExpire), t.HomeAirport, t.Email, t.Phone}, ";"))
	}
	system := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Write(doc.Bytes())
	}))
	p.later(func() error { system.Close(); return nil })
	settings, err := json.Marshal(map[string]any{"name": "crew", "flow": "travellers", "mapping": germanCrew,
		"transport": map[string]string{"kind": "endpoint", "url": system.URL}})
	if err != nil {
		return contest{}, err
	}
	return contest{5, func(ctx context.Context, _ int) (took time.Duration, err error) {
		c, err := g.NewCustomer(ctx)
		if err != nil {
			return 0, err
		}
		feed := []string{"--customer", c.ID, "--environment", "production", "--allow-network", loopback}
		var set any
		if err := g.Command(ctx, &set, string(settings), append([]string{"feed", "set", "--file", "-"},
			feed...)...); err != nil {
			return 0, err
		}
		var run struct {
			Received int
			Refused  []any
		}
		began := time.Now()
		err = g.Command(ctx, &run, "", append([]string{"feed", "run", "crew"}, feed...)...)
		took = time.Since(began)
		if err == nil && (run.Received != fed || len(run.Refused) > 0) {
			err = fmt.Errorf("the feed has brought %+v; want %d travellers", run, fed)
		}
		return took, err
	}}, nil
}
