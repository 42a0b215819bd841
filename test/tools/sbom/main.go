// Sbom prints the bill of materials of programs in the CycloneDX format, from
// the list of modules that the Go compiler wrote into them.
//
//	sbom VERSION PROGRAM ...
package main

import (
	"cmp"
	"debug/buildinfo"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: sbom VERSION PROGRAM ...")
		os.Exit(2)
	}
	bill, err := billOf(os.Args[1], os.Args[2:])
	if err == nil {
		err = cdx.NewBOMEncoder(os.Stdout, cdx.BOMFileFormatJSON).SetPretty(true).Encode(bill)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "sbom:", err)
		os.Exit(1)
	}
}

// billOf lists the modules of all programs. It has no time and no random number,
// so that the same programs always have the same bill.
func billOf(version string, programs []string) (*cdx.BOM, error) {
	modules := map[string]*debug.Module{}
	parts := []cdx.Component{}
	for _, path := range programs {
		info, err := buildinfo.ReadFile(path)
		if err != nil {
			return nil, err
		}
		for _, m := range info.Deps {
			m = cmp.Or(m.Replace, m)
			modules[m.Path+"@"+m.Version] = m
		}
		modules["std"] = &debug.Module{Path: "std", Version: info.GoVersion}
		parts = append(parts, cdx.Component{Type: cdx.ComponentTypeFile, Name: filepath.Base(path), Version: version})
	}
	bill := cdx.NewBOM()
	bill.Metadata = &cdx.Metadata{Component: &cdx.Component{
		BOMRef: "hubquote", Type: cdx.ComponentTypeApplication, Name: "hubquote", Version: version, Components: &parts,
	}}
	list := []cdx.Component{}
	for _, key := range slices.Sorted(maps.Keys(modules)) {
		list = append(list, component(modules[key]))
	}
	bill.Components = &list
	return bill, nil
}

func component(m *debug.Module) cdx.Component {
	url := "pkg:golang/" + m.Path + "@" + m.Version
	return cdx.Component{BOMRef: url, Type: cdx.ComponentTypeLibrary, Name: m.Path, Version: m.Version, PackageURL: url}
}
