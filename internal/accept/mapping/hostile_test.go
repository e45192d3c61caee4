package mapping

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gangway/internal/accept/decode"
	"gangway/internal/gangway"
	"gangway/internal/need"
)

// hostile are the programs of testdata/hostile, one a line, that their authors hope nobody survives.
func hostile(t *testing.T) (programs []string) {
	t.Helper()
	files, err := filepath.Glob("testdata/hostile/*.jq")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		must(t, err)
		programs = append(programs, strings.Split(strings.TrimSpace(string(text)), "\n")...)
	}
	return programs
}

func TestHostilePrograms(t *testing.T) { tryHostile(t, 10) }

// TestTrialHostilePrograms tries all of them.
func TestTrialHostilePrograms(t *testing.T) {
	need.Trial(t)
	tryHostile(t, 1)
}

// tryHostile runs each n-th hostile program on a list: it is refused before it runs, comes to an end, or is ended; and
// then the account's next program is run as ever.
func tryHostile(t *testing.T, n int) {
	w := NewWorkers()
	w.Nice, w.Limits = 0, Limits{Record: 100 * time.Millisecond, Whole: 200 * time.Millisecond,
		List: 200 * time.Millisecond, PerRecord: time.Millisecond}
	refused, ended, done := 0, 0, 0
	for i, text := range hostile(t) {
		if i%n != 0 {
			continue
		}
		m, err := Compile(text, gangway.TravellersFlow)
		if gangway.KindOf(err) == gangway.Invalid {
			refused++
			continue
		}
		if err != nil {
			t.Errorf("%s: %v; want it compiled, or refused with a sentence", text, err)
			continue
		}
		doc := open(t, `[{"id":"1","last_name":"Rey","first_name":"Ana"},{"id":"2","last_name":"Roe"}]`,
			gangway.DocumentFormat{})
		records := m.Records(t.Context(), w.Patient("a"), doc, gangway.Ask{})
		for err == nil || errors.As(err, new(*decode.RecordError)) {
			_, err = records.Next()
		}
		switch {
		case Spent(err):
			ended++
		case err == io.EOF, errors.As(err, new(*decode.BrokenError)):
			done++
		default:
			t.Errorf("%s: %v; want its end, or that it takes too much", text, err)
		}
		answers, err := w.Patient("a").run(t.Context(), asking(`1 + 1`), bounds{each: hang, all: hang})
		if err != nil || answers[0].outputs[0] != 2 {
			t.Fatalf("the next program after %s: %v, %v; want 2", text, answers, err)
		}
	}
	t.Logf("%d refused, %d ended, %d came to an end", refused, ended, done)
	if w.patient.live != 1 || len(w.patient.idle) != 1 {
		t.Errorf("%d processes, %d idle; want the last one, idle", w.patient.live, len(w.patient.idle))
	}
}
