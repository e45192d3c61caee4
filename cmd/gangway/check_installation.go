package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"gangway/internal/doctor"
	"gangway/internal/gangway"
	"gangway/internal/scratch"
	"gangway/internal/store"
	"gangway/internal/transport/mail"
)

// An examination is what check --installation has found. As JSON its members are only ever added to.
type examination struct {
	Version int            `json:"version"`
	Verdict doctor.Verdict `json:"verdict"` // the worst of the checks
	Checks  []examined     `json:"checks"`

	mark string // of the database; empty: it has none yet
}

type examined struct {
	ID      string         `json:"id"` // never renamed
	Verdict doctor.Verdict `json:"verdict"`
	Message string         `json:"message"`
	Cure    string         `json:"cure,omitzero"`
}

// say adds a check. The cure is empty where nothing has to be done, or the message says it.
func (e *examination) say(v doctor.Verdict, id, cure, format string, args ...any) {
	e.Checks = append(e.Checks, examined{id, v, fmt.Sprintf(format, args...), cure})
	if v == doctor.Wrong || v == doctor.Warning && e.Verdict == doctor.Fine {
		e.Verdict = v
	}
}

// examine examines this installation. It changes nothing, so a server may run meanwhile, or may never have run.
func (c *checkCommand) examine(t *terminal) error {
	at, err := addressesAt(c.Listen, c.BaseURL, c.AppURL, c.ReportingURL)
	if err != nil {
		return err
	}
	mailer, err := c.mailer(t)
	if err != nil {
		return err
	}
	e := &examination{Version: 1, Verdict: doctor.Fine}
	served := serveCommand{Listen: c.Listen, Connections: c.Connections}
	for _, warning := range served.warnings(at, os.Environ(), fileLimit()) {
		e.say(doctor.Warning, "settings", "", "%s", warning)
	}
	if len(e.Checks) == 0 {
		e.say(doctor.Fine, "settings", "", "every variable is known, and %d files may be open", fileLimit())
	}
	if os.Geteuid() == 0 {
		e.say(doctor.Warning, "user", "run it as the server's user: gangwayctl check --installation",
			"this is root, who may read and write everything: what the server's user may is not seen")
	}
	if err := scratch.Try(); err != nil {
		e.say(doctor.Wrong, "temporary-folder", "make it writable for the server's user, or set TMPDIR; a unit of "+
			"systemd needs PrivateTmp=yes", "%v", err)
	} else {
		e.examineRoom("temporary-folder", os.TempDir(), 2) // a feed's document takes up to 1 GiB, twice in pages
	}
	if file, ok := strings.CutPrefix(c.Database, "sqlite:"); ok {
		e.examineRoom("disk", filepath.Dir(file), 1)
	} else {
		e.say(doctor.NotTried, "disk", "", "the database's disk is PostgreSQL's: watch it there")
	}
	if err := c.examineDatabase(t, e); err != nil {
		return err
	}
	c.examineCertificate(t, e)
	c.examineAddresses(t.ctx, e, at)
	if mailer == nil {
		e.say(doctor.NotTried, "mail", "", "no mail server is set (--smtp): Gangway sends no mails")
	} else if err := mailer.(*mail.Mailer).Try(t.ctx); err != nil {
		e.say(doctor.Wrong, "mail", "correct GANGWAY_SMTP or the password", "%s: %v", c.SMTP, err)
	} else {
		e.say(doctor.Fine, "mail", "", "%s answers and lets us in; no mail was sent", c.SMTP)
	}
	return e.print(t, c.JSON)
}

// certificateDays is how many days before its end a certificate should have been renewed.
const certificateDays = 14

// examineCertificate examines the certificate and the key that serve reads.
func (c *checkCommand) examineCertificate(t *terminal, e *examination) {
	if c.TLSCert == "" && c.TLSKey == "" {
		return
	}
	const id = "certificate"
	pair, err := tls.LoadX509KeyPair(c.TLSCert, c.TLSKey)
	if err != nil {
		e.say(doctor.Wrong, id, "both must be readable for the server's user, and belong together", "%v", err)
		return
	}
	left := pair.Leaf.NotAfter.Sub(t.now())
	ends := fmt.Sprintf("%s ends on %s", c.TLSCert, pair.Leaf.NotAfter.Format(time.DateOnly))
	switch {
	case left <= 0:
		e.say(doctor.Wrong, id, "renew it: the server reads the new files by itself", "%s", ends)
	case left < certificateDays*24*time.Hour:
		e.say(doctor.Warning, id, "renew it: the server reads the new files by itself", "%s", ends)
	default:
		e.say(doctor.Fine, id, "", "%s", ends)
	}
}

