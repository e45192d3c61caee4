package store

import (
	"fmt"

	"gangway/internal/report"
)

// A liveSet is where the rows of a set without a table of its own come from.
type liveSet struct {
	from    string            // what follows FROM, with the account
	columns map[string]string // the expression for each column
}

// liveSet returns where the rows of a set come from. A column that is not what it is called here in a
// table would not be found by an index: those of the orders that people ask for are.
func (d dialect) liveSet(set report.Set) liveSet {
	switch set.Name {
	case report.Actions.Name:
		return liveSet{`action WHERE account = $1`, map[string]string{
			"booking_id": `booking`, "sequence": d.bigint(`seq`), "action": `name`, "acted_at": `at`,
			"user_email": `by_whom`, "user_name": `CASE WHEN by_name = '' THEN by_whom ELSE by_name END`,
		}}
	case report.Deliveries.Name:
		return liveSet{`delivery d WHERE d.account = $1`, map[string]string{
			"booking_id": `d.booking`, "sequence": d.bigint(`d.seq`), "outlet_id": `d.outlet`, "delivery_id": `d.id`,
			"progress": `d.state`, "made_at": `d.made_at`, "tries": d.bigint(`d.attempts`),
			"delivered_at":   `nullif(d.done_at, 0)`,
			"first_tried_at": tryOf(`t.at`, ``), "last_tried_at": tryOf(`t.at`, ` DESC`),
			"last_status": `nullif(` + d.bigint(tryOf(`t.status`, ` DESC`)) + `, 0)`,
		}}
	case report.HotelRequirements.Name:
		in, out := d.member(`doc`, `hotel`, `check_in`), d.member(`doc`, `hotel`, `check_out`)
		return liveSet{`travel_request WHERE account = $1
			AND (hotel_from <> '' OR undated <> '' AND undated IN ('hotel', 'both'))`, map[string]string{
			"request_id": `request_id`, "sub_request_id": `sub_request_id`,
			"location": d.member(`doc`, `hotel`, `location`), "check_in": d.day(in), "check_out": d.day(out),
			"nights":               `(` + d.day(out) + ` - ` + d.day(in) + `) / 86400000`,
			"passenger_last_name":  d.member(`doc`, `traveller`, `last_name`),
			"passenger_first_name": d.member(`doc`, `traveller`, `first_name`),
			"vessel_name":          d.member(`doc`, `vehicle`, `name`), "vessel_flag": d.member(`doc`, `vehicle`, `flag`),
			"handled_at": `nullif(handled_at, 0)`, "handled_by_user": `nullif(handled_by, '')`,
		}}
	}
	panic("the rows of " + set.Name + " are kept nowhere")
}

// tryOf is what the first try of a delivery was like, or the last one.
func tryOf(what, order string) string {
	return fmt.Sprintf(`(
		SELECT %s
		FROM attempt t
		WHERE t.account = d.account AND t.outlet = d.outlet AND t.booking = d.booking AND t.seq = d.seq
		ORDER BY t.at%s
		LIMIT 1)`, what, order)
}

// bigint is a small number as one that others can be added to.
func (d dialect) bigint(number string) string {
	if d == postgres {
		return `CAST(` + number + ` AS BIGINT)`
	}
	return number
}

// member is a text within an object within a document; null if it is empty or not there.
func (d dialect) member(doc, object, name string) string {
	if d == postgres {
		// It reads no document with a NUL in it, in whatever member.
		doc = `CASE WHEN strpos(` + doc + `, '\u0000') > 0 THEN regexp_replace(` + doc +
			`, '(?<!\\)((\\\\)*)\\u0000', '\1', 'g') ELSE ` + doc + ` END`
		return d.bytewise(`nullif(CAST(` + doc + ` AS JSON) #>> '{` + object + `,` + name + `}', '')`)
	}
	return `nullif(json_extract(` + doc + `, '$.` + object + `.` + name + `'), '')`
}

// day is a date as milliseconds since 1970.
func (d dialect) day(date string) string {
	if d == postgres {
		return `CAST(extract(epoch FROM CAST(` + date + ` AS DATE)) AS BIGINT) * 1000`
	}
	return `unixepoch(` + date + `) * 1000`
}
