package gangway

import (
	"strings"
	"testing"
)

// TestNameWords checks by what words a traveller is found.
func TestNameWords(t *testing.T) {
	tests := []struct {
		last, first string
		onTicket    TicketName
		want        string
	}{
		{last: "Santos", first: "Maria", want: "santos maria"},
		{last: "SANTOS", first: "Maria Clara", want: "santos maria clara"},
		{last: "de la Cruz", first: "Juan", want: "de la cruz juan"},
		{last: "Шевченко", first: "Тарас Григорович", want: "шевченко тарас григорович shevchenko taras hryhorovych"},
		{last: "Müller", first: "Jörg", want: "muller jorg mueller joerg"},
		{last: "Smith-Jones", first: "Anne-Marie", want: "smith-jones jones anne-marie marie"},
		{last: "O'Brien", first: "Pat", want: "o'brien pat obrien"},
		{last: "Maria", first: "Maria Mariana", want: "mariana"},
		{last: "王", first: "小明", onTicket: TicketName{Last: "WANG", First: "XIAOMING"}, want: "王 小明 wang xiaoming"},
		{last: "王", first: "小明", want: "王 小明"},
		{last: "Lee", first: "Kim", onTicket: TicketName{Last: "LI"}, want: "lee kim li"},
	}
	for _, tt := range tests {
		who := Traveller{LastName: tt.last, FirstName: tt.first, OnTicket: tt.onTicket, Nationality: "UA"}
		if got := strings.Join(who.NameWords(), " "); got != tt.want {
			t.Errorf("%s %s is found by %q; want %q", tt.last, tt.first, got, tt.want)
		}
	}
}

func TestTypedName(t *testing.T) {
	for typed, want := range map[string]string{
		"Santos, Maria": "santos maria", "SANTOS/MARIA": "santos maria",
		"DELA CRUZ/JUAN MIGUEL MR": "dela cruz juan miguel",
		"Müller/Jürgen":            "muller jurgen", "SANTOS/MS": "santos ms", "SANTOS/": "santos", "/": "",
		" santos ": "santos",
	} {
		if got := TypedName(typed); got != want {
			t.Errorf("TypedName(%q) = %q; want %q", typed, got, want)
		}
	}
}

func TestHasWords(t *testing.T) {
	for typed, want := range map[string]bool{
		"cirrus": true, "CIRR": true, "corvina c": true, "c co": true, "cirrus corvina": true, "corvina corvina": false,
		"irrus": false, "c c c": false, "": false, ",": false,
		"corvina-cirrus": true,
	} {
		if got := HasWords("Corvina Çirrus", typed); got != want {
			t.Errorf("HasWords of %q = %v; want %v", typed, got, want)
		}
	}
}
