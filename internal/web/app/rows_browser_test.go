package app_test

import (
	"fmt"
	"strconv"
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/web/app/apptest"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// rowsInSight counts the rows that are whole in the window, without those that name a group.
const rowsInSight = `String([...document.querySelectorAll("#list tbody tr:not(.group)")].filter((row) => {
	const at = row.getBoundingClientRect();
	return at.height > 0 && at.bottom <= innerHeight + 0.5;
}).length)`

// TestListsFillTheScreenInBrowser holds how many rows of a list a coordinator sees without scrolling, that nothing of
// them lies outside, and that no page is too large.
func TestListsFillTheScreenInBrowser(t *testing.T) {
	s := apptest.NewSite(t)
	in := apptest.Production(s)
	apptest.Reported(t, in, 60)
	var asked []gangway.TravelRequest
	var people []gangway.Traveller
	for i := range 100 {
		who := apptest.Maria
		who.ID, who.FirstName = fmt.Sprint("C-", i), "Mark Anthony"
		who.LastName = "Villanueva" + string(rune('a'+i/26)) + string(rune('a'+i%26))
		people = append(people, who)
		from := gangway.Date("2036-12-01").AddDays(i / 4)
		asked = append(asked, gangway.TravelRequest{RequestID: fmt.Sprintf("TR-2036-%03d", i), Traveller: who,
			Rank: "Electro-technical officer", Vehicle: &gangway.Vehicle{Name: "CORVINA LEVIATHAN", Flag: "BS"},
			Remarks: "Repatriation, medical",
			Flight:  &gangway.FlightNeed{Origin: "MNL", Destination: "RTM", Date: from},
			Hotel:   &gangway.HotelNeed{Location: "Rotterdam", CheckIn: from, CheckOut: from.AddDays(2)}})
	}
	s.SendRequests(t, asked...)
	apptest.Must(in.UpsertTravellers(t.Context(), people))(t)
	b := apptest.OpenTab(t)
	b.Become(s.SignedIn(t, gangway.Booker))
	for _, at := range []string{"/bookings", "/requests?days=28", "/hotels", "/travellers"} {
		t.Run(at, func(t *testing.T) {
			b := b.In(t)
			b.Do(chromedp.Navigate(s.URL + at))
			b.Until(`document.querySelectorAll("#list tbody tr").length > 30`)
			for _, window := range []struct{ width, height, rows int }{{1440, 900, 24}, {1280, 800, 18}} {
				b.Do(chromedp.EmulateViewport(int64(window.width), int64(window.height)))
				if n, _ := strconv.Atoi(b.Read(rowsInSight)); n < window.rows {
					t.Errorf("%d rows at %d × %d; want %d", n, window.width, window.height, window.rows)
				}
				if over := b.Read(`String([...document.querySelectorAll(".scroll")].filter(
					(e) => e.scrollWidth > e.clientWidth).map((e) => e.scrollWidth - e.clientWidth).join())`); over != "" {
					t.Errorf("at %d the rows are %s px wider than the window", window.width, over)
				}
			}
			if n, _ := strconv.Atoi(b.Read(`String(document.querySelectorAll("*").length)`)); n > 3000 {
				t.Errorf("%d elements; want 3,000 at most", n)
			}
		})
	}
	t.Run("a date is typed day first, and shown as it was understood", func(t *testing.T) {
		b := b.In(t)
		b.Do(chromedp.Navigate(s.URL + "/requests?date=2036-12-01"))
		b.Until(`document.querySelector("#date[role=combobox]") !== null`)
		b.Read(`document.querySelector("#date").select(); ""`)
		b.Do(chromedp.SendKeys(apptest.CSS("#date"), "3/12"))
		b.Until(`[...document.querySelectorAll("#date-options [role=option]")].map((o) => o.textContent).join() ===
			"Wed 3 Dec 2036,Thu 12 Mar 2037"`)
		b.Do(chromedp.SendKeys(apptest.CSS("#date"), kb.Backspace+kb.Backspace+kb.Backspace+" dec"))
		b.Until(`document.querySelectorAll("#date-options [role=option]").length === 1`)
		b.Do(chromedp.SendKeys(apptest.CSS("#date"), kb.Enter))
		b.Until(`document.querySelector("#head").textContent.includes("Wed 3 Dec 2036") &&
			document.querySelector("#date").value === "Wed 3 Dec 2036"`)
	})
}
