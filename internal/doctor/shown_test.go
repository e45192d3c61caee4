package doctor_test

import (
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"gangway/internal/calltest"
	"gangway/internal/doctor"
	"gangway/internal/gangway"
)

// TestValues: a value that is understood, and not written as the interface has it, is told of with what it is
// read as; the record is named.
func TestValues(t *testing.T) {
	s := newCrewSystem()
	s.people = []map[string]any{person("H-1", "Santos", "Maria"), person("H-2", "Santos", "Jose")}
	s.people[1]["gender"], s.people[1]["nationality"] = "female", "Philippines"
	s.people[1]["doc_country"], s.people[1]["dob"] = "PHL", "30.04.1990"
	report := examine(t, newDoctor(doctor.Config{}), doctor.Address{URL: serve(t, s).URL}, gangway.Ask{})
	wants(t, report, "b1.fields", doctor.Warning, `record 1, byte`, `gender (Gender): "female"`,
		"M or F. It is taken all the same, and read as F.", `"Philippines"`, `"PHL"`, "read as PH", `"30.04.1990"`,
		"YYYY-MM-DD", "read as 1990-04-30")
	wants(t, report, "b4.fields", doctor.Fine)
	s.people[0]["gender"], s.people[0]["doc_number"], s.people[1]["doc_number"] = "male", "", ""
	report = examine(t, newDoctor(doctor.Config{}), doctor.Address{URL: serve(t, s).URL}, gangway.Ask{})
	wants(t, report, "b4.fields", doctor.Warning, `(Onsigners[0].Gender): "male"`)
	wants(t, report, "b1.complete", doctor.Warning,
		"record 0, byte 1: doc_number: It is missing 2 times, for the first time in the record of H-1")
}

// TestSameIsSaidOnce: what is the matter with many records is one sentence, with the first of their values.
func TestSameIsSaidOnce(t *testing.T) {
	s := newCrewSystem()
	s.people = nil
	for i := range 8 {
		one := person(fmt.Sprint("H-", i), "Santos", "Maria")
		one["gender"] = fmt.Sprint("unknown ", i)
		s.people = append(s.people, one)
	}
	report := examine(t, newDoctor(doctor.Config{}), doctor.Address{URL: serve(t, s).URL}, gangway.Ask{})
	c := find(t, report, "b1.fields")
	const want = `record 0, byte 1, H-0, and 7 more: gender (Gender): "unknown 0", "unknown 1", "unknown 2", ` +
		`"unknown 3", "unknown 4", …: The Gender field must be M or F. It is left out, and has to be typed by hand.`
	if said := c.Sentences(); len(said) != 1 || said[0] != want {
		t.Errorf("eight records are told of as %q; want once: %s", said, want)
	}
	if len(c.Findings) != 8 {
		t.Errorf("programs get %d findings; want one for each record", len(c.Findings))
	}
}

