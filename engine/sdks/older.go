//go:build ignore

package main

import (
	"net/http"
	"os"
	"path/filepath"

	"github.com/blang/semver"
	"github.com/hashicorp/hcl/v2"
	"github.com/pulumi/pulumi-java/pkg/codegen/java"
	"github.com/pulumi/pulumi/pkg/v3/codegen/dotnet"
	"github.com/pulumi/pulumi/pkg/v3/codegen/hcl2/syntax"
	"github.com/pulumi/pulumi/pkg/v3/codegen/pcl"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

var languages = []language{
	{"dotnet", "csharp", func(pkg *schema.Package) (files, error) {
		pkg.LogoURL = logo()
		return dotnet.GeneratePackage(tool, pkg, nil)
	}, dotnet.GenerateProgram},
	// What its generator of programs writes does not compile: a class App in MyStack.java, imports from com.pulumi whatever the base package is, and
	// values of enums as texts, which the classes do not take.
	{"java", "java", func(pkg *schema.Package) (files, error) { return java.GeneratePackage(tool, pkg, nil) }, nil},
}

// The generator of .NET reads the logo from an address: here it is that of a file.
func logo() string {
	http.DefaultTransport.(*http.Transport).RegisterProtocol("file", http.NewFileTransport(http.Dir("/")))
	path, err := filepath.Abs("docs/images/logo.png")
	fail(err)
	return "file://" + path
}

func bound(spec schema.PackageSpec) (*schema.Package, error) {
	return checked(schema.BindSpec(spec, schema.NewPluginLoader(nil)))
}

func bind(sources []*syntax.File, loader schema.Loader) (*pcl.Program, hcl.Diagnostics, error) {
	return pcl.BindProgram(sources, pcl.Loader(loader))
}

func exampleSource(_, path string, _ *schema.Package) ([]byte, error) { return os.ReadFile(path) }

// Loads the package alone: examples use no other.
type onePackage struct{ pkg *schema.Package }

func (one onePackage) LoadPackage(name string, _ *semver.Version) (*schema.Package, error) {
	if name != one.pkg.Name {
		return nil, os.ErrNotExist
	}
	return one.pkg, nil
}
