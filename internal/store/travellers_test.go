package store_test

import (
	"fmt"
	"strings"
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"

	"github.com/google/go-cmp/cmp"
)

// person is a traveller whose record is complete.
func person(id, last, first string) gangway.Traveller {
	return gangway.Traveller{
		ID: id, LastName: last, FirstName: first, DOB: "1990-05-17", Nationality: "PH", Gender: "F",
		DocCountry: "PH", DocNumber: "P" + id, DocExpire: "2031-01-31", HomeAirport: "MNL",
	}
}

func TestUpsertTravellers(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		in := db.In(storetest.Account(t, db).Scope())
		// Enough for several statements, the last of them not full.
		crew := make([]gangway.Traveller, 600)
		for i := range crew {
			crew[i] = person(fmt.Sprint(i), "Reyes", "Ana")
		}
		steps := []struct {
			name string
			list []gangway.Traveller
			want store.Counts
		}{
			{"none", nil, store.Counts{}},
			{"some are new", crew[:300], store.Counts{Received: 300, Created: 300}},
			{"some are new, some exist", crew, store.Counts{Received: 600, Created: 300, Unchanged: 300}},
			{"all exist", crew, store.Counts{Received: 600, Unchanged: 600}},
			{"one is new, one has changed, one has not", []gangway.Traveller{person("new", "Reyes", "Ana"),
				person("7", "Reyes", "Bea"), crew[8]}, store.Counts{Received: 3, Created: 1, Updated: 1, Unchanged: 1}},
			{"and back again", crew[7:8], store.Counts{Received: 1, Updated: 1}},
		}
		for _, step := range steps {
			if got, err := in.UpsertTravellers(t.Context(), step.list); err != nil || got != step.want {
				t.Fatalf("%s: UpsertTravellers = %+v, %v; want %+v", step.name, got, err, step.want)
			}
		}
		got, err := in.Traveller(t.Context(), "id:7")
		if diff := cmp.Diff(crew[7], got); diff != "" || err != nil {
			t.Fatalf("Traveller: %v, (-want +got)\n%s", err, diff)
		}
	})
}

func TestTravellersOfOthers(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		prod, dev := storetest.Accounts(t, db)
		must(t, did(db.In(prod.Scope()).UpsertTravellers(t.Context(),
			[]gangway.Traveller{person("1", "Reyes", "Ana")})))
		wantKind(t, gangway.NotFound, did(db.In(dev.Scope()).Traveller(t.Context(), "id:1")))
		if list, err := db.In(dev.Scope()).SuggestTravellers(t.Context(), "rey", nil, 10); err != nil || len(list) > 0 {
			t.Errorf("SuggestTravellers in the other environment = %v, %v; want none", list, err)
		}
		got, err := db.In(dev.Scope()).UpsertTravellers(t.Context(), []gangway.Traveller{person("1", "Reyes", "Ana")})
		if want := (store.Counts{Received: 1, Created: 1}); err != nil || got != want {
			t.Errorf("UpsertTravellers in the other environment = %+v, %v; want %+v", got, err, want)
		}
	})
}

func TestSuggestTravellers(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		in := db.In(storetest.Account(t, db).Scope())
		names := []string{
			"Müller/Jörg", "MULLER/Anna", "Mullen/Zoë", "Mu/Li", "Nguyễn/Thị Hoa", "de la Cruz/Maria", "de Vries/Jan",
			"Łukasiewicz/Ewa",
			"Santos/Ana Maria", "Santos/Maria", "Santos/Zita", "Santos Cruz/Bea", "100%/Odd", "100x/Odd", "Ørsted/Åse",
			"Иванов/Пётр",
			"王/小明", "김/철수", "นันทวัฒน์/Somchai",
		}
		var crew []gangway.Traveller
		for i, name := range names {
			last, first, _ := strings.Cut(name, "/")
			crew = append(crew, person(fmt.Sprint(i), last, first))
		}
		for i := range 6000 { // more of one surname than anybody would read
			crew = append(crew, person(fmt.Sprint("many", i), "Santos", fmt.Sprintf("Carlo %d", i)))
		}
		must(t, did(in.UpsertTravellers(t.Context(), crew)))
		tests := []struct{ typed, want string }{
			{"mull", "Mullen Zoë, MULLER Anna, Müller Jörg"},
			{"müll", "Mullen Zoë, MULLER Anna, Müller Jörg"},
			{"Muller j", "Müller Jörg"},
			{"mu", "Mu Li, Mullen Zoë, MULLER Anna, Müller Jörg"},
			{"nguyen ho", "Nguyễn Thị Hoa"},
			{"nguyen hoa thi", "Nguyễn Thị Hoa"},
			{"de la", "de la Cruz Maria"},
			{"de cruz mar", "de la Cruz Maria"},
			{"lukas", "Łukasiewicz Ewa"},
			{"orsted ase", "Ørsted Åse"},
			{"ИВАН", "Иванов Пётр"},
			{"王", "王 小明"},
			{"王 小", "王 小明"},
			{"王 明", ""},
			{"김 철", "김 철수"},
			{"นัน", "นันทวัฒน์ Somchai"},
			{"santos mar", "Santos Ana Maria, Santos Maria"},
			{"santos zi", "Santos Zita"},
			{"santos cru", "Santos Cruz Bea"},
			{"santos sant", ""},
			{"santos aria", ""},
			{"100%", "100% Odd"},
			{"100 %", ""},
			{"santos _ita", ""},
			{"santos %", ""},
			{`santos \`, ""},
			{"zzz", ""},
		}
		for _, tt := range tests {
			words := strings.Fields(gangway.Fold(tt.typed))
			list, err := in.SuggestTravellers(t.Context(), words[0], words[1:], 5)
			var got []string
			for _, p := range list {
				got = append(got, p.LastName+" "+p.FirstName)
			}
			if err != nil || strings.Join(got, ", ") != tt.want {
				t.Errorf("%q suggests %q, %v; want %q", tt.typed, got, err, tt.want)
			}
		}
		if list, err := in.SuggestTravellers(t.Context(), "santos", nil, 5); err != nil || len(list) != 5 {
			t.Errorf("santos suggests %d, %v; want 5", len(list), err)
		}
	})
}
