package decode

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"testing"
	"time"

	"gangway/internal/gangway"
)

var update = flag.Bool("update", false, "write what the samples say into testdata")

// TestSamples holds what each sample under testdata says: how it is written, and
// each item with its place. A sample's format is that of a file beside it
// named <sample>.format, as JSON, or found out.
func TestSamples(t *testing.T) {
	samples, err := filepath.Glob("testdata/*/*")
	must(t, err)
	for _, sample := range samples {
		if strings.HasSuffix(sample, ".says") || strings.HasSuffix(sample, ".format") {
			continue
		}
		t.Run(strings.TrimPrefix(sample, "testdata/"), func(t *testing.T) {
			doc, err := os.ReadFile(sample)
			must(t, err)
			var as gangway.DocumentFormat
			if said, err := os.ReadFile(sample + ".format"); err == nil {
				must(t, json.Unmarshal(said, &as))
			}
			got := says(input(filepath.Base(sample), doc), as, Limits{})
			if *update {
				must(t, os.WriteFile(sample+".says", []byte(got), 0o644))
			}
			want, err := os.ReadFile(sample + ".says")
			if err != nil || got != string(want) {
				t.Errorf("it says\n%s\nwant\n%s%v", got, want, err)
			}
		})
	}
}

func input(name string, doc []byte) Input {
	return Input{ReaderAt: bytes.NewReader(doc), Size: int64(len(doc)), Name: name}
}

// says writes down what a document says: a line for how it is written, and one for each of its items.
func says(in Input, as gangway.DocumentFormat, limits Limits) string {
	d, err := Open(in, as, limits)
	if err != nil {
		return "not opened: " + err.Error() + "\n"
	}
	defer d.Close()
	items, broken := itemsOf(d)
	if broken {
		return items
	}
	format, _ := json.Marshal(d.Format)
	return fmt.Sprintf("%s list=%v\n%s", format, d.List(), items)
}

// itemsOf writes down the items of a document, a line each.
func itemsOf(d *Document) (items string, broken bool) {
	var b strings.Builder
	for {
		item, err := d.Next()
		switch {
		case errors.Is(err, io.EOF):
			return b.String(), false
		case errors.As(err, new(*RecordError)) && d.List():
			fmt.Fprintf(&b, "%s\tleft out: %v\n", item.At, err)
			continue
		case err != nil:
			return fmt.Sprintf("%sbroken: %v\n", &b, err), true
		}
		value, err := json.Marshal(item.Value)
		if err != nil {
			return err.Error(), true
		}
		fmt.Fprintf(&b, "%s\t%s\n", item.At, value)
	}
}

// values returns what a document says as one JSON value, and what is wrong with it.
func values(doc string, as gangway.DocumentFormat) string {
	said := says(text(doc), as, Limits{})
	_, items, _ := strings.Cut(said, "\n")
	var list []string
	for line := range strings.Lines(items) {
		_, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		list = append(list, value)
	}
	if strings.HasPrefix(said, "not opened") || strings.Contains(said, "broken: ") {
		return strings.TrimSpace(said)
	}
	return strings.Join(list, " ")
}

// lag is how much more than a test expects may be in use: the collector may find what is just being made.
const lag = 24 << 20

// held returns how many bytes of memory f had in use at most, about: what is
// not used any more is collected at once.
func held(t *testing.T, f func()) int64 {
	t.Helper()
	defer debug.SetGCPercent(debug.SetGCPercent(10))
	runtime.GC()
	inUse := func() int64 {
		sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(sample)
		return int64(sample[0].Value.Uint64())
	}
	before, done, most := inUse(), make(chan struct{}), make(chan int64)
	go func() {
		look := time.NewTicker(time.Millisecond)
		defer look.Stop()
		for peak := int64(0); ; peak = max(peak, inUse()-before) {
			select {
			case <-done:
				most <- max(peak, inUse()-before)
				return
			case <-look.C:
			}
		}
	}()
	defer func() { // also where f ends the test
		select {
		case <-done:
		default:
			close(done)
			<-most
		}
	}()
	f()
	close(done)
	return <-most
}
