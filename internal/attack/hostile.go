package main

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"gangway/internal/program"
)

const largest = 31 << 20 // nearly the largest body

// filled is a text of so many bytes: a beginning, and something again and again.
func filled(begin, again string, size int) string {
	return begin + strings.Repeat(again, max(0, size-len(begin))/len(again))
}

// list writes a record n times, each with its number in place of # and a letter in place of ~.
func list(begin, between, end string, n int, record string) string {
	records := make([]string, n)
	for i := range records {
		records[i] = strings.NewReplacer("#", strconv.Itoa(i), "~", string(rune('A'+i%26))).Replace(record)
	}
	return begin + strings.Join(records, between) + end
}

// travellers writes n records, each with pad bytes in an unknown member.
func travellers(n, pad int) string {
	return list("[", ",", "]", n, `{"id":"C-#","last_name":"Santos ~","first_name":"Maria","dob":"1990-04-30",`+
		`"nationality":"PH","gender":"F","doc_country":"PH","doc_number":"P00#","doc_expire":"2036-01-01",`+
		`"home_airport":"MNL","remark":"`+strings.Repeat("x", pad)+`"}`)
}

// crewChanges writes eight crew changes of 9,000 members each, 24 MiB.
func crewChanges(body string) string {
	day := later(14).Format(time.DateOnly)
	crew := list("[", ",", "]", 9000, `{"id":"M-#","last_name":"Abc~","first_name":"Def","gender":"M",`+
		`"dob":"1990-01-01","nationality":"PH","doc_country":"PH","doc_number":"N#","doc_expire":"2036-01-01",`+
		`"home_airport":"MNL","arrive":"`+day+`","metadata":{"a":"`+strings.Repeat("b", 100)+`"}}`)
	return list("[", ",", "]", 8, `{"vessel":"BIG `+body+` #","flag":"NO","change_date":"`+day+`",`+
		`"travel_request_id":"B`+body+`-#","onsigners":`+crew+`}`)
}

// crew is the hand-off of a crew of n who live all over the world.
func crew(n int, day time.Time, remark string) url.Values {
	form, homes := program.Handoff(0, n, "SIN", day, remark), strings.Fields("MNL CEB BOM DEL WAW ZAG LHR JNB")
	for i := range n {
		form.Set(fmt.Sprintf("onsigners[%d][home_airport]", i), homes[i%len(homes)])
	}
	return form
}

// members are crew changes of ten million empty members, and of as many small records as fit into 32 MiB.
func members() maker {
	const begin, end = `[{"vessel":"V","change_date":"2036-12-01","onsigners":[`, `{}]}]`
	member := list(`{"last_name":"A","custom_fields":{`, ",", "}},", 90, `"#":""`)
	return of(request{crewPath, jsonType, begin + strings.Repeat("{},", 10<<20) + end},
		request{crewPath, jsonType, begin + strings.Repeat(member, largest/len(member)) + end})
}

// hostileUploads are the ways of attack that formats have, each for both uploads.
func hostileUploads() (all []request) {
	const workbookType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	for kind, docs := range map[string][]string{
		"application/yaml": {aliases(), filled("- &a "+strings.Repeat("x", 50_000)+"\n", "- *a\n", largest),
			filled("- last_name: [", "[", 500_000), filled("a:\n", " - x\n", largest),
			filled("- last_name: ", "x", largest)},
		"text/csv": {filled("last_name,first_name\n", "xxxxxxxx", largest), filled("last_name", ",a", largest),
			filled("last_name,first_name\nA,\"", "x\n", largest), packedZeros()},
		"application/xml": {`<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "lol">` +
			strings.Repeat(`<!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">`, 10) + `]><l>&b;</l>`,
			filled("<a>", "<a>", largest), filled("<travellers><traveller>", "<b/>", largest),
			filled("<travellers><traveller ", `b="" `, largest),
			filled("<travellers><traveller><last_name>", "x", largest)},
		workbookType: {workbook("<row><c t=\"inlineStr\"><is><t>"+strings.Repeat("x", 200<<20), "", 1),
			workbook("", manyTexts, 1), workbook(`<row><c r="A1"><v>a</v></c></row>`+
				strings.Repeat(`<row><c r="XFD"><v>1</v></c></row>`, 500_000), "", 1),
			workbook("<row><c><v>1</v></c></row>", "", 900)},
	} {
		for _, doc := range docs {
			all = append(all, request{uploadPath, kind, doc}, request{crewPath, kind, doc})
		}
	}
	return all
}

