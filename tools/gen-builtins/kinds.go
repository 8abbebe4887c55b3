package main

import (
	authentication "k8s.io/api/authentication/v1"
	authorization "k8s.io/api/authorization/v1"
	autoscaling "k8s.io/api/autoscaling/v1"
	batch "k8s.io/api/batch/v1"
	coordination "k8s.io/api/coordination/v1"
	core "k8s.io/api/core/v1"
	events "k8s.io/api/events/v1"
	rbac "k8s.io/api/rbac/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Every kind that a client may send to us in protobuf, or that we serve with a schema of its own.
var kinds = []struct {
	apiVersion string
	kind       string
	object     any
}{
	{"v1", "Namespace", core.Namespace{}},
	{"v1", "Secret", core.Secret{}},
	{"v1", "ConfigMap", core.ConfigMap{}},
	{"v1", "ServiceAccount", core.ServiceAccount{}},
	{"v1", "Event", core.Event{}},
	{"events.k8s.io/v1", "Event", events.Event{}},
	{"coordination.k8s.io/v1", "Lease", coordination.Lease{}},
	{"batch/v1", "Job", batch.Job{}},
	{"autoscaling/v1", "Scale", autoscaling.Scale{}},
	{"rbac.authorization.k8s.io/v1", "Role", rbac.Role{}},
	{"rbac.authorization.k8s.io/v1", "RoleBinding", rbac.RoleBinding{}},
	{"rbac.authorization.k8s.io/v1", "ClusterRole", rbac.ClusterRole{}},
	{"rbac.authorization.k8s.io/v1", "ClusterRoleBinding", rbac.ClusterRoleBinding{}},
	{"authentication.k8s.io/v1", "TokenRequest", authentication.TokenRequest{}},
	{"authentication.k8s.io/v1", "TokenReview", authentication.TokenReview{}},
	{"authentication.k8s.io/v1", "SelfSubjectReview", authentication.SelfSubjectReview{}},
	{"authorization.k8s.io/v1", "SubjectAccessReview", authorization.SubjectAccessReview{}},
	{"authorization.k8s.io/v1", "LocalSubjectAccessReview", authorization.LocalSubjectAccessReview{}},
	{"authorization.k8s.io/v1", "SelfSubjectAccessReview", authorization.SelfSubjectAccessReview{}},
	{"authorization.k8s.io/v1", "SelfSubjectRulesReview", authorization.SelfSubjectRulesReview{}},
	{"v1", "DeleteOptions", meta.DeleteOptions{}},
	{"v1", "Status", meta.Status{}},
}

// Types that no kind above reaches, but that schemas need.
var extras = []any{meta.ListMeta{}}
