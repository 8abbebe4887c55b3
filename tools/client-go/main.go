// Drives a Kubernetes API as programs in Go do: typed and dynamic informers, leader election, JSON and protobuf bodies.
// Usage: drive <kubeconfig> <group of Widgets>; prints what it saw as one line of JSON.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	coordination "k8s.io/api/coordination/v1"
	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

const namespace = "default"

var saw = map[string]any{}

func must[T any](value T, err error) T {
	check(err)
	return value
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func main() {
	ctx, end := context.WithTimeout(context.Background(), 2*time.Minute)
	defer end()
	config := must(clientcmd.BuildConfigFromFlags("", os.Args[1]))
	bodies(ctx, config, "json", "application/json")
	bodies(ctx, config, "protobuf", "application/vnd.kubernetes.protobuf")
	typedInformer(ctx, kubernetes.NewForConfigOrDie(config))
	dynamicInformer(ctx, dynamic.NewForConfigOrDie(config), os.Args[2])
	election(ctx, kubernetes.NewForConfigOrDie(config))
	check(json.NewEncoder(os.Stdout).Encode(saw))
}

// bodies writes and reads a Secret in one language.
func bodies(ctx context.Context, config *rest.Config, name, language string) {
	spoken := rest.CopyConfig(config)
	spoken.ContentType = language
	spoken.AcceptContentTypes = language + ",application/json"
	secrets := kubernetes.NewForConfigOrDie(spoken).CoreV1().Secrets(namespace)
	object := &core.Secret{ObjectMeta: meta.ObjectMeta{Name: "go-" + name}, StringData: map[string]string{"user": "root"}}
	made := must(secrets.Create(ctx, object, meta.CreateOptions{}))
	_, twice := secrets.Create(ctx, object, meta.CreateOptions{})
	stale := made.DeepCopy()
	made.Data["more"] = []byte{0, 1, 2}
	must(secrets.Update(ctx, made, meta.UpdateOptions{}))
	_, conflict := secrets.Update(ctx, stale, meta.UpdateOptions{})
	patched := must(secrets.Patch(ctx, made.Name, types.StrategicMergePatchType, []byte(`{"metadata":{"labels":{"a":"b"}}}`), meta.PatchOptions{}))
	check(secrets.Delete(ctx, made.Name, meta.DeleteOptions{}))
	_, gone := secrets.Get(ctx, made.Name, meta.GetOptions{})
	saw[name] = map[string]any{
		"type": patched.Type, "user": string(patched.Data["user"]), "more": patched.Data["more"], "labels": patched.Labels,
		"twice": errors.IsAlreadyExists(twice), "conflict": errors.IsConflict(conflict), "gone": errors.IsNotFound(gone),
	}
}

// heard gathers what an informer tells of one name, until it is deleted.
func heard(name string, informer cache.SharedIndexInformer) <-chan []string {
	done := make(chan []string, 1)
	var lines []string
	named := func(object any) bool { return object.(meta.Object).GetName() == name }
	must(informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(object any) {
			if named(object) {
				lines = append(lines, "add")
			}
		},
		UpdateFunc: func(before, object any) {
			// A resync tells the same again.
			if named(object) && before.(meta.Object).GetResourceVersion() != object.(meta.Object).GetResourceVersion() {
				lines = append(lines, "update")
			}
		},
		DeleteFunc: func(object any) {
			if named(object) {
				done <- append(lines, "delete")
			}
		},
	}))
	return done
}

func typedInformer(ctx context.Context, client kubernetes.Interface) {
	factory := informers.NewSharedInformerFactoryWithOptions(client, time.Minute, informers.WithNamespace(namespace))
	informer := factory.Core().V1().ConfigMaps().Informer()
	told := heard("go-typed", informer)
	factory.Start(ctx.Done())
	cache.WaitForCacheSync(ctx.Done(), informer.HasSynced)
	maps := client.CoreV1().ConfigMaps(namespace)
	must(maps.Create(ctx, &core.ConfigMap{ObjectMeta: meta.ObjectMeta{Name: "go-typed"}}, meta.CreateOptions{}))
	must(maps.Patch(ctx, "go-typed", types.MergePatchType, []byte(`{"data":{"a":"1"}}`), meta.PatchOptions{}))
	check(maps.Delete(ctx, "go-typed", meta.DeleteOptions{}))
	saw["typed"] = <-told
}

func dynamicInformer(ctx context.Context, client dynamic.Interface, group string) {
	resource := schema.GroupVersionResource{Group: group, Version: "v1", Resource: "widgets"}
	factory := dynamicinformer.NewFilteredDynamicSharedInformerFactory(client, time.Minute, namespace, nil)
	informer := factory.ForResource(resource).Informer()
	told := heard("go-dynamic", informer)
	factory.Start(ctx.Done())
	cache.WaitForCacheSync(ctx.Done(), informer.HasSynced)
	widgets := client.Resource(resource).Namespace(namespace)
	object := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": group + "/v1", "kind": "Widget", "metadata": map[string]any{"name": "go-dynamic"}, "spec": map[string]any{"size": int64(3)},
	}}
	made := must(widgets.Create(ctx, object, meta.CreateOptions{}))
	color, _, _ := unstructured.NestedString(made.Object, "spec", "color")
	made.Object["status"] = map[string]any{"phase": "Ready"}
	updated := must(widgets.UpdateStatus(ctx, made, meta.UpdateOptions{}))
	phase, _, _ := unstructured.NestedString(updated.Object, "status", "phase")
	check(widgets.Delete(ctx, "go-dynamic", meta.DeleteOptions{}))
	saw["dynamic"] = map[string]any{"told": <-told, "color": color, "phase": phase}
}

// election runs for the lease alone, wins it, and keeps it.
func election(ctx context.Context, client kubernetes.Interface) {
	lock := must(resourcelock.New(resourcelock.LeasesResourceLock, namespace, "go-leader", client.CoreV1(), client.CoordinationV1(),
		resourcelock.ResourceLockConfig{Identity: "me"}))
	read := func() *coordination.Lease {
		return must(client.CoordinationV1().Leases(namespace).Get(ctx, "go-leader", meta.GetOptions{}))
	}
	running, stop := context.WithCancel(ctx)
	done := make(chan struct{})
	leaderelection.RunOrDie(running, leaderelection.LeaderElectionConfig{
		Lock: lock, LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 500 * time.Millisecond,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(context.Context) {
				defer close(done)
				first := read()
				saw["led by"] = *first.Spec.HolderIdentity
				for ctx.Err() == nil && !read().Spec.RenewTime.After(first.Spec.RenewTime.Time) {
					time.Sleep(50 * time.Millisecond)
				}
				saw["renewed"] = ctx.Err() == nil
				stop()
			},
			OnStoppedLeading: func() {},
		},
	})
	<-done
	check(client.CoordinationV1().Leases(namespace).Delete(ctx, "go-leader", meta.DeleteOptions{}))
}
