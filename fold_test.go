package gangway

import "testing"

func TestFold(t *testing.T) {
	tests := []struct{ in, want string }{
		{"Müller", "muller"}, {"MULLER", "muller"}, {"Mu\u0308ller", "muller"}, {"Strauß", "strauss"}, {"Łukasz", "lukasz"},
		{"Øyvind Ærø", "oyvind aero"}, {"Nguyễn Thị", "nguyen thi"}, {"  de  la Cruz ", "de la cruz"}, {"İnanç", "inanc"},
		{"Þór", "thor"}, {"santos", "santos"}, {"Иванов", "иванов"}, {"", ""}, {"Ǿ", "o"}, {"a\x00b\tc\n", "ab c"}, {"\xff", "\uFFFD"},
	}
	for _, tt := range tests {
		if got := Fold(tt.in); got != tt.want {
			t.Errorf("Fold(%q) = %q; want %q", tt.in, got, tt.want)
		}
	}
}
