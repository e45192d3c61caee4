package house

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// vocabulary is the package that nearly all others import.
const vocabulary = "internal/gangway"

// packages lists every package in reading order, with what it may import of
// ours ("." is the vocabulary, "*" is everything). A new package is a new line.
var packages = []struct{ name, may string }{
	{vocabulary, ""}, // the nouns and their rules: imports nothing of ours

	// In: a customer's record becomes ours.
	{"internal/accept/decode", ". internal/scratch"},
	{"internal/accept/mapping", ". internal/accept/decode internal/background internal/world"},
	{"internal/accept/natural", ". internal/accept/decode"},
	{"internal/accept", ". internal/accept/decode internal/scratch internal/store internal/wire internal/world"},
	{"internal/accept/poll", ". internal/accept internal/accept/decode internal/accept/mapping " +
		"internal/background internal/scratch internal/store internal/transport"},
	{"internal/doctor", ". internal/accept internal/accept/decode internal/accept/mapping internal/deliver " +
		"internal/scratch internal/store internal/transport internal/transport/endpoint internal/wire internal/world"},

	// Middle: a person books.
	{"internal/book/flight", ". internal/world"},
	{"internal/book/flight/duffel", ". internal/background internal/book/flight internal/world"},
	{"internal/book/flight/duffel/duffeltest", ". internal/world"},
	{"internal/book/flight/flighttest", ". internal/book/flight internal/world"},
	{"internal/book/flight/manual", ". internal/book/flight internal/erasure internal/world"},
	{"internal/book/flight/sim/chance", ""},
	{"internal/book/flight/sim/timetable", ". internal/book/flight/sim/chance internal/world"},
	{"internal/book/flight/sim/tariff",
		". internal/book/flight internal/book/flight/sim/chance internal/book/flight/sim/timetable internal/world"},
	{"internal/book/flight/sim/search",
		". internal/book/flight internal/book/flight/sim/tariff internal/book/flight/sim/timetable"},
	{"internal/book/flight/sim/orders", ". internal/book/flight internal/book/flight/sim/chance " +
		"internal/book/flight/sim/search internal/book/flight/sim/tariff internal/book/flight/sim/timetable " +
		"internal/world"},
	{"internal/book/flight/sim", ". internal/book/flight internal/book/flight/sim/orders " +
		"internal/book/flight/sim/search internal/book/flight/sim/tariff internal/book/flight/sim/timetable " +
		"internal/world"},
	{"internal/book/flight/sim/simtest", ". internal/book/flight"},
	{"internal/book", ". internal/background internal/book/flight internal/store internal/world"},
	{"internal/book/plan", ". internal/background internal/book internal/book/flight internal/store internal/world"},
	{"internal/book/sandbox",
		". internal/book internal/book/flight internal/samplebookings internal/store"},

	// Out: the customer is told.
	{"internal/deliver", ". internal/accept/mapping internal/background internal/deliver/format internal/store " +
		"internal/transport internal/wire"},
	{"internal/deliver/format", "."},
	{"internal/deliver/notify", ". internal/background internal/book internal/deliver internal/store " +
		"internal/transport internal/world"},

	// Out: the customer asks.
	{"internal/report/odata", ""},
	{"internal/report/odata/odatatest", ". internal/report/odata"},
	{"internal/report/query", ". internal/report internal/report/odata"},
	{"internal/report/files", ". internal/report"},

	// Out: whoever integrates reads what there is.
	{"internal/describe", ". internal/schema internal/wire"},
	{"internal/describe/describetest", ""},

	// Edges.
	{"internal/schema", ""},
	{"internal/background", ""},
	{"internal/backup", "."},
	{"internal/scratch", ""},
	{"internal/seal", ""},
	{"internal/report", ". internal/world"},
	{"internal/erasure", "."},
	{"internal/store/internal/gate", "."},
	{"internal/store/internal/lease", ""},
	{"internal/store", ". internal/background internal/erasure internal/report internal/report/query internal/seal " +
		"internal/store/internal/gate internal/store/internal/lease"},
	{"internal/store/storetest", ". internal/calltest internal/need internal/seal internal/store"},
	{"internal/transport", "."},
	{"internal/transport/guard", ""},
	{"internal/transport/endpoint", ". internal/transport internal/transport/guard"},
	{"internal/transport/limit", "internal/transport/guard"},
	{"internal/transport/watch", ". internal/transport"},
	{"internal/transport/drop", "internal/transport"},
	{"internal/transport/sftp",
		". internal/transport internal/transport/drop internal/transport/guard internal/transport/limit " +
			"internal/transport/watch"},
	{"internal/transport/ftp",
		". internal/transport internal/transport/drop internal/transport/guard internal/transport/limit " +
			"internal/transport/watch"},
	{"internal/transport/mail",
		". internal/scratch internal/transport internal/transport/guard internal/transport/limit"},
	{"internal/transport/database", ". internal/transport internal/transport/guard"},
	{"internal/transport/folder", ". internal/transport internal/transport/drop internal/transport/watch"},
	{"internal/transport/upload", ". internal/transport"},
	{"internal/transport/kinds", ". internal/transport internal/transport/database internal/transport/endpoint " +
		"internal/transport/folder internal/transport/ftp internal/transport/mail internal/transport/sftp " +
		"internal/transport/upload"},
	{"internal/transport/transporttest", ". internal/calltest internal/need internal/transport"},
	{"internal/itinerary", ". internal/world"},
	{"internal/wire", ". internal/schema"},
	{"internal/world", "."},
	{"internal/web", ". internal/background internal/scratch internal/store"},
	{"internal/web/access", ". internal/background internal/store internal/web"},
	{"internal/web/api", ". internal/accept internal/accept/decode internal/accept/natural internal/book " +
		"internal/deliver internal/describe internal/scratch internal/store internal/web internal/web/access " +
		"internal/wire"},
	{"internal/web/reporting", ". internal/report/odata internal/report/query internal/schema internal/store " +
		"internal/web internal/web/access"},
	{"internal/web/hooks", ". internal/book/flight/duffel internal/store internal/web"},
	{"internal/web/operator", ". internal/store"},
	{"internal/web/app/assets", ""},
	{"internal/web/app/shell",
		". internal/scratch internal/store internal/web internal/web/access internal/web/app/assets internal/world"},
	{"internal/web/app/flights", ". internal/background internal/book internal/book/flight internal/book/plan " +
		"internal/store internal/web/app/shell internal/world"},
	{"internal/web/app/crew", ". internal/book internal/book/flight internal/book/flight/sim internal/book/plan " +
		"internal/store internal/web/app/flights internal/web/app/shell internal/world"},
	{"internal/web/app/bookings", ". internal/book internal/book/flight internal/book/plan internal/store " +
		"internal/web/app/flights internal/web/app/shell internal/world"},
	{"internal/web/app/paper", ". internal/book internal/itinerary internal/store internal/transport internal/web " +
		"internal/web/access internal/web/app/flights internal/web/app/shell"},
	{"internal/web/app/inbox", ". internal/book internal/store internal/web internal/web/app/flights " +
		"internal/web/app/shell internal/wire"},
	{"internal/web/app/today", ". internal/book internal/book/flight internal/store internal/web/app/flights " +
		"internal/web/app/shell"},
	{"internal/web/app/report", ". internal/background internal/report internal/report/files " +
		"internal/report/odata internal/report/query " +
		"internal/store internal/transport internal/web internal/web/app/shell internal/world"},
	{"internal/web/app/feeds", ". internal/accept internal/accept/mapping internal/accept/poll " +
		"internal/background internal/store internal/transport internal/web internal/web/app/shell internal/wire"},
	{"internal/web/app/outlets",
		". internal/deliver internal/store internal/transport internal/web internal/web/app/feeds " +
			"internal/web/app/shell internal/wire"},
	{"internal/web/app/settings", ". internal/book internal/book/flight/duffel internal/store internal/web " +
		"internal/web/app/outlets internal/web/app/shell"},
	{"internal/web/app/check",
		". internal/accept/poll internal/background internal/doctor internal/store internal/transport " +
			"internal/web/app/shell"},
	{"internal/web/app/sandbox", ". internal/book/sandbox internal/store internal/web/app/shell"},
	{"internal/web/app/audit", ". internal/store internal/web/app/shell"},
	{"internal/web/app/people", ". internal/book/flight/sim internal/store internal/transport internal/web " +
		"internal/web/access internal/web/app/shell"},
	{"internal/web/app/integrator", ". internal/store internal/web internal/web/access internal/web/app/shell"},
	{"internal/web/app/apptest", "*"}, // serves the application to the tests of its rooms
	{"internal/web/app", ". internal/accept/poll internal/book internal/book/plan internal/book/sandbox " +
		"internal/deliver internal/store internal/transport internal/web internal/web/app/audit " +
		"internal/web/app/bookings internal/web/app/check internal/web/app/people " +
		"internal/web/app/crew internal/web/app/feeds internal/web/app/flights internal/web/app/inbox " +
		"internal/web/app/integrator internal/web/app/outlets internal/web/app/paper internal/web/app/report " +
		"internal/web/app/sandbox internal/web/app/settings internal/web/app/shell internal/web/app/today"},

	{"internal/house", ""},              // tests about the repository as a whole
	{"internal/house/size", ""},         // how large the repository is
	{"internal/gangway/judgetest", "."}, // judges how people stand once more, without the code that does
	{"internal/calltest", ""},           // calls that have to succeed in tests
	{"internal/itinerarytest", "."},     // a journey that tests of several packages use
	{"internal/need", ""},               // what tests need on the machine
	{"internal/storedtest", ""},         // checks what is stored as JSON

	// Beside: a customer's system and bookings to try the service with, and measurements.
	{"examples/receivers/go/receiver", ""}, // for integrators to copy
	{"examples/receivers/go", "examples/receivers/go/receiver"},
	{"internal/invented", ""}, // people who do not exist
	{"internal/samplecustomer", "examples/receivers/go/receiver internal/invented"},
	{"internal/samplebookings",
		". internal/book internal/book/flight internal/book/flight/sim internal/invented internal/store"},
	{"internal/bench", "*"},
	{"internal/attack", "internal/program"},
	{"internal/program", ""},

	{"tools/guide", ""}, // makes the booker's guide a page
	{"tools/refdata/pack", ""},
	{"tools/refdata/airports", "tools/refdata/pack"}, // makes the facts of internal/world from public data
	{"tools/refdata/routes", "internal/world tools/refdata/pack"},
	{"tools/size", "internal/house/size"},

	{"cmd/gangway", "*"}, // the only place where everything meets
}

