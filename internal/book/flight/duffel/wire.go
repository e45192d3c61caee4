package duffel

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/world"
)

// What Duffel sends, as far as we read it. A pointer is a value that may be null.

type wireOffer struct {
	ID            string          `json:"id"`
	ExpiresAt     time.Time       `json:"expires_at"`
	Total         string          `json:"total_amount"`
	TotalCurrency string          `json:"total_currency"`
	Base          string          `json:"base_amount"`
	BaseCurrency  string          `json:"base_currency"`
	EmissionsKg   *string         `json:"total_emissions_kg"`
	Owner         wireCarrier     `json:"owner"`
	NeedsPassport bool            `json:"passenger_identity_documents_required"`
	DocumentTypes []string        `json:"supported_passenger_identity_document_types"`
	Payment       wirePayment     `json:"payment_requirements"`
	Conditions    wireConditions  `json:"conditions"`
	PrivateFares  []struct{}      `json:"private_fares"`
	Passengers    []wirePassenger `json:"passengers"`
	Slices        []wireSlice     `json:"slices"`
	Partial       bool            `json:"partial"`
}

type wirePayment struct {
	Instant    bool       `json:"requires_instant_payment"`
	RequiredBy *time.Time `json:"payment_required_by"`
	Guarantee  *time.Time `json:"price_guarantee_expires_at"`
}

type wirePassenger struct {
	ID string `json:"id"`
}

type wireConditions struct {
	Refund *wireCondition `json:"refund_before_departure"`
	Change *wireCondition `json:"change_before_departure"`
}

// A wireCondition is the condition of a change or refund. nil: the airline does not say whether it
// is allowed. Without an amount: it does not say what it costs.
type wireCondition struct {
	Allowed  bool    `json:"allowed"`
	Penalty  *string `json:"penalty_amount"`
	Currency *string `json:"penalty_currency"`
}

type wireCarrier struct {
	Code *string `json:"iata_code"`
}

func (c wireCarrier) code() string { return textOf(c.Code) }

type wireSlice struct {
	ID          string        `json:"id"`
	Origin      wirePlace     `json:"origin"`
	Destination wirePlace     `json:"destination"`
	Brand       *string       `json:"fare_brand_name"`
	Segments    []wireSegment `json:"segments"`
}

type wirePlace struct {
	Code string `json:"iata_code"`
	Zone string `json:"time_zone"`
}

type wireSegment struct {
	Origin              wirePlace `json:"origin"`
	Destination         wirePlace `json:"destination"`
	OriginTerminal      *string   `json:"origin_terminal"`
	DestinationTerminal *string   `json:"destination_terminal"`
	DepartingAt         string    `json:"departing_at"` // local, without offset
	ArrivingAt          string    `json:"arriving_at"`
	Distance            *string   `json:"distance"`
	Aircraft            *struct {
		Name string `json:"name"`
	} `json:"aircraft"`
	Marketing       wireCarrier `json:"marketing_carrier"`
	MarketingNumber string      `json:"marketing_carrier_flight_number"`
	Operating       wireCarrier `json:"operating_carrier"`
	Passengers      []struct {
		Cabin    string `json:"cabin_class"`
		Baggages []struct {
			Type     string `json:"type"`
			Quantity int    `json:"quantity"`
		} `json:"baggages"`
	} `json:"passengers"`
}

