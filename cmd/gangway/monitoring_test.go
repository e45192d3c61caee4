package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"gangway/internal/book/flight/duffel/duffeltest"
	"gangway/internal/gangway"
	"gangway/internal/need"
	"gangway/internal/store"
	"gangway/internal/store/storetest"

	"go.yaml.in/yaml/v3"
)

const monitoring = "../../docs/monitoring/"

// An alertRule is a rule of alerts.yml.
type alertRule struct {
	Alert, Record, Expr string
	Labels              map[string]string
	Annotations         map[string]string
}

// rules are those of alerts.yml.
func rules(t *testing.T) (list []alertRule) {
	t.Helper()
	var doc struct{ Groups []struct{ Rules []alertRule } }
	must(t, yaml.Unmarshal(sure(os.ReadFile(monitoring+"alerts.yml"))(t), &doc))
	for _, g := range doc.Groups {
		list = append(list, g.Rules...)
	}
	return list
}

// ofServer are the labels of a server's figures.
const ofServer = `instance="a:1", job="gangway"`

// healthy are the series of an installation that is well, as promtool writes the values of each minute.
var healthy = map[string]string{
	`up{` + ofServer + `}`:                  "1x80",
	`gangway_database_up{` + ofServer + `}`: "1x80",
	`gangway_http_requests_total{surface="api", status="2xx", ` + ofServer + `}`:                                            "0+600x80",
	`gangway_http_requests_total{surface="api", status="5xx", ` + ofServer + `}`:                                            "0+1x80",
	`gangway_http_requests_total{surface="health", status="5xx", ` + ofServer + `}`:                                         "0+60x80",
	`gangway_http_request_seconds_bucket{surface="api", le="1", ` + ofServer + `}`:                                          "0+600x80",
	`gangway_http_request_seconds_bucket{surface="api", le="30", ` + ofServer + `}`:                                         "0+601x80",
	`gangway_http_request_seconds_bucket{surface="api", le="+Inf", ` + ofServer + `}`:                                       "0+601x80",
	`gangway_supplier_calls_total{supplier="duffel", outcome="ok", ` + ofServer + `}`:                                       "0+60x80",
	`gangway_intent_oldest_timestamp_seconds{` + ofServer + `}`:                                                             "0x80",
	`gangway_batch_oldest_timestamp_seconds{` + ofServer + `}`:                                                              "0x80",
	`gangway_feed_failing{customer="c", environment="production", feed="crew", ` + ofServer + `}`:                           "0x80",
	`gangway_feed_next_run_timestamp_seconds{customer="c", environment="production", feed="crew", ` + ofServer + `}`:        "0x80",
	`gangway_outlet_off{customer="c", environment="production", outlet="o", ` + ofServer + `}`:                              "0x80",
	`gangway_outlet_oldest_waiting_timestamp_seconds{customer="c", environment="production", outlet="o", ` + ofServer + `}`: "0x80",
	`gangway_outlet_deliveries_parked{customer="c", environment="production", outlet="o", ` + ofServer + `}`:                "0x80",
	`gangway_database_wait_seconds_total{pool="write", ` + ofServer + `}`:                                                   "0+1x80",
	`gangway_disk_free_bytes{folder="database", ` + ofServer + `}`:                                                          "50x80",
	`gangway_disk_size_bytes{folder="database", ` + ofServer + `}`:                                                          "100x80",
	`process_open_fds{` + ofServer + `}`:                                                                                    "50x80",
	`process_max_fds{` + ofServer + `}`:                                                                                     "1000x80",
	`gangway_log_lines_total{level="ERROR", ` + ofServer + `}`:                                                              "3x80",
	`gangway_build_info{version="1", revision="abc", ` + ofServer + `}`:                                                     "1x80",
	`gangway_restored_unconfirmed{` + ofServer + `}`:                                                                        "0x80",
	`gangway_last_backup_timestamp_seconds{` + ofServer + `}`:                                                               "0x80",
}

