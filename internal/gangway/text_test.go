package gangway

import (
	"strings"
	"testing"
)

// TestMailName holds that a name is a name in a mail, and neither a link nor lines of its own.
func TestMailName(t *testing.T) {
	for name, want := range map[string]string{
		"A.P. Møller & Sons A/S": "A.P. Møller & Sons A/S", "St. Helena Ltd.": "St. Helena Ltd.",
		"Go to https://evil.example/pay": "Go to https evil example/pay", "WWW.evil.example": "evil example",
		"www.www..evil..com.": "evil com.", "evil。com 10.20.30.40": "evil com 10 20 30 40", "a.:///b": "a. b",
		"one\r\nSubject: two\u202e\u2028three": "one Subject: two three", "\x00": "",
		strings.Repeat("ä", 61): strings.Repeat("ä", 60) + "…",
	} {
		if got := MailName(name); got != want {
			t.Errorf("MailName(%q) = %q; want %q", name, got, want)
		}
	}
}
