package poll_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"gangway/internal/accept/poll"
	"gangway/internal/gangway"
	"gangway/internal/store/storetest"
)

// Whoever sets a feed up sees the document as it came, how it was decoded, a mapping that was proposed from
// it, and each record that there is something to say about.
func TestTryWithProposal(t *testing.T) {
	d := newDesk(t, storetest.New(t))
	const doc = "Pers-Nr;Familienname;Rufname;Geboren;Geschl\r\n1;Müller;Ana;01/02/1985;W\r\n2;;Bea;03/04/1986;W\r\n" +
		"3;Rey;Cy;04/05/1986;q\r\n4;Roe;Di;05/06/1987;W\r\n5;Ray;Ed;07/08/1988;M\r\n6;Ryu;Flo;09/10/1989;W\r\n"
	with := poll.Trying{Feed: gangway.Feed{Name: "new", Flow: gangway.TravellersFlow}, Propose: true, Keep: 1 << 20,
		Sample: &poll.Sample{Name: "crew.csv", ContentType: "text/csv", Body: strings.NewReader(doc)}}
	got, err := d.poller.TryWith(t.Context(), d.in, with)
	if err != nil || got.Error != "" || got.Report.Received != 6 || got.Report.Refused != 1 || got.Report.Warned != 1 {
		t.Fatalf("it went %+v, %v; want 6 records, 1 refused and 1 warned", got, err)
	}
	at := got.Documents[0]
	if string(got.First) != doc || string(at.Head) != doc || at.Size != int64(len(doc)) ||
		at.ContentType != "text/csv" || at.Format.Kind != gangway.CSVFormat || at.Format.Delimiter != ";" {
		t.Errorf("the document: %+v, given back %q", at, got.First)
	}
	if got.Proposal == nil || !strings.Contains(got.Proposal.Program, `date("DMY")`) {
		t.Errorf("the proposal: %+v; want a program with its order of dates", got.Proposal)
	}
	var places []string
	for _, e := range got.Examples {
		places = append(places, e.At.String())
	}
	if len(got.Examples) != 6 || !got.Examples[1].Refused || places[2] != "line 4" {
		t.Errorf("the examples: %+v; want all with their lines, the second refused", got.Examples)
	}

	with.Keep, with.Sample.Body = 20, strings.NewReader(doc)
	if got, err = d.poller.TryWith(t.Context(), d.in, with); err != nil || got.First != nil {
		t.Errorf("longer than is kept: %q, %v; want nothing given back", got.First, err)
	}
	with.Feed.Format.Kind, with.Sample.Body = gangway.XLSXFormat, strings.NewReader(doc)
	if got, err = d.poller.TryWith(t.Context(), d.in, with); err != nil || got.Proposal != nil ||
		got.Error != "it is not an Excel workbook (.xlsx)" || len(got.Documents) != 1 {
		t.Errorf("as another format: %+v, %v; want why, and the document", got, err)
	}
}

// TestTryWithIsBounded: what is fetched to try it is read no further than whoever tries it allows.
func TestTryWithIsBounded(t *testing.T) {
	d := newDesk(t, storetest.New(t))
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		for range 4 << 10 {
			if _, err := w.Write(bytes.Repeat([]byte(" "), 1<<10)); err != nil {
				return
			}
		}
	}))
	defer s.Close()
	f := gangway.Feed{Name: "new", Flow: gangway.TravellersFlow, Transport: gangway.Transport{Kind: "endpoint",
		Settings: json.RawMessage(`{"url": "` + s.URL + `"}`)}}
	got, err := d.poller.TryWith(t.Context(), d.in, poll.Trying{Feed: f, Most: 1 << 20})
	if err != nil || !strings.Contains(got.Error, "longer than the 1 MiB") {
		t.Errorf("it went %q, %v; want it said that no more was read", got.Error, err)
	}
}

// TestRemarksOfXMLNameLines: in a document of elements whoever mends it is told where to look, as in a table.
func TestRemarksOfXMLNameLines(t *testing.T) {
	d := newDesk(t, storetest.New(t))
	for _, tt := range []struct {
		flow      gangway.Flow
		doc, want string
	}{
		{gangway.TravellersFlow, "<crew>\n<m><surname>Cruz</surname><firstname>A</firstname></m>\n" +
			"<m><surname>Rey</surname><firstname>B</firstname><gender>x</gender></m>\n" +
			"<m><surname>Lim</surname><firstname/></m>\n</crew>", "line 3 Gender, line 4 FirstName"},
		{gangway.CrewChangesFlow, "<plan>\n<change><vessel>A</vessel><change_date>2026-12-01</change_date>\n" +
			"<onsigners>\n<m><surname>Cruz</surname><firstname>A</firstname></m>\n" +
			"<m><surname>Rey</surname><firstname>B</firstname><dob>x</dob></m>\n<m><surname>Lim</surname></m>\n" +
			"</onsigners></change></plan>", "line 5 Onsigners[1].Dob, line 6 Onsigners[2].FirstName"},
	} {
		got, err := d.poller.Try(t.Context(), d.in, gangway.Feed{Name: "new", Flow: tt.flow},
			&poll.Sample{Body: strings.NewReader(tt.doc)}, gangway.Ask{})
		var said []string
		for _, r := range append(got.Report.Warnings.List, got.Report.Problems.List...) {
			said = append(said, r.At+" "+r.Field)
		}
		if all := strings.Join(said, ", "); err != nil || all != tt.want {
			t.Errorf("%s: %s, %v; want %s", tt.flow, all, err, tt.want)
		}
	}
}
