package reporting

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"gangway/internal/gangway"
	"gangway/internal/report/odata"
	"gangway/internal/store"
	"gangway/internal/web"
)

const (
	// mostOfBatch is how many requests a batch has at most.
	mostOfBatch = 100

	inMultipart = "multipart/mixed"
)

// An item is a request of a batch.
type item struct {
	request
	address   string
	id        string
	number    int // from 1
	dependsOn []string
	wrong     error // why it is no request
}

// A reply is what an item is answered with.
type reply struct {
	response
	id     string
	number int
	body   []byte
}

// A batchWriter writes the answer to a batch: what stands before the replies, between them and behind them, and
// each reply.
type batchWriter struct {
	media, before, between, after string
	write                         func(*call, reply)
}

// batch answers several requests at once, one after the other (P 11.7). After one that failed it stops,
// unless it is asked to go on.
func (s *Reporting) batch(ctx context.Context, c *call) (int, error) {
	media, params, err := mime.ParseMediaType(c.request.header.Get("Content-Type"))
	var items []item
	switch {
	case err == nil && media == inJSON:
		items, err = itemsOfJSON(c.body)
	case err == nil && media == inMultipart && params["boundary"] != "":
		items, err = itemsOfMultipart(c.body, params["boundary"])
	default:
		err = web.UnsupportedMedia("a batch is application/json, or multipart/mixed with a boundary")
	}
	switch {
	case err != nil:
		return 0, err
	case len(items) > mostOfBatch:
		return 0, gangway.Errorf(gangway.Invalid, "the batch has more than %d requests", mostOfBatch)
	}
	to := inJSONBatch
	if answersMultipart(media, c) {
		to = inParts("batchresponse_" + rand.Text())
	}
	if c.goOn {
		c.applied("odata.continue-on-error")
	}
	c.header.Set("Content-Type", to.media)
	c.page.Write([]byte(to.before))
	failed := map[string]bool{}
	for i, one := range items {
		if i > 0 {
			c.page.Write([]byte(to.between))
		}
		status, err := s.reply(ctx, c, one, len(items), failed, to)
		if err != nil {
			return 0, err
		}
		if status >= 400 {
			if failed[one.id] = true; !c.goOn {
				break
			}
		}
	}
	_, err = c.page.Write([]byte(to.after))
	return http.StatusOK, err
}

// reply answers one of so many items.
func (s *Reporting) reply(ctx context.Context, c *call, one item, of int, failed map[string]bool,
	to batchWriter) (status int, err error) {
	page := s.budget.ReportPage(c.client)
	defer page.Release()
	one.client, one.bytes = c.client, max(s.limits.Bytes/of, 64<<10)
	for _, name := range []string{"Odata-Maxversion", "Odata-Version"} { // as of the batch unless it says otherwise
		if one.header.Get(name) == "" && c.request.header.Get(name) != "" {
			one.header.Set(name, c.request.header.Get(name))
		}
	}
	r, err := s.respondInBatch(ctx, c.in, one, failed, page)
	body := page.Bytes()
	if err != nil {
		s.note(ctx, one.request, err)
		r = response{header: http.Header{"OData-Version": {c.version}}}
		r.status, body = problem(r.header, refused(err))
	}
	to.write(c, reply{r, one.id, one.number, body})
	return r.status, c.page.full
}

// respondInBatch answers an item.
func (s *Reporting) respondInBatch(ctx context.Context, in store.Scoped, one item, failed map[string]bool,
	page *web.Page) (response, error) {
	if one.wrong != nil {
		return response{}, one.wrong
	}
	if slices.ContainsFunc(one.dependsOn, func(id string) bool { return failed[id] }) {
		return response{}, &web.Refusal{Status: http.StatusFailedDependency,
			Msg: "a request that it depends on has failed"}
	}
	if err := one.target(s.root); err != nil {
		return response{}, err
	}
	if kind := strings.Trim(one.path, "/"); kind == "$batch" || kind == "%24batch" {
		return response{}, gangway.Errorf(gangway.Invalid, "a batch holds no other batch")
	}
	return s.respond(ctx, in, one.request, page)
}

// note writes a fault of ours in an item to the log, as the gate does for whole requests.
func (s *Reporting) note(ctx context.Context, r request, err error) {
	var bad *odata.Error
	if web.Status(err) < 500 || errors.As(err, &bad) || web.Limited(err) || errors.Is(err, store.ErrAway) ||
		ctx.Err() != nil {
		return
	}
	s.log.ErrorContext(ctx, "a request of a batch was not answered as asked", "path", r.path, "error", err)
}

// answersMultipart reports whether a batch is answered as multipart/mixed: as it came, unless the other form is
// accepted rather. To clients of 4.0 parts are answered as parts, whatever they accept for each of them: batches as
// JSON came with 4.01 (P 11.7.4).
func answersMultipart(came string, c *call) bool {
	if came == inMultipart && c.version == v40 {
		return true
	}
	accept := strings.Join(c.request.header.Values("Accept"), ",")
	json, multipart := weigh(accept, inJSON), weigh(accept, inMultipart)
	if json == multipart {
		return came == inMultipart
	}
	return multipart > json
}

// target sets the path and the query of an item from its address: a whole one, one from the root of the
// host, or one from the root of the service (P 11.7.2).
func (one *item) target(root string) error {
	rest, query, _ := strings.Cut(one.address, "?")
	rest, _, _ = strings.Cut(rest, "#")
	base, err := url.Parse(root)
	if err != nil {
		return err
	}
	if at, ok := strings.CutPrefix(rest, root); ok {
		rest = at
	} else if at, ok := strings.CutPrefix(rest, base.EscapedPath()); ok && strings.HasPrefix(rest, "/") {
		rest = at
	}
	if strings.HasPrefix(rest, "/") || strings.Contains(rest, "://") {
		return gangway.Errorf(gangway.NotFound, "the address is none of this service")
	}
	one.path, one.query = rest, query
	return nil
}

// wrongBatch says that a batch cannot be read.
func wrongBatch(format string, args ...any) error {
	return gangway.Errorf(gangway.Invalid, "the batch cannot be read: %s", fmt.Sprintf(format, args...))
}
