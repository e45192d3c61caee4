package book_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"gangway/internal/book/flight"
	"gangway/internal/book/flight/flighttest"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// A story is the life of one booking at the desk: what happens to it, step by step, and what its log then says.
type story struct {
	name  string
	steps []step
	log   string // as in "confirmed ana, issued system"
}

// A step is something that happens to the story's booking b, as it stands. An error ends the story.
type step func(t *testing.T, c *counter, b gangway.Booking) error

// Stories begin with one of these: it makes the booking.
var (
	held  = hold(marine, true)
	asked = all(settings(always), held)
	// lasting holds seats for at least an hour longer than the price is guaranteed.
	lasting = func(auto bool) step {
		return hold(func(o flight.Offer) bool {
			return marine(o) && o.TicketBy.Sub(o.PriceUntil) > time.Hour && !o.PriceUntil.IsZero()
		}, auto)
	}
	// disturbed issues a booking, and its airline changes the flights once the void period is over.
	disturbed = func(fits func(flight.Notice) bool) step {
		return all(held, issue, after(48*time.Hour), func(t *testing.T, c *counter, b gangway.Booking) error {
			c.disturb(t, b, fits)
			return nil
		})
	}
)

func TestStories(t *testing.T) {
	var seen string // the change offer that a person has looked at
	stories := []story{
		{"approved, it goes ahead", steps(asked, so(saysWhy), approve), "approval_required ana, confirmed boris"},
		{"declined, its seats are given back", steps(asked, decline, orderIs(flight.Withdrawn)),
			"approval_required ana, declined boris"},
		{"nobody decides before the hold ends",
			steps(asked, at(holdUntil, time.Second), refuse(gangway.Conflict, approve), tick),
			"approval_required ana, declined system"},
		{"a booker may not decide, and nobody issues before that", steps(asked, as(gangway.Booker),
			refuse(gangway.Denied, approve), refuse(gangway.Denied, decline), refuse(gangway.Conflict, issue)),
			"approval_required ana"},

		{"issuing returns tickets", steps(held, issue, so(func(b gangway.Booking) bool {
			return len(b.Tickets) > 0 && len(b.Tickets[0]) == 13
		})), "confirmed ana, issued ana"},
		{"a confirmed booking is cancelled at no cost", steps(held, cancel, so(func(b gangway.Booking) bool {
			return b.Refund == nil
		})), "confirmed ana, cancelled ana"},
		{"within the void period it is cancelled at once", steps(held, issue, cancel),
			"confirmed ana, issued ana, cancelled ana"},
		{"after the void period the refund is pending until it comes", steps(held, issue, at(voidUntil, time.Hour),
			cancel, so(refundComes), after(80*time.Hour), tick),
			"confirmed ana, issued ana, refund_pending ana, cancelled system"},
		{"a cancelled booking allows nothing more", steps(held, cancel, refuse(gangway.Conflict, issue),
			refuse(gangway.Conflict, cancel), refuse(gangway.Conflict, giveUp)), "confirmed ana, cancelled ana"},

		{"once a change is confirmed, the booking has its flights and is issued again",
			steps(held, issue, askChange("2026-12-03"), confirm, so(func(b gangway.Booking) bool {
				return leavesOn(b) == "2026-12-03" && b.Change == nil
			})), "confirmed ana, issued ana, change_pending ana, issued ana"},
		{"a changed booking without tickets is confirmed again", steps(held, askChange("2026-12-03"), confirm),
			"confirmed ana, change_pending ana, confirmed ana"},
		{"a change is confirmed only as the person has seen it, not as chosen since",
			steps(held, issue, askChange("2026-12-03"), so(func(b gangway.Booking) bool {
				seen = b.Change.Offer
				return true
			}), giveUp, askChange("2026-12-04"),
				refuse(gangway.Conflict, func(t *testing.T, c *counter, b gangway.Booking) error {
					return second(c.ConfirmChange(t.Context(), c.in, c.booker, b.ID, seen))
				})), "confirmed ana, issued ana, change_pending ana, issued ana, change_pending ana"},
		{"an abandoned change leaves the booking as it was",
			steps(held, issue, askChange("2026-12-03"), giveUp, so(func(b gangway.Booking) bool {
				return leavesOn(b) != "2026-12-03"
			})), "confirmed ana, issued ana, change_pending ana, issued ana"},
		{"when the offer expires, the system abandons the change",
			steps(held, issue, askChange("2026-12-03"), at(changeUntil, time.Second), tick),
			"confirmed ana, issued ana, change_pending ana, issued system"},

		{"tickets are issued ahead of their deadline, and no sooner", steps(held, at(issueAt, -time.Second), tick,
			so(isConfirmed), at(issueAt, time.Second), tick), "confirmed ana, issued system"},
		{"what is not to be issued automatically is released when its hold ends", steps(hold(marine, false),
			at(holdUntil, -time.Second), tick, so(isConfirmed), at(holdUntil, time.Second), tick),
			"confirmed ana, cancelled system"},
		{"an early look does not cancel the scheduled one",
			steps(held, look, so(isConfirmed), at(issueAt, time.Second), tick), "confirmed ana, issued system"},
		{"automatic issue comes before the price ends", steps(lasting(true), so(func(b gangway.Booking) bool {
			return b.IssueAt().Before(b.PriceUntil) && b.PriceUntil.Before(b.TicketBy)
		}), at(issueAt, time.Second), tick), "confirmed ana, issued system"},
		{"automatic issue chosen later", steps(lasting(false), autoIssue(true), so(func(b gangway.Booking) bool {
			return b.AutoIssueSet.ByName == "Ana Lindqvist" && b.Version == 1
		}), at(issueAt, time.Second), tick), "confirmed ana, issued system"},
		{"automatic issue switched off", steps(lasting(true), autoIssue(false), at(holdUntil, -time.Second), tick,
			so(isConfirmed), at(holdUntil, time.Second), tick), "confirmed ana, cancelled system"},
		{"once the price has ended only a person issues, even if it stayed the same", steps(lasting(false),
			at(priceUntil, 0), stayed, refuse(gangway.Conflict, autoIssue(true)), tick, so(isConfirmed), issue),
			"confirmed ana, issued ana"},
		{"if the service was down until the price ended, a person is asked, once", steps(lasting(true),
			at(priceUntil, time.Minute), stayed, tick, so(needsPerson), after(16*time.Minute), tick, so(needsPerson),
			handle, tick, so(needsNobody), at(holdUntil, time.Second), tick), "confirmed ana, cancelled system"},
		{"approved after the price ended, a person is asked", steps(settings(always), lasting(true),
			at(priceUntil, time.Minute), stayed, approve, tick, so(needsPerson)),
			"approval_required ana, confirmed boris"},
		{"the booker's choice stands after approval", steps(asked, approve, at(issueAt, time.Second), tick),
			"approval_required ana, confirmed boris, issued system"},
		{"there is nothing to choose once tickets are issued",
			steps(held, issue, refuse(gangway.Conflict, autoIssue(true))), "confirmed ana, issued ana"},

		{"tickets whose answer was lost are found, not bought again", steps(held, lose("issue", flighttest.LostAfter),
			refuse(gangway.Unavailable, issue), refuse(gangway.Conflict, issue), tick, once("issue")),
			"confirmed ana, issued ana"},
		{"if the request for tickets was lost, they can be issued again", steps(held,
			lose("issue", flighttest.LostBefore), refuse(gangway.Unavailable, issue), tick, so(isConfirmed), issue),
			"confirmed ana, issued ana"},
		{"a cancellation whose answer was lost is found", steps(held, issue, at(voidUntil, time.Hour),
			lose("cancel", flighttest.LostAfter), refuse(gangway.Unavailable, cancel), tick),
			"confirmed ana, issued ana, refund_pending ana"},
		{"a change whose answer was lost is found", steps(held, issue, askChange("2026-12-03"),
			lose("change", flighttest.LostAfter), refuse(gangway.Unavailable, confirm),
			refuse(gangway.Conflict, giveUp), tick, once("change")),
			"confirmed ana, issued ana, change_pending ana, issued ana"},

		{"cancelling what was ticketed without our knowing brings the money back", steps(held, deskIssues,
			after(30*time.Hour), cancel, so(refundComes), isFree, after(40*24*time.Hour), tick),
			"confirmed ana, refund_pending ana, cancelled system"},
		{"what the supplier's desk cancels after ticketing is noticed, told and needs a person", steps(held, issue,
			at(voidUntil, time.Hour), deskCancels, after(6*time.Hour), tick, so(needsPerson),
			so(func(b gangway.Booking) bool {
				return b.UnhandledAttention() != "" && b.CancelledBy == gangway.System
			}), after(40*24*time.Hour), tick), "confirmed ana, issued ana, refund_pending system, cancelled system"},
		{"what it cancels while a change waits is over, refund and all", steps(held, issue, at(voidUntil, time.Hour),
			askChange("2026-12-03"), deskCancels, look, so(func(b gangway.Booking) bool { return b.Change == nil })),
			"confirmed ana, issued ana, change_pending ana, refund_pending system"},
		{"tickets issued there while approval is awaited are found, and need a person",
			steps(asked, deskIssues, look, so(needsPerson), so(func(b gangway.Booking) bool {
				return len(b.Tickets) > 0
			})), "approval_required ana, issued system"},
		{"a booking that is over is looked at once when its supplier speaks of it",
			steps(held, cancel, look, so(func(b gangway.Booking) bool { return b.CheckAt.IsZero() })),
			"confirmed ana, cancelled ana"},
		{"every look writes when the next one is", steps(held, issue, look, nextLook(6*time.Hour, 6*time.Hour)),
			"confirmed ana, issued ana"},
		{"a supplier that knows no such order needs a person, once", steps(held, issue,
			answer("order", func(*flight.Order) error { return gangway.Errorf(gangway.NotFound, "no such order") }),
			look, so(needsPerson), nextLook(time.Second, 24*time.Hour), handle, look, so(needsNobody)),
			"confirmed ana, issued ana"},
		{"what has become dearer before it is issued needs a person, once, and is not bought", steps(held,
			answer("order", func(o *flight.Order) error {
				o.Price.Total.Minor, o.Price.Fare.Minor = o.Price.Total.Minor+1500, o.Price.Fare.Minor+1500
				return nil
			}), at(issueAt, time.Second), tick, so(needsPerson), handle, look, so(needsNobody)), "confirmed ana"},
		{"a change that is charged in another currency needs a person", steps(held, issue, askChange("2026-12-03"),
			answer("change", func(o *flight.Order) error {
				o.Price = gangway.PriceOf(gangway.Money{Minor: 50000, Currency: "EUR"}, gangway.Money{Currency: "EUR"},
					gangway.Money{})
				return nil
			}), confirm, so(needsPerson), so(func(b gangway.Booking) bool { return b.Price.Total.Currency == "USD" })),
			"confirmed ana, issued ana, change_pending ana, issued ana"},
		{"a panic while it is looked at is caught, and it is looked at later", steps(held, issue,
			answer("order", func(*flight.Order) error { panic("a reader of the supplier's answers is wrong") }), look,
			nextLook(time.Second, 24*time.Hour)), "confirmed ana, issued ana"},
		{"a panic while it is issued leaves the intent to follow-up", steps(held,
			answer("issue", func(*flight.Order) error { panic("a reader of the supplier's answers is wrong") }),
			panics(issue), after(time.Minute), tick, isFree), "confirmed ana, issued ana"},

		{"a person accepts the airline's other flights at no cost", steps(disturbed(instead), noticed,
			heard(func(b gangway.Booking, n flight.Notice) bool {
				return b.Change.ByAirline && b.Change.Why == n.Why && b.Change.Due.IsZero()
			}), noticed, confirm, heard(func(b gangway.Booking, n flight.Notice) bool {
				return b.Notice.Answered && b.PaidSoFar() == b.Price.Total &&
					b.Itinerary.Departure().Equal(n.Itinerary.Departure())
			}), noticed), "confirmed ana, issued ana, change_pending system, issued ana"},
		{"after the airline's change was declined, cancelling refunds everything", steps(disturbed(instead), noticed,
			giveUp, so(func(b gangway.Booking) bool { return b.Notice.Declined }), noticed, cancel,
			so(func(b gangway.Booking) bool { return b.Refund.Amount == b.PaidSoFar() })),
			"confirmed ana, issued ana, change_pending system, issued ana, refund_pending ana"},
		{"small changes of times are accepted automatically, and the customer is told",
			steps(disturbed(func(n flight.Notice) bool { return n.Minor }), noticed,
				heard(func(b gangway.Booking, n flight.Notice) bool {
					return b.Itinerary.Arrival().Equal(n.Itinerary.Arrival())
				})), "confirmed ana, issued ana, change_pending system, issued system"},
		{"a booking is checked as soon as the airline reports an event", steps(disturbed(instead), look),
			"confirmed ana, issued ana, change_pending system"},
	}
	tell(t, stories)
}

