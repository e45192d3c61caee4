package flights

import (
	"context"
	"net/url"
	"time"

	"gangway/internal/book"
	"gangway/internal/gangway"
	"gangway/internal/store"
)

// RequestsShown is how many travel requests of some days a page has at most.
const RequestsShown = 500

// A RequestRow is one travel request with a flight.
type RequestRow struct {
	Key                     RequestKey
	RequestID, SubRequestID string
	Traveller               string
	About                   string
	From, To                gangway.Airport
	Via                     []gangway.Airport
	Date                    gangway.Date
	Vessel                  string
	Flag                    gangway.Country
	Rank, Remarks           string
	Hotel                   bool
	Source                  string // where it comes from, in few words; empty: there are uploads alone
	Wrong                   string // what is wrong with its dates, a sentence
	Booking                 string // id of the booking made for it
	Locator                 string
	State                   gangway.State
	Stand                   Stand  // of the booking beside the request
	Off                     string // in which count it is where it does not fit
}

// RequestRows returns the first travel requests with a flight from one date to
// another, and whether there are more.
func (room *Room) RequestRows(ctx context.Context, in store.Scoped, vessel string, from,
	to gangway.Date) (rows []RequestRow, cut bool, err error) {
	list, err := in.TravelRequests(ctx, gangway.Fold(vessel), from, to, RequestsShown+1)
	if err != nil {
		return nil, false, err
	}
	if cut = len(list) > RequestsShown; cut {
		list = list[:RequestsShown]
	}
	booked, err := bookedRequests(ctx, in, list)
	if err != nil {
		return nil, false, err
	}
	sources, err := SourcesOf(ctx, in)
	return rowsOf(list, booked, sources, in.Now(room.Now())), cut, err
}

// UndatedRows returns up to limit travel requests whose flight has no date yet,
// unbooked ones first, and how many more there are.
func (room *Room) UndatedRows(ctx context.Context, in store.Scoped, vessel string,
	limit int) (rows []RequestRow, more int, err error) {
	list, all, err := in.UndatedFlights(ctx, gangway.Fold(vessel), limit)
	if err != nil || all == 0 {
		return nil, 0, err
	}
	booked, err := bookedRequests(ctx, in, list)
	if err != nil {
		return nil, 0, err
	}
	sources, err := SourcesOf(ctx, in)
	return rowsOf(list, booked, sources, in.Now(room.Now())), all - len(list), err
}

func rowsOf(list []store.StoredTravelRequest, booked map[RequestKey]gangway.Booking,
	sources Sources, now time.Time) (rows []RequestRow) {
	for _, q := range list {
		if q.Flight == nil {
			continue
		}
		row := RequestRow{
			Key: RequestKey{q.RequestID, q.SubRequestID}, RequestID: q.RequestID, SubRequestID: q.SubRequestID,
			Traveller: q.Traveller.LastName + ", " + q.Traveller.FirstName, About: About(q.Traveller),
			From: q.Flight.Origin, To: q.Flight.Destination, Date: q.Flight.Starts(),
			Rank: q.Rank, Remarks: q.Remarks, Hotel: q.Hotel != nil, Source: sources.Of(q.Origin.Source),
		}
		for _, v := range q.Flight.Via {
			row.Via = append(row.Via, v.Airport)
		}
		if q.Flight.Reading() == gangway.Unordered {
			row.Wrong = "The dates of the flights came in no order; the day of each is to be filled in."
		}
		if q.Vehicle != nil {
			row.Vessel, row.Flag = q.Vehicle.Name, q.Vehicle.Flag
		}
		if b, ok := booked[row.Key]; ok {
			row.Booking, row.Locator, row.State = b.ID, b.Locator, b.State
			j := book.RequestPlan(q.TravelRequest).Judge([]gangway.Booking{b}, false, now)
			row.Stand, row.Off = StandOf(j, book.ARequest, false), book.Off(j.Fit)
		}
		rows = append(rows, row)
	}
	return rows
}

// A RequestKey names a travel request. Forms carry it as a query, because customers'
// identifiers may have any characters.
type RequestKey struct{ ID, Sub string }

// Values writes the key for an address.
func (k RequestKey) Values() url.Values { return url.Values{"request": {k.ID}, "sub": {k.Sub}} }

// String writes the key for a form.
func (k RequestKey) String() string { return k.Values().Encode() }

// ReadRequestKey reads what String wrote.
func ReadRequestKey(s string) RequestKey {
	q, err := url.ParseQuery(s)
	if err != nil {
		return RequestKey{}
	}
	return RequestKey{q.Get("request"), q.Get("sub")}
}

// bookedRequests returns the bookings that stand for travel requests.
func bookedRequests(ctx context.Context, in store.Scoped,
	list []store.StoredTravelRequest) (map[RequestKey]gangway.Booking, error) {
	ids := gangway.Each(list, func(q store.StoredTravelRequest) string { return q.RequestID })
	bookings, err := in.BookingsOfRequests(ctx, ids)
	return ByRequest(bookings), err
}

// ByRequest returns the live ones among bookings by the travel request that
// they stand for.
func ByRequest(list []gangway.Booking) map[RequestKey]gangway.Booking {
	booked := map[RequestKey]gangway.Booking{}
	for _, b := range list {
		if b.Live() {
			booked[RequestKey{b.Purpose.RequestID, b.Purpose.SubRequestID}] = b
		}
	}
	return booked
}
