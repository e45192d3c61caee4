package feeds

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"gangway/internal/transport"
	"gangway/internal/web/app/shell"
)

// A settingField is a setting of a transport in the form: what is made of a line of the table that its kind has.
type settingField struct {
	ID, Name, Label string // Name is that of the form's field
	About, Example  string
	As              string // text, long, number, lines, yes or no, auth, headers or group: how it is typed
	Value           string
	Secret          bool // it is typed hidden, and never filled in
	Kept            bool // there is a secret
	Required        bool
	Rows            []headerField
	Auth            []authField
	Members         []settingField
	Wrong           string
	Examples        string   // by the flow, for the script; empty: the example is for all
	Hints           []choice // by the flow: beside or in place of About
}

// A headerField is a line of texts by name, whose values are secret.
type headerField struct {
	Name string
	Kept bool
}

// An authField is a member of credentials, with the kinds that have it.
type authField struct {
	settingField
	Kinds string
}

// fieldOf is what the names of the fields of settings begin with.
const fieldOf = "transport."

// freeHeaders is how many empty lines there are for texts by name.
const freeHeaders = 2

// labels are the names of settings that are not what people call them.
var labels = map[string]string{"url": "Address (URL)", "ca": "Authority’s certificates", "tls": "TLS",
	"smtp": "Answers go out by",
	"auth": "How Gangway signs in", "host": "Server", "path": "Folder", "query": "SELECT statement", "from": "From",
	"time_limit": "Time limit, in seconds", "row_limit": "Most rows"}

// settingFields are the fields of a table of settings. open are the settings that may be shown, where null stands for
// a secret that there is; wrong are sentences by the names of fields.
func settingFields(prefix string, table []transport.Setting, open map[string]json.RawMessage,
	secretQuery bool, wrong map[string]string) (fields []settingField) {
	for _, s := range table {
		name := prefix + s.Name
		f := settingField{ID: fieldID(name), Name: name, Label: labels[s.Name], About: shell.Capital(s.About),
			Required: s.Required, Secret: s.Secret == transport.Whole, Wrong: wrong[name]}
		if f.Label == "" {
			f.Label = shell.Capital(strings.ReplaceAll(s.Name, "_", " "))
		}
		value, there := open[s.Name]
		hidden := there && string(value) == "null"
		f.Example, f.As, f.Value = textOf(json.RawMessage(s.Example)), "text", textOf(value)
		switch s.Type {
		case transport.Number:
			f.As = "number"
		case transport.YesNo:
			f.As = "yes or no"
		case transport.List:
			f.As = "lines"
			f.Value, f.Example = oneALine(value), oneALine(json.RawMessage(s.Example))
		case transport.Auth:
			f.As, f.Value, f.Auth = "auth", textOf(membersOf(value)["kind"]), authFields(name, membersOf(value), wrong)
		case transport.Object:
			if f.As = "headers"; s.Members != nil {
				f.As, f.Members = "group", settingFields(name+".", s.Members, membersOf(value), false, wrong)
			} else {
				f.Rows = headerRows(membersOf(value))
			}
		case transport.Lines:
			f.As = "lines"
		case transport.Texts:
			if len(value) > 0 && value[0] == '[' {
				f.Value = strings.ReplaceAll(oneALine(value), "\n", ", ")
			}
		case transport.Text:
			if slices.Contains([]string{"url", "path"}, s.Name) {
				f.As = "long"
			}
		}
		f.Kept = hidden || s.Secret == transport.InURL && secretQuery
		fields = append(fields, f)
	}
	return fields
}

// fieldID is the identifier of the field of a name.
func fieldID(name string) string { return "s-" + strings.ReplaceAll(name[len(fieldOf):], ".", "-") }

// headerRows are the lines of texts by name, and empty ones.
func headerRows(open map[string]json.RawMessage) (rows []headerField) {
	for name := range open {
		rows = append(rows, headerField{name, true})
	}
	slices.SortFunc(rows, func(a, b headerField) int { return strings.Compare(a.Name, b.Name) })
	return append(rows, make([]headerField, freeHeaders)...)
}

