package api_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"gangway/internal/store/storetest"
	"gangway/internal/web/api"

	"pgregory.net/rapid"
)

// aText draws a text that every format can write: with what they take for their own, and without what
// they cannot write at all.
var aText = rapid.Map(rapid.StringMatching(`[A-Za-zÀ-ÿА-я李][A-Za-zÀ-ÿА-я0-9;,"'<>&=:#*|{}\[\]%!@\- \\]{0,20}[a-z0-9"'&>]`),
	strings.TrimSpace)

// aLooseText draws one that looks like something else than text in some format.
var aLooseText = rapid.OneOf(aText, rapid.SampledFrom([]string{"0123", "1.10", "1e5", "true", "null", "NO", "~", "=1+1",
	"2026-12-01", "- x", "&amp;", "]]>", "'", `""`, "#", "1985-02-01T08:00:00", "0x1F", "on"}))

func aName(t *rapid.T, what string) string {
	return rapid.StringMatching(`[A-Za-zÀ-ÿ]{1,12}( [A-Za-z']{1,8}[a-z])?`).Draw(t, what)
}

func drawTraveller(t *rapid.T, id string) record {
	r := with(with(traveller(), "id", id), "last_name", aName(t, "last name"))
	r = with(r, "first_name", aName(t, "first name"))
	for _, name := range []string{"phone", "email"} {
		switch rapid.IntRange(0, 2).Draw(t, name) {
		case 0:
			r = without(r, name)
		case 1:
			r = with(r, name, aLooseText.Draw(t, name+" text"))
		}
	}
	if rapid.Bool().Draw(t, "unknown") {
		r["x"+rapid.StringMatching(`[a-z]{1,6}`).Draw(t, "unknown name")] = aLooseText.Draw(t, "unknown text")
	}
	return r
}

func drawEntries(t *rapid.T, what string) record {
	r := record{}
	for range rapid.IntRange(1, 3).Draw(t, what) {
		r[rapid.StringMatching(`[a-z][a-zA-Z0-9\-]{0,8}`).Draw(t, what+" name")] = aLooseText.Draw(t, what+" text")
	}
	return r
}

func drawRequest(t *rapid.T, id string) record {
	r := with(travelRequest(), "externalInfo.requestId", id)
	r = with(with(r, "traveler.lastName", aName(t, "last name")), "details.remarks", aLooseText.Draw(t, "remarks"))
	r = with(r, "externalInfo.additionalInfo", drawEntries(t, "additional"))
	for _, name := range []string{"hotel", "details.vehicle", "traveler.customFields", "flight.intermediateAirports",
		"externalInfo.subRequestId", "externalInfo.additionalInfo"} {
		if rapid.Bool().Draw(t, "without "+name) {
			r = without(r, name)
		}
	}
	if flight := r["flight"].(record); flight["intermediateAirports"] != nil {
		stops := []any{}
		for i := range rapid.IntRange(1, 3).Draw(t, "stops") {
			stops = append(stops, record{"airport": "DXB", "date": fmt.Sprintf("2026-12-%02d", i+2)})
		}
		r = with(r, "flight.intermediateAirports", stops)
	}
	return r
}

func drawChange(t *rapid.T, id string) record {
	r := with(with(crewChange(), "travel_request_id", id), "vessel", aName(t, "vessel"))
	if rapid.Bool().Draw(t, "by vessel") {
		r = with(without(r, "travel_request_id"), "vessel", "Vessel "+id)
	}
	n := 0
	for _, side := range []string{"onsigners", "offsigners"} {
		members := []any{}
		for range rapid.IntRange(1, 3).Draw(t, side) {
			n++
			m := with(drawTraveller(t, fmt.Sprint(id, "-", n)), "doc_number", fmt.Sprint("P", n))
			if rapid.Bool().Draw(t, "metadata") {
				m["metadata"] = drawEntries(t, "metadata")
			}
			if rapid.Bool().Draw(t, "arrive") {
				m["arrive"] = rapid.SampledFrom([]any{"2026-12-01", record{"port": "SIN", "date": "2026-12-01"},
					record{"port": "SIN"}}).Draw(t, "arrive at")
			}
			members = append(members, m)
		}
		r = with(r, side, members)
	}
	return r
}

// TestFormatsSayTheSame: whatever is uploaded as JSON is unchanged when it comes in any other format.
func TestFormatsSayTheSame(t *testing.T) {
	s := surfaceOn(t, storetest.New(t), api.Limits{PerMinute: 1_000_000})
	draw := map[string]func(*rapid.T, string) record{"/passenger": drawTraveller, "/travelers-requests": drawRequest,
		"/travel-requests": drawChange}
	round := 0
	for path, one := range draw {
		t.Run(strings.TrimPrefix(path, "/"), func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) {
				round++
				var list []any
				for i := range rapid.IntRange(1, 4).Draw(rt, "records") {
					list = append(list, one(rt, fmt.Sprint("R", round, "-", i)))
				}
				var doc bytes.Buffer
				enc := json.NewEncoder(&doc)
				enc.SetEscapeHTML(false) // members that we do not know are kept to the letter
				if err := enc.Encode(list); err != nil {
					t.Fatal(err)
				}
				if res := s.do(t, "POST", path, doc.Bytes()); res.status != 200 || res.counts.Created != len(list) {
					rt.Fatalf("%v = %d %s; want all created", list, res.status, res.body)
				}
				for media, write := range written {
					doc := write(t, path, list)
					res := s.do(t, "POST", path, doc, "Content-Type", media)
					if res.status != 200 || res.counts.Unchanged != len(list) {
						rt.Fatalf("%s\n%s= %d %s; want all unchanged", media, doc, res.status, res.body)
					}
				}
			})
		})
	}
}
