package io.volume4j.examples.agent;

import io.volume4j.examples.commandline.Usage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The requests of each role to the API server, and so the permissions of its user. The RBAC manifests are generated from this table.
 * A test runs each role against a server that allows no more.
 */
enum Permissions {
    CONTROLLERS("every controller, and every part that runs alone") {
        @Override
        List<Rule> rules() {
            return join(
                    List.of(
                            rule(CORE, "nodes", READ, "patch"),
                            rule(CORE, "nodes/status", "patch"),
                            rule(CORE, "pods", READ),
                            // Claims of ephemeral volumes block the deletion of their pod. Admission may require this
                            // then.
                            rule(CORE, "pods/finalizers", "update"),
                            rule(CORE, "persistentvolumes", READ, WRITE),
                            rule(CORE, "persistentvolumes/status", "patch"),
                            rule(CORE, "persistentvolumeclaims", READ, WRITE),
                            rule(CORE, "persistentvolumeclaims/status", "patch"),
                            rule(CORE, "secrets", "get"),
                            rule(STORAGE, "storageclasses csidrivers", LIST),
                            rule(STORAGE, "csinodes", READ),
                            rule(STORAGE, "volumeattributesclasses", READ, "patch"),
                            rule(STORAGE, "volumeattachments csistoragecapacities", READ, WRITE),
                            rule(STORAGE, "volumeattachments/status", "patch"),
                            rule("populator.storage.k8s.io", "volumepopulators", LIST),
                            rule("gateway.networking.k8s.io", "referencegrants", LIST),
                            rule("volume4j.io", "volumemoves", READ, "patch"),
                            rule("volume4j.io", "volumemoves/status", "patch")),
                    SNAPSHOTS,
                    TELLS);
        }
    },
    PROVISIONER("makes and deletes the volumes of one driver") {
        @Override
        List<Rule> rules() {
            return join(
                    List.of(
                            rule(CORE, "nodes", READ),
                            rule(CORE, "pods", LIST),
                            rule(CORE, "persistentvolumes", READ, WRITE),
                            rule(CORE, "persistentvolumes/status", "patch"),
                            rule(CORE, "persistentvolumeclaims", READ, "patch"),
                            rule(CORE, "secrets", "get"),
                            rule(STORAGE, "storageclasses volumeattachments", LIST),
                            rule(STORAGE, "csinodes", READ),
                            rule(STORAGE, "csistoragecapacities", READ, WRITE),
                            rule(STORAGE, "volumeattributesclasses", "get"),
                            rule("snapshot.storage.k8s.io", "volumesnapshots volumesnapshotcontents", LIST)),
                    TELLS);
        }
    },
    ATTACHER("carries out the VolumeAttachments of one driver") {
        @Override
        List<Rule> rules() {
            return join(
                    List.of(
                            rule(CORE, "nodes", "get"),
                            rule(CORE, "persistentvolumes", READ, "patch"),
                            rule(CORE, "secrets", "get"),
                            rule(STORAGE, "csinodes", "get"),
                            rule(STORAGE, "volumeattachments", READ, "patch"),
                            rule(STORAGE, "volumeattachments/status", "patch")),
                    LEADS);
        }
    },
    RESIZER("grows the volumes of one driver and changes their attributes") {
        @Override
        List<Rule> rules() {
            return join(
                    List.of(
                            rule(CORE, "nodes pods", LIST),
                            rule(CORE, "persistentvolumes", READ, "patch"),
                            rule(CORE, "persistentvolumeclaims", READ),
                            rule(CORE, "persistentvolumeclaims/status", "patch"),
                            rule(CORE, "secrets", "get"),
                            rule(STORAGE, "storageclasses volumeattachments volumeattributesclasses", LIST)),
                    TELLS);
        }
    },
    SNAPSHOTTER("cuts and deletes the snapshots and group snapshots of one driver") {
        @Override
        List<Rule> rules() {
            return join(
                    List.of(
                            rule(CORE, "nodes pods", LIST),
                            rule(CORE, "persistentvolumes", LIST),
                            rule(CORE, "persistentvolumeclaims", READ, "patch"),
                            rule(CORE, "secrets", "get"),
                            rule(STORAGE, "storageclasses volumeattachments", LIST)),
                    SNAPSHOTS,
                    TELLS);
        }
    },
    METADATA("tells backup programs the changed blocks of snapshots") {
        @Override
        List<Rule> rules() {
            return List.of(
                    rule(
                            "snapshot.storage.k8s.io",
                            "volumesnapshots volumesnapshotcontents volumesnapshotclasses",
                            "get"),
                    rule(CORE, "secrets", "get"),
                    rule("authentication.k8s.io", "tokenreviews", "create"),
                    rule("authorization.k8s.io", "subjectaccessreviews", "create"));
        }
    },
    NODE("mounts volumes on one node, and tells of its CSI drivers") {
        @Override
        List<Rule> rules() {
            return MOUNTS;
        }
    },
    PROVISIONING_NODE(
            "does the same as volume4j-node, and makes and deletes the loop volumes of its node (--provision)") {
        @Override
        List<Rule> rules() {
            return join(
                    MOUNTS,
                    List.of(
                            rule(CORE, "persistentvolumes", WRITE),
                            rule(CORE, "persistentvolumes/status", "patch"),
                            rule(CORE, "persistentvolumeclaims", "patch"),
                            rule(STORAGE, "storageclasses volumeattachments", LIST)));
        }
    };

