package accept_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"gangway/internal/accept"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

var limits = accept.Limits{Records: 100, Depth: 64}

// aTraveller draws the text of a valid traveller record, with unknown members
// among the known ones.
func aTraveller(t *rapid.T, id string) (text string, unknown map[string]any) {
	members := []string{
		`"id": ` + quoted(id), `"last_name": ` + quoted(aName.Draw(t, "last name")), `"first_name": ` +
			quoted(aName.Draw(t, "first name")),
		`"dob": "1990-05-17"`, `"nationality": "ph"`, `"gender": "F"`, `"doc_country":"PH"`, `"doc_number" :"P1"`,
		`"doc_expire": "2031-01-31"`, `"home_airport": "MNL"`,
	}
	unknown = map[string]any{}
	for range rapid.IntRange(0, 3).Draw(t, "unknown members") {
		name := "x" + rapid.String().Draw(t, "name")
		if _, twice := unknown[name]; twice {
			continue
		}
		value := anything(3).Draw(t, "value")
		unknown[name] = value
		doc, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		members = append(members, quoted(name)+": "+string(doc))
	}
	return "{" + strings.Join(rapid.Permutation(members).Draw(t, "order"), ", ") + "}", unknown
}

// aName draws a name in the letters of several scripts.
var aName = rapid.StringMatching(`[A-Za-zÀ-ÿŁłА-я]{1,12}( [A-Za-z']{1,8})?`)

// anything draws a JSON value, nested up to depth.
func anything(depth int) *rapid.Generator[any] {
	kinds := []*rapid.Generator[any]{
		rapid.Just[any](nil), rapid.Bool().AsAny(), rapid.Float64Range(-1e9, 1e9).AsAny(), rapid.String().AsAny(),
	}
	if depth > 0 {
		kinds = append(kinds,
			rapid.Custom(func(t *rapid.T) any {
				list := []any{}
				return append(list, rapid.SliceOfN(anything(depth-1), 0, 3).Draw(t, "list")...)
			}),
			rapid.Custom(func(t *rapid.T) any {
				return rapid.MapOfN(rapid.String(), anything(depth-1), 0, 3).Draw(t, "object")
			}))
	}
	return rapid.OneOf(kinds...)
}

func quoted(s string) string {
	doc, _ := json.Marshal(s)
	return string(doc)
}

// inside returns the positions after each mark in doc: '{' and '[' count
// outside strings, '"' where a string begins.
func inside(doc string, mark byte) (places []int) {
	text := false
	for i := 0; i < len(doc); i++ {
		switch c := doc[i]; {
		case text && c == '\\':
			i++
		case c == '"':
			if text = !text; text && mark == '"' {
				places = append(places, i+1)
			}
		case !text && c == mark:
			places = append(places, i+1)
		}
	}
	return places
}

// traps are faults that lenient readers of JSON accept and strict ones must not; each spoils a
// valid document somewhere.
var traps = map[string]func(t *rapid.T, doc string) string{
	"a name twice": func(t *rapid.T, doc string) string {
		return insert(t, doc, '{', `"twice": 1, "tw\u0069ce": 2`)
	},
	"nested too deep": func(t *rapid.T, doc string) string {
		return insert(t, doc, '{', `"deep": `+strings.Repeat("[", 65)+strings.Repeat("]", 65))
	},
	"invalid UTF-8":            func(t *rapid.T, doc string) string { return insert(t, doc, '"', "\xff") },
	"UTF-8 that is too long":   func(t *rapid.T, doc string) string { return insert(t, doc, '"', "\xc0\xaf") },
	"a surrogate in UTF-8":     func(t *rapid.T, doc string) string { return insert(t, doc, '"', "\xed\xa0\x80") },
	"half a surrogate pair":    func(t *rapid.T, doc string) string { return insert(t, doc, '"', `\ud800`) },
	"an unknown escape":        func(t *rapid.T, doc string) string { return insert(t, doc, '"', `\x41`) },
	"a line break in a string": func(t *rapid.T, doc string) string { return insert(t, doc, '"', "\n") },
	"cut off": func(t *rapid.T, doc string) string {
		return doc[:rapid.IntRange(0, len(doc)-1).Draw(t, "length")]
	},
	"something after the array": func(t *rapid.T, doc string) string {
		return doc + rapid.SampledFrom([]string{"]", "[]", "{}", "x", "\x00", ",", "// end"}).Draw(t, "tail")
	},
	"a byte order mark twice":   func(_ *rapid.T, doc string) string { return "\uFEFF\uFEFF" + doc },
	"a byte order mark inside":  func(t *rapid.T, doc string) string { return insert(t, doc, '[', "\uFEFF") },
	"a comma too much":          func(_ *rapid.T, doc string) string { return doc[:len(doc)-1] + ",]" },
	"a comment":                 func(t *rapid.T, doc string) string { return insert(t, doc, '[', "/* crew */") },
	"a number in another base":  func(t *rapid.T, doc string) string { return insert(t, doc, '{', `"n": 0x1F`) },
	"a number with zeros first": func(t *rapid.T, doc string) string { return insert(t, doc, '{', `"n": 007`) },
	"not a number":              func(t *rapid.T, doc string) string { return insert(t, doc, '{', `"n": NaN`) },
	"a name without quotes":     func(t *rapid.T, doc string) string { return insert(t, doc, '{', `n: 1`) },
}

