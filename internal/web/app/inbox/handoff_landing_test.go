package inbox_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/apptest"

	"github.com/chromedp/chromedp"
)

// searchOf returns the search that a page shows.
func searchOf(t *testing.T, in store.Scoped, page apptest.Answer) gangway.Search {
	t.Helper()
	path, _, _ := strings.Cut(page.Path, "?")
	s, err := in.Search(t.Context(), strings.TrimPrefix(path, "/searches/"))
	if err != nil {
		t.Fatalf("%s: %v\n%s", page.Path, err, page.Body)
	}
	return s
}

// TestHandoffHead holds that the landing page shows the crew change, its days and each traveller's rank,
// as far as the hand-off names them.
func TestHandoffHead(t *testing.T) {
	s := apptest.NewSite(t)
	c := s.SignedIn(t, gangway.Booker)
	form := handedOver()
	form.Set("offsigners[0][depart]", "2036-12-05")
	form.Set("travel_request_id", "GEN-7")
	form.Set("onsigners[0][rank]", "Second Engineer")
	form.Set("offsigners[0][custom_fields][Rank]", "Cook")
	form.Set("offsigners[0][arrive]", "")
	c.In(t).Landed(form).Has(">Wed 3 Dec<", ">Fri 5 Dec<", "GEN-7", "Second Engineer", "Cook")

	form = handedOver()
	for name := range form {
		if strings.HasPrefix(name, "offsigners") {
			form.Del(name)
		}
	}
	form.Set("onsigners[0][rank]", "Second Engineer")
	form.Set("travel_request_id", "GEN-8")
	c.In(t).Landed(form).Has("Second Engineer for NORTHERN LIGHT (PA), crew change GEN-8", "by the end of Wed 3 Dec")
}

// TestHandoffPointsOut holds what the landing page points out about what was sent.
func TestHandoffPointsOut(t *testing.T) {
	s := apptest.NewSite(t)
	c := s.SignedIn(t, gangway.Booker)
	form := handedOver()
	form.Set("onsigners[0][doc_number]", strings.Repeat("P", 40))
	form.Set("onsigners[0][email]", "nope")
	form.Set("onsigners[0][arrive]", "2020-12-01")
	form.Set("onsigners[0][last_name]", "O'Brien-Smith")
	form.Set("environment", "staging")
	page := c.In(t).Landed(form).Has("The last name &#34;O&#39;Brien-Smith&#34; became &#34;OBrien Smith&#34;: an "+
		"apostrophe was dropped, a hyphen became a space", "The passport number has 40 characters",
		"The e-mail address &#34;nope&#34; is not valid", "The arrival date 2020-12-01 is in the past",
		"Your system asks for the environment “staging”")
	if n := strings.Count(page.Body, `class="notice watch`); n != 1 {
		t.Errorf("%d boxes say what to look at; want one with all of it", n)
	}
	c.In(t).Get(page.Path+"/members/0").Has("••••PPP", "nope")

	t.Run("what could not be read stays, and nothing is held with it", func(t *testing.T) {
		form := handedOver()
		form.Set("onsigners[0][last_name]", "M\xefller\x81")
		page := c.In(t).Landed(form)
		if got := searchOf(t, apptest.Production(s), page).Members[0].Traveller.LastName; got != "Mïller\ufffd" {
			t.Errorf("the last name is %q; want what could not be read kept", got)
		}
		page.Has("could not be read")
		c.In(t).Get(page.Path + "/book-all").Has("cannot be written in the letters of a ticket")
	})
}

// TestHandoffTwice holds that a person who is twice in a hand-off is pointed out, and not booked
// twice.
func TestHandoffTwice(t *testing.T) {
	s := apptest.NewSite(t)
	c := s.SignedIn(t, gangway.Booker)
	form := handedOver()
	for name, values := range handedOver() {
		if field, ok := strings.CutPrefix(name, "onsigners[0]"); ok {
			form["onsigners[1]"+field] = values
		}
	}
	form.Set("onsigners[1][id]", "78") // another number, the same passport
	form.Set("offsigners[0][arrive]", "2036-12-03")
	landed := c.In(t).Landed(form)
	page := c.In(t).Get(landed.Path+"?wait=1").Has("2 ready to book · 1 listed twice", ">listed twice<")
	c.In(t).Get(landed.Path + "?wait=1&member=1").
		Has("This is the same person as OBrien, Mary Jane further up, under “On-signers”")
	review := c.In(t).Get(landed.Path+"/book-all").Has("Listed twice", "Hold all 2", landed.Path+"?member=1")
	_, sum, _ := strings.Cut(review.Body, "Hold all 2, USD ")
	sum, _, _ = strings.Cut(sum, "<")
	// the two who can be booked, and nobody twice
	page.Has(" · USD " + strings.TrimSuffix(strings.TrimSpace(sum), ", and issue automatically"))
	booking := review.Form(landed.Path + "/book-all")
	for i, member := range booking["member"] {
		booking.Set("m"+member+".dob", "1985-03-12")
		booking.Set("m"+member+".gender", []string{"F", "M"}[i])
	}
	c.In(t).Finish(c.In(t).Post(landed.Path+"/book-all", booking)).Has("2 of 2 booked")
	if n := len(s.Bookings(t)); n != 2 {
		t.Fatalf("%d bookings were made; want one for each person", n)
	}
}

