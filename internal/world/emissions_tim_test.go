package world

import (
	"strings"
	"testing"
)

// zurichToSanFrancisco is the example in the model's description, whose route
// has a detour of its own.
var zurichToSanFrancisco = TIMFlight{
	Km: 9369, Aircraft: "789", Cargo: 0.08, Detour: 1.0273, Seats: Seats{Economy: 188, Premium: 21, Business: 48},
}

func TestTIMGivesItsPublishedExample(t *testing.T) {
	e, ok := DefaultTIM().Flight(zurichToSanFrancisco)
	if !ok || e.Km != 9369 || e.FuelKg != 56_440 {
		t.Fatalf("%d kg of fuel over %d km, %v; want 56,440 over 9,369", e.FuelKg, e.Km, ok)
	}
	if want := (TIMPassenger{TTW: 476.275, WTT: 96.541, WTW: 572.815}); e.Economy != want {
		t.Errorf("economy: %+v; want %+v", e.Economy, want)
	}
	for _, tt := range []struct {
		cabin     string
		got, want float64
	}{
		{"premium", e.Premium.WTW, 859.224}, {"business", e.Business.WTW, 2291.262}, {"first", e.First.WTW, 2864.077},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: %v kg; want %v", tt.cabin, tt.got, tt.want)
		}
	}
	want := Emission{Km: 9369, Kg: e.Premium.TTW, KgWTT: e.Premium.WTT, Method: "tim", FactorSet: "tim-3.0.0"}
	if got := e.Emission("premium_economy"); got != want {
		t.Errorf("Emission = %+v; want %+v", got, want)
	}
	if e.Emission("economy").Kg != 476.275 || e.Emission("").Kg != 476.275 || e.Emission("first").Kg <= e.Emission("business").Kg {
		t.Errorf("cabins are mixed up: %+v", e)
	}
}

func TestTIMReckons(t *testing.T) {
	fly := func(t *testing.T, change func(*TIMFlight)) TIMEmission {
		t.Helper()
		f := zurichToSanFrancisco
		change(&f)
		e, ok := DefaultTIM().Flight(f)
		if !ok {
			t.Fatalf("%+v is not known", f)
		}
		return e
	}
	example := fly(t, func(*TIMFlight) {})
	t.Run("a detour of 1.052 where none is given", func(t *testing.T) {
		if got, want := fly(t, func(f *TIMFlight) { f.Detour = 0 }), fly(t, func(f *TIMFlight) { f.Detour = 1.052 }); got != want || got.FuelKg <= example.FuelKg {
			t.Errorf("%+v; want %+v", got, want)
		}
	})
	t.Run("cargo carries its share", func(t *testing.T) {
		if got := fly(t, func(f *TIMFlight) { f.Cargo = 0 }); got.Economy.TTW <= example.Economy.TTW || got.FuelKg != example.FuelKg {
			t.Errorf("%+v; want more for each passenger than %+v, and the same fuel", got, example)
		}
	})
	t.Run("a fuller aircraft burns less for each passenger", func(t *testing.T) {
		if got := fly(t, func(f *TIMFlight) { f.LoadFactor = 1 }); got.Economy.WTW >= example.Economy.WTW {
			t.Errorf("%+v; want less than %+v", got.Economy, example.Economy)
		}
	})
	t.Run("beyond the table on the same line", func(t *testing.T) {
		// 10,926 km and no detour are 5,883 NM, after the 5,500 of the last row.
		got := fly(t, func(f *TIMFlight) { f.Km, f.Detour = 10_926, 1 })
		if want := 1638 + 58072 + 3914; got.Km != 10_926 || got.FuelKg != want {
			t.Errorf("%d kg of fuel over %d km; want %d over 10,926", got.FuelKg, got.Km, want)
		}
	})
}

func TestTIMDoesNotKnow(t *testing.T) {
	tests := []struct {
		name   string
		change func(*TIMFlight)
	}{
		{"an aircraft without a table", func(f *TIMFlight) { f.Aircraft = "77W" }},
		{"a flight without an aircraft", func(f *TIMFlight) { f.Aircraft = "" }},
		{"a distance far below the table", func(f *TIMFlight) { f.Km = 480 }},
		{"a distance far beyond the table", func(f *TIMFlight) { f.Km = 18_000 }},
		{"an aircraft without seats", func(f *TIMFlight) { f.Seats = Seats{} }},
		{"nothing but cargo", func(f *TIMFlight) { f.Cargo = 1 }},
		{"more passengers than seats", func(f *TIMFlight) { f.LoadFactor = 1.2 }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := zurichToSanFrancisco
			tt.change(&f)
			if e, ok := DefaultTIM().Flight(f); ok || e.FuelKg != 0 {
				t.Errorf("Flight = %+v, %v; want not known", e, ok)
			}
		})
	}
}

func TestReadTIM(t *testing.T) {
	const heading = "aircraft,body,distance_nm,lto_kg,ccd_kg\n"
	tests := []struct{ name, text, want string }{
		{"a full table is taken", heading + "AT7,narrow,125,200,300\nAT7,narrow,250,200,550\n320,narrow,125,700,1500\n320,narrow,250,700,2300\n", ""},
		{"an empty file", "", "the file is empty"},
		{"an aircraft without a code", heading + ",wide,500,1638,5000\n", "line 2, column aircraft: the aircraft has no code"},
		{"a body that is none", heading + "789,fat,500,1638,5000\n", `line 2, column body: "fat" is none of narrow, wide`},
		{"fuel in words", heading + "789,wide,500,1638,some\n", `line 2, column ccd_kg: "some" is no number`},
		{"kilometres round the earth", heading + "789,wide,40000,1638,5000\n", `line 2, column distance_nm: "40000" is no number above 0 and up to 20000`},
		{"one distance only", heading + "789,wide,500,1638,5000\n", "line 2, column distance_nm: aircraft 789 has no other distance"},
		{"distances out of order", heading + "789,wide,500,1638,5000\n789,wide,500,1638,6000\n", "line 3, column distance_nm: 500 comes after 500"},
		{"two bodies", heading + "789,wide,500,1638,5000\n789,narrow,1000,1638,6000\n", "line 3, column body: 789 was wide before"},
		{"two figures for landing", heading + "789,wide,500,1638,5000\n789,wide,1000,1639,6000\n", "line 3, column lto_kg: 789 had 1638 before"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			model, err := ReadTIM(strings.NewReader(tt.text))
			if tt.want == "" {
				if err != nil {
					t.Fatal(err)
				}
				f := TIMFlight{Km: 370, Aircraft: "AT7", Seats: Seats{Economy: 70}}
				if e, ok := model.Flight(f); !ok || e.FuelKg < 500 || e.FuelKg > 700 {
					t.Errorf("370 km burn %d kg, %v; want about 600", e.FuelKg, ok)
				}
				return
			}
			if err == nil || model != nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("ReadTIM = %v, %v; want an error with %q", model, err, tt.want)
			}
		})
	}
}
