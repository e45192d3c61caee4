package settings

import (
	"strings"
	"testing"

	"gangway/internal/accept"
)

// TestLongNamesAreCut has a record with a member whose name a mapping has made of a million letters.
func TestLongNamesAreCut(t *testing.T) {
	long := strings.Repeat("a", 1_000_000)
	table := tableOf([]accept.Example{{JSON: []byte(`{"last_name":"Rey","` + long + `":"1"}`)}}, nil, nil)
	if len(table.Columns) != 2 || len(table.Columns[1]) > 2*longestCell || table.Rows[0].Cells[1].Value != "1" {
		t.Errorf("the table has %d columns, the last of %d bytes; want two, and the name cut", len(table.Columns),
			len(table.Columns[len(table.Columns)-1]))
	}
}
