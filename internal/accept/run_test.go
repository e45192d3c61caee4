package accept_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"gangway"
	"gangway/internal/accept"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// A run is all documents of a source together: what none of them had is dropped, once all of them
// were read to their ends.
func TestRun(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		in := db.In(storetest.Account(t, db).Scope())
		begin := func() *accept.Run[gangway.Traveller] {
			return accept.Travellers.Run(in, gangway.Origin{Source: gangway.FeedSource("crew"),
				Generation: db.Generation(), SeenAt: storetest.Began})
		}
		take := func(r *accept.Run[gangway.Traveller], doc string, want accept.Report) {
			t.Helper()
			got, err := r.Take(t.Context(), strings.NewReader(doc), long)
			if err != nil || got.Counts != want.Counts || got.Refused != want.Refused ||
				(got.Broken != "") != (want.Broken != "") {
				t.Fatalf("Take(%s) = %+v, %v; want %+v", doc, got, err, want)
			}
		}
		doc := func(ids ...int) string {
			var list []string
			for _, id := range ids {
				list = append(list, fmt.Sprintf(`{"id":"%d","last_name":"Reyes","first_name":"Ana","dob":"1990-05-17",
					"nationality":"PH","gender":"F","home_airport":"MNL","doc_country":"PH","doc_number":"P%d",
					"doc_expire":"2036-05-17"}`, id, id))
			}
			return "[" + strings.Join(list, ",") + "]"
		}
		counts := func(received, created, unchanged int) accept.Report {
			return accept.Report{Counts: store.Counts{Received: received, Created: created, Unchanged: unchanged}}
		}
		there := func(want ...string) {
			t.Helper()
			list, err := in.SuggestTravellers(t.Context(), "reyes", nil, 10)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, tr := range list {
				got = append(got, tr.ID)
			}
			if slices.Sort(got); !slices.Equal(got, want) {
				t.Fatalf("travellers %q; want %q", got, want)
			}
		}
		r := begin()
		take(r, doc(1, 2), counts(2, 2, 0))
		twice := counts(2, 1, 0)
		twice.Refused = 1
		take(r, doc(2, 3), twice) // the same traveller in the second document
		if n, err := r.DropRest(t.Context(), store.Days{}); n != 0 || err != nil {
			t.Fatalf("DropRest = %d, %v; want nobody dropped", n, err)
		}
		there("1", "2", "3")
		_, err := accept.Travellers.AllOrNothing(t.Context(), in, []byte(doc(3, 4)), long, storetest.Began)
		if err != nil {
			t.Fatal(err)
		}

		r = begin()
		take(r, doc(1)[:20], accept.Report{Broken: "it is"})
		if n, err := r.DropRest(t.Context(), store.Days{}); n != 0 || gangway.KindOf(err) != gangway.Conflict {
			t.Fatalf("after a broken document: DropRest = %d, %v; want nothing dropped", n, err)
		}
		there("1", "2", "3", "4")

		r = begin()
		take(r, doc(1), counts(1, 0, 1))
		if n, err := r.DropRest(t.Context(), store.Days{}); n != 2 || err != nil {
			t.Fatalf("DropRest = %d, %v; want 2 and 3 dropped from the feed", n, err)
		}
		there("1", "3", "4") // 3 and 4 were uploaded
	})
}
