package database

import (
	"bytes"
	"database/sql"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"gangway/internal/gangway"

	mssql "github.com/microsoft/go-mssqldb"
)

// A document is rows as an array of objects in JSON. It fetches them as it is read.
type document struct {
	rows  *sql.Rows
	names [][]byte // as JSON, with a colon
	types []string // as the database calls them, in capitals
	most  int      // rows

	cells  []any
	cell   []any // pointers to cells
	count  int
	buffer bytes.Buffer
	ended  bool
}

// mostColumns bounds what one row is.
const mostColumns = 2000

func newDocument(rows *sql.Rows, most int) (*document, error) {
	columns, err := rows.ColumnTypes()
	if err != nil {
		return nil, err
	}
	if len(columns) > mostColumns {
		return nil, gangway.Errorf(gangway.Invalid, "the query gives more than %d columns", mostColumns)
	}
	d := &document{rows: rows, most: most, cells: make([]any, len(columns)), cell: make([]any, len(columns))}
	seen := map[string]bool{}
	for i, c := range columns {
		if seen[c.Name()] {
			return nil, gangway.Errorf(gangway.Invalid, "the query gives two columns the name %q: name one of them "+
				"with AS", c.Name())
		}
		seen[c.Name()] = true
		name, err := json.Marshal(c.Name())
		if err != nil {
			return nil, err
		}
		d.names, d.types = append(d.names, append(name, ':')), append(d.types, strings.ToUpper(c.DatabaseTypeName()))
		d.cell[i] = &d.cells[i]
	}
	d.buffer.WriteByte('[')
	return d, nil
}

// Read implements io.Reader.
func (d *document) Read(p []byte) (int, error) {
	const portion = 32 << 10
	for !d.ended && d.buffer.Len() < portion {
		if err := d.fetch(); err != nil {
			return 0, err
		}
	}
	if d.buffer.Len() == 0 {
		return 0, io.EOF
	}
	return d.buffer.Read(p)
}

// fetch writes one row, or the end.
func (d *document) fetch() error {
	if !d.rows.Next() {
		if err := d.rows.Err(); err != nil {
			return err
		}
		d.ended = true
		d.buffer.WriteString("]\n")
		return nil
	}
	if d.count++; d.count > d.most {
		return gangway.Errorf(gangway.Invalid, "the query gives more than %d rows: row_limit", d.most)
	}
	if err := d.rows.Scan(d.cell...); err != nil {
		return err
	}
	if d.count > 1 {
		d.buffer.WriteString(",\n")
	}
	d.buffer.WriteByte('{')
	for i, value := range d.cells {
		if i > 0 {
			d.buffer.WriteByte(',')
		}
		d.buffer.Write(d.names[i])
		d.buffer.Write(cellJSON(value, d.types[i]))
	}
	d.buffer.WriteByte('}')
	return nil
}

// cellJSON writes a value: text, or null; what the database itself calls JSON as it is.
func cellJSON(value any, kind string) []byte {
	text, ok := cellText(value, kind)
	if !ok {
		return []byte("null")
	}
	if (kind == "JSON" || kind == "JSONB") && json.Valid([]byte(text)) {
		return []byte(text)
	}
	doc, err := json.Marshal(text)
	if err != nil {
		return []byte("null")
	}
	return doc
}

// cellText returns a value as text; it is false for NULL.
func cellText(value any, kind string) (string, bool) {
	switch v := value.(type) {
	case nil:
		return "", false
	case string:
		return stampText(v, kind)
	case []byte:
		if kind == "UNIQUEIDENTIFIER" {
			var id mssql.UniqueIdentifier
			if id.Scan(v) == nil {
				return strings.ToLower(id.String()), true
			}
		}
		if !utf8.Valid(v) {
			return base64.StdEncoding.EncodeToString(v), true
		}
		return stampText(string(v), kind)
	case time.Time:
		return timeText(v, kind), true
	case bool:
		return strconv.FormatBool(v), true
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64), true
	case float32:
		return strconv.FormatFloat(float64(v), 'f', -1, 32), true
	case map[string]any, []any: // JSON that the driver has read
		doc, err := json.Marshal(v)
		return string(doc), err == nil
	}
	return fmt.Sprint(value), true
}

// timeText writes a date or a time as ISO 8601 does, with a zone only where it has one.
func timeText(at time.Time, kind string) string {
	const stamp = "2006-01-02T15:04:05.999999"
	switch {
	case kind == "TIMESTAMPTZ", kind == "DATETIMEOFFSET", strings.Contains(kind, "TZ"), strings.Contains(kind, "ZONE"):
		return at.Format(stamp + "Z07:00")
	case kind == "TIME":
		return at.Format("15:04:05.999999")
	case kind == "DATE" && at.Equal(at.Truncate(24*time.Hour)), kind == "DATE" && isMidnight(at):
		return at.Format(time.DateOnly)
	}
	return at.Format(stamp)
}

// isMidnight is of Oracle's dates, which all have a time.
func isMidnight(at time.Time) bool {
	hour, minute, second := at.Clock()
	return hour == 0 && minute == 0 && second == 0
}

// stampText writes a time that a driver gave as text as ISO 8601 does, with a T; a
// date of noughts, as MySQL has it, is NULL.
func stampText(text, kind string) (string, bool) {
	if strings.HasPrefix(text, "0000-00-00") {
		return "", false
	}
	if (kind == "DATETIME" || kind == "TIMESTAMP") && len(text) >= len(time.DateTime) && text[10] == ' ' {
		return text[:10] + "T" + text[11:], true
	}
	return text, true
}
