package gangway

// Each returns what of makes of each element of a list, in its order.
func Each[T, U any](list []T, of func(T) U) []U {
	made := make([]U, len(list))
	for i, v := range list {
		made[i] = of(v)
	}
	return made
}

// Texts returns words of a type of their own as plain texts.
func Texts[T ~string](list []T) []string {
	return Each(list, func(word T) string { return string(word) })
}