// tell lives stories on both databases.
func tell(t *testing.T, stories []story) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		for _, s := range stories {
			t.Run(s.name, func(t *testing.T) {
				c := open(t, db)
				done(t, all(s.steps...)(t, c, gangway.Booking{}))
				c.wantLog(t, c.story, strings.Split(s.log, ", ")...)
			})
		}
	})
}

func steps(list ...step) []step { return list }

// all does several steps, each to the booking as the one before has left it.
func all(list ...step) step {
	return func(t *testing.T, c *counter, b gangway.Booking) error {
		for i, do := range list {
			if c.story != "" {
				b = c.now(t, c.story)
			}
			if err := do(t, c, b); err != nil {
				return fmt.Errorf("step %d: %w", i+1, err)
			}
		}
		return nil
	}
}

// second drops what a call returns besides its error.
func second(_ any, err error) error { return err }

func settings(s gangway.Settings) step {
	return func(t *testing.T, c *counter, _ gangway.Booking) error {
		storetest.Settings(t, c.in, s)
		return nil
	}
}

// hold books the cheapest offer that fits.
func hold(fits func(flight.Offer) bool, auto bool) step {
	return func(t *testing.T, c *counter, _ gangway.Booking) error {
		s := c.search(t, 1)
		ask := c.ask(s, c.offer(t, s, fits))
		ask.AutoIssue, c.story = auto, ask.ID
		return second(c.Book(t.Context(), c.in, c.booker, ask))
	}
}

