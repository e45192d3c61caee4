package mail

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	netmail "net/mail"
	"strings"

	"gangway/internal/transport/limit"

	"github.com/emersion/go-imap/v2"
	"github.com/wneessen/go-mail"
)

// Answer implements transport.Answerer. The answer goes to the address that the mail says it
// is from, which the feed allows, and to no other. When it went out that is noted, the mail is
// marked as answered, and is not answered again; if the program is killed between the server's
// last word and the note, the answer is sent again with the same Message-ID.
func (b *box) Answer(ctx context.Context, key, text string, sent func() error) error {
	if !b.settings.Answer || b.SMTP == nil {
		return nil
	}
	s, err := b.take(ctx)
	if err != nil {
		return err
	}
	if err := s.answer(ctx, key, text, sent); err != nil {
		s.cut()
		return err
	}
	b.idle.Keep(s, 1)
	return nil
}

func (s *session) answer(ctx context.Context, key, text string, sent func() error) error {
	uid, ok := s.uid(key)
	if !ok {
		return nil
	}
	about, err := s.info(ctx, uid)
	if err != nil || about == nil || about.answered || about.header.automatic() {
		return err
	}
	to, err := s.box.sender(about.header)
	if err != nil || strings.EqualFold(to, s.box.SMTP.From) {
		return nil // nobody whose mails are read
	}
	m, err := s.box.compose(s.box.messageID("answer", key), about.header, "Re: ", text)
	if err == nil {
		err = m.To((&netmail.Address{Address: to}).String())
	}
	if err != nil {
		return errors.New("an answer to this sender cannot be written")
	}
	var noted error
	if err := s.box.office.send(ctx, m, []string{to}, func() { noted = sent() }); err != nil {
		return fmt.Errorf("the answer cannot be sent: %w", err)
	}
	// The mark shows people that the mail was answered, and us if the note could not be made.
	return errors.Join(noted, s.do(ctx, limit.Patience, reply, func() error {
		return s.imap.Store(imap.UIDSetNum(uid), &imap.StoreFlags{Op: imap.StoreFlagsAdd, Silent: true,
			Flags: []imap.Flag{imap.FlagAnswered}}, nil).Close()
	}))
}

// messageID returns an identifier that is the same for the same mail of the same mailbox.
func (b *box) messageID(what, key string) string {
	sum := sha256.Sum256([]byte(strings.Join([]string{what, b.Host, b.User, b.Mailbox, key}, "\x00")))
	_, domain, _ := strings.Cut(b.address(), "@")
	return fmt.Sprintf("<%x@%s>", sum[:16], domain)
}

// address is what our mails are from.
func (b *box) address() string {
	if b.SMTP != nil {
		return b.SMTP.From
	}
	return "gangway@gangway.invalid" // only seen in the customer's own mailbox
}

// compose writes a mail about another. Nothing of the other gets into a header but one line
// of its subject, and its identifiers.
func (b *box) compose(id string, about header, prefix, text string) (*mail.Msg, error) {
	m := mail.NewMsg()
	if err := m.From(b.address()); err != nil {
		return nil, err
	}
	m.SetDate()
	m.SetMessageIDWithValue(strings.Trim(id, "<>"))
	m.Subject(prefix + about.subject())
	m.SetGenHeader("Auto-Submitted", "auto-replied")
	if ids := about.ids("Message-Id"); len(ids) > 0 {
		before := about.ids("References")
		if len(before) == 0 {
			before = about.ids("In-Reply-To")
		}
		m.SetGenHeaderPreformatted("In-Reply-To", ids[0])
		m.SetGenHeaderPreformatted("References", strings.Join(append(before, ids[0]), "\r\n "))
	}
	m.SetBodyString(mail.TypeTextPlain, strings.ToValidUTF8(text, "�"))
	return m, nil
}
