package files

import (
	"archive/zip"
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"io"
	"strings"
	"unicode/utf16"

	"gangway/internal/gangway"
	"gangway/internal/report"
)

// QueryWorkbook writes an Excel workbook that reads a set of an OData service by itself, with Power Query:
// when it is opened, and whenever somebody refreshes it. It has the address, and neither rows nor a login,
// which Excel asks for and keeps on its own machine.
//
// Its query is stored as [MS-QDEFF] has it, and what shows the rows as Excel itself writes it: a table
// (xl/tables), the query that fills it (xl/queryTables), and how that is reached (xl/connections.xml).
func QueryWorkbook(w io.Writer, about About, service string, set report.Set) error {
	query, err := dataMashup(about, powerQuery(service, set), set)
	if err != nil {
		return err
	}
	z := zip.NewWriter(w)
	b := &Workbook{name: set.Name, columns: set.Columns, zip: z}
	for i := range set.Columns {
		b.letters = append(b.letters, letters(i))
	}
	last := letters(len(set.Columns) - 1)
	all := "A1:" + last + "2"
	parts := []part{
		{sheetPath(1), spreadsheet + "worksheet+xml", "worksheet"},
		{sheetPath(2), spreadsheet + "worksheet+xml", "worksheet"},
		stylesPart,
		{"xl/connections.xml", spreadsheet + "connections+xml", "connections"},
		{"customXml/item1.xml", "", "customXml"},
		{"customXml/itemProps1.xml", "application/vnd.openxmlformats-officedocument.customXmlProperties+xml", ""},
		{"xl/tables/table1.xml", spreadsheet + "table+xml", ""},
		{"xl/queryTables/queryTable1.xml", spreadsheet + "queryTable+xml", ""},
	}
	for _, file := range []struct{ path, text string }{
		{sheetPath(1), b.emptySheet()},
		{sheetPath(2), b.aboutSheet(about)},
		{stylesPart.path, styles},
		{"xl/connections.xml", connections(set.Name)},
		{"xl/tables/table1.xml", queryTable(set, all)},
		{"xl/queryTables/queryTable1.xml", queryFields(set)},
		{"customXml/item1.xml", query},
		{"customXml/itemProps1.xml", `<?xml version="1.0" encoding="UTF-8" standalone="no"?>` + "\n" +
			`<ds:datastoreItem ds:itemID="{0C2C9F5B-9D4D-4E0B-8C3C-5A0F6E2B7D41}" ` +
			`xmlns:ds="http://schemas.openxmlformats.org/officeDocument/2006/customXml"><ds:schemaRefs>` +
			`<ds:schemaRef ds:uri="http://schemas.microsoft.com/DataMashup"/></ds:schemaRefs></ds:datastoreItem>`},
		relation("xl/worksheets/_rels/sheet1.xml.rels", "table", "../tables/table1.xml"),
		relation("xl/tables/_rels/table1.xml.rels", "queryTable", "../queryTables/queryTable1.xml"),
		relation("customXml/_rels/item1.xml.rels", "customXmlProps", "itemProps1.xml"),
	} {
		if err := write(z, file.path, file.text); err != nil {
			return err
		}
	}
	contents := fmt.Sprintf(`<sheets><sheet name="%s" sheetId="1" r:id="rId1"/><sheet name="About" sheetId="2" `+
		`r:id="rId2"/></sheets><definedNames><definedName name="ExternalData_1" localSheetId="0" hidden="1">`+
		`%s!$A$1:$%s$2</definedName></definedNames>`, set.Name, set.Name, last)
	if err := writePackage(z, about, parts, contents); err != nil {
		return err
	}
	return z.Close()
}

// relation is the one relation of a part.
func relation(path, kind, target string) struct{ path, text string } {
	return struct{ path, text string }{path, xmlHead + `<Relationships xmlns="` +
		`http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="` + relationships +
		kind + `" Target="` + target + `"/></Relationships>`}
}

