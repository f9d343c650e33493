// What the tests put beside a program in Go: it runs the program with the Automation API, because Pulumi's language host of Go is in no module that a
// proxy has. Prints a line of JSON for each command.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/pulumi/pulumi/sdk/v3/go/auto"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func run(program pulumi.RunFunc) {
	ctx := context.Background()
	stack, err := auto.UpsertStackInlineSource(ctx, "dev", "go", program)
	say("stack", nil, err)
	preview := func() {
		result, err := stack.Preview(ctx)
		say("preview", result.ChangeSummary, err)
	}
	preview()
	up, err := stack.Up(ctx)
	say("up", up.Summary.ResourceChanges, err)
	preview()
	destroyed, err := stack.Destroy(ctx)
	say("destroy", destroyed.Summary.ResourceChanges, err)
}

func say(command string, changes any, err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, command, err)
		os.Exit(1)
	}
	line, _ := json.Marshal(map[string]any{"command": command, "changes": changes})
	fmt.Println(string(line))
}
