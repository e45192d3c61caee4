package report

import (
	"context"
	"io"
	"net/http"
	"strings"

	"gangway/internal/gangway"
	"gangway/internal/report"
	"gangway/internal/report/files"
	"gangway/internal/store"
	"gangway/internal/web"
	"gangway/internal/web/app/shell"
)

// A fileKind is a kind of file that rows are written into.
type fileKind struct {
	ends  string // of the file's name
	media string
	begin func(w io.Writer, set string, columns []report.Column) rowFile
}

// A rowFile takes rows as they come.
type rowFile interface {
	Write([]report.Row) error
	Close(files.About) error
}

var (
	excel = fileKind{"xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
		func(w io.Writer, set string, columns []report.Column) rowFile {
			return files.NewWorkbook(w, set, columns)
		}}
	csv = fileKind{"csv", "text/csv; charset=utf-8; header=present",
		func(w io.Writer, _ string, columns []report.Column) rowFile { return files.NewCSV(w, columns) }}
)

// DownloadWorkbook sends the rows of a choice as an Excel workbook.
func (room *Room) DownloadWorkbook(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	return room.download(w, r, in, excel)
}

// DownloadCSV sends the rows of a choice as comma-separated values.
func (room *Room) DownloadCSV(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	return room.download(w, r, in, csv)
}

// download sends the rows of a choice. The audit log says who took them, which, and how many.
func (room *Room) download(w http.ResponseWriter, r *http.Request, in store.Scoped, kind fileKind) error {
	today := gangway.DateOf(room.Now().UTC())
	c := readChoice(r.URL.Query(), today)
	for _, wrong := range c.Wrong {
		return web.Unprocessable("a filter makes no sense: " + wrong)
	}
	if c.Refused != "" {
		return gangway.Errorf(gangway.Invalid, "%s", c.Refused)
	}
	v, _ := shell.VisitorOf(r.Context())
	rows, err := room.rowsOf(r.Context(), in, v.User.ID, c)
	if err != nil {
		return err
	}
	head := func() { fileHead(w, kind, fileName(v.Account, c, today)) }
	if r.Method == http.MethodHead {
		head()
		return nil
	}
	about := shell.Filters(c.Filters.Values(), map[string]string{"by": string(c.By), "from": string(c.From),
		"to": string(c.To), "state": string(c.State), "origin": string(c.Origin),
		"destination": string(c.Destination), "currency": c.Currency, "fare": string(c.Fare), "set": c.Set.Name,
		"format": kind.ends, "columns": strings.Join(c.Columns, ", ")}, "vessel", "airline",
		"field", "value")
	return room.Recorded(r, in, gangway.ReportExported, about, func(ctx context.Context) (int, error) {
		return room.sendRows(ctx, w, head, v, c, kind, rows)
	})
}

// sendRows writes the file for somebody, and returns how many rows were written. Nothing is, and head not called,
// before the first rows are there, so that a report that cannot be read is a page that says so.
func (room *Room) sendRows(ctx context.Context, w io.Writer, head func(), v shell.Visitor, c choice, kind fileKind,
	rows *chosenRows) (sent int, err error) {
	some, more, err := rows.next(ctx)
	if err != nil {
		return 0, err
	}
	head()
	file := kind.begin(w, c.Set.Name, rows.columns)
	for {
		if err := file.Write(some); err != nil {
			return sent, err
		}
		sent += len(some)
		if !more {
			return sent, file.Close(room.about(v, c, sent))
		}
		if some, more, err = rows.next(ctx); err != nil {
			return sent, err
		}
	}
}

func fileHead(w http.ResponseWriter, kind fileKind, name string) {
	head := w.Header()
	head.Set("Content-Type", kind.media)
	head.Set("Content-Disposition", `attachment; filename="`+name+`.`+kind.ends+`"`)
}

// about is what a workbook says about itself.
func (room *Room) about(v shell.Visitor, c choice, rows int) files.About {
	facts := []files.Fact{{Name: "Customer", Value: v.Account.Customer.Name},
		{Name: "Environment", Value: string(v.Account.Environment)}}
	if v.Account.Environment == gangway.Development {
		facts[1].Value += ": nothing here is real"
	}
	facts = append(facts, c.facts()...)
	if c.ofBookings() {
		facts = append(facts, files.Fact{Name: "Spend", Value: spendInWords})
	}
	order := map[bool]string{true: ", the newest first"}[c.newest() != ""]
	return files.About{Title: c.Set.Name, Made: room.Now(), Facts: append(facts,
		files.Fact{Name: "Rows", Value: shell.Number(rows) + order},
		files.Fact{Name: "Made", Value: room.Now().UTC().Format("Mon 2 Jan 2006 15:04 UTC") + " by " + v.User.Name},
		files.Fact{Name: "Times", Value: "in UTC"})}
}

// fileName says whose rows a file has, of what, which filters select them, and when it was made, as in
// "halcyon-crewing-production-flightbookingdetailed-aurora-2026-01-01-to-2026-06-30-made-2026-11-22".
func fileName(of gangway.Account, c choice, today gangway.Date) string {
	parts := []string{of.Customer.Name, string(of.Environment), c.Set.Name, string(c.State), cut(c.Vessel),
		cut(c.Airline)}
	for _, end := range []struct {
		word string
		at   gangway.Airport
	}{{"from", c.Origin}, {"to", c.Destination}} {
		if end.at != "" {
			parts = append(parts, end.word, string(end.at))
		}
	}
	parts = append(parts, c.Currency, string(c.Fare))
	if c.By == ByDeparture && (c.From != "" || c.To != "") {
		parts = append(parts, "leaving")
	}
	switch {
	case c.From != "" && c.To != "":
		parts = append(parts, string(c.From), "to", string(c.To))
	case c.From != "":
		parts = append(parts, "since", string(c.From))
	case c.To != "":
		parts = append(parts, "until", string(c.To))
	}
	return plainName(strings.Join(append(parts, "made", string(today)), "-"))
}

// cut returns the beginning of a text, of which names of files have room for no more.
func cut(text string) string {
	if runes := []rune(text); len(runes) > 40 {
		return string(runes[:40])
	}
	return text
}

// plainName writes a text in letters, digits and hyphens that every system has in names of files.
func plainName(text string) string {
	var name strings.Builder
	gap := false
	for _, r := range gangway.Fold(text) {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			if gap && name.Len() > 0 {
				name.WriteByte('-')
			}
			name.WriteRune(r)
			gap = false
		} else {
			gap = true
		}
	}
	return name.String()
}
