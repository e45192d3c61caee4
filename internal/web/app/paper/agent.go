package paper

import (
	"bytes"
	"context"
	"encoding/csv"
	"net/http"
	"slices"
	"strings"
	"time"

	"gangway/internal/book"
	"gangway/internal/gangway"
	"gangway/internal/itinerary"
	"gangway/internal/store"
	"gangway/internal/transport"
	"gangway/internal/web/app/flights"
	"gangway/internal/web/app/shell"
)

// An agentPage is the list of a crew change's flights for the ship's agent.
type agentPage struct {
	subject
	document
	Rows    []itinerary.Row // marked since the list before
	Changes int
	Agent   gangway.PortAgent
	Lists   []store.AgentList
	Mails   bool   // a mail server is set up
	Admin   bool   // may list addresses
	To      string // what was typed
	Ask     string // the addresses that are to be confirmed
	Wrong   string
}

// agentList makes the list.
func (room *Room) agentList(r *http.Request, in store.Scoped) (agentPage, error) {
	v, _ := shell.VisitorOf(r.Context())
	p := agentPage{subject: subject{Change: r.FormValue("change")}, Mails: room.mailer != nil,
		Admin: v.User.Role.May(gangway.ToAdminister)}
	crew, err := book.CrewBookedOf(r.Context(), in, p.Change)
	if err != nil {
		return p, err
	}
	if p.Agent, err = in.PortAgent(r.Context(), crew.Place); err != nil {
		return p, err
	}
	if p.Lists, err = in.AgentLists(r.Context(), p.Change); err != nil {
		return p, err
	}
	p.document = crewDocument(crew, v.Account, p.Agent, false, in.Now(room.Now()))
	p.Unreal = p.Unreal || v.Account.Environment == gangway.Development
	for _, t := range p.Trips {
		b := crew.List[slices.IndexFunc(crew.List, func(b book.BookedMember) bool { return b.ID == t.Booking })]
		state := flights.StateWords(b.State)
		if b.Misfit != "" {
			state += ", not to plan"
		}
		p.Rows = append(p.Rows, itinerary.RowOf(t, b.Booking, book.RankOf(b.Booking), state))
	}
	for _, m := range crew.Missing {
		p.Rows = append(p.Rows, itinerary.Unbooked(m))
	}
	if i := slices.IndexFunc(p.Lists, func(l store.AgentList) bool { return l.Rows != nil }); i >= 0 {
		p.Rows = itinerary.Since(p.Rows, p.Lists[i].Rows)
	}
	for _, row := range p.Rows {
		if row.Mark != itinerary.Same {
			p.Changes++
		}
	}
	p.To = strings.Join(p.Agent.Mail, ", ")
	return p, nil
}

// csv returns the list's rows with their marks, of which no cell starts a formula.
func (p agentPage) csv() (head []string, rows [][]string) {
	for _, row := range p.Rows {
		cells := append(append([]string{string(row.Mark)}, row.Cells...), p.Title)
		if p.Unreal {
			cells[len(cells)-1] += " · " + itinerary.Unreal
		}
		for i := range cells {
			cells[i] = gangway.Harmless(cells[i])
		}
		rows = append(rows, cells)
	}
	return append(append([]string{"Since the last list"}, itinerary.Columns...), "Crew change"), rows
}

// AgentList shows the list for the ship's agent.
func (room *Room) AgentList(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	if r.FormValue("change") == "" {
		return room.Redirect(w, r, "/crew-changes")
	}
	p, err := room.agentList(r, in)
	if err != nil {
		return err
	}
	return room.showAgent(w, r, p)
}

func (room *Room) showAgent(w http.ResponseWriter, r *http.Request, p agentPage) error {
	status := http.StatusOK
	if p.Wrong+p.Ask != "" {
		status = http.StatusUnprocessableEntity
	}
	answer := p.answer
	if len(p.Lists) > 0 {
		answer += " · " + shell.Plural(p.Changes, "change", "changes") + " since the last list"
	}
	return room.Show(w, r, shell.Page{Template: "agent", Section: "crew-changes", Title: "Agent’s list · " + p.Title,
		Answer: answer, Status: status, Data: p})
}

