package poll_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"gangway/internal/accept/poll"
	"gangway/internal/gangway"
	"gangway/internal/store/storetest"
	"gangway/internal/transport/transporttest"
)

// Documents that take much memory wait for a place, one of each account; lists and short ones wait for none.
func TestDocumentsThatTakeMuchMemoryTakePlaces(t *testing.T) {
	d, c := newDesk(t, storetest.New(t)), newCustomer(t)
	occupied := func(account string) (leave func()) {
		t.Helper()
		leave, err := d.poller.Occupy(t.Context(), account)
		must(t, err)
		return leave
	}
	leave := occupied("a")
	soon, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := d.poller.Occupy(soon, "a"); err == nil {
		t.Error("an account has two places")
	}

	filler := strings.Repeat(`{"a":"`+strings.Repeat("x", 1000)+`"},`, 2000)
	answers := func(format string) {
		c.says(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintf(w, format, filler) })
	}
	run := func(mapping string, patience time.Duration) error {
		d.later(time.Second)
		d.set(gangway.TravellersFlow, c.URL, func(f *gangway.Feed) { f.Mapping = mapping })
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		_, err := d.poller.Fetch(ctx, d.in, "crew", poll.Ask{})
		return err
	}
	answers(`[%s{"id":"1","last_name":"Reyes","first_name":"Ana"}]`)
	if err := run(".[]", 5*time.Minute); err != nil {
		t.Errorf("a list waits: %v", err)
	}
	d.there("Ana")
	answers(`[{"filler":[%s{}]},{"id":"1","last_name":"Reyes","first_name":"Ana"}]`) // 2 MB, in four times the memory
	if err := run(".[] | del(.filler)", 5*time.Minute); err != nil {
		t.Errorf("a list of records that are not large waits: %v", err)
	}
	record := func(large string) {
		c.says(func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprintf(w, `[{"filler":%s},{"id":"1","last_name":"Reyes","first_name":"Ana"}]`, large)
		})
	}
	for what, large := range map[string]string{
		"long":             `"` + strings.Repeat("x", 9<<20) + `"`,
		"of small members": "[" + strings.Repeat(`{"a":"b"},`, 50_000) + "{}]",
	} {
		record(large)
		if err := run(".[] | del(.filler)", time.Second); err == nil {
			t.Errorf("a list with a record that takes much memory (%s) does not wait", what)
		}
	}
	answers(`{"filler":[%s{}],"crew":[{"id":"1","last_name":"Reyes","first_name":"Bea"}]}`)
	if err := run(".crew", time.Second); err == nil {
		t.Error("an object that takes much memory does not wait")
	}
	leave()
	d.later(time.Minute)
	if err := run(".crew", 5*time.Minute); err != nil {
		t.Errorf("an object does not get a place that is free: %v", err)
	}
	d.there("Bea")

	leave = occupied("b")
	record(`"` + strings.Repeat("x", 17<<20) + `"`)
	if err := run(".[] | del(.filler)", time.Second); err == nil {
		t.Error("a list with a large record of another account does not wait")
	}
	leave()
	d.later(time.Minute)
	if err := run(".[] | del(.filler)", 5*time.Minute); err != nil {
		t.Errorf("a list with a large record does not get a place that is free: %v", err)
	}
	occupied("a")()
}

