package app_test

import (
	"context"
	"fmt"
	"testing"

	"gangway/internal/web/app/apptest"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"gangway"
)

// onPaper lays the page at hand out as it is printed.
func onPaper(ctx context.Context, t *chromedp.Target) error {
	_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
	return err
}

// TestPagesFitInBrowser holds that nothing lies over its neighbour or sticks
// out of a phone, and that paper has nothing to press.
func TestPagesFitInBrowser(t *testing.T) {
	s := apptest.NewSite(t)
	c := s.SignedIn(t, gangway.Booker)
	path := c.Booked("fare=marine&rule=change")
	offers := c.Get(path + "/change?date0=2036-12-04")
	c.Post(path+"/ask-change", offers.Form(path+"/ask-change")).Has("to pay with the tickets")
	search := s.Keep(t, apptest.Maria)

	b := apptest.OpenTab(t)
	b.Do(chromedp.Navigate(s.URL + "/"))
	b.SignIn()
	b.Until(`document.querySelector(".nav") !== null`)
	for _, at := range []string{"/", "/searches/" + search.ID + "/members/0"} {
		for _, width := range []int64{1024, 1280, 1440} {
			b.Do(chromedp.EmulateViewport(width, 900), chromedp.Navigate(s.URL+at))
			if over := b.Read(overlapping); over != "" {
				t.Errorf("%s at %d: %s", at, width, over)
			}
		}
	}
	other := c.Booked("fare=marine&rule=change")
	b.Do(chromedp.EmulateViewport(390, 900), chromedp.Navigate(s.URL+other+"/change"))
	if over := b.Read(overlapping); over != "" {
		t.Errorf("the days of a change on a phone: %s", over)
	}
	if _, err := apptest.Production(s).UpsertTravelRequests(t.Context(), []gangway.TravelRequest{{
		RequestID: "TR-2036-0001", Traveller: gangway.Traveller{LastName: "Dimaculangan", FirstName: "Michael"}, Vehicle: &gangway.Vehicle{Name: "Corvina Dolomite"}, Remarks: "Simulator course in the week before",
		Hotel: &gangway.HotelNeed{Location: "Port of Rotterdam", CheckIn: "2036-12-02", CheckOut: "2036-12-26"},
	}}); err != nil {
		t.Fatal(err)
	}
	for at, last := range map[string]string{"/hotels?from=2036-12-01&to=2036-12-31": ".handled .button", "/bookings": "td:last-child"} {
		b.Do(chromedp.EmulateViewport(1280, 900), chromedp.Navigate(s.URL+at))
		if out := b.Read(fmt.Sprintf(`(() => {
			const edge = document.querySelector("#list").getBoundingClientRect().right;
			return [...document.querySelectorAll("#list tbody %s")].map(e => e.getBoundingClientRect().right - edge).filter(by => by > 0).join();
		})()`, last)); out != "" {
			t.Errorf("%s at 1280: the last column is cut by %s px", at, out)
		}
	}
	b.Do(chromedp.EmulateViewport(390, 900), chromedp.Navigate(s.URL+path))
	if wide := b.Read(`document.documentElement.scrollWidth > 390 ? String(document.documentElement.scrollWidth) : ""`); wide != "" {
		t.Errorf("a booking whose change is pending is %s wide on a phone of 390", wide)
	}
	b.Do(chromedp.EmulateViewport(1280, 900), chromedp.Navigate(s.URL+path), chromedp.Func(onPaper))
	if left := b.Read(pressable); left != "" {
		t.Errorf("on paper the booking has %s", left)
	}
	b.Until(`document.body.innerText.includes("Itinerary") && !/Invoices|For the report/.test(document.body.innerText)`)
}

// overlapping names the fields of a form's lines that lie over their neighbours or all but touch them.
const overlapping = `[...document.querySelectorAll(".book .line, form.bar")].flatMap(line => {
	const boxes = [...line.querySelectorAll(".input, .segments, .button")].map(e => [e.id || e.className, e.getBoundingClientRect()]).filter(([, r]) => r.width > 1);
	return boxes.flatMap(([a, r]) => boxes.filter(([, q]) => r.left < q.left && r.right + 6 > q.left && r.top < q.bottom && r.bottom > q.top).map(([b, q]) => a + " is " + (q.left - r.right) + " px from " + b));
}).join("; ")`

// pressable names the buttons and fields that can be seen.
const pressable = `[...document.querySelectorAll("button, input:not([type=hidden]), select, textarea, a.button")].filter(e => e.checkVisibility() && e.getBoundingClientRect().width > 1).map(e => e.textContent || e.name).join("; ")`
