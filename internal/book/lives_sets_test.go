package book_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"gangway/internal/gangway"
	"gangway/internal/report"

	atlas "gangway/internal/world" // world is what lives share
)

// checkSets compares what the other sets of the report tell of each booking with what is worked out as
// for checkReport.
func (l *life) checkSets() {
	log := l.auditLog()
	for set, work := range map[*report.Set]func(told) []map[string]any{
		&report.Segments: told.flights, &report.Actions: told.done, &report.Refunds: told.moneyBack,
		&report.Deliveries: told.pushes,
	} {
		want, got := map[string]map[string]any{}, map[string]map[string]any{}
		for _, b := range l.all() {
			for _, row := range work(l.told(log, b.ID)) {
				want[keyIn(*set, row)] = row
			}
		}
		for _, row := range l.reported(*set, "") {
			got[keyIn(*set, row)] = row
		}
		if a, b := slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)); !slices.Equal(a, b) {
			l.t.Errorf("%s has rows %q; the actions say %q", set.Name, a, b)
		}
		for key, row := range want {
			for _, name := range slices.Sorted(maps.Keys(row)) {
				if value, there := got[key][name]; got[key] != nil && (!there || !same(value, row[name])) {
					l.t.Errorf("%s %s: %s is %v in the report; its actions say %v", set.Name, key, name, value,
						row[name])
				}
			}
		}
	}
}

// keyIn is the key of a row in a set, but for the outlet: an account of a life has one.
func keyIn(set report.Set, row map[string]any) (key string) {
	for _, name := range set.Key {
		if name != "OutletId" {
			key += fmt.Sprint(row[name], " ")
		}
	}
	return key
}

// flights are the rows of Segments, by the record that was sent with the last action.
func (k told) flights() (rows []map[string]any) {
	leg := 1
	for i, f := range k.record.Segments {
		if i > 0 && !k.record.Segments[i-1].Connecting {
			leg++
		}
		said := k.snapshot.Itinerary.Segments[i]
		co2 := said.CO2eKg
		if k.account.Settings.RadiativeForcing && said.CO2eRFKg > 0 {
			co2 = said.CO2eRFKg
		}
		airline := func(code string) any {
			a, known := atlas.AirlineOf(code)
			return orNull(map[bool]string{true: a.Name, false: code}[known])
		}
		rows = append(rows, map[string]any{
			"BookingId": k.record.ID, "Number": i + 1, "State": k.state(), "CreatedAt": inReport(k.snapshot.CreatedAt),
			"Leg": json.Number(fmt.Sprint(leg)), "FlightNumber": f.FlightNumber, "Carrier": f.Carrier,
			"CarrierName": airline(f.Carrier), "OperatingCarrier": orNull(said.Operator),
			"OperatingCarrierName": airline(said.Operator), "Origin": f.Origin, "Destination": f.Destination,
			"DepartureAt": inReport(instantAt(f.Origin, f.DepartureDate, f.DepartureTime)),
			"ArrivalAt":   inReport(instantAt(f.Destination, f.ArrivalDate, f.ArrivalTime)),
			"Cabin":       f.CabinClass, "Aircraft": orNull(said.Aircraft),
			"MileageKm":      kilometres(f.Origin, f.Destination),
			"Co2EmissionsKg": orNothing(co2), "VesselName": orNull(k.record.Metadata.Vessel),
		})
	}
	return rows
}

// done are the rows of Actions.
func (k told) done() (rows []map[string]any) {
	for _, a := range k.actions {
		rows = append(rows, map[string]any{"BookingId": k.record.ID, "Sequence": a.Seq, "Action": string(a.Name),
			"ActedAt": inReport(a.At), "User": a.By, "UserName": k.people[a.By]})
	}
	return rows
}

// pushes are the rows of Deliveries: each action waits to be pushed to the one outlet, and nobody
// pushes in a life.
func (k told) pushes() (rows []map[string]any) {
	for _, a := range k.actions {
		rows = append(rows, map[string]any{"BookingId": k.record.ID, "Sequence": a.Seq, "Progress": "due",
			"MadeAt": inReport(a.At), "Tries": json.Number("0"), "FirstTriedAt": nil, "LastTriedAt": nil,
			"DeliveredAt": nil, "LastStatus": nil})
	}
	return rows
}

// moneyBack is the row of Refunds of what was cancelled after it had been paid.
func (k told) moneyBack() []map[string]any {
	total, currency := k.refund()
	if state := k.state(); state != string(gangway.RefundPending) && total == nil {
		return nil
	}
	asked := k.when(k.isCancelled).At
	if k.order.Refund != nil {
		asked = k.order.Refund.AskedAt // as the supplier has it
	}
	row := map[string]any{"BookingId": k.record.ID, "RefundTotal": total, "AskedAt": inReport(asked),
		"Awaited": k.state() == string(gangway.RefundPending)}
	if total == nil { // the airline has not said it
		row["OutstandingTotal"], row["KeptTotal"] = nil, nil
		return []map[string]any{row}
	}
	none := json.Number("0")
	row["RefundCurrency"], row["ReturnedTotal"], row["OutstandingTotal"] = currency, total, none
	if row["Awaited"] == true {
		row["ReturnedTotal"], row["OutstandingTotal"] = none, total
	}
	return []map[string]any{row}
}

// state is the name of the last action.
func (k told) state() string { return string(k.actions[len(k.actions)-1].Name) }

func (k told) isCancelled(i int) bool {
	return k.actions[i].Name == gangway.RefundPending || k.actions[i].Name == gangway.Cancelled
}

// orNothing is a number that is known, or null.
func orNothing(n float64) any {
	if cmp.Compare(n, 0) == 0 {
		return nil
	}
	return n
}
