package book

import (
	"cmp"
	"context"
	"slices"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/gangway"
	"gangway/internal/store"
)

// A MoveQuote is what may be done for one booking whose plan has moved.
type MoveQuote struct {
	EndsBy   Way         // WayRelease or WayCancel
	End      ActQuote    // what ending it brings back now, and until when
	NoEnd    error       // why it cannot be ended together with others
	NoAnew   error       // why no new booking may take its place
	Changes  []MoveOffer // other flights on the same ticket or hold: those to the plan's day and place first
	NoChange error       // why there are none
	// the last booking that was asked for in its place, if any
	Replacement gangway.Booking
}

// A MoveOffer is a change offer beside the plan.
type MoveOffer struct {
	flight.ChangeOffer
	ActTerms                   // as they are agreed to: see ChangeTerms
	Stands   gangway.Judgement // how the person would stand
	Approval MoveApproval      // whoever chooses it: see MoveApproval.Of
	Declined string            // who declined it before and why; empty: nobody did
}

// A MoveApproval says whether somebody else has to agree to a price.
type MoveApproval struct {
	Why   string    // in words; empty: nobody has to
	Whose []string  // names of those who may agree, a few of them
	Until time.Time // until when they may; zero: as long as the seats are held
}

// Of returns the approval that a change needs which by chooses: nobody approves their own choice, unless the account
// allows that.
func (a MoveApproval) Of(by gangway.User, s gangway.Settings) MoveApproval {
	if s.OwnApproval && by.Role.CanApprove() {
		return MoveApproval{}
	}
	a.Whose = slices.DeleteFunc(slices.Clone(a.Whose),
		func(name string) bool { return name == cmp.Or(by.Name, by.Email) })
	return a
}

// whoseAtMost is how many approvers are named.
const whoseAtMost = 3

// QuoteMoves says for many bookings what may be done now that their plans have moved, several side by side. It calls
// quoted for each as soon as its answer is known, never twice at once, and returns after the last.
func (d *Desk) QuoteMoves(ctx context.Context, in store.Scoped, by gangway.User, list []gangway.Booking,
	quoted func(i int, q MoveQuote, err error)) error {
	plans, err := PlansOf(ctx, in, list)
	if err != nil {
		return err
	}
	now := d.now(in)
	planned, stands := make([]gangway.Plan, len(list)), make([]gangway.Judgement, len(list))
	for i, b := range list { // plans are asked before, since they remember roads as they are asked
		planned[i], stands[i] = plans.Of(b), plans.Judge(b, now)
	}
	sideBySide(d, "quote one of many moves", len(list), func(i int) (MoveQuote, error) {
		b := list[i]
		if err := onTheWay(stands[i]); err != nil {
			return MoveQuote{}, err
		}
		q := MoveQuote{EndsBy: WayRelease, NoAnew: b.MayBeReplaced()}
		if b.Ticketed() {
			q.EndsBy = WayCancel
		}
		if q.End, q.NoEnd = d.quoteAct(ctx, in, by, EndingAct(b), b, ""); q.End.Void && b.VoidUntil.After(now) {
			q.End.Until = b.VoidUntil // however soon the supplier quotes anew
		}
		if b.ReplacedBy != "" { // without it nobody is known to have declined it
			q.Replacement, _ = in.Booking(ctx, b.ReplacedBy)
		}
		q.Changes, q.NoChange = d.quoteMoveChanges(ctx, in, b, planned[i], now)
		if gangway.KindOf(q.NoEnd) == gangway.Unavailable && gangway.KindOf(q.NoChange) == gangway.Unavailable {
			return q, q.NoEnd
		}
		return q, nil
	}, quoted)
	return nil
}

