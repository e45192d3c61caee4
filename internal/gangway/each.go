package gangway

import "slices"

// Each returns what of makes of each element of a list, in its order; nil for none.
func Each[T, U any](list []T, of func(T) U) []U {
	made := slices.Grow([]U(nil), len(list))
	for _, v := range list {
		made = append(made, of(v))
	}
	return made
}

// Texts returns words of a type of their own as plain texts.
func Texts[T ~string](list []T) []string {
	return Each(list, func(word T) string { return string(word) })
}

// Only returns those elements of a list that is is true of.
func Only[T any](list []T, is func(T) bool) (some []T) {
	for _, v := range list {
		if is(v) {
			some = append(some, v)
		}
	}
	return some
}
