package mapping

import (
	"fmt"
	"strings"
	"testing"

	"gangway/internal/gangway"
)

// crewCSV is a CSV of travellers whose columns are called by the given names.
func crewCSV(rows int, header string) string {
	var b strings.Builder
	b.WriteString(header + "\n")
	for i := range rows {
		fmt.Fprintf(&b, "C%d;SANTOS %d;Maria Elena;%02d.%02d.19%02d;Philippines;Female;PHL;P%07dA;31.12.20%02d;Manila;"+
			"maria%d@example.com;+63 917 %07d\n",
			i, i, i%28+1, i%12+1, 50+i%50, i, 27+i%9, i, i)
	}
	return b.String()
}

// BenchmarkMapping is how fast a CSV of travellers becomes records, decoding included.
func BenchmarkMapping(b *testing.B) {
	const rows = 100_000
	foreign := crewCSV(rows, "Personalnummer;Nachname;Vornamen;Geburtsdatum;Staatsangehörigkeit;Geschlecht;"+
		"Passland;Passnummer;gültig bis;Flughafen;E-Mail;Telefon")
	for name, program := range map[string]string{
		"built-in": "",
		"program": `.[] | {last_name: .Nachname, first_name: .Vornamen, dob: .Geburtsdatum | date("DMY"), nationality: .["Staatsangehörigkeit"] | country,
			gender: .Geschlecht | gender, doc_country: .Passland | country, doc_number: .Passnummer, doc_expire: .["gültig bis"] | date("DMY"),
			home_airport: .Flughafen | airport, email: .["E-Mail"], phone: .Telefon, id: .Personalnummer}`,
		"plain": `.[] | {last_name: .Nachname, first_name: .Vornamen, dob: .Geburtsdatum, nationality: .["Staatsangehörigkeit"],
			gender: .Geschlecht, doc_country: .Passland, doc_number: .Passnummer, doc_expire: .["gültig bis"],
			home_airport: .Flughafen, email: .["E-Mail"], phone: .Telefon, id: .Personalnummer}`,
	} {
		b.Run(name, func(b *testing.B) {
			m := compiled(b, program, gangway.TravellersFlow)
			b.ReportAllocs()
			for b.Loop() {
				records := m.Records(b.Context(), runner, open(b, foreign, gangway.DocumentFormat{}), gangway.Ask{})
				n, err := -1, error(nil)
				for ; err == nil; n++ {
					_, err = records.Next()
				}
				if n != rows {
					b.Fatal(n, err)
				}
			}
			b.ReportMetric(rows*float64(b.N)/b.Elapsed().Seconds(), "records/s")
		})
	}
}