func (e *examination) print(t *terminal, asJSON bool) error {
	words := map[doctor.Verdict]string{doctor.Fine: "fine", doctor.Warning: "WARNING", doctor.Wrong: "WRONG",
		doctor.NotTried: "not tried"}
	var text strings.Builder
	var wrong []string
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	for _, one := range e.Checks {
		fmt.Fprintf(w, "%s\t%s\t%s\n", words[one.Verdict], one.ID, one.Message)
		if one.Cure != "" {
			fmt.Fprintf(w, "\t\t→ %s\n", one.Cure)
		}
		if one.Verdict == doctor.Wrong {
			wrong = append(wrong, one.ID)
		}
	}
	w.Flush() // into memory
	if err := (dataFlags{JSON: asJSON}).print(t, e, text.String()); err != nil || wrong == nil {
		return err
	}
	return gangway.Errorf(gangway.Invalid, "wrong: %s", listWords(wrong))
}

// examineRoom says how much room a folder has, in GiB; enough is what it should have.
func (e *examination) examineRoom(id, folder string, enough float64) {
	bytes, size := diskSpace(folder)
	free := float64(bytes) / (1 << 30)
	says := fmt.Sprintf("%s has %.1f GiB free", folder, free)
	switch {
	case size == 0:
		e.say(doctor.NotTried, id, "", "how much room %s has cannot be seen", folder)
	case free < 0.1:
		e.say(doctor.Wrong, id, "make room", "%s", says)
	case free < enough:
		e.say(doctor.Warning, id, fmt.Sprintf("make room: it should have %.0f GiB", enough), "%s", says)
	default:
		e.say(doctor.Fine, id, "", "%s", says)
	}
}

// examineDatabase examines the database and what depends on it. Its error says that the command line is wrong.
func (c *checkCommand) examineDatabase(t *terminal, e *examination) error {
	db, err := store.Look(t.ctx, c.Database, t.name)
	var s store.State
	if err == nil {
		t.opened = append(t.opened, db)
		s, err = db.State(t.ctx)
	}
	switch {
	case errors.Is(err, store.ErrNoDatabase):
		return usageError{err}
	case gangway.KindOf(err) == gangway.NotFound:
		e.say(doctor.Fine, "database", "", "%s is not there yet: the first start creates it", c.Database)
		c.examineKeys(t.ctx, e, nil)
		return nil
	case err != nil:
		e.say(doctor.Wrong, "database", "", "%v", store.Told(err))
		return nil
	case s.Unfit != nil:
		e.say(doctor.Wrong, "database", "", "%s: %v", s.Server, s.Unfit)
		return nil
	}
	e.say(doctor.Fine, "database", "", "%s", s.Server)
	switch knows := store.Schema(); {
	case s.Schema < knows && !s.Creates:
		e.say(doctor.Wrong, "schema", "make it the owner: ALTER DATABASE … OWNER TO …",
			"the database's user may not create the tables of schema %d", knows)
	case s.Schema == 0:
		e.say(doctor.Fine, "schema", "", "empty: the first start creates schema %d", knows)
	case s.Schema < knows:
		e.say(doctor.Warning, "schema", "back up first", "%d: the next start, or any other command, brings it to %d",
			s.Schema, knows)
	default:
		e.say(doctor.Fine, "schema", "", "%d; this program knows %d", s.Schema, knows)
	}
	apart, err := db.ClockApart(t.ctx, t.now)
	if err == nil && apart.Abs() >= clocksApart {
		err = fmt.Errorf("this machine's clock is %v ahead of the database's", apart.Round(time.Second))
	}
	if err != nil {
		e.say(doctor.Wrong, "clock", "set both by a time service (NTP)", "%v", store.Told(err))
	} else {
		e.say(doctor.Fine, "clock", "", "%s, as the database's", t.now().UTC().Format(time.RFC3339))
	}
	if s.Schema == 0 {
		db = nil
	} else {
		e.mark, _ = db.Mark(t.ctx)                                 // without one any Gangway passes for this one
		if r, err := db.Restored(t.ctx); err == nil && r.Waits() { // before schema 116 none was
			e.say(doctor.Warning, "restored", "gangwayctl restore --status, then gangwayctl restore --confirm",
				"the database was restored from the copy of %s, and the server only reads", agoWords(r.CopiedAt))
		}
	}
	c.examineKeys(t.ctx, e, db)
	return nil
}

// examineKeys examines the keys to the secrets; db is nil if it has no schema yet.
func (c *checkCommand) examineKeys(ctx context.Context, e *examination, db *store.DB) {
	f := storeFlags{Database: c.Database, SecretKeyFile: c.KeyFile}
	from, err := f.keysFrom()
	sealed := 0
	if err == nil && db != nil {
		_, sealed, err = db.CountSecrets(ctx)
	}
	info, missing := os.Stat(from)
	switch {
	case err != nil:
	case from == "" && sealed == 0:
		e.say(doctor.Warning, "keys", `set GANGWAY_SECRET_KEY_FILE, the same for all replicas`,
			"there are no keys: signing secrets are kept in clear, and other secrets are refused")
		return
	case from == f.keyBeside() && sealed == 0 && errors.Is(missing, fs.ErrNotExist):
		e.say(doctor.Fine, "keys", "", "the first start creates %s: back it up apart from the database", from)
		return
	default:
		err = f.openAll(ctx, db, from, sealed)
	}
	switch {
	case err != nil:
		e.say(doctor.Wrong, "keys", `docs/operators.md, "Secrets"`, "%v", store.Told(err))
	case missing == nil && info.Mode().Perm()&0o077 != 0:
		e.say(doctor.Warning, "keys", "chmod 0600 "+from, "others on this machine can read %s", from)
	default:
		e.say(doctor.Fine, "keys", "", "%s opens all %d secrets", from, sealed)
	}
}

