package mapping

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// tabulated shows a program as a table over a customer's document.
func (c customer) tabulated(t *testing.T, program string, choices []Choice) Table {
	t.Helper()
	table, err := tabulate(t.Context(), runner, c.flow, program, choices, false, c.open(t), today)
	if err != nil {
		t.Fatalf("%s: %v", c.name, err)
	}
	return table
}

// leaves are what the interface names of the records that a program makes, in any order.
func (c customer) leaves(t *testing.T, program string) (list []string, err error) {
	t.Helper()
	records, err := c.records(t, program)
	for _, r := range records {
		doc, _ := json.Marshal(r)
		list = append(list, fmt.Sprint(leavesOf(doc, c.flow)))
	}
	slices.Sort(list)
	return list, err
}

// choicesOf are the choices that make a table.
func choicesOf(table Table) (list []Choice) {
	for _, row := range table.Rows {
		list = append(list, Choice{row.Column, row.Field})
	}
	return list
}

// TestTableMakesTheRecordsOfItsProgram: whatever program a table can express, written again from the table it makes
// the same records, and sending the table back unchanged leaves each program as it was typed.
func TestTableMakesTheRecordsOfItsProgram(t *testing.T) {
	byTable := 0
	for _, c := range slices.Concat(customersIn(t, "customers"), customersIn(t, "customers-afterwards")) {
		proposal, err := propose(t.Context(), runner, c.flow, c.open(t), today)
		must(t, err)
		for name, program := range map[string]string{"proposed": proposal.Program, "by hand": c.mapping} {
			table := c.tabulated(t, program, nil)
			if table.ByHand {
				t.Logf("%s, %s: by hand", c.name, name)
				if name == "proposed" {
					t.Errorf("%s: no table can express the program that was proposed:\n%s", c.name, program)
				}
				continue
			}
			byTable++
			if same := c.tabulated(t, program, choicesOf(table)); same.Program != program {
				t.Errorf("%s, %s: sent back unchanged, the table made of\n%s\nthis:\n%s", c.name, name, program,
					same.Program)
			}
			all := choicesOf(table)
			at := slices.IndexFunc(all, func(c Choice) bool { return c.Field != "" })
			without := slices.Delete(slices.Clone(all), at, at+1)
			written := c.tabulated(t, c.tabulated(t, program, without).Program, all).Program
			want, errWant := c.leaves(t, program)
			got, errGot := c.leaves(t, written)
			if diff := cmp.Diff(want, got); diff != "" || errWant != nil || errGot != nil {
				t.Errorf("%s, %s: %v, %v: %s\nof %s\nagain %s", c.name, name, errWant, errGot, diff, program, written)
			}
		}
	}
	t.Log(byTable)
}