// as gives the approver another role.
func as(role gangway.Role) step {
	return func(_ *testing.T, c *counter, _ gangway.Booking) error {
		c.approver.Role = role
		return nil
	}
}

func approve(t *testing.T, c *counter, b gangway.Booking) error {
	return second(c.Approve(t.Context(), c.in, c.approver, b.ID))
}

func decline(t *testing.T, c *counter, b gangway.Booking) error {
	return second(c.Decline(t.Context(), c.in, c.approver, b.ID, "too dear"))
}

// issue issues a booking at its current price.
func issue(t *testing.T, c *counter, b gangway.Booking) error {
	price := b.Price
	if b.Can(gangway.Issue) {
		price = must(c.PriceToIssue(t.Context(), c.in, b))(t)
	}
	return second(c.Issue(t.Context(), c.in, c.booker, b.ID, price.Total))
}

func cancel(t *testing.T, c *counter, b gangway.Booking) error {
	quote, err := c.QuoteCancel(t.Context(), c.in, b.ID)
	if err != nil {
		return err
	}
	return second(c.Cancel(t.Context(), c.in, c.booker, b.ID, quote.ID))
}

// askChange chooses the first flights of another day.
func askChange(date gangway.Date) step {
	return func(t *testing.T, c *counter, b gangway.Booking) error {
		offers, err := c.FindChanges(t.Context(), c.in, b.ID,
			[]gangway.Leg{{Origin: "MNL", Destination: "AMS", Date: date}})
		if err != nil || len(offers) == 0 {
			return fmt.Errorf("%d other flights, %w", len(offers), err)
		}
		return second(c.AskChange(t.Context(), c.in, c.booker, b.ID, offers[0].ID))
	}
}