// emptySheet is a sheet with the head of a table and no rows yet.
func (b *Workbook) emptySheet() string {
	var s strings.Builder
	s.WriteString(xmlHead + `<worksheet ` + mainNamespace + ` xmlns:r="` + strings.TrimSuffix(relationships, "/") +
		`"><sheetViews><sheetView tabSelected="1" workbookViewId="0"><pane ySplit="1" topLeftCell="A2" ` +
		`activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetFormatPr defaultRowHeight="15"/><cols>`)
	for i, width := range widths(b.columns, nil) {
		fmt.Fprintf(&s, `<col min="%d" max="%d" width="%d" customWidth="1"/>`, i+1, i+1, width)
	}
	s.WriteString(`</cols><sheetData><row r="1">`)
	for i, c := range b.columns {
		s.WriteString(textCell(b.letters[i], 1, plain, c.Name))
	}
	s.WriteString(`</row><row r="2"/></sheetData><tableParts count="1"><tablePart r:id="rId1"/></tableParts></worksheet>`)
	return s.String()
}

// connections says how the query of this workbook is reached: by Power Query, when the workbook is opened.
func connections(name string) string {
	return fmt.Sprintf(xmlHead+`<connections %s><connection id="1" keepAlive="1" name="Query - %s" description="`+
		`Connection to the '%s' query in the workbook." type="5" refreshedVersion="7" background="1" refreshOnLoad="1" `+
		`saveData="1"><dbPr connection="Provider=Microsoft.Mashup.OleDb.1;Data Source=$Workbook$;Location=%s;`+
		`Extended Properties=&quot;&quot;" command="SELECT * FROM [%s]"/></connection></connections>`,
		mainNamespace, name, name, name, name)
}

// queryTable is the table that a query fills.
func queryTable(set report.Set, all string) string {
	var columns strings.Builder
	for i, c := range set.Columns {
		fmt.Fprintf(&columns, `<tableColumn id="%d" uniqueName="%d" name="%s" queryTableFieldId="%d"/>`, i+1, i+1, c.Name,
			i+1)
	}
	return fmt.Sprintf(xmlHead+`<table %s id="1" name="%s" displayName="%s" ref="%s" tableType="queryTable" `+
		`totalsRowShown="0"><autoFilter ref="%s"/><tableColumns count="%d">%s</tableColumns><tableStyleInfo `+
		`name="TableStyleMedium7" showFirstColumn="0" showLastColumn="0" showRowStripes="1" showColumnStripes="0"/></table>`,
		mainNamespace, set.Name, set.Name, all, all, len(set.Columns), columns.String())
}

// queryFields says which column of the query is which of the table.
func queryFields(set report.Set) string {
	var fields strings.Builder
	for i, c := range set.Columns {
		fmt.Fprintf(&fields, `<queryTableField id="%d" name="%s" tableColumnId="%d"/>`, i+1, c.Name, i+1)
	}
	return fmt.Sprintf(xmlHead+`<queryTable %s name="ExternalData_1" connectionId="1" autoFormatId="16" `+
		`applyNumberFormats="0" applyBorderFormats="0" applyFontFormats="0" applyPatternFormats="0" `+
		`applyAlignmentFormats="0" applyWidthHeightFormats="0"><queryTableRefresh nextId="%d"><queryTableFields `+
		`count="%d">%s</queryTableFields></queryTableRefresh></queryTable>`, mainNamespace, len(set.Columns)+1,
		len(set.Columns), fields.String())
}

// dataMashup is the part of a workbook that has its queries ([MS-QDEFF] 2.2): in UTF-16, as Excel writes it.
func dataMashup(about About, program string, set report.Set) (string, error) {
	packageParts, err := mashupPackage(program)
	if err != nil {
		return "", err
	}
	var stream []byte
	add := func(to, part []byte) []byte {
		return append(binary.LittleEndian.AppendUint32(to, uint32(len(part))), part...)
	}
	stream = binary.LittleEndian.AppendUint32(stream, 0) // version
	stream = add(stream, packageParts)
	stream = add(stream, []byte(permissions))
	metadata := binary.LittleEndian.AppendUint32(nil, 0) // version
	metadata = add(metadata, []byte(mashupMetadata(about, set)))
	stream = add(stream, add(metadata, emptyZip))
	// A checksum that only the machine of whoever wrote the file can make. Where it does not fit, Excel takes
	// the permissions for the usual ones, which they are (2.6).
	stream = add(stream, []byte{0})
	text := `<?xml version="1.0" encoding="utf-16"?><DataMashup xmlns="http://schemas.microsoft.com/DataMashup">` +
		base64.StdEncoding.EncodeToString(stream) + `</DataMashup>`
	out := []byte{0xff, 0xfe}
	for _, unit := range utf16.Encode([]rune(text)) {
		out = binary.LittleEndian.AppendUint16(out, unit)
	}
	return string(out), nil
}

