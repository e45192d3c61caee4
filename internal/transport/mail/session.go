package mail

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"time"

	"gangway/internal/transport/limit"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
)

const reply = 1 << 20 // how much a server may say about one command

// A session is a connection to the server, signed in and with the mailbox selected.
type session struct {
	box      *box
	conn     *limit.Conn
	imap     *imapclient.Client
	validity uint32 // of the mailbox's numbers
	mails    uint32
}

// do sends commands, in answer to which so much may come.
func (s *session) do(ctx context.Context, long time.Duration, bytes int64, what func() error) error {
	s.conn.Allow(bytes, bytes)
	err := limit.Do(ctx, long, s.cut, what)
	if err != nil && s.conn.Over() {
		return limit.ErrTooMuch
	}
	return s.box.say(err)
}

// Close implements io.Closer. Whoever is cut off is not told.
func (s *session) Close() error { return s.conn.Conn.Close() }

func (s *session) cut() { _ = s.Close() }

// take returns the session that rests, or a new one.
func (b *box) take(ctx context.Context) (*session, error) {
	if s, ok := b.idle.Take(); ok {
		return s, nil
	}
	return b.connect(ctx)
}

func (b *box) connect(ctx context.Context) (*session, error) {
	within, cancel := context.WithTimeout(ctx, limit.Patience)
	defer cancel()
	raw, err := b.dial(within, "tcp", net.JoinHostPort(b.Host, strconv.Itoa(b.Port)))
	if err != nil {
		return nil, b.say(err)
	}
	s := &session{box: b, conn: limit.NewConn(raw)}
	err = s.do(ctx, limit.Patience, reply, func() (err error) {
		if b.TLS == startTLS {
			s.imap, err = imapclient.NewStartTLS(s.conn, &imapclient.Options{TLSConfig: b.imapTLS.Clone()})
			if err != nil {
				return fmt.Errorf("%w: %w", errGreeting, err)
			}
		} else {
			secure := tls.Client(s.conn, b.imapTLS)
			if err = secure.HandshakeContext(ctx); err == nil {
				s.imap = imapclient.New(secure, nil)
				err = s.imap.WaitGreeting()
			}
		}
		if err != nil {
			return err
		}
		if err := s.imap.Login(b.User, b.Password).Wait(); err != nil {
			return fmt.Errorf("%w: %w", errSignIn, err)
		}
		return s.selectMailbox(b.Mailbox)
	})
	if err != nil {
		s.cut()
		return nil, err
	}
	return s, nil
}

// selectMailbox is called within do.
func (s *session) selectMailbox(name string) error {
	selected, err := s.imap.Select(name, nil).Wait()
	if err != nil {
		return fmt.Errorf("%w: %w", errNoMailbox, err)
	}
	s.validity, s.mails = selected.UIDValidity, selected.NumMessages
	return nil
}

var (
	errSignIn    = errors.New("the server does not let the user in")
	errNoMailbox = errors.New("there is no such mailbox")
	errGreeting  = errors.New("the server does not begin TLS")
)

// say makes a sentence of what went wrong, without secrets.
func (b *box) say(err error) error {
	var refused *imap.Error
	words := "nothing"
	if errors.As(err, &refused) {
		words = limit.Words(refused.Text, b.secrets()...)
	}
	switch {
	case err == nil:
		return nil
	case errors.Is(err, errSignIn) && refused != nil:
		return fmt.Errorf("the server does not let the user %q in: it says %q", b.User, words)
	case errors.Is(err, errNoMailbox) && refused != nil:
		return fmt.Errorf("the mailbox %q cannot be opened: the server says %q", b.Mailbox, words)
	case refused != nil:
		return fmt.Errorf("the server refused it: it says %q", words)
	case b.TLS == implicit && errors.As(err, new(tls.RecordHeaderError)):
		return errors.New("the server does not speak TLS at this port from the first byte; where it begins TLS when " +
			`it is asked to, tls is "starttls"`)
	case errors.Is(err, errGreeting) && isEOF(err):
		return errors.New("the server closed the connection before it began TLS; where it has TLS from the first " +
			`byte, tls is "implicit"`)
	case isEOF(err):
		return errors.New("the server closed the connection")
	}
	return limit.Unreachable(err, b.secrets()...)
}

// isEOF reports whether a connection has ended; the library does not wrap that everywhere.
func isEOF(err error) bool { return errors.Is(err, io.EOF) || strings.HasSuffix(err.Error(), "EOF") }

func (b *box) secrets() []string {
	if b.SMTP != nil {
		return []string{b.Password, b.SMTP.Password}
	}
	return []string{b.Password}
}
