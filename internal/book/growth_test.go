package book_test

import (
	"cmp"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"gangway/internal/book"
	"gangway/internal/book/flight"
	"gangway/internal/gangway"
	"gangway/internal/need"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// bookingAfterAYear is the most that a booking may take on disk a year after it was made.
const bookingAfterAYear = 20 << 10

// TestGrowth measures what a booking takes on disk, by table: on the day on which it is made, and a year later, when
// what is kept for a shorter time has gone. Of each crew change of eight people four are held, three of those issued;
// two outlets have accepted everything, and it was pulled. PostgreSQL, which make trial measures with more bookings, is
// packed first, as it uses free room again.
func TestGrowth(t *testing.T) {
	each, usual := storetest.EachURL, 150
	if !need.InTrial() {
		each, usual = func(t *testing.T, test func(*testing.T, string)) { test(t, storetest.SQLiteURL(t)) }, 25
	}
	each(t, func(t *testing.T, url string) {
		db := must(store.Open(t.Context(), url))(t)
		defer db.Close()
		db.SealWith(storetest.Sealer(t))
		c, changes := open(t, db), need.Count("GROWTH", usual)
		before := tableSizes(t, db, url)
		for _, name := range []string{"default", "files"} {
			must(c.in.SetOutlet(t.Context(), storetest.Operator, name, storetest.PushTo("https://crew.example/"+name),
				[]string{"whsec_secret"}, c.clock.Now()))(t)
		}
		for i := range changes {
			c.bookFourOfEight(t, i)
		}
		c.deliverAll(t)
		for must(db.Trace(t.Context()))(t) {
		}
		c.growth(t, url, changes*4, before)
		c.clock.forward(365 * 24 * time.Hour)
		done(t, c.EraseOld(t.Context()))
		if each := c.growth(t, url, changes*4, before); each > bookingAfterAYear {
			t.Errorf("a booking takes %d bytes after a year, more than %d", each, bookingAfterAYear)
		}
	})
}

// tableSizes packs the tables of PostgreSQL and returns the bytes of each.
func tableSizes(t *testing.T, db *store.DB, url string) map[string]int64 {
	t.Helper()
	if strings.HasPrefix(url, "postgres") {
		raw := must(sql.Open("pgx", url))(t)
		defer raw.Close()
		must(raw.ExecContext(t.Context(), `VACUUM FULL`))(t)
	}
	return must(db.TableSizes(t.Context()))(t)
}

// bookFourOfEight has a crew change of eight searched for, four of them held and three issued.
func (c *counter) bookFourOfEight(t *testing.T, i int) {
	t.Helper()
	ctx := t.Context()
	s := gangway.Search{ID: book.NewID(), By: c.booker.Email, CreatedAt: c.clock.Now(), Flag: "NO", Airport: "AMS",
		Vessel: fmt.Sprint("Nordlys ", i%20), Date: gangway.Date("2026-12-01").AddDays(i % 90),
		ChangeID: fmt.Sprint("CC-", i)}
	change := gangway.CrewChange{TravelRequestID: s.ChangeID, Vessel: s.Vessel, Flag: s.Flag, ChangeDate: s.Date}
	s.Change = change.Name()
	for m := range 8 {
		who := maria
		who.ID, who.DocNumber = fmt.Sprintf("C-%d-%d", i, m), fmt.Sprintf("P%d%05dA", m, i)
		who.FirstName = fmt.Sprintf("Maria %c%c%c", 'A'+m, 'a'+i/20, 'a'+i%20)
		change.OnSigners = append(change.OnSigners, gangway.CrewMember{Traveller: who})
		s.Members = append(s.Members, gangway.SearchMember{Traveller: who, Side: gangway.OnSigner,
			Legs: []gangway.Leg{{Origin: "MNL", Destination: "AMS", ArriveOn: s.Date}}})
	}
	must(c.in.UpsertCrewChanges(ctx, []gangway.CrewChange{change}, c.clock.Now()))(t)
	done(t, c.in.SaveSearch(ctx, s))
	offers := map[int][]flight.Offer{}
	done(t, c.Search(ctx, c.in, s, func(f book.FoundOffers) {
		offers[f.Member] = append(offers[f.Member], f.Offers...)
	}))
	for m := range 4 {
		o := offers[m][0]
		ask := c.ask(s, o)
		ask.Member, ask.Others = m, nil
		b := must(c.Book(ctx, c.in, c.booker, ask))(t)
		if m < 3 {
			must(c.Issue(ctx, c.in, c.booker, b.ID, b.Price.Total))(t)
		}
	}
}

// deliverAll has both outlets accept everything, and pulls it.
func (c *counter) deliverAll(t *testing.T) {
	t.Helper()
	ctx := t.Context()
	for {
		queues := must(c.db.TakeQueues(ctx, c.clock.tick(), 100, 100, nil))(t)
		if len(queues) == 0 {
			break
		}
		for i, next := range must(c.db.NextDeliveries(ctx, queues))(t) {
			done(t, storetest.SettleTry(t, c.db, queues[i], *next.Delivery, "done",
				store.Attempt{At: c.clock.Now(), Took: time.Second, Status: 200, Answer: `{"ok":true}`}, nil))
		}
	}
	pull := store.PullAsk{ID: "pull", Named: true, Limit: 3, Now: c.clock.Now(), Lease: c.clock.Now()}
	for must(c.in.BeginPull(ctx, pull))(t) {
		pull.ID += "."
	}
}

// growth logs what each of n bookings takes of the tables, largest first, and returns the sum.
func (c *counter) growth(t *testing.T, url string, n int, before map[string]int64) (each int64) {
	t.Helper()
	sizes := tableSizes(t, c.db, url)
	for table := range sizes {
		sizes[table] = (sizes[table] - before[table]) / int64(n)
		each += sizes[table]
	}
	list := fmt.Sprintf("%s, %d bookings: %d bytes each", c.clock.Now().Format(time.DateOnly), n, each)
	larger := func(a, b string) int { return cmp.Compare(sizes[b], sizes[a]) }
	for _, table := range slices.SortedFunc(maps.Keys(sizes), larger) {
		if sizes[table] > 0 {
			list += fmt.Sprintf("\n%8d %s", sizes[table], table)
		}
	}
	t.Log(list)
	return each
}
