package mail

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	netmail "net/mail"
	"net/textproto"
	"sync"
	"time"

	"gangway/internal/transport"
	"gangway/internal/transport/limit"

	"github.com/wneessen/go-mail"
	"github.com/wneessen/go-mail/smtp"
)

// finishing is for how long a mail that is being sent may still be sent when the program is
// asked to end: cut off after its last line, nobody knows whether the server has accepted it.
const finishing = 5 * time.Second

// An office is an SMTP server that mails are handed to.
type office struct {
	server
	from    string // of the envelope
	secrets []string
	tls     *tls.Config
	dial    func(ctx context.Context, network, address string) (net.Conn, error)
}

// send hands a mail to the server, and calls accepted as soon as the server has accepted it for all.
func (o *office) send(ctx context.Context, m *mail.Msg, to []string, accepted func()) error {
	return o.talk(ctx, func(ctx context.Context, server *smtp.Client) error {
		return handOver(ctx, server, o.from, to, m)
	}, accepted)
}

// talk connects to the server, signs in where it has to, does the rest, and calls done once that is done.
func (o *office) talk(ctx context.Context, rest func(context.Context, *smtp.Client) error, done func()) error {
	if err := ctx.Err(); err != nil {
		return o.say(err)
	}
	ctx, cancel := outlast(ctx, finishing)
	defer cancel()
	p := &postman{office: o}
	client, err := mail.NewClient(o.Host, p.options()...)
	if err != nil {
		return errors.New("smtp cannot be used as it is set")
	}
	sent := false
	err = limit.Do(ctx, 2*limit.Patience, p.cut, func() error {
		server, err := client.DialToSMTPClientWithContext(ctx)
		if err == nil {
			err = server.UpdateDeadline(limit.Patience)
		}
		if err == nil {
			err = rest(ctx, server)
		}
		if err != nil {
			return err
		}
		sent = true
		done()
		server.Quit() // whatever it says to that, it has the mail
		return nil
	})
	p.cut()
	if sent {
		return nil
	}
	return o.say(err)
}

// handOver sends a mail over a connection that is signed in.
func handOver(ctx context.Context, server *smtp.Client, from string, to []string, m *mail.Msg) error {
	if err := server.Mail(bracketed(from)); err != nil {
		return err
	}
	for _, address := range to {
		if err := server.Rcpt(bracketed(address)); err != nil {
			return err
		}
	}
	w, err := server.Data()
	if err != nil {
		return err
	}
	if _, err := m.WriteTo(w); err != nil {
		return err
	}
	if !transport.Held(ctx)() {
		return transport.ErrNotHeld // the connection is cut before the mail's end
	}
	return w.Close() // the server accepts the mail, or does not
}

// bracketed is an address as an envelope has it (RFC 5321, section 4.1.2): in angle brackets, with quotation marks
// around what is before the @ where that needs them. The library adds neither.
func bracketed(address string) string { return (&netmail.Address{Address: address}).String() }

// outlast returns a context that ends some time after ctx does.
func outlast(ctx context.Context, by time.Duration) (context.Context, context.CancelFunc) {
	longer, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		timer := time.AfterFunc(by, cancel)
		context.AfterFunc(longer, func() { timer.Stop() })
	})
	return longer, func() {
		stop()
		cancel()
	}
}

// A postman connects to the server for mails that go out.
type postman struct {
	office *office

	mu   sync.Mutex
	conn net.Conn
}

// dial connects, within the server's limits.
func (p *postman) dial(ctx context.Context, network, address string) (net.Conn, error) {
	raw, err := p.office.dial(ctx, network, address)
	if err != nil {
		return nil, err
	}
	limited := limit.NewConn(raw)
	limited.Allow(reply, reply)
	p.mu.Lock()
	p.conn = raw
	p.mu.Unlock()
	if p.office.TLS == implicit {
		return tls.Client(limited, p.office.tls), nil
	}
	return limited, nil
}

// cut ends the connection.
func (p *postman) cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.conn != nil {
		p.conn.Close()
	}
}

// policies are when TLS is begun on a connection without it.
var policies = map[string]mail.TLSPolicy{implicit: mail.TLSMandatory, startTLS: mail.TLSMandatory,
	ifOffered: mail.TLSOpportunistic, withoutTLS: mail.NoTLS}

func (p *postman) options() []mail.Option {
	s := p.office
	options := []mail.Option{mail.WithPort(s.Port), mail.WithTLSConfig(s.tls), mail.WithTimeout(limit.Patience),
		mail.WithDialContextFunc(p.dial), mail.WithTLSPolicy(policies[s.TLS]), mail.WithHELO("gangway")}
	if s.TLS == implicit {
		options = append(options, mail.WithSSL())
	}
	if s.User != "" {
		kind := mail.SMTPAuthAutoDiscover
		if s.TLS == implicit {
			kind = mail.SMTPAuthPlainNoEnc // the library does not see that its connection is encrypted
		}
		options = append(options, mail.WithSMTPAuth(kind), mail.WithUsername(s.User), mail.WithPassword(s.Password))
	}
	return options
}

// say makes a sentence of why a mail was not accepted, without secrets.
func (o *office) say(err error) error {
	var refused *textproto.Error
	if !errors.As(err, &refused) {
		return limit.Unreachable(err, o.secrets...)
	}
	words := limit.Words(fmt.Sprint(refused.Code, " ", refused.Msg), o.secrets...)
	const notSignedIn, wrongPassword = 530, 535
	if refused.Code == notSignedIn || refused.Code == wrongPassword {
		return fmt.Errorf("the SMTP server does not let the user %q in: it says %q", o.User, words)
	}
	return fmt.Errorf("the SMTP server refused it: it says %q", words)
}
