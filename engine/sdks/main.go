// Writes SDKs of the package, and the example of each resource as a program, with Pulumi's own generators (programs in Java with java.go):
//
//	sdks SCHEMA FOLDER
//
// FOLDER gets a folder for each language, `examples/LANGUAGE/RESOURCE`, and `schema.json`, whose descriptions have the examples in all languages.
// The newest generators of .NET and Java are in no module that a proxy has. Those of older.mod read the same schema: with older.go and java.go in
// place of current.go, this is a program that goes on from the folder that the first one wrote.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/pulumi/pulumi/pkg/v3/codegen/hcl2/syntax"
	"github.com/pulumi/pulumi/pkg/v3/codegen/pcl"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

const tool = "pulumi-oneops"

type files = map[string][]byte

// What the generators of one language write.
type language struct {
	name string
	// Name of its blocks in descriptions.
	fence   string
	sdk     func(pkg *schema.Package) (files, error)
	program func(program *pcl.Program) (files, hcl.Diagnostics, error)
}

func main() {
	if len(os.Args) != 3 {
		fail(errors.New("usage: sdks SCHEMA FOLDER"))
	}
	target := os.Args[2]
	text, err := os.ReadFile(os.Args[1])
	fail(err)
	var spec schema.PackageSpec
	fail(json.Unmarshal(text, &spec))
	fail(writeExamples(&spec, target))
	for _, each := range languages {
		// A generator changes the package that it is given: each has its own.
		pkg, err := bound(spec)
		fail(err)
		written, err := each.sdk(pkg)
		fail(err)
		folder := filepath.Join(target, each.name)
		fail(os.RemoveAll(folder))
		fail(write(folder, written))
		fmt.Printf("%s: %d files\n", each.name, len(written))
	}
	described, err := json.MarshalIndent(spec, "", "  ")
	fail(err)
	fail(write(target, files{"schema.json": append(described, '\n')}))
}

// Writes the example of each resource in each language, and adds it to the description of the resource.
func writeExamples(spec *schema.PackageSpec, target string) error {
	pkg, err := bound(*spec)
	if err != nil {
		return err
	}
	for _, token := range sorted(spec.Resources) {
		resource := spec.Resources[token]
		name := nameOf(token)
		source, err := exampleSource(resource.Description, filepath.Join(target, "examples", "pcl", name+".pp"), pkg)
		if err != nil {
			return fmt.Errorf("example of %s: %w", token, err)
		}
		for _, each := range languages {
			// A generator changes the program, too.
			program, err := parsed(source, pkg)
			if err != nil {
				return fmt.Errorf("example of %s: %w", token, err)
			}
			written, findings, err := each.program(program)
			if err == nil && findings.HasErrors() {
				err = findings
			}
			if err == nil {
				err = failurePrinted(written)
			}
			if err != nil {
				return fmt.Errorf("example of %s in %s: %w", token, each.name, err)
			}
			if err := write(filepath.Join(target, "examples", each.name, name), written); err != nil {
				return err
			}
			resource.Description = withExample(resource.Description, each.fence, written)
		}
		spec.Resources[token] = resource
	}
	return nil
}

// Go's formatting goes on after a generator that fails inside it, and prints the failure into the program.
func failurePrinted(program files) error {
	for path, content := range program {
		if at := bytes.Index(content, []byte("%!")); at >= 0 {
			line, _, _ := bytes.Cut(content[at:], []byte("\n"))
			return fmt.Errorf("%s: %s", path, line)
		}
	}
	return nil
}

// Adds a block after the others of a description. Pulumi's generators show the block of their own language.
func withExample(description, fence string, program files) string {
	const start, end = "{{% examples %}}\n## Example Usage\n{{% example %}}\n\n", "{{% /example %}}\n{{% /examples %}}"
	if !strings.Contains(description, end) {
		before, rest, _ := strings.Cut(description, "## Example Usage\n\n")
		yaml, after, _ := strings.Cut(rest, "\n```\n")
		description = before + start + yaml + "\n```\n" + end + "\n" + after
	}
	var longest []byte
	for _, content := range program {
		if len(content) > len(longest) {
			longest = content
		}
	}
	block := "```" + fence + "\n" + strings.TrimSpace(string(longest)) + "\n```\n"
	return strings.Replace(description, end, block+end, 1)
}

// A program in PCL, the language that Pulumi's generators read.
func parsed(source []byte, pkg *schema.Package) (*pcl.Program, error) {
	parser := syntax.NewParser()
	if err := parser.ParseFile(bytes.NewReader(source), "main.pp"); err != nil {
		return nil, err
	}
	if parser.Diagnostics.HasErrors() {
		return nil, parser.Diagnostics
	}
	program, findings, err := bind(parser.Files, onePackage{pkg})
	if err == nil && findings.HasErrors() {
		err = findings
	}
	return program, err
}

func nameOf(token string) string { return token[strings.LastIndex(token, ":")+1:] }

func write(folder string, written files) error {
	for path, content := range written {
		path = filepath.Join(folder, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

func sorted[T any](values map[string]T) []string {
	names := make([]string, 0, len(values))
	for name := range values {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

// The package, or what Pulumi's checks find in it.
func checked(pkg *schema.Package, findings hcl.Diagnostics, err error) (*schema.Package, error) {
	if err == nil && len(findings) > 0 {
		err = findings
	}
	return pkg, err
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
