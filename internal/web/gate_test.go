package web_test

import (
	"bytes"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
	"gangway/internal/web"
)

func TestGate(t *testing.T) {
	db := storetest.New(t)
	known := func(*http.Request) (gangway.Scope, error) { return gangway.Scope{Account: "a1"}, nil }
	stranger := func(*http.Request) (gangway.Scope, error) {
		return gangway.Scope{}, web.Unauthorized("Basic", "who is there?")
	}
	tests := []struct {
		name   string
		auth   func(*http.Request) (gangway.Scope, error)
		h      web.Handler
		status int
		logged string // empty: nothing is
	}{
		{"an answer passes", known, func(w http.ResponseWriter, _ *http.Request, in store.Scoped) error {
			_, err := w.Write([]byte(in.Scope().Account))
			return err
		}, 200, ""},
		{"an unknown caller is refused", stranger, func(http.ResponseWriter, *http.Request, store.Scoped) error {
			panic("an unknown caller was let through")
		}, 401, ""},
		{"the caller's fault is answered, not logged", known, func(http.ResponseWriter, *http.Request,
			store.Scoped) error {
			return gangway.Errorf(gangway.Conflict, "it is issued")
		}, 409, ""},
		{"our own fault is logged", known, func(http.ResponseWriter, *http.Request, store.Scoped) error {
			return errors.New("disk full")
		}, 500, "disk full"},
		{"a limit is not a fault, and a flood of refusals does not fill the log", known, func(http.ResponseWriter,
			*http.Request,
			store.Scoped) error {
			return web.Full()
		}, 503, ""},
		{"a panic is our fault", known, func(http.ResponseWriter, *http.Request, store.Scoped) error {
			panic("index out of range")
		}, 500, "index out of range"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var log bytes.Buffer
			gate := web.Gate(db, slog.New(slog.NewTextHandler(&log, nil)), tt.auth, web.Problem, tt.h)
			w := httptest.NewRecorder()
			gate.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/passenger",
				strings.NewReader(`[{"doc_number":"P1234567A"}]`)))
			if w.Code != tt.status {
				t.Errorf("answered %d %s; want %d", w.Code, w.Body, tt.status)
			}
			if tt.status == 200 && w.Body.String() != "a1" {
				t.Errorf("the handler worked on behalf of %q; want a1", w.Body)
			}
			if !strings.Contains(log.String(), tt.logged) || tt.logged == "" && log.Len() > 0 {
				t.Errorf("logged %q; want %q", log.String(), tt.logged)
			}
			if strings.Contains(log.String(), "P1234567A") || strings.Contains(w.Body.String(), "index out of range") {
				t.Errorf("logged %q, answered %q; want neither the body nor the panic in them", log.String(), w.Body)
			}
		})
	}
}
