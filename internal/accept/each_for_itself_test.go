package accept_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"gangway/internal/accept"
	"gangway/internal/calltest"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"

	"github.com/google/go-cmp/cmp"
)

var long = accept.Limits{Records: 100_000, Depth: 64}

// seafarer is the text of a valid traveller record.
func seafarer(id string) string {
	return fmt.Sprintf(`{"id":%q,"last_name":"Reyes","first_name":"Ana","dob":"1990-05-17","nationality":"PH","gender":"F",`+
		`"doc_country":"PH","doc_number":"P1","doc_expire":"2041-01-31","home_airport":"MNL"}`, id)
}

// amid returns a document with the given records, and as many valid seafarers before and after each of them.
func amid(between int, records ...string) string {
	var all []string
	for i, record := range append(records, "") {
		for n := range between {
			all = append(all, seafarer(fmt.Sprintf("S%d-%d", i, n)))
		}
		if record != "" {
			all = append(all, record)
		}
	}
	return "[" + strings.Join(all, ",\n") + "]"
}

// crewFeed is the source of the documents in these tests.
var crewFeed = gangway.Origin{Source: gangway.FeedSource("crew"), Generation: 1, SeenAt: storetest.Began}

func TestEachForItself(t *testing.T) {
	const between = 900 // several portions, whose ends fall between the wrong records
	members := strings.Repeat(`"x":0,`, 10_001)
	wrong := []struct{ record, field, message string }{
		{`{"id":"W0"}`, "", ""},
		{strings.Replace(seafarer("W1"), `"Reyes"`, `[]`, 1), "LastName", "The LastName field must be a string. (W1)"},
		{strings.Replace(seafarer("W2"), `"Reyes"`, `7`, 1), "LastName", "The LastName field must be a string. (W2)"},
		{`null`, "", "The record must be an object."},
		{`"W4"`, "", "The record must be an object."},
		{`[{}]`, "", "The record must be an object."},
		{strings.Replace(seafarer("W6"), `{`, `{"id":"W6",`, 1), "Id",
			"The record cannot be read as JSON here, at byte %d: a name occurs twice in one object. (W6)"},
		{strings.Replace(seafarer("W7"), `Ana`, "\xff", 1), "FirstName",
			"The record cannot be read as JSON here, at byte %d: it is not valid UTF-8. (W7)"},
		{`{"x":` + strings.Repeat("[", 64) + strings.Repeat("]", 64) + `}`, "",
			"The record cannot be read: values are nested more than 64 deep."},
		{`{` + members + `"x":0}`, "", "The record cannot be read: an object has more than 10000 members."},
		{seafarer("S0-5"), "Id", "This record is the same as an earlier one, which was taken. (S0-5)"},
		{strings.Replace(seafarer(""), `"id":"",`, "", 1), "", ""}, // valid: its passport is its identity
		{strings.Replace(seafarer(""), `"id":"",`, "", 1), "DocNumber",
			"This record is the same as an earlier one, which was taken."},
	}
	records := make([]string, len(wrong))
	for i := range wrong {
		records[i] = wrong[i].record
	}
	doc := amid(between, records...)
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		in := db.In(storetest.Account(t, db).Scope())
		report, err := eachForItself(t.Context(), in, travellers, iotest.HalfReader(strings.NewReader(doc)), long)
		calltest.Done(t, err)
		right := between*(len(wrong)+1) + 1
		want := store.Counts{Received: right + len(wrong) - 1, Created: right}
		if report.Counts != want || report.Refused != len(wrong)-1 {
			t.Errorf("%+v, %d refused; want %+v and %d", report.Counts, report.Refused, want, len(wrong)-1)
		}
		remarks := map[int][]gangway.FeedRemark{}
		for _, p := range report.Problems.List {
			remarks[p.Record] = append(remarks[p.Record], p)
		}
		for i, w := range wrong {
			record := (i+1)*between + i
			problems := remarks[record]
			for j := range problems {
				problems[j].Value = "" // see TestFedRecordsAreTakenAsFarAsTheyGo
			}
			if w.message == "" {
				if i == 0 && len(problems) != 2 || i > 0 && len(problems) > 0 {
					t.Errorf("problems of record %d: %+v", record, problems)
				}
				continue
			}
			at := strings.LastIndex(doc, "\n"+w.record+",\n") + 1
			message := w.message
			if strings.Contains(message, "%d") {
				var n int
				if len(problems) != 1 {
					t.Errorf("problems of record %d: %+v; want one", record, problems)
					continue
				}
				fmt.Sscanf(problems[0].Message, "The record cannot be read as JSON here, at byte %d:", &n)
				if message = fmt.Sprintf(message, n); n <= at || n >= at+len(w.record) {
					t.Errorf("record %d of bytes %d to %d is broken at byte %d", record, at, at+len(w.record), n)
				}
			}
			want := []gangway.FeedRemark{
				{Record: record, At: fmt.Sprintf("byte %d", at), Field: w.field, Message: message},
			}
			if diff := cmp.Diff(want, problems); diff != "" {
				t.Errorf("problems of record %d (-want +got)\n%s", record, diff)
			}
		}
		for key, stored := range map[string]bool{"id:S0-5": true, "id:S13-899": true, "doc:PH:P1": true, "id:W1": false,
			"id:W6": false, "id:W7": false} {
			if _, err := in.Traveller(t.Context(), key); (err == nil) != stored {
				t.Errorf("Traveller(%s): %v; want it stored: %v", key, err, stored)
			}
		}

		again, err := eachForItself(t.Context(), in, travellers,
			strings.NewReader(strings.Replace(doc, "Reyes", "Santos", 1)), long)
		want = store.Counts{Received: want.Received, Updated: 1, Unchanged: right - 1}
		if err != nil || again.Counts != want || again.Refused != len(wrong)-1 {
			t.Errorf("once more: %+v, %d refused, %v; want %+v", again.Counts, again.Refused, err, want)
		}
	})
}

