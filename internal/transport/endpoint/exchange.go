package endpoint

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"net/http"
	"net/http/httptrace"
	"strings"
	"sync"
	"time"
)

// ExchangeKept is how much of an answer's body an Exchange has.
const ExchangeKept = 8 << 10

// An Exchange is one request and its answer, for those who look into what a customer's
// system does. No secret that was sent is in it, but in Declared.
type Exchange struct {
	Method  string
	Address string      // values in its query that were not asked for are left out
	Sent    http.Header // values of secret headers are left out
	Status  int         // 0: there was no answer
	Header  http.Header // of the answer
	Size    int64       // of the body, as far as it was read
	Began   time.Time

	// How long after the beginning it was connected, TLS included, the first byte came, and it ended.
	// Zero: it did not come to that; Connected also where a connection was open already.
	Connected, FirstByte, Took time.Duration

	Certificate *x509.Certificate // the host's own; nil: it showed none
	Untrusted   error             // why there was no TLS connection; nil: there was, or none was tried
	Nameless    bool              // the host's name led to no address

	// Declared is the answer's Content-Type as it came, by which it is judged. It is not for showing: what
	// was sent may stand in it.
	Declared string

	body    []byte // its beginning, unpacked, with what was sent
	secrets []string
}

// WithoutSecrets removes from a text what was sent and is secret: what is made of an
// answer may have it still.
func (x Exchange) WithoutSecrets(text string) string { return withoutSecrets(text, x.secrets) }

// Text returns the beginning of the answer's body as read makes a text of it, without what
// was sent and is secret. Cut: there was more.
func (x Exchange) Text(read func(beginning []byte) string) (text string, cut bool) {
	text = x.WithoutSecrets(read(x.body))
	if cut = x.Size > int64(len(x.body)); cut && len(x.secrets) > 0 { // a secret may be cut in two
		text = text[:max(0, len(text)-len(x.secrets[0]))]
	}
	if len(text) > ExchangeKept {
		text, cut = text[:ExchangeKept], true
	}
	return strings.ToValidUTF8(text, ""), cut
}

type exchangeKey struct{}

// WithExchanges returns a context in which each request of a pull or push is reported,
// once it is over.
func WithExchanges(ctx context.Context, report func(Exchange)) context.Context {
	return context.WithValue(ctx, exchangeKey{}, report)
}

// A witness makes the Exchange of a request. Nil: nobody wants it.
type witness struct {
	report func(Exchange)

	mu sync.Mutex // connecting may go on after the request has ended
	x  Exchange
}

// observe returns the request to send in place of req, and who watches it. shown is
// the address as it may be shown, hidden are the names of headers that are secret.
func observe(req *http.Request, shown string, hidden http.Header, secrets []string) (*http.Request, *witness) {
	report, ok := req.Context().Value(exchangeKey{}).(func(Exchange))
	if !ok {
		return req, nil
	}
	w := &witness{report: report}
	w.x = Exchange{Method: req.Method, Address: shown, Sent: shownHeaders(req.Header, hidden), Began: time.Now(),
		secrets: secrets}
	note := func(do func(since time.Duration)) {
		w.mu.Lock()
		defer w.mu.Unlock()
		do(time.Since(w.x.Began))
	}
	trace := &httptrace.ClientTrace{
		DNSDone: func(found httptrace.DNSDoneInfo) {
			note(func(time.Duration) { w.x.Nameless = found.Err != nil })
		},
		ConnectDone: func(_, _ string, err error) {
			note(func(since time.Duration) {
				if err == nil {
					w.x.Connected = since
				}
			})
		},
		TLSHandshakeDone: func(state tls.ConnectionState, err error) {
			note(func(since time.Duration) {
				w.x.Connected, w.x.Untrusted = since, err
				if err == nil && len(state.PeerCertificates) > 0 {
					w.x.Certificate = state.PeerCertificates[0]
				}
			})
		},
		GotFirstResponseByte: func() { note(func(since time.Duration) { w.x.FirstByte = since }) },
	}
	return req.WithContext(httptrace.WithClientTrace(req.Context(), trace)), w
}

// answered notes an answer, whose body is still to come.
func (w *witness) answered(res *http.Response) {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.x.Status, w.x.Header = res.StatusCode, answerHeaders(res, w.x.secrets)
	w.x.Declared = res.Header.Get("Content-Type")
}

// Write notes a part of the body.
func (w *witness) Write(part []byte) (int, error) {
	if w == nil {
		return len(part), nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.x.Size += int64(len(part))
	if room := 2*(ExchangeKept+w.longestSecret()) - len(w.x.body); room > 0 { // UTF-16 has two bytes a letter
		w.x.body = append(w.x.body, part[:min(len(part), room)]...)
	}
	return len(part), nil
}

func (w *witness) longestSecret() int {
	if len(w.x.secrets) == 0 {
		return 0
	}
	return len(w.x.secrets[0])
}

// refused reads the body of an answer that is no document: it often says why.
func (w *witness) refused(res *http.Response, body io.Reader) {
	if w == nil {
		return
	}
	if body, err := unpacked(body, res.Header.Get("Content-Encoding")); err == nil {
		io.Copy(w, io.LimitReader(body, read)) // what cannot be read is not needed
	}
}

// end reports the exchange.
func (w *witness) end() {
	if w == nil {
		return
	}
	w.mu.Lock()
	x := w.x
	w.mu.Unlock()
	x.Took = time.Since(x.Began)
	w.report(x)
}