// ills are what goes wrong for each alert: one series of the healthy ones has other values, or is there beside them.
// The labels are those of the alert, beside its own.
var ills = map[string]struct{ series, values, labels string }{
	"GangwayDown":       {`gangway_database_up{`, "0x80", ``},
	"GangwayServerGone": {`up{`, "0x80", ofServer},
	"GangwayErrors":     {`gangway_http_requests_total{surface="api", status="5xx"`, "0+60x80", `surface="api"`},
	"GangwaySlow":       {`gangway_http_request_seconds_bucket{surface="api", le="1"`, "0+300x80", `surface="api"`},
	"GangwaySupplierFails": {`gangway_supplier_calls_total{supplier="duffel", outcome="failed", ` + ofServer + `}`,
		"0+30x80", `supplier="duffel"`},
	"GangwayIntentOld":      {`gangway_intent_oldest_timestamp_seconds{`, "60x80", ``},
	"GangwayBatchOld":       {`gangway_batch_oldest_timestamp_seconds{`, "60x80", ``},
	"GangwayFeedFails":      {`gangway_feed_failing{`, "1x80", `customer="c", environment="production", feed="crew"`},
	"GangwayFeedNotFetched": {`gangway_feed_next_run_`, "60x80", `customer="c", environment="production", feed="crew"`},
	"GangwayOutletOff":      {`gangway_outlet_off{`, "1x80", `customer="c", environment="production", outlet="o"`},
	"GangwayOutletStuck": {`gangway_outlet_oldest_waiting_`, "60x80",
		`customer="c", environment="production", outlet="o"`},
	"GangwayDeliveriesParked": {`gangway_outlet_deliveries_parked{`, "2x80",
		`customer="c", environment="production", outlet="o"`},
	"GangwayConnectionsShort": {`gangway_database_wait_seconds_total{`, "0+120x80", `pool="write", ` + ofServer},
	"GangwayDiskFull":         {`gangway_disk_free_bytes{`, "9x80", `folder="database", ` + ofServer},
	"GangwayFilesShort":       {`process_open_fds{`, "900x80", ofServer},
	"GangwayLogsErrors":       {`gangway_log_lines_total{`, "0+1x80", `instance="a:1"`},
	"GangwayVersionsDiffer": {`gangway_build_info{version="1", revision="def", instance="b:1", job="gangway"}`, "1x80",
		``},
	"GangwayRestoredUnconfirmed": {`gangway_restored_unconfirmed{`, "1x80", ``},
	"GangwayBackupOld":           {`gangway_last_backup_timestamp_seconds{`, "-90000x80", ``},
}

