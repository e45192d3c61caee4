package bookings_test

import (
	"fmt"
	"strings"
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/web/app/apptest"

	"github.com/chromedp/chromedp"
)

// crowd is so many people who join, whose names tell them apart.
func crowd(n int) []gangway.CrewMember {
	list := make([]gangway.CrewMember, n)
	for i := range list {
		who := apptest.Maria
		who.ID, who.DocNumber = fmt.Sprintf("S-%d", i%5), fmt.Sprintf("P%07d", i)
		who.ID += "-" + fmt.Sprint(i)
		who.LastName = "Sailor" + string(rune('a'+i/26)) + string(rune('a'+i%26))
		list[i] = gangway.CrewMember{Traveller: who}
	}
	return list
}

// TestIssueTogetherInBrowser tells how two people issue the same forty bookings at the same time, each with three
// clicks: every ticket is paid for once, and the one booking whose price rose meanwhile is left.
func TestIssueTogetherInBrowser(t *testing.T) {
	const people = 40
	s := apptest.NewSite(t)
	c := s.SignedIn(t, gangway.Booker)
	s.SendChanges(t, apptest.Today, gangway.CrewChange{Vessel: "GENOA STAR", Flag: "PA", TravelRequestID: "GEN-00",
		ChangeDate: "2036-12-05", OnSigners: crowd(people)})
	c.BookEverybody("BRU")
	list := s.Bookings(t)
	if len(list) != people {
		t.Fatalf("%d are held; want %d", len(list), people)
	}
	mara, helen := apptest.OpenTab(t), apptest.OpenTab(t)
	mara.Become(c)
	helen.Become(s.SignedIn(t, gangway.Approver))
	clicks := 0
	click := func(b *apptest.Tab, selector string) {
		b.Do(chromedp.Click(apptest.CSS(selector)))
		clicks++
	}
	for _, b := range []*apptest.Tab{mara, helen} {
		b.Do(chromedp.Navigate(s.URL + "/bookings"))
		clicks = 0
		click(b, "[data-tick-all]")
		b.Until(fmt.Sprintf(`document.querySelector(".bulk output").textContent.startsWith("%d ticked · USD ")`, people))
		click(b, `.bulk [value=issue]`)
		b.Until(`document.querySelector("[form=together]") !== null`)
	}
	button := mara.Read(`document.querySelector("[form=together]").textContent`)
	if !strings.HasPrefix(button, fmt.Sprintf("Issue %d tickets · USD ", people)) {
		t.Errorf("the button says %q", button)
	}
	dearer := list[people/2]
	if _, err := apptest.Production(s).UpdateBooking(t.Context(), dearer.ID, "",
		func(b *gangway.Booking) (gangway.Action, error) {
			more := gangway.Money{Minor: 700, Currency: "USD"}
			b.Price = gangway.PriceOf(b.Price.Fare.Add(more), b.Price.Taxes, b.Price.Fees)
			return gangway.Action{}, nil
		}); err != nil {
		t.Fatal(err)
	}
	mara.Read(`document.querySelector("[form=together]").click(); ""`)
	click(helen, "[form=together]")
	if clicks != 3 {
		t.Errorf("%d clicks; want 3", clicks)
	}
	done := 0
	for _, b := range []*apptest.Tab{mara, helen} {
		b.Until(`document.querySelector("#run") !== null && document.querySelector("[data-stream]") === null &&
			!document.querySelector("#run [data-state=open], #run [data-state=unanswered]")`)
		ends := b.Read(`[...document.querySelectorAll("#run tr[data-state]")].map((row) => row.dataset.state).join(" ")`)
		t.Log(ends)
		done += strings.Count(ends, "done")
		if silent := b.Read(`String([...document.querySelectorAll("#run :is([data-state=refused], [data-state=busy])")]
			.filter((row) => !row.lastElementChild.textContent.trim()).length)`); silent != "0" {
			t.Errorf("%s are not issued without a reason", silent)
		}
		why := b.Read(`[...document.querySelectorAll("#run [data-state=refused]")].map((row) => row.textContent).join()`)
		if !strings.Contains(why, dearer.Locator) || !strings.Contains(why, " now, not ") {
			t.Errorf("what is refused says %q; want the dearer one only", why)
		}
		if n := b.Read(`String(document.querySelectorAll("#run [data-state=refused]").length)`); n != "1" {
			t.Errorf("%s are refused; want the dearer one only", n)
		}
	}
	if done != people-1 {
		t.Errorf("%d were issued by one or the other; want %d", done, people-1)
	}
	for _, b := range list {
		now := s.Booking(t, "/bookings/"+b.ID)
		history, err := apptest.Production(s).History(t.Context(), b.ID)
		if want := b.ID != dearer.ID; err != nil || (now.State == gangway.Issued) != want ||
			want && (len(history) != 2 || now.PaidSoFar() != b.Price.Total) {
			t.Errorf("%s is %s, paid %s: %+v, %v", b.Locator, now.State, now.PaidSoFar(), history, err)
		}
	}
}
