package endpoint

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"

	"gangway/internal/gangway"
	"gangway/internal/transport"
	"gangway/internal/transport/guard"
)

// Outlet is an address of the customer's that documents are posted to.
//
// Spec: B5 Receive bookings; decided: docs/choices.md, "Push (B5)".
var Outlet = transport.Kind{
	Name:     "endpoint",
	About:    "An address of the customer's system, to which each action is posted by HTTP.",
	Settings: outletSettings,
	Live:     true,
	Example: `{"url": "https://crew.example/api/sync_flights", "auth": {"kind": "bearer", "token": "tide-tables"}, ` +
		`"headers": {"X-Tenant": "halcyon"}}`,
	Send: func(doc json.RawMessage, o transport.Options) (transport.Sender, error) {
		return newSender(doc, o, deadline)
	},
	Reach: reach,
}

var outletSettings = []transport.Setting{
	{Name: "url", Type: transport.Text, Required: true, System: true, Secret: transport.InURL,
		About: "the whole address", Example: `"https://crew.example/api/sync_flights"`},
	{Name: "headers", Type: transport.Object, Secret: transport.Values,
		About: "further headers, in printable ASCII; none that each push has (content-…, webhook-…), that HTTP sets " +
			"or that auth sends", Example: `{"X-Tenant": "halcyon"}`},
	setting("ca"),
	setting("auth"),
}

// setting returns a setting that feeds have as well.
func setting(name string) transport.Setting {
	return settings[slices.IndexFunc(settings, func(s transport.Setting) bool { return s.Name == name })]
}

// deadline is how long a customer's endpoint has for everything together: connecting,
// receiving the document and answering.
//
// Decided: docs/choices.md, "Push (B5)".
const deadline = 15 * time.Second

// read is how much of an answer is read at most, so that its connection can be reused.
const read = 64 << 10

// A sender posts documents to an address. It shares connections with no other.
type sender struct {
	address     string
	to          *url.URL
	headers     http.Header // of the outlet's own
	credentials gangway.Credentials
	secrets     []string // in every form in which an answer may repeat them, the longest first
	guard       *guard.Guard
	client      *http.Client
}

// newSender reads settings. Each document has as long as deadline.
func newSender(doc json.RawMessage, o transport.Options, deadline time.Duration) (*sender, error) {
	var settings struct {
		URL, CA string
		Headers map[string]string
		Auth    json.RawMessage
	}
	if err := (transport.Kind{Settings: outletSettings}).Read(doc, &settings); err != nil {
		return nil, err
	}
	s := &sender{address: settings.URL, headers: http.Header{}, guard: newGuard(o.Allow)}
	var err error
	if s.to, err = parse(settings.URL, s.guard); err != nil {
		return nil, gangway.Errorf(gangway.Invalid, "url: %v", err)
	}
	if s.credentials, err = transport.ReadAuth(settings.Auth); err != nil {
		return nil, err
	}
	if err := s.setHeaders(settings.Headers); err != nil {
		return nil, err
	}
	s.secrets = secretsIn(s.credentials, s.headers, s.address)
	s.client, err = newClient(s.address, s.credentials, settings.CA, deadline, holding(s.guard.DialContext))
	return s, err
}

// setHeaders sets the headers of the outlet's own. They stay in the letters given: some systems are case-sensitive.
func (s *sender) setHeaders(own map[string]string) error {
	seen := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(own)) {
		value := own[name]
		if err := checkHeader(name, value); err != nil {
			return err
		}
		lower := strings.ToLower(name)
		switch {
		case lower == strings.ToLower(credentialsHeader(s.credentials)):
			return gangway.Errorf(gangway.Invalid, "headers.%s must be left out: auth sets it", name)
		case seen[lower]:
			return gangway.Errorf(gangway.Invalid, "headers.%s must be given once, in whatever letters", name)
		case strings.ContainsFunc(value, func(r rune) bool { return r > unicode.MaxASCII }):
			return gangway.Errorf(gangway.Invalid, "headers.%s must be of printable ASCII", name)
		}
		seen[lower] = true
		s.headers[name] = []string{value}
	}
	return nil
}

// Close implements io.Closer.
func (s *sender) Close() error {
	s.client.CloseIdleConnections()
	return nil
}

// Send implements transport.Sender.
func (s *sender) Send(ctx context.Context, d transport.Outgoing) (transport.Answer, error) {
	ctx = context.WithValue(ctx, schemeKey{}, s.to.Scheme)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.address, bytes.NewReader(d.Body))
	if err != nil {
		return transport.Answer{}, errors.New("the address cannot be read")
	}
	maps.Copy(req.Header, s.headers)
	if d.Type != "" {
		req.Header.Set("Content-Type", d.Type)
	}
	maps.Copy(req.Header, d.Header)
	if err := setCredentials(req, s.credentials); err != nil {
		return transport.Answer{}, err
	}
	req, seen := observe(req, shownAddress(s.to, gangway.Ask{}), s.headers, s.secrets)
	defer seen.end()
	res, err := s.client.Do(whileHeld(req))
	if err != nil {
		return transport.Answer{}, s.unreachable(err)
	}
	defer res.Body.Close()
	seen.answered(res)
	most := transport.AnswerKept
	if len(s.secrets) > 0 {
		most += len(s.secrets[0]) // so that no secret is cut in two
	}
	kept, err := io.ReadAll(io.TeeReader(io.LimitReader(res.Body, int64(most)), seen))
	if err == nil {
		_, err = io.CopyN(io.Discard, res.Body, read)
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return transport.Answer{}, s.unreachable(err)
	}
	if len(s.secrets) > 0 {
		kept = []byte(withoutSecrets(string(kept), s.secrets))
	}
	return transport.Answer{Status: res.StatusCode, Header: res.Header,
		Body: kept[:min(len(kept), transport.AnswerKept)]}, nil
}

// unreachable says why there was no answer.
func (s *sender) unreachable(err error) error {
	return errors.New(withoutSecrets(unreachable(err).Error(), s.secrets))
}

// reach implements transport.Kind.Reach.
func reach(ctx context.Context, doc json.RawMessage, o transport.Options, now time.Time) (warnings []string,
	err error) {
	s, err := newSender(doc, o, deadline)
	if err != nil {
		return nil, err
	}
	unknown, err := check(ctx, s.to, s.guard)
	if err != nil {
		return nil, gangway.Errorf(gangway.Invalid, "url: %v", err)
	}
	warnings = s.credentials.Warnings(now)
	if s.to.Scheme == "http" && (s.credentials.Any() || len(s.headers) > 0) {
		warnings = append(warnings, "the credentials travel to http://"+s.to.Host+" in clear: whoever is on the way "+
			"there can read and use them; with https:// nobody can")
	}
	if unknown != "" {
		warnings = append(warnings, unknown)
	}
	return warnings, nil
}
