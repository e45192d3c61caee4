package samplecustomer

import (
	"fmt"
	"math/rand/v2"
	"time"

	"gangway/internal/invented"
)

// A ship of the company, with its flag.
type ship struct {
	name, flag string
}

var fleet = []ship{
	{"Corvina Aurora", "PA"}, {"Corvina Borealis", "LR"}, {"Corvina Cirrus", "MH"}, {"Corvina Dolomite", "SG"},
	{"Corvina Ember", "MT"}, {"Corvina Fathom", "HK"}, {"Corvina Gannet", "CY"}, {"Corvina Halcyon", "NO"},
}

// largest lays pipes and cables: more people change on it at once than sail
// on any other ship.
var largest = ship{"Corvina Leviathan", "BS"}

// A port where crews are changed, with the airport next to it.
type port struct{ Name, Airport string }

var ports = []port{
	{"Singapore", "SIN"}, {"Rotterdam", "AMS"}, {"Houston", "IAH"}, {"Fujairah", "DXB"}, {"Santos", "GRU"},
	{"Algeciras", "AGP"}, {"Busan", "PUS"}, {"Durban", "DUR"}, {"Antwerp", "BRU"}, {"Colombo", "CMB"},
}

// A crewChange is a record of upload A4.
//
// Spec: Crew change record.
type crewChange struct {
	Vessel     string   `json:"vessel"`
	Flag       string   `json:"flag"`
	ChangeDate string   `json:"change_date"`
	ID         string   `json:"travel_request_id"`
	OnSigners  []member `json:"onsigners"`
	OffSigners []member `json:"offsigners"`

	Port port `json:"-"`
}

type member struct {
	person
	Arrive   *call             `json:"arrive,omitempty"`
	Depart   *call             `json:"depart,omitempty"`
	Metadata map[string]string `json:"metadata,omitempty"`
}

// A call is a date at an airport, in the longer of the two forms that A4 reads.
type call struct {
	Port string `json:"port"`
	Date string `json:"date"`
}

// A travelRequest is a record of upload A2.
//
// Spec: Travel request record.
type travelRequest struct {
	ExternalInfo externalInfo   `json:"externalInfo"`
	Traveler     traveler       `json:"traveler"`
	Flight       *flight        `json:"flight,omitempty"`
	Hotel        *hotel         `json:"hotel,omitempty"`
	Details      requestDetails `json:"details"`
}

type externalInfo struct {
	RequestID      string            `json:"requestId"`
	SubRequestID   string            `json:"subRequestId,omitempty"`
	AdditionalInfo map[string]string `json:"additionalInfo,omitempty"`
}

type traveler struct {
	ID            string `json:"id"`
	LastName      string `json:"lastName"`
	FirstName     string `json:"firstName"`
	DOB           string `json:"dob"`
	Nationality   string `json:"nationality"`
	Gender        string `json:"gender"`
	DocCountry    string `json:"docCountry"`
	DocNumber     string `json:"docNumber"`
	DocExpireDate string `json:"docExpireDate"`
	HomeAirport   string `json:"homeAirport"`
	Email         string `json:"email"`
	Phone         string `json:"phone"`
}

type flight struct {
	Origin       string `json:"origin"`
	Destination  string `json:"destination"`
	Date         string `json:"date"`
	Intermediate []stop `json:"intermediateAirports,omitempty"`
}

type stop struct {
	Airport string `json:"airport"`
	Date    string `json:"date"`
}

type hotel struct {
	Location string `json:"location"`
	CheckIn  string `json:"checkIn"`
	CheckOut string `json:"checkOut"`
}

type requestDetails struct {
	Rank    string  `json:"rank"`
	Remarks string  `json:"remarks,omitempty"`
	Vehicle vehicle `json:"vehicle"`
}

type vehicle struct {
	Name string `json:"name"`
	Flag string `json:"flag"`
	Type string `json:"vehicleType"`
}

func day(today time.Time, n int) string { return today.AddDate(0, 0, n).Format(time.DateOnly) }