// TestHandoffEnvironment holds in which environment a hand-off lands.
func TestHandoffEnvironment(t *testing.T) {
	s := apptest.NewSite(t)

	t.Run("the one that it names, through sign-in too", func(t *testing.T) {
		form := handedOver()
		form.Set("environment", "development")
		at := apptest.HandOver(t, s, form).Header.Get("Location")
		c := s.Client(t)
		c.Get(at).Has(`name="to" value="` + at + `"`)
		page := c.Post("/sign-in", url.Values{"email": {"booker@example.com"}, "password": {apptest.Password},
			"to": {at}}).Has("so you work there now", "NORTHERN LIGHT").Lacks("Your system named neither")
		searchOf(t, apptest.Development(s), page)
		if again := c.Get(at); again.Path != page.Path {
			t.Fatalf("going back led to %s; want %s", again.Path, page.Path)
		}
		s.Stranger(t).Get(at).Is(http.StatusNotFound)
	})
	t.Run("without one, where the user works, and the page offers the other", func(t *testing.T) {
		c := s.SignedIn(t, gangway.Booker)
		at := apptest.HandOver(t, s, handedOver()).Header.Get("Location")
		page := c.Get(at).Has("Your system named neither production nor development for this. It opened in "+
			"<strong>Production</strong>, with simulated airlines", "Open it in Development").Lacks("for real")
		s.Real.Store(true)
		c.Get(page.Path).Has("<strong>Production</strong>, where bookings are made for real")
		s.Real.Store(false)
		in := searchOf(t, apptest.Production(s), page)
		moved := c.Post(page.Path+"/environment", url.Values{"environment": {"development"}}).
			Shows(page.Path, "It opened in <strong>Development</strong>", "Open it in Production")
		if there := searchOf(t, apptest.Development(s), moved); there.ID != in.ID || there.Members[0].Traveller.ID !=
			"77" {
			t.Fatalf("the search there is %+v; want the same", there)
		}
		if again := c.Get(at); again.Path != page.Path {
			t.Fatalf("going back led to %s; want %s", again.Path, page.Path)
		}
		s.Stranger(t).Post(page.Path+"/environment", url.Values{"environment": {"development"}}).Is(http.StatusNotFound)
		c.Post(page.Path+"/environment", url.Values{"environment": {"staging"}}).Is(http.StatusBadRequest)
	})
	t.Run("what was not handed over so stays where it is", func(t *testing.T) {
		c := s.SignedIn(t, gangway.Booker)
		search := s.Keep(t, apptest.Joiners()...)
		c.Post("/searches/"+search.ID+"/environment",
			url.Values{"environment": {"development"}}).Is(http.StatusConflict)
	})
}

// TestOldPageInBrowser hands over from a page in ISO-8859-1, as a real browser does.
func TestOldPageInBrowser(t *testing.T) {
	s := apptest.NewSite(t)
	for _, hidden := range []string{"", `<input type="hidden" name="_charset_">`} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=iso-8859-1")
			fmt.Fprintf(w, `<!doctype html><title>Crew planning</title><form method="post" action="%s/integrations/search">%s`, s.URL, hidden)
			for i, last := range []string{"M\xfcller-L\xfcdenscheidt", "Wa&#322;&#281;sa"} {
				fmt.Fprintf(w, `<input type="hidden" name="onsigners[%d][last_name]" value="%s"><input type="hidden" name="onsigners[%d][first_name]" value="J%srg">`, i, last, i, "\xf6")
			}
			fmt.Fprint(w, `<button id="go">Flights</button></form>`)
		}))
		t.Cleanup(server.Close)
		b := apptest.OpenTab(t)
		b.Do(chromedp.Navigate(strings.Replace(server.URL, "127.0.0.1", "localhost", 1)),
			chromedp.Click(apptest.CSS("#go")))
		b.SignIn()
		b.Until(`location.pathname.startsWith("/searches/")`)
		search, err := apptest.Production(s).Search(t.Context(), strings.TrimPrefix(b.Read("location.pathname"),
			"/searches/"))
		apptest.Done(t, err)
		if a, z := search.Members[0].Traveller.LastName, search.Members[1].Traveller.LastName; a !=
			"Müller Lüdenscheidt" || z != "Wałęsa" {
			t.Errorf("the names are %q and %q; want Müller Lüdenscheidt and Wałęsa", a, z)
		}
		if guessed := strings.Contains(strings.Join(search.Notes, " "), "Windows-1252"); guessed != (hidden == "") {
			t.Errorf("with %q the notes are %q", hidden, search.Notes)
		}
	}
}
