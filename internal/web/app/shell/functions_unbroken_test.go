package shell

import "testing"

func TestDurationsStayOnOneLine(t *testing.T) {
	for words, want := range map[string]string{
		"tight: changing takes at least 1 h 05; the last": "tight: changing takes at least 1\u00a0h\u00a005; the last",
		"at least 45 min": "at least 45\u00a0min",
		"1 hotel":         "1 hotel",
	} {
		if got := unbroken(words); got != want {
			t.Errorf("%q is written %q; want %q", words, got, want)
		}
	}
}