// authMembers are the members of credentials: what they are called, the kinds that have them, and whether they are
// secret or have several lines.
var authMembers = []struct {
	name, label, kinds string
	secret, lines      bool
}{
	{"user", "User", "basic", false, false}, {"password", "Password", "basic", true, false},
	{"token", "Token", "bearer", true, false},
	{"name", "Header’s name", "header", false, false}, {"value", "Header’s value", "header", true, false},
	{"certificate", "Certificate (PEM)", "certificate", false, true}, {"key", "Key (PEM)", "certificate", true, true},
}

func authFields(prefix string, open map[string]json.RawMessage, wrong map[string]string) (fields []authField) {
	for _, m := range authMembers {
		value, there := open[m.name]
		name := prefix + "." + m.name
		f := settingField{ID: fieldID(name), Name: name, Label: m.label, As: "text", Value: textOf(value),
			Secret: m.secret, Kept: there && string(value) == "null",
			Wrong: wrong[name]}
		if m.lines {
			f.As = "lines"
		}
		fields = append(fields, authField{f, m.kinds})
	}
	return fields
}

// readSettings reads the fields of a table of settings. What is empty is left out: then a secret is kept.
func readSettings(form url.Values, prefix string, table []transport.Setting) map[string]any {
	given := map[string]any{}
	for _, s := range table {
		name := prefix + s.Name
		typed := lines(form.Get(name))
		switch s.Type {
		case transport.Text, transport.Texts, transport.Lines:
			if typed != "" {
				given[s.Name] = typed
			} else if form.Get(name+".forget") != "" {
				given[s.Name] = ""
			}
		case transport.Number:
			if json.Valid([]byte(typed)) {
				given[s.Name] = json.RawMessage(typed)
			} else if typed != "" {
				given[s.Name] = typed // and that is wrong
			}
		case transport.YesNo:
			if typed == "yes" || typed == "no" {
				given[s.Name] = typed == "yes"
			}
		case transport.List:
			parts := func(r rune) bool { return strings.ContainsRune("\n,; ", r) }
			if list := strings.FieldsFunc(typed, parts); len(list) > 0 {
				given[s.Name] = list
			}
		case transport.Auth:
			given[s.Name] = readAuth(form, name)
		case transport.Object:
			inner := readHeaders(form, name)
			if s.Members != nil {
				inner = readSettings(form, name+".", s.Members)
			}
			if len(inner) > 0 {
				given[s.Name] = inner
			}
		}
	}
	return given
}

func readAuth(form url.Values, name string) map[string]any {
	kind := form.Get(name)
	if kind == "" {
		kind = "none"
	}
	auth := map[string]any{"kind": kind}
	for _, m := range authMembers {
		if typed := lines(form.Get(name + "." + m.name)); m.kinds == kind && typed != "" {
			auth[m.name] = typed
		}
	}
	return auth
}

// readHeaders reads texts by name. One without a value is kept, and one without a name is gone.
func readHeaders(form url.Values, name string) map[string]any {
	texts := map[string]any{}
	values := form[name+".value"]
	for i, key := range form[name+".name"] {
		key = strings.TrimSpace(key)
		switch {
		case key == "":
		case i < len(values) && values[i] != "":
			texts[key] = values[i]
		default:
			texts[key] = nil
		}
	}
	return texts
}

// lines is what was typed with the ends of lines that programs have, and no blanks around it.
func lines(typed string) string { return strings.TrimSpace(strings.ReplaceAll(typed, "\r\n", "\n")) }

func membersOf(doc json.RawMessage) map[string]json.RawMessage {
	var m map[string]json.RawMessage
	_ = json.Unmarshal(doc, &m) // what is no object has none
	return m
}

// textOf is a value as it is typed.
func textOf(value json.RawMessage) string {
	var text string
	switch {
	case len(value) == 0, string(value) == "null":
		return ""
	case json.Unmarshal(value, &text) == nil:
		return text
	case string(value) == "true":
		return "yes"
	case string(value) == "false":
		return "no"
	}
	return string(value)
}

func oneALine(value json.RawMessage) string {
	var list []string
	_ = json.Unmarshal(value, &list) // what is no list has no lines
	return strings.Join(list, "\n")
}
