package api_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"runtime/metrics"
	"strings"
	"testing"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
	"gangway/internal/web/api"
)

// uploads are records of each kind by the address that takes them.
func uploads() map[string][]any {
	alone := with(with(without(crewChange(), "travel_request_id"), "vessel", "Halcyon"), "offsigners", []any{})
	return map[string][]any{
		"/passenger": {traveller(), with(without(without(traveller(), "email"), "phone"), "id", "C-2")},
		"/travelers-requests": {travelRequest(), with(without(without(travelRequest(), "hotel"),
			"externalInfo.additionalInfo"), "externalInfo.requestId", "R-2")},
		"/travel-requests": {crewChange(), without(alone, "offsigners")},
	}
}

// TestUploadFormats sends the same records in each format after JSON: they are the same rows.
func TestUploadFormats(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		for path, list := range uploads() {
			for media, write := range written {
				t.Run(strings.TrimPrefix(path, "/")+" as "+media, func(t *testing.T) {
					s := surfaceOn(t, db, api.Limits{})
					doc := write(t, path, list)
					res := s.do(t, "POST", path, doc, "Content-Type", media)
					if res.status != 200 || res.counts.Created != len(list) {
						t.Fatalf("%s\n= %d %s; want %d created", doc, res.status, res.body, len(list))
					}
					as := s.post(t, path, list)
					if as.status != 200 || as.counts.Unchanged != len(list) {
						t.Fatalf("as JSON after\n%s\n= %d %s; want all unchanged", doc, as.status, as.body)
					}
					var packed bytes.Buffer
					z := gzip.NewWriter(&packed)
					z.Write(doc)
					z.Close()
					again := s.do(t, "POST", path, packed.Bytes(), "Content-Type", media, "Content-Encoding", "gzip")
					if again.status != 200 || again.counts.Unchanged != len(list) {
						t.Errorf("packed = %d %s; want all unchanged", again.status, again.body)
					}
				})
			}
		}
	})
}

// TestUploadFormatsSayWhere: problems have the paths of JSON, and the line or the cell.
func TestUploadFormatsSayWhere(t *testing.T) {
	s := newSurface(t)
	crew := []any{traveller(), with(with(traveller(), "id", "C-2"), "gender", "X")}
	change := with(crewChange(), "onsigners", []any{traveller(), with(with(traveller(), "id", "C-3"), "gender", "X")})
	request := []any{travelRequest(), with(with(travelRequest(), "traveler.gender", "X"), "externalInfo.requestId",
		"R-2")}
	const why = "The Gender field must be M or F. "
	tests := []struct {
		media, path string
		list        []any
		at, want    string
	}{
		{csvType, "/passenger", crew, "[1].Gender", why + "(C-2) (line 3)"},
		{xlsxType, "/passenger", crew, "[1].Gender", why + "(C-2) (Crew!G3)"},
		{xmlType, "/passenger", crew, "[1].Gender", why + "(C-2) (line 4)"},
		{yamlType, "/passenger", crew, "[1].Gender", why + "(C-2) (line 13)"},
		{xlsxType, "/travelers-requests", request, "[1].Traveler.Gender", why + "(R-2/1) (Crew!Y3)"},
		{csvType, "/travelers-requests", request, "[1].Traveler.Gender", why + "(R-2/1) (line 3)"},
		{xlsxType, "/travel-requests", []any{change}, "[0].Onsigners[1].Gender",
			why + "(C-3) (Crew!K3)"},
		{csvType, "/travel-requests", []any{change}, "[0].Onsigners[1].Gender",
			why + "(C-3) (line 3)"},
		{yamlType, "/travel-requests", []any{change}, "[0].Onsigners[1].Gender",
			why + "(C-3) (line 32)"},
	}
	for _, tt := range tests {
		t.Run(tt.media+tt.path, func(t *testing.T) {
			doc := written[tt.media](t, tt.path, tt.list)
			res := s.do(t, "POST", tt.path, doc, "Content-Type", tt.media)
			if got := strings.Join(res.problem.Errors[tt.at], "|"); res.status != 400 || got != tt.want {
				t.Errorf("%s\n= %d %v; want %s: %s", doc, res.status, res.problem.Errors, tt.at, tt.want)
			}
		})
	}
	t.Run("of a record that cannot be read, and of a warning", func(t *testing.T) {
		doc := "last_name;first_name\nSantos;Maria;more;and more\nSantos;\"Maria\"x\nSantos;Juan\n"
		res := s.do(t, "POST", "/passenger", []byte(doc), "Content-Type", csvType)
		for at, want := range map[string]string{
			"[0]": "The record cannot be read: it has 4 values, and the columns have 2 names. (line 2)",
			"[1]": "The record cannot be read: text follows a closing quotation mark. " +
				"(line 3)",
			"[2].Gender": "The Gender field is required. (line 4)",
		} {
			if got := strings.Join(res.problem.Errors[at], "|"); got != want {
				t.Errorf("%s: %q; want %q", at, got, want)
			}
		}
		late := with(traveller(), "home_airport", "QQQ")
		doc = string(asWorkbook(t, "Crew", table("/passenger", []any{late})))
		res = s.do(t, "POST", "/passenger", []byte(doc), "Content-Type", xlsxType)
		got := strings.Join(res.counts.Warnings["[0].HomeAirport"], "|")
		if !strings.HasSuffix(got, " (C-1) (Crew!H2)") {
			t.Errorf("warnings = %v; want one that ends with the cell", res.body)
		}
	})
}

