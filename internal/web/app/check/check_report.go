package check

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"

	"gangway/internal/doctor"
)

// A checkReport is what was found, for the page.
type checkReport struct {
	doctor.Report
	Rows []checkRow
	File template.URL // the report as text
}

// A checkRow is one check.
type checkRow struct {
	ID, Title   string
	Sign, State string // the badge: its colour and its words
	Findings    []string
	Calls       []checkCall
	More        int // calls that are not shown
}

// A checkCall is a question, the raw answer and what was understood.
type checkCall struct {
	Number         int
	Question       string
	Requests       []checkRequest
	Error          string
	Words, Records string // what was understood: how much, and the first records; empty for pushes
}

type checkRequest struct{ Address, Words, Raw string }

// Of a check the page shows so many calls, and of each answer so many bytes: the file has no more, and
// --json all.
const (
	checkCallsShown = 3
	checkRawShown   = 2 << 10
)

var verdictSigns = map[doctor.Verdict]struct{ sign, words string }{
	doctor.Fine: {"good", "fine"}, doctor.Warning: {"watch", "warning"}, doctor.Wrong: {"act", "wrong"},
	doctor.NotTried: {"info", "not tried"},
}

func shownReport(r doctor.Report) *checkReport {
	shown := &checkReport{Report: r, File: template.URL("data:text/plain;charset=utf-8;base64," +
		base64.StdEncoding.EncodeToString([]byte(r.Text())))}
	for _, g := range r.Groups() {
		c := g[0]
		v := verdictSigns[c.Verdict]
		row := checkRow{ID: c.ID, Title: c.Title, Sign: v.sign, State: v.words, Findings: g.Sentences()}
		for i, n := range c.Calls {
			if i == checkCallsShown {
				row.More = len(c.Calls) - i
				break
			}
			row.Calls = append(row.Calls, shownCall(r.Call(n)))
		}
		shown.Rows = append(shown.Rows, row)
	}
	return shown
}

func shownCall(c *doctor.Call) checkCall {
	shown := checkCall{Number: c.Number, Question: c.Question, Error: c.Error}
	for _, x := range c.Requests {
		raw := []rune(x.Raw)
		cut := x.RawCut || len(raw) > checkRawShown
		text := string(raw[:min(len(raw), checkRawShown)])
		if cut {
			text += "…"
		}
		shown.Requests = append(shown.Requests, checkRequest{x.Method + " " + x.Address, x.Words(), text})
	}
	if c.Part == "b5" || c.Error != "" {
		return shown
	}
	shown.Words = c.Words()
	var all bytes.Buffer
	for _, record := range c.Records[:min(2, len(c.Records))] {
		if json.Indent(&all, record, "", "  ") == nil {
			fmt.Fprintln(&all)
		}
	}
	shown.Records = all.String()
	return shown
}