// AgentListCSV sends the list as a file.
func (room *Room) AgentListCSV(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	p, err := room.agentList(r, in)
	if err != nil {
		return err
	}
	head, rows := p.csv()
	return room.Export(w, r, in, shell.Export{What: gangway.BookingsExported, Name: "agent-list", Columns: head,
		Filters: map[string]any{"agent_list": true},
		Next:    func(context.Context) ([][]string, bool, error) { return rows, false, nil }})
}

// SendAgentList mails the list. Addresses that no admin has listed for the port are asked about first.
func (room *Room) SendAgentList(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	p, err := room.agentList(r, in)
	if err != nil {
		return err
	}
	p.To = r.FormValue("to")
	to, err := gangway.ReadMailTos(p.To)
	switch unlisted := strings.Join(p.Agent.Unlisted(to), ", "); {
	case !p.Mails:
		p.Wrong = "No mail server is set up: download the list, and send it yourself."
	case err != nil:
		p.Wrong = shell.SentenceOf(err)
	case len(to) == 0:
		p.Wrong = "Enter the agent’s e-mail address."
	case unlisted != "" && r.FormValue("confirmed") != unlisted:
		p.Ask = unlisted
	}
	if p.Wrong+p.Ask != "" {
		return room.showAgent(w, r, p)
	}
	return room.Once(w, r, in, func(r *http.Request) (shell.Done, error) {
		return shell.Done{To: "/agent?" + p.Query().Encode(), Said: "The list was sent."}, room.send(r, in, p, to)
	})
}

// send notes the list, mails it, and notes what became of it.
func (room *Room) send(r *http.Request, in store.Scoped, p agentPage, to []string) error {
	v, _ := shell.VisitorOf(r.Context())
	l := store.AgentList{ID: store.NewID("lst"), Change: p.Change, Stamp: gangway.StampOf(v.User, room.Now()), To: to,
		Rows: map[string]string{}}
	for _, row := range p.Rows {
		if row.Booking != "" && row.Mark != itinerary.Removed {
			l.Rows[row.Booking] = row.Words()
		}
	}
	mail := transport.Mail{ID: l.ID, To: to, Subject: "Crew flights: " + p.Title,
		Text: itinerary.MailText(p.Paper, p.Rows) + "\nSent by " + gangway.MailName(v.User.Name) + ", " +
			gangway.MailName(v.Account.Customer.Name) + ". Please answer to " + v.User.Email + ".\n"}
	if p.Unreal {
		mail.Subject = "Not real: " + mail.Subject
	}
	var file bytes.Buffer
	out := csv.NewWriter(&file)
	out.UseCRLF = true
	head, rows := p.csv()
	out.Write(head)
	out.WriteAll(rows)
	mail.File = transport.Outgoing{Name: "crew-flights.csv", Type: "text/csv; charset=utf-8", Body: file.Bytes()}
	if err := in.BeginList(r.Context(), room.Actor(r), l); err != nil {
		return err
	}
	outcome := store.ListTaken
	err := room.mailer.Mail(r.Context(), mail)
	if err != nil {
		room.Log.WarnContext(r.Context(), "an agent's list was not taken by the mail server", "list", l.ID, "because",
			err)
		outcome = store.ListFailed
		err = gangway.Errorf(gangway.Unavailable, "the mail server did not confirm the list: send it again")
	}
	lasting, stop := context.WithTimeout(context.WithoutCancel(r.Context()), 10*time.Second)
	defer stop()
	if noted := in.EndList(lasting, l.ID, outcome); noted != nil {
		return noted
	}
	return err
}

// KeepAgent names the ship's agent in a port, and the addresses that lists may be sent to.
func (room *Room) KeepAgent(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	mail, err := gangway.ReadMailTos(r.FormValue("mail"))
	if err != nil {
		return err
	}
	a := gangway.PortAgent{Port: gangway.Place(r.FormValue("port")), Name: strings.TrimSpace(r.FormValue("name")),
		Phone: strings.TrimSpace(r.FormValue("phone")), Mail: mail}
	return room.Once(w, r, in, func(r *http.Request) (shell.Done, error) {
		return shell.Done{To: "/agent?" + subjectOf(r).Query().Encode(), Said: "The agent at " +
			flights.PlaceLabel(a.Port) + " was saved."}, in.SetPortAgent(r.Context(), room.Actor(r), a, room.Now())
	})
}
