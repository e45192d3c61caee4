package main

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gangway/internal/deliver"
	"gangway/internal/doctor"
	"gangway/internal/need"

	"github.com/go-json-experiment/json"
)

// A receiverExample is the example of a receiver in a language. made makes it ready to run in a folder, and returns the
// command that runs it.
type receiverExample struct {
	language string
	made     func(t testing.TB, folder string) []string
}

// receivers are all examples, the one in Go first.
var receivers = []receiverExample{
	{"go", func(t testing.TB, folder string) []string {
		program := filepath.Join(folder, "receiver")
		ran(t, exec.Command("go", "build", "-o", program, example(t, "go")))
		return []string{program}
	}},
	{"javascript", func(t testing.TB, _ string) []string {
		return []string{need.WebhookClients(t), example(t, "javascript/receiver.mjs")}
	}},
	{"python", func(t testing.TB, _ string) []string {
		return []string{need.Python(t), example(t, "python/receiver.py")}
	}},
}

func example(t testing.TB, name string) string {
	t.Helper()
	return sure(need.File("examples/receivers/" + name))(t)
}

// An exampleReceiver runs one of the examples.
type exampleReceiver struct {
	*program
	t       testing.TB
	command []string
	port    string
	url     string
	file    string // the pushes that it has stored
}

func newExampleReceiver(t testing.TB, made func(testing.TB, string) []string) *exampleReceiver {
	t.Helper()
	folder := t.TempDir()
	_, port, _ := strings.Cut(freePort(t), ":")
	return &exampleReceiver{t: t, command: made(t, folder), port: port,
		url: "http://127.0.0.1:" + port + "/api/sync_flights", file: filepath.Join(folder, "pushes.tsv")}
}

// start runs it until it is killed, or the test ends.
func (r *exampleReceiver) start(secret string, before ...string) {
	r.t.Helper()
	args := append(append(before, r.command...), r.port, r.file)
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = append(os.Environ(), "WEBHOOK_SECRET="+secret)
	r.program, _ = startCommand(r.t, `^receiving at `+r.url, cmd)
}

// restart kills it, as a power cut does, and runs it again.
func (r *exampleReceiver) restart(secret string) {
	r.t.Helper()
	r.kill()
	r.start(secret)
}

// stored returns the identifier, booking and sequence of each push that it has stored.
func (r *exampleReceiver) stored() []string {
	r.t.Helper()
	text := sure(os.ReadFile(r.file))(r.t)
	var list []string
	for line := range strings.Lines(string(text)) {
		column := strings.SplitN(line, "\t", 4)
		list = append(list, strings.Join(column[:min(3, len(column))], " "))
	}
	return list
}

