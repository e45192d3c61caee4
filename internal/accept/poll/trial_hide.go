package poll

import (
	"slices"
	"strings"

	"gangway/internal/gangway"

	"github.com/go-json-experiment/json/jsontext"
)

// hide removes secrets from what is shown of a trial: systems that are being set up
// often repeat what they were sent. What is read, and a document given back, stay as
// they came, or a trial would not tell what a run does.
func (t *Trial) hide(secrets []string) {
	slices.SortStableFunc(secrets, func(a, b string) int { return len(b) - len(a) }) // a secret may begin another
	var pairs []string
	for _, secret := range secrets {
		pairs = append(pairs, secret, "…")
	}
	hide := strings.NewReplacer(pairs...).Replace
	t.Error = hide(t.Error)
	for i, d := range t.Documents {
		t.Documents[i].Head = hide(d.Head)
		t.Documents[i].Name = hide(d.Name)
	}
	for i, record := range t.Records {
		t.Records[i] = jsontext.Value(hide(string(record)))
	}
	if t.Table != nil {
		for i, row := range t.Table.Rows {
			t.Table.Rows[i].Name, t.Table.Rows[i].Example = hide(row.Name), hide(row.Example)
		}
	}
	for i, name := range t.Unread {
		t.Unread[i] = hide(name)
	}
	for i, e := range t.Examples {
		if e.JSON != nil {
			t.Examples[i].JSON = jsontext.Value(hide(string(e.JSON)))
		}
	}
	for _, list := range [][]gangway.FeedRemark{t.Report.Problems.List, t.Report.Warnings.List} {
		for i, r := range list {
			list[i].Value, list[i].SourceField = hide(r.Value), hide(r.SourceField)
			list[i].Message = hide(r.Message)
		}
	}
}