const (
	byteOrderMark = "\ufeff"
	utf8Head      = byteOrderMark + `<?xml version="1.0" encoding="utf-8"?>`
	schemas       = ` xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"`

	// permissions are the usual ones: queries of other packages ask first, and data of several sources are
	// kept apart (2.4).
	permissions = utf8Head + `<PermissionList` + schemas + `><CanEvaluateFuturePackages>false` +
		`</CanEvaluateFuturePackages><FirewallEnabled>true</FirewallEnabled></PermissionList>`
)

// emptyZip is an archive without files: the part of the metadata that holds other things (2.5.1).
var emptyZip = append([]byte("PK\x05\x06"), make([]byte, 18)...)

// mashupPackage is an archive with the program (2.3).
func mashupPackage(program string) ([]byte, error) {
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, file := range []struct{ path, text string }{
		{"Config/Package.xml", utf8Head + `<Package` + schemas + `><Version>2.99.202.0</Version>` +
			`<MinVersion>2.21.0.0</MinVersion><Culture>en-US</Culture></Package>`},
		{"[Content_Types].xml", utf8Head + `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
			`<Default Extension="xml" ContentType="text/xml" /><Default Extension="m" ContentType="application/x-ms-m" />` +
			`</Types>`},
		{"Formulas/Section1.m", program},
	} {
		if err := write(z, file.path, file.text); err != nil {
			return nil, err
		}
	}
	err := z.Close()
	return out.Bytes(), err
}

// mashupMetadata says that the query fills the table of its name (2.5.2).
func mashupMetadata(about About, set report.Set) string {
	names := gangway.Each(set.Columns, func(c report.Column) string { return "&quot;" + c.Name + "&quot;" })
	var entries strings.Builder
	for _, e := range [][2]string{
		{"IsPrivate", "l0"}, {"FillEnabled", "l1"}, {"FillObjectType", "sTable"}, {"FillToDataModelEnabled", "l0"},
		{"BufferNextRefresh", "l1"}, {"ResultType", "sTable"}, {"NameUpdatedAfterFill", "l0"},
		{"NavigationStepName", "sNavigation"}, {"FillTarget", "s" + set.Name},
		{"FilledCompleteResultToWorksheet", "l1"}, {"AddedToDataModel", "l0"}, {"FillCount", "l0"},
		{"FillErrorCode", "sUnknown"}, {"FillErrorCount", "l0"},
		{"FillLastUpdated", "d" + about.Made.UTC().Format("2006-01-02T15:04:05.0000000Z")},
		{"FillColumnNames", "s[" + strings.Join(names, ",") + "]"}, {"FillStatus", "sComplete"},
	} {
		fmt.Fprintf(&entries, `<Entry Type="%s" Value="%s" />`, e[0], e[1])
	}
	item := func(kind, path, entries string) string {
		return `<Item><ItemLocation><ItemType>` + kind + `</ItemType>` + path + `</ItemLocation>` + entries + `</Item>`
	}
	list := item("AllFormulas", "<ItemPath />", "<StableEntries />") +
		item("Formula", "<ItemPath>Section1/"+set.Name+"</ItemPath>",
			"<StableEntries>"+entries.String()+"</StableEntries>")
	for _, step := range []string{"Service", "Rows", "Columns", "InUTC", "Times"} {
		list += item("Formula", "<ItemPath>Section1/"+set.Name+"/"+step+"</ItemPath>", "<StableEntries />")
	}
	return utf8Head + `<LocalPackageMetadataFile` + schemas + `><Items>` + list + `</Items></LocalPackageMetadataFile>`
}
