// Pushes one image of an OCI layout with the library that the oras command is made of: `push <layout> <name:tag> <host>`.
package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"oras.land/oras-go/v2"
	"oras.land/oras-go/v2/content/oci"
	"oras.land/oras-go/v2/registry/remote"
)

func push(layout, name, host string) error {
	ctx := context.Background()
	store, err := oci.NewFromFS(ctx, os.DirFS(layout))
	if err != nil {
		return err
	}
	repository, tag, _ := strings.Cut(name, ":")
	target, err := remote.NewRepository(host + "/" + repository)
	if err != nil {
		return err
	}
	target.PlainHTTP = true
	_, err = oras.Copy(ctx, store, name, target, tag, oras.DefaultCopyOptions)
	return err
}

func main() {
	if len(os.Args) != 5 || os.Args[1] != "push" {
		fmt.Fprintln(os.Stderr, "usage: push <layout> <name:tag> <host>")
		os.Exit(2)
	}
	if err := push(os.Args[2], os.Args[3], os.Args[4]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
