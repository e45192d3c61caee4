package duffel

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
)

// A record is an order in the ledger: what was requested and what was begun. Its state is always
// asked from Duffel.
type record struct {
	Reference string       `json:"reference"`
	Offer     string       `json:"offer"`              // Duffel's id of the offer, booked or to be booked
	Order     string       `json:"order,omitempty"`    // Duffel's id, once it is known
	Seen      flight.Order `json:"seen"`               // as it was agreed, and last seen
	Made      time.Time    `json:"made"`               // when it was held here
	Buy       *purchase    `json:"buy,omitempty"`      // if the offer must be paid at once, until it is bought
	Begun     *attempt     `json:"begun,omitempty"`    // the operation whose outcome is not known yet
	Quote     *quote       `json:"quote,omitempty"`    // the newest cancellation quote
	Agreed    *agreement   `json:"agreed,omitempty"`   // the price after the newest change made through us
	Never     string       `json:"never,omitempty"`    // why nothing was booked and nothing will be, in words
	GivenUp   bool         `json:"given_up,omitempty"` // cancelled here, because the airline has nothing to cancel

	version int
}

// A purchase is what is needed to make an order when it is paid.
type purchase struct {
	Passenger passenger         `json:"passenger"`
	Metadata  map[string]string `json:"metadata"`
	Until     time.Time         `json:"until"` // when the offer expires
}

// An operation is something that must not be done twice.
type operation string

const (
	booking    operation = "book"
	paying     operation = "pay"
	cancelling operation = "cancel"
	changing   operation = "change"
	accepting  operation = "accept"
)

// An attempt is an operation that was begun.
type attempt struct {
	Operation operation  `json:"deed"`
	At        time.Time  `json:"at"`
	ID        string     `json:"id,omitempty"`     // Duffel's id of the quote, change or notice
	Offer     string     `json:"offer,omitempty"`  // of changes: the change offer
	Agreed    *agreement `json:"agreed,omitempty"` // of changes: the price that they lead to
	// Duffel answered with an internal error, so the airline may have acted.
	Broken bool `json:"broken,omitempty"`
}

// A quote is the outcome that Duffel stated for cancelling.
type quote struct {
	ID      string        `json:"id"`
	Refund  gangway.Money `json:"refund"`
	Expires time.Time     `json:"expires"`
}

const (
	orderPrefix = "duffel-order-" // followed by the caller's reference
	offerPrefix = "duffel-offer-" // followed by Duffel's offer; has the reference that claimed it
)

var errOrder = gangway.Errorf(gangway.NotFound, "Duffel does not have this order")

// load returns the record of an order.
func (s *Seller) load(ctx context.Context, id string) (record, error) {
	reference, ok := strings.CutPrefix(id, orderPrefix)
	if !ok {
		return record{}, errOrder
	}
	return s.loadReference(ctx, reference)
}

// loadReference returns the record under a reference. NotFound: there is none.
func (s *Seller) loadReference(ctx context.Context, reference string) (record, error) {
	doc, version, err := s.ledger.Load(ctx, orderPrefix+reference)
	if err != nil {
		if gangway.KindOf(err) == gangway.NotFound {
			return record{}, errOrder
		}
		return record{}, fmt.Errorf("load Duffel order: %w", err)
	}
	r := record{version: version}
	if err := json.Unmarshal(doc, &r); err != nil {
		return r, fmt.Errorf("read Duffel order: %w", err)
	}
	return r, nil
}

// document returns the next version of a record.
func (r record) document() (gangway.Document, error) {
	doc, err := json.Marshal(r)
	if err != nil {
		return gangway.Document{}, fmt.Errorf("write Duffel order: %w", err)
	}
	return gangway.Document{ID: orderPrefix + r.Reference, Reference: r.Reference, Doc: doc, Version: r.version + 1},
		nil
}

// save writes the next version of a record even if the caller has stopped waiting: what was
// done must not be forgotten. Conflict: another version was written first.
func (s *Seller) save(ctx context.Context, r *record) error {
	doc, err := r.document()
	if err != nil {
		return err
	}
	if err := s.ledger.Save(context.WithoutCancel(ctx), doc); err != nil {
		return err
	}
	r.version++
	return nil
}

// note applies change to a record and writes it, on the newest version if another was written
// meanwhile.
func (s *Seller) note(ctx context.Context, r *record, change func(*record)) error {
	for try := 0; ; try++ {
		change(r)
		err := s.save(ctx, r)
		if gangway.KindOf(err) != gangway.Conflict || try == tries {
			return err
		}
		newest, err := s.loadReference(context.WithoutCancel(ctx), r.Reference)
		if err != nil {
			return err
		}
		*r = newest
	}
}

// begin records an operation before Duffel is asked for it. Conflict: another operation on the
// order is under way.
func (s *Seller) begin(ctx context.Context, r *record, what attempt) error {
	what.At = s.now()
	r.Begun = &what
	if err := s.save(ctx, r); err != nil {
		if gangway.KindOf(err) == gangway.Conflict {
			return gangway.Errorf(gangway.Conflict, "another operation on this order is under way: look at it again")
		}
		return err
	}
	return nil
}

// once begins an operation, asks Duffel for it, and returns the order as it is then.
func (s *Seller) once(ctx context.Context, r *record, what attempt, path string, body any) (flight.Order, error) {
	if err := s.begin(ctx, r, what); err != nil {
		return flight.Order{}, err
	}
	if err := s.ended(ctx, r, s.do(ctx, path, body, nil)); err != nil {
		return flight.Order{}, err
	}
	return s.look(ctx, r)
}

// ended records what the answer to an operation leaves open, and returns the error for the
// caller: nil if it was done, a refusal if it was not and will not be, errUnknownOutcome if that is
// unknown.
func (s *Seller) ended(ctx context.Context, r *record, err error) error {
	begun := *r.Begun
	if err == nil {
		return s.note(ctx, r, func(r *record) {
			r.Begun = nil
			if begun.Operation == changing && !slices.Contains(r.Seen.Changes, begun.Offer) {
				r.Seen.Changes, r.Agreed = append(slices.Clone(r.Seen.Changes), begun.Offer), begun.Agreed
			}
		})
	}
	if refusal(err) {
		if saved := s.note(ctx, r, func(r *record) { r.Begun = nil }); saved != nil {
			return saved
		}
		return explainRefusal(err)
	}
	s.Log.ErrorContext(ctx, "Duffel may have acted or not; the outcome is looked up, not requested again", "operation",
		begun.Operation, "order", r.Order, "offer", r.Offer, "error", err)
	if broken(err) {
		if saved := s.note(ctx, r, func(r *record) {
			if r.Begun != nil {
				r.Begun.Broken = true
			}
		}); saved != nil {
			return saved
		}
	}
	return errUnknownOutcome
}
