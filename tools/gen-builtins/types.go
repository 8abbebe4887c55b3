package main

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

type field struct {
	Name      string          `json:"name,omitempty"`
	Number    int             `json:"number,omitempty"`
	Type      string          `json:"type"`
	List      bool            `json:"list,omitempty"`
	Map       bool            `json:"map,omitempty"`
	Inline    bool            `json:"inline,omitempty"`
	Pointer   bool            `json:"pointer,omitempty"`
	OmitEmpty bool            `json:"omitEmpty,omitempty"`
	OmitZero  bool            `json:"omitZero,omitempty"`
	Optional  bool            `json:"optional,omitempty"`
	Default   json.RawMessage `json:"default,omitempty"`
	Strategy  string          `json:"patchStrategy,omitempty"`
	MergeKey  string          `json:"patchMergeKey,omitempty"`
	ListType  string          `json:"listType,omitempty"`
	ListKeys  []string        `json:"listKeys,omitempty"`
	MapType   string          `json:"mapType,omitempty"`
}

type wireType struct {
	Atomic bool    `json:"atomic,omitempty"`
	Fields []field `json:"fields"`
}

var leaves = map[reflect.Type]string{
	reflect.TypeOf(meta.Time{}):            "time",
	reflect.TypeOf(meta.MicroTime{}):       "microTime",
	reflect.TypeOf(meta.Duration{}):        "duration",
	reflect.TypeOf(resource.Quantity{}):    "quantity",
	reflect.TypeOf(intstr.IntOrString{}):   "intOrString",
	reflect.TypeOf(meta.FieldsV1{}):        "raw",
	reflect.TypeOf(runtime.RawExtension{}): "raw",
	reflect.TypeOf([]byte{}):               "bytes",
}

func name(t reflect.Type) string {
	host, path, _ := strings.Cut(t.PkgPath(), "/")
	parts := strings.Split(host, ".")
	return parts[1] + "." + parts[0] + "." + strings.ReplaceAll(path, "/", ".") + "." + t.Name()
}

func collect(t reflect.Type, into map[string]wireType) string {
	typeName := name(t)
	if _, ok := into[typeName]; ok {
		return typeName
	}
	into[typeName] = wireType{}
	m := markersOf(t.PkgPath())
	out := wireType{Atomic: m.value(t.Name(), "structType") == "atomic" || m.value(t.Name(), "mapType") == "atomic", Fields: []field{}}
	for i := range t.NumField() {
		f := t.Field(i)
		key := t.Name() + "." + f.Name
		tag, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if tag == "-" || f.Type == reflect.TypeOf(meta.TypeMeta{}) {
			continue
		}
		if listed := f.Tag.Get("protobuf"); listed == "" || listed == "-" {
			panic("no protobuf tag: " + typeName + "." + f.Name)
		}
		number, err := strconv.Atoi(strings.Split(f.Tag.Get("protobuf"), ",")[1])
		check(err)
		made := field{
			Name: tag, Number: number,
			Inline:    f.Anonymous && tag == "",
			OmitEmpty: strings.Contains(options, "omitempty"), OmitZero: strings.Contains(options, "omitzero"),
			Strategy: f.Tag.Get("patchStrategy"), MergeKey: f.Tag.Get("patchMergeKey"),
			ListType: m.value(key, "listType"), ListKeys: m.values(key, "listMapKey"), MapType: m.value(key, "mapType"),
		}
		made.Optional = made.Inline || made.OmitEmpty || made.OmitZero || m.has(key, "optional") || m.has(key, "k8s:optional")
		if text := m.value(key, "default"); text != "" && json.Valid([]byte(text)) {
			made.Default = json.RawMessage(text)
		}
		describe(f.Type, &made, into)
		out.Fields = append(out.Fields, made)
	}
	into[typeName] = out
	return typeName
}

func describe(t reflect.Type, made *field, into map[string]wireType) {
	if leaf, ok := leaves[t]; ok {
		made.Type = leaf
		return
	}
	switch t.Kind() {
	case reflect.Pointer:
		made.Pointer = true
		describe(t.Elem(), made, into)
	case reflect.Slice:
		if t.Name() != "" && t.Elem().Kind() == reflect.String {
			// A named list is a message of its own on the wire (authentication's ExtraValue).
			made.Type = "strings"
			return
		}
		made.List = true
		describe(t.Elem(), made, into)
	case reflect.Map:
		made.Map = true
		describe(t.Elem(), made, into)
	case reflect.Struct:
		made.Type = collect(t, into)
	case reflect.Float64:
		made.Type = "double"
	case reflect.String, reflect.Bool, reflect.Int32, reflect.Int64:
		made.Type = t.Kind().String()
	default:
		panic(fmt.Sprint("no wire type for ", t))
	}
}
