package decode

import (
	"io"
	"testing"

	"gangway/internal/gangway"
)

func number(n int) *int { return &n }

// TestCSV holds what CSV says, line by line.
func TestCSV(t *testing.T) {
	csv := gangway.DocumentFormat{Kind: gangway.CSVFormat}
	for _, tt := range []struct {
		name string
		as   gangway.DocumentFormat
		doc  string
		want string
	}{
		{"one row of few values", csv, "a;b;c;d\n1;2;3\n", `{"a":"1","b":"2","c":"3"}`},
		{"uneven rows, with commas in values", csv, "a;b;c;d\n1,5;2,5\n3,5;4,5;6,5\n7,5;8,5;9,5;0,5;\n",
			`{"a":"1,5","b":"2,5"} {"a":"3,5","b":"4,5","c":"6,5"} {"a":"7,5","b":"8,5","c":"9,5","d":"0,5"}`},
		{"each row has commas, and the names none", csv, "a;b;c\nx,y\nz,w\n", `{"a":"x,y"} {"a":"z,w"}`},
		{"names and values", csv, "last_name,dob\nSantos,1985-02-01\n", `{"dob":"1985-02-01","last_name":"Santos"}`},
		{"without a line's end", csv, "a,b\n1,2", `{"a":"1","b":"2"}`},
		{"Windows lines", csv, "a,b\r\n1,2\r\n\r\n3,4\r\n", `{"a":"1","b":"2"} {"a":"3","b":"4"}`},
		{"old Macintosh lines", csv, "a,b\r1,2\r3,4", `{"a":"1","b":"2"} {"a":"3","b":"4"}`},
		{"semicolons, with commas in values", csv, "a;b\n1,5;2,5\n3,5;4,5\n",
			`{"a":"1,5","b":"2,5"} {"a":"3,5","b":"4,5"}`},
		{"tabs", csv, "a\tb\n1\t2\n", `{"a":"1","b":"2"}`},
		{"bars", csv, "a|b\n1|2\n", `{"a":"1","b":"2"}`},
		{"a delimiter that is said", csv, "sep=;\na,x;b\n1;2\n", `{"a,x":"1","b":"2"}`},
		{"a delimiter of the format", gangway.DocumentFormat{Kind: gangway.CSVFormat, Delimiter: "#"}, "a#b\n1#2\n",
			`{"a":"1","b":"2"}`},
		{"one column", csv, "name\nSantos\nCruz\n", `{"name":"Santos"} {"name":"Cruz"}`},
		{"white space around values", csv, "a , b\n  1\u00A0,\u20032\t\n", `{"a":"1","b":"2"}`},
		{"an empty cell is there, one that is missing is not", csv, "a,b,c\n,2\n", `{"a":"","b":"2"}`},
		{"blank rows", csv, "a,b\n\n,\n \t\n1,2\n", `{"a":"1","b":"2"}`},
		{"quotation marks", csv, "a,b\n\"x, \"\"y\"\"\nz\", 2 \n", `{"a":"x, \"y\"\nz","b":"2"}`},
		{"white space beside quotation marks", csv, "a,b\n \" 1 \" , \"2\"\t\r\n", `{"a":"1","b":"2"}`},
		{"quotation marks within a value", csv, "a,b\n5\" pipe,2\n", `{"a":"5\" pipe","b":"2"}`},
		{"names that come twice, and none", csv, "a,a,,a\n1,2,3,4\n", `{"a":"1","a_2":"2","a_3":"4","column_3":"3"}`},
		{"empty cells beyond the names", csv, "a,b\n1,2,,\n", `{"a":"1","b":"2"}`},
		{"more values than names", csv, "a,b\n1,2,3\n4,5\n", `left out: it has 3 values, and the columns have 2 names ` +
			`{"a":"4","b":"5"}`},
		{"something behind a quotation mark", csv, "a,b\n\"1\"x,2\n3,4\n",
			`left out: text follows a closing quotation mark {"a":"3","b":"4"}`},
		{"a quotation mark that is not closed", csv, "a,b\n\"1,2\n3,4\n5,6\n",
			`left out: a quotation mark is not closed {"a":"3","b":"4"} {"a":"5","b":"6"}`},
		{"letters that are not UTF-8 among those that are", csv, "a,b\né,2\n\xE9,4\nü,6\n",
			`{"a":"é","b":"2"} left out: it has bytes that are not valid UTF-8: set "encoding" in the format ` +
				`{"a":"ü","b":"6"}`},
		{"no names", gangway.DocumentFormat{Kind: gangway.CSVFormat, Header: number(0)}, "1,2\n\n3\n", `["1","2"] ["3"]`},
		{"names in row 3", gangway.DocumentFormat{Kind: gangway.CSVFormat, Header: number(3)},
			"Crew list\n\na,b\n1,2\n", `{"a":"1","b":"2"}`},
		{"no row 3", gangway.DocumentFormat{Kind: gangway.CSVFormat, Header: number(3)}, "a,b\n1,2\n",
			`not opened: it has no row 3 to take the column names from`},
		{"row 2 is empty", gangway.DocumentFormat{Kind: gangway.CSVFormat, Header: number(2)}, "a,b\n\n1,2\n",
			`not opened: row 2 should have the column names and is empty, at line 2`},
		{"nothing but names", csv, "a,b\n", ``},
		{"nothing", csv, " \n", `not opened: there is nothing in it`},
	} {
		if got := values(tt.doc, tt.as); got != tt.want {
			t.Errorf("%s: %q says\n%s\nwant\n%s", tt.name, tt.doc, got, tt.want)
		}
	}
}

// TestCSVLines holds that a row is where it begins, whatever lines its values have.
func TestCSVLines(t *testing.T) {
	doc := "sep=,\r\na,b\r\n\"1\r\n1\",2\r\n\r\n3,\"4\r\n\r\n4\"\r\n\"5\" 5,6\r\n7,8"
	want := `{"kind":"csv","encoding":"utf-8","delimiter":","} list=true
line 3	{"a":"1\r\n1","b":"2"}
line 6	{"a":"3","b":"4\r\n\r\n4"}
line 9	left out: text follows a closing quotation mark
line 10	{"a":"7","b":"8"}
`
	if got := says(text(doc), gangway.DocumentFormat{}, Limits{}); got != want {
		t.Errorf("%q says\n%s\nwant\n%s", doc, got, want)
	}
}

// repeated is a document that begins with begin and has again so many times.
func repeated(begin, again string, times int) Input {
	r := repeatedText{begin, again, int64(len(begin) + len(again)*times)}
	return Input{ReaderAt: r, Size: r.size}
}

type repeatedText struct {
	begin, again string
	size         int64
}

func (r repeatedText) ReadAt(p []byte, at int64) (n int, err error) {
	for n < len(p) && at+int64(n) < r.size {
		if i := at + int64(n); i < int64(len(r.begin)) {
			n += copy(p[n:], r.begin[i:])
		} else {
			i = (i - int64(len(r.begin))) % int64(len(r.again))
			n += copy(p[n:min(int64(len(p)), r.size-at)], r.again[i:])
		}
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}
