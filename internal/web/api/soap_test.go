package api_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"testing"
	"time"

	"gangway/internal/need"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
	"gangway/internal/web/api"
)

// A soapResult is what a client library got, as testdata/soap/client.py prints it.
type soapResult struct {
	Answer struct {
		Received, Created, Updated, Unchanged int
		Warning                               []struct{ Path, Message string }
		Truncated                             bool
	}
	Code, Message string
	Problem       struct {
		Status, Title, Detail string
		Error                 [][]string
	}
}

// A soapCall is an upload that a client library makes.
type soapCall struct {
	Key       string `json:"key"`
	Operation string `json:"operation"`
	Records   any    `json:"records"`
}

// soapClients are real client libraries: zeep, of Python, and soap, of Node.js.
var soapClients = map[string]func(*testing.T) (program, script string){
	"zeep": func(t *testing.T) (program, script string) { return need.SOAPClient(t), "testdata/soap/client.py" },
	"node": func(t *testing.T) (program, script string) {
		return need.SOAPClientOfNode(t), "testdata/soap/node/client.mjs"
	},
}

// called makes calls with a client library, at a port of our WSDL.
func (s *surface) called(t *testing.T, client, port string, calls ...soapCall) []soapResult {
	t.Helper()
	doc, err := json.Marshal(calls)
	must(t, err)
	program, script := soapClients[client](t)
	cmd := exec.CommandContext(t.Context(), program, script, s.URL+"/soap?wsdl", port)
	var said strings.Builder
	cmd.Stdin, cmd.Stderr = bytes.NewReader(doc), &said
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, said.String())
	}
	var list []soapResult
	if err := json.Unmarshal(out, &list); err != nil || len(list) != len(calls) {
		t.Fatalf("%s: %v; want %d results", out, err, len(calls))
	}
	return list
}

// asTyped writes a record as the types of the WSDL have it.
func asTyped(name string, value any) any {
	switch value := value.(type) {
	case record:
		typed := record{}
		for member, v := range value {
			typed[member] = asTyped(member, v)
		}
		switch name {
		case "additionalInfo", "customFields", "metadata":
			list := []any{}
			for member, v := range value {
				list = append(list, record{"name": member, "value": v})
			}
			return record{"entry": list}
		}
		return typed
	case []any:
		list := []any{}
		for _, v := range value {
			list = append(list, asTyped("", v))
		}
		if wrapped := itemNames[name]; wrapped != "" {
			return record{wrapped: list}
		}
		return list
	}
	return value
}

// TestInteropSOAPClients: what real client libraries make of our WSDL is stored as the same in JSON, and what is
// wrong comes back as a fault that they understand.
func TestInteropSOAPClients(t *testing.T) {
	need.Interop(t)
	for client := range soapClients {
		t.Run(client+"/1.1", func(t *testing.T) { trySOAPClient(t, client, "Soap11", "soap:Client") })
		t.Run(client+"/1.2", func(t *testing.T) { trySOAPClient(t, client, "Soap12", "soap:Sender") })
	}
}

