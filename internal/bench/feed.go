package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/http"
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
// else happens. The floor decodes it, encodes each traveller and writes them in bulk: it maps and checks nothing.
func feedContest(ctx context.Context, p *place) (contest, error) {
	bare := p.bare
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
	address := p.serveBare(func(w http.ResponseWriter, _ *http.Request) error {
		_, err := w.Write(doc.Bytes())
		return err
	})
	settings, err := json.Marshal(map[string]any{"name": "crew", "flow": "travellers", "mapping": germanCrew,
		"transport": map[string]string{"kind": "endpoint", "url": address}})
	if err != nil {
		return contest{}, err
	}
	return contest{5, each(1, func(ctx context.Context, round int) error {
		r := csv.NewReader(bytes.NewReader(doc.Bytes()))
		r.Comma = ';'
		records, err := r.ReadAll()
		if err != nil {
			return err
		}
		var list []program.Traveller
		for _, c := range records[1:] {
			list = append(list, program.Traveller{ID: c[0], LastName: c[1], FirstName: c[2], DOB: c[3],
				Nationality: c[4], Gender: c[5], DocCountry: c[6], DocNumber: c[7], DocExpire: c[8],
				HomeAirport: c[9], Email: c[10], Phone: c[11]})
		}
		return bare.insertTravellers(ctx, fmt.Sprint("fed ", round), list)
	}), func(ctx context.Context, _ int) (took time.Duration, err error) {
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
