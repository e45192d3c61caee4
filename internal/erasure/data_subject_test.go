package erasure

import (
	"slices"
	"strings"
	"testing"

	"gangway/internal/gangway"
)

type traveller = gangway.Traveller

func TestFindDataSubject(t *testing.T) {
	person := func(id, last, first string, dob gangway.Date, country gangway.Country, doc string) traveller {
		return traveller{ID: id, LastName: last, FirstName: first, DOB: dob, DocCountry: country, DocNumber: doc}
	}
	maria := person("E1", "Santos", "Maria", "1990-01-02", "PH", "P1234567A")
	tests := []struct {
		name   string
		sought DataSubject
		all    []traveller
		mine   []int
		alike  []string
		err    string
	}{
		{"by identifier", DataSubject{ID: "E1"}, []traveller{maria, person("E2", "Reyes", "Jun", "1990-01-02", "PH",
			"P7654321A")}, []int{0}, nil, ""},
		{"nobody", DataSubject{ID: "E9"}, []traveller{maria}, nil, nil, "no such traveller"},
		{"by passport, in any case", DataSubject{DocCountry: "PH", DocNumber: "p1234567a"}, []traveller{maria},
			[]int{0}, nil, ""},
		{"nobody with that passport", DataSubject{DocCountry: "NO", DocNumber: "P1234567A"}, []traveller{maria}, nil,
			nil, "passport of NO, however it was typed"},
		{"by passport, with a hyphen", DataSubject{DocCountry: "PH", DocNumber: "p12-345 67a"}, []traveller{maria},
			[]int{0}, nil, ""},
		{"by passport, stored with blanks", DataSubject{DocCountry: "PH", DocNumber: "P1234567A"},
			[]traveller{person("", "Santos", "Maria", "", "PH", "p12 345-67a<")}, []int{0}, nil, ""},
		{"by name, surname last", DataSubject{Name: "Maria SANTOS", DOB: "1990-01-02"}, []traveller{maria}, []int{0},
			nil, ""},
		{"by name with a comma", DataSubject{Name: "Dela Cruz, Maria", DOB: "1990-01-02"},
			[]traveller{person("E1", "Dela Cruz", "Maria", "1990-01-02", "", "")}, []int{0}, nil, ""},
		{"another date of birth", DataSubject{Name: "Maria Santos", DOB: "1990-01-03"}, []traveller{maria}, nil, nil,
			"no such traveller"},
		{
			"several of one name and birthday are told apart by identifier", DataSubject{Name: "Maria Santos",
				DOB: "1990-01-02"},
			[]traveller{maria, person("E2", "Santos", "María", "1990-01-02", "", "")}, nil, nil, "id E1; id E2",
		},
		{
			"or by the end of a passport", DataSubject{Name: "Maria Santos", DOB: "1990-01-02"},
			[]traveller{person("", "Santos", "Maria", "1990-01-02", "PH", "P1234567A"),
				person("", "Santos", "Maria", "1990-01-02", "PH", "P7654321B")}, nil, nil, "67A",
		},
		{
			"records without an identifier follow the passport, or the name and birthday", DataSubject{ID: "E1"},
			[]traveller{maria, person("", "Santos-Cruz", "Maria", "1990-01-02", "PH", "P1234567A"),
				person("", "Santos", "Maria", "1990-01-02", "", ""), person("", "Santos", "Maria", "", "", "")},
			[]int{0, 1, 2, 3}, nil, "",
		},
		{
			"somebody found by passport has the records of that identifier", DataSubject{DocCountry: "PH",
				DocNumber: "P1234567A"},
			[]traveller{maria, person("E1", "Santos", "Maria", "1990-01-02", "PH", "P0000001C")}, []int{0, 1}, nil,
			"",
		},
		{
			"another identifier with the same passport is left alone and listed", DataSubject{ID: "E1"},
			[]traveller{maria, person("E2", "Santos", "Maria", "1990-01-02", "PH", "P1234567A")}, []int{0},
			[]string{"id E2"}, "",
		},
		{
			"another passport with the same name and birthday is left alone and listed", DataSubject{ID: "E1"},
			[]traveller{maria, person("", "Santos", "Maria", "1990-01-02", "PH", "P7654321B")}, []int{0},
			[]string{"a passport of PH that ends in 21B"}, "",
		},
		{
			"a name alone belongs to nobody if two people have it", DataSubject{ID: "E1"},
			[]traveller{maria, person("E2", "Santos", "Maria", "1985-05-05", "", ""), person("", "Santos",
				"Maria", "", "", "")}, []int{0}, []string{"a record without identifier and passport"}, "",
		},
		{
			"two passports that end alike are two", DataSubject{Name: "Maria Santos", DOB: "1990-01-02"},
			[]traveller{person("", "Santos", "Maria", "1990-01-02", "PH", "P1234567A"),
				person("", "Santos", "Maria", "1990-01-02", "PH", "P8884567A")}, nil, nil, "several travellers",
		},
		{
			"a passport without a country matches the one with a country", DataSubject{Name: "Maria Santos",
				DOB: "1990-01-02"},
			[]traveller{person("", "Santos", "Maria", "1990-01-02", "PH", "P1234567A"),
				person("", "Santos", "Maria", "1990-01-02", "", "P1234567A")}, []int{0, 1}, nil, "",
		},
		{
			"a passport that two identifiers share identifies neither", DataSubject{Name: "Maria Santos",
				DOB: "1990-01-02"},
			[]traveller{person("", "Santos", "Maria", "1990-01-02", "PH", "P1234567A"),
				person("E1", "Cruz", "Maria", "1990-01-02", "PH", "P1234567A"), person("E2", "Reyes", "Maria",
					"1990-01-02", "PH", "P1234567A")},
			nil, nil, "id E1; id E2",
		},
		{"an erased traveller is nobody", DataSubject{Name: "Erased Traveller"}, []traveller{gangway.ErasedTraveller},
			nil, nil,
			"no such traveller"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			all, want := map[Identity]bool{}, map[Identity]bool{}
			for i, who := range tt.all {
				all[IdentityOf(who)] = true
				if slices.Contains(tt.mine, i) {
					want[IdentityOf(who)] = true
				}
			}
			mine, alike, err := tt.sought.Find(all)
			if tt.err != "" {
				if err == nil || !strings.Contains(err.Error(), tt.err) || strings.Contains(err.Error(), "1234567") {
					t.Fatalf("Find = %v; want %q, and no passport number", err, tt.err)
				}
				return
			}
			var told []string
			for _, l := range alike {
				told = append(told, l.Describe())
			}
			if err != nil || len(mine) != len(want) || !slices.Equal(told, tt.alike) {
				t.Fatalf("Find = %v, alike %v, %v; want %v, %v", mine, told, err, want, tt.alike)
			}
			for l := range want {
				if !mine[l] {
					t.Errorf("%+v is not found", l)
				}
			}
		})
	}
}

