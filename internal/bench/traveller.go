package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// A traveller is a record as an upload has it.
type traveller struct {
	ID          string `json:"id"`
	LastName    string `json:"last_name"`
	FirstName   string `json:"first_name"`
	DOB         string `json:"dob"`
	Nationality string `json:"nationality"`
	Gender      string `json:"gender"`
	DocCountry  string `json:"doc_country"`
	DocNumber   string `json:"doc_number"`
	DocExpire   string `json:"doc_expire"`
	HomeAirport string `json:"home_airport"`
	Email       string `json:"email"`
	Phone       string `json:"phone"`
}

// The parts of invented names. Three letters narrow them down about as much as in a real crew list: there are
// thousands of surnames, some of them common.
var (
	nameStarts = strings.Fields("Al An Ba Be Bo Bra Ca Ce Cha Da De Di Do Dra El Es Fa Fer Fi Ga Ge Go Gra Ha He Ho " +
		"Ib Is Ja Jo Ka Ki Ko Kra La Le Lo Ma Me Mi Mo Na Ne No Oli Or Pa Pe Po Pra Qui Ra Re Ro Ry Sa San Se So Sta " +
		"Ta Te To Tri Ul Va Ve Vi Wa We Wo Ya Yo Za Ze")
	nameMiddles = strings.Fields("ba be bri ca da de do fa ga go la le li lo ma mi mo na ne ni no pa ra re ri ro sa " +
		"si ta te ti to va ve vi")
	nameEnds = strings.Fields("berg dez do gan kov kowski land les lin low man mann nez no ra ras res rez ro ros " +
		"san sen son ta tos va vic")
	givenNames = strings.Fields("Ana Ben Carlo Dana Elif Femi Grace Hugo Ines Jan Kofi Lena Marco Nils Olga Paolo " +
		"Ravi Sofia Tomas Uma Viktor Wen Yara Zoran Miguel José Łukasz Øyvind")
)

// crewMember invents the traveller number n of a fleet; the same n is always the same person.
func crewMember(n int) traveller {
	mix := uint64(n+1) * 0x9E3779B97F4A7C15 // Fibonacci hashing: neighbours get very different names
	pick := func(list []string) string {
		mix ^= mix >> 29
		mix *= 0xBF58476D1CE4E5B9
		return list[(mix>>33)%uint64(len(list))]
	}
	born := time.Date(1960, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, n%15000)
	last, first := pick(nameStarts)+pick(nameMiddles)+pick(nameEnds), pick(givenNames)+" "+pick(givenNames)
	return traveller{fmt.Sprintf("C%07d", n), last, first, born.Format(time.DateOnly), "PH", []string{"F", "M"}[n%2], "PH",
		fmt.Sprintf("P%07dA", n), born.AddDate(76, 0, 0).Format(time.DateOnly), "MNL",
		fmt.Sprintf("c%07d@crew.example", n), "+63 2 555 0101"}
}

// crewList invents n travellers, beginning with the number from.
func crewList(from, n int) []traveller {
	list := make([]traveller, n)
	for i := range list {
		list[i] = crewMember(from + i)
	}
	return list
}

// insertTravellers encodes travellers and writes them in bulk.
func (b *bareTables) insertTravellers(ctx context.Context, account string, list []traveller) error {
	var doc bytes.Buffer
	enc := json.NewEncoder(&doc)
	enc.SetEscapeHTML(false)
	rows := make([][]any, len(list))
	for i := range list {
		t := &list[i]
		doc.Reset()
		if err := enc.Encode(t); err != nil {
			return err
		}
		rows[i] = []any{account, "id:" + t.ID, strings.ToLower(t.LastName), strings.ToLower(t.FirstName), doc.String()}
	}
	return b.insert(ctx, "traveller", strings.Fields("account key surname given doc"), rows)
}
