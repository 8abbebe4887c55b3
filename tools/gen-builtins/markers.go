package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"strings"
)

// Comment markers of one package: "Type" or "Type.Field" to its "+name=value" lines.
type markers map[string][]string

var packages = map[string]markers{}

func markersOf(pkg string) markers {
	if known, ok := packages[pkg]; ok {
		return known
	}
	found := markers{}
	packages[pkg] = found
	dir, err := exec.Command("go", "list", "-f", "{{.Dir}}", pkg).Output()
	check(err)
	files, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(dir)), "*.go"))
	check(err)
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") || strings.Contains(path, "generated") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
		check(err)
		for _, d := range file.Decls {
			decl, ok := d.(*ast.GenDecl)
			if !ok || decl.Tok != token.TYPE {
				continue
			}
			for _, s := range decl.Specs {
				spec := s.(*ast.TypeSpec)
				found[spec.Name.Name] = append(marks(decl.Doc), marks(spec.Doc)...)
				if body, ok := spec.Type.(*ast.StructType); ok {
					for _, field := range body.Fields.List {
						for _, name := range names(field) {
							found[spec.Name.Name+"."+name] = marks(field.Doc)
						}
					}
				}
			}
		}
	}
	return found
}

func marks(doc *ast.CommentGroup) (out []string) {
	if doc == nil {
		return nil
	}
	for _, line := range doc.List {
		text := strings.TrimSpace(strings.TrimPrefix(line.Text, "//"))
		if strings.HasPrefix(text, "+") {
			out = append(out, text[1:])
		}
	}
	return out
}

func names(field *ast.Field) (out []string) {
	for _, name := range field.Names {
		out = append(out, name.Name)
	}
	if len(out) == 0 {
		switch t := field.Type.(type) {
		case *ast.Ident:
			out = append(out, t.Name)
		case *ast.SelectorExpr:
			out = append(out, t.Sel.Name)
		}
	}
	return out
}

func (m markers) has(key, name string) bool {
	for _, mark := range m[key] {
		if mark == name {
			return true
		}
	}
	return false
}

func (m markers) values(key, name string) (out []string) {
	for _, mark := range m[key] {
		if value, ok := strings.CutPrefix(mark, name+"="); ok {
			out = append(out, value)
		}
	}
	return out
}

func (m markers) value(key, name string) string {
	if values := m.values(key, name); len(values) > 0 {
		return values[0]
	}
	return ""
}