// openAll returns why the keys do not open everything that is sealed; db may be nil.
func (f storeFlags) openAll(ctx context.Context, db *store.DB, from string, sealed int) error {
	sealer, err := f.readKeys(from, sealed)
	if err != nil || db == nil {
		return err
	}
	db.SealWith(sealer)
	return opensAll(ctx, db)
}

// What a server is asked, and answers, so that its installation is known from others.
const checkHeader, installationHeader = "Gangway-Check", "Gangway-Installation"

// identified has a server answer which installation it is, where that is asked.
func identified(db *store.DB, next http.Handler) http.Handler {
	mark, _ := db.Mark(context.Background()) // without one it passes for another installation
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get(checkHeader) == "" {
			next.ServeHTTP(w, r)
			return
		}
		w.Header().Set(installationHeader, mark)
		w.WriteHeader(http.StatusNoContent)
	})
}

// examineAddresses calls the addresses. While no server listens on this machine, that none answers is no fault.
func (c *checkCommand) examineAddresses(ctx context.Context, e *examination, at addresses) {
	where := c.Listen
	if strings.HasPrefix(where, "unix:") {
		where = "localhost"
	}
	client := c.asker(at.app.Hostname())
	mark, err := ask(ctx, client, "http://"+where)
	if err != nil { // it may speak TLS itself
		if its, failed := ask(ctx, client, "https://"+where); failed == nil {
			mark, err = its, nil
		}
	}
	listens, unanswered := doctor.Wrong, doctor.Wrong
	if err != nil && !errors.Is(err, errStranger) {
		listens, unanswered = doctor.Warning, doctor.NotTried
	}
	e.judge("listen", c.Listen, mark, err, listens, "start the server, and check again")
	cures := map[doctor.Verdict]string{doctor.Wrong: "look at the proxy, its certificate and the firewall"}
	for _, one := range []struct {
		id string
		at *url.URL
	}{{"app-url", at.app}, {"base-url", at.base}, {"reporting-url", at.reporting}} {
		if !ownMachine(one.at.Hostname()) && one.at.Scheme == "http" {
			e.say(doctor.Warning, one.id, "use https", "%s: passwords and keys travel unencrypted", one.at)
		}
		mark, err := ask(ctx, &http.Client{Timeout: askingPatience}, one.at.String())
		e.judge(one.id, one.at.String(), mark, err, unanswered, cures[unanswered])
	}
}

// judge says whether this installation answers at an address; unanswered is the verdict if nobody does.
func (e *examination) judge(id, address, mark string, err error, unanswered doctor.Verdict, cure string) {
	dns, flag := (*net.DNSError)(nil), variable("--"+id)
	switch {
	case errors.As(err, &dns) && dns.IsNotFound:
		e.say(doctor.Wrong, id, "add the name to DNS, or correct "+flag, "%s: its name is not known", address)
	case err != nil:
		e.say(unanswered, id, cure, "%s does not answer: %v", address, err)
	case e.mark != "" && mark != e.mark:
		e.say(doctor.Wrong, id, "correct "+flag+", or use the server's settings: gangwayctl check --installation",
			"%s: a Gangway with another database answers", address)
	default:
		e.say(doctor.Fine, id, "", "this Gangway answers at %s", address)
	}
}

// askingPatience is how long an address may take to answer.
const askingPatience = 5 * time.Second

// asker returns a client that asks what listens on this machine, whatever its certificate: nothing secret is sent.
func (c *checkCommand) asker(host string) *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.Proxy = nil
	transport.TLSClientConfig = &tls.Config{ServerName: host, InsecureSkipVerify: true}
	if socket, ok := strings.CutPrefix(c.Listen, "unix:"); ok {
		transport.DialContext = func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "unix", socket)
		}
	}
	return &http.Client{Transport: transport, Timeout: askingPatience}
}

// errStranger says that something answers that is not Gangway, or not yet.
var errStranger = errors.New("what answers there is no running Gangway")

// ask asks an address which installation answers there.
func ask(ctx context.Context, client *http.Client, address string) (mark string, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return "", err
	}
	r.Header.Set(checkHeader, "1")
	answer, err := client.Do(r)
	if err != nil {
		return "", errors.Unwrap(err) // without the address
	}
	answer.Body.Close()
	if mark = answer.Header.Get(installationHeader); mark == "" {
		err = fmt.Errorf("%w (status %d)", errStranger, answer.StatusCode)
	}
	return mark, err
}
