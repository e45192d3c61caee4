package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"time"

	"gangway/internal/need"
	"gangway/internal/store/storetest"
	"gangway/internal/transport/transporttest"
)

var answerID = regexp.MustCompile(`(?im)^message-id: *(<[^>]+>)`)

// TestTrialMailKilled kills the program again and again while it reads a mailbox, stores what the mails bring, answers
// them and puts them away. After the last start each mail lies in the folder done once, the history tells of everybody
// as created once, each mail has one answer, and reading the mails again changes nothing.
//
// A kill between a mail server's acceptance of an answer and our note of it is the one thing that nobody can settle
// afterwards: that answer goes out again with the same identifier, by which mail systems drop it.
func TestTrialMailKilled(t *testing.T) {
	need.Trial(t)
	t.Parallel() // it waits for leases of whoever was killed
	const mails, each = 12, 400
	storetest.EachURL(t, func(t *testing.T, database string) {
		server, office := transporttest.ServeIMAP(t), transporttest.ServeSMTP(t, false)
		flags := []string{"--allow-network", "127.0.0.0/8", "--secret-key-file",
			keyFile(t, base64.StdEncoding.EncodeToString(make([]byte, 32)))}
		v := newCustomerOf(t, database, flags[2:]...)
		documents := make([]string, mails)
		for i := range documents {
			documents[i] = crewList(i, each)
			server.Leave(t, "INBOX", mailWith(fmt.Sprintf("<%d@example.com>", i), "crew.csv", documents[i]))
		}
		doc, err := json.Marshal(map[string]any{"name": "crew", "flow": "travellers", "transport": map[string]any{
			"kind": "mail", "host": "127.0.0.1", "port": server.Port, "user": server.User, "password": server.Password,
			"ca": server.CA, "from": []string{"crewing@example.com"}, "answer": true, "smtp": map[string]any{
				"host": "127.0.0.1", "port": office.Port, "ca": office.CA, "user": office.User,
				"password": office.Password, "from": "crew@example.com"}}})
		if err != nil {
			t.Fatal(err)
		}
		kills := 8 * faults()
		if strings.HasPrefix(database, "postgres") {
			kills = faults()
		}
		for range kills {
			v.setFeed(string(doc), flags...) // it is due at once
			p, _, _ := serve(t, database, flags...)
			time.AfterFunc(time.Duration(rand.IntN(700))*time.Millisecond, p.kill)
			<-p.gone
		}
		v.setFeed(string(doc), flags...)
		p, _, _ := serve(t, database, flags...)
		eventually(t, "all mails are put away", func() bool {
			return len(server.Mails(t, "INBOX")) == 0
		})
		p.stop()

		if done := server.Mails(t, "INBOX.done"); len(done) != mails || len(server.Mails(t, "INBOX.failed")) > 0 {
			t.Errorf("%d mails are done, %d failed; want each of %d done, once", len(done),
				len(server.Mails(t, "INBOX.failed")), mails)
		}
		answers := map[string]int{}
		for _, m := range office.Mails() {
			if id := answerID.FindStringSubmatch(m); id != nil {
				answers[id[1]]++
			}
		}
		if n := len(office.Mails()); len(answers) != mails || n > mails+kills {
			t.Errorf("%d answers went out with %d identifiers: %v; want one for each of %d mails", n, len(answers),
				answers, mails)
		}
		t.Logf("%d answers for %d mails, after %d kills", len(office.Mails()), mails, kills)

		v.createdOnce(mails * each)
		for i, d := range documents {
			server.Leave(t, "INBOX", mailWith(fmt.Sprintf("<again-%d@example.com>", i), "crew.csv", d))
		}
		again := answer[feedAnswer](t, v.of(flags, "feed", "run", "crew")...)
		if again.Created+again.Updated != 0 || again.Unchanged != mails*each {
			t.Errorf("read again: %+v; want nothing changed", again)
		}
	})
}