    private static final String CORE = "";
    private static final String STORAGE = "storage.k8s.io";
    private static final String EVENTS = "events.k8s.io";
    /** For objects where the cached list is enough. */
    private static final String LIST = "list watch";

    /** For objects that the role also reads live: after a conflict, and before an irreversible change. */
    private static final String READ = "get list watch";

    private static final String WRITE = "create delete patch";

    private static final List<Rule> SNAPSHOTS = List.of(
            rule("snapshot.storage.k8s.io", "volumesnapshots volumesnapshotcontents", READ, WRITE),
            rule("snapshot.storage.k8s.io", "volumesnapshots/status volumesnapshotcontents/status", "patch"),
            rule("snapshot.storage.k8s.io", "volumesnapshotclasses", LIST),
            rule("groupsnapshot.storage.k8s.io", "volumegroupsnapshots", READ, "patch"),
            rule("groupsnapshot.storage.k8s.io", "volumegroupsnapshotcontents", READ, WRITE),
            rule(
                    "groupsnapshot.storage.k8s.io",
                    "volumegroupsnapshots/status volumegroupsnapshotcontents/status",
                    "patch"),
            rule("groupsnapshot.storage.k8s.io", "volumegroupsnapshotclasses", LIST));

    /** For each node. An attacker who takes over a node gets these permissions, so they include no write to volumes. */
    private static final List<Rule> MOUNTS = List.of(
            rule(CORE, "nodes", READ, "create", "patch"),
            rule(CORE, "nodes/status", "patch"),
            rule(CORE, "pods", LIST),
            rule(CORE, "persistentvolumes persistentvolumeclaims", READ),
            rule(CORE, "persistentvolumeclaims/status", "patch"),
            rule(CORE, "secrets configmaps", "get"),
            rule(CORE, "serviceaccounts/token", "create"),
            rule(STORAGE, "csidrivers", LIST),
            rule(STORAGE, "volumeattachments", "get"),
            rule(STORAGE, "csinodes", "get", "create", "patch"),
            rule(EVENTS, "events", "create", "patch"));

    /** For processes that elect a leader, only in the namespace of the Lease. */
    private static final List<Rule> LEADS =
            List.of(new Rule("coordination.k8s.io", List.of("leases"), List.of("get", "create", "patch"), true));

    /** For processes that elect a leader and write events. */
    private static final List<Rule> TELLS = List.of(rule(EVENTS, "events", "create", "patch"), LEADS.get(0));

    private final String does;

    Permissions(String does) {
        this.does = does;
    }

    /** The description for users. */
    String does() {
        return does;
    }

    /**
     * Verbs on resources of one group.
     *
     * @param group {@code ""} for the core group
     * @param resources plurals, with the subresource
     * @param ofLease whether the rule applies only in the namespace of the Lease, instead of the whole cluster
     */
    record Rule(String group, List<String> resources, List<String> verbs, boolean ofLease) {
        boolean allows(String askedGroup, String resource, String verb) {
            return group.equals(askedGroup) && resources.contains(resource) && verbs.contains(verb);
        }

        /** As a rule of a Role. */
        String yaml() {
            return "  - {apiGroups: [\"" + group + "\"], resources: [" + String.join(", ", resources) + "], verbs: ["
                    + String.join(", ", verbs) + "]}\n";
        }
    }

    abstract List<Rule> rules();

    String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The names of all roles, for users. */
    static String words() {
        return Arrays.stream(values()).map(Permissions::word).collect(Collectors.joining(", "));
    }

    /** The role of that name. */
    static Permissions of(String word) {
        return Arrays.stream(values())
                .filter(role -> role.word().equals(word))
                .findFirst()
                .orElseThrow(() -> new Usage("there is no role " + word + "; there are " + words()));
    }

    private static Rule rule(String group, String resources, String... verbs) {
        return new Rule(
                group,
                List.of(resources.split(" ", -1)),
                List.of(String.join(" ", verbs).split(" ", -1)),
                false);
    }

    @SafeVarargs
    private static List<Rule> join(List<Rule>... lists) {
        List<Rule> all = new ArrayList<>();
        for (List<Rule> list : lists) {
            all.addAll(list);
        }
        return all;
    }

    /** The role's service account in {@code kube-system}, its roles and their bindings. */
    String manifests() {
        String name = "volume4j-" + word();
        String wide =
                rules().stream().filter(rule -> !rule.ofLease()).map(Rule::yaml).collect(Collectors.joining());
        String ofLease = rules().stream().filter(Rule::ofLease).map(Rule::yaml).collect(Collectors.joining());
        String text = "# " + name + ": " + does + ".\n" + """
                apiVersion: v1
                kind: ServiceAccount
                metadata: {name: NAME, namespace: kube-system}
                ---
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRole
                metadata: {name: NAME}
                rules:
                RULES---
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRoleBinding
                metadata: {name: NAME}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: NAME}
                subjects: [{kind: ServiceAccount, name: NAME, namespace: kube-system}]
                """.replace("RULES", wide);
        if (!ofLease.isEmpty()) {
            text += """
                    ---
                    apiVersion: rbac.authorization.k8s.io/v1
                    kind: Role
                    metadata: {name: NAME, namespace: kube-system}
                    rules:
                    RULES---
                    apiVersion: rbac.authorization.k8s.io/v1
                    kind: RoleBinding
                    metadata: {name: NAME, namespace: kube-system}
                    roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: NAME}
                    subjects: [{kind: ServiceAccount, name: NAME, namespace: kube-system}]
                    """.replace("RULES", ofLease);
        }
        return text.replace("NAME", name);
    }
}
