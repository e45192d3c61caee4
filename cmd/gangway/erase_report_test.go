package main

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
)

// TestTheReportForgets erases a traveller, by the command and when the time to keep ends, searches every byte and reads
// every set of the report: nothing tells of the person, all else is as it was, and whoever reads only what has changed
// learns of it.
func TestTheReportForgets(t *testing.T) {
	for name, erase := range map[string]func(t *testing.T, w *life, database string){
		"by the command": func(t *testing.T, w *life, database string) {
			answer[erasedTraveller](t, "traveller", "erase", "--database", database, "--customer", w.id,
				"--environment", "production", "--id", "E-4711")
		},
		"when the time to keep ends": func(t *testing.T, w *life, database string) {
			answer[policy](t, "account", "policy", "--database", database, "--customer", w.id, "--environment",
				"production", "--keep", "24mo")
			_, h := serverOf(t, serverParts{db: w.server.db, now: func() time.Time {
				return time.Now().AddDate(3, 0, 0)
			}})
			must(t, h.desk.EraseOld(t.Context()))
		},
	} {
		t.Run(name, func(t *testing.T) {
			onEither(t, func(t *testing.T, database string) {
				w := newLife(t, database)
				w.live()
				w.cancel()
				w.trace()
				before := w.sets()
				for _, word := range []string{"Żółkiewska-Quuxley", "Bartłomieja", "B. Quuxley", "ZQ773190X"} {
					if !strings.Contains(before[bookings], word) {
						t.Errorf("%q is not in the report before, so that the test proves nothing", word)
					}
				}
				was := reportRows(t, before[bookings])[0]
				first := w.read(bookings, "Prefer", "odata.track-changes")
				erase(t, w, database)

				for range 2 { // also as written anew
					for set, doc := range w.sets() {
						for _, word := range traces {
							if strings.Contains(doc, word) {
								t.Errorf("%s still tells %q: %s", set, word, doc)
							}
						}
					}
					answer[rebuiltReport](t, "report", "rebuild", "--database", database, "--customer", w.id,
						"--environment", "production")
				}
				is := reportRows(t, w.read(bookings))[0]
				for _, column := range slices.Sorted(maps.Keys(was)) {
					switch column {
					case "PassengerLastName", "PassengerFirstName", "CustomFieldsMap":
						if is[column] != nil {
							t.Errorf("%s is %v; want null", column, is[column])
						}
					case "InvoiceNumbers":
						if is[column] != "INV-2026-00417, INV erased, erased, 419-erased" {
							t.Errorf("%s is %v", column, is[column])
						}
					default:
						if is[column] != was[column] {
							t.Errorf("%s is %v; want %v as before", column, is[column], was[column])
						}
					}
				}
				_, link, _ := strings.Cut(first, `"@odata.deltaLink":"`)
				link, _, _ = strings.Cut(link, `"`)
				since := reportRows(t, w.read(link))
				if len(since) != 1 || since[0]["BookingId"] != was["BookingId"] ||
					since[0]["PassengerLastName"] != nil {
					t.Errorf("what has changed since is %v; want the booking without its traveller", since)
				}
				nothingLeft(t, database)
				if found := reportRows(t, w.read(bookings+"?$search=quuxley")); len(found) > 0 {
					t.Errorf("the name still finds %v", found)
				}
			})
		})
	}
}

const bookings = "FlightBookingDetailed"

// sets reads every set of the report whole, by name.
func (w *life) sets() map[string]string {
	w.t.Helper()
	var list struct {
		Value []struct {
			URL string `json:"url"`
		} `json:"value"`
	}
	if err := json.Unmarshal([]byte(w.read("")), &list); err != nil || len(list.Value) == 0 {
		w.t.Fatalf("the sets are %v, %v", list, err)
	}
	sets := map[string]string{}
	for _, s := range list.Value {
		sets[s.URL] = w.read(s.URL)
	}
	return sets
}

// read reads an address of the report, with headers in pairs.
func (w *life) read(address string, headers ...string) string {
	w.t.Helper()
	if !strings.HasPrefix(address, "http") {
		address = w.report.String() + address
	}
	password, _ := w.report.User.Password()
	login := basic(credentials{ReportUser: w.report.User.Username(), ReportPassword: password})
	res, body := look(w.t, address, append(headers, "Authorization", login)...)
	if res.StatusCode != http.StatusOK {
		w.t.Fatalf("GET %s: %d\n%s", address, res.StatusCode, body)
	}
	return strings.TrimSpace(body)
}

// reportRows are the rows of an answer of the report.
func reportRows(t *testing.T, doc string) []map[string]any {
	t.Helper()
	var page struct {
		Value []map[string]any `json:"value"`
	}
	if err := json.Unmarshal([]byte(doc), &page); err != nil {
		t.Fatalf("%v: %s", err, doc)
	}
	return page.Value
}
