package api

import (
	"encoding/json"
	"errors"
	"net/http"
	"testing"
	"time"

	"gangway/internal/accept"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
	"gangway/internal/web"
	"gangway/internal/web/access"
)

// The samples of errors that take much to bring about are those very errors. TestErrorsAreAsDescribed has the others.
func TestRareErrorsAreAsDescribed(t *testing.T) {
	a := New(Config{DB: storetest.New(t), Now: time.Now})
	var doc struct {
		Components struct {
			Examples map[string]struct {
				Value   json.RawMessage
				Headers map[string]string `json:"x-headers"`
			}
		}
	}
	if err := json.Unmarshal(a.Surface().OpenAPI, &doc); err != nil {
		t.Fatal(err)
	}
	r, _ := http.NewRequest(http.MethodGet, "/?colour=red", nil)
	for name, err := range map[string]error{
		"too_fast": a.rate.exceeded(42 * time.Second), "two_keys": access.ErrTwoKeys, "still_running": errRunning,
		"wrong_parameter": queryOf(r, "pull", "limit").problems.Err(), "other_pull": store.ErrOtherPull,
		"too_many_values": errTooManyValues, "ours": errors.New("ours"), "no_room": web.Full(),
		"answers_of_account": web.TooManyRequests(a.answers.After, a.answers.OfClient),
		"answers_of_all":     web.Overloaded(a.answers.After, a.answers.OfAll), "away": store.ErrAway,
		"too_many_records": a.tooMany(accept.ErrTooMany), "too_large": a.tooLong(), "another_format": errFormat(),
		"another_encoding": errEncoding, "no_key": access.ErrNoKey,
		"another_method": web.MethodNotAllowed("DELETE", "POST"),
	} {
		header := http.Header{}
		_, body := web.ProblemOf(header, err)
		e := doc.Components.Examples[name]
		if string(e.Value) != string(body) {
			t.Errorf("%s is answered\n%s\nand described\n%s", name, body, e.Value)
		}
		if len(e.Headers) != len(header) {
			t.Errorf("%s is answered with %v, and described with %v", name, header, e.Headers)
		}
		for of, value := range e.Headers {
			if header.Get(of) != value {
				t.Errorf("%s is answered with %s: %s, and described with %s", name, of, header.Get(of), value)
			}
		}
	}
}
