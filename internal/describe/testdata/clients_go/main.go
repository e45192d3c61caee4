// The client is what oapi-codegen makes of the description of the interface. Only a test of that description needs it.
package main

import _ "github.com/oapi-codegen/runtime" // which what it makes needs

func main() {}
