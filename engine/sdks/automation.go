//go:build automation

package main

// Programs that the tests write in Go run with it: go.sum has to know what it is made of.
import _ "github.com/pulumi/pulumi/sdk/v3/go/auto"