type wireOrder struct {
	ID            string            `json:"id"`
	Reference     string            `json:"booking_reference"`
	CancelledAt   *time.Time        `json:"cancelled_at"`
	VoidUntil     *time.Time        `json:"void_window_ends_at"`
	Owner         wireCarrier       `json:"owner"`
	Total         string            `json:"total_amount"`
	TotalCurrency string            `json:"total_currency"`
	Base          string            `json:"base_amount"`
	BaseCurrency  string            `json:"base_currency"`
	Conditions    wireConditions    `json:"conditions"`
	Slices        []wireSlice       `json:"slices"`
	Metadata      map[string]string `json:"metadata"`
	Actions       []string          `json:"available_actions"`
	Notices       []wireNotice      `json:"airline_initiated_changes"`
	Cancellation  *wireCancellation `json:"cancellation"`
	Documents     []struct {
		Number string `json:"unique_identifier"`
		Type   string `json:"type"`
	} `json:"documents"`
	Payment struct {
		Awaiting   bool       `json:"awaiting_payment"`
		RequiredBy *time.Time `json:"payment_required_by"`
		Guarantee  *time.Time `json:"price_guarantee_expires_at"`
		PaidAt     *time.Time `json:"paid_at"`
	} `json:"payment_status"`
}

type wireCancellation struct {
	ID          string     `json:"id"`
	Refund      *string    `json:"refund_amount"`
	Currency    *string    `json:"refund_currency"`
	RefundTo    string     `json:"refund_to"`
	ExpiresAt   *time.Time `json:"expires_at"`
	ConfirmedAt *time.Time `json:"confirmed_at"`
	Credits     []struct {
		Code     string `json:"credit_code"`
		Amount   string `json:"credit_amount"`
		Currency string `json:"credit_currency"`
	} `json:"airline_credits"`
}

type wireNotice struct {
	ID        string      `json:"id"`
	CreatedAt time.Time   `json:"created_at"`
	Added     []wireSlice `json:"added"`
	Removed   []wireSlice `json:"removed"`
	Actions   []string    `json:"available_actions"`
	Taken     *string     `json:"action_taken"`
}

type wireChangeOffer struct {
	ID              string     `json:"id"`
	ExpiresAt       *time.Time `json:"expires_at"`
	ConfirmedAt     *time.Time `json:"confirmed_at"` // of changes
	Change          *string    `json:"change_total_amount"`
	ChangeCurrency  *string    `json:"change_total_currency"`
	New             *string    `json:"new_total_amount"`
	NewCurrency     string     `json:"new_total_currency"`
	Penalty         *string    `json:"penalty_total_amount"`
	PenaltyCurrency *string    `json:"penalty_total_currency"`
	Fee             *string    `json:"penalty_amount"` // the penalty, named as in Duffel's own client
	FeeCurrency     *string    `json:"penalty_currency"`
	Slices          struct {
		Add    []wireSlice `json:"add"`
		Remove []wireSlice `json:"remove"`
	} `json:"slices"`
}

// amount reads money as Duffel sends it: a decimal in a string.
func amount(decimal, currency string) (gangway.Money, error) {
	m, err := gangway.ParseMoney(decimal + " " + currency)
	if err != nil {
		return m, fmt.Errorf("read Duffel amount: %w", err)
	}
	return m, nil
}

// clock is the format of Duffel's local times.
const clock = "2006-01-02T15:04:05"

var zones sync.Map // name → *time.Location

// at reads a local time at a place.
func (p wirePlace) at(local string) (time.Time, error) {
	loc, ok := zones.Load(p.Zone)
	if !ok {
		zone, err := world.Zone(p.Zone)
		if a, known := world.AirportOf(p.Code); known && (err != nil || p.Zone == "") {
			zone, err = a.Location(), nil
		}
		if err != nil || p.Zone == "" && zone == time.UTC {
			return time.Time{}, fmt.Errorf("the time zone of %s is unknown", p.Code)
		}
		loc = zone
		if p.Zone != "" {
			zones.Store(p.Zone, zone)
		}
	}
	t, err := time.ParseInLocation(clock, local, loc.(*time.Location))
	if err != nil {
		return t, fmt.Errorf("read Duffel time: %w", err)
	}
	return t, nil
}

// textOf returns the text that a pointer points to, or "".
func textOf(s *string) string {
	if s == nil {
		return ""
	}
	return strings.TrimSpace(*s)
}

// instant returns the time that a pointer points to, or the zero time.
func instant(t *time.Time) time.Time {
	if t == nil {
		return time.Time{}
	}
	return t.UTC()
}