// quoteMoveChanges returns other flights for b, those by which its traveller does best first.
func (d *Desk) quoteMoveChanges(ctx context.Context, in store.Scoped, b gangway.Booking, planned gangway.Plan,
	now time.Time) ([]MoveOffer, error) {
	legs := moveLegs(planned, b.Itinerary)
	if len(legs) == 0 {
		return nil, gangway.Errorf(gangway.Conflict, "nothing is planned for them")
	}
	found, err := d.FindChanges(ctx, in, b.ID, legs)
	if err != nil {
		return nil, err
	}
	list := make([]MoveOffer, len(found))
	for i, o := range found {
		then := b
		then.Itinerary, then.State, then.Change = o.Itinerary, gangway.Confirmed, nil
		if b.Ticketed() {
			then.State = gangway.Issued
		}
		list[i] = MoveOffer{ChangeOffer: o, ActTerms: ChangeTerms(b, o),
			Declined: b.WhyDeclined(o.Itinerary, o.Price.Total),
			Stands:   planned.Judge([]gangway.Booking{then}, false, now)}
		asks := b
		asks.Change = &gangway.PendingChange{NewPrice: o.Price, Due: o.Due, AskedBy: gangway.System}
		if err := d.MayConfirm(ctx, in, gangway.User{}, asks); gangway.KindOf(err) == gangway.Denied {
			list[i].Approval, err = d.approvalBy(ctx, in, b.Purpose.Change, list[i].Amount, err.Error(), &asks)
			if err != nil {
				return nil, err
			}
			if list[i].Approval.Why != "" {
				list[i].Approval.Until = o.Expires
			}
		} else if err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(list, func(x, y MoveOffer) int {
		return cmp.Or(rank(y.Stands)-rank(x.Stands), cmp.Compare(x.Amount.Minor, y.Amount.Minor),
			x.Itinerary.Arrival().Compare(y.Itinerary.Arrival()))
	})
	return list, nil
}

// rank orders judgements, the best last.
func rank(j gangway.Judgement) int { return slices.Index(gangway.Standings, j.Standing) }

// moveLegs are the legs that take somebody with flights to where they are planned to be, from where they set out.
func moveLegs(planned gangway.Plan, it gangway.Itinerary) []gangway.Leg {
	legs := slices.Clone(planned.Legs)
	if planned.Unneeded != "" || len(legs) == 0 || len(it.Segments) == 0 {
		return nil
	}
	first, last := &legs[0], &legs[len(legs)-1]
	first.Origin = cmp.Or(first.Origin, gangway.Place(it.Segments[0].Origin))
	last.Destination = cmp.Or(last.Destination, gangway.Place(it.Segments[len(it.Segments)-1].Destination))
	return legs
}

// MoveApproval says whether a new booking of a move at a price needs somebody's approval, by the account's policy and
// the limit for moves.
func (d *Desk) MoveApproval(ctx context.Context, in store.Scoped, by gangway.User, change string,
	price gangway.Money) (MoveApproval, error) {
	why, err := d.whyApproval(ctx, in, price)
	if err != nil || why == "" {
		return MoveApproval{}, err
	}
	return d.approvalBy(ctx, in, change, price, why, &gangway.Booking{CreatedBy: by.Email, CreatedByID: by.ID})
}

// approvalBy says who may agree to what a move of b costs, unless a limit allows for it.
func (d *Desk) approvalBy(ctx context.Context, in store.Scoped, change string, cost gangway.Money, why string,
	b *gangway.Booking) (MoveApproval, error) {
	account, err := in.Account(ctx)
	if err != nil {
		return MoveApproval{}, err
	}
	if spend := d.spendOf(account.Settings.Moves, gangway.User{}, change, "", cost, d.now(in)); spend != nil {
		spent, err := in.MovesSpent(ctx, spend.Limit, change)
		if err != nil || spend.Limit.Allows(spend.Amount.Minor, spent.Minor+spend.Amount.Minor) {
			return MoveApproval{}, err
		}
	}
	whose, err := d.Whose(ctx, in, *b)
	return MoveApproval{Why: why, Whose: whose}, err
}

// Whose approval b may get: the names of some who may agree to its price.
func (d *Desk) Whose(ctx context.Context, in store.Scoped, b gangway.Booking) (names []string, err error) {
	account, err := in.Account(ctx)
	if err != nil {
		return nil, err
	}
	people, err := d.db.Users(ctx, account.Customer.ID)
	for _, u := range people {
		if u.MaySignIn() && b.MayBeApprovedBy(u, account.Settings) && len(names) < whoseAtMost {
			names = append(names, cmp.Or(u.Name, u.Email))
		}
	}
	return names, err
}
