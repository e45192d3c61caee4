package duffel

import (
	"context"
	"errors"
	"net/http"

	"gangway/internal/gangway"
)

// An errorText is one of Duffel's errors in words for a booker.
type errorText struct {
	kind gangway.Kind
	text string
}

const again = ": search again to see what is available now"

// errorTexts are the errors that have a text of their own, by code. The text that comes
// with Duffel's error is never shown, because it can repeat what was sent.
var errorTexts = map[string]errorText{
	"offer_no_longer_available":    {gangway.Conflict, "the airline no longer sells this offer" + again},
	"offer_expired":                {gangway.Conflict, "this offer has expired" + again},
	"offer_request_expired":        {gangway.Conflict, "this offer has expired" + again},
	"offer_request_already_booked": {gangway.Conflict, "this offer was booked already" + again},
	"price_changed":                {gangway.Conflict, "the airline has changed the price: check it and try again"},
	"duplicate_booking": {gangway.Conflict,
		"the airline already has a booking of this passenger on these flights"},
	"duplicate_passenger_name": {gangway.Conflict,
		"the airline already has a booking of this passenger on these flights"},
	"insufficient_balance": {gangway.Conflict,
		"there is not enough money on the account with Duffel to pay for this; nothing was bought"},
	"schedule_changed": {gangway.Conflict,
		"the airline has changed the flights: look at the booking again"},
	"already_paid":                  {gangway.Conflict, "the order was paid already"},
	"already_cancelled":             {gangway.Conflict, "the order was cancelled already"},
	"past_payment_required_by_date": {gangway.Conflict, "the time to pay has passed and the seats are gone" + again},
	"order_cancellation_stale":      {gangway.Conflict, "this quote has been replaced: ask for a new one"},
	"order_not_created": {gangway.Conflict,
		"the airline could not make the booking, and nothing was bought: try again, or take other flights"},

	"payment_amount_does_not_match_order_amount": {gangway.Conflict,
		"the airline has changed the price: check it and try again"},
	"payment_currency_does_not_match_order_currency": {gangway.Conflict,
		"the airline has changed the currency: check the price and try again"},
	"order_type_not_eligible_for_payment": {gangway.Conflict, "the order was paid when it was made"},

	"ancillary_service_not_available": {gangway.Conflict, "the airline does not sell that extra"},
	"invalid_loyalty_card":            {gangway.Invalid, "the airline does not accept the loyalty card"},
	"invalid_iata_code":               {gangway.Invalid, "Duffel does not know one of the airports"},
	"rate_limit_exceeded": {gangway.Unavailable,
		"Duffel accepts no more calls right now: try again in a minute"},
	"not_found": {gangway.NotFound, "Duffel does not have this"},
}

// fields maps Duffel's names of fields that it may refuse to a booker's words.
var fields = map[string]string{
	"given_name": "first name", "family_name": "last name", "born_on": "date of birth", "gender": "gender",
	"title": "title",
	"email": "e-mail address", "phone_number": "phone number", "identity_documents": "passport",
	"departure_date": "date of departure", "origin": "airport of departure", "destination": "airport of arrival",
}

// explainError turns an error of a call that only reads into one for the booker.
func explainError(err error) error {
	var f *failure
	if !errors.As(err, &f) {
		return err
	}
	if errors.Is(f.cause, context.Canceled) {
		return f.cause
	}
	if t, ok := errorTexts[f.code]; ok {
		return gangway.Errorf(t.kind, "%s", t.text)
	}
	switch field := fields[f.field]; {
	case f.kind == "authentication_error":
		return gangway.Errorf(gangway.Denied, "Duffel does not accept the account's token: an administrator has to "+
			"check it")
	case f.kind == "validation_error" && field != "":
		return gangway.Errorf(gangway.Invalid, "the airline does not accept the %s", field)
	case f.kind == "validation_error":
		return gangway.Errorf(gangway.Invalid, "Duffel does not accept this request")
	case f.kind == "invalid_state_error":
		return gangway.Errorf(gangway.Conflict, "the airline cannot do this with the order as it is now")
	case f.status == http.StatusNotFound:
		return gangway.Errorf(gangway.NotFound, "Duffel does not have this")
	case f.status >= 400 && f.status < 500 && f.kind != "airline_error":
		return gangway.Errorf(gangway.Invalid, "Duffel does not accept this request")
	}
	return gangway.Errorf(gangway.Unavailable, "the airline is not answering right now: try again in a while")
}

// explainRefusal turns an error of a call that did nothing into an error that says so.
func explainRefusal(err error) error {
	told := explainError(err)
	if gangway.KindOf(told) == gangway.Unavailable || gangway.KindOf(told) == gangway.Internal {
		return gangway.Errorf(gangway.Conflict, "the airline was not reached, and nothing was done: try again in a "+
			"minute")
	}
	return told
}

// refusal reports whether err says that a call did nothing and will do nothing.
func refusal(err error) bool {
	var f *failure
	return errors.As(err, &f) && f.certain()
}

// errUnknownOutcome is the error of a call that may have acted or not.
var errUnknownOutcome = gangway.Errorf(gangway.Unavailable, "the airline has not answered: the outcome is being "+
	"looked up")

// hasCode reports whether err is Duffel's error with a code.
func hasCode(err error, code string) bool {
	var f *failure
	return errors.As(err, &f) && f.code == code
}

// broken reports whether Duffel answered with an internal error.
func broken(err error) bool {
	var f *failure
	return errors.As(err, &f) && (f.status == http.StatusInternalServerError || f.status == http.StatusBadGateway ||
		f.kind == "airline_error")
}
