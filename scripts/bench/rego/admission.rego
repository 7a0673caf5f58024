# Admission of workloads to a cluster: what a platform team asks of every container it runs.
#
# input.review.object is the object; data.params holds the tenant's settings. A reason in `deny` refuses,
# a reason in `warn` is shown to the author. Every reason names the rule, so that it can be looked up.
package admission

default allow := false

allow if {
	known_kind
	count(deny) == 0
}

allow if exempt

decision := {
	"allowed": allow,
	"deny": sort(deny),
	"warn": sort(warn),
	"score": score,
}

# --- the object under review -------------------------------------------------------------------

object_kind := input.review.object.kind

object_name := input.review.object.metadata.name

namespace := object.get(input.review.object.metadata, "namespace", "default")

labels := object.get(input.review.object.metadata, "labels", {})

annotations := object.get(input.review.object.metadata, "annotations", {})

workload_kinds := {"Pod", "Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "Job", "CronJob"}

service_kinds := {"Service", "Ingress", "NetworkPolicy"}

access_kinds := {"Role", "ClusterRole", "RoleBinding", "ClusterRoleBinding", "ServiceAccount"}

known_kind if object_kind in workload_kinds

known_kind if object_kind in service_kinds

known_kind if object_kind in access_kinds

known_kind if object_kind in {"ConfigMap", "Secret", "PersistentVolumeClaim"}

deny contains reason("kind-unknown", sprintf("kind %q is not admitted", [object_kind])) if not known_kind

pod := input.review.object if object_kind == "Pod"

pod := input.review.object.spec.template if {
	object_kind in {"Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "Job"}
}

pod := input.review.object.spec.jobTemplate.spec.template if object_kind == "CronJob"

pod_spec := pod.spec

pod_labels := object.get(object.get(pod, "metadata", {}), "labels", {})

pod_annotations := object.get(object.get(pod, "metadata", {}), "annotations", {})

security_context := object.get(pod_spec, "securityContext", {})

main_containers := object.get(pod_spec, "containers", [])

init_containers := object.get(pod_spec, "initContainers", [])

ephemeral_containers := object.get(pod_spec, "ephemeralContainers", [])

containers := array.concat(array.concat(main_containers, init_containers), ephemeral_containers)

volumes := object.get(pod_spec, "volumes", [])

container_security(container) := object.get(container, "securityContext", {})

container_capabilities(container) := object.get(container_security(container), "capabilities", {})

dropped(container) := {upper(name) | some name in object.get(container_capabilities(container), "drop", [])}

added(container) := {upper(name) | some name in object.get(container_capabilities(container), "add", [])}

# --- settings with their defaults --------------------------------------------------------------

settings := object.union(default_settings, data.params)

default_settings := {
	"registries": ["registry.example/", "mirror.example/library/"],
	"required_labels": ["app.example/name", "app.example/owner", "app.example/tier"],
	"exempt_namespaces": ["platform-system"],
	"exempt_users": [],
	"max_cpu_milli": 4000,
	"max_memory": "8Gi",
	"max_replicas": 50,
	"min_replicas": {"critical": 3, "standard": 2, "batch": 1},
	"allowed_capabilities": ["NET_BIND_SERVICE"],
	"allowed_host_paths": [],
	"allowed_sysctls": ["net.ipv4.ip_local_port_range", "net.ipv4.tcp_syncookies"],
	"allowed_seccomp": ["RuntimeDefault", "Localhost"],
	"allowed_runtime_classes": ["", "sandboxed"],
	"allowed_ports": {"low": 1024, "high": 32767},
	"forbidden_ports": [2375, 2376, 10250],
	"tiers": ["critical", "standard", "batch"],
	"domains": ["apps.example", "internal.example"],
	"digest_tiers": ["critical"],
	"max_age_days": 90,
}

# --- exemptions --------------------------------------------------------------------------------

exempt if namespace in settings.exempt_namespaces

exempt if {
	some user in settings.exempt_users
	user == input.review.user.name
}

exempt if {
	"breakglass" in object.get(input.review.user, "groups", [])
	annotations["admission.example/breakglass"] == "approved"
	regex.match(`^INC-[0-9]{4,8}$`, annotations["admission.example/incident"])
}

# --- helpers -----------------------------------------------------------------------------------

reason(rule, text) := sprintf("%s: %s", [rule, text])

is_true(object_, key) if object.get(object_, key, false) == true

starts_with_any(text, prefixes) if {
	some prefix in prefixes
	startswith(text, prefix)
}

ends_with_any(text, suffixes) if {
	some suffix in suffixes
	endswith(text, suffix)
}

tier := labels["app.example/tier"]

default_tier := "standard"

effective_tier := tier if tier in settings.tiers

else := default_tier

image_parts(image) := {"name": name, "tag": tag, "digest": digest} if {
	contains(image, "@")
	[name, digest] := split(image, "@")
	tag := ""
}

else := {"name": name, "tag": tag, "digest": ""} if {
	segments := split(image, "/")
	last := segments[count(segments) - 1]
	contains(last, ":")
	[_, tag] := split(last, ":")
	name := trim_suffix(image, sprintf(":%s", [tag]))
}

else := {"name": image, "tag": "latest", "digest": ""}

cpu_milli(quantity) := to_number(trim_suffix(quantity, "m")) if {
	is_string(quantity)
	endswith(quantity, "m")
}

cpu_milli(quantity) := to_number(quantity) * 1000 if {
	is_string(quantity)
	not endswith(quantity, "m")
}

cpu_milli(quantity) := quantity * 1000 if is_number(quantity)

memory_bytes(quantity) := units.parse_bytes(quantity) if is_string(quantity)

memory_bytes(quantity) := quantity if is_number(quantity)

resource(container, group, name) := object.get(object.get(object.get(container, "resources", {}), group, {}), name, null)

# --- metadata ----------------------------------------------------------------------------------

deny contains reason("name-invalid", sprintf("%q is no DNS label", [object_name])) if {
	not regex.match(`^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$`, object_name)
}

deny contains reason("name-reserved", sprintf("names beginning with %q are reserved", [prefix])) if {
	some prefix in ["kube-", "system-", "platform-"]
	startswith(object_name, prefix)
}

deny contains reason("namespace-default", "workloads do not run in the default namespace") if {
	object_kind in workload_kinds
	namespace == "default"
}

deny contains reason("label-missing", sprintf("label %s is required", [label])) if {
	some label in settings.required_labels
	not labels[label]
}

deny contains reason("label-empty", sprintf("label %s is empty", [label])) if {
	some label in settings.required_labels
	trim_space(labels[label]) == ""
}

deny contains reason("label-format", sprintf("label %s=%s has a value of a wrong form", [key, value])) if {
	some key, value in labels
	not regex.match(`^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$`, value)
	value != ""
}

deny contains reason("tier-unknown", sprintf("tier %q is none of %v", [tier, settings.tiers])) if {
	not tier in settings.tiers
}

deny contains reason("annotation-large", sprintf("annotation %s exceeds 4096 characters", [key])) if {
	some key, value in annotations
	count(value) > 4096
}

deny contains reason("annotation-owner", sprintf("%q is no mail address", [mail])) if {
	mail := annotations["app.example/contact"]
	not regex.match(`^[a-z0-9._%+-]+@[a-z0-9.-]+\.[a-z]{2,}$`, mail)
}

warn contains reason("annotation-contact", "a contact annotation helps whoever is on call") if {
	object_kind in workload_kinds
	not annotations["app.example/contact"]
}

deny contains reason("labels-differ", sprintf("pod label %s differs from the object's", [label])) if {
	some label in settings.required_labels
	pod_labels[label] != labels[label]
}

deny contains reason("selector-mismatch", sprintf("selector %s=%s selects none of its own pods", [key, value])) if {
	some key, value in input.review.object.spec.selector.matchLabels
	object.get(pod_labels, key, null) != value
}

# --- images ------------------------------------------------------------------------------------

deny contains reason("image-registry", sprintf("image %s of %s comes from no allowed registry", [container.image, container.name])) if {
	some container in containers
	not starts_with_any(container.image, settings.registries)
}

deny contains reason("image-latest", sprintf("image %s of %s has a moving tag", [container.image, container.name])) if {
	some container in containers
	image_parts(container.image).tag in {"latest", "stable", "edge", "nightly", "main", "master"}
}

deny contains reason("image-digest", sprintf("tier %s pins images by digest: %s", [effective_tier, container.image])) if {
	effective_tier in settings.digest_tiers
	some container in containers
	image_parts(container.image).digest == ""
}

deny contains reason("image-digest-form", sprintf("digest of %s is no sha256", [container.name])) if {
	some container in containers
	digest := image_parts(container.image).digest
	digest != ""
	not regex.match(`^sha256:[0-9a-f]{64}$`, digest)
}

deny contains reason("image-version", sprintf("tag %s of %s is no semantic version", [tag, container.name])) if {
	some container in main_containers
	tag := image_parts(container.image).tag
	tag != ""
	not tag in {"latest", "stable", "edge", "nightly", "main", "master"}
	not semver.is_valid(trim_prefix(tag, "v"))
}

deny contains reason("image-old", sprintf("%s is older than %s, the least version of %s", [tag, least, name])) if {
	some container in main_containers
	parts := image_parts(container.image)
	some name, least in object.get(settings, "least_versions", {})
	endswith(parts.name, name)
	tag := trim_prefix(parts.tag, "v")
	semver.is_valid(tag)
	semver.compare(tag, least) < 0
}

deny contains reason("image-blocked", sprintf("image %s is blocked: %s", [container.image, entry.why])) if {
	some container in containers
	some entry in object.get(settings, "blocked_images", [])
	glob.match(entry.pattern, ["/"], image_parts(container.image).name)
}

warn contains reason("image-pull-always", sprintf("%s pulls its image at each start", [container.name])) if {
	some container in containers
	container.imagePullPolicy == "Always"
	image_parts(container.image).digest != ""
}

deny contains reason("pull-secret", sprintf("pull secret %s is not the tenant's", [secret.name])) if {
	some secret in object.get(pod_spec, "imagePullSecrets", [])
	not startswith(secret.name, sprintf("%s-", [namespace]))
	not secret.name in object.get(settings, "shared_pull_secrets", [])
}

# --- privileges --------------------------------------------------------------------------------

deny contains reason("privileged", sprintf("container %s is privileged", [container.name])) if {
	some container in containers
	is_true(container_security(container), "privileged")
}

deny contains reason("escalation", sprintf("container %s may gain privileges", [container.name])) if {
	some container in containers
	object.get(container_security(container), "allowPrivilegeEscalation", true) != false
}

deny contains reason("root-filesystem", sprintf("container %s can write its root file system", [container.name])) if {
	some container in containers
	not is_true(container_security(container), "readOnlyRootFilesystem")
	not writable_allowed(container)
}

writable_allowed(container) if {
	some name in object.get(settings, "writable_containers", [])
	name == container.name
}

writable_allowed(_) if pod_annotations["admission.example/writable-root"] == "accepted"

deny contains reason("run-as-root", sprintf("container %s may run as root", [container.name])) if {
	some container in containers
	not non_root(container)
}

non_root(container) if is_true(container_security(container), "runAsNonRoot")

non_root(container) if {
	object.get(container_security(container), "runAsNonRoot", null) == null
	is_true(security_context, "runAsNonRoot")
}

deny contains reason("user-zero", sprintf("container %s runs as user 0", [container.name])) if {
	some container in containers
	container_security(container).runAsUser == 0
}

deny contains reason("user-low", sprintf("container %s runs as user %d, below 10000", [container.name, user])) if {
	some container in containers
	user := object.get(container_security(container), "runAsUser", object.get(security_context, "runAsUser", 10000))
	user > 0
	user < 10000
}

deny contains reason("group-zero", sprintf("container %s runs as group 0", [container.name])) if {
	some container in containers
	object.get(container_security(container), "runAsGroup", object.get(security_context, "runAsGroup", 10000)) == 0
}

deny contains reason("supplemental-group", sprintf("supplemental group %d is below 10000", [group])) if {
	some group in object.get(security_context, "supplementalGroups", [])
	group < 10000
}

deny contains reason("capabilities-drop", sprintf("container %s keeps the default capabilities", [container.name])) if {
	some container in containers
	not "ALL" in dropped(container)
}

deny contains reason("capabilities-add", sprintf("container %s adds %s", [container.name, capability])) if {
	some container in containers
	some capability in added(container)
	not capability in settings.allowed_capabilities
}

deny contains reason("proc-mount", sprintf("container %s unmasks /proc", [container.name])) if {
	some container in containers
	object.get(container_security(container), "procMount", "Default") != "Default"
}

deny contains reason("seccomp", sprintf("container %s has no allowed seccomp profile", [container.name])) if {
	some container in containers
	not seccomp_profile(container) in settings.allowed_seccomp
}

seccomp_profile(container) := type if {
	type := container_security(container).seccompProfile.type
} else := type if {
	type := security_context.seccompProfile.type
} else := "Unconfined"

deny contains reason("selinux-type", sprintf("container %s has SELinux type %s", [container.name, type])) if {
	some container in containers
	type := container_security(container).seLinuxOptions.type
	not type in {"container_t", "container_init_t", "container_kvm_t"}
}

deny contains reason("selinux-user", sprintf("container %s sets the SELinux user or role", [container.name])) if {
	some container in containers
	some key in ["user", "role"]
	object.get(object.get(container_security(container), "seLinuxOptions", {}), key, "") != ""
}

deny contains reason("apparmor", sprintf("%s runs with AppArmor profile %s", [key, profile])) if {
	some key, profile in pod_annotations
	startswith(key, "container.apparmor.security.beta.kubernetes.io/")
	not profile == "runtime/default"
	not startswith(profile, "localhost/")
}

deny contains reason("windows-host-process", sprintf("container %s is a host process", [container.name])) if {
	some container in containers
	container_security(container).windowsOptions.hostProcess == true
}

deny contains reason("hostnetwork", "the pod shares the host's network") if is_true(pod_spec, "hostNetwork")

deny contains reason("hostpid", "the pod shares the host's process ids") if is_true(pod_spec, "hostPID")

deny contains reason("hostipc", "the pod shares the host's inter-process communication") if is_true(pod_spec, "hostIPC")

deny contains reason("host-users", "the pod shares the host's users") if {
	effective_tier == "critical"
	object.get(pod_spec, "hostUsers", true) != false
	object.get(settings, "user_namespaces", false) == true
}

deny contains reason("host-port", sprintf("container %s takes port %d of the host", [container.name, port.hostPort])) if {
	some container in containers
	some port in object.get(container, "ports", [])
	port.hostPort != 0
}

deny contains reason("host-alias", sprintf("host alias %s is not allowed", [entry.ip])) if {
	some entry in object.get(pod_spec, "hostAliases", [])
	not net.cidr_contains("10.0.0.0/8", entry.ip)
}

deny contains reason("sysctl", sprintf("sysctl %s is not allowed", [sysctl.name])) if {
	some sysctl in object.get(security_context, "sysctls", [])
	not sysctl.name in settings.allowed_sysctls
}

deny contains reason("runtime-class", sprintf("runtime class %q is not allowed", [class])) if {
	class := object.get(pod_spec, "runtimeClassName", "")
	not class in settings.allowed_runtime_classes
}

deny contains reason("share-process", "containers share one process namespace") if is_true(pod_spec, "shareProcessNamespace")

deny contains reason("service-links", "service links leak addresses into the environment") if {
	effective_tier == "critical"
	object.get(pod_spec, "enableServiceLinks", true) != false
}

# --- volumes -----------------------------------------------------------------------------------

volume_types := {"configMap", "emptyDir", "projected", "secret", "downwardAPI", "persistentVolumeClaim", "ephemeral", "csi"}

deny contains reason("volume-type", sprintf("volume %s is a %s", [volume.name, type])) if {
	some volume in volumes
	some type, _ in object.remove(volume, ["name"])
	not type in volume_types
	type != "hostPath"
}

deny contains reason("host-path", sprintf("volume %s mounts %s of the host", [volume.name, volume.hostPath.path])) if {
	some volume in volumes
	volume.hostPath
	not host_path_allowed(volume.hostPath.path)
}

host_path_allowed(path) if {
	some entry in settings.allowed_host_paths
	path == entry
}

host_path_allowed(path) if {
	some entry in settings.allowed_host_paths
	startswith(path, sprintf("%s/", [trim_suffix(entry, "/")]))
	not contains(path, "..")
}

deny contains reason("host-path-writable", sprintf("container %s writes host path of volume %s", [container.name, mount.name])) if {
	some volume in volumes
	volume.hostPath
	some container in containers
	some mount in object.get(container, "volumeMounts", [])
	mount.name == volume.name
	not is_true(mount, "readOnly")
}

deny contains reason("empty-dir-size", sprintf("volume %s has no size limit", [volume.name])) if {
	some volume in volumes
	volume.emptyDir
	not volume.emptyDir.sizeLimit
}

deny contains reason("empty-dir-memory", sprintf("volume %s takes more than 1Gi of memory", [volume.name])) if {
	some volume in volumes
	volume.emptyDir.medium == "Memory"
	units.parse_bytes(volume.emptyDir.sizeLimit) > 1073741824
}

deny contains reason("mount-unknown", sprintf("container %s mounts volume %s, which is not declared", [container.name, mount.name])) if {
	declared := {volume.name | some volume in volumes}
	some container in containers
	some mount in object.get(container, "volumeMounts", [])
	not mount.name in declared
}

deny contains reason("mount-propagation", sprintf("container %s propagates mounts", [container.name])) if {
	some container in containers
	some mount in object.get(container, "volumeMounts", [])
	mount.mountPropagation == "Bidirectional"
}

deny contains reason("mount-sensitive", sprintf("container %s mounts over %s", [container.name, mount.mountPath])) if {
	some container in containers
	some mount in object.get(container, "volumeMounts", [])
	starts_with_any(mount.mountPath, ["/proc", "/sys", "/dev", "/etc/kubernetes", "/var/run/docker.sock"])
}

deny contains reason("mount-twice", sprintf("container %s mounts %s twice", [container.name, path])) if {
	some container in containers
	mounts := object.get(container, "volumeMounts", [])
	paths := {mount.mountPath | some mount in mounts}
	count(paths) < count(mounts)
	some path in paths
	count([1 | some mount in mounts; mount.mountPath == path]) > 1
}

warn contains reason("volume-unused", sprintf("volume %s is mounted by nobody", [name])) if {
	mounted := {mount.name |
		some container in containers
		some mount in object.get(container, "volumeMounts", [])
	}
	declared := {volume.name | some volume in volumes}
	some name in (declared - mounted)
}

deny contains reason("secret-mode", sprintf("volume %s is readable by all", [volume.name])) if {
	some volume in volumes
	bits.and(volume.secret.defaultMode, 7) != 0
}

# --- resources ---------------------------------------------------------------------------------

deny contains reason("cpu-requests", sprintf("container %s sets no cpu in requests", [container.name])) if {
	some container in main_containers
	resource(container, "requests", "cpu") == null
}

deny contains reason("memory-requests", sprintf("container %s sets no memory in requests", [container.name])) if {
	some container in main_containers
	resource(container, "requests", "memory") == null
}

deny contains reason("memory-limits", sprintf("container %s sets no memory in limits", [container.name])) if {
	some container in main_containers
	resource(container, "limits", "memory") == null
}

deny contains reason("cpu-large", sprintf("container %s asks for %vm of cpu, more than %v", [container.name, asked, settings.max_cpu_milli])) if {
	some container in main_containers
	asked := cpu_milli(resource(container, "requests", "cpu"))
	asked > settings.max_cpu_milli
}

deny contains reason("memory-large", sprintf("container %s asks for more memory than %s", [container.name, settings.max_memory])) if {
	some container in main_containers
	memory_bytes(resource(container, "limits", "memory")) > units.parse_bytes(settings.max_memory)
}

deny contains reason("memory-overcommit", sprintf("container %s may use more than twice what it asks for", [container.name])) if {
	some container in main_containers
	asked := memory_bytes(resource(container, "requests", "memory"))
	most := memory_bytes(resource(container, "limits", "memory"))
	most > asked * 2
}

deny contains reason("memory-inverted", sprintf("container %s asks for more memory than its limit", [container.name])) if {
	some container in main_containers
	asked := memory_bytes(resource(container, "requests", "memory"))
	most := memory_bytes(resource(container, "limits", "memory"))
	asked > most
}

total_cpu := sum([cpu_milli(quantity) |
	some container in main_containers
	quantity := resource(container, "requests", "cpu")
	quantity != null
])

total_memory := sum([memory_bytes(quantity) |
	some container in main_containers
	quantity := resource(container, "requests", "memory")
	quantity != null
])

deny contains reason("pod-cpu", sprintf("the pod asks for %vm of cpu in sum", [total_cpu])) if {
	total_cpu > settings.max_cpu_milli * 2
}

deny contains reason("pod-memory", sprintf("the pod asks for %v bytes of memory in sum", [total_memory])) if {
	total_memory > units.parse_bytes(settings.max_memory) * 2
}

deny contains reason("extended-resource", sprintf("container %s takes %s", [container.name, name])) if {
	some container in containers
	some name, _ in object.get(object.get(container, "resources", {}), "limits", {})
	contains(name, "/")
	not name in object.get(settings, "extended_resources", [])
}

# --- replicas and disruption ---------------------------------------------------------------------

replicas := object.get(input.review.object.spec, "replicas", 1)

deny contains reason("replicas-few", sprintf("tier %s runs %d replicas at least", [effective_tier, least])) if {
	object_kind in {"Deployment", "StatefulSet"}
	least := settings.min_replicas[effective_tier]
	replicas < least
}

deny contains reason("replicas-many", sprintf("%d replicas are more than %d", [replicas, settings.max_replicas])) if {
	object_kind in {"Deployment", "StatefulSet", "ReplicaSet"}
	replicas > settings.max_replicas
}

deny contains reason("spread", "critical workloads spread over zones") if {
	effective_tier == "critical"
	object_kind in {"Deployment", "StatefulSet"}
	not spread_over("topology.kubernetes.io/zone")
}

spread_over(key) if {
	some constraint in object.get(pod_spec, "topologySpreadConstraints", [])
	constraint.topologyKey == key
	constraint.maxSkew <= 2
}

spread_over(key) if {
	some term in pod_spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution
	term.topologyKey == key
}

deny contains reason("strategy", "critical deployments roll without an outage") if {
	effective_tier == "critical"
	object_kind == "Deployment"
	not rolls_safely
}

rolls_safely if {
	strategy := input.review.object.spec.strategy
	strategy.type == "RollingUpdate"
	strategy.rollingUpdate.maxUnavailable == 0
}

deny contains reason("grace", sprintf("a grace period of %d seconds is too long", [seconds])) if {
	seconds := pod_spec.terminationGracePeriodSeconds
	seconds > 600
}

deny contains reason("job-deadline", "jobs have a deadline") if {
	object_kind == "Job"
	not input.review.object.spec.activeDeadlineSeconds
}

deny contains reason("job-retries", sprintf("%d retries are too many", [retries])) if {
	object_kind == "Job"
	retries := object.get(input.review.object.spec, "backoffLimit", 6)
	retries > 10
}

deny contains reason("cron-overlap", "runs of a cron job do not overlap") if {
	object_kind == "CronJob"
	object.get(input.review.object.spec, "concurrencyPolicy", "Allow") == "Allow"
}

deny contains reason("cron-schedule", sprintf("%q is no schedule", [schedule])) if {
	object_kind == "CronJob"
	schedule := input.review.object.spec.schedule
	count(split(schedule, " ")) != 5
}

deny contains reason("cron-minutely", "cron jobs do not run each minute") if {
	object_kind == "CronJob"
	split(input.review.object.spec.schedule, " ")[0] in {"*", "*/1", "*/2"}
}

deny contains reason("priority", sprintf("priority class %s is not the tier's", [class])) if {
	class := pod_spec.priorityClassName
	allowed := {"critical": {"tenant-critical"}, "standard": {"tenant-standard", ""}, "batch": {"tenant-batch", ""}}
	not class in allowed[effective_tier]
}

deny contains reason("toleration", sprintf("toleration of %s is not allowed", [key])) if {
	some toleration in object.get(pod_spec, "tolerations", [])
	key := object.get(toleration, "key", "*")
	not startswith(key, "tenant.example/")
	not key in {"node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"}
}

deny contains reason("node-name", "pods do not choose their node") if pod_spec.nodeName

deny contains reason("node-selector", sprintf("node selector %s is reserved", [key])) if {
	some key, _ in object.get(pod_spec, "nodeSelector", {})
	starts_with_any(key, ["node-role.kubernetes.io/", "platform.example/"])
}

# --- probes and life cycle -------------------------------------------------------------------------

long_running if object_kind in {"Deployment", "StatefulSet", "DaemonSet"}

deny contains reason("readinessprobe", sprintf("container %s has no readinessProbe", [container.name])) if {
	long_running
	some container in main_containers
	not container.readinessProbe
}

deny contains reason("livenessprobe", sprintf("container %s has no livenessProbe", [container.name])) if {
	long_running
	some container in main_containers
	not container.livenessProbe
}

warn contains reason("startupprobe", sprintf("container %s has no startupProbe", [container.name])) if {
	long_running
	some container in main_containers
	not container.startupProbe
}

deny contains reason("probe-port", sprintf("probe %s of %s asks an undeclared port", [kind, container.name])) if {
	some container in main_containers
	some kind in ["readinessProbe", "livenessProbe", "startupProbe"]
	port := container[kind].httpGet.port
	is_number(port)
	not port in {entry.containerPort | some entry in object.get(container, "ports", [])}
}

deny contains reason("probe-same", sprintf("readiness and liveness of %s are one probe", [container.name])) if {
	effective_tier == "critical"
	some container in main_containers
	container.readinessProbe == container.livenessProbe
}

deny contains reason("probe-fast", sprintf("probe %s of %s runs each %d s", [kind, container.name, seconds])) if {
	some container in main_containers
	some kind in ["readinessProbe", "livenessProbe"]
	seconds := container[kind].periodSeconds
	seconds < 2
}

deny contains reason("probe-exec", sprintf("probe %s of %s starts a shell", [kind, container.name])) if {
	some container in main_containers
	some kind in ["readinessProbe", "livenessProbe", "startupProbe"]
	container[kind].exec.command[0] in {"sh", "bash", "/bin/sh", "/bin/bash"}
}

deny contains reason("restart-policy", sprintf("restart policy %s does not suit a %s", [policy, object_kind])) if {
	policy := pod_spec.restartPolicy
	object_kind in {"Job", "CronJob"}
	policy == "Always"
}

deny contains reason("command-shell", sprintf("container %s pipes the network into a shell", [container.name])) if {
	some container in containers
	line := concat(" ", array.concat(object.get(container, "command", []), object.get(container, "args", [])))
	regex.match(`(curl|wget)[^|]*\|[ ]*(ba)?sh`, line)
}

deny contains reason("ports-duplicate", sprintf("container %s declares port %d twice", [container.name, port])) if {
	some container in main_containers
	ports := [entry.containerPort | some entry in object.get(container, "ports", [])]
	some i, port in ports
	some j, other in ports
	i < j
	port == other
}

deny contains reason("port-range", sprintf("port %d of %s is outside %d-%d", [port.containerPort, container.name, settings.allowed_ports.low, settings.allowed_ports.high])) if {
	some container in main_containers
	some port in object.get(container, "ports", [])
	not port_in_range(port.containerPort)
}

port_in_range(port) if {
	port >= settings.allowed_ports.low
	port <= settings.allowed_ports.high
}

deny contains reason("port-forbidden", sprintf("port %d of %s is forbidden", [port.containerPort, container.name])) if {
	some container in main_containers
	some port in object.get(container, "ports", [])
	port.containerPort in settings.forbidden_ports
}

deny contains reason("port-name", sprintf("port %d of %s has no name", [port.containerPort, container.name])) if {
	some container in main_containers
	some port in object.get(container, "ports", [])
	count(object.get(container, "ports", [])) > 1
	object.get(port, "name", "") == ""
}

deny contains reason("containers-same-name", sprintf("two containers are named %s", [name])) if {
	names := [container.name | some container in containers]
	some name in names
	count([1 | some other in names; other == name]) > 1
}

# --- environment -----------------------------------------------------------------------------------

secret_words := {"password", "passwd", "secret", "token", "apikey", "api_key", "private_key", "credential"}

deny contains reason("env-secret", sprintf("variable %s of %s carries a secret in clear", [variable.name, container.name])) if {
	some container in containers
	some variable in object.get(container, "env", [])
	object.get(variable, "value", "") != ""
	some word in secret_words
	contains(lower(variable.name), word)
	not ends_with_any(lower(variable.name), ["_file", "_path", "_url", "_ttl"])
}

deny contains reason("env-key", sprintf("variable %s of %s looks like a key", [variable.name, container.name])) if {
	some container in containers
	some variable in object.get(container, "env", [])
	regex.match(`^(AKIA[0-9A-Z]{16}|ghp_[A-Za-z0-9]{36}|-----BEGIN [A-Z ]*PRIVATE KEY-----)`, object.get(variable, "value", ""))
}

deny contains reason("env-duplicate", sprintf("variable %s of %s is set twice", [name, container.name])) if {
	some container in containers
	names := [variable.name | some variable in object.get(container, "env", [])]
	unique := {name | some name in names}
	count(unique) < count(names)
	some name in unique
	count([1 | some other in names; other == name]) > 1
}

deny contains reason("env-form", sprintf("variable %q of %s has a wrong name", [variable.name, container.name])) if {
	some container in containers
	some variable in object.get(container, "env", [])
	not regex.match(`^[A-Z_][A-Z0-9_]*$`, variable.name)
}

deny contains reason("env-proxy", sprintf("variable %s of %s overrides the proxy", [variable.name, container.name])) if {
	some container in containers
	some variable in object.get(container, "env", [])
	variable.name in {"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "LD_PRELOAD", "NODE_OPTIONS"}
}

deny contains reason("env-foreign-secret", sprintf("container %s reads secret %s of another tenant", [container.name, name])) if {
	some container in containers
	some variable in object.get(container, "env", [])
	name := variable.valueFrom.secretKeyRef.name
	startswith(name, "tenant-")
	not startswith(name, sprintf("tenant-%s-", [namespace]))
}

# --- service accounts --------------------------------------------------------------------------------

deny contains reason("account-default", "workloads have a service account of their own") if {
	object_kind in workload_kinds
	object.get(pod_spec, "serviceAccountName", "default") == "default"
}

deny contains reason("account-token", "the token of the service account is mounted without need") if {
	object_kind in workload_kinds
	object.get(pod_spec, "automountServiceAccountToken", true) != false
	not annotations["admission.example/uses-api"] == "true"
}

# --- services ------------------------------------------------------------------------------------------

deny contains reason("service-type", sprintf("services of type %s are not allowed", [type])) if {
	object_kind == "Service"
	type := object.get(input.review.object.spec, "type", "ClusterIP")
	not type in {"ClusterIP", "LoadBalancer"}
}

deny contains reason("balancer-public", "load balancers stay inside unless the tenant may publish") if {
	object_kind == "Service"
	input.review.object.spec.type == "LoadBalancer"
	not annotations["balancer.example/internal"] == "true"
	not object.get(settings, "may_publish", false)
}

deny contains reason("balancer-sources", sprintf("source range %s is open to the world", [range])) if {
	object_kind == "Service"
	some range in object.get(input.review.object.spec, "loadBalancerSourceRanges", [])
	range in {"0.0.0.0/0", "::/0"}
}

deny contains reason("external-ip", sprintf("external address %s", [address])) if {
	object_kind == "Service"
	some address in object.get(input.review.object.spec, "externalIPs", [])
}

deny contains reason("service-selector", "a service selects pods by the name label") if {
	object_kind == "Service"
	not input.review.object.spec.selector["app.example/name"]
}

deny contains reason("service-port", sprintf("port %d is forbidden", [port.port])) if {
	object_kind == "Service"
	some port in input.review.object.spec.ports
	port.port in settings.forbidden_ports
}

# --- ingresses -----------------------------------------------------------------------------------------

ingress_hosts := {rule.host | some rule in input.review.object.spec.rules}

tls_hosts := {host |
	some entry in object.get(input.review.object.spec, "tls", [])
	some host in entry.hosts
}

deny contains reason("ingress-host", sprintf("host %s is outside the tenant's domains", [host])) if {
	object_kind == "Ingress"
	some host in ingress_hosts
	not ends_with_any(host, [sprintf(".%s.%s", [namespace, domain]) | some domain in settings.domains])
}

deny contains reason("ingress-wildcard", sprintf("host %s is a wildcard", [host])) if {
	object_kind == "Ingress"
	some host in ingress_hosts
	startswith(host, "*")
}

deny contains reason("ingress-tls", sprintf("host %s is served without TLS", [host])) if {
	object_kind == "Ingress"
	some host in (ingress_hosts - tls_hosts)
}

deny contains reason("ingress-snippet", sprintf("annotation %s injects configuration", [key])) if {
	object_kind == "Ingress"
	some key, _ in annotations
	endswith(key, "-snippet")
}

deny contains reason("ingress-path", sprintf("path %s climbs", [path.path])) if {
	object_kind == "Ingress"
	some rule in input.review.object.spec.rules
	some path in rule.http.paths
	contains(path.path, "..")
}

# --- network policies ------------------------------------------------------------------------------------

deny contains reason("policy-open", sprintf("%s admits every address", [direction])) if {
	object_kind == "NetworkPolicy"
	some direction, peers in {"ingress": "from", "egress": "to"}
	some rule in object.get(input.review.object.spec, direction, [])
	some peer in rule[peers]
	peer.ipBlock.cidr in {"0.0.0.0/0", "::/0"}
	count(object.get(peer.ipBlock, "except", [])) == 0
}

deny contains reason("policy-metadata", "egress reaches the metadata address") if {
	object_kind == "NetworkPolicy"
	some rule in object.get(input.review.object.spec, "egress", [])
	some peer in rule.to
	net.cidr_contains(peer.ipBlock.cidr, "169.254.169.254")
	not "169.254.169.254/32" in object.get(peer.ipBlock, "except", [])
}

deny contains reason("policy-empty", "a policy names its pods") if {
	object_kind == "NetworkPolicy"
	input.review.object.spec.podSelector == {}
	not annotations["admission.example/namespace-wide"] == "true"
}

# --- access ------------------------------------------------------------------------------------------------

deny contains reason("role-wildcard", sprintf("%s holds a wildcard", [member])) if {
	object_kind in {"Role", "ClusterRole"}
	some rule in input.review.object.rules
	some member in ["verbs", "resources", "apiGroups"]
	"*" in object.get(rule, member, [])
}

deny contains reason("role-secrets", "roles do not read all secrets") if {
	object_kind in {"Role", "ClusterRole"}
	some rule in input.review.object.rules
	"secrets" in rule.resources
	some verb in rule.verbs
	verb in {"get", "list", "watch"}
	count(object.get(rule, "resourceNames", [])) == 0
}

deny contains reason("role-escalate", sprintf("verb %s hands out rights", [verb])) if {
	object_kind in {"Role", "ClusterRole"}
	some rule in input.review.object.rules
	some verb in rule.verbs
	verb in {"escalate", "bind", "impersonate"}
}

deny contains reason("role-exec", "roles do not enter containers") if {
	object_kind in {"Role", "ClusterRole"}
	some rule in input.review.object.rules
	some resource_ in rule.resources
	resource_ in {"pods/exec", "pods/attach", "nodes/proxy"}
}

deny contains reason("binding-admin", sprintf("role %s is not bound by tenants", [name])) if {
	object_kind in {"RoleBinding", "ClusterRoleBinding"}
	name := input.review.object.roleRef.name
	name in {"cluster-admin", "admin", "system:masters"}
}

deny contains reason("binding-anonymous", sprintf("subject %s is everybody", [subject.name])) if {
	object_kind in {"RoleBinding", "ClusterRoleBinding"}
	some subject in object.get(input.review.object, "subjects", [])
	subject.name in {"system:anonymous", "system:unauthenticated", "system:authenticated"}
}

deny contains reason("binding-foreign", sprintf("subject of namespace %s", [subject.namespace])) if {
	object_kind == "RoleBinding"
	some subject in object.get(input.review.object, "subjects", [])
	subject.kind == "ServiceAccount"
	subject.namespace != namespace
}

# --- configuration and storage ---------------------------------------------------------------------------------

deny contains reason("config-secret", sprintf("key %s belongs into a secret", [key])) if {
	object_kind == "ConfigMap"
	some key, _ in object.get(input.review.object, "data", {})
	some word in secret_words
	contains(lower(key), word)
}

deny contains reason("secret-plain", "secrets come from the vault") if {
	object_kind == "Secret"
	not annotations["vault.example/path"]
}

deny contains reason("claim-class", sprintf("storage class %s", [class])) if {
	object_kind == "PersistentVolumeClaim"
	class := input.review.object.spec.storageClassName
	not class in object.get(settings, "storage_classes", ["fast", "standard"])
}

deny contains reason("claim-size", "claims ask for 1Ti at most") if {
	object_kind == "PersistentVolumeClaim"
	units.parse_bytes(input.review.object.spec.resources.requests.storage) > 1099511627776
}

# --- changes ---------------------------------------------------------------------------------------------------

deny contains reason("change-freeze", "no changes in a freeze") if {
	input.review.operation in {"CREATE", "UPDATE"}
	some window in object.get(settings, "freezes", [])
	time.parse_rfc3339_ns(input.review.time) >= time.parse_rfc3339_ns(window.from)
	time.parse_rfc3339_ns(input.review.time) < time.parse_rfc3339_ns(window.to)
	not effective_tier in object.get(window, "except", [])
}

deny contains reason("change-owner", sprintf("owner changes from %s to %s", [old, new])) if {
	input.review.operation == "UPDATE"
	old := input.review.old.metadata.labels["app.example/owner"]
	new := labels["app.example/owner"]
	old != new
	not "owners" in object.get(input.review.user, "groups", [])
}

deny contains reason("review-age", sprintf("the review is %d days old", [days])) if {
	reviewed := time.parse_rfc3339_ns(annotations["app.example/reviewed-at"])
	days := floor((time.parse_rfc3339_ns(input.review.time) - reviewed) / 86400000000000)
	days > settings.max_age_days
}

# --- score -----------------------------------------------------------------------------------------------------

weights := {"privileged": 10, "hostnetwork": 8, "capabilities-add": 6, "run-as-root": 5, "host-path": 5, "image-latest": 3}

score := total if {
	total := sum([weight |
		some text in deny
		rule := split(text, ":")[0]
		weight := object.get(weights, rule, 1)
	])
}

every_container_pinned if {
	every container in containers {
		image_parts(container.image).digest != ""
	}
}

summary := {container.name: facts |
	some container in containers
	facts := {
		"image": image_parts(container.image),
		"capabilities": sort(added(container)),
		"ports": [port.containerPort | some port in object.get(container, "ports", [])],
	}
}
