package transporttest

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"net"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"

	"gangway/internal/calltest"
)

// An SMTPServer is one in this process, with one user, which keeps what it is given. It takes no envelope but one
// that is as RFC 5321 wants it.
type SMTPServer struct {
	Port           int
	User, Password string
	CA             string

	// HangsUp says that it ends a connection as soon as it has accepted a mail.
	HangsUp atomic.Bool

	// Refuses says that it takes no mail for now.
	Refuses atomic.Bool

	mu    sync.Mutex
	mails []string
	path  string // the last command that had one
}

// envelope is what RFC 5321 wants an envelope's commands to be.
var envelope = regexp.MustCompile(`^(MAIL FROM|RCPT TO):<([^<>"@ ]+|"[^"]+")@[^<>"@ ]+>( [A-Z0-9]+(=[A-Z0-9]+)?)*$`)

// Write implements io.Writer for what is said.
func (s *SMTPServer) Write(said []byte) (int, error) {
	for line := range strings.Lines(string(said)) {
		if strings.HasPrefix(line, "MAIL FROM") || strings.HasPrefix(line, "RCPT TO") {
			s.mu.Lock()
			s.path = strings.TrimSpace(line)
			s.mu.Unlock()
		}
	}
	return len(said), nil
}

// strict returns an error unless the last path is as it has to be.
func (s *SMTPServer) strict() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !envelope.MatchString(s.path) {
		return &smtp.SMTPError{Code: 555, EnhancedCode: smtp.EnhancedCode{5, 5, 2}, Message: "Syntax error: " + s.path}
	}
	return nil
}

// ServeSMTP starts one, with TLS from the first byte or when it is asked for.
func ServeSMTP(t testing.TB, fromTheFirst bool) *SMTPServer {
	t.Helper()
	authority := calltest.Must(NewAuthority())(t)
	pair, err := tls.X509KeyPair(pems(authority.Issue(t, time.Now().Add(time.Hour), x509.ExtKeyUsageServerAuth)))
	calltest.Done(t, err)
	s := &SMTPServer{User: "crew", Password: "ebb-tables", CA: authority.Certificate}
	server := smtp.NewServer(smtp.BackendFunc(func(conn *smtp.Conn) (smtp.Session, error) {
		return &smtpSession{s: s, conn: conn}, nil
	}))
	server.Domain, server.Debug = "localhost", s
	server.TLSConfig = &tls.Config{Certificates: []tls.Certificate{pair}}
	listener := calltest.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	s.Port = listener.Addr().(*net.TCPAddr).Port
	if fromTheFirst {
		listener = tls.NewListener(listener, server.TLSConfig)
	}
	go server.Serve(listener)
	t.Cleanup(func() { server.Close() })
	return s
}

// Mails are what it has accepted: each sender and receiver, a line, and the mail.
func (s *SMTPServer) Mails() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string{}, s.mails...)
}

type smtpSession struct {
	s        *SMTPServer
	conn     *smtp.Conn
	in, took bool
	envelope string
}

func (c *smtpSession) AuthMechanisms() []string { return []string{sasl.Plain} }

func (c *smtpSession) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, user, password string) error {
		if user != c.s.User || password != c.s.Password {
			return &smtp.SMTPError{Code: 535, Message: c.s.Password + " is the password"} // which nobody may repeat
		}
		c.in = true
		return nil
	}), nil
}

func (c *smtpSession) Mail(from string, _ *smtp.MailOptions) error {
	if !c.in || c.s.Refuses.Load() {
		return smtp.ErrAuthRequired
	}
	c.envelope = from
	return c.s.strict()
}

func (c *smtpSession) Rcpt(to string, _ *smtp.RcptOptions) error {
	c.envelope += " " + to
	return c.s.strict()
}

func (c *smtpSession) Data(r io.Reader) error {
	text, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	c.s.mails = append(c.s.mails, c.envelope+"\n"+string(text))
	c.took = true
	return nil
}

// Reset is called when a mail was accepted, too.
func (c *smtpSession) Reset() {
	if c.took && c.s.HangsUp.Load() {
		c.conn.Conn().Close()
	}
}

func (c *smtpSession) Logout() error { return nil }