// post pushes a body, and returns the status of the answer; 0 if there is none. behind is added to the address.
func (r *exampleReceiver) post(header http.Header, body []byte, behind ...string) int {
	r.t.Helper()
	req := sure(http.NewRequest(http.MethodPost, r.url+strings.Join(behind, ""), bytes.NewReader(body)))(r.t)
	req.Header = header
	client := &http.Client{Timeout: 20 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	res, err := client.Do(req)
	if err != nil {
		return 0
	}
	defer res.Body.Close()
	return res.StatusCode
}

// recordOf is a booking record as Gangway writes it, spread over lines as a mapping might.
func recordOf(booking string, sequence int, state string) []byte {
	return fmt.Appendf(nil, "{\"actions\":[{\"action\":%[3]q}],\n\t\"passenger\":{\"last_name\":\"Zoë \\\"Bo\\\" "+
		"\\u0141\\t\"},\"id\":%[1]q,\r\n\"locator\":\"L%[1]s\",\"metadata\":{\"crew\":{\"sequence\":\"9\",\"id\":\"x\"},"+
		"\"sequence\":%[2]d},\"tickets\":[],\"price\":{\"total\":50.00},\"state\":%[3]q}", booking, sequence, state)
}

func headersOf(t testing.TB, id string, at time.Time, body []byte, secrets ...string) http.Header {
	t.Helper()
	return sure(deliver.Headers(id, secrets, at, body))(t)
}

// A refusedPush is one that every receiver refuses, with this status.
type refusedPush struct {
	what   string
	header http.Header
	body   []byte
	status int
}

func refusedPushes(t testing.TB, secret string, now time.Time) []refusedPush {
	first := recordOf("B1", 1, "confirmed")
	good := func(id string, body []byte) http.Header { return headersOf(t, id, now, body, secret) }
	without := func(name string) http.Header {
		header := good("m0", first)
		header.Del(name)
		return header
	}
	with := func(name, value string) http.Header {
		header := good("m0", first)
		header.Set(name, value)
		return header
	}
	signature, stranger := good("m0", first).Get("Webhook-Signature"), deliver.NewSecret()
	nested := bytes.Repeat([]byte("["), 200_000)
	return []refusedPush{
		{"a stranger's signature", headersOf(t, "m0", now, first, stranger), first, 401},
		{"another body", good("m0", first), recordOf("B1", 1, "cancelled"), 401},
		{"another webhook-id", with("Webhook-Id", "m9"), first, 401},
		{"another timestamp", with("Webhook-Timestamp", fmt.Sprint(now.Unix()+1)), first, 401},
		{"a push of six minutes ago", headersOf(t, "m0", now.Add(-6*time.Minute), first, secret), first, 401},
		{"a push from the future", headersOf(t, "m0", now.Add(6*time.Minute), first, secret), first, 401},
		{"no signature", without("Webhook-Signature"), first, 401},
		{"no time", without("Webhook-Timestamp"), first, 401},
		{"no webhook-id", without("Webhook-Id"), first, 401},
		{"an empty webhook-id", good("", first), first, 401},
		{"a time that is no number", with("Webhook-Timestamp", "now"), first, 401},
		{"a time beyond all numbers", with("Webhook-Timestamp", strings.Repeat("9", 40)), first, 401},
		{"half of a signature", with("Webhook-Signature", signature[:20]), first, 401},
		{"a signature of another version", with("Webhook-Signature", "v2"+signature[2:]), first, 401},
		{"letters that are no signature", with("Webhook-Signature", "v1,\xff\xfe é"), first, 401},
		{"what is no record", good("m0", []byte(`[]`)), []byte(`[]`), 400},
		{"what is no JSON", good("m0", []byte(`{"id`)), []byte(`{"id`), 400},
		{"a record without a sequence", good("m0", []byte(`{"id":"B1","actions":[{}],"metadata":{}}`)),
			[]byte(`{"id":"B1","actions":[{}],"metadata":{}}`), 400},
		{"what is nested without end", good("m0", nested), nested, 400},
	}
}

// TestReceivers holds the example of a receiver in Go against what goes wrong on the way.
func TestReceivers(t *testing.T) { tryReceivers(t, receivers[:1]) }

// TestInteropReceivers does so with the examples in other languages.
func TestInteropReceivers(t *testing.T) {
	need.Interop(t)
	tryReceivers(t, receivers[1:])
}

// TestInteropSignatures holds what examples/receivers has in Java and C# against the same pushes.
func TestInteropSignatures(t *testing.T) {
	need.Interop(t)
	javac, mcs := need.Java(t), need.CSharp(t)
	for _, language := range []struct {
		name string
		made func(t *testing.T, folder string) []string
	}{
		{"java", func(t *testing.T, folder string) []string {
			ran(t, exec.Command(javac, "-Xlint:all", "-Werror", "-d", folder, example(t, "java/Signature.java"),
				"testdata/webhooks/Try.java"))
			return []string{filepath.Join(filepath.Dir(javac), "java"), "-XX:-UsePerfData", "-cp", folder, "Try"}
		}},
		{"csharp", func(t *testing.T, folder string) []string {
			program := filepath.Join(folder, "Try.exe")
			ran(t, exec.Command(mcs, "-warnaserror+", "-r:System.Core", "-out:"+program,
				example(t, "csharp/Signature.cs"), "testdata/webhooks/Try.cs"))
			return []string{filepath.Join(filepath.Dir(mcs), "mono"), program}
		}},
	} {
		t.Run(language.name, func(t *testing.T) {
			command := language.made(t, t.TempDir())
			secret, other, now := deliver.NewSecret(), deliver.NewSecret(), time.Now()
			body := recordOf("B1", 1, "issued")
			var in bytes.Buffer
			ask := func(header http.Header, body []byte) {
				for _, part := range []string{secret, header.Get("Webhook-Id"), header.Get("Webhook-Timestamp"),
					header.Get("Webhook-Signature")} {
					in.WriteString(base64.StdEncoding.EncodeToString([]byte(part)) + " ")
				}
				in.WriteString(base64.StdEncoding.EncodeToString(body) + "\n")
			}
			pushes := refusedPushes(t, secret, now)
			for _, header := range []http.Header{headersOf(t, "m1", now, body, secret),
				headersOf(t, "m1", now.Add(-4*time.Minute), body, secret),
				headersOf(t, "m1", now, body, other, secret), headersOf(t, "m1", now, body, secret, other)} {
				pushes = append(pushes, refusedPush{"a right signature", header, body, 204})
			}
			for _, p := range pushes {
				ask(p.header, p.body)
			}
			cmd := exec.Command(command[0], command[1:]...)
			cmd.Stdin = &in
			out := sure(cmd.Output())(t)
			answers := strings.Fields(string(out))
			if len(answers) != len(pushes) {
				t.Fatalf("%d answers to %d pushes", len(answers), len(pushes))
			}
			for i, p := range pushes {
				if want := fmt.Sprint(p.status != 401); answers[i] != want {
					t.Errorf("%s: %s; want %s", p.what, answers[i], want)
				}
			}
		})
	}
}

func tryReceivers(t *testing.T, receivers []receiverExample) {
	t.Helper()
	for _, language := range receivers {
		t.Run(language.language, func(t *testing.T) {
			t.Parallel()
			r, secret, stranger, now := newExampleReceiver(t, language.made), deliver.NewSecret(), deliver.NewSecret(),
				time.Now()
			r.start(secret)
			first := recordOf("B1", 1, "confirmed")
			good := func(id string, body []byte) http.Header { return headersOf(t, id, now, body, secret) }
			for _, refused := range refusedPushes(t, secret, now) {
				if status := r.post(refused.header, refused.body); status != refused.status {
					t.Errorf("%s is answered %d; want %d", refused.what, status, refused.status)
				}
			}
			if status := r.post(good("m0", first), first, "X"); status != 404 {
				t.Errorf("another address is answered %d; want 404", status)
			}
			if got := r.stored(); len(got) > 0 {
				t.Fatalf("it stored %q of what it refused", got)
			}

			taken := func(what string, header http.Header, body []byte, stored ...string) {
				t.Helper()
				if status := r.post(header, body); status != 204 {
					t.Errorf("%s is answered %d; want 204", what, status)
				}
				if got := r.stored(); strings.Join(got, "; ") != strings.Join(stored, "; ") {
					t.Errorf("after %s it has stored %q; want %q", what, got, stored)
				}
			}
			taken("a push", good("m1", first), first, "m1 B1 1")
			taken("a repeat", good("m1", first), first, "m1 B1 1")
			taken("a repeat of four minutes ago", headersOf(t, "m1", now.Add(-4*time.Minute), first, secret), first,
				"m1 B1 1")
			fourth, other := recordOf("B1", 4, "issued"), recordOf("B2", 2, "cancelled")
			taken("a push signed with the new secret and with ours", headersOf(t, "m2", now, fourth, stranger, secret),
				fourth, "m1 B1 1", "m2 B1 4")
			taken("a push signed with ours and an older one", headersOf(t, "m3", now, other, secret, stranger), other,
				"m1 B1 1", "m2 B1 4", "m3 B2 2")

			if status := r.post(good("m3", other), other, "?token=tide"); status != 204 {
				t.Errorf("an address with a query is answered %d; want 204", status)
			}

			r.restart(secret)
			taken("a repeat after a restart", good("m2", fourth), fourth, "m1 B1 1", "m2 B1 4", "m3 B2 2")
			second := recordOf("B1", 2, "change_pending")
			taken("one that is late", good("m4", second), second, "m1 B1 1", "m2 B1 4", "m3 B2 2", "m4 B1 2")
			r.says("LB1 4 issued repeat", "LB1 2 change_pending late")

			r.kill()
			whole := sure(os.ReadFile(r.file))(t)
			fifth := recordOf("B1", 5, "cancelled")
			torn := append(bytes.Clone(whole), "m5\tB1\t5\t{\"actions\":[{\"acti"...) // killed while it wrote
			must(t, os.WriteFile(r.file, torn, 0o600))
			r.start(secret)
			taken("one of which half was written", good("m5", fifth), fifth, "m1 B1 1", "m2 B1 4", "m3 B2 2", "m4 B1 2",
				"m5 B1 5")
			r.says("LB1 5 cancelled")
			r.fullDisk(secret)
			r.examined(secret)
		})
	}
}

// says waits until it has printed lines, in this order, since it was started.
func (r *exampleReceiver) says(lines ...string) {
	r.t.Helper()
	eventually(r.t, "it prints "+strings.Join(lines, ", "), func() bool {
		said := ""
		for line := range strings.Lines(r.said.String()) {
			said += strings.TrimSpace(line) + "\n"
		}
		return strings.HasSuffix(said, strings.Join(lines, "\n")+"\n")
	})
}

// fullDisk starts it where its file cannot grow, as on a full disk: it must not acknowledge what it did not store,
// and takes it when there is room again.
func (r *exampleReceiver) fullDisk(secret string) {
	r.t.Helper()
	before := r.stored()
	r.kill()
	large := recordOf("B3", 1, strings.Repeat("confirmed", 5000))
	header := headersOf(r.t, "m6", time.Now(), large, secret)
	r.start(secret, "sh", "-c", `trap "" XFSZ; ulimit -f 32; exec "$@"`, "sh")
	if status := r.post(header, large); status >= 200 && status < 300 {
		r.t.Errorf("what cannot be stored is answered %d", status)
	}
	r.restart(secret)
	if status := r.post(header, large); status != 204 {
		r.t.Errorf("with room again, the push is answered %d; want 204", status)
	}
	if got, want := r.stored(), append(before, "m6 B3 1"); strings.Join(got, "; ") != strings.Join(want, "; ") {
		r.t.Errorf("it has stored %q; want %q", got, want)
	}
}

// examined runs the integration doctor on it.
func (r *exampleReceiver) examined(secret string) {
	r.t.Helper()
	file := filepath.Join(r.t.TempDir(), "secret")
	must(r.t, os.WriteFile(file, []byte(secret), 0o600))
	out, err := gangwayCommand(r.t, "check", "--url", strings.TrimSuffix(r.url, "/api/sync_flights"), "--flow", "push",
		"--secret-file", file, "--allow-network", "127.0.0.0/8", "--json").Output()
	var report doctor.Report
	if json.Unmarshal(out, &report) != nil {
		r.t.Fatalf("gangway check: %v, %s", err, out)
	}
	for _, c := range report.Checks {
		if c.Verdict == doctor.Wrong || c.Verdict == doctor.Warning && c.ID != "tls.certificate" {
			r.t.Errorf("the doctor says of %s: %s %+v", c.ID, c.Verdict, c.Findings)
		}
	}
}
