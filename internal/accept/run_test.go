package accept_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"gangway/internal/accept"
	"gangway/internal/accept/decode"
	"gangway/internal/calltest"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// readJSON are the records of a document of canonical JSON.
func readJSON(doc string) accept.Records { return decode.FromReader(strings.NewReader(doc), 64, 1<<20) }

// A run is all documents of a source together: a record that is in two of them counts once. Nothing is
// stored before all of them were read to their ends, and what none of them had is dropped.
func TestRun(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		in := db.In(storetest.Account(t, db).Scope())
		begin := func() accept.Run {
			r := accept.NewRun(gangway.TravellersFlow, in, gangway.Origin{Source: gangway.FeedSource("crew"),
				Generation: db.Generation(), SeenAt: storetest.Began}, gangway.Ask{}, long)
			t.Cleanup(func() { r.Close() })
			return r
		}
		doc := func(ids ...int) accept.Records {
			var list []string
			for _, id := range ids {
				list = append(list, seafarer(fmt.Sprint(id)))
			}
			return readJSON("[" + strings.Join(list, ",") + "]")
		}
		there := func(want ...string) {
			t.Helper()
			list := calltest.Must(in.SuggestTravellers(t.Context(), "reyes", nil, 10))(t)
			var got []string
			for _, tr := range list {
				got = append(got, tr.ID)
			}
			if slices.Sort(got); !slices.Equal(got, want) {
				t.Fatalf("travellers %q; want %q", got, want)
			}
		}
		apply := func(r accept.Run, want accept.Report, dropped int) {
			t.Helper()
			calltest.Done(t, r.Apply(t.Context()))
			if got := r.Report(); got.Counts != want.Counts || got.Refused != want.Refused {
				t.Fatalf("%+v; want %+v", got, want)
			}
			if n, err := r.DropRest(t.Context(), store.Days{}); n != dropped || err != nil {
				t.Fatalf("DropRest = %d, %v; want %d dropped", n, err, dropped)
			}
		}
		take := func(r accept.Run, doc accept.Records) {
			t.Helper()
			calltest.Done(t, r.Take(t.Context(), doc))
		}
		r := begin()
		take(r, doc(1, 2))
		take(r, doc(2, 3)) // the same traveller in the second document
		there()
		apply(r, accept.Report{Counts: store.Counts{Received: 4, Created: 3}, Refused: 1}, 0)
		if p := r.Report().Problems.List; len(p) != 1 || p[0].Record != 2 || p[0].Field != "Id" || p[0].Value != "2" {
			t.Errorf("of the one who stands there twice: %+v; want record 2 of all, by its Id", p)
		}
		there("1", "2", "3")
		calltest.Must(upload(t.Context(), in, travellers, []byte("["+seafarer("3")+","+seafarer("4")+"]"), long))(t)

		r = begin()
		take(r, doc(5))
		var broken *accept.BrokenError
		if err := r.Take(t.Context(), readJSON("["+seafarer("1")+",{")); !errors.As(err, &broken) {
			t.Fatalf("a broken document: %v", err)
		}
		if err := r.Apply(t.Context()); gangway.KindOf(err) != gangway.Conflict {
			t.Fatalf("after a broken document: Apply = %v; want Conflict", err)
		}
		if n, err := r.DropRest(t.Context(), store.Days{}); n != 0 || gangway.KindOf(err) != gangway.Conflict {
			t.Fatalf("after a broken document: DropRest = %d, %v; want nothing dropped", n, err)
		}
		there("1", "2", "3", "4")

		r = begin()
		take(r, doc(1))
		apply(r, accept.Report{Counts: store.Counts{Received: 1, Unchanged: 1}}, 2) // 2 and 3 are dropped from the feed
		there("1", "3", "4")                                                        // 3 and 4 were uploaded

		r = begin()
		take(r, doc(1, 2, 5))
		apply(r, accept.Report{Counts: store.Counts{Received: 3, Created: 2, Unchanged: 1}}, 0)
		r = begin() // 1 and 2 come damaged, 2 comes good after that
		lost := strings.NewReplacer("Reyes", "R\ufffdyes").Replace
		take(r, readJSON("["+lost(seafarer("1"))+","+lost(seafarer("2"))+","+seafarer("2")+"]"))
		if gone, had, err := r.Rest(t.Context()); gone != 1 || had != 3 || err != nil {
			t.Fatalf("Rest = %d of %d, %v; want 5 alone gone", gone, had, err)
		}
		apply(r, accept.Report{Counts: store.Counts{Received: 3, Unchanged: 1}, Refused: 2}, 1)
		there("1", "2", "3", "4")
	})
}

// A run of more rows than stay in memory stores all of them.
func TestRunIsPutAside(t *testing.T) {
	const many = 30_000
	db := storetest.New(t)
	in := db.In(storetest.Account(t, db).Scope())
	r := accept.NewRun(gangway.TravellersFlow, in, crewFeed, gangway.Ask{}, accept.Limits{Records: many, Depth: 64})
	defer r.Close()
	var doc strings.Builder
	for i := range many {
		fmt.Fprintf(&doc, ",%s", seafarer(fmt.Sprintf("S%05d", i)))
	}
	calltest.Done(t, r.Take(t.Context(), readJSON("["+doc.String()[1:]+"]")))
	if err := r.Apply(t.Context()); err != nil || r.Report().Created != many {
		t.Fatalf("%+v, %v; want %d created", r.Report(), err, many)
	}
	for _, i := range []int{0, 1999, 2000, many - 1} {
		tr, err := in.Traveller(t.Context(), fmt.Sprintf("id:S%05d", i))
		if err != nil || tr.LastName != "Reyes" || tr.DocNumber != "P1" {
			t.Errorf("traveller %d: %+v, %v", i, tr, err)
		}
	}
}
