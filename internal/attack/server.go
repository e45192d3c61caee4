package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// A server is gangway serve in its own process, with one customer.
type server struct {
	process  *exec.Cmd
	address  string
	key      string
	email    string
	password string
	booker   *http.Client // signed in
	drop     func()       // drops the database
	command  func(ctx context.Context, to any, in string, args ...string) error
	customer string
}

// databases lists the kinds of database to attack.
func databases() []string {
	if os.Getenv("GANGWAY_TEST_POSTGRES") == "" {
		fmt.Fprintln(os.Stderr, "GANGWAY_TEST_POSTGRES is not set: PostgreSQL is left out")
		return []string{"sqlite"}
	}
	return []string{"sqlite", "postgres"}
}

// start starts the program on a fresh database of a kind.
func start(ctx context.Context, program, folder, kind string) (*server, error) {
	name := strings.ToLower(rand.Text())
	file := filepath.Join(folder, name+".db")
	database := "sqlite:" + file
	s := &server{email: "booker@halcyon.example", drop: func() {
		for _, end := range []string{"", "-wal", "-shm"} {
			os.Remove(file + end)
		}
	}}
	if kind == "postgres" {
		var err error
		if database, s.drop, err = newPostgres(ctx, os.Getenv("GANGWAY_TEST_POSTGRES"), "gangway_attack_"+name); err !=
			nil {
			return nil, err
		}
	}
	if err := s.serve(ctx, program, database); err != nil {
		s.stop()
		return nil, err
	}
	return s, nil
}

// serve creates a customer with a user, and starts the program.
func (s *server) serve(ctx context.Context, program, database string) error {
	environment := os.Environ()
	if !strings.HasPrefix(database, "sqlite:") { // which makes a key of its own
		var key [32]byte
		rand.Read(key[:])
		environment = append(environment, "GANGWAY_SECRET_KEYS="+base64.StdEncoding.EncodeToString(key[:]))
	}
	s.command = func(ctx context.Context, to any, in string, args ...string) error {
		run := exec.CommandContext(ctx, program, append(args, "--json", "--database", database)...)
		run.Stdin, run.Env = strings.NewReader(in), environment
		out, err := run.Output()
		if err != nil {
			var failed *exec.ExitError
			if errors.As(err, &failed) {
				err = fmt.Errorf("%w: %s", err, failed.Stderr)
			}
			return fmt.Errorf("%s: %w", args, err)
		}
		return json.Unmarshal(out, to)
	}
	var made struct {
		Customer    string
		Development struct {
			APIKey string `json:"api_key"`
		}
	}
	var user struct{ Password string }
	if err := s.command(ctx, &made, "", "account", "create", "Halcyon Tankers"); err != nil {
		return err
	}
	if err := s.command(ctx, &user, "", "user", "create", "--customer", made.Customer, "--email", s.email, "--role",
		"booker"); err != nil {
		return err
	}
	s.customer, s.key, s.password = made.Customer, made.Development.APIKey, user.Password
	free, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	s.address = free.Addr().String()
	free.Close()
	s.process = exec.CommandContext(ctx, program, "serve", "--listen", s.address, "--database", database,
		"--allow-network", "127.0.0.0/8")
	s.process.Env = environment
	if err := s.process.Start(); err != nil {
		return err
	}
	for range 300 {
		if res, err := http.Get(s.url("/readyz")); err == nil {
			res.Body.Close()
			if res.StatusCode == http.StatusOK {
				return nil
			}
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		time.Sleep(100 * time.Millisecond)
	}
	return errors.New("the program does not answer")
}

// newPostgres makes a database on a server, and returns a function that drops it.
func newPostgres(ctx context.Context, server, name string) (url string, drop func(), err error) {
	config, err := pgx.ParseConfig(server)
	if err != nil {
		return "", nil, err
	}
	do := func(ctx context.Context, statement string) error {
		conn, err := pgx.ConnectConfig(ctx, config)
		if err != nil {
			return err
		}
		defer conn.Close(ctx)
		_, err = conn.Exec(ctx, statement)
		return err
	}
	if err := do(ctx, "CREATE DATABASE "+name); err != nil {
		return "", nil, err
	}
	drop = func() {
		// Also after Ctrl-C, which ends ctx.
		if err := do(context.WithoutCancel(ctx), "DROP DATABASE "+name+" WITH (FORCE)"); err != nil {
			fmt.Fprintf(os.Stderr, "could not drop the database %s: %v\n", name, err)
		}
	}
	return strings.Replace(server, "/"+config.Database, "/"+name, 1), drop, nil
}

func (s *server) url(path string) string { return "http://" + s.address + path }

// stop ends the program and drops its database.
func (s *server) stop() {
	if s.process != nil && s.process.Process != nil {
		s.process.Process.Kill()
		s.process.Wait()
	}
	s.drop()
}

// memory returns how much memory the program has that does not belong to a file.
func (s *server) memory() (bytes int64, err error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.process.Process.Pid))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(status)) {
		if kb, ok := strings.CutPrefix(line, "RssAnon:"); ok {
			n, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(kb), "kB")), 10, 64)
			return n << 10, err
		}
	}
	return 0, errors.New("the system does not say how much memory a process has")
}

