package main

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"strings"
	"time"
)

// A hostileUpload is a body in another format than JSON that is made to do harm.
type hostileUpload struct {
	contentType, encoding string
	doc                   []byte
}

const (
	yamlType  = "application/yaml"
	csvType   = "text/csv"
	xmlType   = "application/xml"
	excelType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	soapType  = "application/soap+xml"

	largest = 31 << 20 // nearly the largest body
)

// filled is a text of so many bytes: a beginning, and something again and again.
func filled(begin, again string, size int) []byte {
	return []byte(begin + strings.Repeat(again, max(0, size-len(begin))/len(again)))
}

// hostileUploads are the ways of attack that the formats have.
func hostileUploads() []hostileUpload {
	return []hostileUpload{
		{yamlType, "", aliases(40)},
		{yamlType, "", filled("- &a "+strings.Repeat("x", 50_000)+"\n", "- *a\n", largest)},
		{yamlType, "", filled("- last_name: [", "[", 500_000)},
		{yamlType, "", filled("a:\n", " - x\n", largest)},
		{yamlType, "", filled("- last_name: ", "x", largest)},
		{csvType, "", filled("last_name,first_name\n", "xxxxxxxx", largest)},
		{csvType, "", filled("last_name", ",a", largest)},
		{csvType, "", filled("last_name,first_name\nA,\"", "x\n", largest)},
		{csvType, "gzip", packedZeros()},
		{xmlType, "", []byte(`<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "lol">` +
			strings.Repeat(`<!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">`, 10) + `]><l>&b;</l>`)},
		{xmlType, "", filled("<a>", "<a>", largest)},
		{xmlType, "", filled("<travellers><traveller>", "<b/>", largest)},
		{xmlType, "", filled("<travellers><traveller ", `b="" `, largest)},
		{xmlType, "", filled("<travellers><traveller><last_name>", "x", largest)},
		{excelType, "", workbook("<row><c t=\"inlineStr\"><is><t>"+strings.Repeat("x", 200<<20), "", 1)},
		{excelType, "", workbook("", strings.Repeat("<si><t>"+strings.Repeat("x", 1000)+"</t></si>", 100_000), 1)},
		{excelType, "", workbook(`<row><c r="A1"><v>a</v></c></row>`+strings.Repeat(`<row><c r="XFD"><v>1</v></c></row>`,
			500_000), "", 1)},
		{excelType, "", workbook("<row><c><v>1</v></c></row>", "", 900)},
	}
}

// formats sends every hostile body to every upload, all at once, and others do their work meanwhile.
func formats(ctx context.Context, s *server) (answers, error) {
	paths := []string{"/api/passenger", "/api/travel-requests"}
	uploads := hostileUploads()
	return s.beside(ctx, func() answers {
		return atOnce(4*len(uploads)*len(paths), 100, func(i int) (int, error) {
			u := uploads[i/len(paths)%len(uploads)]
			return s.post(ctx, paths[i%len(paths)], u.contentType, bytes.NewReader(u.doc), "X-Api-Key", s.key,
				"Content-Encoding", u.encoding)
		})
	}), nil
}

// rowsAtOnce sends 40 uploads of 30,000 travellers at once, in each other format.
func rowsAtOnce(ctx context.Context, s *server) (answers, error) {
	docs := []hostileUpload{{csvType, "", nil}, {xmlType, "", nil}, {yamlType, "", nil}}
	docs[0].doc = []byte("id,last_name,first_name,gender\n")
	docs[1].doc = []byte("<travellers>")
	for i := range 30_000 {
		docs[0].doc = fmt.Appendf(docs[0].doc, "C-%d,Santos %c,Maria,F\n", i, 'A'+i%26)
		docs[1].doc = fmt.Appendf(docs[1].doc, "<traveller><id>C-%d</id><last_name>Santos</last_name>"+
			"<first_name>Maria</first_name></traveller>", i)
		docs[2].doc = fmt.Appendf(docs[2].doc, "- id: C-%d\n  last_name: Santos\n  first_name: Maria\n", i)
	}
	docs[1].doc = append(docs[1].doc, "</travellers>"...)
	return s.beside(ctx, func() answers {
		return atOnce(40, 40, func(i int) (int, error) {
			u := docs[i%len(docs)]
			return s.post(ctx, "/api/passenger", u.contentType, bytes.NewReader(u.doc), "X-Api-Key", s.key)
		})
	}), nil
}

