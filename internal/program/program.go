// Package program runs the real program for bench and attack, on databases of their own. It knows the program only from
// outside: its commands and HTTP.
package program

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

// SecretKey seals the secrets in every database here.
const SecretKey = "a key for trial; it is no secret"

// Kinds are the kinds of database.
var Kinds = []string{"sqlite", "postgres"}

// chosen returns the kinds to use: one, or all of them if it is empty. PostgreSQL needs a server.
func chosen(one string) []string {
	return slices.DeleteFunc(slices.Clone(Kinds), func(kind string) bool {
		if kind == "postgres" && os.Getenv("GANGWAY_TEST_POSTGRES") == "" {
			fmt.Fprintln(os.Stderr, "GANGWAY_TEST_POSTGRES is not set: PostgreSQL is left out")
			return true
		}
		return one != "" && kind != one
	})
}

// A Program is gangway on a database.
type Program struct{ Path, Database string }

// Build builds the program into a folder.
func Build(ctx context.Context, folder string) (path string, err error) {
	path = filepath.Join(folder, "gangway")
	build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-o", path, "./cmd/gangway")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build: %w: %s", err, out)
	}
	return path, nil
}

// NewDatabase makes an empty database of a kind: a file in a folder, or one on the server that GANGWAY_TEST_POSTGRES
// names. drop is never nil.
func NewDatabase(ctx context.Context, kind, folder string) (url string, drop func() error, err error) {
	name := "gangway_trial_" + strings.ToLower(rand.Text())
	if kind == "sqlite" {
		file := filepath.Join(folder, name+".db")
		return "sqlite:" + file, func() error {
			files, err := filepath.Glob(file + "*")
			for _, file := range files {
				err = errors.Join(err, os.Remove(file))
			}
			return err
		}, nil
	}
	server := os.Getenv("GANGWAY_TEST_POSTGRES")
	drop = func() error { // also after Ctrl-C, which ends ctx
		return Execute(context.WithoutCancel(ctx), server, "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)")
	}
	config, err := pgx.ParseConfig(server)
	if err != nil {
		return "", drop, err
	}
	url = strings.Replace(server, "/"+config.Database, "/"+name, 1)
	return url, drop, Execute(ctx, server, "CREATE DATABASE "+name)
}

// Execute runs a statement on PostgreSQL, on a connection of its own.
func Execute(ctx context.Context, url, statement string) error {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, statement)
	return err
}

func (p Program) start(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, p.Path, append(args, "--database", p.Database)...)
	cmd.Env = append(os.Environ(), "GANGWAY_SECRET_KEYS="+base64.StdEncoding.EncodeToString([]byte(SecretKey)))
	return cmd
}

// Command runs a command with an input and reads its JSON.
func (p Program) Command(ctx context.Context, to any, in string, args ...string) error {
	cmd := p.start(ctx, append(args, "--json")...)
	cmd.Stdin = strings.NewReader(in)
	out, err := cmd.Output()
	if err == nil {
		return json.Unmarshal(out, to)
	}
	if failed, is := errors.AsType[*exec.ExitError](err); is {
		err = fmt.Errorf("%w: %s", err, failed.Stderr)
	}
	return fmt.Errorf("%s: %w", strings.Join(args, " "), err)
}

// An Environment is how one of a customer's two accounts is reached.
type Environment struct {
	APIKey         string `json:"api_key"`
	ReportUser     string `json:"report_user"`
	ReportPassword string `json:"report_password"`
}

// A Customer has two accounts.
type Customer struct {
	ID                      string `json:"customer"`
	Production, Development Environment
}

// NewCustomer creates a customer.
func (p Program) NewCustomer(ctx context.Context) (c Customer, err error) {
	return c, p.Command(ctx, &c, "", "account", "create", "Halcyon Tankers")
}

// A Server is the program while it serves, with one customer.
type Server struct {
	Program
	Customer
	Address string
	Process *os.Process
	Booker  *http.Client // signed in
}