func confirm(t *testing.T, c *counter, b gangway.Booking) error {
	return second(c.ConfirmChange(t.Context(), c.in, c.booker, b.ID, b.Change.Offer))
}

func giveUp(t *testing.T, c *counter, b gangway.Booking) error {
	return second(c.GiveUpChange(t.Context(), c.in, c.booker, b.ID, ""))
}

func autoIssue(auto bool) step {
	return func(t *testing.T, c *counter, b gangway.Booking) error {
		return second(c.SetAutoIssue(t.Context(), c.in, c.booker, b.ID, auto))
	}
}

func handle(t *testing.T, c *counter, b gangway.Booking) error {
	return second(c.Handled(t.Context(), c.in, c.booker, b.ID))
}

// tick lets the automated user do what is due.
func tick(t *testing.T, c *counter, _ gangway.Booking) error { return c.Tick(t.Context()) }

// look lets the automated user look at the booking as after a webhook; one about an unknown order disturbs nobody.
func look(t *testing.T, c *counter, b gangway.Booking) error {
	return errors.Join(c.LookAtOrder(t.Context(), c.in, b.Supplier, "nobody's"),
		c.LookAtOrder(t.Context(), c.in, b.Supplier, b.Order), c.Tick(t.Context()))
}

// noticed lets the automated user look at the booking by itself.
func noticed(t *testing.T, c *counter, b gangway.Booking) error {
	return all(after(6*time.Hour), tick)(t, c, b)
}