// TestRawAnswer: the raw answer is shown decoded, and says from which encoding; what is no text is not shown.
func TestRawAnswer(t *testing.T) {
	const csv = "id;last_name;first_name\nH-1;Santos;Jos\xe9 \x80\n"
	utf16 := []byte("\xff\xfe")
	for _, letter := range `[{"last_name":"Santos","first_name":"José €"}]` {
		utf16 = append(utf16, byte(letter), byte(letter>>8))
	}
	tests := []struct{ name, kind, body, raw, encoding string }{
		{"Windows-1252 that nothing names", "text/csv", csv, "H-1;Santos;José €", "windows-1252"},
		{"Windows-1252 that says UTF-8", "text/csv; charset=utf-8", csv, "H-1;Santos;José €", "windows-1252"},
		{"ISO 8859-15 that is named", "text/csv; charset=iso-8859-15", "last_name;first_name\nSantos;\xa4\n",
			"Santos;€", "iso-8859-15"},
		{"UTF-16", "application/json", string(utf16), `"José €"`, "utf-16le"},
		{"UTF-8", "text/csv", "last_name;first_name\nSantos;José\n", "Santos;José", ""},
		{"a workbook", "application/vnd.ms-excel", "PK\x03\x04\x00\x00\xff", "", "binary"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", tt.kind)
				io.WriteString(w, tt.body)
			})
			report := lookups(t, s, gangway.Ask{Surname: "sa"})
			x := report.Calls[0].Requests[0]
			if x.RawEncoding != tt.encoding || !strings.Contains(x.Raw, tt.raw) || strings.Contains(x.Raw, "\ufffd") {
				t.Errorf("raw is %q, of %q; want %q, of %q", x.Raw, x.RawEncoding, tt.raw, tt.encoding)
			}
			words := x.Words()
			if tt.encoding != "" && tt.raw != "" && !strings.Contains(words, "shown as "+tt.encoding) {
				t.Errorf("%s", words)
			}
			if tt.body != csv {
				return
			}
			want := doctor.Warning
			if strings.Contains(tt.kind, "utf-8") {
				want = doctor.Wrong
			}
			wants(t, report, "b1.format", want, "as windows-1252: José")
		})
	}
}

// TestHeaders: headers that are nobody's secret can be read, also where what was sent is made of their words.
func TestHeaders(t *testing.T) {
	plain := map[string]string{"Content-Type": "application/json", "Server": "crew/1.2", "Etag": `"a1"`,
		"Cache-Control": "no-store, max-age=0", "Link": `<https://crew.example/all?page=2>; rel="help"`,
		"Date": "Sun, 22 Nov 2026 20:00:00 GMT", "Content-Length": "2", "Vary": "Accept"}
	s := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for name, value := range plain {
			w.Header().Set(name, value)
		}
		w.Header().Set("Set-Cookie", "session=0815")
		w.Header().Set("X-Internal", "0815")
		w.Header().Add("Link", `<https://crew.example/all?key=0815&page=3>; rel="up"`)
		io.WriteString(w, "[]")
	}))
	report := ofFeed(t, map[string]any{"url": s.URL + "/crew?format=json&key=sea-chart-7",
		"headers": map[string]string{"Accept": "application/json", "X-Tenant": "halcyon-7"}})
	x := report.Calls[0].Requests[0]
	for name, value := range plain {
		if got := x.Header[name]; len(got) == 0 || got[0] != value {
			t.Errorf("%s is %q; want %q", name, got, value)
		}
	}
	if got := x.Sent["Accept"]; len(got) != 1 || got[0] != "application/json" {
		t.Errorf("Accept was sent as %q", got)
	}
	if !strings.Contains(x.Address, "format=json&key=…") {
		t.Errorf("the address is %s", x.Address)
	}
	doc := calltest.Must(json.Marshal(report))(t)
	for _, secret := range []string{"0815", "halcyon-7", "sea-chart-7"} {
		if strings.Contains(string(doc), secret) {
			t.Errorf("the report has %s", secret)
		}
	}
}

// TestAuthority: a system whose certificate a private authority has issued is checked where that is given, its
// bookings too.
func TestAuthority(t *testing.T) {
	s := httptest.NewUnstartedServer(newCrewSystem())
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	t.Cleanup(s.Close)
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
	report := examine(t, newDoctor(doctor.Config{}), doctor.Address{URL: s.URL, Flows: everything, CA: string(ca)},
		gangway.Ask{})
	for _, id := range []string{"tls.certificate", "b1.answer", "b3.answer", "b4.answer", "b5.answer"} {
		wants(t, report, id, doctor.Fine)
	}
	_, err := doctor.AtAddress(doctor.Address{URL: s.URL, CA: "no certificate"})
	if gangway.KindOf(err) != gangway.Invalid || !strings.Contains(err.Error(), "must be PEM") {
		t.Errorf("AtAddress = %v", err)
	}
}
