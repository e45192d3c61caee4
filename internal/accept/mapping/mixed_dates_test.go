package mapping

import (
	"fmt"
	"strings"
	"testing"

	"gangway/internal/gangway"
)

// TestMixedDates: in a column with two orders of day and month the dates that can be read both ways are left to the
// check, which quotes them, with a program as without, in a list, in one value, and in nested members; columns beside
// it are not touched. Both orders are said, with an example of each.
func TestMixedDates(t *testing.T) {
	const head = "last_name;first_name;dob;doc_expire\n"
	const mixed = head + "A;A;13/05/1985;2030-01-31\nB;B;01/02/1990;01.02.2031\nC;C;05/13/1990;31.12.2031\n"
	const remark = `Column "dob" has dates with the day first (13/05/1985) and with the month first (05/13/1990): those ` +
		`that can be read both ways are left out`
	late := head + strings.Repeat("A;A;13/05/1985;\n", mostAhead-1) + "B;B;01/02/1990;\nC;C;05/13/1990;\n" +
		"D;D;02/03/1991;\n"
	const program = `.[] | {last_name, first_name, dob: .dob | date("DMY"), doc_expire: .doc_expire | date("DMY")}`
	for _, tt := range []struct {
		name, program, doc string
		has                string
		lacks              string
		remark             string
	}{
		{"by names", "", mixed, `"dob":"01/02/1990 (day or month first?)"`, `"1990-02-01"`, remark + "."},
		{"by names, the others", "", mixed, `"dob":"1990-05-13"`, "05/13", remark + "."},
		{"by a program", program, mixed, `"dob":"01/02/1990 (day or month first?)"`, `"1990-02-01"`, remark + "."},
		{"by a program, the others", program, mixed, `"dob":"1990-05-13","doc_expire":"2031-12-31"`, "§", remark + "."},
		{"names of months", program, mixed + "D;D;12-JAN-1990;\n", `"dob":"1990-01-12"`, "§", remark + "."},
		{"one order", program, head + "A;A;13/05/1985;\nB;B;01/02/1990;\n", `"dob":"1990-02-01"`, "§", ""},
		{"one order, the other in another column", program, head + "A;A;13/05/1985;05/13/2031\nB;B;01/02/1990;\n",
			`"dob":"1990-02-01"`, "§", ""},
		{"one value", `.rows[] | {last_name, first_name, dob: .birth.day | date("DMY")}`, `{"rows":[{"last_name":"A",` +
			`"first_name":"A","birth":{"day":"01/02/1990"}},{"birth":{"day":"05/13/1990"}},{"birth":{"day":"13/05/1985"}}]}`,
			`"dob":"01/02/1990 (day or month first?)"`, "§", strings.Replace(remark, `"dob"`,
				`"rows.birth.day"`, 1) + "."},
		{"later than looked ahead", program, late, `"dob":"02/03/1991 (day or month first?)"`, "§",
			remark + ", but for the 1 that came before the second order."},
	} {
		said, records := made(t, tt.program, gangway.TravellersFlow, tt.doc)
		remarks := strings.Join(remarked(records), "")
		if !strings.Contains(said, tt.has) || strings.Contains(said, tt.lacks) || remarks != tt.remark {
			t.Errorf("%s: %s\nand %q; want %s, %q", tt.name, fmt.Sprintf("%.600s", said), remarks, tt.has, tt.remark)
		}
	}
}
