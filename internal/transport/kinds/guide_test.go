package kinds_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"gangway/internal/calltest"
	"gangway/internal/need"
	"gangway/internal/transport"
	"gangway/internal/transport/kinds"
)

var update = flag.Bool("update", false, "write the tables of settings into docs/reference.md")

// tables are those that the guide has, each between two marks.
var tables = []struct {
	begins, ends string
	kinds        []transport.Kind
}{
	{"<!-- The settings of transports: go test ./internal/transport/kinds -update writes them. -->\n",
		"<!-- The end of the settings of transports. -->\n", kinds.All},
	{"<!-- The settings of outlets: go test ./internal/transport/kinds -update writes them. -->\n",
		"<!-- The end of the settings of outlets. -->\n", kinds.Outlets},
}

// docs/reference.md has every setting of every kind, as the tables have it that settings are read by.
func TestGuideHasEverySetting(t *testing.T) {
	path := calltest.Must(need.File("docs/reference.md"))(t)
	doc := calltest.Must(os.ReadFile(path))(t)
	want := string(doc)
	for _, table := range tables {
		before, rest, begun := strings.Cut(want, table.begins)
		_, after, ended := strings.Cut(rest, table.ends)
		if !begun || !ended {
			t.Fatalf("docs/reference.md has no place for what belongs behind %s", table.begins)
		}
		want = before + table.begins + guide(table.kinds) + table.ends + after
	}
	if *update {
		calltest.Done(t, os.WriteFile(path, []byte(want), 0o644))
		return
	}
	if string(doc) != want {
		t.Error("docs/reference.md has other settings than the tables; run " +
			"go test ./internal/transport/kinds -update")
	}
}

func guide(list []transport.Kind) string {
	var b strings.Builder
	for _, k := range list {
		about := strings.TrimSuffix(k.About, ".")
		var example bytes.Buffer
		if err := json.Indent(&example, []byte(k.Example), "", "  "); err != nil {
			example.WriteString(err.Error())
		}
		fmt.Fprintf(&b, "\n%s\n\n```json\n%s\n```\n\n", wrapped("**`"+k.Name+"`**: "+about+". As in"), &example)
		if len(k.Settings) == 0 {
			continue
		}
		b.WriteString("| setting | is | |\n|---|---|---|\n")
		rows(&b, "", k.Settings)
	}
	return b.String() + "\n"
}

// wrapped breaks a text into lines.
func wrapped(text string) string {
	const width = 116
	var b strings.Builder
	column := 0
	for word := range strings.FieldsSeq(text) {
		if column > 0 && column+1+len(word) > width {
			b.WriteByte('\n')
			column = 0
		} else if column > 0 {
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += len(word)
	}
	return b.String()
}

func rows(b *strings.Builder, path string, settings []transport.Setting) {
	for _, s := range settings {
		kind := string(s.Type)
		if s.Required {
			kind += ", required"
		}
		switch {
		case s.Secret == transport.Whole, s.Type == transport.Auth:
			kind += ", sealed"
		case s.Secret == transport.Values:
			kind += ", its values sealed"
		case s.Secret == transport.InURL:
			kind += ", its query and password sealed"
		}
		fmt.Fprintf(b, "| `%s%s` | %s | %s |\n", path, s.Name, kind, strings.ReplaceAll(s.About, "|", "\\|"))
		rows(b, path+s.Name+".", s.Members)
	}
}

// Kinds have names of their own, and examples that their tables allow. Feeds have those that can be opened, and
// outlets those that can be sent to.
func TestKinds(t *testing.T) {
	for want, list := range map[string][]transport.Kind{
		"endpoint sftp ftps ftp mail folder database upload": kinds.All,
		"endpoint sftp ftps ftp mail folder":                 kinds.Outlets,
	} {
		var names []string
		for _, k := range list {
			names = append(names, k.Name)
			if err := k.Check([]byte(k.Example)); err != nil {
				t.Errorf("the example of %s: %v", k.Name, err)
			}
			if feeds := len(list) == len(kinds.All); (k.Open != nil) != feeds || (k.Send != nil) == feeds {
				t.Errorf("%s is in the wrong list", k.Name)
			}
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("the kinds are %s; want %s", got, want)
		}
	}
	for _, k := range kinds.All {
		if found, err := kinds.Find(k.Name); err != nil || found.Name != k.Name {
			t.Errorf("Find(%s) = %s, %v", k.Name, found.Name, err)
		}
	}
	if _, err := kinds.Find("gopher"); err == nil || !strings.Contains(err.Error(), "database") {
		t.Errorf("Find(gopher) = %v; want it refused, with what there is", err)
	}
}
