package gangway

import "slices"

// Each returns the results of a function for the elements of a list, in the list's order; nil for an empty list.
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
