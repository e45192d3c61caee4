package deliver_test

import (
	"encoding/csv"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gangway/internal/calltest"
	"gangway/internal/deliver"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// fileOutlet has what happens from now on left as files in a folder, and returns the folder.
func (r *pipeline) fileOutlet(t *testing.T, as gangway.FormatKind, batch time.Duration, folder string) gangway.Outlet {
	t.Helper()
	settings := calltest.Must(json.Marshal(map[string]string{"path": folder}))(t)
	o, err := r.in.SetOutlet(t.Context(), storetest.Operator, "files",
		func(old store.StoredOutlet) (gangway.Outlet, error) {
			o := old.Outlet
			o.Transport, o.Format, o.Batch = gangway.Transport{Kind: "folder", Settings: settings}, as, batch
			return o, nil
		}, []string{deliver.NewSecret()}, r.clock.Now())
	calltest.Done(t, err)
	return o
}

// remap gives an outlet of files another mapping.
func (r *pipeline) remap(t *testing.T, o gangway.Outlet, mapping string) {
	t.Helper()
	change := func(old store.StoredOutlet) (gangway.Outlet, error) {
		old.Mapping = mapping
		return old.Outlet, nil
	}
	calltest.Must(r.in.SetOutlet(t.Context(), storetest.Operator, o.Name, change, nil, r.clock.Now()))(t)
}

// statuses are the deliveries of bookings to an outlet; to any, if it has no identifier.
func (r *pipeline) statuses(t *testing.T, o gangway.Outlet, bookings ...string) (list []store.DeliveryStatus) {
	t.Helper()
	for _, id := range bookings {
		all := calltest.Must(r.in.DeliveryStatuses(t.Context(), id))(t)
		for _, d := range all {
			if o.ID == "" || d.Outlet == o.ID {
				list = append(list, d)
			}
		}
	}
	return list
}

// hanging is how long these tests wait for anything before they say that it does not come: far longer than it takes on
// the busiest machine.
const hanging = 5 * time.Minute

// until waits until something is so.
func until(t *testing.T, what string, is func() bool) {
	t.Helper()
	tick, end := time.NewTicker(5*time.Millisecond), time.After(hanging)
	defer tick.Stop()
	for !is() {
		select {
		case <-tick.C:
		case <-end:
			t.Fatalf("it did not happen that %s", what)
		}
	}
}

// files are those in a folder, by name, without those that are being written.
func files(t *testing.T, folder string) map[string]string {
	t.Helper()
	found := map[string]string{}
	entries := calltest.Must(os.ReadDir(folder))(t)
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".part") {
			continue
		}
		doc, err := os.ReadFile(filepath.Join(folder, e.Name()))
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		found[e.Name()] = string(doc)
	}
	return found
}

// states are what the rows of the only file in a folder say, booking by booking.
func states(t *testing.T, folder string) (name string, rows []string) {
	t.Helper()
	found := files(t, folder)
	if len(found) != 1 {
		t.Fatalf("there are %d files; want one", len(found))
	}
	for n, doc := range found {
		name = n
		table := calltest.Must(csv.NewReader(strings.NewReader(doc)).ReadAll())(t)
		column := map[string]int{}
		for i, c := range table[0] {
			column[c] = i
		}
		for _, row := range table[1:] {
			rows = append(rows, row[column["id"]]+" "+row[column["actions.0.action"]])
		}
	}
	return name, rows
}

