package endpoint

import (
	"bytes"
	"context"
	"errors"
	"io"
	"iter"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/transport"
	"gangway/internal/transport/guard"
)

// How long a page may take, and how long a system may be silent meanwhile, where
// nobody waits: whoever asks for somebody who does gives its own deadline with the
// context.
const (
	longestPage = 10 * time.Minute
	silence     = time.Minute
)

// A puller fetches documents from an address.
type puller struct {
	url, method, body string
	headers           http.Header // their values with places
	credentials       gangway.Credentials
	guard             *guard.Guard
	client            *http.Client
	silence           time.Duration
	onePage           bool // an answer's next pages are not asked for
}

// Pull implements transport.Puller: each page is a document.
func (p *puller) Pull(ctx context.Context, q transport.Query) iter.Seq2[*transport.Arrival, error] {
	return func(yield func(*transport.Arrival, error) bool) {
		defer p.client.CloseIdleConnections()
		to, err := url.Parse(p.address(q.Ask))
		if err != nil {
			yield(nil, p.sentence(errors.New("the address cannot be read")))
			return
		}
		seen := map[string]bool{}
		for n := 1; to != nil && err == nil; n++ {
			if n > mostPages {
				err = errPages
				break
			}
			if seen[to.String()] {
				err = errCircle
				break
			}
			seen[to.String()] = true
			more := true
			to, err = p.page(ctx, to, q, n, func(a *transport.Arrival) bool {
				more = yield(a, nil)
				return more
			})
			if !more {
				return
			}
		}
		if err != nil {
			yield(nil, p.sentence(err))
		}
	}
}

// page fetches one page and returns the address of the next.
func (p *puller) page(ctx context.Context, to *url.URL, q transport.Query, n int,
	yield func(*transport.Arrival) bool) (*url.URL, error) {
	ctx, cancel := context.WithTimeout(ctx, longestPage)
	defer cancel()
	ctx, watch := watchSilence(ctx, p.silence)
	defer watch.end()
	req, err := p.request(ctx, to, q, n)
	if err != nil {
		return nil, err
	}
	req, seen := observe(req, shownAddress(to, q.Ask), p.headers, p.secrets())
	defer seen.end()
	watch.begin()
	res, err := p.client.Do(req)
	watch.pause()
	if err != nil {
		return nil, watch.why(err)
	}
	defer res.Body.Close()
	seen.answered(res)
	arrival := &transport.Arrival{Key: strconv.Itoa(n), Time: time.Now(), ContentType: res.Header.Get("Content-Type"),
		Now: transport.Validators{ETag: res.Header.Get("ETag"), LastModified: res.Header.Get("Last-Modified")}}
	asked := q.Have != transport.Validators{} && n == 1
	if res.StatusCode == http.StatusNotModified && asked {
		arrival.Unchanged, arrival.Now = true, q.Have
		yield(arrival)
		return nil, nil
	}
	if err := refusal(res, p.credentials.Any() || len(p.secrets()) > 0); err != nil {
		seen.refused(res, watch.reader(res.Body))
		return nil, err
	}
	body, err := unpacked(watch.reader(res.Body), res.Header.Get("Content-Encoding"))
	if err != nil {
		return nil, err
	}
	if _, err := body.Peek(1); errors.Is(err, io.EOF) {
		return nil, nil // an empty answer: nothing there
	}
	arrival.Endless = res.ContentLength < 0 && res.ProtoMajor == 1 && len(res.TransferEncoding) == 0 &&
		res.Header.Get("Content-Encoding") == "" // which has an end of its own
	links := &linkFinder{}
	arrival.Body = transport.Explained(io.TeeReader(transport.AtMost(body, q.Most), io.MultiWriter(links, seen)),
		p.sentence)
	if !yield(arrival) {
		return nil, nil
	}
	if _, err := io.Copy(io.Discard, arrival.Body); err != nil { // what its reader did not need
		return nil, err
	}
	if p.onePage {
		return nil, nil
	}
	return nextPage(to, res.Header, links.found)
}

// address returns the address of the first page.
func (p *puller) address(ask gangway.Ask) string {
	if p.hasPlaces() {
		return fillAddress(p.url, ask)
	}
	return withParameters(fillAddress(p.url, gangway.Ask{}), ask)
}

func (p *puller) hasPlaces() bool {
	if hasPlace(p.url) || hasPlace(p.body) {
		return true
	}
	for _, values := range p.headers {
		if hasPlace(values[0]) {
			return true
		}
	}
	return false
}

// request makes the request for the n-th page.
func (p *puller) request(ctx context.Context, to *url.URL, q transport.Query, n int) (*http.Request, error) {
	ctx = context.WithValue(ctx, schemeKey{}, to.Scheme)
	header := http.Header{"User-Agent": {"Gangway"}, "Accept": {"application/json, */*;q=0.9"},
		"Accept-Encoding": {"gzip"}}
	for name, values := range p.headers {
		if _, ours := header[http.CanonicalHeaderKey(name)]; ours {
			name = http.CanonicalHeaderKey(name)
		}
		header[name] = []string{fill(values[0], q.Ask, inHeader)}
	}
	var body io.Reader
	if p.body != "" {
		contentType := headerIn(header, "Content-Type")
		if contentType == "" {
			contentType = typeOf(p.body)
			header.Set("Content-Type", contentType)
		}
		body = bytes.NewReader([]byte(fill(p.body, q.Ask, inBody(contentType))))
	}
	req, err := http.NewRequestWithContext(ctx, p.method, to.String(), body)
	if err != nil {
		return nil, errors.New("the address cannot be read")
	}
	req.Header = header
	if n == 1 && q.Have.ETag != "" {
		header.Set("If-None-Match", q.Have.ETag)
	}
	if n == 1 && q.Have.LastModified != "" {
		header.Set("If-Modified-Since", q.Have.LastModified)
	}
	return req, setCredentials(req, p.credentials)
}

// headerIn finds a header as the customer may have spelled it.
func headerIn(header http.Header, name string) string {
	for spelled, values := range header {
		if strings.EqualFold(spelled, name) {
			return values[0]
		}
	}
	return ""
}

// sentence makes an error one for the customer's admins.
func (p *puller) sentence(err error) error {
	if errors.As(err, new(*gangway.Error)) {
		return err
	}
	text := withoutSecrets(unreachable(err).Error(), sentSecrets(p.credentials))
	return gangway.Errorf(gangway.Unavailable, "%s", text)
}