// Answers that somebody waits for have room of their own: for a long one there are two places, one of each
// account, and short ones share theirs. Where there is none in time an answer is not read, which says
// nothing against the system: it is asked again.
func TestAnswersHaveRoom(t *testing.T) {
	d, c := newDesk(t, storetest.New(t)), newCustomer(t)
	account := d.in.Scope().Account
	occupied := func(leave func(), err error) func() {
		t.Helper()
		must(t, err)
		return leave
	}
	d.set(gangway.TravellerLookupFlow, c.URL, func(f *gangway.Feed) { f.Mapping = ".crew" })
	filler := ""
	c.says(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `{"filler":%q,"crew":[{"id":"1","last_name":"Reyes","first_name":"Ana"}]}`, filler)
	})
	typed := 'a'
	asks := func(answered bool) {
		t.Helper()
		got := d.asks(gangway.TravellerLookupFlow, gangway.Ask{Surname: "Re" + string(typed)}, answered)
		if typed++; !answered && !strings.Contains(got.Error, "many others are being read") &&
			!strings.Contains(got.Error, "in time") {
			t.Errorf("%+v; want that there is no room", got)
		}
	}
	long := strings.Repeat("x", 2<<20)

	leave := occupied(d.poller.OccupyLive(t.Context(), account))
	asks(true)
	filler = long
	for range 5 { // more often than a system may fail
		asks(false)
	}
	leave()
	asks(true)

	leave = occupied(d.poller.OccupyLive(t.Context(), "b"))
	leaveOther := occupied(d.poller.OccupyLive(t.Context(), "c"))
	asks(false)
	leave()
	asks(true)
	leaveOther()

	leave = occupied(d.poller.OccupyShort(t.Context(), account))
	filler = ""
	asks(false)
	leave()
	asks(true)
	occupied(d.poller.OccupyLive(t.Context(), account))()
	occupied(d.poller.OccupyShort(t.Context(), account))()
}

// A sample from which a mapping is proposed waits for a place as well, and gives it back.
func TestProposingTakesAPlace(t *testing.T) {
	d := newDesk(t, storetest.New(t))
	filler := strings.Repeat(`{"a":"`+strings.Repeat("x", 1000)+`"},`, 2000)
	propose := func(doc string, patience time.Duration) (poll.Trial, error) {
		return d.poller.TryWith(t.Context(), d.in, poll.Trying{Propose: true, Within: patience,
			Feed:   gangway.Feed{Name: "new", Flow: gangway.TravellersFlow},
			Sample: &poll.Sample{Name: "crew.json", Body: strings.NewReader(fmt.Sprintf(doc, filler))}})
	}
	const object = `{"filler":[%s{}],"crew":[{"id":"1","last_name":"Reyes","first_name":"Bea"}]}`
	leave, err := d.poller.Occupy(t.Context(), d.in.Scope().Account)
	must(t, err)
	if got, err := propose(object, time.Second); err != nil || got.Error == "" || got.Proposal != nil {
		t.Errorf("with no place: %+v, %v; want no proposal", got.Proposal, err)
	}
	got, err := propose(`[{"id":"1","last_name":"Reyes","first_name":"Bea"},%s{}]`, 5*time.Minute)
	if err != nil || got.Proposal == nil {
		t.Errorf("a list waits: %+v, %v", got, err)
	}
	leave()
	if got, err := propose(object, 5*time.Minute); err != nil || got.Proposal == nil {
		t.Errorf("with a place: %+v, %v; want a proposal", got, err)
	}
}

// So many questions of an account are with its systems at a time; the others are not asked in time, which says nothing
// against the systems.
func TestQuestionsOfAnAccountAreBounded(t *testing.T) {
	d := newDesk(t, storetest.New(t))
	system := transporttest.NewHostileServer(t, nil)
	system.Turn(transporttest.HostileSystems("")[0]) // it holds whoever asks
	d.set(gangway.TravellerLookupFlow, system.URL)
	ask := func(i int) {
		d.poller.Ask(t.Context(), d.in, gangway.TravellerLookupFlow,
			gangway.Ask{Surname: fmt.Sprintf("R%c%c", 'a'+i/26, 'a'+i%26)})
	}
	var held, others sync.WaitGroup
	for i := range poll.AskedOfOne {
		held.Go(func() { ask(i) })
	}
	for range poll.AskedOfOne {
		<-system.Asked
	}
	d.patience.Store(int64(impatient))
	for i := poll.AskedOfOne; i < 60; i++ {
		others.Go(func() { ask(i) })
	}
	others.Wait()
	if n := len(system.Asked); n > 0 {
		t.Errorf("it was asked %d questions at once; want %d", poll.AskedOfOne+n, poll.AskedOfOne)
	}
	system.LetGo()
	held.Wait()
}
