package gangway

import (
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gangway/internal/calltest"
)

func TestWho(t *testing.T) {
	for want, a := range map[string]Actor{
		"ana@halcyon.example (Ana Reyes)": ByPerson(User{Email: "ana@halcyon.example", Name: "Ana Reyes"}, "192.0.2.7"),
		"ana@halcyon.example": ByPerson(User{Email: "ana@halcyon.example", Name: "ana@halcyon.example"},
			"192.0.2.7"),
		"command root": ByCommand("root", "bridge"),
		"system":       BySystem(),
		"unknown":      ByNobody("192.0.2.7"),
	} {
		if got := a.Who(); got != want {
			t.Errorf("%+v.Who() = %q; want %q", a, got, want)
		}
	}
}

func TestChangesTellOnlyWhatDiffers(t *testing.T) {
	type doc = map[string]any
	was, is := Changes(doc{"url": "a", "off": true, "gone": 1}, doc{"url": "b", "off": true, "new": 2})
	if want := (doc{"url": "a", "gone": 1, "new": nil}); !reflect.DeepEqual(was, want) {
		t.Errorf("before %v; want %v", was, want)
	}
	if want := (doc{"url": "b", "gone": nil, "new": 2}); !reflect.DeepEqual(is, want) {
		t.Errorf("after %v; want %v", is, want)
	}
	if was, is := Changes(doc{"url": "a"}, doc{"url": "a"}); len(was)+len(is) != 0 {
		t.Errorf("nothing changed, and %v became %v", was, is)
	}
}

// Every event can be asked for, and is described in the operator's guide.
func TestAuditEventsAreListed(t *testing.T) {
	source := calltest.Must(os.ReadFile("audit.go"))(t)
	guide := calltest.Must(os.ReadFile("../../docs/operators.md"))(t)
	for _, found := range regexp.MustCompile(`AuditEvent += "(.*)"`).FindAllSubmatch(source, -1) {
		e := AuditEvent(found[1])
		if e == LimitReached || e == WebhookRefused { // in the server's log only
			continue
		}
		if !slices.Contains(AuditEvents, e) {
			t.Errorf("%s is not in AuditEvents", e)
		}
		if !strings.Contains(string(guide), "`"+string(e)+"`") {
			t.Errorf("%s is not in docs/operators.md", e)
		}
	}
}