// atRest returns how much memory the program has after ten quiet seconds.
func (s *server) atRest() (int64, error) {
	time.Sleep(10 * time.Second)
	return s.memory()
}

// watch starts to record the peak of memory; the function returned ends that.
func (s *server) watch() (most func() int64) {
	stop, peak := make(chan struct{}), make(chan int64)
	go func() {
		var most int64
		for tick := time.Tick(20 * time.Millisecond); ; {
			select {
			case <-tick:
				now, _ := s.memory()
				most = max(most, now)
			case <-stop:
				peak <- most
				return
			}
		}
	}()
	return func() int64 { close(stop); return <-peak }
}

// fill has the program do a day's work, so that its caches are as usual: travellers are
// uploaded, and a crew of eight is searched for again and again.
func (s *server) fill(ctx context.Context) error {
	if _, err := s.upload(ctx, travellers(20_000, 0)); err != nil {
		return err
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		return err
	}
	s.booker = &http.Client{Jar: jar}
	if err := s.get(s.booker.PostForm(s.url("/sign-in"), url.Values{"email": {s.email},
		"password": {s.password}})); err != nil {
		return err
	}
	for day := range 20 {
		if err := s.get(s.booker.PostForm(s.url("/integrations/search"), crew(8, time.Now().AddDate(0, 1, day),
			""))); err != nil {
			return err
		}
	}
	return nil
}

func (s *server) get(res *http.Response, err error) error {
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if _, err := io.Copy(io.Discard, res.Body); err != nil {
		return err
	}
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("%s %s: %s", res.Request.Method, res.Request.URL.Path, res.Status)
	}
	return nil
}

// upload sends travellers.
func (s *server) upload(ctx context.Context, doc []byte, header ...string) (status int, err error) {
	return s.post(ctx, "/api/passenger", "application/json", bytes.NewReader(doc), append(header, "X-Api-Key",
		s.key)...)
}

// post sends a request on a connection of its own and returns the status of the answer.
func (s *server) post(ctx context.Context, path, contentType string, body io.Reader,
	header ...string) (status int, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url(path), body)
	if err != nil {
		return 0, err
	}
	req.Header.Set("Content-Type", contentType)
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	transport := &http.Transport{DisableKeepAlives: true}
	res, err := transport.RoundTrip(req)
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	_, err = io.Copy(io.Discard, res.Body)
	return statusOf(res), err
}

// travellers writes n records, each with pad bytes in an unknown member.
func travellers(n, pad int) []byte {
	var doc bytes.Buffer
	for i := range n {
		fmt.Fprintf(&doc, `,{"id":"C-%d","last_name":"Santos %c","first_name":"Maria","dob":"1990-04-30","nationality":"PH","gender":"F","doc_country":"PH","doc_number":"P%07d","doc_expire":"2036-01-01","home_airport":"MNL","remark":"%s"}`,
			i, 'A'+i%26, i, strings.Repeat("x", pad))
	}
	doc.WriteByte(']')
	doc.Bytes()[0] = '['
	return doc.Bytes()
}

// crew is the form of a hand-off with n on-signers.
func crew(n int, at time.Time, remark string) url.Values {
	form := url.Values{"vessel": {"NORTHERN LIGHT"}, "flag": {"PA"}, "change_airport": {"SIN"},
		"environment": {"development"}}
	homes := []string{"MNL", "CEB", "BOM", "DEL", "WAW", "ZAG", "LHR", "JNB"}
	for i := range n {
		field := func(name, value string) { form.Set(fmt.Sprintf("onsigners[%d][%s]", i, name), value) }
		field("last_name", "SANTOS "+string(rune('A'+i%26)))
		field("first_name", "MARIA")
		field("dob", "1990-04-30")
		field("home_airport", homes[i%len(homes)])
		field("arrive", at.Format(time.DateOnly))
		if remark != "" {
			field("custom_fields][Remark", remark)
		}
	}
	return form
}