// trySOAPClient has a client library make all kinds of calls at a port of our WSDL; sender is the code of a
// fault that is the sender's.
func trySOAPClient(t *testing.T, client, port, sender string) {
	list := uploads()
	list["/travel-requests"][0].(record)["offsigners"].([]any)[0].(record)["depart"] = "2026-12-03"
	paths := []string{"/passenger", "/travelers-requests", "/travel-requests"}
	s := newSurface(t)
	var calls []soapCall
	for i, operation := range []string{"UploadTravellers", "UploadTravelRequests", "UploadCrewChanges"} {
		calls = append(calls, soapCall{s.key, operation, asTyped("", list[paths[i]])})
	}
	calls = append(calls,
		soapCall{s.key, "UploadTravellers", []any{with(with(traveller(), "home_airport", "QQQ"), "id", "C-9")}},
		soapCall{s.key, "UploadTravellers", []any{traveller(), without(traveller(), "gender")}},
		soapCall{"gw_test_unknown", "UploadTravellers", []any{traveller()}})
	res := s.called(t, client, port, calls...)
	for i, path := range paths {
		if n := len(list[path]); res[i].Answer.Received != n || res[i].Answer.Created != n {
			t.Fatalf("answer = %+v; want %d created", res[i], n)
		}
		if as := s.post(t, path, list[path]); as.counts.Unchanged != len(list[path]) {
			t.Errorf("as JSON = %d %s; want all unchanged", as.status, as.body)
		}
	}
	if w := res[3].Answer.Warning; len(w) != 1 || w[0].Path != "[0].HomeAirport" ||
		!strings.Contains(w[0].Message, "(line ") {
		t.Errorf("answer = %+v; want a warning at [0].HomeAirport", res[3])
	}
	if p := res[4].Problem; res[4].Code != sender || p.Status != "400" || len(p.Error) != 2 ||
		p.Error[0][0] != "[1].Gender" {
		t.Errorf("fault = %+v; want the sender's, with [1].Gender", res[4])
	}
	if res[5].Code != sender || res[5].Problem.Status != "401" {
		t.Errorf("fault = %+v; want one about the key", res[5])
	}
}

func message(space, head, body string) []byte {
	return []byte(`<?xml version="1.0"?><s:Envelope xmlns:s="` + space + `">` + head + `<s:Body>` + body +
		`</s:Body></s:Envelope>`)
}

const (
	space11 = "http://schemas.xmlsoap.org/soap/envelope/"
	space12 = "http://www.w3.org/2003/05/soap-envelope"
	type12  = "application/soap+xml; charset=utf-8"
)

// A faultAnswer is a fault of either version.
type faultAnswer struct {
	status int
	header http.Header
	text   string
	Code   string `xml:"Body>Fault>faultcode"`
	Code12 string `xml:"Body>Fault>Code>Value"`
	Said   string `xml:"Body>Fault>faultstring"`
	Said12 string `xml:"Body>Fault>Reason>Text"`
	Retry  string `xml:"Body>Fault>detail>problem>retry_after"`
}

func (s *surface) soap(t *testing.T, media string, doc []byte, header ...string) faultAnswer {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+"/soap", strings.NewReader(string(doc)))
	must(t, err)
	r.Header.Set("X-Api-Key", s.key)
	r.Header.Set("Content-Type", media)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	res, err := http.DefaultTransport.RoundTrip(r)
	must(t, err)
	defer res.Body.Close()
	out, err := io.ReadAll(res.Body)
	must(t, err)
	a := faultAnswer{status: res.StatusCode, header: res.Header, text: string(out)}
	if err := xml.Unmarshal(out, &a); err != nil {
		t.Fatalf("%s: %v", out, err)
	}
	a.Code, a.Said = a.Code+a.Code12, a.Said+a.Said12
	return a
}