// TestAlertsFire holds each alert against an installation that is well, where it is silent, and against one that has
// only what the alert is for, where it fires once. Each says what to do.
func TestAlertsFire(t *testing.T) {
	promtool := filepath.Join(filepath.Dir(need.Prometheus(t)), "promtool")
	guide := string(sure(os.ReadFile(monitoring + "README.md"))(t))
	type alertTest map[string]any
	const at = "70m" // since 1970, when the healthy installation had its last backup
	test := func(series map[string]string, alerts ...alertTest) map[string]any {
		var list []map[string]string
		for _, name := range slices.Sorted(maps.Keys(series)) {
			list = append(list, map[string]string{"series": name, "values": series[name]})
		}
		return map[string]any{"interval": "1m", "input_series": list, "alert_rule_test": alerts}
	}
	if n := len(rules(t)); !strings.Contains(guide, fmt.Sprintf("`%d rules found`", n)) {
		t.Errorf("the guide does not say that %d rules are found", n)
	}
	var tests []map[string]any
	var silent []alertTest
	for _, r := range rules(t) {
		if r.Alert == "" {
			continue
		}
		ill, known := ills[r.Alert]
		if !known {
			t.Errorf("what %s is for is not tried: add a line to ills", r.Alert)
			continue
		}
		if r.Annotations["summary"] == "" || r.Annotations["do"] == "" || r.Annotations["runbook_url"] !=
			"docs/monitoring/README.md#"+strings.ToLower(r.Alert) || !strings.Contains(guide, "\n### "+r.Alert+"\n") {
			t.Errorf("%s has the annotations %v; want a summary, what to do and its section of README.md", r.Alert,
				r.Annotations)
		}
		silent = append(silent, alertTest{"eval_time": at, "alertname": r.Alert})
		series := maps.Clone(healthy)
		changed := ill.series
		for name := range series {
			if strings.HasPrefix(name, ill.series) {
				changed = name
			}
		}
		series[changed] = ill.values
		var labels map[string]string
		must(t, yaml.Unmarshal([]byte("{"+strings.ReplaceAll(ill.labels, "=", ": ")+"}"), &labels))
		maps.Copy(labels, r.Labels)
		tests = append(tests, test(series, alertTest{"eval_time": at, "alertname": r.Alert,
			"exp_alerts": []any{map[string]any{"exp_labels": labels, "exp_annotations": r.Annotations}}}))
	}
	tests = append(tests, test(healthy, silent...))
	file := filepath.Join(t.TempDir(), "tests.yml")
	doc := sure(yaml.Marshal(map[string]any{"rule_files": []string{sure(filepath.Abs(monitoring + "alerts.yml"))(t)},
		"tests": tests}))(t)
	must(t, os.WriteFile(file, doc, 0o600))
	ran(t, exec.Command(promtool, "check", "config", monitoring+"prometheus.yml"))
	ran(t, exec.Command(promtool, "test", "rules", file))
}

// figureName finds the figures that a query asks for.
var figureName = regexp.MustCompile(`\b(?:gangway|process|go)_[a-z_]+\b`)

