# Drives a Kubernetes API as programs in Python do. Usage: drive-kubernetes.py <kubeconfig> <group of Widgets>; prints one line of JSON.
import json
import sys

from kubernetes import client, config, watch
from kubernetes.client.rest import ApiException

config.load_kube_config(sys.argv[1])
group, namespace, saw = sys.argv[2], "default", {}
core = client.CoreV1Api()


def code_of(call):
    try:
        call()
        return 200
    except ApiException as error:
        return error.status


maps = [client.V1ConfigMap(metadata=client.V1ObjectMeta(name=f"py-{n}", labels={"py": "yes"}), data={"n": str(n)}) for n in range(3)]
for one in maps:
    core.create_namespaced_config_map(namespace, one)
listed = core.list_namespaced_config_map(namespace, label_selector="py=yes", limit=2)
rest = core.list_namespaced_config_map(namespace, label_selector="py=yes", limit=2, _continue=listed.metadata._continue)
saw["listed"] = [item.metadata.name for item in listed.items + rest.items]
saw["twice"] = code_of(lambda: core.create_namespaced_config_map(namespace, maps[0]))
read = core.read_namespaced_config_map("py-0", namespace)
read.data = {"n": "9"}
saw["replaced"] = core.replace_namespaced_config_map("py-0", namespace, read).data
saw["conflict"] = code_of(lambda: core.replace_namespaced_config_map("py-0", namespace, read))
saw["patched"] = core.patch_namespaced_config_map("py-0", namespace, {"data": {"m": "1", "n": None}}).data
since, told = core.list_namespaced_config_map(namespace).metadata.resource_version, []
core.delete_namespaced_config_map("py-0", namespace)
core.delete_namespaced_config_map("py-1", namespace)
watcher = watch.Watch()
for event in watcher.stream(core.list_namespaced_config_map, namespace, label_selector="py=yes", resource_version=since, timeout_seconds=60):
    told.append(f"{event['type']} {event['object'].metadata.name}")
    if len(told) == 2:
        watcher.stop()
saw["told"] = told
core.delete_collection_namespaced_config_map(namespace, label_selector="py=yes")
saw["gone"] = code_of(lambda: core.read_namespaced_config_map("py-2", namespace))

custom = client.CustomObjectsApi()
widget = {"apiVersion": f"{group}/v1", "kind": "Widget", "metadata": {"name": "py"}, "spec": {"size": 3}}
made = custom.create_namespaced_custom_object(group, "v1", namespace, "widgets", widget)
saw["custom"] = made["spec"]
status = custom.patch_namespaced_custom_object_status(group, "v1", namespace, "widgets", "py", {"status": {"phase": "Ready"}})
saw["status"] = status["status"]
widget["spec"]["size"] = 1000
saw["invalid"] = code_of(lambda: custom.replace_namespaced_custom_object(group, "v1", namespace, "widgets", "py", {**widget, "metadata": status["metadata"]}))
custom.delete_namespaced_custom_object(group, "v1", namespace, "widgets", "py")

review = client.V1SelfSubjectAccessReview(spec=client.V1SelfSubjectAccessReviewSpec(resource_attributes=client.V1ResourceAttributes(verb="get", resource="secrets")))
saw["allowed"] = client.AuthorizationV1Api().create_self_subject_access_review(review).status.allowed
print(json.dumps(saw))
