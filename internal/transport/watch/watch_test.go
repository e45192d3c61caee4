package watch_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gangway/internal/calltest"
	"gangway/internal/gangway"
	"gangway/internal/transport"
	"gangway/internal/transport/transporttest"
	"gangway/internal/transport/watch"
)

// disk is a folder of this machine.
type disk string

func (d disk) at(name string) string { return filepath.Join(string(d), filepath.FromSlash(name)) }

func (d disk) List(context.Context) (files []watch.File, err error) {
	entries, err := os.ReadDir(string(d))
	for _, e := range entries {
		if f, err := d.Stat(context.Background(), e.Name()); err == nil {
			files = append(files, f)
		}
	}
	return files, err
}

func (d disk) Stat(_ context.Context, name string) (watch.File, error) {
	info, err := os.Lstat(d.at(name))
	if err != nil {
		return watch.File{}, err
	}
	return watch.File{File: transport.File{Name: info.Name(), Size: info.Size(), Time: info.ModTime()},
		NotPlain: !info.Mode().IsRegular()}, nil
}

func (d disk) Open(_ context.Context, name string) (io.ReadCloser, error) { return os.Open(d.at(name)) }
func (d disk) Rename(_ context.Context, from, to string) error {
	return os.Rename(d.at(from), d.at(to))
}
func (d disk) MakeFolder(_ context.Context, name string) error { return os.Mkdir(d.at(name), 0o755) }
func (d disk) Write(_ context.Context, name string, content []byte) error {
	return os.WriteFile(d.at(name), content, 0o644)
}
func (d disk) Close() error { return nil }

func dial(f watch.Folder) func(context.Context) (watch.Folder, error) {
	return func(context.Context) (watch.Folder, error) { return f, nil }
}

// put writes a file that was last changed at an instant.
func put(t *testing.T, d disk, name, content string, at time.Time) {
	t.Helper()
	calltest.Done(t, os.WriteFile(d.at(name), []byte(content), 0o644))
	calltest.Done(t, os.Chtimes(d.at(name), at, at))
}

// TestHalfWritten checks which files are read at once, which after a second look, and
// which not yet.
func TestHalfWritten(t *testing.T) {
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		name  string
		age   time.Duration
		later func(t *testing.T, d disk) // between the looks
		want  string
		looks int
	}{
		{"older than 10 s", 11 * time.Second, nil, "one", 0},
		{"young, and the same", 3 * time.Second, func(*testing.T, disk) {}, "one", 1},
		{"by a clock that is ahead", -time.Hour, func(*testing.T, disk) {}, "one", 1},
		{"it grows", time.Second, func(t *testing.T, d disk) { put(t, d, "crew.csv", "one two", now) }, "", 1},
		{"it is written again, as long as before", time.Second, func(t *testing.T, d disk) {
			put(t, d, "crew.csv", "two", now)
		}, "", 1},
		{"it is gone", time.Second, func(t *testing.T, d disk) { os.Remove(d.at("crew.csv")) }, "", 1},
		{"another comes", time.Second, func(t *testing.T, d disk) { put(t, d, "new.csv", "new", now) }, "one", 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := disk(t.TempDir())
			put(t, d, "crew.csv", "one", now.Add(-tt.age))
			looks := 0
			w := watch.New(watch.Config{Dial: dial(d), Now: func() time.Time { return now },
				Wait: func(_ context.Context, long time.Duration) error {
					if looks++; long != 2*time.Second {
						t.Errorf("looked again after %s", long)
					}
					tt.later(t, d)
					return nil
				}})
			var got []string
			for _, b := range transporttest.Bring(t, w) {
				got = append(got, b.Body)
			}
			if strings.Join(got, "|") != tt.want || looks != tt.looks {
				t.Errorf("brought %q after %d looks; want %q after %d", got, looks, tt.want, tt.looks)
			}
		})
	}
	t.Run("a caller that ends does not wait", func(t *testing.T) {
		d := disk(t.TempDir())
		put(t, d, "crew.csv", "one", time.Now())
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		for _, err := range watch.New(watch.Config{Dial: dial(d)}).Pull(ctx, transport.Query{}) {
			if !errors.Is(err, context.Canceled) {
				t.Errorf("Pull: %v", err)
			}
		}
	})
}

