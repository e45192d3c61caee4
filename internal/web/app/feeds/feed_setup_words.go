package feeds

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"gangway/internal/gangway"
	"gangway/internal/web/app/shell"
)

// kindsInShort are the kinds of transport in the words of a row of buttons.
var kindsInShort = map[string]string{"sftp": "SFTP", "ftps": "FTP with TLS", "ftp": "FTP",
	gangway.UploadTransport: "Files by hand"}

// kindAbout says of a kind of transport what Gangway does with it.
var kindAbout = map[string]string{
	"endpoint": "An address of your own system, which Gangway calls.",
	"sftp": "A folder at your SFTP server. Gangway reads each new file, and moves it to the folder “done” or " +
		"“failed”.",
	"ftps": "A folder at your FTP server. Gangway reads each new file, and moves it to the folder “done” or " +
		"“failed”.",
	"ftp": "A folder at your FTP server. Without TLS whoever is on the way can read the password and the records: " +
		"choose “FTP with TLS” where your server has it.",
	"mail": "A mailbox at your mail server (IMAP). Gangway reads the attachments of its mails, or their text.",
	"database": "A database of yours: PostgreSQL, MySQL, MariaDB, SQL Server or Oracle. Gangway reads it with your " +
		"own SELECT.",
	gangway.UploadTransport: "Nothing is fetched: people upload files to this feed, on its page or beside the lists " +
		"that they work with. Try one here first.",
}

// settingHints say what a setting is, where the words of the command are not those for a page. By the kind of
// transport and the setting; those of a flow alone, by the flow.
var settingHints = map[string]flowTexts{
	"endpoint.url": {
		gangway.TravellersFlow: "Called as it stands, and answers with all travellers.",
		gangway.TravellerLookupFlow: "What somebody has typed of a surname is added as ?surname=…; or " +
			"write {surname} " +
			"where it belongs.",
		gangway.TravelRequestsFlow: "The days that are asked for are added as ?from=…&to=…; or write {from} and {to} " +
			"where they belong.",
		gangway.CrewChangesFlow: "The day that is asked for is added as ?date=…; or write {date} where it belongs.",
	},
	"endpoint.method": {"": "GET, or POST where there is a body, unless your system wants another."},
	"endpoint.body": {"": "What is sent with the question, if anything. {surname}, {from}, {to} and {date} stand for " +
		"what is asked for."},
	"database.url": {"": "postgres://, mysql://, mariadb://, sqlserver:// or oracle://, then " +
		"user@host:port/database; of Oracle the service's name."},
	"database.user":     {"": "Instead of the one in the address."},
	"database.password": {"": "Instead of the one in the address."},
	"endpoint.ca": {"": "In PEM. Needed only where your system's certificate comes from an " +
		"authority of your own."},
}

// plainHints are those of settings whose label says it all, and others of several kinds.
var plainHints = map[string]string{"host": "", "user": "", "password": "", "mailbox": "Left empty: INBOX.",
	"path": "Left empty: where the user arrives.", "pattern": "Only files with such names. Left empty: all."}

// settingExamples are examples that fit the flow, by the kind of transport and the setting.
var settingExamples = map[string]flowTexts{
	"endpoint.url": {
		gangway.TravellersFlow:      "https://hr.example/crew",
		gangway.TravellerLookupFlow: "https://hr.example/crew?name={surname}",
		gangway.TravelRequestsFlow:  "https://hr.example/requests?from={from}&to={to}",
		gangway.CrewChangesFlow:     "https://hr.example/crew-changes?day={date}",
	},
	"endpoint.method": {"": "GET"},
	"endpoint.body": {
		gangway.TravellersFlow:      `{"active": true}`,
		gangway.TravellerLookupFlow: `{"name": "{surname}"}`,
		gangway.TravelRequestsFlow:  `{"from": "{from}", "to": "{to}"}`,
		gangway.CrewChangesFlow:     `{"day": "{date}"}`,
	},
	"database.query": {
		gangway.TravellersFlow: "SELECT id, last_name, first_name FROM crew WHERE active = 1",
		gangway.TravellerLookupFlow: "SELECT id, last_name, first_name FROM crew WHERE last_name LIKE " +
			"CONCAT(:surname, '%')",
		gangway.TravelRequestsFlow: "SELECT * FROM travel_requests WHERE day BETWEEN :from AND :to",
		gangway.CrewChangesFlow:    "SELECT * FROM crew_changes WHERE day = :date",
	},
}

