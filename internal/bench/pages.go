package main

import (
	"context"
	"fmt"
	"html/template"
	"net/http"
)

// barePage is the template of the floor: a table with escaped texts.
var barePage = template.Must(template.New("page").Parse(`<!DOCTYPE html><html lang="en"><body><table>
{{range $row, $texts := .}}<tr id="row-{{$row}}">
{{range $texts}}<td class="{{.Class}}" title="{{.Title}}">
{{if .Link}}<a href="/{{.Link}}">{{.Text}}</a>{{else}}{{.Text}}{{end}}</td>
{{end}}</tr>{{end}}</table></body></html>`))

// A bareText is a cell of barePage.
type bareText struct{ Class, Title, Link, Text string }

// pageContest reads the page of a search for so many people, when their flights are found. The floor is a page with
// so many rows.
func pageContest(people, rows int) func(context.Context, *place) (contest, error) {
	return func(ctx context.Context, p *place) (contest, error) {
		s := p.served
		path, err := s.search(ctx, 0, people)
		if err != nil {
			return contest{}, err
		}
		if _, err := get(ctx, s.Booker, s.URL(path)+"?wait=all"); err != nil {
			return contest{}, err
		}
		const texts = 60
		address := p.serveBare(func(w http.ResponseWriter, _ *http.Request) error {
			table := make([][]bareText, rows)
			for i := range table {
				for j := range texts {
					t := bareText{Class: "cell", Title: fmt.Sprint("Flight ", i*j), Text: "Amsterdam → Manila & back"}
					if j%6 == 0 {
						t.Link = fmt.Sprintf("searches/%d?member=%d", i, j)
					}
					table[i] = append(table[i], t)
				}
			}
			return barePage.Execute(w, table)
		})
		read := func(client *http.Client, address string) side {
			return each(8, func(ctx context.Context, _ int) error {
				_, err := get(ctx, client, address)
				return err
			})
		}
		return contest{21, read(bareClient, address), read(s.Booker, s.URL(path))}, nil
	}
}