// rowsAtOnce are uploads of 30,000 travellers, in each other format than JSON.
func rowsAtOnce() maker {
	csv := list("id,last_name,first_name,gender\n", "\n", "\n", 30_000, "C-#,Santos ~,Maria,F")
	xml := list("<travellers>", "", "</travellers>", 30_000, "<traveller><id>C-#</id><last_name>Santos ~</last_name>"+
		"<first_name>Maria</first_name></traveller>")
	yaml := list("", "", "", 30_000, "- id: C-#\n  last_name: Santos ~\n  first_name: Maria\n")
	return of(request{uploadPath, "text/csv", csv}, request{uploadPath, "application/xml", xml},
		request{uploadPath, "application/yaml", yaml})
}

// soap sends messages that are made to do harm, some of them slowly, and others do their work meanwhile.
func soap(ctx context.Context, s *server) (answers, error) {
	const kind, begin = "application/soap+xml", `<e:Envelope xmlns:e="http://www.w3.org/2003/05/soap-envelope">`
	const upload = begin + `<e:Body><UploadTravellers xmlns="x">`
	var all []request
	for _, doc := range []string{
		filled(begin+"<e:Header><a>", "x", largest), filled(begin+"<e:Header>", "<a/>", largest),
		filled(upload+"<traveller>", "<b/>", largest), filled(upload+"<traveller><last_name>", "x", largest),
		filled(upload, "<a>", largest), filled(upload+"<traveller ", `b="" `, largest),
		filled(upload, "<traveller><last_name>A</last_name></traveller>", largest),
		`<!DOCTYPE l [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;&a;">]>` + upload + "&b;",
	} {
		all = append(all, request{"/api/soap", kind, doc})
	}
	slow, err := s.dial(ctx, 120, crowd, // half of them in their headers
		s.head("POST /api/soap", "Content-Type: "+kind, "Content-Length: 31000000")+upload,
		"POST /api/soap HTTP/1.1\r\nHost: x\r\nX-A: "+strings.Repeat("x", 1<<20))
	defer slow.close()
	if err != nil {
		return nil, err
	}
	return beside(requests(8*len(all), 64, func() maker {
		return func(i int) request { slow.dribble(); return all[i%len(all)] }
	}))(ctx, s)
}

// aliases is a list of lists of lists, each twice in the next.
func aliases() string {
	doc := "a0: &a0 [x, x]\n"
	for i := range 40 {
		doc += fmt.Sprintf("a%[1]d: &a%[1]d [*a%[2]d, *a%[2]d]\n", i+1, i)
	}
	return doc
}

func packedZeros() string { return packed(string(make([]byte, largest))) }

func packed(text string) string {
	var doc bytes.Buffer
	z := gzip.NewWriter(&doc)
	z.Write([]byte(text))
	z.Close()
	return doc.String()
}

// manyTexts are texts that the sheets of a workbook share, 100 MB.
var manyTexts = strings.Repeat("<si><t>"+strings.Repeat("x", 1000)+"</t></si>", 100_000)

