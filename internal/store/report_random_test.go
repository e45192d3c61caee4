package store_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"gangway/internal/report"
	"gangway/internal/report/odata"
	"gangway/internal/report/odata/odatatest"
	"gangway/internal/report/query"
)

// randomSets returns rows of all sets, which belong to bookings that there are, and to some that there are not.
func randomSets(r *rand.Rand, bookings int) map[string][]report.Row {
	all := map[string][]report.Row{report.FlightBookings.Name: randomRows(r, bookings)}
	ids := []any{"of nobody", ""}
	for _, row := range all[report.FlightBookings.Name] {
		ids = append(ids, row[0])
	}
	for _, set := range report.Sets[1:] {
		all[set.Name] = randomRowsOf(r, set, 2*bookings, ids)
	}
	return all
}

// randomRowsOf returns at most n rows of a set besides that of the interface, each with another key.
func randomRowsOf(r *rand.Rand, set report.Set, n int, bookings []any) (rows []report.Row) {
	keys, numbers := map[string]bool{}, map[any]int64{}
	for range n {
		row := randomRow(r, set)
		v := map[string]*any{}
		for i, c := range set.Columns {
			v[c.Name] = &row[i]
			if c.Kind == report.Text && row[i] == "" && set.Table == "" && !c.Always {
				row[i] = nil // the nouns that such rows are read from know no difference
			}
		}
		if id := v["BookingId"]; id != nil {
			*id = bookings[r.IntN(len(bookings))]
			numbers[*id]++
			for _, name := range []string{"Number", "Sequence"} {
				if v[name] != nil {
					*v[name] = numbers[*id]
				}
			}
		}
		switch set.Name {
		case report.Actions.Name:
			if *v["UserName"] == "" {
				*v["UserName"] = *v["User"]
			}
		case report.Deliveries.Name:
			*v["OutletId"], *v["Sequence"] = hardTexts[r.IntN(3)], 1+r.Int64N(3)
			*v["Progress"] = []any{"due", "done", "parked"}[r.IntN(3)]
			*v["FirstTriedAt"], *v["LastTriedAt"] = nil, nil
			if r.IntN(4) > 0 {
				first := 1.7e12 + r.Int64N(1e11)
				*v["FirstTriedAt"], *v["LastTriedAt"] = first, first+r.Int64N(3)
			}
			if *v["LastTriedAt"] == nil || *v["LastStatus"] == int64(0) {
				*v["LastStatus"] = nil
			}
			if *v["DeliveredAt"] == int64(0) {
				*v["DeliveredAt"] = nil
			}
		case report.HotelRequirements.Name:
			if *v["Nights"] = nil; *v["CheckIn"] != nil && *v["CheckOut"] != nil {
				*v["Nights"] = ((*v["CheckOut"]).(int64) - (*v["CheckIn"]).(int64)) / 86400000
			}
			if *v["HandledAt"] == int64(0) {
				*v["HandledAt"] = nil
			}
		}
		key := ""
		for _, name := range set.Key {
			key += fmt.Sprintf("%q ", fmt.Sprint(*v[name]))
		}
		if !keys[key] {
			keys[key] = true
			rows = append(rows, row)
		}
	}
	return rows
}

// randomRow returns a row of a set with many nulls and ties, extremes, and texts that are hard to compare.
func randomRow(r *rand.Rand, set report.Set) report.Row {
	numbers := []int64{0, 1, -1, 5, -5, 499, 500, 501, 1000, 1500, -1500, 2500, 12345, 99999, 1e6, 1e9, 1e12, -1e12,
		1e18 - 1, -1e18 + 1, 123456789012345678}
	minutes := []int64{0, 1, 45, 60, 90, 600, -7, 1<<31 - 1, -1 << 31}
	lowest, highest := odata.MinInstant.UnixMilli(), odata.MaxInstant.UnixMilli()
	instants := []int64{0, 1, -1, 999, 1000, 86399999, 86400000, -86400001, 1709164800000, 1709251199999, 1772323200000,
		lowest, lowest + 1, highest, highest - 1}
	row := make(report.Row, len(set.Columns))
	for j, c := range set.Columns {
		if !c.Always && r.IntN(5) == 0 {
			continue
		}
		switch c.Kind {
		case report.Text:
			row[j] = hardTexts[r.IntN(len(hardTexts))]
			if r.IntN(4) == 0 {
				row[j] = row[j].(string) + hardTexts[r.IntN(len(hardTexts))]
			}
		case report.Integer:
			row[j] = minutes[r.IntN(len(minutes))]
		case report.Decimal:
			row[j] = numbers[r.IntN(len(numbers))]
			if r.IntN(3) == 0 {
				row[j] = r.Int64N(2e6) - 1e6
			}
		case report.Instant:
			row[j] = instants[r.IntN(len(instants))]
			if r.IntN(2) == 0 {
				row[j] = 1.7e12 + r.Int64N(1e11)
			}
		case report.Day:
			day := time.Date(2024, 2, 26+r.IntN(9), 0, 0, 0, 0, time.UTC)
			if r.IntN(9) == 0 {
				day = time.Date([]int{1, 9999}[r.IntN(2)], 1, 1, 0, 0, 0, 0, time.UTC)
			}
			row[j] = day.UnixMilli()
		case report.Flag:
			row[j] = r.IntN(2) == 0
		}
	}
	return row
}

// inEvaluator are rows of all sets for the evaluator.
func inEvaluator(rows map[string][]report.Row) odatatest.Data {
	all := map[*odata.EntitySet][]odatatest.Record{}
	for _, set := range query.Schema.Sets {
		all[set] = records(set, rows[set.Name])
	}
	return odatatest.NewData(all)
}

// records are rows for the evaluator.
func records(set *odata.EntitySet, rows []report.Row) []odatatest.Record {
	columns := report.Sets[slices.Index(query.Schema.Sets, set)].Columns
	list := make([]odatatest.Record, len(rows))
	for i, row := range rows {
		list[i] = odatatest.Record{}
		for j, c := range columns {
			v := row[j]
			if ms, ok := v.(int64); ok && (c.Kind == report.Instant || c.Kind == report.Day) {
				v = time.UnixMilli(ms).UTC()
			}
			list[i][c.Name] = v
		}
	}
	return list
}
