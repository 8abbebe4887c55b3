package main

import (
	"encoding/base64"
	"fmt"
	"io"
	"reflect"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// Each kind twice: empty, and with every field filled.
func writeSamples(out io.Writer) {
	fmt.Fprint(out, "[")
	for i, k := range kinds {
		for j, fill := range []bool{false, true} {
			counter = 0
			value := reflect.New(reflect.TypeOf(k.object))
			if fill {
				filled(value.Elem())
			}
			object := value.Interface().(runtime.Object)
			gv, err := schema.ParseGroupVersion(k.apiVersion)
			check(err)
			object.GetObjectKind().SetGroupVersionKind(gv.WithKind(k.kind))
			wire, err := runtime.Encode(protobuf.NewSerializer(nil, nil), object)
			check(err)
			seen := received(object)
			fmt.Fprintf(out, "%s\n{\"kind\":%s,\"wire\":%s,\"json\":%s}", comma(i+j), line(k.apiVersion+"/"+k.kind), line(base64.StdEncoding.EncodeToString(wire)), line(seen))
		}
	}
	fmt.Fprint(out, "\n]\n")
}

// The object as a server sees it: the wire does not tell an empty list from none.
func received(object runtime.Object) runtime.Object {
	bytes, err := object.(interface{ Marshal() ([]byte, error) }).Marshal()
	check(err)
	copy := reflect.New(reflect.TypeOf(object).Elem()).Interface().(runtime.Object)
	check(copy.(interface{ Unmarshal([]byte) error }).Unmarshal(bytes))
	copy.GetObjectKind().SetGroupVersionKind(object.GetObjectKind().GroupVersionKind())
	return copy
}

var counter int

func filled(v reflect.Value) {
	counter++
	moment := time.Date(2026, 2, 3, 4, 5, 6, 123456000, time.UTC).Add(time.Duration(counter) * time.Second)
	switch at := v.Addr().Interface().(type) {
	case *meta.TypeMeta:
		return
	case *meta.Time:
		*at = meta.NewTime(moment.Truncate(time.Second))
		return
	case *meta.MicroTime:
		*at = meta.NewMicroTime(moment)
		return
	case *meta.Duration:
		at.Duration = time.Duration(counter) * time.Second
		return
	case *resource.Quantity:
		*at = resource.MustParse(fmt.Sprintf("%dMi", counter))
		return
	case *intstr.IntOrString:
		*at = intstr.FromInt32(int32(counter))
		if counter%2 == 0 {
			*at = intstr.FromString(fmt.Sprintf("%d%%", counter))
		}
		return
	case *meta.FieldsV1:
		at.Raw = []byte(`{"f:data":{}}`)
		return
	case *[]byte:
		*at = []byte{0xff, 0, byte(counter)}
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		filled(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			filled(v.Field(i))
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		filled(v.Index(0))
		if v.Type().Elem().Kind() != reflect.Struct {
			filled(v.Index(1))
		} else {
			v.Set(v.Slice(0, 1))
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for i := range 2 {
			element := reflect.New(v.Type().Elem()).Elem()
			if i == 0 {
				filled(element)
			}
			v.SetMapIndex(reflect.ValueOf(fmt.Sprintf("key-%d", i)).Convert(v.Type().Key()), element)
		}
	case reflect.String:
		v.SetString(fmt.Sprintf("s%d ü", counter))
	case reflect.Bool:
		v.SetBool(counter%3 != 0)
	case reflect.Int32, reflect.Int64:
		v.SetInt(int64(counter) * (1 - 2*int64(counter%2)))
	case reflect.Float64:
		v.SetFloat(float64(counter) / 4)
	}
}
