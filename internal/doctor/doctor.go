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
	"gangway/internal/gangway"
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
type Doctor struct {
	options      transport.Options
	push         transport.Options
	runner       mapping.Runner
	now          func() time.Time
	limit, whole time.Duration
}

// New returns a doctor.
func New(c Config) *Doctor {
	return &Doctor{c.Options, c.Push, c.Runner, c.Now, cmp.Or(c.Limit, liveLimit), cmp.Or(c.Whole, usualWhole)}
}

// Examine carries out a plan. Its error is Invalid, about the plan: what is wrong with
// the system is in the report.
func (d *Doctor) Examine(ctx context.Context, p Plan) (Report, error) {
	began := d.now()
	ctx, cancel := context.WithTimeout(ctx, d.whole)
	defer cancel()
	e := &examination{doctor: d, ctx: ctx, plan: p, today: gangway.TodayAt(began),
		unsteady: map[string]string{},
		report:   Report{Version: 1, System: p.Name, At: began.UTC().Truncate(time.Second)}}
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
	e.hostsFirst()
	e.blame()
	e.report.Checks = append(e.report.Checks, p.left...)
	e.report.Took = d.now().Sub(began).Milliseconds()
	e.report.count()
	return e.report, nil
}

// An examination is one system being examined.
type examination struct {
	doctor *Doctor
	ctx    context.Context
	plan   Plan
	today  gangway.Today
	report Report
	flows  []flow // in the order in which they were examined
	hosts  []host // that were called
	// unsteady are the faults that came now and then, and the checks that tell of them.
	unsteady map[string]string
}

// check makes one check and adds it to the report. What was not made, or was broken off,
// because the time was up is not tried.
func (e *examination) check(part, id, title string, do func(c *Check)) {
	c := Check{ID: part + "." + id, Part: part, Title: title, Verdict: Fine}
	if e.ctx.Err() == nil {
		do(&c)
	}
	if e.ctx.Err() != nil && c.Verdict != Wrong {
		c.Verdict = NotTried
		c.Because = ""
		c.Findings = []Finding{{Message: "The time for one examination was up: check the flows one by one."}}
	}
	e.report.Checks = append(e.report.Checks, c)
}
