package store_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// TestSuggestByWord holds that a traveller is found by how any words of the name
// begin, as sent or as printed on tickets, in any order.
func TestSuggestByWord(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		in := db.In(storetest.Account(t, db).Scope())
		var crew []gangway.Traveller
		for i, name := range []string{"Шевченко/Тарас Григорович", "Müller/Jörg", "Smith-Jones/Anne-Marie",
			"de la Cruz/Maria Clara", "Santos/Clara", "100%/Odd"} {
			last, first, _ := strings.Cut(name, "/")
			who := person(fmt.Sprint(i), last, first)
			who.Nationality = "UA"
			crew = append(crew, who)
		}
		wang := person("w", "王", "小明")
		wang.OnTicket = gangway.TicketName{Last: "WANG", First: "XIAOMING"}
		must(t, did(in.UpsertTravellers(t.Context(), append(crew, wang))))
		wordAll(t, db)
		found := func(t *testing.T, typed string) string {
			t.Helper()
			words := strings.Fields(gangway.Fold(typed))
			list := sure(in.SuggestByWord(t.Context(), words, 5))(t)
			var names []string
			for _, p := range list {
				names = append(names, p.LastName)
			}
			return strings.Join(names, ", ")
		}
		tests := []struct{ typed, want string }{
			{"Shev", "Шевченко"},
			{"shevchenko taras", "Шевченко"},
			{"taras shev", "Шевченко"},
			{"Тарас", "Шевченко"},
			{"Григ Шев", "Шевченко"},
			{"muell", "Müller"},
			{"mul", "Müller"},
			{"joerg", "Müller"},
			{"jorg mull", "Müller"},
			{"jones", "Smith-Jones"},
			{"marie anne", "Smith-Jones"},
			{"cruz", "de la Cruz"},
			{"cla", "de la Cruz, Santos"},
			{"clara cruz", "de la Cruz"},
			{"wang xiao", "王"},
			{"od 100", "100%"},
			{"100%", "100%"},
			{"od %", ""},
			{"evchenko", ""},
			{"clara muller", ""},
		}
		for _, tt := range tests {
			if got := found(t, tt.typed); got != tt.want {
				t.Errorf("%q finds %q; want %q", tt.typed, got, tt.want)
			}
		}
		t.Run("a name that is sent again is found by its new words only", func(t *testing.T) {
			who := crew[0]
			who.LastName = "Kovalenko"
			must(t, did(in.UpsertTravellers(t.Context(), []gangway.Traveller{who})))
			wordAll(t, db)
			if got := found(t, "shev"); got != "" {
				t.Errorf("the old name finds %q", got)
			}
			if got := found(t, "taras kov"); got != "Kovalenko" {
				t.Errorf("the new name finds %q", got)
			}
		})
	})
}

// TestWordTravellers holds that travellers of an upload, and those stored before
// there were words, get theirs a few hundred at a time, and that words are deleted
// with their traveller.
func TestWordTravellers(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		in := db.In(storetest.Account(t, db).Scope())
		var crew []gangway.Traveller
		for i := range 600 {
			crew = append(crew, person(fmt.Sprintf("%03d", i), "Шевченко", fmt.Sprint("Тарас", i)))
		}
		must(t, did(in.UpsertTravellers(t.Context(), crew)))
		want := func(found ...int) {
			t.Helper()
			for i, n := range found {
				list, err := in.SuggestByWord(t.Context(), []string{"shev"}, 1000)
				if err != nil || len(list) != n {
					t.Fatalf("%d travellers are found, %v; want %d", len(list), err, n)
				}
				if some, err := db.WriteTravellerWords(t.Context()); err != nil || some != (i < len(found)-1) {
					t.Fatalf("more to do: %v, %v, after %d", some, err, n)
				}
			}
		}
		want(0, 500, 600)
		must(t, did(in.UpsertTravellers(t.Context(), crew)))
		want(600) // nothing was new
		must(t, db.ForgetWords(t.Context()))
		want(0, 500, 600, 600)
		must(t, did(in.DeleteTraveller(t.Context(), "id:007")))
		want(599)
	})
}

// wordAll writes the words of all travellers that have none.
func wordAll(t *testing.T, db *store.DB) {
	t.Helper()
	for sure(db.WriteTravellerWords(t.Context()))(t) {
	}
}

// othersFirst is how a plan begins that looks for the other words before it reads
// travellers.
var othersFirst = regexp.MustCompile(`(?s)(CORRELATED SCALAR SUBQUERY.*SEARCH t USING INDEX|SubPlan.*traveller_pkey)`)

// TestWordPlans holds that travellers whose words are written are looked up one by
// one, without reading anybody else's words, and that a search for several words
// reads only travellers who have them all, whether or not the planner has statistics.
func TestWordPlans(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		db := openURL(t, url)
		in := db.In(storetest.Account(t, db).Scope())
		beside, explain := raw(t, url), explainSQLite
		if strings.HasPrefix(url, "postgres") {
			explain = explainPostgres
		}
		fill := func(statements ...string) {
			for _, s := range statements {
				if _, err := beside.ExecContext(t.Context(), strings.ReplaceAll(s, "ACCOUNT",
					in.Scope().Account)); err != nil {
					t.Fatalf("%v in %s", err, s)
				}
			}
		}
		check := func(t *testing.T) {
			s := in.WordsStatement(3)
			plan := explain(t, db.Reader(), s)
			for _, bad := range []string{"SCAN t", "SCAN w", "AUTOMATIC", "Seq Scan", "Hash", "Merge"} {
				if strings.Contains(plan, bad) {
					t.Errorf("%s in\n%s\n%s", bad, s.Text, plan)
				}
			}
			if !strings.Contains(plan, "traveller_word_key") {
				t.Errorf("words are not read by their traveller:\n%s\n%s", s.Text, plan)
			}
			s = in.SuggestStatement("wid:1", "wid:2", "wid:3")
			plan = explain(t, db.Reader(), s)
			for _, bad := range []string{"SCAN t", "SCAN o", "AUTOMATIC", "Seq Scan", "Hash", "Merge"} {
				if strings.Contains(plan, bad) {
					t.Errorf("%s in\n%s\n%s", bad, s.Text, plan)
				}
			}
			if !othersFirst.MatchString(plan) {
				t.Errorf("travellers are read before it is known whether they have all words:\n%s\n%s", s.Text, plan)
			}
		}
		fill(`INSERT INTO traveller (account, key, surname, given, doc, version)
				WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 20000)
				SELECT 'ACCOUNT', 'id:' || n, 'santos', 'maria', '{}', 1 FROM number`,
			`INSERT INTO traveller_word (account, word, key) SELECT account, 'w' || key, key FROM traveller`)
		t.Run("before statistics are collected", check)
		fill(`VACUUM`, `ANALYZE`)
		t.Run("with statistics", check)
	})
}