// TestSOAPFaults: each refusal has the code and the status that its version has for it.
func TestSOAPFaults(t *testing.T) {
	s := newSurface(t)
	const upload = `<UploadTravellers xmlns="urn:gangway:uploads:1"><traveller><id>C-1</id></traveller></UploadTravellers>`
	must := `<s:Header><w:Security xmlns:w="urn:x" s:mustUnderstand="1"/></s:Header>`
	tests := []struct {
		name, media string
		doc         []byte
		status      int
		code, said  string
	}{
		{"wrong fields, 1.1", "text/xml", message(space11, "", upload), 500, "soap:Client",
			"One or more validation errors occurred."},
		{"wrong fields, 1.2", type12, message(space12, "", upload), 400, "soap:Sender",
			"One or more validation errors occurred."},
		{"1.2 said to be 1.1", "text/xml", message(space12, "", upload), 400, "soap:Sender",
			"One or more validation errors occurred."},
		{"no such operation", "text/xml", message(space11, "", "<Upload/>"), 500, "soap:Client",
			`there is no operation "Upload"; there are UploadTravellers, UploadTravelRequests, UploadCrewChanges`},
		{"another version", "text/xml", message("urn:soap:2", "", upload), 500, "soap:VersionMismatch",
			"the envelope is neither of SOAP 1.1 nor of SOAP 1.2"},
		{"a header that must be understood", type12, message(space12, must, upload), 500, "soap:MustUnderstand",
			`the header "Security" must be understood, and no header is: the key goes into the HTTP header X-Api-Key`},
		{"no SOAP", "text/xml", []byte("<travellers/>"), 500, "soap:Client", "the body cannot be read as SOAP: "},
		{"cut off", type12, message(space12, "", upload)[:150], 400, "soap:Sender",
			"the body cannot be read as SOAP: "},
		{"an entity", "text/xml", []byte(`<!DOCTYPE x [<!ENTITY a "aaaa">]>` + string(message(space11, "", upload)[21:])), 500,
			"soap:Client", "the body cannot be read as SOAP: it declares entities"},
		{"another form", "multipart/related", message(space11, "", upload), 415, "soap:Client",
			"the body must be text/xml (SOAP 1.1) or application/soap+xml (SOAP 1.2)"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := s.soap(t, tt.media, tt.doc)
			if a.status != tt.status || a.Code != tt.code || !strings.HasPrefix(a.Said, tt.said) {
				t.Errorf("= %d %s %q; want %d %s %q\n%s", a.status, a.Code, a.Said, tt.status, tt.code, tt.said, a.text)
			}
		})
	}
	t.Run("without a key", func(t *testing.T) {
		if a := s.soap(t, type12, message(space12, "", upload), "X-Api-Key", ""); a.status != 401 ||
			a.Code != "soap:Sender" || a.header.Get("Www-Authenticate") == "" {
			t.Errorf("= %d %s %s; want 401", a.status, a.Code, a.text)
		}
	})
	t.Run("without room it says when to come back", func(t *testing.T) {
		full := s.of(t, fullBudget(t))
		large := strings.Replace(upload, "C-1", strings.Repeat("x", 1_100_000), 1)
		a := full.soap(t, "text/xml", message(space11, "", large))
		if a.status != 503 || a.Code != "soap:Server" || a.header.Get("Retry-After") == "" || a.Retry !=
			a.header.Get("Retry-After") {
			t.Errorf("= %d %s, %v; want 503 with Server and Retry-After\n%s", a.status, a.Code, a.header, a.text)
		}
	})
}

func TestSOAPIdempotencyKey(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		s := surfaceOn(t, db, api.Limits{})
		var b strings.Builder
		writeElement(&b, "traveller", traveller())
		doc := message(space11, "", "<UploadTravellers>"+b.String()+"</UploadTravellers>")
		first := s.soap(t, "text/xml", doc, "Idempotency-Key", "n")
		again := s.soap(t, "text/xml", doc, "Idempotency-Key", "n")
		if first.status != 200 || !strings.Contains(first.text, "<created>1</created>") || again.text != first.text {
			t.Errorf("answers = %s and %s; want the first twice", first.text, again.text)
		}
		a := s.soap(t, type12, message(space12, "", "<UploadTravellers/>"), "Idempotency-Key", "n")
		if a.status != 400 || a.Said != "this Idempotency-Key was used with another body" {
			t.Errorf("another body = %d %s", a.status, a.text)
		}
	})
}

// TestWSDL: the description needs no key, and names where the operator says that the surface is.
func TestWSDL(t *testing.T) {
	s := newSurface(t)
	named := httptest.NewServer(api.New(api.Config{DB: s.db, Now: func() time.Time { return now },
		Log: slog.New(slog.DiscardHandler), At: api.Addresses{Base: "https://gangway.example/api?a&b"}}))
	t.Cleanup(named.Close)
	for url, want := range map[string]string{s.URL: s.URL + "/soap",
		named.URL: "https://gangway.example/api?a&amp;b/soap"} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url+"/soap?wsdl", nil)
		must(t, err)
		res, err := http.DefaultClient.Do(r)
		must(t, err)
		doc, err := io.ReadAll(res.Body)
		res.Body.Close()
		if err != nil || res.StatusCode != 200 || strings.Count(string(doc), `:address location="`+want+`"`) != 2 {
			t.Errorf("%s = %d, %v; want the address %s twice", url, res.StatusCode, err, want)
		}
	}
}
