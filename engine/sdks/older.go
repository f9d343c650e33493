//go:build ignore

package main

import (
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"

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
	}, dotnetProgram},
	{"java", "java", func(pkg *schema.Package) (files, error) { return java.GeneratePackage(tool, pkg, nil) }, javaProgram},
}

// The generator of .NET reads the logo from an address: here it is that of a file.
func logo() string {
	http.DefaultTransport.(*http.Transport).RegisterProtocol("file", http.NewFileTransport(http.Dir("/")))
	path, err := filepath.Abs("docs/images/logo.png")
	fail(err)
	return "file://" + path
}

var mapInMap = regexp.MustCompile(`(\{ "[^"]*", )(\n *\{\n(?: *\{ "[^"]*", [^\n]+ \},\n)+ *\})`)

// Pulumi's generator writes a map in a map as its braces alone, and an empty map as null.
func dotnetProgram(program *pcl.Program) (files, hcl.Diagnostics, error) {
	written, findings, err := dotnet.GenerateProgram(program)
	for path, content := range written {
		text := mapInMap.ReplaceAllString(string(content), "${1}new Dictionary<string, object>$2.ToImmutableDictionary()")
		text = strings.Replace(text, "using System.Linq;", "using System.Collections.Immutable;\nusing System.Linq;", 1)
		written[path] = []byte(strings.ReplaceAll(text, " = null,", " = {},"))
	}
	return written, findings, err
}

func bound(spec schema.PackageSpec) (*schema.Package, error) {
	return checked(schema.BindSpec(spec, schema.NewPluginLoader(nil)))
}

func bind(sources []*syntax.File, loader schema.Loader) (*pcl.Program, hcl.Diagnostics, error) {
	return pcl.BindProgram(sources, pcl.Loader(loader))
}

var quotedKey = regexp.MustCompile(`(?m)^(\s*)"([A-Za-z_]\w*)" = `)

// Without quotes around keys: the generator of .NET takes properties of objects with none.
func exampleSource(_, path string, _ *schema.Package) ([]byte, error) {
	source, err := os.ReadFile(path)
	return quotedKey.ReplaceAll(source, []byte("$1$2 = ")), err
}

// Loads the package alone: examples use no other.
type onePackage struct{ pkg *schema.Package }

func (one onePackage) LoadPackage(name string, _ *semver.Version) (*schema.Package, error) {
	if name != one.pkg.Name {
		return nil, os.ErrNotExist
	}
	return one.pkg, nil
}