func TestHandedOver(t *testing.T) {
	maria := Identity{ID: "E1", DocCountry: "PH", DocNumber: "p1", Name: "santos maria", DOB: "1990-01-02"}
	other := Identity{ID: "E2", DocCountry: "PH", DocNumber: "p2", Name: "santos maria", DOB: "1990-01-02"}
	mine := map[Identity]bool{maria: true}
	alone, twins := map[Identity]bool{maria: true}, map[Identity]bool{maria: true, other: true}
	for _, tt := range []struct {
		name      string
		l         Identity
		all       map[Identity]bool
		is, alike bool
	}{
		{"as it is stored", maria, alone, true, false},
		{"without the passport's country", Identity{ID: "E1", DocNumber: "p1", Name: "santos maria", DOB: "1990-01-02"},
			twins, true, false},
		{"identifier and name", Identity{ID: "E1", Name: "santos maria"}, twins, true, false},
		{"the identifier alone", Identity{ID: "E1"}, alone, true, false},
		{"number, name and birth date", Identity{DocNumber: "p1", Name: "santos maria", DOB: "1990-01-02"}, twins, true,
			false},
		{"name and birth date", Identity{Name: "santos maria", DOB: "1990-01-02"}, alone, true, false},
		{"name and birth date that somebody else has too", Identity{Name: "santos maria", DOB: "1990-01-02"}, twins,
			false, true},
		{"another identifier", Identity{ID: "X9", DocNumber: "p1", Name: "santos maria"}, alone, false, true},
		{"an identifier that belongs to somebody else", Identity{ID: "E1", Name: "reyes jun", DOB: "1980-01-01",
			DocNumber: "p7"}, alone, false, true},
		{"somebody else", Identity{ID: "E7", Name: "reyes jun"}, alone, false, false},
		{"nobody", Identity{}, alone, false, false},
	} {
		if is, alike := tt.l.MatchHandoff(mine, tt.all); is != tt.is || alike != tt.alike {
			t.Errorf("%s: HandedOver = %t, %t; want %t, %t", tt.name, is, alike, tt.is, tt.alike)
		}
	}
}
