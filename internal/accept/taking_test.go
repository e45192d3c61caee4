package accept_test

import (
	"context"
	"io"

	"gangway/internal/accept"
	"gangway/internal/accept/decode"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

const (
	travellers     = gangway.TravellersFlow
	travelRequests = gangway.TravelRequestsFlow
	crewChanges    = gangway.CrewChangesFlow
)

// upload takes in a document, all or nothing.
func upload(ctx context.Context, in store.Scoped, flow gangway.Flow, doc []byte,
	l accept.Limits) (accept.Receipt, error) {
	return accept.AllOrNothing(ctx, in, flow, accept.JSON(doc, l), "JSON", l, storetest.Began)
}

// eachForItself takes in a document as a run of its own.
func eachForItself(ctx context.Context, in store.Scoped, flow gangway.Flow, doc io.Reader,
	l accept.Limits) (accept.Report, error) {
	r := accept.NewRun(flow, in, crewFeed, gangway.Ask{}, l)
	defer r.Close()
	err := r.Take(ctx, decode.FromReader(doc, l.Depth, 32<<20))
	if err == nil {
		err = r.Apply(ctx)
	}
	return r.Report(), err
}