// TestPattern reads files by name, in any case.
func TestPattern(t *testing.T) {
	d := disk(t.TempDir())
	old := time.Now().Add(-time.Hour)
	for _, name := range []string{"crew.csv", "CREW2.CSV", "crew.xml", "crew.csv.bak"} {
		put(t, d, name, name, old)
	}
	var got []string
	for _, b := range transporttest.Bring(t, watch.New(watch.Config{Dial: dial(d), Pattern: "Crew*.csv"})) {
		got = append(got, b.Name)
	}
	slices.Sort(got)
	if fmt.Sprint(got) != "[CREW2.CSV crew.csv]" {
		t.Errorf("brought %q", got)
	}
}

// broken is a folder whose changes stop at a step, as when the program is killed there.
type broken struct {
	disk
	steps *int
}

var errKilled = errors.New("killed")

func (b broken) step() error {
	if *b.steps--; *b.steps < 0 {
		return errKilled
	}
	return nil
}

func (b broken) MakeFolder(ctx context.Context, name string) error {
	return errors.Join(b.step(), b.disk.MakeFolder(ctx, name))
}

func (b broken) Write(ctx context.Context, name string, content []byte) error {
	if err := b.step(); err != nil {
		return errors.Join(err, b.disk.Write(ctx, name, content[:1])) // half of it
	}
	return b.disk.Write(ctx, name, content)
}

func (b broken) Rename(ctx context.Context, from, to string) error {
	if err := b.step(); err != nil {
		return err
	}
	return b.disk.Rename(ctx, from, to)
}

// TestKilled puts a file away though the program ends at each step: in the end it lies
// once in failed/, with one whole report.
func TestKilled(t *testing.T) {
	for steps := range 5 {
		d := disk(t.TempDir())
		put(t, d, "crew.csv", "one", time.Now().Add(-time.Hour))
		var key string
		for _, b := range transporttest.Bring(t, watch.New(watch.Config{Dial: dial(d)})) {
			key = b.Key
		}
		as := transport.Outcome{Failed: true, Report: []byte("line 1")}
		left := steps
		first := watch.New(watch.Config{Dial: dial(broken{d, &left})}).Settle(t.Context(), key, as)
		if (first == nil) != (steps >= 3) {
			t.Errorf("killed after %d steps: Settle = %v", steps, first)
		}
		for range 2 {
			if err := watch.New(watch.Config{Dial: dial(d)}).Settle(t.Context(), key, as); err != nil {
				t.Errorf("after %d steps: Settle = %v", steps, err)
			}
		}
		report, err := os.ReadFile(d.at("failed/crew.csv.report.txt"))
		files, _ := os.ReadDir(d.at("failed"))
		if _, gone := os.Stat(d.at("crew.csv")); !errors.Is(gone, fs.ErrNotExist) || err != nil || len(files) != 2 ||
			string(report) != "line 1" {
			t.Errorf("after %d steps: failed/ has %v, the report %q, %v", steps, files, report, err)
		}
	}
}

// TestClosed checks that an arrival cannot be read once the next one was asked for.
func TestClosed(t *testing.T) {
	d := disk(t.TempDir())
	put(t, d, "a.csv", "one", time.Now().Add(-time.Hour))
	put(t, d, "b.csv", "two", time.Now().Add(-time.Hour))
	var before io.Reader
	for a, err := range watch.New(watch.Config{Dial: dial(d)}).Pull(t.Context(), transport.Query{}) {
		calltest.Done(t, err)
		if before != nil {
			if _, err := io.ReadAll(before); err == nil {
				t.Error("the arrival before can still be read")
			}
		}
		before = a.Body
	}
}

// misstating is a folder whose list says another size than its files have.
type misstating struct{ disk }

func (m misstating) List(ctx context.Context) ([]watch.File, error) {
	files, err := m.disk.List(ctx)
	for i := range files {
		files[i].Size++
	}
	return files, err
}

// TestMisstatedSize leaves a file for the next run that somebody may be writing, and refuses one that would wait for
// ever, with a sentence that says why.
func TestMisstatedSize(t *testing.T) {
	for ago, want := range map[time.Duration]gangway.Kind{30 * time.Minute: gangway.Conflict,
		2 * time.Hour: gangway.Invalid} {
		d := disk(t.TempDir())
		put(t, d, "crew.csv", "four", time.Now().Add(-ago))
		_, err := transporttest.Pull(t.Context(), watch.New(watch.Config{Dial: dial(misstating{d})}), transport.Query{})
		if gangway.KindOf(err) != want || !strings.Contains(err.Error(), `"crew.csv"`) {
			t.Errorf("written %s ago: %v; want %v", ago, err, want)
		}
	}
}
