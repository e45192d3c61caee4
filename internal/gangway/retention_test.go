package gangway

import "testing"

func TestParseRetention(t *testing.T) {
	for given, want := range map[string]string{
		"24mo": "24mo", "2y": "24mo", "1mo": "1mo", "off": "off", "100y": "1200mo",
		"": "", "24": "", "0mo": "", "-1y": "", "2 y": "", "101y": "", "24m": "", "mo": "", "1y6mo": "",
	} {
		k, err := ParseRetention(given)
		if want == "" && KindOf(err) != Invalid || want != "" && (err != nil || k.String() != want) {
			t.Errorf("ParseKeep(%q) = %s, %v; want %s", given, k, err, want)
		}
	}
}