func TestEachForItselfOfEveryKind(t *testing.T) {
	request := func(id, gender string) string {
		return fmt.Sprintf(`{"externalInfo":{"requestId":%q},"traveler":{"lastName":"Reyes","firstName":"Ana","gender":%q},"hotel":{"location":"Manila"}}`, id, gender)
	}
	change := func(vessel string) string {
		return fmt.Sprintf(`{"vessel":%q,"change_date":"2036-12-01","onsigners":[%s]}`, vessel, seafarer("M1"))
	}
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		in := db.In(storetest.Account(t, db).Scope())
		report, err := eachForItself(t.Context(), in, travelRequests,
			strings.NewReader("["+request("R1", "F")+","+request("R2", "X")+","+request("R3", "F")+","+
				request("R1", "X")+"]"), long) // no warning: it is not taken
		calltest.Done(t, err)
		want := accept.Report{
			Counts: store.Counts{Received: 4, Created: 3}, Refused: 1, Warned: 1,
			Problems: accept.Remarks{List: []gangway.FeedRemark{
				{Record: 3, At: "byte 388", Field: "ExternalInfo.RequestId", Value: "R1",
					Message: "This record is the same as an earlier one, which was taken. (R1)"},
			}},
			Warnings: accept.Remarks{List: []gangway.FeedRemark{
				{Record: 1, At: "byte 130", Field: "Traveler.Gender", Value: "X",
					Message: "The Gender field must be M or F. (R2)"},
			}},
		}
		if diff := cmp.Diff(want, report); diff != "" {
			t.Errorf("travel requests (-want +got)\n%s", diff)
		}
		report, err = eachForItself(t.Context(), in, crewChanges,
			strings.NewReader("["+change("NORDLYS")+","+change("")+","+change("AURORA")+","+
				strings.Replace(change("ORION"), `"F"`, `"X"`, 1)+"]"), long)
		calltest.Done(t, err)
		var fields []string
		for _, p := range report.Problems.List {
			fields = append(fields, fmt.Sprint(p.Record, " ", p.Field))
		}
		if diff := cmp.Diff([]string{"1 Vessel"}, fields); diff != "" || report.Created != 3 ||
			report.Refused != 1 {
			t.Errorf("crew changes: %+v, refused %d for (-want +got)\n%s", report.Counts, report.Refused, diff)
		}
	})
}