// Serve creates a customer and a booker, starts the program on a free port and signs the booker in. Feeds and outlets
// may reach this machine.
func (p Program) Serve(ctx context.Context, transport http.RoundTripper) (s *Server, err error) {
	s = &Server{Program: p}
	if s.Customer, err = p.NewCustomer(ctx); err != nil {
		return nil, err
	}
	const email = "booker@halcyon.example"
	var user struct{ Password string }
	if err := p.Command(ctx, &user, "", "user", "create", "--customer", s.ID, "--email", email, "--role",
		"booker"); err != nil {
		return nil, err
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s.Address = free.Addr().String()
	free.Close()
	cmd := p.start(ctx, "serve", "--listen", s.Address, "--allow-network", "127.0.0.0/8")
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	s.Process = cmd.Process
	if err := s.ready(ctx); err != nil {
		s.Stop()
		return nil, err
	}
	jar, err := cookiejar.New(nil)
	s.Booker = &http.Client{Jar: jar, Transport: transport}
	if err != nil {
		return s, err
	}
	res, err := s.Booker.PostForm(s.URL("/sign-in"), url.Values{"email": {email}, "password": {user.Password}})
	if err != nil {
		return s, err
	}
	if res.StatusCode != http.StatusOK {
		err = errors.New("signing in is answered with " + res.Status)
	}
	return s, errors.Join(err, res.Body.Close())
}

// ready waits until the program is.
func (s *Server) ready(ctx context.Context) error {
	for range 1200 {
		if res, err := http.Get(s.URL("/readyz")); err == nil {
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

// URL is the address of a path.
func (s *Server) URL(path string) string { return "http://" + s.Address + path }

// Stop ends the program.
func (s *Server) Stop() error {
	s.Process.Kill()
	s.Process.Wait() // fails, since it was killed
	return nil
}

// Memory returns how much memory the program and its workers have that does not belong to a file, in bytes, as Linux
// counts it; 0 if the program has ended.
func (s *Server) Memory() (sum int64) {
	all := fmt.Sprint(s.Process.Pid)
	lists, _ := filepath.Glob("/proc/" + all + "/task/*/children")
	for _, file := range lists {
		list, _ := os.ReadFile(file)
		all += " " + string(list)
	}
	own, _ := os.ReadFile("/proc/" + fmt.Sprint(s.Process.Pid) + "/cmdline")
	for i, id := range strings.Fields(all) {
		of, _ := os.ReadFile("/proc/" + id + "/cmdline")
		if i > 0 && bytes.Equal(of, own) { // a child that has not begun its program shares the server's memory
			continue
		}
		status, _ := os.ReadFile("/proc/" + id + "/status")
		_, kb, _ := strings.Cut(string(status), "RssAnon:")
		var n int64
		fmt.Sscan(kb, &n)
		sum += n << 10
	}
	return sum
}

// WatchMemory records the peak of the program's memory until the function returned is called.
func (s *Server) WatchMemory(ctx context.Context) (most func() int64) {
	var peak atomic.Int64
	ctx, stop := context.WithCancel(ctx)
	go func() {
		for ; ctx.Err() == nil; time.Sleep(20 * time.Millisecond) {
			peak.Store(max(peak.Load(), s.Memory()))
		}
	}()
	return func() int64 { stop(); return peak.Load() }
}

// Main runs a command on the kinds of database that its flag chooses, until Ctrl-C ends ctx; a second one ends the
// command at once. It fails if run does, and if run has not met what is wanted.
func Main(command string, run func(ctx context.Context, kinds, names []string) (met bool, err error)) {
	database := flag.String("database", "", "use `sqlite` or postgres only")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	met, err := run(ctx, chosen(*database), flag.Args())
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, command+":", err)
		os.Exit(1)
	case !met:
		os.Exit(2)
	}
}
