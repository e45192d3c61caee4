package describe

import (
	"bytes"
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
func (s Surface) Page() (page []byte, policy string) {
	view := pageView{Surface: s, About: about, Style: template.CSS(pageStyle), Lives: lives(s)}
	for _, g := range s.Groups {
		view.Parts = append(view.Parts, s.part(g))
	}
	for _, one := range s.Schemas {
		if one.Type == "object" && len(one.Properties) > 0 {
			view.Records = append(view.Records, s.record(one))
		} else {
			view.Forms = append(view.Forms, row{Name: one.Name, Form: s.words(one.Schema), About: one.Description})
		}
	}
	for _, same := range byStatus(slices.SortedStableFunc(slices.Values(s.Refusals),
		func(a, b Refusal) int { return a.Status - b.Status })) {
		e := errorView{Status: same[0].Status, Title: http.StatusText(same[0].Status)}
		for _, r := range same {
			e.Samples = append(e.Samples, sampleView{Name: r.Name, About: r.About,
				Body: header(r.Header) + indented(r.Body)})
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
		Surface
		About   string
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
		Call
		Host              string
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
		Cases  []Refusal
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

func (s Surface) part(g Group) partView {
	p := partView{ID: slug(g.Name), Name: g.Name, About: g.About}
	for _, c := range g.Calls {
		v := callView{Call: c, Host: s.Base, Query: s.rows(c.Parameters), Sent: s.rows(c.Headers),
			SamplesElsewhere: c.Ours && len(c.Body) > 0}
		switch {
		case c.Ours:
			v.Host = "{customer_url}"
		case c.Server != "":
			v.Host = c.Server
		}
		for _, m := range c.Body {
			v.Types = append(v.Types, m.Type)
			v.Record = recordOf(m.Schema, v.Record)
		}
		if !c.Ours {
			v.Samples = append(v.Samples, sampleView{Name: c.ID, About: "Request", Open: true,
				Body: s.curl(c, v.Host+c.Path)})
			v.Samples = append(v.Samples, c.otherBodies()...)
		}
		for _, a := range c.Answers {
			v.Answered = append(v.Answered, s.answered(a)...)
		}
		if c.Faults == nil {
			for _, same := range byStatus(s.refusalsOf(c)) {
				v.Refused = append(v.Refused, statusView{same[0].Status, http.StatusText(same[0].Status), same})
			}
		} else {
			e := c.Faults[0].Examples[0]
			v.Answered = append(v.Answered, sampleView{About: "A fault", Body: fmt.Sprint(e.Body)})
		}
		p.Calls = append(p.Calls, v)
	}
	return p
}

// otherBodies are the samples of a call's body besides the first.
func (c Call) otherBodies() (list []sampleView) {
	for i, m := range c.Body {
		for j, e := range m.Examples {
			if i+j > 0 {
				list = append(list, sampleView{About: e.About + " as " + m.Type, Body: e.text()})
			}
		}
	}
	return list
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

func (s Surface) answered(a Answer) (list []sampleView) {
	status := fmt.Sprintf("%d %s", a.Status, http.StatusText(a.Status))
	for _, m := range a.Body {
		for _, e := range m.Examples {
			list = append(list, sampleView{About: status + ": " + e.About, Body: e.text(), Open: len(a.Body) == 1})
		}
		if value := s.example(m.Schema); len(m.Examples) == 0 && value != nil {
			list = append(list, sampleView{About: status, Body: indented(schema.Write(value)), Open: true})
		}
	}
	if list == nil {
		list = append(list, sampleView{About: status + ". " + a.About})
	}
	return list
}

func (s Surface) example(of *schema.Schema) any {
	if of == nil {
		return nil
	}
	return s.Schemas.Example(*of)
}

// curl writes a request as people type it.
func (s Surface) curl(c Call, address string) string {
	query := url.Values{}
	for _, p := range c.Parameters {
		if p.Example != "" {
			query.Set(p.Name, p.Example)
		}
	}
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	var b strings.Builder
	b.WriteString("curl -sS")
	if c.Method != http.MethodGet && len(c.Body) == 0 {
		b.WriteString(" -X " + c.Method)
	}
	b.WriteString(" '" + address + "'")
	if !c.Open && c.Server == "" {
		b.WriteString(" \\\n  -H 'X-Api-Key: gw_test_…'")
	}
	if len(c.Body) == 0 {
		return b.String()
	}
	m := c.Body[0]
	if c.Server != "" { // a form
		for _, field := range m.Examples[0].Body.(schema.Object) {
			fmt.Fprintf(&b, " \\\n  --data-urlencode '%s=%s'", field.Name, field.Value)
		}
		return b.String()
	}
	b.WriteString(" \\\n  -H 'Content-Type: " + m.Type + "'")
	return b.String() + " -d '" + m.Examples[0].text() + "'"
}

func (s Surface) rows(list []Parameter) (rows []row) {
	for _, p := range list {
		rows = append(rows, row{Name: p.Name, About: p.About, Form: s.words(p.Schema), Required: p.Required})
	}
	return rows
}

// record is a schema as a table: a row for each member at any depth.
func (s Surface) record(p schema.Property) recordView {
	v := recordView{Name: p.Name, About: p.Description, Path: s.Base + SchemaPath(p.Name)}
	s.members(&v, "", p.Schema)
	return v
}

func (s Surface) members(v *recordView, path string, of schema.Schema) {
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
func (s Surface) words(of schema.Schema) []word {
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

// lives are the states, each with the booking after every event that leads there.
func lives(s Surface) (list []stateView) {
	samples := BookingSamples()
	for _, state := range gangway.States {
		v := stateView{State: state, About: stateWords[state]}
		for _, b := range samples {
			if b.After != state {
				continue
			}
			was := "new"
			if b.Before != gangway.None {
				was = string(b.Before)
			}
			v.Samples = append(v.Samples, sampleView{Name: string(b.Event), About: b.About, Body: indented(b.Body),
				From: was + " → " + string(b.After)})
		}
		list = append(list, v)
	}
	return list
}

func indented(doc []byte) string {
	var b bytes.Buffer
	if json.Indent(&b, doc, "", "  ") != nil {
		return string(doc)
	}
	return b.String()
}

// header writes the headers that go with a refusal.
func header(h http.Header) string {
	var b bytes.Buffer
	h.Write(&b)
	if b.Len() > 0 {
		b.WriteString("\n")
	}
	return strings.ReplaceAll(b.String(), "\r\n", "\n")
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
