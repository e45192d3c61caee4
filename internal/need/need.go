// Package need says what tests need on the machine beyond Go, one function for each need, with the
// reason. It installs nothing.
//
// A test that needs something the machine lacks is skipped and says so, so that "go test ./..." is
// useful on a fresh clone. If CI is set, which "make test" does too, the same test fails, because
// there nothing may pass without having run. scripts/need is the only place that says what a need
// is, where to look for it and how to install it.
package need

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// Each returns the path of what a test needs, or ends the test.
var (
	// Browser returns the path of a Chromium: pages are tested in a real browser.
	Browser = at("browser")

	// Axe returns the path of axe-core: pages are tested for accessibility.
	Axe = at("axe")

	// Refdata is called where the facts about the world are made again, which needs npm packages and
	// Node.js.
	Refdata = at("refdata")

	// DuffelClient returns the path of Node.js, with Duffel's own client beside it: our model of Duffel
	// is tested with it.
	DuffelClient = at("duffel-client")

	// SFTPServer returns the path of OpenSSH's sshd: files are read from a real server.
	SFTPServer = at("sshd")

	// FTPServer returns the path of vsftpd: files are read from a real server, with TLS and without.
	FTPServer = at("vsftpd")

	// IMAPServer returns the path of dovecot: mails are read from a real server.
	IMAPServer = at("dovecot")

	// SOAPClient returns the path of a Python that has zeep: the SOAP operations are tested with a real
	// client library.
	SOAPClient = at("soap-client")

	// SOAPClientOfNode returns the path of Node.js, with a SOAP client library beside it: it reads our
	// WSDL in another way than Python's.
	SOAPClientOfNode = at("soap-client-node")

	// DescriptionTools returns the path of Node.js, with linters of OpenAPI, a maker of clients, a validator of JSON
	// Schemas and Postman's runner beside it: what the interface says of itself is read with them.
	DescriptionTools = at("description-tools")

	// OpenAPIClientOfGo returns the path of the go command, with a maker of clients in Go that was downloaded: one is
	// made of what the interface says of itself.
	OpenAPIClientOfGo = at("openapi-client-go")

	// ODataClients returns the path of Node.js, with OData clients beside it: the report is read with them.
	ODataClients = at("odata-clients")

	// ODataClientOfGo returns the path of Go, which has an OData client: the report is read with it.
	ODataClientOfGo = at("odata-client-go")

	// WebhookClients returns the path of Node.js, with two libraries beside it that verify webhooks:
	// signatures of pushes are tested with them.
	WebhookClients = at("webhook-clients")

	// Curl returns the path of curl: the recipe for a first booking is walked.
	Curl = at("curl")

	// Python returns the path of a Python: an example is run.
	Python = at("python")

	// Java returns the path of javac, with java beside it: an example is compiled and run.
	Java = at("java")

	// CSharp returns the path of mcs, with mono beside it: an example is compiled and run.
	CSharp = at("csharp")

	// WorkbookReader returns the path of a Python that has openpyxl: workbooks and files of comma-separated
	// values that we write are read with it.
	WorkbookReader = at("workbook-reader")

	// PDFReader returns the path of pdftotext: itineraries that we write as PDF are read with it.
	PDFReader = at("pdf-reader")

	// Prometheus returns the path of prometheus, which lies beside promtool: it reads our figures and tries our alert
	// rules.
	Prometheus = at("prometheus")

	// ACMEAuthority returns the path of pebble, with its pebble-challtestsrv beside it: certificates are ordered of a
	// real authority.
	ACMEAuthority = at("acme-authority")

	// SocketActivation returns the path of systemd-socket-activate: the server is started at sockets that are passed to
	// it.
	SocketActivation = at("systemd")

	// Packages is called before packages are built: they are installed with dpkg and started with buildah, the unit is
	// checked with systemd-analyze, and the compose file read with docker-compose.
	Packages = at("packages")

	// MariaDB returns the path of mariadbd: rows are read from a real server.
	MariaDB = at("mariadb")
)

