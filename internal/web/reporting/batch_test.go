package reporting_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"

	"gangway/internal/web/reporting"
)

// A batched is one answer of a batch.
type batched struct {
	ID      string            `json:"id"`
	Status  int               `json:"status"`
	Headers map[string]string `json:"headers"`
	Body    json.RawMessage   `json:"body"`
}

// batch sends a batch as JSON.
func (s *service) batch(t *testing.T, body string, header ...string) []batched {
	t.Helper()
	a := s.ask(t, http.MethodPost, s.root()+"$batch", body, append(header, "Content-Type", "application/json")...)
	var got struct{ Responses []batched }
	if err := json.Unmarshal([]byte(a.body), &got); err != nil || a.status != 200 ||
		a.header.Get("Content-Type") != "application/json" {
		t.Fatalf("%d, %v, %v: %s", a.status, a.header, err, a.body)
	}
	return got.Responses
}

// summary is the id, the status and the beginning of the body of each answer.
func summary(list []batched) string {
	var b strings.Builder
	for _, r := range list {
		fmt.Fprintf(&b, "%s %d %.60s|", r.ID, r.Status, r.Body)
	}
	return b.String()
}

// TestBatchOfJSON holds what becomes of several requests at once.
func TestBatchOfJSON(t *testing.T) {
	each(t, 12, reporting.Limits{Rows: 5}, func(t *testing.T, s *service) {
		list := s.batch(t, `{"requests":[
			{"id":"a","method":"get","url":"FlightBookingDetailed?$top=2&$select=BookingId",
				"headers":{"Accept":"application/json;odata.metadata=none"}},
			{"id":"b","method":"GET","url":"`+s.root()+`FlightBookingDetailed/$count"},
			{"id":"c","method":"GET","url":"/reporting/v2/odata/FlightBookingDetailed('B003')/State/$value",
				"dependsOn":["a"]},
			{"id":"d","method":"GET","url":"FlightBookingDetailed('B003')/CancelledAt"},
			{"id":"e","method":"POST","url":"FlightBookingDetailed/$query","headers":{"content-type":"text/plain",
				"accept":"application/json;odata.metadata=none"},"body":"$top=1&$select=State"},
			{"id":"f","method":"GET","url":"$metadata"}]}`, "Odata-Maxversion", "4.01")
		const want = `a 200 {"value":[{"BookingId":"B011"},{"BookingId":"B010"}]}|b 200 "12"|c 200 "confirmed"|` +
			`d 204 |e 200 {"value":[{"State":"confirmed"}]}|f 200 "PD94bWwgdmVyc2lvbj0iMS4wIi`
		if got := summary(list); !strings.HasPrefix(got, want) {
			t.Errorf("it answers\n%s\nwant\n%s", got, want)
		}
		for _, r := range list {
			if r.Headers["odata-version"] != "4.01" {
				t.Errorf("%s has the headers %v", r.ID, r.Headers)
			}
		}
		const failing = `{"requests":[{"id":"1","method":"GET","url":"FlightBookingDetailed?$filter=Foo"},` +
			`{"id":"2","method":"DELETE","url":"FlightBookingDetailed('B001')"},` +
			`{"id":"3","method":"GET","url":"FlightBookingDetailed/$count","dependsOn":["1"]},` +
			`{"id":"4","method":"GET","url":"https://elsewhere.example/x"},` +
			`{"id":"5","method":"POST","url":"$batch"},` +
			`{"id":"6","method":"GET","url":"FlightBookingDetailed/$count"},` +
			`{"id":"7","method":"GET","url":"FlightBookingDetailed/$count","if":"false"}]}`
		if got := summary(s.batch(t, failing)); !strings.HasPrefix(got, `1 400 {"error":{"code":"BadRequest"`) ||
			strings.Count(got, "|") != 1 {
			t.Errorf("behind one that fails it goes on: %s", got)
		}
		got := ""
		for _, r := range s.batch(t, failing, "Prefer", "odata.continue-on-error") {
			got += fmt.Sprintf("%s %d ", r.ID, r.Status)
		}
		if got != "1 400 2 405 3 424 4 404 5 400 6 200 7 501 " {
			t.Errorf("asked to go on, it answers %s", got)
		}
		list = s.batch(t, `{"requests":[{"id":"1","method":"GET","url":"FlightBookingDetailed?$count=true"}]}`)
		var p page
		if err := json.Unmarshal(list[0].Body, &p); err != nil || len(p.Value) != 5 || *p.Count != 12 {
			t.Errorf("a page in a batch is %v, %s", err, list[0].Body)
		}
		if next := s.ask(t, http.MethodGet, p.Next, "").page(t); len(next.Value) != 5 {
			t.Errorf("its link leads to %+v", next)
		}
		if got := s.batch(t, `{"requests":[]}`); len(got) != 0 {
			t.Errorf("no requests are answered with %v", got)
		}
	})
}

