// Package doctor examines a customer's system: it calls B1 to B5 as Gangway would,
// and says what is well, what is wrong and what to mend where.
//
// It asks by the same road by which feeds are asked and bookings are pushed (packages
// endpoint, decode, mapping, accept), so that what it says of a system is true of
// Gangway. It stores nothing.
package doctor

import (
	"cmp"
	"context"
	"time"

	"gangway/internal/accept/mapping"
	"gangway/internal/transport"
)

// How long things may take: an answer that somebody waits for, a list of all
// travellers, and one examination.
//
// Spec: Limits, Customer endpoint response time; decided: docs/choices.md, "The integration doctor".
const (
	liveLimit   = 3 * time.Second
	listLimit   = time.Minute
	usualWhole  = 3 * time.Minute
	closeToLive = 2 * time.Second // slower than this is worth a word
)

// Config is what a Doctor needs.
type Config struct {
	Options transport.Options // of what is fetched: the networks that may be called
	Push    transport.Options // of what is pushed
	Runner  mapping.Runner    // of mappings
	Now     func() time.Time
	Limit   time.Duration // of an answer that somebody waits for; 0: 3 seconds
	Whole   time.Duration // of one examination; 0: 3 minutes
}

// A Doctor examines customers' systems.
type Doctor struct{ Config }

// New returns a doctor.
func New(c Config) *Doctor {
	c.Limit, c.Whole = cmp.Or(c.Limit, liveLimit), cmp.Or(c.Whole, usualWhole)
	return &Doctor{c}
}

// Examine carries out a plan. Its error is Invalid, about the plan: what is wrong with
// the system is in the report.
func (d *Doctor) Examine(ctx context.Context, p Plan) (Report, error) {
	began := d.Now()
	ctx, cancel := context.WithTimeout(ctx, d.Whole)
	defer cancel()
	e := &examination{Config: d.Config, ctx: ctx, plan: p, unsteady: map[string]string{},
		report: Report{Version: 1, System: p.Name, At: began.UTC().Truncate(time.Second)}}
	var systems []*system
	for _, f := range p.feeds {
		s, err := e.system(f)
		if err != nil {
			return Report{}, err
		}
		systems = append(systems, s)
	}
	for _, s := range systems {
		s.examine()
	}
	if p.push != nil {
		e.examinePush(*p.push)
	}
	e.checkHosts()
	e.tellOnce()
	e.report.Checks = append(e.report.Checks, p.left...)
	e.report.Took = d.Now().Sub(began).Milliseconds()
	e.report.count()
	return e.report, nil
}

// An examination is one system being examined.
type examination struct {
	Config
	ctx    context.Context
	plan   Plan
	report Report
	parts  []part  // in the order in which they were examined
	hosts  []*host // that were called
	// unsteady are the faults that came now and then, and the checks that tell of them.
	unsteady map[string]string
}

// A step is how a check is made.
type step struct {
	id, title string // id: within its part; never renamed
	do        func(*Check)
}

// check makes the checks of a part and adds them to the report. A check that was not made, or was broken off,
// because the time was up is not tried.
func (e *examination) check(part string, steps ...step) {
	for _, s := range steps {
		c := Check{ID: part + "." + s.id, Part: part, Title: s.title, Verdict: Fine}
		if e.ctx.Err() == nil {
			s.do(&c)
		}
		if e.ctx.Err() != nil && c.Verdict != Wrong {
			c.Because = ""
			c.skip("The time for one examination was up: check the flows one by one.")
		}
		e.report.Checks = append(e.report.Checks, c)
	}
}

// leave notes that checks of a part were not made, because its first one failed.
func (e *examination) leave(part string, steps []step) {
	for i := range steps {
		steps[i].do = func(c *Check) { c.because(part+".answer", "") }
	}
	e.check(part, steps...)
}
