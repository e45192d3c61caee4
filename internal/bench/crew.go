package main

import (
	"fmt"
	"strings"
	"time"

	"gangway/internal/gangway"
)

// The parts of invented names. Three letters narrow them down about as much as in a real crew
// list: there are thousands of surnames, some of them common.
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
func crewMember(n int) gangway.Traveller {
	mix := uint64(n+1) * 0x9E3779B97F4A7C15 // Fibonacci hashing: neighbours get very different names
	pick := func(list []string) string {
		mix ^= mix >> 29
		mix *= 0xBF58476D1CE4E5B9
		return list[(mix>>33)%uint64(len(list))]
	}
	born := time.Date(1960, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, n%15000)
	return gangway.Traveller{
		ID:          fmt.Sprintf("C%07d", n),
		LastName:    pick(nameStarts) + pick(nameMiddles) + pick(nameEnds),
		FirstName:   pick(givenNames) + " " + pick(givenNames),
		DOB:         gangway.DateOf(born),
		Nationality: "PH",
		Gender:      []string{"F", "M"}[n%2],
		DocCountry:  "PH",
		DocNumber:   fmt.Sprintf("P%07dA", n),
		DocExpire:   gangway.DateOf(born.AddDate(70, 0, 0)),
		HomeAirport: "MNL",
		Email:       fmt.Sprintf("c%07d@crew.example", n),
		Phone:       "+63 2 555 0101",
	}
}