// workbook packs so many sheets with the same rows, and texts that they share.
func workbook(rows, texts string, sheets int) string {
	const types = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	var doc bytes.Buffer
	z := zip.NewWriter(&doc)
	put := func(name, text string) {
		if w, err := z.Create(name); err == nil {
			w.Write([]byte(text))
		}
	}
	link := func(id, target, kind string) string {
		return fmt.Sprintf(`<Relationship Id="%s" Target="%s" Type="%s/%s"/>`, id, target, types, kind)
	}
	list, links := "", link("t", "sharedStrings.xml", "sharedStrings")
	for i := range sheets {
		list += fmt.Sprintf(`<sheet name="S%d" sheetId="%d" r:id="r%d"/>`, i, i+1, i)
		links += link(fmt.Sprint("r", i), fmt.Sprintf("worksheets/s%d.xml", i), "worksheet")
		put(fmt.Sprintf("xl/worksheets/s%d.xml", i), "<worksheet><sheetData>"+rows+"</sheetData></worksheet>")
	}
	put("[Content_Types].xml", "<Types/>")
	put("_rels/.rels", "<Relationships>"+link("w", "xl/workbook.xml", "officeDocument")+"</Relationships>")
	put("xl/workbook.xml", `<workbook xmlns:r="`+types+`"><sheets>`+list+`</sheets></workbook>`)
	put("xl/_rels/workbook.xml.rels", "<Relationships>"+links+"</Relationships>")
	put("xl/sharedStrings.xml", "<sst>"+texts+"</sst>")
	z.Close()
	return doc.String()
}

// hostileAnswers are what feeds bring from a customer's system that is made to do harm, by path.
var hostileAnswers = map[string]http.HandlerFunc{
	"/xml":    endless("<crew><m><a>x</a><b>y</b></m>", "<m><a>x</a><b>y</b></m>", 300<<20, ""),
	"/json":   endless(`{"crew":[{}`, `,{"a":"b"}`, 300<<20, ""),
	"/texts":  endless(`{"crew":[""`, smallText, 300<<20, ""),
	"/yaml":   endless("crew:\n", " - {a: b}\n", 300<<20, ""),
	"/row":    endless("id,last_name\n1,", "xxxxxxxx", 300<<20, ""),
	"/wide":   endless("id", ",name", 300<<20, ""),
	"/string": endless(`[{"last_name":"`, "xxxxxxxx", 300<<20, ""),
	"/rows": endless("id;last_name;first_name\n", "1;"+strings.Repeat("x", 200)+";"+strings.Repeat("y", 200)+"\n",
		300<<20, ""),
	"/whole31": endless(`{"crew":[""`, smallText, 31<<20*9/10, "]}"), // a value may have 32 MiB
	"/whole15": endless(`{"crew":[""`, smallText, 15<<20*9/10, "]}"),
	"/large": func(w http.ResponseWriter, r *http.Request) { // records that take nearly all the memory that one may
		for i := range 8 {
			begin := "[,"[min(i, 1):min(i, 1)+1] + `{"last_name":"Reyes","first_name":"Ana","id":"` + fmt.Sprint(i)
			endless(begin+`","more":[""`, smallText, 30<<20, "]}")(w, r)
		}
		io.WriteString(w, "]")
	},
	"/aliases":    func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, aliases()) },
	"/texts.xlsx": func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, workbook("", manyTexts, 1)) },
	"/gzip": func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		io.WriteString(w, packedZeros())
	},
	"/hang": func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
	"/pages": func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Link", fmt.Sprintf(`</pages?page=%s1>; rel="next"`, r.URL.Query().Get("page")))
		io.WriteString(w, wellAnswer)
	},
}

const wellAnswer = `[{"id":"1","last_name":"Reyes","first_name":"Ana"}]`

var smallText = `,"` + strings.Repeat("x", 1000) + `"`

// endlessPrograms are mappings that never end, eat memory or put out for ever.
var endlessPrograms = []string{
	`def f: f; f`, `.[] | [limit(1000000000; repeat(1))]`, `reduce range(1000000000) as $i ([]; . + [$i])`,
	`.[] | "x" * 1000000000`, `[range(1000000000)]`, `repeat(.[0])`, `.[] | [range(100000)] | map([range(100)])`,
	`.[] | [recurse(if . == null then empty else [., .] end)]`, `.[] | last(range(1000000000))`,
	`reduce range(40) as $i ("xxxxxxxx"; . + .)`, `reduce range(40) as $i ([.]; . + .)`,
	`[.[] | range(1000000) | {last_name: tostring, first_name: "A"}]`,
}

// endless writes a beginning, something again and again until there are so many bytes, and an end.
func endless(begin, again string, size int, end string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, begin)
		more := strings.Repeat(again, 1+(256<<10)/len(again))
		for sent := 0; sent < size; sent += len(more) {
			if _, err := io.WriteString(w, more); err != nil {
				return
			}
		}
		io.WriteString(w, end)
	}
}

