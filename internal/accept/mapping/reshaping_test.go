package mapping

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"gangway/internal/gangway"
)

// TestReshape: a program makes exactly one document of a record, or leaves it out.
func TestReshape(t *testing.T) {
	const record = `{"id":"b1","state":"issued","price":{"total":482.10,"ccy":"USD"},` +
		`"segments":[{"origin":"MNL"},{"origin":"SIN"}],"metadata":{"vessel":"MV <Nordlys>"},"created_at":1796112000}`
	workers := NewWorkers()
	workers.Nice, workers.Limits.Record = 0, 500*time.Millisecond
	for program, want := range map[string]string{
		`.`: `{"created_at":1796112000,"id":"b1","metadata":{"vessel":"MV <Nordlys>"},"price":{"ccy":"USD","total":482.10},` +
			`"segments":[{"origin":"MNL"},{"origin":"SIN"}],"state":"issued"}`,
		`[.]|map({ref: .id, total: .price.total})`: `[{"ref":"b1","total":482.10}]`,
		`.segments | length`:                       `2`,
		`{v: .metadata.vessel, c: .metadata.cost}`: `{"c":null,"v":"MV <Nordlys>"}`,
		`select(.state == "cancelled")`:            "left out",
		`empty`:                                    "left out",
		`.segments[]`:                              "more than one document",
		`.id + 1`:                                  "the program fails",
		`error("no cost centre")`:                  "no cost centre",
		`[limit(3; repeat("x"))] | add * 1000000`:  "more than 1 MB",
		`def f: f; f`:                              "too long",
		`[range(1e9)]`:                             "the program takes too",
	} {
		r, err := CompileReshaping(program)
		if err != nil {
			t.Fatalf("%s: %v", program, err)
		}
		for range 2 {
			got, err := r.Reshape(t.Context(), workers.Waiting("test"), []byte(record))
			switch {
			case want == "left out":
				if !errors.Is(err, ErrLeftOut) {
					t.Errorf("%s = %s, %v; want it left out", program, got, err)
				}
			case err != nil && !strings.Contains(err.Error(), want), err == nil && string(got) != want:
				t.Errorf("%s = %.200s, %v; want %s", program, got, err, want)
			}
			if strings.Contains(want, "the program takes") || want == "too long" {
				break // once is long enough
			}
		}
	}
	for program, says := range map[string]string{"": "is empty", "  ": "is empty", ".a |": "ends too early",
		"env": "env", "nothing": "no such function"} {
		if _, err := CompileReshaping(program); gangway.KindOf(err) != gangway.Invalid ||
			!strings.Contains(err.Error(), says) {
			t.Errorf("CompileReshaping(%q) = %v; want %q", program, err, says)
		}
	}
	r, err := CompileReshaping(".")
	must(t, err)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := r.Reshape(ended, workers.Waiting("test"), []byte(`[range]`)); err == nil {
		t.Error("what is no JSON was reshaped")
	}
}
