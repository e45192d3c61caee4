package storedtest

import (
	"reflect"
	"testing"
	"time"
)

// filled returns a T with every field set: texts to the field's name, lists and
// maps to one element.
func filled[T any](t *testing.T) T {
	t.Helper()
	var v T
	fill(t, reflect.ValueOf(&v).Elem(), reflect.TypeFor[T]().Name())
	return v
}

// noon is the time that all time fields are set to, with an airport's offset.
var noon = time.Date(2026, time.December, 1, 12, 0, 0, 0, time.FixedZone("", 8*60*60))

func fill(t *testing.T, v reflect.Value, name string) {
	t.Helper()
	switch v.Kind() {
	case reflect.String:
		v.SetString(name)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(len(name)))
	case reflect.Float64:
		v.SetFloat(float64(len(name)) + 0.5)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(t, v.Elem(), name)
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 { // JSON that is passed on unchanged
			v.SetBytes([]byte(`{"key": "value"}`))
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(t, v.Index(0), name)
	case reflect.Map:
		value := reflect.New(v.Type().Elem()).Elem()
		fill(t, value, name)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(reflect.ValueOf("key").Convert(v.Type().Key()), value)
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			v.Set(reflect.ValueOf(noon))
			return
		}
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				fill(t, v.Field(i), f.Name)
			}
		}
	default:
		t.Fatalf("%s is a %s: add to fill what such a field is set to", name, v.Type())
	}
}
