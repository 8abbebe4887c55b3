// Writes what Kubernetes' Go types say about their own encoding, as facts without prose:
//
//	go run . types    the wire types (src/api/builtin/generated/types.json)
//	go run . samples  filled objects as Kubernetes encodes them, in protobuf and in JSON (src/net/body/generated/samples.json)
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"reflect"
	"runtime/debug"
	"slices"
)

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func line(value any) string {
	text, err := json.Marshal(value)
	check(err)
	return string(text)
}

func main() {
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	if len(os.Args) == 2 && os.Args[1] == "samples" {
		writeSamples(out)
		return
	}
	types := map[string]wireType{}
	fmt.Fprintf(out, "{\"release\":%s,\n\"kinds\":{", line(release()))
	for i, k := range kinds {
		fmt.Fprintf(out, "%s\n%s:%s", comma(i), line(k.apiVersion+"/"+k.kind), line(collect(reflect.TypeOf(k.object), types)))
	}
	for _, extra := range extras {
		collect(reflect.TypeOf(extra), types)
	}
	fmt.Fprint(out, "},\n\"types\":{")
	for i, typeName := range slices.Sorted(maps.Keys(types)) {
		fmt.Fprintf(out, "%s\n%s:%s", comma(i), line(typeName), line(types[typeName]))
	}
	fmt.Fprint(out, "}}\n")
}

func comma(i int) string {
	if i == 0 {
		return ""
	}
	return ","
}

func release() string {
	info, _ := debug.ReadBuildInfo()
	for _, module := range info.Deps {
		if module.Path == "k8s.io/api" {
			return module.Version
		}
	}
	panic("k8s.io/api is not among the modules")
}
