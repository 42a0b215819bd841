package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"slices"
	"strings"
)

// A mutant is a file with one token replaced.
type mutant struct {
	file         string // from the root
	line, column int
	mutator      string
	source       []byte
	function     string // around it, or a dash; empty if the source is no Go
}

func (m *mutant) String() string {
	return fmt.Sprintf("%s:%d:%d %s", m.file, m.line, m.column, m.mutator)
}

// replacements has the new text of a token, for each mutator of gremlins.
var replacements = map[string]string{
	"ARITHMETIC_BASE":         "+ -  - +  * /  / *  % *",
	"CONDITIONALS_BOUNDARY":   ">= >  > >=  <= <  < <=",
	"CONDITIONALS_NEGATION":   "== !=  != ==  >= <  > <=  <= >  < >=",
	"INCREMENT_DECREMENT":     "++ --  -- ++",
	"INVERT_ASSIGNMENTS":      "+= -=  -= +=  *= /=  /= *=  %= *=",
	"INVERT_BITWISE":          "& |  | &  ^ &  &^ &  << >>  >> <<",
	"INVERT_BWASSIGN":         "&= |=  |= &=  ^= &=  &^= &=  <<= >>=  >>= <<=",
	"INVERT_LOGICAL":          "&& ||  || &&",
	"INVERT_LOOPCTRL":         "break continue  continue break",
	"INVERT_NEGATIVES":        "- +",
	"REMOVE_SELF_ASSIGNMENTS": "+= =  -= =  *= =  /= =  %= =  &= =  |= =  ^= =  &^= =  <<= =  >>= =",
}

// mutate replaces the token at a place of src as the mutator does.
func mutate(file string, src []byte, line, column int, mutator string) (*mutant, error) {
	m := &mutant{file: file, line: line, column: column, mutator: mutator}
	offset, old := tokenAt(src, line, column)
	pairs := strings.Fields(replacements[mutator])
	for pair := range slices.Chunk(pairs, 2) {
		if pair[0] == old {
			m.source = slices.Concat(src[:offset], []byte(pair[1]), src[offset+len(old):])
			m.function = functionAt(m.source, line)
			return m, nil
		}
	}
	return nil, fmt.Errorf("%s: no replacement is known for %q", m, old)
}

// tokenAt returns the token that starts at a position, or an empty text.
func tokenAt(src []byte, line, column int) (offset int, text string) {
	file := token.NewFileSet().AddFile("", -1, len(src))
	var s scanner.Scanner
	s.Init(file, src, nil, 0)
	for {
		pos, tok, _ := s.Scan()
		p := file.Position(pos)
		if tok == token.EOF || p.Line == line && p.Column == column {
			return p.Offset, strings.TrimPrefix(tok.String(), token.EOF.String())
		}
	}
}

// name identifies the mutant without a line number: its file, its function, and the
// changed line.
func (m *mutant) name() string {
	line := bytes.Split(m.source, []byte("\n"))[m.line-1]
	return fmt.Sprintf("%s %s: %s", m.file, m.function, bytes.TrimSpace(line))
}

// functionAt returns the name of the function around a line, a dash if there is
// none, and an empty text if src is not valid Go.
func functionAt(src []byte, line int) string {
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, "", src, parser.SkipObjectResolution)
	if err != nil {
		return ""
	}
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if ok && set.Position(fn.Pos()).Line <= line && line <= set.Position(fn.End()).Line {
			return fn.Name.Name
		}
	}
	return "-"
}
