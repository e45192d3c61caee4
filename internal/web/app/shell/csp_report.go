package shell

import (
	"cmp"
	"io"
	"mime"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"gangway/internal/gangway"
	"gangway/internal/web"

	"github.com/go-json-experiment/json"
)

// CSPPath is where browsers report what a page's Content-Security-Policy made them refuse.
const CSPPath = "/csp-reports"

// Bounds of reports. A page that something injects into reports with every view, and anybody can send reports.
//
// Decided: docs/choices.md, "What anybody may fill".
const (
	cspBytes    = 8 << 10 // of a request
	cspRequests = 10      // of a network in a minute
	cspLines    = 60      // in the log in a minute, of all networks
)

// reportingPolicy is policy with the address for reports. Browsers on http know only report-uri, and those that know
// report-to ignore the other.
func (sh *Shell) reportingPolicy() string {
	to := "; report-uri " + sh.prefix + CSPPath
	if sh.secure {
		to += "; report-to csp"
	}
	return policy + to
}

// A cspReport is what is read of a report. The older format has one, the newer a list, with other names.
type cspReport struct {
	Old struct {
		Page      string `json:"document-uri"`
		Directive string `json:"effective-directive"`
		Blocked   string `json:"blocked-uri"`
	} `json:"csp-report"`
	Type string `json:"type"`
	Body struct {
		Page      string `json:"documentURL"`
		Directive string `json:"effectiveDirective"`
		Blocked   string `json:"blockedURL"`
	} `json:"body"`
}

// ReportCSP logs what a browser refused. The log gets the route of the page in place of its address, which may be a
// secret link; of what was refused it gets the origin. Nothing is stored.
func (sh *Shell) ReportCSP(routeOf func(path string) string) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		if left, ends := sh.cspReports.Use(web.Network(web.Client(r))); left < 0 {
			return web.TooManyRequests(ends, "too many reports came from your network")
		}
		list, err := readCSPReports(r)
		if err != nil {
			return err
		}
		for _, v := range list {
			n := sh.CSPReports.Add(1)
			if left, _ := sh.cspLines.Use(""); left < 0 {
				continue
			}
			page := "elsewhere"
			if at, err := url.Parse(cmp.Or(v.Old.Page, v.Body.Page)); err == nil {
				page = routeOf(strings.TrimPrefix(at.Path, sh.prefix))
			}
			sh.Log.WarnContext(r.Context(), "a browser refused what a page wanted", "page", page,
				"directive", cspWord(cmp.Or(v.Old.Directive, v.Body.Directive)),
				"blocked", cspWord(cmp.Or(v.Old.Blocked, v.Body.Blocked)), "reports", n)
		}
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
}

func readCSPReports(r *http.Request) (list []cspReport, err error) {
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || media != "application/csp-report" && media != "application/reports+json" {
		return nil, web.UnsupportedMedia("a report is application/csp-report or application/reports+json")
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	if media == "application/csp-report" {
		body = slices.Concat([]byte("["), body, []byte("]"))
	}
	if err := json.Unmarshal(body, &list); err != nil {
		return nil, gangway.Errorf(gangway.Invalid, "this is no report")
	}
	return slices.DeleteFunc(list, func(v cspReport) bool { return v.Type != "" && v.Type != "csp-violation" }), nil
}

var cspWords = regexp.MustCompile(`^[a-z-]{1,40}($|://[A-Za-z0-9.:\[\]-]{1,100})`)

// cspWord returns a keyword of a report, or an address's origin, and "other" for anything else.
func cspWord(text string) string { return cmp.Or(cspWords.FindString(text), "other") }