// TestArrows checks who imports whom.
func TestArrows(t *testing.T) {
	t.Chdir(top)
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p struct {
			ImportPath string
			Imports    []string
		}
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		name := ours(p.ImportPath)
		seen[name] = true
		i := slices.IndexFunc(packages, func(q struct{ name, may string }) bool { return q.name == name })
		if i < 0 {
			t.Errorf("package %s is not in the list above", p.ImportPath)
			continue
		}
		for _, imp := range p.Imports {
			dep, mine := strings.CutPrefix(imp+"/", "gangway/")
			dep = strings.TrimSuffix(dep, "/")
			if dep == vocabulary {
				dep = "."
			}
			may := packages[i].may
			if mine && may != "*" && !slices.Contains(strings.Fields(may), dep) {
				t.Errorf("%s must not import %s", p.ImportPath, imp)
			}
		}
	}
	for _, p := range packages {
		if !seen[p.name] {
			t.Errorf("package %q is listed but does not exist", p.name)
		}
	}
}

func ours(path string) string {
	return strings.TrimPrefix(strings.TrimPrefix(path, "gangway"), "/")
}

// TestWithoutTests checks that nothing made for tests is in the program.
func TestWithoutTests(t *testing.T) {
	t.Chdir(top)
	out, err := exec.Command("go", "list", "-deps", "./cmd/gangway").Output()
	if err != nil {
		t.Fatal(err)
	}
	for name := range strings.Lines(string(out)) {
		if name = strings.TrimSpace(name); name == "testing" || strings.HasPrefix(name, "testing/") ||
			strings.HasPrefix(name, "gangway/") && strings.HasSuffix(name, "test") {
			t.Errorf("the program contains %s", name)
		}
	}
}
