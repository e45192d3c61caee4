package reporting_test

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"reflect"
	"testing"

	"gangway/internal/need"
	"gangway/internal/web/reporting"
)

// TestClients has clients read the report that we did not write.
func TestClients(t *testing.T) {
	node := need.ODataClients(t)
	each(t, 12, reporting.Limits{Rows: 5}, func(t *testing.T, s *service) {
		run := exec.CommandContext(t.Context(), node, "testdata/clients/client.mjs", s.root(), s.name, s.password)
		var said bytes.Buffer
		run.Stderr = &said
		out, err := run.Output()
		if err != nil {
			t.Fatalf("%v\n%s", err, &said)
		}
		var found struct {
			Filtered, Query []string
			One, Retrieved  string
			Batch           [][]string
			Count           int
			Converted, Ours map[string]any
		}
		if err := json.Unmarshal(out, &found); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		converted, ours := found.Converted, found.Ours
		found.Converted, found.Ours = nil, nil
		want := found
		want.Filtered, want.Query = []string{"B003", "B006", "B009"}, []string{"B001", "B006", "B011"}
		want.One, want.Retrieved, want.Count = "O'BRIEN", "Nordlys", 12
		want.Batch = [][]string{{"B011", "B010"}, {"B003"}}
		if !reflect.DeepEqual(found, want) {
			t.Errorf("they find %+v\nwant %+v\n%s", found, want, &said)
		}
		ours["$Version"] = converted["$Version"] // JSON came with 4.01
		if !reflect.DeepEqual(converted, ours) {
			a, _ := json.MarshalIndent(converted, "", " ")
			b, _ := json.MarshalIndent(ours, "", " ")
			t.Errorf("the XML converted is\n%s\nand the JSON\n%s", a, b)
		}
	})
}
