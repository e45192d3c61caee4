package transport

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// A File is a file in a folder that is watched: at a customer's server, or here.
type File struct {
	Name string
	Size int64
	Time time.Time // when it was last written

	// Within is how much later than Time that may have been: some servers list minutes,
	// in a time zone of their own.
	Within time.Duration
}

// A file is taken once it has not changed for still; one that was last written
// before old is so already. Whoever writes a file for longer than that without a
// pause gives it a name that is not taken yet.
//
// Decided: docs/choices.md, "Feeds".
const (
	still = 2 * time.Second
	old   = 10 * time.Second
)

// Key identifies a file as it was read: one that was written anew under the same
// name is another document.
func (f File) Key() string {
	name := f.Name
	if !utf8.ValidString(name) { // which a database need not take; no name has a slash
		name = "/" + url.PathEscape(name)
	}
	return fmt.Sprintf("%d %d %s", f.Size, f.Time.UnixNano(), name)
}

// ReadKey returns the file that has a key.
func ReadKey(key string) (File, bool) {
	size, rest, _ := strings.Cut(key, " ")
	at, name, ok := strings.Cut(rest, " ")
	n, err := strconv.ParseInt(size, 10, 64)
	nano, err2 := strconv.ParseInt(at, 10, 64)
	if escaped, is := strings.CutPrefix(name, "/"); is {
		unescaped, err := url.PathUnescape(escaped)
		name, ok = unescaped, ok && err == nil
	}
	return File{Name: name, Size: n, Time: time.Unix(0, nano)}, ok && err == nil && err2 == nil
}

// Is reports whether two are one file, unchanged.
func (f File) Is(g File) bool { return f.Key() == g.Key() }

// Wanted reports whether a file of this name is to be read: it fits the pattern (as
// in "crew-*.csv", in any case; empty: every name), and is not still being written. A
// name with a slash is no file's name: whatever a server means by it, it leads out of
// the folder.
func Wanted(name, pattern string) bool {
	lower := strings.ToLower(name)
	if name == "" || name[0] == '.' || strings.ContainsAny(name, "/\\\x00") || strings.HasSuffix(lower, ".part") ||
		strings.HasSuffix(lower, ".tmp") {
		return false
	}
	fits, err := path.Match(strings.ToLower(cmp.Or(pattern, "*")), lower)
	return err == nil && fits
}

// CheckPattern refuses what is no pattern of names.
func CheckPattern(pattern string) error {
	_, err := path.Match(pattern, "")
	return err
}

// Finished returns the files that nobody is writing any more, oldest first. list
// gives those that are there and wanted; where some of them are fresh it is asked
// again after wait.
func Finished(ctx context.Context, now time.Time, wait func(context.Context, time.Duration) error,
	list func() ([]File, error)) ([]File, error) {
	found, err := list()
	if err != nil {
		return nil, err
	}
	fresh := func(f File) bool { return f.Time.Add(f.Within).After(now.Add(-old)) }
	if slices.ContainsFunc(found, fresh) {
		if err := wait(ctx, still); err != nil {
			return nil, err
		}
		again, err := list()
		if err != nil {
			return nil, err
		}
		keys := make(map[string]bool, len(again))
		for _, f := range again {
			keys[f.Key()] = true
		}
		found = slices.DeleteFunc(found, func(f File) bool { return fresh(f) && !keys[f.Key()] })
	}
	slices.SortFunc(found, func(a, b File) int {
		return cmp.Or(a.Time.Compare(b.Time), strings.Compare(a.Name, b.Name))
	})
	return found, nil
}

// Wait waits for d, or until ctx ends.
func Wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// AsideName returns the n-th name, from 0, for a file that is put away where others
// may have its name: crew.csv, crew (2).csv, crew (3).csv.
func AsideName(name string, n int) string {
	if n == 0 {
		return name
	}
	ending := path.Ext(name)
	return fmt.Sprintf("%s (%d)%s", strings.TrimSuffix(name, ending), n+1, ending)
}

// ReportName returns the name of the report beside a file that was put away.
func ReportName(name string) string { return name + ".report.txt" }
