package main

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// customerSystem serves the files below a folder as a customer's system does: with entity tags, below /private only
// to whoever has the password or the token, and below /api only to whoever asks for something. What is called hangs
// does not answer.
func customerSystem(t testing.TB, folder string) string {
	t.Helper()
	gone := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, password, _ := r.BasicAuth()
		q := r.URL.Query()
		switch {
		case strings.HasPrefix(r.URL.Path, "/private") && password != "tide-tables" &&
			r.Header.Get("Authorization") != "Bearer tide-tables" && q.Get("key") != "tide-tables":
			http.Error(w, "who is there?", http.StatusUnauthorized)
			return
		case r.URL.Path == "/hangs":
			select {
			case <-gone:
			case <-r.Context().Done():
			}
			return
		case strings.HasPrefix(r.URL.Path, "/api") && q.Get("surname") == "" && q.Get("date") == "" &&
			(q.Get("from") == "" || q.Get("to") == ""):
			http.Error(w, "what of?", http.StatusBadRequest)
			return
		}
		doc, err := os.ReadFile(filepath.Join(folder, filepath.Clean("/"+r.URL.Path)))
		if err != nil {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("ETag", fmt.Sprintf(`"%x"`, sha256.Sum256(doc)))
		http.ServeContent(w, r, r.URL.Path, time.Time{}, strings.NewReader(string(doc)))
	}))
	t.Cleanup(s.Close)
	t.Cleanup(func() { close(gone) })
	return s.URL
}

// expand writes the values of the script's variables into files: expand FILE…
func expand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: expand FILE…")
	}
	for _, file := range args {
		text := os.Expand(ts.ReadFile(file), func(name string) string {
			if name == "SYSTEM" || name == "WORK" {
				return ts.Getenv(name)
			}
			return "$" + name // jq's own
		})
		ts.Check(os.WriteFile(ts.MkAbs(file), []byte(text), 0o600))
	}
}

// aged gives files a time that is past, so that nobody may still be writing them: aged FILE…
func aged(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: aged FILE…")
	}
	past := time.Now().Add(-time.Minute)
	for _, file := range args {
		ts.Check(os.Chtimes(ts.MkAbs(file), past, past))
	}
}
