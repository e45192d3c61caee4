package program

import (
	"fmt"
	"net/url"
	"strings"
	"time"
)

// A Traveller is a record as an upload has it.
type Traveller struct {
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

// homes are where the people of crew changes live.
var homes = strings.Fields("MNL CEB ILO DVO BOM DEL COK MAA VTZ KRK GDN WAW SZZ TBS BUS OTP VAR ZAG SPU RIX TLL CAI " +
	"CMB DAC RGN HAN SGN PVG DLC TAO XMN CGK SUB LOS ACC ABZ SVG BGO LIM GUA BCD KLO GES TAG CGY HYD CCU GOI TRV IXE " +
	"WRO POZ KTW RZE KUT EVN SOF BOJ IAS CLJ")

// CrewMember invents the traveller number n of a fleet; the same n is always the same person.
func CrewMember(n int) Traveller {
	mix := uint64(n+1) * 0x9E3779B97F4A7C15 // Fibonacci hashing: neighbours get very different names
	pick := func(list []string) string {
		mix ^= mix >> 29
		mix *= 0xBF58476D1CE4E5B9
		return list[(mix>>33)%uint64(len(list))]
	}
	born := time.Date(1960, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, n%15000)
	valid := time.Date(2033, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, n%1500)
	last := pick(nameStarts) + pick(nameMiddles) + pick(nameEnds)
	return Traveller{fmt.Sprintf("C%07d", n), last, pick(givenNames) + " " + pick(givenNames),
		born.Format(time.DateOnly), "PH", []string{"F", "M"}[n%2], "PH", fmt.Sprintf("P%07dA", n),
		valid.Format(time.DateOnly), "MNL", fmt.Sprintf("c%07d@crew.example", n), "+63 2 555 0101"}
}

// Crew invents n travellers, beginning with the number from.
func Crew(from, n int) []Traveller {
	list := make([]Traveller, n)
	for i := range list {
		list[i] = CrewMember(from + i)
	}
	return list
}

// HandoffPath is where crew changes are handed off.
const HandoffPath = "/integrations/search"

// Handoff is the form of a crew change with n on-signers, beginning with the number from, who are wanted at an airport
// on a day. Each has a remark, unless it is empty.
func Handoff(from, n int, airport string, day time.Time, remark string) url.Values {
	form := url.Values{"vessel": {"NORTHERN LIGHT"}, "flag": {"PA"}, "change_airport": {airport},
		"environment": {"development"}}
	for i, t := range Crew(from, n) {
		field := func(name, value string) { form.Set(fmt.Sprintf("onsigners[%d][%s]", i, name), value) }
		field("last_name", t.LastName)
		field("first_name", t.FirstName)
		field("dob", t.DOB)
		field("home_airport", homes[(from+i)%len(homes)])
		field("arrive", day.Format(time.DateOnly))
		if remark != "" {
			field("custom_fields][Remark", remark)
		}
	}
	return form
}