// hostileSystem starts a customer's system with hostileAnswers. stop hangs up on everybody and returns how often each
// address was asked.
func hostileSystem() (root string, stop func() answers) {
	asked, mu := answers{}, sync.Mutex{}
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		asked[r.URL.RequestURI()]++
		mu.Unlock()
		if answer, known := hostileAnswers[r.URL.Path]; known {
			answer(w, r)
		} else {
			io.WriteString(w, wellAnswer)
		}
	}))
	return h.URL, func() answers { h.CloseClientConnections(); h.Close(); return asked }
}

// feed sets a feed of a customer.
func (s *server) feed(ctx context.Context, customer, environment, name, flow, url, mapping string) error {
	doc := fmt.Sprintf(`{"name":%q,"flow":%q,"mapping":%q,"transport":{"kind":"endpoint","url":%q}}`, name, flow,
		mapping, url)
	return s.Command(ctx, new(any), doc, "feed", "set", "--customer", customer, "--environment", environment,
		"--allow-network", "127.0.0.0/8", "--file", "-")
}

// fetchAll sets feeds, two for each customer, with these programs in turns, and waits until all were fetched.
func fetchAll(paths []string, mappings ...string) run {
	return func(ctx context.Context, s *server) (answers, error) {
		root, stop := hostileSystem()
		defer stop()
		var customers []string
		for i, path := range paths {
			if i%2 == 0 {
				another, err := s.NewCustomer(ctx)
				if err != nil {
					return nil, err
				}
				customers = append(customers, another.ID)
			}
			if err := s.feed(ctx, customers[i/2], "production", fmt.Sprint("feed", i), "travellers", root+path,
				mappings[i%len(mappings)]); err != nil {
				return nil, err
			}
		}
		saw := answers{"under way": 1}
		for until := time.Now().Add(8 * time.Minute); saw["under way"] > 0 && time.Now().Before(until); {
			time.Sleep(2 * time.Second)
			clear(saw)
			for _, customer := range customers {
				if err := s.countRuns(ctx, customer, saw); err != nil {
					return nil, err
				}
			}
		}
		if asked := stop(); len(asked) < len(paths) {
			return nil, fmt.Errorf("of %d feeds the system was asked %v", len(paths), asked)
		}
		return saw, nil
	}
}

// countRuns counts how the latest runs of a customer's feeds have ended.
func (s *server) countRuns(ctx context.Context, customer string, saw answers) error {
	var feeds []struct {
		State struct {
			LastRun *struct{ Error string } `json:"last_run"`
		}
	}
	err := s.Command(ctx, &feeds, "", "feed", "list", "--customer", customer, "--environment", "production")
	for _, f := range feeds {
		switch {
		case f.State.LastRun == nil:
			saw["under way"]++
		case f.State.LastRun.Error != "":
			saw["failed"]++
		default:
			saw["read"]++
		}
	}
	return err
}

// askAll has a booker type 300 surnames, 60 at once, while the customer's system answers with as much as it can.
func askAll(mapping string, paths ...string) run {
	return func(ctx context.Context, s *server) (answers, error) {
		root, stop := hostileSystem()
		defer stop()
		for i, path := range paths {
			for _, environment := range []string{"production", "development"} {
				if err := s.feed(ctx, s.ID, environment, fmt.Sprint("look", i), "traveller-lookup", root+path,
					mapping); err != nil {
					return nil, err
				}
			}
		}
		time.Sleep(11 * time.Second) // another process has set the feeds
		saw := atOnce(300, 60, func(i int) string {
			typed := fmt.Sprintf("%c%c", 'a'+i%26, 'a'+i/26)
			return read(s.Booker.Get(s.URL("/suggest/travellers?live=yes&surname=" + typed)))
		})
		asked := stop()
		if len(asked) == 0 {
			return nil, fmt.Errorf("the system was not asked: %v", saw)
		}
		for address, n := range asked {
			path, _, _ := strings.Cut(address, "?")
			saw["asked "+path] += n
		}
		return saw, nil
	}
}
