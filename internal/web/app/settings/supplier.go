package settings

import (
	"cmp"
	"context"
	"net/http"
	"time"

	"gangway/internal/book"
	"gangway/internal/book/flight/duffel"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"
)

const supplierPath = "/settings/supplier"

// A supplierPage says who sells flights to the account, and whether they answer.
type supplierPage struct {
	Name, Token, Phone, Currency string
	Duffel, Webhook, Forcing     bool
	Silent                       time.Time // since when no search was answered; zero: that is not so
	From, To                     string    // where the search that tries it goes
	Tried                        *triedSearch
}

// A triedSearch is what came of a search that tries a supplier.
type triedSearch struct {
	Answered bool
	Offers   int
	Cheapest gangway.Money
	Took     time.Duration
	Why      string // nothing was found
}

// supplierNames are what people call a supplier.
var supplierNames = map[string]string{"": "Simulated airlines", duffel.Name: "Duffel"}

// Supplier shows who sells flights to the account.
func (room *Room) Supplier(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	return room.showSupplier(w, r, in, nil)
}

func (room *Room) showSupplier(w http.ResponseWriter, r *http.Request, in store.Scoped, tried *triedSearch) error {
	account, err := in.Account(r.Context()) // as the search has left it
	if err != nil {
		return err
	}
	s := account.Settings
	p := supplierPage{Name: cmp.Or(supplierNames[s.Supplier], s.Supplier), Phone: s.Phone, Currency: s.Currency,
		Forcing: s.RadiativeForcing, Duffel: s.Supplier == duffel.Name, Silent: account.SilentSince, Tried: tried,
		From: triedFrom, To: triedTo}
	if p.Duffel {
		p.Token, p.Webhook, err = duffel.Connection(func(name string) ([]byte, error) {
			return in.Secret(r.Context(), name)
		})
	}
	if err != nil {
		return err
	}
	answer := p.Name
	switch {
	case !p.Silent.IsZero():
		answer += " has not answered since " + gangway.NoticeTime(p.Silent)
	case tried != nil && tried.Answered:
		answer += " answered after " + shell.TookWords(tried.Took)
	case p.Duffel && p.Token == "none":
		answer += ": the token is missing"
	}
	return room.Show(w, r, shell.Page{Template: "supplier", Section: "settings", Title: "Settings › Supplier",
		Answer: answer, Data: p})
}

// Where a search goes that tries a supplier, in how many days, and how long somebody waits for it.
const (
	triedFrom, triedTo = "MNL", "SIN"
	triedAhead         = 30
	triedPatience      = 30 * time.Second
)

// TrySupplier searches for flights, and says what was found. Nothing is held, and nothing is kept.
func (room *Room) TrySupplier(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	release, err := room.searches.Acquire(in.Scope().Account)
	if err != nil {
		return err
	}
	defer release()
	ctx, stop := context.WithTimeout(r.Context(), triedPatience)
	defer stop()
	began := room.Now()
	date := gangway.DateOf(in.Now(began)).AddDays(triedAhead)
	var t triedSearch
	err = room.desk.Search(ctx, in, gangway.Search{Members: []gangway.SearchMember{{Legs: []gangway.Leg{
		{Origin: triedFrom, Destination: triedTo, Date: date}}}}}, func(f book.FoundOffers) {
		t.Offers += len(f.Offers)
		for _, o := range f.Offers {
			if t.Cheapest == (gangway.Money{}) || o.Price.Total.Minor < t.Cheapest.Minor {
				t.Cheapest = o.Price.Total
			}
		}
		if f.Err != nil {
			t.Why = shell.AsSentence(shell.SentenceOf(f.Err))
		}
		t.Answered = t.Answered || f.Done && f.Err == nil
	})
	t.Took = room.Now().Sub(began)
	switch {
	case ctx.Err() != nil && r.Context().Err() == nil:
		t.Why, err = "There was no answer within "+shell.TookWords(triedPatience)+".", nil
	case gangway.KindOf(err) == gangway.Unavailable:
		t.Why, err = shell.AsSentence(shell.SentenceOf(err)), nil
	}
	if err != nil {
		return err
	}
	return room.showSupplier(w, r, in, &t)
}

// sectionsTold are those whose pages tell that the supplier does not answer: on them people look for flights.
var sectionsTold = map[string]bool{"today": true, "book": true, "crew-changes": true}

// News tells everybody, above what other says, that the account's supplier does not answer.
func News(other func(ctx context.Context, v shell.Visitor, section, path string) ([]shell.News, error)) func(
	ctx context.Context, v shell.Visitor, section, path string) ([]shell.News, error) {
	return func(ctx context.Context, v shell.Visitor, section, path string) ([]shell.News, error) {
		list, err := other(ctx, v, section, path)
		if err != nil || v.Account.SilentSince.IsZero() || !sectionsTold[section] {
			return list, err
		}
		supplier := v.Account.Settings.Supplier
		silent := shell.News{Words: cmp.Or(supplierNames[supplier], supplier) + " has not answered since " +
			gangway.NoticeTime(v.Account.SilentSince) + ".", Path: "/bookings/enter",
			Link: "Enter a booking made elsewhere"}
		return append([]shell.News{silent}, list...), nil
	}
}
