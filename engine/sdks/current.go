package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/blang/semver"
	"github.com/hashicorp/hcl/v2"
	"github.com/pulumi/pulumi-yaml/pkg/pulumiyaml"
	yaml "github.com/pulumi/pulumi-yaml/pkg/pulumiyaml/codegen"
	golang "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/hcl2/syntax"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/pcl"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

var languages = []language{
	{"go", "go", goPackage, goProgram},
	{"nodejs", "typescript", func(pkg *schema.Package) (files, error) {
		return nodejs.GeneratePackage(tool, pkg, files{}, nil, false, nil)
	}, nodejs.GenerateProgram},
	{"python", "python", func(pkg *schema.Package) (files, error) {
		return python.GeneratePackage(tool, pkg, files{}, nil)
	}, python.GenerateProgram},
}

// The folder is a module, so that examples and programs beside the package can import it.
func goPackage(pkg *schema.Package) (files, error) {
	written, err := golang.GeneratePackage(tool, pkg, nil)
	inFolder := files{}
	for path, content := range written {
		inFolder["oneops/"+path] = content
	}
	return inFolder, err
}

var anyAsType = regexp.MustCompile(`pulumi\.Any\{([^{}]*)\}`)

// Pulumi's generator writes a list of values of any type as if the function Any were a type.
func goProgram(program *pcl.Program) (files, hcl.Diagnostics, error) {
	written, findings, err := golang.GenerateProgram(program)
	for path, content := range written {
		written[path] = anyAsType.ReplaceAll(content, []byte("pulumi.Any([]any{$1})"))
	}
	return written, findings, err
}

func bound(spec schema.PackageSpec) (*schema.Package, error) {
	return checked(schema.BindSpec(spec, schema.NewPluginLoader(nil), schema.ValidationOptions{}))
}

func bind(sources []*syntax.File, loader schema.Loader) (*pcl.Program, hcl.Diagnostics, error) {
	return pcl.BindProgram(sources, loader)
}

// Translates the block in Pulumi YAML of a description into PCL, and keeps it for the generators of other modules.
func exampleSource(description, path string, pkg *schema.Package) ([]byte, error) {
	_, rest, found := strings.Cut(description, "```yaml\n")
	if !found {
		return nil, errors.New("its description has no block in Pulumi YAML")
	}
	block, _, _ := strings.Cut(rest, "```")
	template, mistakes, err := pulumiyaml.LoadYAMLBytes("example", []byte(block))
	if err != nil {
		return nil, err
	}
	if mistakes.HasErrors() {
		return nil, mistakes
	}
	text, findings, err := yaml.ConvertTemplateIL(template, onePackage{pkg})
	if err == nil && findings.HasErrors() {
		err = hcl.Diagnostics(findings)
	}
	if err != nil {
		return nil, err
	}
	return []byte(text), write(filepath.Dir(path), files{filepath.Base(path): []byte(text)})
}

// Loads the package alone: examples use no other.
type onePackage struct{ pkg *schema.Package }

func (one onePackage) LoadPackage(name string, _ *semver.Version) (*schema.Package, error) {
	if name != one.pkg.Name {
		return nil, os.ErrNotExist
	}
	return one.pkg, nil
}

func (one onePackage) LoadPackageV2(_ context.Context, named *schema.PackageDescriptor) (*schema.Package, error) {
	return one.LoadPackage(named.Name, named.Version)
}

func (one onePackage) LoadPackageReference(name string, version *semver.Version) (schema.PackageReference, error) {
	pkg, err := one.LoadPackage(name, version)
	if err != nil {
		return nil, err
	}
	return pkg.Reference(), nil
}

func (one onePackage) LoadPackageReferenceV2(_ context.Context, named *schema.PackageDescriptor) (schema.PackageReference, error) {
	return one.LoadPackageReference(named.Name, named.Version)
}

var _ schema.ReferenceLoader = onePackage{}
