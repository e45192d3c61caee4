package mail

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	netmail "net/mail"
	"strings"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/transport"
)

// Outlet is mail for outlets: each document is attached to a mail of its own.
var Outlet = transport.Kind{
	Name:     "mail",
	About:    "files attached to mails, which the operator's mail server sends",
	Settings: sent,
	Example:  `{"to": "crewing@example.com", "subject": "Flights"}`,
	Send: func(raw json.RawMessage, o transport.Options) (transport.Sender, error) {
		return newSender(raw, o)
	},
	Reach: reach,
}

var sent = []transport.Setting{
	{Name: "to", Type: transport.Texts, Required: true, About: "the addresses; in one text with commas between them",
		Example: `"crewing@example.com"`},
	{Name: "from", Type: transport.Text, About: "an address of the domain that the operator's mails come from: from " +
		"any other they would pass for forged; left out: the operator's",
		Example: `"Flights <flights@gangway.example>"`},
	{Name: "subject", Type: transport.Text, About: "the same of every mail, at most 200 letters; left out: the name " +
		"of the file", Example: `"Flights"`},
}

var (
	errTo   = gangway.Errorf(gangway.Invalid, "to must have addresses like crewing@example.com")
	errFrom = gangway.Errorf(gangway.Invalid, "from must be an address like flights@example.com")

	errUnjudged = gangway.Errorf(gangway.Invalid, "from must be an address of the domain that the operator's mails "+
		"come from, which is not known here: give --smtp and --mail-from as serve has them, or leave from out")
	errNoMailer = errors.New("nothing was sent: no mail server is named here (--smtp and --mail-from, or " +
		"GANGWAY_SMTP and GANGWAY_MAIL_FROM: commands need them as serve has them)")
)

// longestSubject is how many letters the subject of a mail has at most.
const longestSubject = 200

// mostReceivers is how many addresses one outlet sends to.
const mostReceivers = 50

// A sender is a transport.Sender of mails.
type sender struct {
	mailer  transport.Mailer
	to      []string
	from    string
	subject string
}

// newSender reads settings.
func newSender(raw json.RawMessage, o transport.Options) (*sender, error) {
	var set struct {
		To            json.RawMessage
		From, Subject string
	}
	if err := (transport.Kind{Settings: sent}).Read(raw, &set); err != nil {
		return nil, err
	}
	var to []string
	if json.Unmarshal(set.To, &to) != nil {
		to = make([]string, 1)
		if json.Unmarshal(set.To, &to[0]) != nil {
			return nil, errTo
		}
	}
	s := &sender{mailer: o.Mailer, from: set.From, subject: set.Subject}
	list, err := netmail.ParseAddressList(strings.Join(to, ", "))
	if err != nil {
		return nil, errTo
	}
	for _, a := range list {
		s.to = append(s.to, a.String())
	}
	if len(s.to) > mostReceivers {
		return nil, gangway.Errorf(gangway.Invalid, "to must have at most %d addresses", mostReceivers)
	}
	if len([]rune(s.subject)) > longestSubject {
		return nil, gangway.Errorf(gangway.Invalid, "subject must have at most %d letters", longestSubject)
	}
	if s.from == "" {
		return s, nil
	}
	if _, err := netmail.ParseAddress(s.from); err != nil {
		return nil, errFrom
	}
	if s.mailer != nil {
		err = s.mailer.CheckFrom(s.from)
	}
	return s, err
}

// reach implements transport.Kind.Reach.
func reach(_ context.Context, raw json.RawMessage, o transport.Options, _ time.Time) (warnings []string, err error) {
	s, err := newSender(raw, o)
	switch {
	case err != nil:
		return nil, err
	case s.mailer == nil && s.from != "":
		return nil, errUnjudged
	case s.mailer == nil:
		warnings = append(warnings, "mails go by the mail server that serve is given with --smtp and --mail-from; "+
			"until it is, they wait")
	}
	return warnings, nil
}

// Send implements transport.Sender. A mail that is sent again has the Message-ID that it had.
func (s *sender) Send(ctx context.Context, d transport.Outgoing) (transport.Answer, error) {
	if s.mailer == nil {
		return transport.Answer{}, errNoMailer
	}
	err := s.mailer.Mail(ctx, transport.Mail{ID: d.ID, From: s.from, To: s.to, Subject: cmp.Or(s.subject, d.Name),
		Text: "What happened is in the file that is attached, " + d.Name + ".\n", File: d})
	if err != nil {
		return transport.Answer{}, err
	}
	return transport.Answer{Status: http.StatusOK, Body: []byte("The mail server has accepted it.")}, nil
}
