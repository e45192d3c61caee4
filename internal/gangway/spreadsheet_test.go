package gangway_test

import (
	"testing"

	"gangway/internal/gangway"
)

func TestHarmless(t *testing.T) {
	for text, want := range map[string]string{
		"":                         "",
		"Santos":                   "Santos",
		"Santos-Reyes = 2 @ 3":     "Santos-Reyes = 2 @ 3",
		"=HYPERLINK(\"http://x\")": "'=HYPERLINK(\"http://x\")",
		"+1":                       "'+1", "-1": "'-1", "@SUM(A1)": "'@SUM(A1)", "＝1": "'＝1",
		"\t=1": "'\t'=1", "\r=1": "'\r'=1",
		" =1": " '=1", "\u00a0\v\ufeff-1": "\u00a0\v\ufeff'-1", "no; @x": "no; '@x", " 1 - 1": " 1 - 1",
		"no;=cmd|' /C calc'!A0":      "no;'=cmd|' /C calc'!A0",
		"late\n=1":                   "late\n'=1",
		"late\r\n-1, says the agent": "late\r\n'-1, says the agent",
	} {
		if got := gangway.Harmless(text); got != want {
			t.Errorf("Harmless(%q) = %q; want %q", text, got, want)
		}
	}
}
