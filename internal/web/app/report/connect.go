package report

import (
	"bytes"
	"net/http"
	"net/url"
	"strings"

	"gangway/internal/gangway"
	"gangway/internal/report"
	"gangway/internal/report/files"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"
)

// A connectPage says how other programs read the report. The address is the same for all accounts: the login
// decides whose rows are read.
type connectPage struct {
	Root, Set   string
	Admin       bool // the reader can make a login
	Environment gangway.Environment
	Python      string
	HTTPS       bool
	Report      url.Values // the filters of the report that it was opened from
}

// Connect shows the address of the report, and what to do in each program.
func (room *Room) Connect(w http.ResponseWriter, r *http.Request, _ store.Scoped) error {
	v, _ := shell.VisitorOf(r.Context())
	var from url.Values
	if r.URL.RawQuery != "" {
		from = ReadFilters(r.URL.Query(), gangway.DateOf(room.Now().UTC())).Values()
	}
	return room.Show(w, r, shell.Page{Template: "connect", Section: "report", Title: "Connect",
		Answer: "Excel, Power BI, Tableau and programs read the report themselves, and stay up to date.",
		Data: connectPage{Root: room.root, Set: report.FlightBookings.Name, Environment: v.Account.Environment,
			Admin: v.User.Role.May(gangway.ToAdminister), Python: files.Python(room.root, report.FlightBookings),
			HTTPS: strings.HasPrefix(room.root, "https:"), Report: from}})
}

// ConnectedWorkbook sends an Excel workbook that reads the report by itself.
func (room *Room) ConnectedWorkbook(w http.ResponseWriter, r *http.Request, _ store.Scoped) error {
	about := files.About{Title: "Report, read from " + room.root, Made: room.Now(), Facts: []files.Fact{
		{Name: "First time", Value: "Choose Enable Editing and Enable Content, if Excel asks. Then it asks how to " +
			"sign in: choose Basic, and give the report login's user and password. Excel keeps them on this machine, " +
			"and not in this file."},
		{Name: "Fresh rows", Value: "Excel reads the report when this workbook is opened, and by Data › Refresh All."},
		{Name: "Times", Value: "in UTC"},
		{Name: "Many rows", Value: "A sheet has room for 1,048,575 rows. If there are more, narrow the query by " +
			"Data › Queries & Connections › Edit, for instance to CreatedAt of this year: Gangway sends only those."},
	}}
	var file bytes.Buffer
	if err := files.QueryWorkbook(&file, about, room.root, report.FlightBookings); err != nil {
		return err
	}
	fileHead(w, excel, connectName(r))
	_, err := w.Write(file.Bytes())
	return err
}

// PowerBIFile sends a Power BI data source file with the address of the report.
func (room *Room) PowerBIFile(w http.ResponseWriter, r *http.Request, _ store.Scoped) error {
	fileHead(w, fileKind{ends: "pbids", media: "application/json"}, connectName(r))
	return files.PowerBI(w, room.root)
}

// connectName is the name of a file that reads the report of an account.
func connectName(r *http.Request) string {
	v, _ := shell.VisitorOf(r.Context())
	return plainName(v.Account.Customer.Name + "-" + string(v.Account.Environment) + "-report")
}
