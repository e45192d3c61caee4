package describe

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"gangway/internal/gangway"
	"gangway/internal/schema"
)

var (
	//go:embed page.html
	pageText string
	//go:embed page.css
	pageStyle string

	pageTemplate = template.Must(template.New("page").Parse(pageText))
)

// Page returns the surface as a page to read, which needs neither scripts nor anything else, and the policy by which
// browsers show it.
func (s *Surface) Page() (page []byte, policy string) {
	view := pageView{Surface: s, Style: template.CSS(pageStyle), Lives: s.lives()}
	for _, g := range s.groups {
		view.Parts = append(view.Parts, s.part(g))
	}
	for _, one := range s.schemas {
		if one.Type == "object" && len(one.Properties) > 0 {
			view.Records = append(view.Records, s.record(one))
		} else {
			view.Forms = append(view.Forms, row{Name: one.Name, Form: s.words(one.Schema), About: one.Description})
		}
	}
	for _, same := range byStatus(s.refusals) {
		e := errorView{Status: same.Status, Title: same.Title}
		for _, r := range same.Cases {
			e.Samples = append(e.Samples, sampleView{Name: r.Name, About: r.About,
				Body: header(r.Headers) + indented(r.Body)})
		}
		view.Errors = append(view.Errors, e)
	}
	var b bytes.Buffer
	if err := pageTemplate.Execute(&b, view); err != nil {
		panic(err)
	}
	sum := sha256.Sum256([]byte(pageStyle))
	return b.Bytes(), "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}

// What the page shows.
type (
	pageView struct {
		*Surface
		Style   template.CSS
		Parts   []partView
		Lives   []stateView
		Records []recordView
		Forms   []row
		Errors  []errorView
	}
	partView struct {
		ID, Name, About string
		Calls           []callView
	}
	callView struct {
		*call
		Host, Server      string
		Query, Sent       []row
		Types             []string
		Record            string // of its body
		Samples, Answered []sampleView
		Refused           []statusView
		SamplesElsewhere  bool
	}
	statusView struct {
		Status int
		Title  string
		Cases  []*refusal
	}
	stateView struct {
		State   gangway.State
		About   string
		Samples []sampleView
	}
	recordView struct {
		Name, About, Path string
		Rows              []row
	}
	errorView struct {
		Status  int
		Title   string
		Samples []sampleView
	}
	// A sampleView is a body to look at.
	sampleView struct {
		Name, From, About, Body string
		Open                    bool
	}
	// A row is a member, a parameter or a header.
	row struct {
		Name, About string
		Form        []word
		Required    bool
		Deprecated  bool
	}
	// A word is part of what says of which form something is; To is the form that it leads to.
	word struct{ Text, To string }
)

func (s *Surface) part(g *group) partView {
	p := partView{ID: slug(g.Name), Name: g.Name, About: g.About}
	for _, c := range g.calls {
		p.Calls = append(p.Calls, s.call(c))
	}
	return p
}

func (s *Surface) call(c *call) callView {
	v := callView{call: c, Host: cmp.Or(c.server(), s.Base), Server: c.server(), Query: s.rows(c.in("query")),
		Sent: s.rows(c.in("header")), Refused: byStatus(c.refused)}
	for i, m := range c.RequestBody.Content {
		v.Types = append(v.Types, m.Name)
		v.Record = recordOf(m.Is.Schema, v.Record)
		for j, e := range m.Is.Examples {
			if i+j > 0 && !c.Ours {
				v.Samples = append(v.Samples, sampleView{About: e.Is.About + " as " + m.Name, Body: e.Is.text()})
			}
		}
	}
	if c.Ours {
		v.Host, v.SamplesElsewhere = "{customer_url}", len(v.Types) > 0
	} else {
		v.Samples = slices.Insert(v.Samples, 0, sampleView{Name: c.ID, About: "Request", Open: true,
			Body: s.curl(c, v.Host+c.Path)})
	}
	fault := false
	for _, a := range c.Responses {
		switch {
		case a.Is.status < 400 || a.Is.Content == nil:
			v.Answered = append(v.Answered, a.Is.samples()...)
		case a.Is.Content[0].Name != problems && !fault: // one for all
			fault = true
			v.Answered = append(v.Answered, sampleView{About: "A fault",
				Body: a.Is.Content[0].Is.Examples[0].Is.text()})
		}
	}
	return v
}

// recordOf returns the name of the record that a body has; otherwise, if it has none.
func recordOf(s *schema.Schema, otherwise string) string {
	switch {
	case s == nil:
	case s.Ref != "":
		return s.Name()
	case s.Items != nil && s.Items.Ref != "":
		return s.Items.Name()
	}
	return otherwise
}

func (a *answer) samples() (list []sampleView) {
	status := fmt.Sprintf("%d %s", a.status, http.StatusText(a.status))
	for _, m := range a.Content {
		for _, e := range m.Is.Examples {
			list = append(list, sampleView{About: status + ": " + e.Is.About, Body: e.Is.text(),
				Open: len(a.Content) == 1})
		}
	}
	if list == nil {
		list = append(list, sampleView{About: status + ". " + a.About})
	}
	return list
}

// byStatus divides refusals by their statuses.
func byStatus(list []*refusal) (parts []statusView) {
	inOrder := slices.SortedStableFunc(slices.Values(list), func(a, b *refusal) int { return a.status - b.status })
	for _, r := range inOrder {
		if n := len(parts); n == 0 || parts[n-1].Status != r.status {
			parts = append(parts, statusView{Status: r.status, Title: http.StatusText(r.status)})
		}
		last := &parts[len(parts)-1]
		last.Cases = append(last.Cases, r)
	}
	return parts
}

// curl writes a request as people type it.
func (s *Surface) curl(c *call, address string) string {
	query := url.Values{}
	for _, p := range c.in("query") {
		if p.Example != "" {
			query.Set(p.Name, p.Example)
		}
	}
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	var b strings.Builder
	b.WriteString("curl -sS")
	if c.Method != http.MethodGet && c.RequestBody.Content == nil {
		b.WriteString(" -X " + c.Method)
	}
	b.WriteString(" '" + address + "'")
	if !c.Open() {
		b.WriteString(" \\\n  -H 'X-Api-Key: gw_test_…'")
	}
	if c.RequestBody.Content == nil {
		return b.String()
	}
	m := c.RequestBody.Content[0]
	sample := m.Is.Examples[0].Is
	if c.server() == "" {
		b.WriteString(" \\\n  -H 'Content-Type: " + m.Name + "'")
		return b.String() + " -d '" + sample.text() + "'"
	}
	var fields list[string]
	_ = json.Unmarshal(sample.Body, &fields) // it is ours
	for _, field := range fields {
		fmt.Fprintf(&b, " \\\n  --data-urlencode '%s=%s'", field.Name, field.Is)
	}
	return b.String()
}

func (s *Surface) rows(list []parameter) (rows []row) {
	for _, p := range list {
		rows = append(rows, row{Name: p.Name, About: p.About, Form: s.words(p.Schema), Required: p.Required})
	}
	return rows
}

// record is a schema as a table: a row for each member at any depth.
func (s *Surface) record(p schema.Property) recordView {
	v := recordView{Name: p.Name, About: p.Description, Path: s.Base + SchemaPath(p.Name)}
	s.members(&v, "", p.Schema)
	return v
}

func (s *Surface) members(v *recordView, path string, of schema.Schema) {
	if of.Ref != "" {
		return // has a table of its own
	}
	for _, m := range append(slices.Clone(of.Properties), of.PatternProperties...) {
		name, one := path+m.Name, m.NotNull()
		if strings.ContainsAny(m.Name, `^$`) {
			name = path + strings.NewReplacer("^", "", "$", "", "[A-Z]{3}", "XXX").Replace(m.Name)
		}
		v.Rows = append(v.Rows, row{Name: name, About: one.Description, Form: s.words(one),
			Required: slices.Contains(of.Required, m.Name), Deprecated: one.Deprecated})
		switch {
		case one.Items != nil:
			s.members(v, name+"[].", *one.Items)
		case one.AdditionalProperties != nil && len(one.Properties) == 0:
			s.members(v, name+".*.", *one.AdditionalProperties)
			s.members(v, name+".", schema.Schema{PatternProperties: one.PatternProperties})
		case len(one.AnyOf) > 0 && one.Type == "":
			for _, either := range one.AnyOf {
				s.members(v, name+".", either)
			}
		default:
			s.members(v, name+".", one)
		}
	}
}

// words say of which form something is.
func (s *Surface) words(of schema.Schema) []word {
	of = of.NotNull()
	switch {
	case of.Ref != "":
		return []word{{formWords(of.Name()), of.Name()}}
	case of.Type == "" && len(of.AnyOf) > 0:
		list := s.words(of.AnyOf[0])
		for _, either := range of.AnyOf[1:] {
			list = append(append(list, word{Text: " or "}), s.words(either)...)
		}
		return list
	case len(of.Enum) > 20:
		return []word{{Text: fmt.Sprintf("one of %d codes", len(of.Enum))}}
	case len(of.Enum) > 0:
		return []word{{Text: strings.Join(of.Enum, ", ")}}
	case of.Type == "array" && of.Items != nil:
		list := append([]word{{Text: "list of "}}, s.words(*of.Items)...)
		if of.MaxItems > 0 {
			list = append(list, word{Text: fmt.Sprintf(", at most %d", of.MaxItems)})
		}
		return list
	case of.Type == "string" && of.Format != "":
		return []word{{Text: of.Format}}
	case of.Type == "string" && of.MaxLength > 0:
		return []word{{Text: fmt.Sprintf("text, at most %d characters", of.MaxLength)}}
	case of.Type == "integer" && of.Maximum > 0:
		return []word{{Text: fmt.Sprintf("%d to %d", of.Minimum, of.Maximum)}}
	}
	return []word{{Text: map[string]string{"string": "text", "boolean": "true or false", "integer": "whole " +
		"number"}[of.Type] +
		map[string]string{"object": "object", "number": "number", "array": "list"}[of.Type]}}
}

// formWords is the name of a schema as words: CrewMember is crew member.
func formWords(name string) string {
	return strings.ReplaceAll(strings.TrimSuffix(strings.TrimPrefix(SchemaPath(name), "/schemas/"), ".json"), "-", " ")
}

// stateWords say what each state is.
var stateWords = map[gangway.State]string{
	gangway.ApprovalRequired: "Seats are held, and an approver is asked.",
	gangway.Confirmed:        "Seats are held; no ticket is issued yet.",
	gangway.Issued:           "Tickets are issued.",
	gangway.ChangePending:    "Other flights are being arranged.",
	gangway.RefundPending:    "It is cancelled, and money is on its way back.",
	gangway.Cancelled:        "It is over: nothing, or nothing more, comes back.",
	gangway.Declined:         "It is over: approval was refused or never given.",
}

// lives are the states, each with the booking after every event that leads there, as it is pushed then.
func (s *Surface) lives() (views []stateView) {
	var samples list[example]
	for _, g := range s.groups {
		for _, c := range g.calls {
			if c.Spec == "B5" {
				samples = c.RequestBody.Content[0].Is.Examples
			}
		}
	}
	for _, state := range gangway.States {
		v := stateView{State: state, About: stateWords[state]}
		for _, e := range samples {
			var b struct {
				State    gangway.State
				Metadata struct {
					Before string `json:"previous_state"`
				}
			}
			if json.Unmarshal(e.Is.Body, &b) == nil && b.State == state {
				v.Samples = append(v.Samples, sampleView{Name: e.Name, About: e.Is.About, Body: e.Is.text(),
					From: cmp.Or(b.Metadata.Before, "new") + " → " + string(state)})
			}
		}
		views = append(views, v)
	}
	return views
}

func indented(doc []byte) string {
	var b bytes.Buffer
	if json.Indent(&b, doc, "", "  ") != nil {
		return string(doc)
	}
	return b.String()
}

// header writes the headers that go with a refusal.
func header(headers list[string]) (text string) {
	for _, h := range headers {
		text += h.Name + ": " + h.Is + "\n"
	}
	if text != "" {
		text += "\n"
	}
	return text
}

func slug(name string) string { return strings.ReplaceAll(strings.ToLower(name), " ", "-") }

// A table is rows with what they are of, for those who cannot see what stands above.
type table struct {
	What string
	Rows []row
}

// Table is rows of a call.
func (c callView) Table(what string, rows []row) table { return table{what + ": " + c.Title, rows} }

// Table is the members of the record.
func (r recordView) Table() table { return table{"Members of " + r.Name, r.Rows} }

// FormName is the form's name in words.
func (r row) FormName() string { return formWords(r.Name) }