func TestFiles(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		t.Run("each action is a file, called after it, in the outlet's format", func(t *testing.T) {
			c := newCustomer(t)
			r := newPipeline(t, db, c.URL)
			folder := t.TempDir()
			for _, as := range []gangway.FormatKind{gangway.JSONFormat, gangway.CSVFormat, gangway.XMLFormat} {
				r.fileOutlet(t, as, 0, folder)
				id := "F" + string(as)
				r.book(t, id)
				r.run(t, loopback)
				until(t, "there is a file as "+string(as), func() bool {
					for name, doc := range files(t, folder) {
						if strings.HasPrefix(name, id+"-1-msg_") && strings.HasSuffix(name, "."+string(as)) {
							return strings.Contains(doc, "482")
						}
					}
					return false
				})
			}
		})
		t.Run("what happens within a time is one file, the same on every try", func(t *testing.T) {
			c := newCustomer(t)
			r := newPipeline(t, db, c.URL)
			folder := filepath.Join(t.TempDir(), "there")
			o := r.fileOutlet(t, gangway.CSVFormat, 15*time.Minute, folder)
			r.run(t, loopback)
			r.book(t, "G1")
			r.book(t, "G2")
			r.move(t, "G1", gangway.Issue)
			c.wait(t, 3) // the other outlet gets each action at once
			if list := r.statuses(t, o, "G1", "G2"); len(list) != 3 || list[0].Attempts != 0 {
				t.Fatalf("deliveries before the time: %+v; want three that were not tried", list)
			}
			r.clock.forward(15 * time.Minute)
			until(t, "it is tried, and there is no folder", func() bool {
				return r.statuses(t, o, "G1")[0].Attempts > 0
			})
			r.book(t, "G3") // it waits for the next file
			r.move(t, "G2", gangway.Issue)
			calltest.Done(t, os.Mkdir(folder, 0o755))
			r.clock.forward(10 * time.Minute)
			until(t, "the file is there", func() bool { return len(files(t, folder)) == 1 })
			name, rows := states(t, folder)
			if want := "G1 confirmed, G1 issued, G2 confirmed"; strings.Join(rows, ", ") != want {
				t.Errorf("the file has %q; want %s", rows, want)
			}
			first, last, _ := strings.Cut(strings.TrimSuffix(name, ".csv"), "-")
			if !strings.HasPrefix(first, "msg_") || !strings.HasPrefix(last, "msg_") || first == last {
				t.Errorf("the file is called %s; want the first and the last webhook-id", name)
			}
			until(t, "it is noted", func() bool { return r.statuses(t, o, "G1")[1].State == "done" })
			for _, d := range r.statuses(t, o, "G3") {
				if d.State != "due" || d.Attempts != 0 {
					t.Errorf("what came later: %+v; want it waiting", d)
				}
			}
			calltest.Done(t, os.Remove(filepath.Join(folder, name)))
			r.clock.forward(5 * time.Minute)
			until(t, "the next file is there", func() bool { return len(files(t, folder)) == 1 })
			if _, rows := states(t, folder); strings.Join(rows, ", ") != "G2 issued, G3 confirmed" {
				t.Errorf("the next file has %q; want what came later", rows)
			}
			until(t, "it is noted", func() bool { return r.statuses(t, o, "G3")[0].State == "done" })
		})
		t.Run("of what goes together a mapping leaves out some, and fails on one, and the others are one file",
			func(t *testing.T) {
				r := newPipeline(t, db, newCustomer(t).URL)
				folder := t.TempDir()
				o := r.fileOutlet(t, gangway.CSVFormat, time.Minute, folder)
				r.remap(t, o, `if .id == "J2" then error("no such vessel") elif .state == "issued" then empty else `+
					`{id, actions: [{action: .state}]} end`)
				r.book(t, "J1")
				r.book(t, "J2")
				r.book(t, "J3")
				r.move(t, "J1", gangway.Issue)
				r.clock.forward(time.Minute)
				r.run(t, loopback)
				until(t, "all are settled", func() bool {
					list := r.statuses(t, o, "J1", "J2", "J3")
					return list[0].State == "done" && list[1].State == "done" && list[3].State == "done"
				})
				if _, rows := states(t, folder); strings.Join(rows, ", ") != "J1 confirmed, J3 confirmed" {
					t.Errorf("the file has %q; want what the mapping makes", rows)
				}
				d := r.statuses(t, o, "J2")[0]
				if d.State != "parked" || !strings.Contains(d.Last.Answer, "no such vessel") {
					t.Errorf("what the mapping fails on: %+v; want it parked with the reason", d)
				}
			})
		t.Run("a file that would be too long is several, and one record of too many columns is parked with the reason",
			func(t *testing.T) {
				r := newPipeline(t, db, newCustomer(t).URL)
				folder := t.TempDir()
				o := r.fileOutlet(t, gangway.CSVFormat, time.Minute, folder)
				r.remap(t, o, `{id, actions: [{action: .state}], much: ("a" * 999999)}`)
				ids := []string{"K1", "K2", "K3", "K4", "K5", "K6", "K7"}
				for _, id := range ids {
					r.book(t, id)
				}
				r.clock.forward(time.Minute)
				r.run(t, loopback)
				until(t, "there are two files", func() bool { return len(files(t, folder)) == 2 })
				var lines []int
				for _, doc := range files(t, folder) {
					lines = append(lines, strings.Count(doc, "\r\n"))
				}
				if slices.Sort(lines); !slices.Equal(lines, []int{3, 6}) {
					t.Errorf("they have %d lines; want five bookings, and the other two", lines)
				}
				r.remap(t, o, `if .id == "K8" then {a: [range(20000)]} else {id, actions: [{action: .state}]} end`)
				r.book(t, "K8")
				r.book(t, "K9")
				r.clock.forward(time.Minute)
				until(t, "it is parked", func() bool { return r.statuses(t, o, "K8")[0].State == "parked" })
				d := r.statuses(t, o, "K8")[0]
				if !strings.Contains(d.Last.Answer, "more than 16384 columns") {
					t.Errorf("it is parked as %q; want why", d.Last.Answer)
				}
				until(t, "what came with it has gone", func() bool { return r.statuses(t, o, "K9")[0].State == "done" })
				for _, d := range r.statuses(t, o, ids...) {
					if d.State != "done" || d.Attempts != 1 {
						t.Errorf("%+v; want it delivered at once", d)
					}
				}
			})
		t.Run("an outlet that gets actions together from now on loses none that wait, nor the other way round",
			func(t *testing.T) {
				c := newCustomer(t)
				c.answers(func(int, received) (int, map[string]string) { return http.StatusOK, nil })
				r := newPipeline(t, db, c.URL)
				folder := t.TempDir()
				r.fileOutlet(t, gangway.CSVFormat, 0, folder)
				r.book(t, "H1")
				r.move(t, "H1", gangway.Issue)
				o := r.fileOutlet(t, gangway.CSVFormat, time.Hour, folder)
				r.book(t, "H2")
				r.clock.forward(time.Hour)
				stop := r.run(t, loopback)
				until(t, "one file has all", func() bool { return len(files(t, folder)) == 1 })
				if _, rows := states(t, folder); len(rows) != 3 {
					t.Errorf("the file has %q; want three actions", rows)
				}
				until(t, "it is noted", func() bool { return r.statuses(t, o, "H2")[0].State == "done" })
				stop()
				r.book(t, "H3")
				r.move(t, "H3", gangway.Issue)
				r.fileOutlet(t, gangway.JSONFormat, 0, folder)
				r.run(t, loopback)
				until(t, "each action is a file", func() bool { return len(files(t, folder)) == 3 })
				was := r.statuses(t, o, "H1")[0].ID
				calltest.Done(t, r.in.Replay(t.Context(), storetest.Operator, o.ID, "H1", 1, "", r.clock.Now()))
				if in, _, err := r.in.Replayed(t.Context(), was); in != "H1" || err != nil {
					t.Errorf("the webhook-id that it had among others leads to %q, %v; want H1", in, err)
				}
				until(t, "what had no queue is delivered again", func() bool { return len(files(t, folder)) == 4 })
			})
	})
}
