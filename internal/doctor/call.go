package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"gangway/internal/accept"
	"gangway/internal/accept/decode"
	"gangway/internal/accept/mapping"
	"gangway/internal/gangway"
	"gangway/internal/scratch"
	"gangway/internal/store"
	"gangway/internal/transport"
	"gangway/internal/transport/endpoint"

	"github.com/go-json-experiment/json/jsontext"
)

// Bounds of one answer: those of answers that somebody waits for, and of a list of all travellers.
const (
	liveBytes = 32 << 20
	liveWhole = 16 << 20
	listBytes = 256 << 20
	examples  = 5 // records that a report shows of one call
)

// A system is one flow of a customer's system under examination.
type system struct {
	*examination
	interfaceFlow
	feed    gangway.Feed
	mapping *mapping.Mapping
	pullers map[showing]transport.Puller
	limit   time.Duration // of one answer
	most    int64         // bytes of one answer
	calls   []*Call
	main    *Call   // that most is said about
	absent  []*Call // of the search for something that is there: answered with an error that may mean that nothing is

	emptyError  string // as emptyStatus, of an answer that cannot be read
	emptyStatus int    // with which it answers where there is nothing; 0: with an empty list, or it is not known
}

// A showing says which credentials the system is shown.
type showing int

const (
	rightOnes showing = iota
	noneAtAll
	wrongOnes
)

// system opens what a feed asks.
func (e *examination) system(f gangway.Feed) (*system, error) {
	m, err := mapping.Compile(f.Mapping, f.Flow)
	if err != nil {
		return nil, err
	}
	s := &system{examination: e, interfaceFlow: flows[f.Flow], feed: f, mapping: m, limit: e.Limit, most: liveBytes,
		pullers: map[showing]transport.Puller{}}
	if f.Flow == gangway.TravellersFlow {
		s.limit, s.most = listLimit, listBytes
	}
	s.pullers[rightOnes], err = endpoint.Kind.Open(f.Transport.Settings, e.Options)
	return s, err
}

// puller returns what asks the system with other credentials; nil: there are none to change.
func (s *system) puller(show showing) (transport.Puller, error) {
	if p := s.pullers[show]; p != nil {
		return p, nil
	}
	var settings map[string]json.RawMessage
	if err := json.Unmarshal(s.feed.Transport.Settings, &settings); err != nil {
		return nil, err
	}
	given, err := transport.ReadAuth(settings["auth"])
	if err != nil || !given.Any() {
		return nil, err
	}
	delete(settings, "auth")
	if show == wrongOnes {
		other, ok := spoilt(given)
		if !ok {
			return nil, nil
		}
		if settings["auth"], err = other.Reveal(); err != nil {
			return nil, err
		}
	}
	doc, err := json.Marshal(settings)
	if err != nil {
		return nil, err
	}
	s.pullers[show], err = endpoint.Kind.Open(doc, s.Options)
	return s.pullers[show], err
}

// madeUp is what is shown in place of the right password, token or value.
const madeUp = "gangway-check-wrong"

// spoilt returns credentials that the system must refuse. Not ok: there are none of
// the kind that anybody could make up.
func spoilt(c gangway.Credentials) (other gangway.Credentials, ok bool) {
	switch c.Kind {
	case gangway.BasicCredentials:
		c.Password = madeUp
	case gangway.BearerCredentials:
		c.Token = madeUp
	case gangway.HeaderCredentials:
		c.Value = madeUp
	default:
		return c, false
	}
	return c, true
}

// ask asks the system once.
func (s *system) ask(ask gangway.Ask) *Call {
	return s.askShowing(s.pullers[rightOnes], words(ask), ask)
}

func (s *system) askShowing(p transport.Puller, question string, ask gangway.Ask) *Call {
	c := &Call{Number: len(s.report.Calls) + 1, Part: s.part, Question: question, facts: newFacts(s.feed.Flow, ask)}
	ctx, cancel := context.WithTimeout(s.ctx, s.limit)
	defer cancel()
	ctx = endpoint.WithExchanges(ctx, func(x endpoint.Exchange) { s.note(c, x, s.feed.Format.Encoding) })
	from := gangway.Origin{Source: gangway.FeedSource(s.feed.Name), SeenAt: s.report.At}
	taken := accept.NewRun(s.feed.Flow, store.Scoped{}, from, ask, accept.Limits{Records: 2_000_000, Depth: 64})
	defer taken.Close()
	taken.Keep(examples)
	began := time.Now()
	for a, err := range p.Pull(ctx, transport.Query{Ask: ask, Most: s.most}) {
		if err == nil && !a.Unchanged {
			err = s.takeIn(ctx, c, taken, a)
		}
		if err != nil {
			c.Error = sentence(err)
			break
		}
	}
	c.took = time.Since(began)
	if ctx.Err() != nil && s.ctx.Err() == nil {
		c.timedOut = true
		c.Error = fmt.Sprintf("It had not answered to the end within %s, and was broken off.", rounded(s.limit))
	}
	report := taken.Report()
	c.Received, c.Refused = report.Received, report.Refused
	for _, e := range taken.Examples() {
		if !e.Refused && e.JSON != nil {
			c.Records = append(c.Records, e.JSON)
		}
	}
	c.Passed = max(0, c.facts.total-report.Received)
	c.refusals, c.warnings = report.Problems.List, report.Warnings.List
	c.withoutSecrets()
	s.add(c)
	s.calls = append(s.calls, c)
	return c
}