// planChanges gives every ship its next crew change within two weeks. On-signers come from
// the half of the crew that is at home. The last change is of forty people from all over
// the world.
func planChanges(crew []person, today time.Time) []crewChange {
	random := rand.New(rand.NewPCG(11, 23))
	changes := make([]crewChange, 0, len(fleet)+3)
	ashore, aboard := len(invented.Ranks)*len(fleet), 0
	for i := range len(fleet) + 2 {
		s, at, in := fleet[i%len(fleet)], ports[i%len(ports)], 3+i+i/3
		if i >= len(fleet) {
			in += 7 // a second change of the same ship, a week later
		}
		size := 3 + random.IntN(4)
		if i == 0 {
			size = 7 // the change that most people look at first: fourteen in all
		}
		c := crewChange{
			Vessel: s.name, Flag: s.flag, ChangeDate: day(today, in), Port: at,
			ID: fmt.Sprintf("CC-%d-%02d", today.Year(), i+1),
		}
		for n := range size {
			on, off := crew[ashore+n], crew[aboard+n]
			if on.HomeAirport == at.Airport || off.HomeAirport == at.Airport {
				continue // lives next to the port and needs no flight
			}
			c.change(on, off, day(today, in-1))
		}
		ashore, aboard = ashore+size, aboard+size
		changes = append(changes, c)
	}
	c := crewChange{Vessel: largest.name, Flag: largest.flag, ChangeDate: day(today, 9), Port: ports[1],
		ID: fmt.Sprintf("CC-%d-%02d", today.Year(), len(changes)+1)}
	for n := range worldly {
		c.change(crew[crewSize+n], crew[crewSize+len(worldly)+n], day(today, 8))
	}
	return append(changes, c)
}

// change adds an on-signer, who must be there on a given day, and an off-signer, who leaves
// on the day of the change.
func (c *crewChange) change(on, off person, there string) {
	note := func(p person) map[string]string { return map[string]string{"rank": p.rank, "port": c.Port.Name} }
	c.OnSigners = append(c.OnSigners, member{person: on, Arrive: &call{c.Port.Airport, there}, Metadata: note(on)})
	c.OffSigners = append(c.OffSigners, member{person: off, Depart: &call{c.Port.Airport, c.ChangeDate},
		Metadata: note(off)})
}

// planRequests plans single journeys in the next three weeks: courses, leave,
// superintendents' visits. Most need a flight, some a hotel, some both.
func planRequests(crew []person, today time.Time) []travelRequest {
	random := rand.New(rand.NewPCG(13, 29))
	why := []string{"Joins at the next port", "Repatriation, medical", "Simulator course", "Superintendent's visit",
		"Dry dock attendance", ""}
	requests := make([]travelRequest, 0, 72)
	for i := range 72 {
		p, s, at := crew[crewSize-1-i], fleet[i%len(fleet)], ports[(i*3)%len(ports)]
		if p.HomeAirport == at.Airport {
			at = ports[(i*3+1)%len(ports)]
		}
		leaves := 1 + i/4 + random.IntN(3)
		r := travelRequest{
			ExternalInfo: externalInfo{RequestID: fmt.Sprintf("TR-%d-%03d", today.Year(), i+1)},
			Traveler: traveler{
				p.ID, p.LastName, p.FirstName, p.DOB, p.Nationality, p.Gender, p.DocCountry, p.DocNumber, p.DocExpire,
				p.HomeAirport, p.Email, p.Phone,
			},
			Details: requestDetails{Rank: p.rank, Remarks: why[i%len(why)], Vehicle: vehicle{s.name, s.flag, "Vessel"}},
		}
		if i%6 != 5 {
			r.Flight = &flight{Origin: p.HomeAirport, Destination: at.Airport, Date: day(today, leaves)}
			info := map[string]string{}
			leg := p.HomeAirport + "-" + at.Airport
			if i%5 == 2 && p.HomeAirport != "LHR" && at.Airport != "LHR" { // two days at the office on the way
				leg = p.HomeAirport + "-LHR"
				r.Flight.Intermediate = []stop{{"LHR", day(today, leaves+2)}}
			}
			if i%3 == 0 {
				info[leg+"_departure_time"] = fmt.Sprintf("%02d:%02d", 6+random.IntN(16), 5*random.IntN(12))
			}
			if i%4 == 0 {
				info[leg+"_flight_id"] = fmt.Sprintf("LEG-%05d", 40000+i)
			}
			if len(info) > 0 {
				r.ExternalInfo.AdditionalInfo = info
			}
		}
		if i%3 == 2 {
			r.Hotel = &hotel{Location: at.Name, CheckIn: day(today, leaves+1), CheckOut: day(today, leaves+2+
				random.IntN(4))}
		}
		if i%9 == 4 {
			r.ExternalInfo.SubRequestID = "A"
		}
		requests = append(requests, r)
	}
	return requests
}