// TestUploadsInOtherCharsets: a charset that is named is believed, in JSON as well, and one that is unknown is 415.
// What nothing names is read as Windows-1252 with a warning, or refused; names that lost letters are refused, and those
// that were encoded twice warned of. JSON in UTF-8 is taken as it comes.
func TestUploadsInOtherCharsets(t *testing.T) {
	const head = "id,last_name,first_name,dob,nationality,gender,doc_country,doc_number,doc_expire,home_airport\n"
	row := func(name string) string { return head + "C-9," + name + ",Ana,1990-04-30,PH,F,PH,P1,2041-01-01,MNL\n" }
	doc := func(name string) string {
		return `[{"id":"C-9","last_name":"` + name + `","first_name":"Ana","dob":"1990-04-30","nationality":"PH","gender":"F",` +
			`"doc_country":"PH","doc_number":"P1","doc_expire":"2041-01-01","home_airport":"MNL"}]`
	}
	s := newSurface(t)
	const lost = "The LastName field has letters that could not be read (U+FFFD). (C-9) (line 2)"
	const twice = "The letters of “MÃ¼ller” seem to have been encoded twice. (C-9) (line 2)"
	const guessed = "It was read as windows-1252: Müller. Name the charset in the Content-Type."
	for _, tt := range []struct {
		kind, doc string
		status    int
		name      string // as it is stored
		says      string
	}{
		{"application/json; charset=iso-8859-2", doc("Wa\xb3\xeasa"), 200, "Wałęsa", ""},
		{"application/json; charset=cp850", doc("M\x81ller"), 200, "Müller", ""},
		{"application/json; charset=gbk", doc("\xc1\xaa\xcd\xa8"), 200, "联通", ""},
		{"application/json; charset=iso-8859-1", doc("Müller"), 200, "Müller", ""},
		{"application/json; charset=utf-8", doc("MÃ¼ller"), 200, "MÃ¼ller", ""},
		{"application/json; charset=utf-8", doc("M\ufffdller"), 200, "M\ufffdller", ""},
		{"application/json; charset=klingon", doc("Muller"), 415, "", `the charset klingon is unknown`},
		{"application/json; charset=cp850", strings.Replace(doc("M\x81ller"), `"dob":"`, `"phone":7,"dob":"`, 1), 400, "",
			"The Phone field must be a string."},
		{"text/csv", row("M\xfcller"), 200, "Müller", guessed},
		{"text/csv; charset=windows-1252", row("M\xfcller"), 200, "Müller", ""},
		{"text/csv", row("\xc8\xe2\xe0\xed\xee\xe2"), 400, "", "windows-1251: Иванов"},
		{"text/csv", row("M\x81ller"), 400, "", lost},
		{"text/csv", row("MÃ¼ller"), 200, "MÃ¼ller", twice},
	} {
		res := s.do(t, "POST", "/passenger", []byte(tt.doc), "Content-Type", tt.kind)
		found, err := s.in.SuggestTravellers(t.Context(), "", nil, 2)
		must(t, err)
		stored := ""
		if tt.status == 200 && len(found) == 1 {
			stored = found[0].LastName
		}
		if res.status != tt.status || stored != tt.name || !strings.Contains(res.body, tt.says) ||
			tt.says == "" && strings.Contains(res.body, "encod") {
			t.Errorf("%s %q\n= %d %s, stored %q; want %d, %s, stored %q", tt.kind, tt.doc, res.status, res.body, stored,
				tt.status, tt.says, tt.name)
		}
	}
}

