// Package house holds tests about the repository as a whole: who imports whom,
// what documents name, how wide lines are, which code answers for an endpoint.
package house
