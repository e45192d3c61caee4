package accept_test

import (
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"gangway/internal/accept"
	"gangway/internal/calltest"
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
		doc := calltest.Must(json.Marshal(value))(t)
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
