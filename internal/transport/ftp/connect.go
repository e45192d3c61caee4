package ftp

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/textproto"
	"strconv"
	"strings"

	"gangway/internal/transport/limit"

	"github.com/jlaffaye/ftp"
)

// reply is how much a server may say about one command.
const reply = 64 << 10

// connect signs in and returns the folder.
func (s *server) connect(ctx context.Context) (*folder, error) {
	f := &folder{server: s}
	if err := f.connect(ctx); err != nil {
		f.Close()
		return nil, s.say(err)
	}
	return f, nil
}

// connect makes the connection over which commands are sent, and goes to the folder.
func (f *folder) connect(ctx context.Context) error {
	s := f.server
	f.mu.Lock()
	f.control = nil
	f.mu.Unlock()
	f.ctx = ctx
	if s.tls != nil {
		// Many servers let a data connection in only if it resumes the TLS session of the
		// connection that asked for it, and of no other.
		f.tls = s.tls.Clone()
		f.tls.ClientSessionCache = tls.NewLRUClientSessionCache(4)
	}
	options := []ftp.DialOption{ftp.DialWithDialFunc(f.dial)}
	switch s.TLS {
	case explicit:
		options = append(options, ftp.DialWithExplicitTLS(f.tls))
	case implicit:
		options = append(options, ftp.DialWithTLS(f.tls))
	}
	return limit.Do(ctx, limit.Patience, f.cut, func() (err error) {
		if f.ftp, err = ftp.Dial(net.JoinHostPort(s.Host, strconv.Itoa(s.Port)), options...); err != nil {
			if refused := (*textproto.Error)(nil); s.TLS == explicit && errors.As(err, &refused) {
				return fmt.Errorf("%w: %w", errNoTLS, err)
			}
			return err
		}
		f.allow()
		if err := f.ftp.Login(s.User, s.Password); err != nil {
			return signInError(err)
		}
		if s.Path == "" {
			return nil
		}
		f.allow()
		if err := f.ftp.ChangeDir(s.Path); err != nil {
			return fmt.Errorf("%w: %w", errNoFolder, err)
		}
		return nil
	})
}

// signInError marks what a server says to a user whom it does not let in. To a user's name the
// library repeats it without its code.
func signInError(err error) error {
	var refused *textproto.Error
	var certificate *tls.CertificateVerificationError
	switch {
	case errors.As(err, &refused) && refused.Code != ftp.StatusNotLoggedIn, errors.As(err, new(net.Error)),
		errors.As(err, &certificate), errors.As(err, new(tls.RecordHeaderError)), errors.Is(err, io.EOF),
		errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, limit.ErrTooMuch), errors.Is(err, ftp.ErrInvalidCommand):
		return err
	}
	return fmt.Errorf("%w: %w", errSignIn, err)
}

// dial is called for the connection of commands, which is the first one, and then for each
// that data comes over. Those lead to the address of the first one, whatever address the
// server says, and the guard checks them as it checks the first.
func (f *folder) dial(_, address string) (net.Conn, error) {
	conn, err := f.server.guard.DialContext(f.ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	control := f.control == nil
	secure := conn
	if f.server.TLS == implicit || f.server.TLS == explicit && !control {
		secure = tls.Client(conn, f.tls)
	}
	limited := limit.NewConn(secure)
	if control {
		f.control = limited
		limited.Allow(reply, reply)
		return limited, nil
	}
	if f.data != nil {
		f.data.Close()
	}
	f.data = limited
	limited.Allow(f.bytes, f.lines)
	if secure, ok := secure.(*tls.Conn); ok {
		return &dataConn{limited, secure, conn}, nil
	}
	return limited, nil
}

// A dataConn is one with TLS that data comes or goes over.
type dataConn struct {
	*limit.Conn
	tls *tls.Conn
	raw net.Conn
}

// Handshake is called where there is no data.
func (c *dataConn) Handshake() error { return c.tls.Handshake() }

// Close ends the data, and waits until the server has seen the end. A connection that is closed
// while something of the server's waits to be read, such as its session tickets, is reset instead,
// and the server may lose what it has not read yet.
func (c *dataConn) Close() error {
	defer c.Conn.Close()
	if !c.tls.ConnectionState().HandshakeComplete {
		return nil // the server wants no data
	}
	if err := c.tls.CloseWrite(); err != nil {
		return err
	}
	if tcp, ok := c.raw.(*net.TCPConn); ok {
		_ = tcp.CloseWrite()
	}
	_, _ = io.Copy(io.Discard, io.LimitReader(c.raw, reply))
	return nil
}

// allow says that the answer to a command may come.
func (f *folder) allow() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.control != nil {
		f.control.Allow(reply, reply)
	}
}

// cut ends both connections.
func (f *folder) cut() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.broken = true
	if f.control != nil {
		f.control.Conn.Close()
	}
	if f.data != nil {
		f.data.Conn.Close()
	}
}

var (
	errSignIn   = errors.New("the server does not let the user in")
	errNoFolder = errors.New("the server has no such folder for this user")
	errNoTLS    = errors.New("the server does not begin TLS")
)

// say makes a sentence of what went wrong, without secrets.
func (s *server) say(err error) error {
	var refused *textproto.Error
	var words string
	if errors.As(err, &refused) {
		words = limit.Words(fmt.Sprint(refused.Code, " ", refused.Msg), s.Password)
	}
	switch {
	case err == nil:
		return nil
	case errors.Is(err, errSignIn):
		if refused == nil {
			words = limit.Words(strings.TrimPrefix(err.Error(), errSignIn.Error()+": "), s.Password)
		}
		return fmt.Errorf("the server does not let the user %q in: it says %q", s.User, words)
	case errors.Is(err, errNoTLS):
		return fmt.Errorf("the server does not begin TLS when it is asked to: it says %q. Where it has TLS from the "+
			`first byte, tls is "implicit"; where it has none, kind is "ftp"`, words)
	case s.TLS == implicit && errors.As(err, new(tls.RecordHeaderError)):
		return errors.New("the server does not speak TLS at this port from the first byte; where it begins TLS when " +
			`it is asked to, tls is "explicit"`)
	case errors.Is(err, errNoFolder):
		return fmt.Errorf("there is no folder %q at the server for this user: it says %q", limit.Words(s.Path),
			cmp.Or(words, "nothing"))
	case refused != nil && refused.Code == ftp.StatusFileUnavailable:
		return fmt.Errorf("the server denies it to the user, or has no such file: it says %q", words)
	case refused != nil:
		return fmt.Errorf("the server refused it: it says %q", words)
	case errors.Is(err, ftp.ErrInvalidCommand):
		return errors.New("a name of more than one line cannot be used with FTP")
	case errors.Is(err, limit.ErrTooMuch):
		return limit.ErrTooMuch
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("the server closed the connection")
	}
	return limit.Unreachable(err, s.Password)
}
