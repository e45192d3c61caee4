package feeds

import (
	"strings"
	"testing"

	"gangway/internal/accept"
	"gangway/internal/gangway"
)

// TestProblemsAreCounted: a problem of which not all remarks are kept has at least so many records.
func TestProblemsAreCounted(t *testing.T) {
	few := []gangway.FeedRemark{{Field: "Gender", At: "line 2", Message: "It must be M or F."}}
	rows, _ := problemsOf(few, nil)
	if rows[0].Where() != "line 2" {
		t.Errorf("one record: %q", rows[0].Where())
	}
	many := make([]gangway.FeedRemark, accept.MaxRemarks)
	for i := range many {
		many[i] = few[0]
	}
	rows, _ = problemsOf(many, nil)
	if got := rows[0].Where(); got != "line 2, and at least 999 records more" {
		t.Errorf("as many as are kept: %q", got)
	}
}

// TestWholeDocumentIsNoRecord: what there is to say about all of a document is said above the table, and marks no
// record as one of which something was left out.
func TestWholeDocumentIsNoRecord(t *testing.T) {
	for _, remark := range []gangway.FeedRemark{{Whole: true, Message: "Its letters were taken for windows-1253."},
		{Whole: true, SourceField: "Geburtstag", Message: "There is no column of this name."}} {
		table := tableOf([]accept.Example{{JSON: []byte(`{"last_name":"Rey"}`)}}, nil, []gangway.FeedRemark{remark})
		rows, _ := problemsOf(nil, []gangway.FeedRemark{remark})
		if row := table.Rows[0]; row.Marked || row.Others != nil || !rows[0].About {
			t.Errorf("%+v: the row %+v, above it %+v; want it only above", remark, row, rows[0])
		}
	}
}

// TestLongNamesAreCut has a record with a member whose name a mapping has made of a million letters.
func TestLongNamesAreCut(t *testing.T) {
	long := strings.Repeat("a", 1_000_000)
	table := tableOf([]accept.Example{{JSON: []byte(`{"last_name":"Rey","` + long + `":"1"}`)}}, nil, nil)
	if len(table.Columns) != 2 || len(table.Columns[1]) > 2*longestCell || table.Rows[0].Cells[1].Value != "1" {
		t.Errorf("the table has %d columns, the last of %d bytes; want two, and the name cut", len(table.Columns),
			len(table.Columns[len(table.Columns)-1]))
	}
}
