package transport

import "context"

// A Mailer sends mails by the operator's mail server. It may be used by several goroutines.
type Mailer interface {
	// CheckFrom returns Invalid, with the reason, unless mails may be from an address.
	CheckFrom(address string) error

	// Mail hands a mail to the server. After an error it may have arrived or not, and may be sent
	// again: with the same ID it is the same mail. An error is a sentence for people.
	Mail(ctx context.Context, m Mail) error
}

// A Mail is one to be sent.
type Mail struct {
	ID      string   // what its Message-ID begins with, before the @; empty: one of its own
	From    string   // empty: the operator's address; another one must pass CheckFrom
	To      []string // addresses, at least one
	Subject string
	Text    string
	File    Outgoing // that is attached; without a name none is
}