// at returns the function that finds a need.
func at(name string) func(testing.TB) string {
	return func(t testing.TB) string {
		t.Helper()
		return find(t, name)
	}
}

// PostgreSQL is called before a database is made: everything stored is tested on both databases,
// on a server with the locale that most servers have.
func PostgreSQL(t testing.TB) {
	t.Helper()
	if os.Getenv("GANGWAY_TEST_POSTGRES") == "" {
		find(t, "postgresql")
		find(t, "locale")
	}
}

// PostgreSQLPrograms returns the folder of PostgreSQL's own programs: some tests stop, stall and
// fill a server, or read its data past Gangway.
func PostgreSQLPrograms(t testing.TB) string {
	t.Helper()
	return filepath.Dir(find(t, "postgresql"))
}

// Root skips a test that was refused when it tried to mount a disk or to use somebody else's files.
// It never fails a test, because nobody can install root, and a container may have root without the
// right to mount.
func Root(t testing.TB, refused error) {
	t.Helper()
	t.Skipf("NOT TRIED, for want of root: %v", refused)
}

// ODataGrammar returns the folder with the grammar cases of the OASIS OData Technical Committee:
// odata-abnf-testcases.yaml and odata-aggregation-testcases.yaml of its repository odata-abnf. They are not
// ours to carry, so that a test without them fails nowhere.
func ODataGrammar(t testing.TB) string {
	t.Helper()
	folder := os.Getenv("GANGWAY_ODATA_GRAMMAR")
	if _, err := os.Stat(filepath.Join(folder, "odata-abnf-testcases.yaml")); folder == "" || err != nil {
		t.Skipf("without the grammar cases of OASIS: GANGWAY_ODATA_GRAMMAR does not name their folder")
	}
	return folder
}

// finding is the answer of scripts/need: where a need is, or why it is missing.
type finding struct {
	at      string
	missing string
	err     error
}

var (
	looking  sync.Mutex
	findings = map[string]finding{}
)

// find returns where a need is. If it is missing the test ends here.
func find(t testing.TB, name string) string {
	t.Helper()
	looking.Lock()
	f, known := findings[name]
	if !known {
		f = look(name)
		findings[name] = f
	}
	looking.Unlock()
	switch {
	case f.err != nil:
		t.Fatal(f.err)
	case f.missing != "" && os.Getenv("CI") != "":
		t.Fatal(f.missing)
	case f.missing != "":
		t.Skip(f.missing)
	}
	return f.at
}

// unavailable is the exit status of scripts/need if something is missing.
const unavailable = 69

// look asks scripts/need, which prints the path of a need on standard output, or a sentence about
// what is missing on standard error.
func look(name string) finding {
	script, err := File("scripts/need")
	if err != nil {
		return finding{err: err}
	}
	var said bytes.Buffer
	cmd := exec.Command(script, "--look", name)
	cmd.Stderr = &said
	at, err := cmd.Output()
	why := strings.TrimSpace(said.String())
	switch ended := (*exec.ExitError)(nil); {
	case err == nil:
		return finding{at: strings.TrimSpace(string(at))}
	case errors.As(err, &ended) && ended.ExitCode() == unavailable:
		return finding{missing: "NOT TRIED, for want of " + why}
	default:
		return finding{err: fmt.Errorf("look for %s: %w: %s", name, err, why)}
	}
}

// File returns the path of a file of this repository, searched for from the test's folder upwards.
func File(name string) (string, error) {
	folder, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("find %s: %w", name, err)
	}
	for {
		path := filepath.Join(folder, filepath.FromSlash(name))
		if _, err := os.Stat(path); err == nil {
			return path, nil
		}
		parent := filepath.Dir(folder)
		if parent == folder {
			return "", fmt.Errorf("find %s: it is in no folder above the test", name)
		}
		folder = parent
	}
}