// TestWrongBatches holds what is no batch.
func TestWrongBatches(t *testing.T) {
	each(t, 1, reporting.Limits{}, func(t *testing.T, s *service) {
		many := strings.TrimSuffix(strings.Repeat(`{"id":"%d","method":"GET","url":"x"},`, 101), ",")
		ids := make([]any, 101)
		for i := range ids {
			ids[i] = i
		}
		for _, c := range []struct {
			kind, body string
			status     int
			message    string
		}{
			{"application/json", "", 400, "no JSON object"},
			{"application/json", "[]", 400, "no JSON object"},
			{"application/json", "{}", 400, "no member requests"},
			{"application/json", `{"requests":[{"method":"GET","url":"x"}]}`, 400, "request 1 has no id"},
			{"application/json", `{"requests":[{"id":"1","url":"x"},{"id":"1","url":"x"}]}`, 400, "twice"},
			{"application/json", `{"requests":[{"id":"1","url":"x","dependsOn":["2"]},{"id":"2","url":"x"}]}`, 400,
				"does not stand before it"},
			{"application/json", `{"requests":[` + fmt.Sprintf(many, ids...) + "]}", 400, "more than 100 requests"},
			{"application/json", `{"requests":[{"id":"1","method":"GET"}]}`, 400, `"1" has no url`},
			{"multipart/mixed", "", 415, "boundary"},
			{"multipart/mixed; boundary=b", "", 400, "its boundary is nowhere"},
			{"multipart/mixed; boundary=b", "--b\r\nContent", 400, "part 1"},
			{"multipart/mixed; boundary=b", "--b\r\nContent-Type: text/plain\r\n\r\nGET x\r\n--b--\r\n", 400,
				"part 1 is not application/http"},
			{"multipart/mixed; boundary=b", "--b\r\nContent-Type: application/http\r\n\r\n\r\n--b--\r\n", 400,
				"part 1 holds no request"},
			{"multipart/mixed; boundary=b", "--b\r\nContent-Type: application/http\r\n\r\nPOST x HTTP/1.1\r\n" +
				"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n--b--\r\n", 400, "part 1 holds no request"},
			{"text/plain", "x", 415, "a batch is"},
			{"", "x", 415, "a batch is"},
		} {
			a := s.ask(t, http.MethodPost, s.root()+"$batch", c.body, "Content-Type", c.kind)
			if _, message, _ := a.fault(t); a.status != c.status || !strings.Contains(message, c.message) {
				t.Errorf("%s, %.60s: %d, %s; want %d with %q", c.kind, c.body, a.status, message, c.status, c.message)
			}
		}
		if a := s.get(t, "$batch"); a.status != 405 || a.header.Get("Allow") != "POST" {
			t.Errorf("GET: %d, %v", a.status, a.header)
		}
	})
}