// TestPrometheusReadsFigures has a real Prometheus read a real server on which a crew change was searched for and a
// booking was made. Each query of the dashboard has an answer, and each rule can be computed of figures that there are.
func TestPrometheusReadsFigures(t *testing.T) {
	prometheus := need.Prometheus(t)
	t.Setenv(secretKeys, "YSBrZXkgZm9yIHRlc3RzOyBpdCBpcyBubyBzZWNyZXQ=")
	onEither(t, func(t *testing.T, database string) {
		figures, at := freePort(t), freePort(t)
		model := httptest.NewServer(duffeltest.New(time.Now))
		defer model.Close()
		v := newVoyage(t, database, 1, "--metrics-listen", figures, "--duffel-url", model.URL, "--log-level", "debug",
			"--log-requests", "--log-slow", "1ns")
		v.before = func() {
			token := filepath.Join(t.TempDir(), "token")
			must(t, os.WriteFile(token, []byte(duffeltest.Token), 0o600))
			answer[supplierSettings](t, "account", "supplier", "--database", database, "--customer", v.id,
				"--environment", "production", "--supplier", "duffel", "--token-file", token, "--phone", "+31205550100")
		}
		v.start()
		v.prepare()
		db := openStore(t, database)
		account, _, err := db.Accounts(t.Context(), v.id)
		must(t, err)
		feed := gangway.Feed{Name: "crew", Flow: gangway.TravellersFlow,
			Transport: gangway.Transport{Kind: "upload", Settings: []byte(`{}`)}}
		_, err = db.In(account.Scope()).SetFeed(t.Context(), storetest.Operator, feed.Name,
			func(store.StoredFeed) (gangway.Feed, error) { return feed, nil }, time.Time{}, time.Now())
		must(t, err)
		page := sure(v.browser.open(v.search + "?wait=1&member=0"))(t)
		to, fields, ok := page.form("/book")
		if !ok {
			t.Fatal("there is no offer to book")
		}
		sure(v.browser.send(to, fields))(t)
		namesRequest(t, v.program.said)
		folder := t.TempDir()
		must(t, os.WriteFile(filepath.Join(folder, "alerts.yml"), sure(os.ReadFile(monitoring+"alerts.yml"))(t), 0o600))
		config := strings.NewReplacer("30s", "1s", "127.0.0.1:9464", figures).
			Replace(string(sure(os.ReadFile(monitoring + "prometheus.yml"))(t)))
		must(t, os.WriteFile(filepath.Join(folder, "prometheus.yml"), []byte(config), 0o600)) // in place of the copy
		startCommand(t, "Server is ready", exec.Command(prometheus, "--config.file="+filepath.Join(folder,
			"prometheus.yml"), "--storage.tsdb.path="+filepath.Join(folder, "data"), "--web.listen-address="+at))
		ask := func(path string, query url.Values, into any) {
			t.Helper()
			res, body := look(t, "http://"+at+"/api/v1/"+path+"?"+query.Encode())
			if res.StatusCode != http.StatusOK {
				t.Fatalf("Prometheus answers %s %v: %d %s", path, query, res.StatusCode, body)
			}
			must(t, json.Unmarshal([]byte(body), into))
		}
		var queries []string
		var board any
		must(t, json.Unmarshal(sure(os.ReadFile(monitoring+"dashboard.json"))(t), &board))
		eachTarget(board, func(expr string) { queries = append(queries, expr) })
		for _, query := range queries {
			if strings.Contains(query, "oldest_waiting_") || strings.Contains(query, "last_good_") {
				continue // nothing waits, and no feed was fetched
			}
			eventually(t, "the dashboard shows "+query, func() bool {
				look(t, v.app+"/sign-in") // whose figures rise
				var answer struct{ Data struct{ Result []any } }
				ask("query", url.Values{"query": {query}}, &answer)
				return len(answer.Data.Result) > 0
			})
		}
		var names struct{ Data []string }
		ask("label/__name__/values", nil, &names)
		for _, r := range rules(t) {
			queries = append(queries, r.Expr)
		}
		for _, name := range figureName.FindAllString(strings.Join(queries, "\n"), -1) {
			if !slices.Contains(names.Data, name) {
				t.Errorf("a rule or the dashboard asks for %s, which the server does not tell", name)
			}
		}
		var known struct {
			Data struct {
				Groups []struct {
					Rules []struct{ Name, Health, LastError string }
				}
			}
		}
		eventually(t, "all rules were computed", func() bool {
			ask("rules", nil, &known)
			var all bytes.Buffer
			for _, g := range known.Data.Groups {
				for _, r := range g.Rules {
					fmt.Fprintln(&all, r.Name, r.Health, r.LastError)
				}
			}
			return strings.Count(all.String(), " ok ") == len(rules(t))
		})
	})
}

// namesRequest holds that the log tells of a booking, of what Duffel was asked for it, of a statement and of the
// delivery, by the name of the same request.
func namesRequest(t *testing.T, log *transcript) {
	t.Helper()
	booked := regexp.MustCompile(`msg=request method=POST surface=app route=/searches/{id}/book status=303 .* account=acc_\w+ request=(req_\w+)`)
	eventually(t, "the log names the booking's request", func() bool {
		request := booked.FindStringSubmatch(log.String())
		if request == nil {
			return false
		}
		for _, msg := range []string{`duffel`, `"a statement was slow"`, `"a delivery was tried"`} {
			if !regexp.MustCompile(`msg=` + msg + ` .* request=` + request[1] + `\n`).MatchString(log.String()) {
				return false
			}
		}
		return true
	})
}

// eachTarget calls do with each query of a dashboard.
func eachTarget(of any, do func(expr string)) {
	switch of := of.(type) {
	case []any:
		for _, v := range of {
			eachTarget(v, do)
		}
	case map[string]any:
		if expr, ok := of["expr"].(string); ok && of["refId"] != nil {
			do(expr)
		}
		for _, v := range of {
			eachTarget(v, do)
		}
	}
}