func deskIssues(t *testing.T, c *counter, b gangway.Booking) error {
	return second(c.supplier.Issue(t.Context(), b.Order, b.Price.Total))
}

func deskCancels(t *testing.T, c *counter, b gangway.Booking) error {
	quote := must(c.supplier.QuoteCancel(t.Context(), b.Order))(t)
	return second(c.supplier.Cancel(t.Context(), b.Order, quote.ID))
}

// after lets time go by.
func after(d time.Duration) step {
	return func(_ *testing.T, c *counter, _ gangway.Booking) error {
		c.clock.forward(d)
		return nil
	}
}

// at sets the clock to an instant of the booking, and so much later.
func at(of func(gangway.Booking) time.Time, later time.Duration) step {
	return func(_ *testing.T, c *counter, b gangway.Booking) error {
		c.clock.to(of(b).Add(later))
		return nil
	}
}

var issueAt = gangway.Booking.IssueAt

func holdUntil(b gangway.Booking) time.Time   { return b.HoldUntil }
func priceUntil(b gangway.Booking) time.Time  { return b.PriceUntil }
func voidUntil(b gangway.Booking) time.Time   { return b.VoidUntil }
func changeUntil(b gangway.Booking) time.Time { return b.Change.Expires }

// lose makes the next call of a name fail.
func lose(call string, fault flighttest.Fault) step {
	return func(_ *testing.T, c *counter, _ gangway.Booking) error {
		c.line.Fail(call, fault)
		return nil
	}
}

// answer changes the supplier's answers to calls of a name.
func answer(call string, change func(*flight.Order) error) step {
	return func(_ *testing.T, c *counter, _ gangway.Booking) error {
		c.line.Through = func(name, _ string, ask func() (flight.Order, error)) (flight.Order, error) {
			order, err := ask()
			if name == call && err == nil {
				err = change(&order)
			}
			return order, err
		}
		return nil
	}
}

// refuse is done if a step is refused with a kind of error.
func refuse(kind gangway.Kind, do step) step {
	return func(t *testing.T, c *counter, b gangway.Booking) error {
		if err := do(t, c, b); gangway.KindOf(err) != kind {
			return fmt.Errorf("%w; want one of kind %d", err, kind)
		}
		return nil
	}
}

