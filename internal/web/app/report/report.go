package report

import (
	"net/http"

	"gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"
)

// A reportPage is the report for the bookings that the filters select. The address holds the filters.
type reportPage struct {
	Filters
	States []gangway.State
}

// Report shows the report for the bookings that the filters select.
func (room *Room) Report(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	p := reportPage{Filters: ReadFilters(r.URL.Query(), gangway.DateOf(room.Now().UTC())), States: gangway.States}
	status := http.StatusOK
	if len(p.Wrong) > 0 {
		status = http.StatusUnprocessableEntity
	}
	return room.Show(w, r, shell.Page{Template: "report", Section: "report", Title: "Report", Status: status, Data: p})
}