// insert puts text after one of the marks of doc, with a comma where a member follows.
func insert(t *rapid.T, doc string, mark byte, text string) string {
	at := rapid.SampledFrom(inside(doc, mark)).Draw(t, "where")
	if mark == '{' && doc[at] != '}' {
		text += ", "
	}
	return doc[:at] + text + doc[at:]
}

// What spoils a document refuses an upload. Of a feed it spoils one record, or the rest of the document, and never goes
// unnoticed.
func TestTrapsAreRefused(t *testing.T) {
	in := inAccount(t)
	for name, spoil := range traps {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(r *rapid.T) {
				var records []string
				for i := range rapid.IntRange(1, 4).Draw(r, "records") {
					text, _ := aTraveller(r, fmt.Sprint("T", i))
					records = append(records, text)
				}
				doc := spoil(r, "["+strings.Join(records, ",")+"]")
				_, err := upload(t.Context(), in, travellers, []byte(doc), limits)
				if gangway.KindOf(err) != gangway.Invalid {
					r.Fatalf("Travellers(%s) = %v; want Invalid", doc, err)
				}
				report, err := eachForItself(t.Context(), in, travellers,
					iotest.OneByteReader(strings.NewReader(doc)), limits)
				taken := report.Created + report.Updated + report.Unchanged
				var broken *accept.BrokenError
				switch {
				case errors.As(err, &broken) && taken == 0:
				case err != nil, report.Refused == 0, taken+report.Refused != report.Received,
					taken != len(records)-1:
					r.Fatalf("each for itself, %s = %+v, %v; want nothing taken, or all but one", doc, report, err)
				}
			})
		})
	}
}

func TestUnknownMembersAreKept(t *testing.T) {
	in := inAccount(t)
	rapid.Check(t, func(r *rapid.T) {
		doc, want := aTraveller(r, "T1")
		if _, err := upload(t.Context(), in, travellers, []byte("["+doc+"]"), limits); err != nil {
			r.Fatalf("Travellers(%s): %v", doc, err)
		}
		stored, err := in.Traveller(t.Context(), "id:T1")
		if err != nil {
			r.Fatal(err)
		}
		got := map[string]any{}
		if len(stored.Extra) > 0 {
			if err := json.Unmarshal(stored.Extra, &got); err != nil {
				r.Fatal(err)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			r.Fatalf("kept of %s (-want +got)\n%s", doc, diff)
		}
	})
}

func TestLimits(t *testing.T) {
	in := inAccount(t)
	deep := func(n int) string {
		return `[{"last_name": "Reyes", "x": ` + strings.Repeat("[", n-2) + strings.Repeat("]", n-2) + `}]`
	}
	tests := []struct {
		name, doc string
		want      string
	}{
		{"as deep as may be", deep(64), "fields are missing or wrong"},
		{"deeper", deep(65), "the body cannot be read as JSON: values are nested more than 64 deep"},
		{"brackets in strings do not count", `[{"x": "` + strings.Repeat("[", 99) + `\""}]`,
			"fields are missing or wrong"},
		{"nothing", " \n", "the body cannot be read as JSON: there is nothing in it"},
		{"not an array", `{"last_name": "Reyes"}`, "the body must be an array of traveller records"},
		{"more records than may be", "[" + strings.Repeat("{},", 100) + "{}]", accept.ErrTooMany.Error()},
		{"as many as may be", "[" + strings.Repeat("{},", 99) + "{}]", "fields are missing or wrong"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := upload(t.Context(), in, travellers, []byte(tt.doc), limits)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("Travellers = %v; want %s", err, tt.want)
			}
		})
	}
}

// Several uploads of the same crew arrive at once: one creates each record, the others find it, and
// none is refused.
func TestUploadsAtOnce(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		in := db.In(storetest.Account(t, db).Scope())
		const crew, uploads = 100, 6
		results := make(chan error, uploads)
		counts := make(chan store.Counts, uploads)
		for n := range uploads {
			var records []string
			for i := range crew {
				if n%2 == 1 { // every other upload has the opposite order
					i = crew - 1 - i
				}
				records = append(records,
					fmt.Sprintf(`{"id":"T%d","last_name":"Reyes","first_name":"Ana","dob":"1990-05-17","nationality":"PH","gender":"F","doc_country":"PH","doc_number":"P%d","doc_expire":"2031-01-31","home_airport":"MNL"}`, i, i))
			}
			go func() {
				c, err := upload(t.Context(), in, travellers, []byte("["+strings.Join(records, ",")+"]"),
					limits)
				counts <- c.Counts
				results <- err
			}()
		}
		var total store.Counts
		for range uploads {
			if err := <-results; err != nil {
				t.Error(err)
			}
			c := <-counts
			total.Created += c.Created
			total.Updated += c.Updated
			total.Unchanged += c.Unchanged
		}
		if want := (store.Counts{Created: crew, Unchanged: crew * (uploads - 1)}); total != want {
			t.Errorf("all together %+v; want %+v", total, want)
		}
	})
}

func inAccount(t *testing.T) store.Scoped {
	db := storetest.New(t)
	return db.In(storetest.Account(t, db).Scope())
}

// allocated returns how many bytes do allocates.
func allocated(do func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