// TestBatchOfParts sends a batch as the OData model of UI5 and Power Query do.
func TestBatchOfParts(t *testing.T) {
	each(t, 3, reporting.Limits{}, func(t *testing.T, s *service) {
		part := func(lines ...string) string {
			return "--batch_id-1\r\nContent-Type:application/http\r\nContent-Transfer-Encoding:binary\r\n\r\n" +
				strings.Join(lines, "\r\n") + "\r\n\r\n"
		}
		body := part("GET FlightBookingDetailed?$count=true&$select=BookingId&$skip=0&$top=2 HTTP/1.1",
			"Accept:application/json;odata.metadata=minimal;IEEE754Compatible=true", "") +
			strings.Replace(part("GET "+s.root()+"FlightBookingDetailed/$count HTTP/1.1", "Host: x", ""),
				"binary\r\n", "binary\r\nContent-ID: 7\r\n", 1) +
			part("GET /reporting/v2/odata/FlightBookingDetailed('B001')/CancelledAt HTTP/1.1") +
			part("POST FlightBookingDetailed/$query HTTP/1.1", "Content-Type: text/plain", "",
				"$filter=BookingId eq 'B002'&$select=State") +
			"--batch_id-1\r\nContent-Type: multipart/mixed;boundary=c\r\n\r\n--c--\r\n" +
			"--batch_id-1--\r\n"
		a := s.ask(t, http.MethodPost, s.root()+"$batch", body, "Content-Type", "multipart/mixed;boundary=batch_id-1",
			"Accept", "multipart/mixed", "Odata-Version", "4.0")
		media, params, err := mime.ParseMediaType(a.header.Get("Content-Type"))
		if err != nil || a.status != 200 || media != "multipart/mixed" {
			t.Fatalf("%d, %v, %s", a.status, a.header, a.body)
		}
		var got []string
		for parts := multipart.NewReader(bytes.NewReader([]byte(a.body)), params["boundary"]); ; {
			p, err := parts.NextRawPart()
			if err == io.EOF {
				break
			}
			must(t, err)
			res, err := http.ReadResponse(bufio.NewReader(p), nil)
			must(t, err)
			text, err := io.ReadAll(res.Body)
			if err != nil || res.Header.Get("OData-Version") != "4.0" {
				t.Errorf("%v, %v", res.Header, err)
			}
			got = append(got, fmt.Sprintf("%s %d %s %s", p.Header.Get("Content-Id"), res.StatusCode,
				res.Header.Get("Content-Type"), text))
		}
		want := []string{
			` 200 application/json;odata.metadata=minimal;IEEE754Compatible=true {"@odata.context":"` + s.root() +
				`$metadata#FlightBookingDetailed(BookingId)","@odata.count":"3","value":[{"BookingId":"B002"},` +
				`{"BookingId":"B001"}]}`,
			"7 200 text/plain;charset=utf-8 3",
			" 204  ",
			` 200 application/json;odata.metadata=minimal {"@odata.context":"` + s.root() +
				`$metadata#FlightBookingDetailed(State)","value":[{"State":"confirmed"}]}`,
			` 501 application/json {"error":{"code":"NotImplemented","message":"a set of changes is not supported ` +
				`here: the report is only read"}}`,
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("it answers\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		a = s.ask(t, http.MethodPost, s.root()+"$batch", body, "Content-Type", "multipart/mixed;boundary=batch_id-1",
			"Accept", "application/json", "Odata-Maxversion", "4.01")
		if !strings.HasPrefix(a.body, `{"responses":[{"id":"1","status":200`) ||
			!strings.Contains(a.body, `{"id":"7","status":200`) {
			t.Errorf("as JSON it is %s", a.body)
		}
		// Some clients of 4.0 mean the parts by what they accept.
		a = s.ask(t, http.MethodPost, s.root()+"$batch", body, "Content-Type", "multipart/mixed;boundary=batch_id-1",
			"Accept", "application/json")
		if !strings.HasPrefix(a.header.Get("Content-Type"), "multipart/mixed") || !strings.HasPrefix(a.body, "--") {
			t.Errorf("a client of 4.0 is answered %v: %.200s", a.header, a.body)
		}
	})
}
