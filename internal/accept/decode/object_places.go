package decode

import (
	"cmp"
	"reflect"
	"slices"
)

// objectPlaces are where the objects within a value begin, so that a problem can name the line of a record that is
// somewhere in a document, or of a member of a crew change. Noting one is cheap; they are put in order only once
// somebody asks, which nobody does where nothing is wrong.
type objectPlaces struct {
	units   []Place // without their numbers
	objects []objectPlace
	sorted  bool
}

// An objectPlace is an object and where it begins. While its value is in use, no other object is at its address.
type objectPlace struct {
	address uintptr
	n       int64
	unit    int32 // which of the units n counts
}

// placesIn returns p, or new places that count in unit: most records of a list have no objects in them.
func placesIn(unit string, p *objectPlaces) *objectPlaces {
	if p == nil {
		p = &objectPlaces{units: []Place{{Unit: unit}}}
	}
	return p
}

func (p *objectPlaces) note(object map[string]any, n int64) {
	p.objects = append(p.objects, objectPlace{addressOf(object), n, int32(len(p.units) - 1)})
	p.sorted = false
}

func addressOf(object map[string]any) uintptr { return reflect.ValueOf(object).Pointer() }

func byAddress(a, b objectPlace) int { return cmp.Compare(a.address, b.address) }

// of returns where an object begins; the zero Place where that is not known.
func (p *objectPlaces) of(object map[string]any) Place {
	if p == nil || object == nil {
		return Place{}
	}
	if !p.sorted {
		slices.SortStableFunc(p.objects, byAddress)
		p.sorted = true
	}
	i, found := slices.BinarySearchFunc(p.objects, objectPlace{address: addressOf(object)}, byAddress)
	if !found {
		return Place{}
	}
	place := p.units[p.objects[i].unit]
	place.N = p.objects[i].n
	return place
}

// PlaceOf returns where an object within the item's value begins; the zero Place where that is not known.
func (i Item) PlaceOf(object any) Place {
	found, _ := object.(map[string]any)
	return i.objects.of(found)
}

// Within returns an item for a value within the item's value, such as a record of a document that is one value.
func (i Item) Within(value any) Item {
	return Item{Value: value, At: i.PlaceOf(value), objects: i.objects}
}

// A Gathering makes one item of the items of a list, and knows where they began.
type Gathering struct {
	list   []any
	places objectPlaces
}

// Add adds an item to the list.
func (g *Gathering) Add(item Item) {
	g.list = append(g.list, item.Value)
	g.counts(item.At)
	if object, ok := item.Value.(map[string]any); ok && item.At.Unit != "" {
		g.places.note(object, item.At.N)
	}
	if item.objects == nil {
		return
	}
	for _, o := range item.objects.objects {
		g.counts(item.objects.units[o.unit])
		o.unit = int32(len(g.places.units) - 1)
		g.places.objects = append(g.places.objects, o)
	}
}

// counts says in what the places of the next objects are counted.
func (g *Gathering) counts(unit Place) {
	unit.N = 0
	if n := len(g.places.units); n == 0 || g.places.units[n-1] != unit {
		g.places.units = append(g.places.units, unit)
	}
}

// Item is the list.
func (g *Gathering) Item() Item {
	if g.list == nil {
		g.list = []any{}
	}
	return Item{Value: g.list, objects: &g.places}
}
