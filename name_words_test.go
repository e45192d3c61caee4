package gangway

import (
	"strings"
	"testing"
)

// TestNameWords holds by what words a traveller is found besides the start of
// the surname and of the given names.
func TestNameWords(t *testing.T) {
	tests := []struct {
		last, first string
		onTicket    TicketName
		want        string
	}{
		{last: "Santos", first: "Maria", want: ""},
		{last: "SANTOS", first: "Maria Clara", want: "clara"},
		{last: "de la Cruz", first: "Juan", want: "la cruz"},
		{last: "Шевченко", first: "Тарас Григорович", want: "shevchenko taras hryhorovych григорович"},
		{last: "Müller", first: "Jörg", want: "mueller joerg"},
		{last: "Smith-Jones", first: "Anne-Marie", want: "jones marie"},
		{last: "O'Brien", first: "Pat", want: "obrien"},
		{last: "Maria", first: "Maria Maria", want: ""},
		{last: "王", first: "小明", onTicket: TicketName{Last: "WANG", First: "XIAOMING"}, want: "wang xiaoming"},
		{last: "王", first: "小明", want: ""},
		{last: "Lee", first: "Kim", onTicket: TicketName{Last: "LI"}, want: "li"},
	}
	for _, tt := range tests {
		who := Traveller{LastName: tt.last, FirstName: tt.first, OnTicket: tt.onTicket, Nationality: "UA"}
		if got := strings.Join(who.NameWords(), " "); got != tt.want {
			t.Errorf("%s %s is found by %q as well; want %q", tt.last, tt.first, got, tt.want)
		}
	}
}