// add adds a call that is over to the report.
func (e *examination) add(c *Call) {
	c.Took = c.took.Milliseconds()
	if h := e.hostOf(c); h != nil && c.status == 0 && h.why == "" {
		h.why = c.Error
	}
	e.report.Calls = append(e.report.Calls, *c)
}

// takeIn reads one page of an answer.
func (s *system) takeIn(ctx context.Context, c *Call, into accept.Run, a *transport.Arrival) error {
	file, err := scratch.Put(a.Body)
	if err != nil {
		return err
	}
	defer file.Close()
	limits := decode.Limits{}
	if s.feed.Flow != gangway.TravellersFlow {
		limits.Whole = liveWhole
	}
	doc, err := decode.Open(decode.Input{ReaderAt: file, Size: file.Size(), Name: a.Name, ContentType: a.ContentType,
		Endless: a.Endless}, s.feed.Format, limits)
	if err != nil {
		return err
	}
	defer doc.Close()
	defer func() { // some of it is known only at the end
		c.Format = string(doc.Format.Kind)
		if doc.Format.Encoding != "" {
			c.Format += ", " + doc.Format.Encoding
		}
	}()
	records := s.mapping.Records(ctx, s.Runner, doc, c.facts.ask)
	records.NoteRewritten()
	says, before := doc.Envelope(), into.Report().Came()
	err = into.Take(ctx, watched{records, c.facts})
	came := into.Report().Came() - before
	if why := says.Failure(came, came); why != "" {
		err = errors.New("the system does not answer properly: " + why + "; give an error a status of 400 or more")
	}
	c.says.Add(says)
	return err
}

// sentence is an error as a sentence for whoever looks after the system.
func sentence(err error) string {
	text := err.Error()
	switch {
	case errors.Is(err, decode.ErrEmpty):
		text = "the answer is empty"
	case errors.As(err, new(*scratch.Error)):
		text = "the answer could not be put aside on the disk of this machine, which may be full"
	}
	if text != "" && text[0] >= 'a' && text[0] <= 'z' {
		text = strings.ToUpper(text[:1]) + text[1:]
	}
	return strings.TrimRight(text, ".") + "."
}

// withoutSecrets removes what was sent and came back from all that was made of an answer.
func (c *Call) withoutSecrets() {
	if c.hide == nil {
		return
	}
	texts := []*string{&c.Error}
	remark := func(r *gangway.FeedRemark) { texts = append(texts, &r.Value, &r.SourceField, &r.Message) }
	for _, list := range [][]gangway.FeedRemark{c.refusals, c.warnings, c.facts.remarks} {
		for i := range list {
			remark(&list[i])
		}
	}
	for _, lacks := range []map[string]*lack{c.facts.missing, c.facts.foreign} {
		for l := range maps.Values(lacks) {
			remark(&l.first)
		}
	}
	for _, list := range [][]string{c.facts.twice, c.facts.passed} {
		for i := range list {
			texts = append(texts, &list[i])
		}
	}
	for _, text := range texts {
		*text = c.hide(*text)
	}
	for i, record := range c.Records {
		c.Records[i] = jsontext.Value(c.hide(string(record)))
	}
}

// note adds an exchange to the call that it was part of. said is the encoding that the feed says its answers have.
func (e *examination) note(c *Call, x endpoint.Exchange, said string) {
	c.status = x.Status
	e.met(x)
	c.hide = x.WithoutSecrets
	if len(c.Requests) == mostRequests {
		return
	}
	r := Request{Method: x.Method, Address: x.Address, Sent: x.Sent, Status: x.Status,
		Header: x.Header, Connected: x.Connected.Milliseconds(), FirstByte: x.FirstByte.Milliseconds(),
		Took: x.Took.Milliseconds(), Bytes: x.Size, declared: x.Declared}
	r.Raw, r.RawCut = x.Text(func(beginning []byte) string {
		text, encoding, ok := decode.Text(beginning, said, x.Declared)
		switch {
		case !ok:
			r.RawEncoding = notText
		case encoding != "utf-8":
			r.RawEncoding = encoding
		}
		return text
	})
	c.Requests = append(c.Requests, r)
}

// notText is the encoding of answers that are not text, such as workbooks.
const notText = "binary"

// mostRequests is how many pages of an answer a report shows.
const mostRequests = 5

// overloaded are the statuses with which a system, or what stands before it, says nothing about a question.
var overloaded = []int{408, 429, 502, 503, 504}

// noAnswer reports whether a call had no answer of the system's own.
func (c *Call) noAnswer() bool { return c.status == 0 || slices.Contains(overloaded, c.status) }

// mayMeanNothing reports whether the call had an error that some systems answer with where there is nothing.
func (c *Call) mayMeanNothing() bool {
	return !c.answered() && !c.timedOut && slices.Contains([]int{400, 404, 410, 422, 500}, c.status)
}