// flowTexts are texts for each flow; that of no flow is for all that have none of their own.
type flowTexts map[gangway.Flow]string

// of is the text for a flow.
func (t flowTexts) of(f gangway.Flow) string {
	if text, there := t[f]; there {
		return text
	}
	return t[""]
}

// suit gives the fields of a kind's settings the words and examples of a page, which depend on the flow. The page has
// those of every flow, and shows what belongs to the one that is chosen, also without asking again.
func suit(fields []settingField, kind string, flow gangway.Flow) {
	for i := range fields {
		f := &fields[i]
		name := strings.TrimPrefix(f.Name, fieldOf)
		of := kind + "." + name
		if plain, there := plainHints[name]; there {
			f.About = plain
		}
		if examples, there := settingExamples[of]; there && flow != "" {
			f.Example = examples.of(flow)
			if doc, err := json.Marshal(examples); err == nil && len(examples) > 1 {
				f.Examples = string(doc)
			}
		}
		if hints, there := settingHints[of]; there && flow != "" {
			f.About = hints[""]
			for _, each := range gangway.Flows {
				if text, there := hints[each]; there {
					f.Hints = append(f.Hints, choice{string(each), text})
				}
			}
		}
		if f.About != "" && !strings.Contains(strings.Fields(f.About)[0], "://") {
			f.About = shell.AsSentence(f.About)
		}
	}
}

// A choice is a line of a select.
type choice struct{ Value, Words string }

// oftenChoices are the usual lengths of time between two runs, and the one that the feed has.
func oftenChoices(live bool, now string) (list []choice) {
	usual := gangway.Feed{Flow: gangway.TravellersFlow}.Interval(live)
	list = append(list, choice{"", IntervalWords(usual) + " (the usual)"})
	for _, every := range []string{"1m", "5m", "15m", "30m", "1h", "2h", "6h", "12h", "24h", now} {
		d, err := time.ParseDuration(every)
		switch {
		case every == "", slices.ContainsFunc(list, func(c choice) bool { return c.Value == every }):
		case err != nil:
			list = append(list, choice{every, every})
		case d != usual || every == now:
			list = append(list, choice{every, IntervalWords(d)})
		}
	}
	return list
}

// completeChoices say what may become of records that a run does not bring any more.
func completeChoices(live bool, now string) []choice {
	usual, other := choice{"no", "Keep them"}, choice{"yes", "Remove them"}
	if (gangway.Feed{Flow: gangway.TravellersFlow}).BringsAll(live) {
		usual, other = other, usual
	}
	list := []choice{{"", usual.Words + " (default)"}, other}
	if now == usual.Value {
		list = append(list, usual)
	}
	return list
}

// fieldLabels are what the fields of a feed are called on its page, by what the program calls them.
var fieldLabels = map[string]string{"name": "the name", "every": "“Fetched”", "flow": "“What it brings”",
	"kind": "the format", "header": "the row that names the columns", "columns": "the columns"}

// inLabels says of a field what is wrong with it by the label that it has on the page.
func inLabels(field, sentence string) string {
	name := strings.TrimPrefix(field, fieldOf)
	label := fieldLabels[name]
	if name != field {
		label = labels[name]
	}
	if rest, is := strings.CutPrefix(sentence, name+": "); is {
		return rest
	}
	if rest, is := strings.CutPrefix(sentence, name+" "); is && label != "" {
		return label + " " + rest
	}
	return sentence
}