// soap sends messages that are made to do harm, some of them slowly.
func soap(ctx context.Context, s *server) (answers, error) {
	const begin = `<e:Envelope xmlns:e="http://www.w3.org/2003/05/soap-envelope">`
	const upload = begin + `<e:Body><UploadTravellers xmlns="x">`
	docs := [][]byte{
		filled(begin+"<e:Header><a>", "x", largest), filled(begin+"<e:Header>", "<a/>", largest),
		filled(upload+"<traveller>", "<b/>", largest), filled(upload+"<traveller><last_name>", "x", largest),
		filled(upload, "<a>", largest), filled(upload+"<traveller ", `b="" `, largest),
		filled(upload, "<traveller><last_name>A</last_name></traveller>", largest),
		[]byte(`<!DOCTYPE l [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;&a;">]>` + upload + "&b;"),
	}
	slowly, err := s.dial(ctx, 60, crowd, "POST /api/soap HTTP/1.1\r\nHost: x\r\nX-Api-Key: "+s.key+
		"\r\nContent-Type: "+soapType+"\r\nContent-Length: 31000000\r\n\r\n"+upload)
	defer slowly.close()
	if err != nil {
		return nil, err
	}
	headers, err := s.dial(ctx, 60, crowd, "POST /api/soap HTTP/1.1\r\nHost: x\r\nX-A: "+strings.Repeat("x", 1<<20))
	defer headers.close()
	if err != nil {
		return nil, err
	}
	return s.beside(ctx, func() answers {
		return atOnce(8*len(docs), 64, func(i int) (int, error) {
			slowly.dribble()
			return s.post(ctx, "/api/soap", soapType, bytes.NewReader(docs[i%len(docs)]), "X-Api-Key", s.key)
		})
	}), nil
}

// beside attacks, and counts what others see meanwhile.
func (s *server) beside(ctx context.Context, attack func() answers) answers {
	over := make(chan answers, 1)
	go func() { over <- attack() }()
	seen := answers{}
	for {
		select {
		case saw := <-over:
			for what, n := range seen {
				saw["others: "+what] += n
			}
			return saw
		case <-time.After(500 * time.Millisecond):
			for what, n := range s.others(ctx, 1) {
				seen[what] += n
			}
		}
	}
}

// aliases is a list of lists of lists, each twice in the next.
func aliases(deep int) []byte {
	doc := "a0: &a0 [x, x]\n"
	for i := range deep {
		doc += fmt.Sprintf("a%d: &a%d [*a%d, *a%d]\n", i+1, i+1, i, i)
	}
	return []byte(doc)
}

func packedZeros() []byte {
	var doc bytes.Buffer
	z := gzip.NewWriter(&doc)
	z.Write(make([]byte, largest))
	z.Close()
	return doc.Bytes()
}

// workbook packs so many sheets with the same rows, and texts that they share.
func workbook(rows, texts string, sheets int) []byte {
	var doc bytes.Buffer
	z := zip.NewWriter(&doc)
	put := func(name, text string) {
		if w, err := z.Create(name); err == nil {
			w.Write([]byte(text))
		}
	}
	list, links := "", ""
	for i := range sheets {
		list += fmt.Sprintf(`<sheet name="S%d" sheetId="%d" r:id="r%d"/>`, i, i+1, i)
		links += fmt.Sprintf(`<Relationship Id="r%d" Target="worksheets/s%d.xml" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet"/>`,
			i, i)
		put(fmt.Sprintf("xl/worksheets/s%d.xml", i), "<worksheet><sheetData>"+rows+"</sheetData></worksheet>")
	}
	links += `<Relationship Id="t" Target="sharedStrings.xml" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/sharedStrings"/>`
	put("[Content_Types].xml", "<Types/>")
	put("_rels/.rels", `<Relationships><Relationship Id="w" Target="xl/workbook.xml" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"/></Relationships>`)
	put("xl/workbook.xml", `<workbook xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets>`+
		list+`</sheets></workbook>`)
	put("xl/_rels/workbook.xml.rels", "<Relationships>"+links+"</Relationships>")
	put("xl/sharedStrings.xml", "<sst>"+texts+"</sst>")
	z.Close()
	return doc.Bytes()
}
