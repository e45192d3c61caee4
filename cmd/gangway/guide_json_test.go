package main

import (
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"gangway/internal/book/sandbox"
	"gangway/internal/gangway"
	"gangway/internal/wire"

	"github.com/go-json-experiment/json"
)

// shownOutlet has the members of wire.Outlet, which outlet show prints.
type shownOutlet struct {
	Name      string          `json:"name"`
	States    []gangway.State `json:"states"`
	Mapping   string          `json:"mapping"`
	Format    string          `json:"format"`
	Batch     string          `json:"batch"`
	Transport struct {
		Kind string `json:"kind"`
	} `json:"transport"`
	Paused bool        `json:"paused"`
	State  outletState `json:"state"`
}

// TestGuidesHaveWhatCommandsPrint: the guides have every member that the outlet and sandbox commands print for
// programs, and no other.
func TestGuidesHaveWhatCommandsPrint(t *testing.T) {
	samples := samplesOfCommands(t)
	for command, prints := range map[string]any{
		"outlet set": outletSecret{}, "outlet list": []listedOutlet{}, "outlet show": shownOutlet{},
		"outlet test": outletTrial{}, "outlet delete": deletedOutlet{}, "outlet pause": steeredOutlet{},
		"outlet parked": []parkedAction{}, "outlet replay": replayedActions{}, "outlet attempts": []listedAttempt{},
		"sandbox send": sandbox.Played{}, "sandbox advance": sandbox.Advanced{}, "sandbox disrupt": sandbox.Played{},
	} {
		var sample any
		if err := json.Unmarshal([]byte(samples[command]), &sample); err != nil {
			t.Errorf("what %s prints is told as %q: %v", command, samples[command], err)
			continue
		}
		told, printed := membersIn("", sample), membersOf("", reflect.TypeOf(prints))
		if !slices.Equal(told, printed) {
			t.Errorf("%s prints %v, and is told to print %v", command, printed, told)
		}
	}
	whole := gangway.Outlet{Name: "x", States: gangway.States, Mapping: ".", Format: gangway.CSVFormat,
		Batch: time.Hour, Transport: gangway.Transport{Kind: "folder", Settings: []byte("{}")}, Paused: true}
	var shown map[string]any
	doc, err := json.Marshal(wire.Outlet(whole, outletState{}))
	if err == nil {
		err = json.Unmarshal(doc, &shown)
	}
	isInner := func(path string) bool { return strings.Contains(path, ".") }
	top := slices.DeleteFunc(membersOf("", reflect.TypeFor[shownOutlet]()), isInner)
	if got := slices.Sorted(maps.Keys(shown)); err != nil || !slices.Equal(got, top) {
		t.Errorf("outlet show prints %v, %v; want %v", got, err, top)
	}
}

var (
	rowOfCommand  = regexp.MustCompile("(?m)^\\| `(outlet [a-z]+)`.*?`([\\[{].*[]}])`")
	lineOfCommand = regexp.MustCompile(`(?m)^gangway (sandbox [a-z]+) .*\n# (\{.*\})$`)
)

// samplesOfCommands are what commands print as the guides have it, by command.
func samplesOfCommands(t *testing.T) map[string]string {
	t.Helper()
	samples := map[string]string{}
	for path, sample := range map[string]*regexp.Regexp{"../../docs/reference.md": rowOfCommand,
		"../../docs/guide.md": lineOfCommand} {
		guide := sure(os.ReadFile(path))(t)
		for _, found := range sample.FindAllStringSubmatch(string(guide), -1) {
			samples[found[1]] = found[2]
		}
	}
	return samples
}

// membersOf are the members at any depth that values of a type have as JSON, each by its path.
func membersOf(path string, of reflect.Type) (list []string) {
	for of.Kind() == reflect.Pointer || of.Kind() == reflect.Slice {
		of = of.Elem()
	}
	if of.Kind() == reflect.Struct && of != reflect.TypeFor[time.Time]() {
		for i := range of.NumField() {
			name, _, _ := strings.Cut(of.Field(i).Tag.Get("json"), ",")
			list = append(append(list, path+name), membersOf(path+name+".", of.Field(i).Type)...)
		}
	}
	slices.Sort(list)
	return list
}

// membersIn are the members at any depth of a value, each by its path; of a list, those of its first item.
func membersIn(path string, value any) (list []string) {
	if items, is := value.([]any); is && len(items) > 0 {
		value = items[0]
	}
	members, _ := value.(map[string]any)
	for name, inner := range members {
		list = append(append(list, path+name), membersIn(path+name+".", inner)...)
	}
	slices.Sort(list)
	return list
}