// panics is done if a step panics, which the gate catches for a request.
func panics(do step) step {
	return func(t *testing.T, c *counter, b gangway.Booking) (err error) {
		defer func() {
			if recover() == nil {
				err = errors.New("it did not panic")
			}
		}()
		return do(t, c, b)
	}
}

// so is done if something holds for the booking.
func so(holds func(gangway.Booking) bool) step {
	return func(_ *testing.T, _ *counter, b gangway.Booking) error {
		if !holds(b) {
			return fmt.Errorf("not so: %+v", b)
		}
		return nil
	}
}

// heard is so, for the booking and what its airline has told about it.
func heard(holds func(gangway.Booking, flight.Notice) bool) step {
	return func(_ *testing.T, c *counter, b gangway.Booking) error {
		if !holds(b, c.notice) {
			return fmt.Errorf("not so: %+v, %+v", b, c.notice)
		}
		return nil
	}
}

func saysWhy(b gangway.Booking) bool     { return b.Approval.Why != "" }
func isConfirmed(b gangway.Booking) bool { return b.State == gangway.Confirmed }
func needsPerson(b gangway.Booking) bool { return b.Attention.Open() }
func needsNobody(b gangway.Booking) bool { return !b.Attention.Open() }
func refundComes(b gangway.Booking) bool { return b.Refund != nil && !b.Refund.Amount.IsZero() }

func leavesOn(b gangway.Booking) gangway.Date { return gangway.DateOf(b.Itinerary.Departure()) }

// nextLook is done if the booking is looked at again between two times from now.
func nextLook(least, most time.Duration) step {
	return func(_ *testing.T, c *counter, b gangway.Booking) error {
		if in := b.CheckAt.Sub(c.clock.Now()); in < least || in > most {
			return fmt.Errorf("it is looked at again in %s", in)
		}
		return nil
	}
}

// orderIs is done if the order at the supplier has a status.
func orderIs(want flight.Status) step {
	return func(t *testing.T, c *counter, b gangway.Booking) error {
		if order := must(c.supplier.Order(t.Context(), b.Order))(t); order.Status != want {
			return fmt.Errorf("the order is %s", order.Status)
		}
		return nil
	}
}

// once is done if the supplier was asked once.
func once(call string) step {
	return func(_ *testing.T, c *counter, _ gangway.Booking) error {
		if n := c.line.Calls(call); n != 1 {
			return fmt.Errorf("the supplier was asked to %s %d times", call, n)
		}
		return nil
	}
}

// isFree is done if no intent is open on the booking.
func isFree(t *testing.T, c *counter, b gangway.Booking) error {
	i, open, err := c.in.OpenIntent(t.Context(), b.ID)
	if err != nil || open {
		return fmt.Errorf("the intent to %s is open, %w", i.Kind, err)
	}
	return nil
}

// stayed is done if the price has not risen since its guarantee ended.
func stayed(t *testing.T, c *counter, b gangway.Booking) error {
	if now := must(c.PriceToIssue(t.Context(), c.in, b))(t); now.Total.Minor > b.Price.Total.Minor {
		return fmt.Errorf("it costs %s instead of %s", now.Total, b.Price.Total)
	}
	return nil
}

func instead(n flight.Notice) bool { return !n.Minor && len(n.Itinerary.Segments) > 0 }

// disturb lets the airline of an issued booking change its flights in a way that fits.
func (c *counter) disturb(t *testing.T, b gangway.Booking, fits func(flight.Notice) bool) {
	t.Helper()
	for range 3000 {
		c.seed++
		changed := c.network.For(c.in.Ledger(), c.seed)
		order := must(changed.Order(t.Context(), b.Order))(t)
		if order.Notice != nil && fits(*order.Notice) {
			c.line.Supplier, c.notice = changed, *order.Notice
			return
		}
	}
	t.Fatal("no seed changes the flights that way")
}
