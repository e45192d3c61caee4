package folder_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gangway/internal/calltest"
	"gangway/internal/gangway"
	"gangway/internal/transport"
	"gangway/internal/transport/folder"
	"gangway/internal/transport/transporttest"
)

func opened(t *testing.T, path string) transport.Settler {
	t.Helper()
	p := calltest.Must(folder.Kind.Open(settings(path), transport.Options{}))(t)
	return p.(transport.Settler)
}

func settings(path string) json.RawMessage { return json.RawMessage(fmt.Sprintf(`{"path": %q}`, path)) }

// leave puts an old file into a folder.
func leave(t *testing.T, path, name, body string) {
	t.Helper()
	file := filepath.Join(path, name)
	calltest.Done(t, os.WriteFile(file, []byte(body), 0o600))
	calltest.Done(t, os.Chtimes(file, time.Time{}, time.Now().Add(-time.Hour)))
}

func TestFolder(t *testing.T) {
	transporttest.Folder(t, func(t *testing.T) transporttest.WatchedFolder {
		path := t.TempDir()
		return transporttest.WatchedFolder{Path: path, Open: func(t *testing.T) transport.Settler {
			return opened(t, path)
		}}
	})
}

func TestPuller(t *testing.T) {
	transporttest.Puller(t, folder.Kind, func(t *testing.T) transporttest.Source {
		path := t.TempDir()
		return transporttest.Source{Settings: settings(path),
			Leave: func(t *testing.T, body string) { transporttest.Leave(t, path, body) },
			Where: func(t *testing.T, body string) string { return transporttest.Where(t, path, body) }}
	})
}

func TestDropped(t *testing.T) {
	transporttest.Dropped(t, folder.Outlet, func(t *testing.T, path string) transporttest.Target {
		return transporttest.Target{Settings: settings(path), Mistakes: map[string]json.RawMessage{
			"no such file": settings(filepath.Join(path, "none")),
		}}
	})
}

// Links lead nowhere outside: neither what is read, nor what is put away.
func TestLinks(t *testing.T) {
	path, outside := t.TempDir(), t.TempDir()
	leave(t, outside, "passwords", "root")
	links := map[string]string{"crew.csv": filepath.Join(outside, "passwords"), "all": outside, "here": "."}
	for name, to := range links {
		calltest.Done(t, os.Symlink(to, filepath.Join(path, name)))
	}
	if got, err := transporttest.Pull(t.Context(), opened(t, path), transport.Query{}); err != nil || len(got) != 0 {
		t.Errorf("Pull = %v, %v; want no link followed", got, err)
	}
	calltest.Done(t, os.Symlink(outside, filepath.Join(path, "done")))
	leave(t, path, "real.csv", "a")
	p := opened(t, path)
	got, err := transporttest.Pull(t.Context(), p, transport.Query{})
	if err != nil || len(got) != 1 {
		t.Fatalf("Pull = %v, %v; want the file", got, err)
	}
	if err := p.Settle(t.Context(), got[0].Key, transport.Outcome{Report: []byte("no")}); err == nil {
		t.Error("Settle followed a link out of the folder")
	}
	if files, _ := os.ReadDir(outside); len(files) != 1 {
		t.Errorf("outside there are %d files; want the one that was there", len(files))
	}
}

func TestRefused(t *testing.T) {
	for settings, says := range map[string]string{
		`{"path": "srv/crew"}`:                       "path must begin at the root",
		`{"path": "/srv/crew", "pattern": "[a"}`:     "pattern must be",
		`{"path": "/srv/crew", "pattern": "../*.c"}`: "pattern must be",
	} {
		_, err := folder.Kind.Open(json.RawMessage(settings), transport.Options{})
		if gangway.KindOf(err) != gangway.Invalid || !strings.Contains(err.Error(), says) {
			t.Errorf("Open(%s) = %v; want %q", settings, err, says)
		}
	}
	_, err := transporttest.Pull(t.Context(), opened(t, filepath.Join(t.TempDir(), "none")), transport.Query{})
	if gangway.KindOf(err) != gangway.Unavailable || !strings.Contains(err.Error(), "no such file") {
		t.Errorf("Pull of a folder that is not there = %v; want a sentence", err)
	}
	if !folder.Kind.Local(nil) || !folder.Outlet.Local(nil) {
		t.Error("a page may have this machine's files read, or written")
	}
}
