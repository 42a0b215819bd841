package arch_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"
)

// Packages for other modules show no type of an internal package: such a module
// could not name it. Struct fields, signatures, aliases and the types of values are
// looked at.
func TestPublicPackagesShowNoInternalType(t *testing.T) {
	walk(t, func(pkg, file string) {
		if pkg != "client" && pkg != "swap" {
			return
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		hidden := internalNames(t, parsed)
		for _, d := range parsed.Decls {
			for _, n := range shown(d) {
				ast.Inspect(n, func(n ast.Node) bool {
					s, ok := n.(*ast.SelectorExpr)
					if !ok {
						return true
					}
					if from, ok := s.X.(*ast.Ident); ok && hidden[from.Name] {
						t.Errorf("%s shows %s.%s, want a type of its own", file, from.Name, s.Sel.Name)
					}
					return true
				})
			}
		}
	})
}

// internalNames are the names that a file uses for internal packages.
func internalNames(t *testing.T, f *ast.File) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	for _, i := range f.Imports {
		at := importPath(t, i)
		if !strings.Contains(at, "/internal/") {
			continue
		}
		name := at[strings.LastIndex(at, "/")+1:]
		if i.Name != nil {
			name = i.Name.Name
		}
		names[name] = true
	}
	return names
}

// shown are the parts of a declaration that an importer sees.
func shown(d ast.Decl) (nodes []ast.Node) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Name.IsExported() && (d.Recv == nil || receiver(d).IsExported()) {
			nodes = append(nodes, d.Type)
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				nodes = append(nodes, shownType(s)...)
			case *ast.ValueSpec:
				nodes = append(nodes, shownValue(s)...)
			}
		}
	}
	return nodes
}

func shownType(spec *ast.TypeSpec) (nodes []ast.Node) {
	if !spec.Name.IsExported() {
		return nil
	}
	fields, ok := spec.Type.(*ast.StructType)
	if !ok {
		return []ast.Node{spec.Type}
	}
	for _, f := range fields.Fields.List {
		if len(f.Names) == 0 || slices.ContainsFunc(f.Names, (*ast.Ident).IsExported) {
			nodes = append(nodes, f.Type)
		}
	}
	return nodes
}

// shownValue is the type of exported constants and variables. Without one it is
// the type of their values.
func shownValue(spec *ast.ValueSpec) (nodes []ast.Node) {
	if !slices.ContainsFunc(spec.Names, (*ast.Ident).IsExported) {
		return nil
	}
	if spec.Type != nil {
		return []ast.Node{spec.Type}
	}
	for _, v := range spec.Values {
		nodes = append(nodes, v)
	}
	return nodes
}

func receiver(d *ast.FuncDecl) *ast.Ident {
	at := d.Recv.List[0].Type
	if star, ok := at.(*ast.StarExpr); ok {
		at = star.X
	}
	if generic, ok := at.(*ast.IndexExpr); ok {
		at = generic.X
	}
	if name, ok := at.(*ast.Ident); ok {
		return name
	}
	return ast.NewIdent("_")
}
