package feeds_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"gangway/internal/web/app/apptest"
)

// rowNames finds the names of the table's columns, in the order of their fields.
var rowNames = regexp.MustCompile(`<th scope="row"[^>]* id="c[0-9]+">([^<]*)<`)

// column returns where the field of a column of the table is among those of the form.
func (p *setup) column(t *testing.T, name string) *string {
	t.Helper()
	for i, row := range rowNames.FindAllStringSubmatch(p.table.Body, -1) {
		if row[1] == name {
			return &p.form["as"][i]
		}
	}
	t.Fatalf("no column %s in the table", name)
	return nil
}

// TestMappingIsSetUpAsATable: without a script, which column is which field is chosen in a table, which writes the
// program; what is missing is named, and a change that was not tried is saved all the same.
func TestMappingIsSetUpAsATable(t *testing.T) {
	p := newSetup(t)
	p.follow(p.sendFile(personnel, "do", "fetch")).Has("P1234567A", `<tr class="unused">`, "For engineers")
	for column, field := range map[string]string{"Nachname": "last_name", "Geb": "dob", "Pass": "doc_number"} {
		if got := *p.column(t, column); got != field {
			t.Errorf("%s is proposed to be %q; want %q", column, got, field)
		}
	}
	*p.column(t, "Nachname") = ""
	*p.column(t, "Pass") = ""
	p.follow(p.send("do", "table")).Has("Missing: <strong>last name</strong>", "none would be stored")
	if program := p.form.Get("mapping"); strings.Contains(program, ".Pass") || !strings.Contains(program, `date("DMY")`) {
		t.Errorf("the program is %s; want one without the passport, and with the dates as they were", program)
	}
	*p.column(t, "Nachname") = "last_name"
	*p.column(t, "Vorname") = "last_name"
	p.follow(p.send()).Has("Two columns are the last name: choose one of them.")
	if got := *p.column(t, "Vorname"); got != "last_name" {
		t.Errorf("what was chosen is %q now", got)
	}
	*p.column(t, "Vorname") = "first_name"
	p.follow(p.send()).Lacks("Missing").Has("5 records: 4 would be stored")
	*p.column(t, "Pass") = "id"
	*p.column(t, "Pers-Nr") = "doc_number"
	p.send("do", "save-upload").Shows("/settings/feeds/travellers", "was saved")
	if f := p.keeps(t, "travellers"); !strings.Contains(f.Mapping, "id: .Pass") ||
		!strings.Contains(f.Mapping, `doc_number: .["Pers-Nr"]`) {
		t.Errorf("saved is %s; want the table as it was chosen", f.Mapping)
	}
}

// TestProgramByHandStays: a program that no table can express is shown as such, and only a button of its own replaces
// it; the words that a program has for a column stay while that is the same field.
func TestProgramByHandStays(t *testing.T) {
	const program = ".[] # ours\n| {last_name: .Nachname, first_name: .Vorname}"
	p := newSetup(t)
	p.follow(p.sendFile(personnel, "do", "fetch"))
	p.follow(p.send("mapping", program, "do", "try")).Has(`id="by-hand"`, "4 would be stored")
	*p.column(t, "Pass") = "doc_number"
	p.follow(p.send("do", "table")).Has(`id="by-hand"`)
	if got := p.form.Get("mapping"); got != program {
		t.Errorf("the table made %s of a program that was written by hand", got)
	}
	*p.column(t, "Pass") = "doc_number"
	p.follow(p.send("do", "table-over")).Lacks(`id="by-hand"`)
	if got := p.form.Get("mapping"); !strings.Contains(got, "doc_number: .Pass") {
		t.Errorf("asked to replace it, the table made %s", got)
	}
	p.follow(p.send("mapping", `.[] | {first_name: .Vorname, last_name: .Nachname | ascii_upcase, rank: "Master", `+
		`id: "\(.Geb)\(.Pass)"}`, "do", "try")).Has(`id="by-hand"`) // rank is no field of travellers
	p.follow(p.send("mapping", `.[] | {last_name: .Nachname | ascii_upcase, first_name: .Vorname, `+
		`id: "\(.Geb)\(.Pass)"}`)).Lacks(`id="by-hand"`).Has("Set by the program", "identifier = ")
	*p.column(t, "Pass") = "doc_number"
	p.follow(p.send("do", "table"))
	for _, want := range []string{"last_name: .Nachname | ascii_upcase", "doc_number: .Pass", `id: "\(.Geb)\(.Pass)"`} {
		if got := p.form.Get("mapping"); !strings.Contains(got, want) {
			t.Errorf("the program is %s; want %s in it", got, want)
		}
	}
}

// TestRemovalIsSaidBeforeItIsSaved: a feed whose runs are to remove what they do not bring says of how many records
// first, and is saved once that was read.
func TestRemovalIsSaidBeforeItIsSaved(t *testing.T) {
	p := newSetup(t)
	setFetched(t, p.Site, apptest.Today, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, tenPeople) })
	in := apptest.Production(p.Site)
	p.FetchDue(t)
	f := apptest.Must(in.Feed(t.Context(), "crew"))(t)
	no := false
	f.Complete = &no
	apptest.SetFeed(t, in, f.Feed, apptest.Today)
	p.open("/settings/feeds/crew/edit")
	p.send("complete", "", "do", "save").Is(http.StatusUnprocessableEntity, "it is not known how much that is")
	p.follow(p.sendFile(tenPeople[:strings.Index(tenPeople, "7")]+"11,Kk,K\n", "do", "file")).
		Has("A run like this one removes 4 of the feed&#39;s 10 records and adds 1 new.")
	p.follow(p.send("do", "save")).Is(http.StatusUnprocessableEntity, "Not saved yet", `value="save-anyway"`)
	p.send("do", "save-anyway").Shows("/settings/feeds/crew", "was saved")
	if f := p.keeps(t, "crew"); f.Complete != nil {
		t.Errorf("the feed keeps complete = %v", *f.Complete)
	}
}
