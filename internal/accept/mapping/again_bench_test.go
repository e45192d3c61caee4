package mapping

import (
	"errors"
	"io"
	"testing"

	"gangway/internal/gangway"
)

// BenchmarkAnswer is what mapping costs of an answer with three travellers, as a customer's
// system gives to somebody who types: by a program that is compiled for it, and by one that was.
func BenchmarkAnswer(b *testing.B) {
	const program = `.[] | {last_name: .Nachname, first_name: .Vornamen, dob: .Geburtsdatum | date("DMY"), nationality: .["Staatsangehörigkeit"] | country,
			gender: .Geschlecht | gender, doc_country: .Passland | country, doc_number: .Passnummer, doc_expire: .["gültig bis"] | date("DMY"),
			home_airport: .Flughafen | airport, email: .["E-Mail"], phone: .Telefon, id: .Personalnummer}`
	answer := crewCSV(3, "Personalnummer;Nachname;Vornamen;Geburtsdatum;Staatsangehörigkeit;Geschlecht;"+
		"Passland;Passnummer;gültig bis;Flughafen;E-Mail;Telefon")
	mapAnswer := func(b *testing.B, m *Mapping) {
		records := m.Records(b.Context(), open(b, answer, gangway.DocumentFormat{}), gangway.Ask{})
		for {
			if _, err := records.Next(); errors.Is(err, io.EOF) {
				return
			} else if err != nil {
				b.Fatal(err)
			}
		}
	}
	b.Run("compiled for it", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			mapAnswer(b, compiled(b, program, gangway.TravellersFlow))
		}
	})
	b.Run("compiled before", func(b *testing.B) {
		m := compiled(b, program, gangway.TravellersFlow)
		b.ReportAllocs()
		for b.Loop() {
			mapAnswer(b, m)
		}
	})
}