// TestCrewChangeTable: a row is a member, wherever the other rows of its crew change stand.
func TestCrewChangeTable(t *testing.T) {
	const head = "Vessel,flag,change_date,travel_request_id,Side,Last name,first_name,dob,nationality,gender," +
		"doc_country,doc_number,doc_expire,home_airport,arrive,arrive.port,depart,metadata.rank,shoe size\n"
	row := func(change, side, name, number, arrive, depart string) string {
		return fmt.Sprintf("%s,%s,%s,Maria,1990-04-30,PH,F,PH,%s,2031-01-01,MNL,%s,%s,AB,44\n", change, side, name,
			number, arrive, depart)
	}
	one, same := "Nordlys,NO,2026-12-02,", "NORDLYS,no,2026-12-02,"
	s := newSurface(t)
	t.Run("rows are grouped by vessel, flag and date, or by the identifier", func(t *testing.T) {
		doc := head + row(one, "On-signer", "Santos", "P1", "2026-12-01,SIN", "") +
			row("Halcyon,GB,2026-12-05,CC-9", "joining", "Reyes", "P2", ",", "") +
			row(same, "OFF", "Cruz", "P3", ",", "2026-12-03") +
			row(",,,CC-9", "leaver", "Lim", "P4", ",", "")
		res := s.do(t, "POST", "/travel-requests", []byte(doc), "Content-Type", csvType)
		if res.status != 200 || res.counts.Received != 2 || res.counts.Created != 2 {
			t.Fatalf("answer = %d %s; want 2 created", res.status, res.body)
		}
		for key, want := range map[string]string{"id:CC-9": "Reyes on, Lim off",
			"on:2026-12-02:NO:nordlys": "Santos on, Cruz off"} {
			c, err := s.in.CrewChange(t.Context(), key)
			if err != nil || len(c.OnSigners) != 1 || len(c.OffSigners) != 1 ||
				c.OnSigners[0].LastName+" on, "+c.OffSigners[0].LastName+" off" != want {
				t.Errorf("%s = %+v, %v; want %s", key, c, err, want)
			}
			if m := c.OnSigners[0]; m.Metadata["rank"] != "AB" || string(m.Extra) != `{"shoe size":"44"}` {
				t.Errorf("%s: metadata %v, extra %s", key, m.Metadata, m.Extra)
			}
		}
		c, _ := s.in.CrewChange(t.Context(), "on:2026-12-02:NO:nordlys")
		if m := c.OnSigners[0]; m.Arrive != (gangway.PortCall{Airport: "SIN", Date: "2026-12-01"}) {
			t.Errorf("arrive = %+v", m.Arrive)
		}
	})
	t.Run("what does not fit together names the cell", func(t *testing.T) {
		doc := head + row(one, "on", "Santos", "P1", ",", "") +
			row("Nordlys,NO,2026-12-05,CC-9", "on", "Reyes", "P2", ",", "") +
			row("Nordlys,NO,2026-12-06,CC-9", "off", "Cruz", "P3", ",", "") +
			row(same, "aboard", "Lim", "P4", ",", "")
		var rows [][]string
		for line := range strings.Lines(doc) {
			rows = append(rows, strings.Split(strings.TrimSuffix(line, "\n"), ","))
		}
		res := s.do(t, "POST", "/travel-requests", asWorkbook(t, "Plan", rows), "Content-Type", xlsxType)
		for at, want := range map[string]string{
			"[0]": `The record cannot be read: its column side must say "on" or "off" for each member. (Plan!E5)`,
			"[1]": "The record cannot be read: its rows differ in change_date. (Plan!C4)",
		} {
			if got := strings.Join(res.problem.Errors[at], "|"); got != want {
				t.Errorf("%s: %q; want %q (%s)", at, got, want, res.body)
			}
		}
	})
}

