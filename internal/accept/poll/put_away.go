package poll

import (
	"context"
	"fmt"

	"gangway/internal/transport"
)

// putAwayAtOnce is how many files and mails are put away in one go.
const putAwayAtOnce = 1000

// putAway answers and puts away what earlier runs have read. What cannot be put
// away is tried again before the next run, which passes it over.
func (r *feedRun) putAway(ctx context.Context) error {
	settler, is := r.puller.(transport.Settler)
	if !is {
		return nil
	}
	list, err := r.in.FeedArrivals(ctx, r.lease.Feed, putAwayAtOnce)
	if err != nil {
		return err
	}
	for _, a := range list {
		if answerer, is := r.puller.(transport.Answerer); is && a.Answer != "" {
			err := answerer.Answer(ctx, a.Key, a.Answer, func() error {
				// Also where the program is asked to end: or else it would be answered again.
				return r.in.FeedAnswered(context.WithoutCancel(ctx), r.lease.Feed, a.Key)
			})
			if err != nil {
				r.couldNot(ctx, "answer a mail", err)
				continue
			}
		}
		outcome := transport.Outcome{Failed: a.Failed, Report: []byte(a.Report)}
		if err := settler.Settle(ctx, a.Key, outcome); err != nil {
			r.couldNot(ctx, "put a document away", err)
			continue
		}
		if err := r.in.FeedPutAway(ctx, r.lease.Feed, a.Key); err != nil {
			return err
		}
	}
	return ctx.Err()
}

func (r *feedRun) couldNot(ctx context.Context, what string, err error) {
	if ctx.Err() == nil {
		r.p.log.Warn(fmt.Sprint("could not ", what, "; it is tried again"), r.p.db.Whose(ctx, r.lease.Scope),
			"feed", r.lease.Feed, "because", err)
	}
}
