package gangway

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestFold(t *testing.T) {
	tests := []struct{ in, want string }{
		{"Müller", "muller"}, {"MULLER", "muller"}, {"Mu\u0308ller", "muller"}, {"Strauß", "strauss"},
		{"Łukasz", "lukasz"},
		{"Øyvind Ærø", "oyvind aero"}, {"Nguyễn Thị", "nguyen thi"}, {"  de  la Cruz ", "de la cruz"},
		{"İnanç", "inanc"},
		{"Þór", "thor"}, {"santos", "santos"}, {"Иванов", "иванов"}, {"", ""}, {"Ǿ", "o"}, {"a\x00b\tc\n", "ab c"},
		{"\xff", "\uFFFD"},
	}
	for _, tt := range tests {
		if got := Fold(tt.in); got != tt.want {
			t.Errorf("Fold(%q) = %q; want %q", tt.in, got, tt.want)
		}
	}
}

// TestFoldIsFolded checks what finding a name by its start relies on.
func TestFoldIsFolded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "name")
		folded := Fold(s)
		if again := Fold(folded); again != folded {
			t.Fatalf("Fold(%q) = %q, folded again %q; want the same", s, folded, again)
		}
		if upper := Fold(strings.Repeat(" ", 2) + s + "\t"); upper != folded {
			t.Fatalf("Fold(%q) with space around = %q; want %q", s, upper, folded)
		}
		if !utf8.ValidString(folded) || strings.ContainsRune(folded, 0) {
			t.Fatalf("Fold(%q) = %q; no database keeps that", s, folded)
		}
	})
}