// TestUploadFormatsRefused: what cannot be read ends in a sentence.
func TestUploadFormatsRefused(t *testing.T) {
	s := newSurface(t)
	tests := []struct {
		name, media, doc string
		status           int
		want             string
	}{
		{"another type", "text/plain", "x", 415, "the body must be application/json, application/yaml, text/csv, " +
			"application/xml or " + xlsxType},
		{"XML that is cut off", xmlType, "<travellers><traveller>", 400,
			"the body cannot be read as XML: it ends too early, at line 1"},
		{"two kinds of records", xmlType, "<a><b/><c/></a>", 400, `the body cannot be read as XML: the document ` +
			`element must have an element for each record, all of one name: it has "b" and "c", at line 1`},
		{"SOAP", xmlType, `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body/></s:Envelope>`, 400,
			"the body cannot be read as XML: it is a SOAP message, which goes to {base_url}/soap"},
		{"YAML that is no list", yamlType, "last_name: Santos\n", 400, "the body must be a list of records"},
		{"an empty CSV", csvType, "", 400, "the body cannot be read as CSV: there is nothing in it"},
		{"two columns for one member", csvType, "last_name,Last Name\nx,y\n", 400, `the body cannot be read as CSV: ` +
			`the columns "last_name" and "Last Name" are the same member: send one of them, at line 2`},
		{"a CSV called a workbook", xlsxType, "last_name\nx\n", 400,
			"the body cannot be read as an Excel workbook (.xlsx): it is not an Excel workbook (.xlsx)"},
		{"packed without saying so", csvType, "\x1F\x8B\x08", 400,
			"the body cannot be read as CSV: it is packed, and only Content-Encoding: gzip is unpacked"},
		{"a page", xmlType, "<html><body>Sign in</body></html>", 400,
			"the body cannot be read as XML: it is a web page (HTML), perhaps a sign-in page, and not data"},
		{"an entity", xmlType, `<!DOCTYPE x [<!ENTITY a "aaaa">]><x><y>&a;</y></x>`, 400,
			"the body cannot be read as XML: it declares entities, which are not allowed, at line 1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			res := s.do(t, "POST", "/passenger", []byte(tt.doc), "Content-Type", tt.media)
			if res.status != tt.status || res.problem.Detail != tt.want {
				t.Errorf("= %d %q; want %d %q", res.status, res.problem.Detail, tt.status, tt.want)
			}
		})
	}
	res := s.do(t, "POST", "/passenger", nil, "Content-Type", "text/plain")
	if !strings.Contains(res.header.Get("Accept"), csvType) {
		t.Errorf("Accept = %q; want what is taken", res.header.Get("Accept"))
	}
}

