//go:build ignore

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/pulumi/pulumi-java/pkg/codegen/java"
	"github.com/pulumi/pulumi-java/pkg/codegen/java/names"
	"github.com/pulumi/pulumi/pkg/v3/codegen"
	"github.com/pulumi/pulumi/pkg/v3/codegen/hcl2/model"
	"github.com/pulumi/pulumi/pkg/v3/codegen/pcl"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
	"github.com/zclconf/go-cty/cty"
)

// A class that declares one resource with literal values, as the examples do. What Pulumi's own generator writes does not compile: it imports from
// com.pulumi whatever the base package is, writes values of enums as texts and objects as maps, and leaves out empty maps and the brackets of lists.
type javaClass struct {
	// Java package of the resources, with a dot at its end.
	base     string
	imports  map[string]bool
	findings hcl.Diagnostics
}

const javaText = `%s
public class %s {
    public static void main(String[] args) {
        Pulumi.run(context -> {
            %s;
        });
    }
}
`

// Classes have different names and no package, so that all examples compile at once.
func javaProgram(program *pcl.Program) (files, hcl.Diagnostics, error) {
	resource, ok := program.Nodes[0].(*pcl.Resource)
	if !ok || len(program.Nodes) != 1 {
		return nil, nil, errors.New("a program in Java is written of one resource alone")
	}
	pkg, err := resource.Schema.PackageReference.Definition()
	if err == nil {
		err = pkg.ImportLanguages(map[string]schema.Language{"java": java.Importer})
	}
	if err != nil {
		return nil, nil, err
	}
	base := pkg.Language["java"].(java.PackageInfo).BasePackageOrDefault() + pkg.Name + "."
	class := javaClass{base: base, imports: map[string]bool{"com.pulumi.Pulumi": true}}
	statement := strings.ReplaceAll(class.resource(resource), "\n", "\n            ")
	imports := ""
	for _, each := range sorted(class.imports) {
		imports += "import " + each + ";\n"
	}
	name := nameOf(resource.Token) + "Example"
	return files{name + ".java": fmt.Appendf(nil, javaText, imports, name, statement)}, class.findings, nil
}

func (class *javaClass) resource(resource *pcl.Resource) string {
	types := typesOf(resource.Schema.InputProperties)
	var setters []string
	for _, input := range resource.Inputs {
		setters = append(setters, setter(input.Name, class.value(input.Value, types[input.Name])))
	}
	name := class.imported(class.base, nameOf(resource.Token))
	arguments := builder(class.imported(class.base, name+"Args"), setters)
	return "new " + name + "(" + javaQuoted(resource.LogicalName()) + ", " + arguments + ")"
}

func (class *javaClass) value(expression model.Expression, expected schema.Type) string {
	expected = codegen.UnwrapType(expected)
	switch expression := expression.(type) {
	case *model.ObjectConsExpression:
		return class.object(expression, expected)
	case *model.TupleConsExpression:
		var element schema.Type
		if list, ok := expected.(*schema.ArrayType); ok {
			element = list.ElementType
		}
		var values []string
		for _, each := range expression.Expressions {
			values = append(values, class.value(each, element))
		}
		return class.imported("java.util.", "List") + ".of" + bracketed(values)
	case *model.FunctionCallExpression:
		if expression.Name == "secret" {
			return class.imported("com.pulumi.core.", "Output") + ".ofSecret(" + class.value(expression.Args[0], expected) + ")"
		}
	}
	return class.literal(expression, expected)
}

// An object of the schema is built; any other is a map, of at most ten pairs.
func (class *javaClass) object(object *model.ObjectConsExpression, expected schema.Type) string {
	var element schema.Type
	types := map[string]schema.Type{}
	described, isDescribed := expected.(*schema.ObjectType)
	if isDescribed {
		types = typesOf(described.Properties)
	} else if mapping, ok := expected.(*schema.MapType); ok {
		element = mapping.ElementType
	}
	var pairs, setters []string
	for _, item := range object.Items {
		key := class.evaluated(item.Key).AsString()
		if isDescribed {
			setters = append(setters, setter(key, class.value(item.Value, types[key])))
		} else {
			pairs = append(pairs, javaQuoted(key)+", "+class.value(item.Value, element))
		}
	}
	if isDescribed {
		return builder(class.imported(class.base+"inputs.", nameOf(described.Token)+"Args"), setters)
	}
	return class.imported("java.util.", "Map") + ".of" + bracketed(pairs)
}

func (class *javaClass) literal(expression model.Expression, expected schema.Type) string {
	value := class.evaluated(expression)
	switch {
	case value.Type() == cty.Bool:
		return fmt.Sprint(value.True())
	case value.Type() == cty.Number:
		return value.AsBigFloat().Text('f', -1)
	}
	if enum, ok := expected.(*schema.EnumType); ok {
		constant, err := names.MakeSafeEnumName(value.AsString(), "")
		fail(err)
		return class.imported(class.base+"enums.", nameOf(enum.Token)) + "." + constant
	}
	return javaQuoted(value.AsString())
}

// The value of an expression that takes nothing from outside; an empty text, and a finding, of any other.
func (class *javaClass) evaluated(expression model.Expression) cty.Value {
	value, findings := expression.Evaluate(&hcl.EvalContext{})
	class.findings = append(class.findings, findings...)
	if findings.HasErrors() {
		return cty.StringVal("")
	}
	return value
}

// The name of a class, which is imported.
func (class *javaClass) imported(from, name string) string {
	class.imports[from+name] = true
	return name
}

func setter(name, value string) string {
	return "." + names.Ident(name).AsProperty().Setter() + "(" + value + ")"
}

func builder(class string, setters []string) string {
	return oneLineOr(class+".builder()", setters, "", ".build()", "\n    .build()")
}

func bracketed(values []string) string {
	return oneLineOr("(", values, ", ", ")", ")")
}

// Parts on one line if they fit, or each on its own.
func oneLineOr(start string, parts []string, between, end, endOfLines string) string {
	line := start + strings.Join(parts, between) + end
	if len(line) <= 80 && !strings.Contains(line, "\n") {
		return line
	}
	lines := "\n" + strings.Join(parts, strings.TrimSpace(between)+"\n")
	return start + strings.ReplaceAll(lines, "\n", "\n    ") + endOfLines
}

func javaQuoted(text string) string {
	var quoted bytes.Buffer
	encoder := json.NewEncoder(&quoted)
	encoder.SetEscapeHTML(false)
	fail(encoder.Encode(text))
	return strings.TrimSpace(quoted.String())
}

func typesOf(properties []*schema.Property) map[string]schema.Type {
	types := map[string]schema.Type{}
	for _, property := range properties {
		types[property.Name] = property.Type
	}
	return types
}