// A document that is broken changes nothing, and it is said where it broke.
func TestBrokenDocument(t *testing.T) {
	whole := amid(3000)
	most := accept.Limits{Records: 2500, Depth: 64}
	for _, tt := range []struct {
		name, doc string
		limits    accept.Limits
		broken    string
	}{
		{"cut in a record", whole[:strings.Index(whole, seafarer("S0-2500"))+20], long,
			"record 2500: it ends too early, at byte "},
		{"cut between records", whole[:strings.Index(whole, seafarer("S0-2500"))], long,
			"after record 2499: it ends too early, at byte "},
		{"no longer JSON", strings.Replace(whole, seafarer("S0-2500"), `{"id":"a" "b"}`, 1), long,
			"record 2500: it is not well formed, at byte "},
		{"a comma is missing", strings.Replace(whole, seafarer("S0-2500")+",", seafarer("S0-2500"), 1), long,
			"after record 2500: it is not well formed, at byte "},
		{"something after the array", whole + "<html>", long,
			"after record 2999: something follows the records, at byte "},
		{"more records than may be", whole, most, "there are more than 2500 records"},
		{"nothing", " \n", long, "there is nothing in it"},
		{"not an array", `{"error":"try again later"}`, long, "it is not an array of records"},
		{"not JSON", `<html>`, long, "it is not well formed, at byte 0"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			in := inAccount(t)
			report, err := eachForItself(t.Context(), in, travellers, strings.NewReader(tt.doc), tt.limits)
			var broken *accept.BrokenError
			if !errors.As(err, &broken) || !strings.HasPrefix(err.Error(), tt.broken) || report.Created > 0 {
				t.Fatalf("%+v, %v; want %q", report, err, tt.broken)
			}
			wantNobody(t, in)
		})
	}

	t.Run("a reader that fails is not a broken document", func(t *testing.T) {
		in, away := inAccount(t), errors.New("connection reset")
		doc := io.MultiReader(strings.NewReader(whole[:strings.Index(whole, seafarer("S0-2500"))]),
			iotest.ErrReader(away))
		_, err := eachForItself(t.Context(), in, travellers, doc, long)
		if !errors.Is(err, away) || errors.As(err, new(*accept.BrokenError)) {
			t.Fatalf("%v; want %v", err, away)
		}
		wantNobody(t, in)
	})

	t.Run("nor is a caller who stops waiting", func(t *testing.T) {
		in := inAccount(t)
		ctx, cancel := context.WithCancel(t.Context())
		doc := io.MultiReader(strings.NewReader(whole[:strings.Index(whole, seafarer("S0-2500"))]), readerFunc(func() {
			cancel()
		}), strings.NewReader(amid(100)[1:]))
		if _, err := eachForItself(ctx, in, travellers, doc, long); !errors.Is(err, context.Canceled) {
			t.Fatalf("%v; want that it was cancelled", err)
		}
		wantNobody(t, in)
	})
}

func wantNobody(t *testing.T, in store.Scoped) {
	t.Helper()
	if list, err := in.SuggestTravellers(t.Context(), "reyes", nil, 10); err != nil || len(list) > 0 {
		t.Errorf("stored: %v, %v; want nothing", list, err)
	}
}

// A report is bounded, and says when it is cut.
func TestReportIsBounded(t *testing.T) {
	doc := "[" + strings.Repeat(`{"id":"A"},`, 3000) + seafarer("B") + "]"
	report, err := eachForItself(t.Context(), inAccount(t), travellers, strings.NewReader(doc), long)
	if err != nil || report.Created != 1 || report.Refused != 3000 || len(report.Problems.List) != 1000 ||
		!report.Problems.Truncated {
		t.Errorf("%+v, %d refused with %d remarks, cut: %v, %v", report.Counts, report.Refused,
			len(report.Problems.List), report.Problems.Truncated, err)
	}
	if report.Warnings.Truncated {
		t.Error("the warnings say that they are cut, and there are none")
	}
	doc = "["
	for i := range 3001 {
		doc += strings.Replace(seafarer(fmt.Sprint(i)), `"F"`, `"X"`, 1) + ","
	}
	report, err = eachForItself(t.Context(), inAccount(t), travellers, strings.NewReader(doc[:len(doc)-1]+"]"), long)
	if err != nil || report.Created != 3001 || report.Warned != 3001 || len(report.Warnings.List) != 1000 ||
		!report.Warnings.Truncated {
		t.Errorf("%+v, %d warned with %d remarks, cut: %v, %v", report.Counts, report.Warned, len(report.Warnings.List),
			report.Warnings.Truncated, err)
	}
}

// Nothing after the last problem that an upload reports is kept in memory.
func TestUploadKeepsNothingBehindTheLastProblem(t *testing.T) {
	doc := []byte(`[{"onsigners":[` + strings.Repeat("{},", 1999) + `{}]},` + strings.Repeat("{},", 500_000) + `{}]`)
	in := inAccount(t)
	took := allocated(func() {
		_, err := upload(t.Context(), in, crewChanges, doc, accept.Limits{Records: 600_000, Depth: 64})
		var wrong *gangway.ProblemsError
		if !errors.As(err, &wrong) || !wrong.Truncated || len(wrong.Fields) != 1000 {
			t.Fatalf("err = %v; want a list of problems that is cut", err)
		}
	})
	if took > 20<<20 {
		t.Errorf("reading took %d bytes", took)
	}
	_, err := upload(t.Context(), in, crewChanges, doc, accept.Limits{Records: 1000, Depth: 64})
	if !errors.Is(err, accept.ErrTooMany) {
		t.Errorf("more records than allowed = %v; want %v", err, accept.ErrTooMany)
	}
}

// readerFunc reads nothing and calls a function.
type readerFunc func()

func (f readerFunc) Read([]byte) (int, error) { f(); return 0, io.EOF }