// TestHostileUploads: documents that are small and mean to become large are refused before they do.
func TestHostileUploads(t *testing.T) {
	s := newSurface(t)
	bomb := "a: &a [x,x,x,x,x,x,x,x,x]\n"
	for c := 'b'; c < 'k'; c++ {
		bomb += fmt.Sprintf("%c: &%c [%s]\n", c, c, strings.Repeat(fmt.Sprintf("*%c,", c-1), 9))
	}
	tests := []struct {
		name, media string
		doc         []byte
		status      int
	}{
		{"aliases of aliases", yamlType, []byte(bomb), 400},
		{"aliases of aliases in a list", yamlType,
			[]byte("- {" + strings.ReplaceAll(strings.TrimSpace(bomb), "\n", ", ") + "}\n"), 400},
		{"a workbook of blanks", xlsxType,
			workbook(t, "Crew", "<worksheet><sheetData>"+strings.Repeat(" ", 130<<20)), 400},
		{"a workbook of rows", xlsxType, workbook(t, "Crew", "<worksheet><sheetData>"+
			strings.Repeat("<row><c><v>1</v></c></row>", 1<<20)), 413},
		{"elements within elements", xmlType, []byte(strings.Repeat("<x>", 1<<20)), 400},
		{"a long name with every row", csvType,
			[]byte(strings.Repeat("x", 1<<19) + ",y\n" + strings.Repeat("1,1\n", 50_000)), 413},
		{"rows of next to nothing", csvType, []byte("x\n" + strings.Repeat("1\n", 2<<20)), 413},
		{"records of next to nothing", xmlType, []byte("<x>" + strings.Repeat("<y/>", 2<<20) + "</x>"), 413},
		{"entries of next to nothing", yamlType, []byte(strings.Repeat("- x\n", 2<<20)), 413},
	}
	for _, tt := range tests {
		for _, path := range []string{"/passenger", "/travel-requests"} {
			t.Run(tt.name+path, func(t *testing.T) {
				peak := watchHeap(t)
				res := s.do(t, "POST", path, tt.doc, "Content-Type", tt.media)
				if res.status != tt.status || res.problem.Detail == "" && len(res.problem.Errors) == 0 {
					t.Errorf("%d bytes = %d %s; want %d", len(tt.doc), res.status, res.body, tt.status)
				}
				if mb := peak() >> 20; mb > 100 {
					t.Errorf("%d bytes took %d MB", len(tt.doc), mb)
				}
			})
		}
	}
}

// watchHeap returns what the most bytes in use were since, above those at the beginning, without garbage
// of before.
func watchHeap(t *testing.T) (peak func() int64) {
	t.Helper()
	runtime.GC()
	inUse := func() int64 {
		sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(sample)
		return int64(sample[0].Value.Uint64())
	}
	begin, most := inUse(), int64(0)
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for tick := time.NewTicker(5 * time.Millisecond); ; {
			most = max(most, inUse()-begin)
			select {
			case <-stop:
				tick.Stop()
				return
			case <-tick.C:
			}
		}
	}()
	return func() int64 {
		close(stop)
		<-stopped
		return most
	}
}

// TestUploadsTakeNoParameters holds that an upload with a parameter is refused by name, and that nothing is stored of
// it: a caller who sends one expects it to do something.
func TestUploadsTakeNoParameters(t *testing.T) {
	s := newSurface(t)
	for path, list := range uploads() {
		if res := s.post(t, path+"?dryRun=1", list[:1]); res.status != 400 || res.problem.Errors["dryRun"] == nil {
			t.Errorf("%s?dryRun=1 = %d %s; want 400 naming dryRun", path, res.status, res.body)
		}
		if res := s.post(t, path, list[:1]); res.counts.Created != 1 {
			t.Errorf("%s afterwards = %s; want one created", path, res.body)
		}
	}
	for query, named := range map[string]bool{"?wsdl": false, "?dryRun=1": true} {
		r, err := http.NewRequestWithContext(t.Context(), "POST", s.URL+"/soap"+query, strings.NewReader("<x/>"))
		must(t, err)
		r.Header = http.Header{"Content-Type": {"text/xml"}, "X-Api-Key": {s.key}}
		res, err := http.DefaultClient.Do(r)
		must(t, err)
		body, err := io.ReadAll(res.Body)
		res.Body.Close()
		if err != nil || strings.Contains(string(body), "<path>dryRun</path>") != named {
			t.Errorf("/soap%s = %d %s, %v", query, res.StatusCode, body, err)
		}
	}
}
