package wire_test

import (
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/wire"
)

// TestDocumentFormat holds how the format of a feed is written, that it is
// written back the same way, and what is said of one that cannot be.
func TestDocumentFormat(t *testing.T) {
	for _, tt := range []struct{ in, out, wrong string }{
		{``, `"auto"`, ``},
		{`null`, `"auto"`, ``},
		{`"auto"`, `"auto"`, ``},
		{`"csv"`, `"csv"`, ``},
		{`{"kind": "json"}`, `"json"`, ``},
		{`{}`, `"auto"`, ``},
		{`{"encoding": "latin1"}`, `{"kind":"auto","encoding":"latin1"}`, ``},
		{`{"kind":"csv","delimiter":";","encoding":"windows-1252","header":true}`,
			`{"kind":"csv","encoding":"windows-1252","delimiter":";"}`, ``},
		{`{"encoding": "CP850"}`, `{"kind":"auto","encoding":"CP850"}`, ``},
		{`{"encoding": "cp866"}`, `{"kind":"auto","encoding":"cp866"}`, ``},
		{`{"kind":"csv","header":false}`, `{"kind":"csv","header":false}`, ``},
		{`{"kind":"csv","delimiter":"\t","header":5}`, `{"kind":"csv","delimiter":"\t","header":5}`, ``},
		{`{"kind":"xlsx","sheet":"Crew"}`, `{"kind":"xlsx","sheet":"Crew"}`, ``},
		{`{"kind":"fixed","columns":[{"name":"last_name","from":1,"to":14}],"header":true}`,
			`{"kind":"fixed","header":1,"columns":[{"name":"last_name","from":1,"to":14}]}`, ``},

		{`"excel"`, ``, `format: kind must be auto, json, yaml, csv, xlsx, xml, soap, fixed or pairs`},
		{`5`, ``, `format must be "auto", the name of a kind, or an object without a name that comes twice`},
		{`{"kind":"csv","kind":"csv"}`, ``,
			`format must be "auto", the name of a kind, or an object without a name that comes twice`},
		{`{"kind":"csv","seperator":";"}`, ``, `format: "seperator" is no member of it`},
		{`{"kind":"csv","delimiter":5}`, ``, `format: delimiter must be a string`},
		{`{"kind":"csv","delimiter":";;"}`, ``, `format: delimiter must be one character of ASCII, such as ";" or "\t", ` +
			`and no letter, figure or quotation mark`},
		{`{"kind":"json","delimiter":";"}`, ``, `format: delimiter is only for csv`},
		{`{"kind":"csv","encoding":"ebcdic"}`, ``, `format: encoding must be a label of the WHATWG's Encoding standard, ` +
			`such as "utf-8" or "windows-1252", or cp437, cp850, cp852, cp037, cp1047, cp1140`},
		{`{"kind":"xlsx","encoding":"utf-8"}`, ``, `format: encoding is only for text`},
		{`{"kind":"csv","header":0}`, ``, `format: header must be true, false or the number of a row, from 1`},
		{`{"kind":"csv","header":1.5}`, ``, `format: header must be true, false or the number of a row, from 1`},
		{`{"kind":"xml","header":1}`, ``, `format: header is only for csv, xlsx and fixed`},
		{`{"kind":"csv","sheet":"Crew"}`, ``, `format: sheet is only for xlsx`},
		{`"fixed"`, ``, `format: columns must say where each value stands in a line`},
		{`{"kind":"csv","columns":[{"name":"a","from":1,"to":2}]}`, ``, `format: columns are only for fixed`},
		{`{"kind":"fixed","columns":{}}`, ``, `format: columns must be a list of {"name": …, "from": …, "to": …}`},
		{`{"kind":"fixed","columns":[{"name":"a","from":"1","to":2}]}`, ``, `format: columns[0].from must be a number`},
		{`{"kind":"fixed","columns":[{"name":"a","from":1,"to":2,"width":2}]}`, ``,
			`format: columns[0]: "width" is no member of it`},
		{`{"kind":"fixed","columns":[{"from":1,"to":2}]}`, ``, `format: columns[0].name must be given`},
		{`{"kind":"fixed","columns":[{"name":"a","from":0,"to":2}]}`, ``, `format: columns[0].from must be from 1 to 100000`},
		{`{"kind":"fixed","columns":[{"name":"a","from":3,"to":2}]}`, ``, `format: columns[0].to must be from 3 to 100000`},
		{`{"kind":"fixed","columns":[{"name":"a","from":1,"to":2},{"name":"a","from":3,"to":4}]}`, ``,
			`format: columns[1].name is that of another column`},
	} {
		f, err := wire.ReadDocumentFormat([]byte(tt.in))
		if tt.wrong != "" {
			if gangway.KindOf(err) != gangway.Invalid || err.Error() != tt.wrong {
				t.Errorf("%s: %v; want %s", tt.in, err, tt.wrong)
			}
			continue
		}
		if out := string(wire.DocumentFormat(f)); err != nil || out != tt.out {
			t.Errorf("%s is written as %s, %v; want %s", tt.in, out, err, tt.out)
		}
		again, err := wire.ReadDocumentFormat(wire.DocumentFormat(f))
		if err != nil || string(wire.DocumentFormat(again)) != tt.out {
			t.Errorf("%s is read back as %v, %v", tt.out, again, err)
		}
	}
}
