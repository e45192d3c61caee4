package wire_test

import (
	"iter"
	"strings"
	"testing"

	"gangway/internal/wire"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

// values numbers records as the readers expect.
func values(records ...string) iter.Seq2[int, jsontext.Value] {
	return func(yield func(int, jsontext.Value) bool) {
		for i, record := range records {
			if !yield(i, jsontext.Value(record)) {
				return
			}
		}
	}
}

// only returns the Reading of a sequence of one record.
func only[T any](records iter.Seq2[*T, *wire.Reading]) *wire.Reading {
	for _, reading := range records {
		return reading
	}
	return nil
}

// A wrong record does not stop the records after it from being read: the caller decides what it means to them.
func TestAWrongRecordDoesNotStopTheOthers(t *testing.T) {
	var got []string
	for traveller, reading := range wire.Travellers(values(
		`{"id":"A","last_name":"Reyes","x":1}`,
		`{"id":"B","last_name":7}`,
		`null`,
		`{"id":"C","id":"D"}`,
		`{"id":"E","last_name":"`+"\xff"+`"}`,
		`{"id":"F","id":"D","dob":01}`,
		`{"id":"G"`,
		`{"id":"H"}}`,
		`[{]`,
		`tru`,
		`{"id":"I","last_name":"Santos"}`,
	)) {
		said := traveller.ID + traveller.LastName + string(traveller.Extra)
		for path, sentences := range reading.Problems.Fields {
			said += " " + path + " " + strings.Join(sentences, " ")
		}
		if m := reading.Malformed; m != nil {
			said += " malformed " + m.Path + " " + m.Why
			if m.Alone {
				said += ", alone"
			}
		}
		if reading.Checkable {
			said += ", to be checked"
		}
		got = append(got, said)
	}
	want := []string{
		`AReyes{"x":1}, to be checked`,
		`B [1].LastName The LastName field must be a string., to be checked`,
		` [2] The record must be an object.`,
		`C malformed [3].Id a name occurs twice in one object, alone`,
		`E malformed [4].LastName it is not valid UTF-8, alone`,
		`F malformed [5].Id a name occurs twice in one object`,
		`G malformed [6] it ends too early`,
		`H malformed [7] it is not well formed`,
		` malformed [8][0] it is not well formed`,
		` malformed [9] it is not well formed`,
		`ISantos, to be checked`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("readings (-want +got)\n%s", diff)
	}
}

// Reading all members of all crew changes at once would take several times the document's memory.
func TestRecordsAreAskedForOneAtATime(t *testing.T) {
	asked := 0
	source := func(yield func(int, jsontext.Value) bool) {
		for asked < 10 {
			asked++
			if !yield(asked-1, jsontext.Value(`{"vessel":"NORDLYS","onsigners":[{"last_name":"Reyes"}]}`)) {
				return
			}
		}
	}
	read := 0
	for c, reading := range wire.CrewChanges(source) {
		if read++; asked != read || len(c.OnSigners) != 1 || reading.Record != read-1 {
			t.Errorf("record %d of %d members is read when %d were asked for; want %d", reading.Record,
				len(c.OnSigners), asked, read)
		}
		if read == 3 {
			break
		}
	}
	if asked != 3 {
		t.Errorf("%d records were asked for; want no more than 3", asked)
	}
}
