package io.volume4j.examples.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.codec.Manifests;
import io.volume4j.core.plugins.DefaultPluginHost;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.plugins.VolumePlugins;
import io.volume4j.core.volumes.AttachMode;
import io.volume4j.csi.driver.CsiTestDriver;
import io.volume4j.csi.driver.options.DriverOptions;
import io.volume4j.csi.driver.options.MountStyle;
import io.volume4j.examples.agent.Permissions.Rule;
import io.volume4j.examples.agent.Programs.Program;
import io.volume4j.examples.agent.http.Access;
import io.volume4j.examples.agent.http.HttpCluster;
import io.volume4j.examples.agent.http.TestAuthority;
import io.volume4j.examples.agent.store.Gate;
import io.volume4j.examples.agent.store.Store;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.inmemory.plugin.InMemoryPlugin;
import io.volume4j.inmemory.plugin.InMemoryStorage;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.model.CsiNode;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.VolumeAttachment;
import io.volume4j.spi.model.VolumeGroupSnapshot;
import io.volume4j.spi.model.VolumeMove;
import io.volume4j.spi.model.VolumeSnapshot;
import io.volume4j.spi.model.VolumeSnapshotContent;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each role as a user of a server over TLS that allows the role's own permissions and nothing else. */
@Timeout(300)
class PermissionsTest {
    private static final String DRIVER = "rbac.csi.test";
    /** Behind each user's name, so that no token is a word that stands in answers. */
    private static final String SECRET = ".8f3a5c";

    private static final ObjectKey CLAIM = ObjectKey.claim("default", "data");
    private static final ObjectKey ATTACHMENT = ObjectKey.attachment("of-another-controller");

    @TempDir
    Path directory;

    /** What each role asked for in all tests of this class. */
    private static final Set<String> USED = new ConcurrentSkipListSet<>();

    private final Programs programs = new Programs();
    private final Set<String> denied = new ConcurrentSkipListSet<>();
    private final Semaphore uses = new Semaphore(0);
    private Store store;
    private HttpCluster user;
    private CsiTestDriver driver;

    @BeforeEach
    void start() throws Exception {
        TestAuthority authority = new TestAuthority("authority");
        Files.writeString(directory.resolve("ca.crt"), authority.pem());
        Gate gate = Gate.allowing(call -> {
            boolean allowed = call.token().equals("user" + SECRET)
                    || allows(role(call.token()).rules(), call);
            if (allowed && !call.token().equals("user" + SECRET)) {
                USED.add(use(role(call.token()), call.group(), call.resource(), call.verb()));
                uses.release();
            }
            if (!allowed) {
                denied.add(call.token() + ": " + call.verb() + " " + call.resource() + " " + call.group());
            }
            return allowed;
        });
        store = Store.behind(authority.serve(authority.server(127, 0, 0, 1), false), gate);
        user = HttpCluster.of(
                Access.to(store.uri()).authorities(directory.resolve("ca.crt")).token(token("user")));
        Files.createDirectory(directory.resolve("registry"));
        driver = CsiTestDriver.start(DriverOptions.at(directory.resolve("csi.sock"))
                .name(DRIVER)
                .nodeId("id-of-n1")
                .mounts(MountStyle.LINKS)
                .presetVolume("v1", 1L << 30)
                .mutableKeys(Set.of("iops"))
                .registrationDirectory(directory.resolve("registry"))
                .build());
    }

    @AfterEach
    void stop() throws Exception {
        programs.close();
        driver.close();
        user.close();
        store.close();
        assertThat(denied).isEmpty();
    }

    /**
     * What no test of this class makes a role do. It takes pods with attached CSI volumes, secrets, tokens, an event that repeats, a
     * store that was restored, a snapshotter alone with groups of snapshots, or a backup program. Any other right that no role uses is superfluous.
     */
    private static final Set<String> NOT_PLAYED_HERE = """
            ATTACHER get secrets
            CONTROLLERS create volumeattachments storage.k8s.io
            CONTROLLERS delete volumeattachments storage.k8s.io
            CONTROLLERS get csinodes storage.k8s.io
            CONTROLLERS get pods
            CONTROLLERS get secrets
            CONTROLLERS patch csistoragecapacities storage.k8s.io
            CONTROLLERS patch events events.k8s.io
            CONTROLLERS patch nodes
            CONTROLLERS patch nodes/status
            CONTROLLERS patch volumeattachments storage.k8s.io
            CONTROLLERS patch volumeattachments/status storage.k8s.io
            METADATA create subjectaccessreviews authorization.k8s.io
            METADATA create tokenreviews authentication.k8s.io
            METADATA get secrets
            METADATA get volumesnapshotclasses snapshot.storage.k8s.io
            METADATA get volumesnapshotcontents snapshot.storage.k8s.io
            METADATA get volumesnapshots snapshot.storage.k8s.io
            NODE create serviceaccounts/token
            NODE get configmaps
            NODE get persistentvolumes
            NODE get secrets
            NODE get volumeattachments storage.k8s.io
            NODE patch csinodes storage.k8s.io
            NODE patch events events.k8s.io
            PROVISIONER get secrets
            PROVISIONER get volumeattributesclasses storage.k8s.io
            PROVISIONER patch csistoragecapacities storage.k8s.io
            PROVISIONER patch events events.k8s.io
            PROVISIONER patch persistentvolumes/status
            PROVISIONING_NODE create serviceaccounts/token
            PROVISIONING_NODE get configmaps
            PROVISIONING_NODE get secrets
            PROVISIONING_NODE get volumeattachments storage.k8s.io
            PROVISIONING_NODE patch csinodes storage.k8s.io
            PROVISIONING_NODE patch events events.k8s.io
            PROVISIONING_NODE patch persistentvolumeclaims/status
            PROVISIONING_NODE patch persistentvolumes/status
            RESIZER get secrets
            RESIZER patch events events.k8s.io
            SNAPSHOTTER create volumegroupsnapshotcontents groupsnapshot.storage.k8s.io
            SNAPSHOTTER create volumesnapshotcontents snapshot.storage.k8s.io
            SNAPSHOTTER create volumesnapshots snapshot.storage.k8s.io
            SNAPSHOTTER delete volumegroupsnapshotcontents groupsnapshot.storage.k8s.io
            SNAPSHOTTER delete volumesnapshotcontents snapshot.storage.k8s.io
            SNAPSHOTTER delete volumesnapshots snapshot.storage.k8s.io
            SNAPSHOTTER get secrets
            SNAPSHOTTER patch events events.k8s.io
            SNAPSHOTTER patch persistentvolumeclaims
            SNAPSHOTTER patch volumegroupsnapshotcontents groupsnapshot.storage.k8s.io
            SNAPSHOTTER patch volumegroupsnapshotcontents/status groupsnapshot.storage.k8s.io
            SNAPSHOTTER patch volumegroupsnapshots groupsnapshot.storage.k8s.io
            SNAPSHOTTER patch volumegroupsnapshots/status groupsnapshot.storage.k8s.io
            SNAPSHOTTER patch volumesnapshots snapshot.storage.k8s.io
            """.lines().collect(Collectors.toUnmodifiableSet());

    /** What the controllers do for {@link #capacitiesAttributesGroupsOwnClaimsOfPodsAndMoves} alone. */
    private static final Set<String> RARE_WORK = """
            CONTROLLERS create csistoragecapacities storage.k8s.io
            CONTROLLERS create persistentvolumeclaims
            CONTROLLERS create volumegroupsnapshotcontents groupsnapshot.storage.k8s.io
            CONTROLLERS create volumesnapshots snapshot.storage.k8s.io
            CONTROLLERS delete csistoragecapacities storage.k8s.io
            CONTROLLERS delete persistentvolumeclaims
            CONTROLLERS delete volumegroupsnapshotcontents groupsnapshot.storage.k8s.io
            CONTROLLERS delete volumesnapshots snapshot.storage.k8s.io
            CONTROLLERS patch volumeattributesclasses storage.k8s.io
            CONTROLLERS patch volumegroupsnapshotcontents groupsnapshot.storage.k8s.io
            CONTROLLERS patch volumegroupsnapshotcontents/status groupsnapshot.storage.k8s.io
            CONTROLLERS patch volumegroupsnapshots groupsnapshot.storage.k8s.io
            CONTROLLERS patch volumegroupsnapshots/status groupsnapshot.storage.k8s.io
            CONTROLLERS patch volumemoves volume4j.io
            CONTROLLERS patch volumemoves/status volume4j.io
            CONTROLLERS update pods/finalizers
            """.lines().collect(Collectors.toUnmodifiableSet());

    /** What a role changes it also reads from the store, when another writer was first. */
    private static boolean readAfterAConflict(Permissions role, Rule rule, String resource, String verb) {
        return verb.equals("get")
                && role.rules().stream()
                        .anyMatch(each -> each.allows(rule.group(), resource, "patch")
                                || each.allows(rule.group(), resource + "/status", "patch"));
    }

    @AfterAll
    static void noRightIsSuperfluous() {
        Set<String> unused = unused(rights(Permissions.values()));
        assertThat(unused).isEmpty();
    }

    @Test
    void whatIsNotPlayedHereIsARight() {
        assertThat(NOT_PLAYED_HERE).isSubsetOf(rights(Permissions.values()));
    }

    /** What a program writes last, it may write after the object that a test waits for. */
    private void awaitUseOfEachRight(Permissions... roles) throws Exception {
        Set<String> common = rights(roles);
        common.removeAll(RARE_WORK);
        awaitUse(common);
    }

    private void awaitUse(Set<String> rights) throws Exception {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        while (!unused(rights).isEmpty() && System.nanoTime() < end) {
            boolean more = uses.tryAcquire(1, TimeUnit.SECONDS);
            if (more) {
                uses.drainPermits();
            }
        }
        assertThat(unused(rights)).isEmpty();
    }

    private static Set<String> unused(Set<String> rights) {
        Set<String> unused = new TreeSet<>(rights);
        unused.removeAll(USED);
        unused.removeAll(NOT_PLAYED_HERE);
        return unused;
    }

    /** All rights of these roles but the readings after a conflict. */
    private static Set<String> rights(Permissions... roles) {
        Set<String> rights = new TreeSet<>();
        for (Permissions role : roles) {
            for (Rule rule : role.rules()) {
                for (String resource : rule.resources()) {
                    for (String verb : rule.verbs()) {
                        if (!readAfterAConflict(role, rule, resource, verb)) {
                            rights.add(use(role, rule.group(), resource, verb));
                        }
                    }
                }
            }
        }
        return rights;
    }

    private static String use(Permissions role, String group, String resource, String verb) {
        return (role + " " + verb + " " + resource + " " + group).strip();
    }

    private static Permissions role(String token) {
        return Permissions.valueOf(token.replace(SECRET, "").toUpperCase(Locale.ROOT));
    }

    private static boolean allows(List<Rule> rules, Gate.Call call) {
        return rules.stream()
                .anyMatch(rule -> rule.allows(call.group(), call.resource(), call.verb())
                        && (!rule.ofLease() || call.namespace().equals("kube-system")));
    }

    private Path token(String name) throws Exception {
        return Files.writeString(directory.resolve("token-" + name), name + SECRET);
    }

    private Program begin(Permissions as, String command, String... more) throws Exception {
        List<String> words = new ArrayList<>(List.of(
                command,
                "--server",
                store.uri().toString(),
                "--ca-file",
                directory.resolve("ca.crt").toString(),
                "--token-file",
                token(as.name().toLowerCase(Locale.ROOT)).toString()));
        words.addAll(List.of(more));
        return programs.begin(words.toArray(new String[0]));
    }

    private String csi() {
        return DRIVER + "=unix://" + directory.resolve("csi.sock");
    }

    @Test
    void everyControllerAndANode() throws Exception {
        begin(Permissions.CONTROLLERS, "controllers", "--csi", csi());
        begin(
                Permissions.PROVISIONING_NODE,
                "node",
                "--name",
                "n1",
                "--root",
                directory.resolve("node").toString(),
                "--in-memory",
                "--provision",
                "--attach",
                "controller",
                "--csi-registration",
                directory.resolve("registry").toString());
        create("""
                apiVersion: storage.k8s.io/v1
                kind: StorageClass
                metadata: {name: loop}
                provisioner: loop.volume4j.io
                ---
                apiVersion: v1
                kind: PersistentVolumeClaim
                metadata: {name: looped, namespace: default}
                spec:
                  storageClassName: loop
                  accessModes: [ReadWriteOnce]
                  resources: {requests: {storage: 64Mi}}
                ---
                apiVersion: v1
                kind: Pod
                metadata: {name: user, namespace: default}
                spec:
                  nodeName: n1
                  containers:
                    - {name: app, image: busybox, volumeMounts: [{name: data, mountPath: /data}]}
                  volumes:
                    - {name: data, persistentVolumeClaim: {claimName: looped}}
                """);
        claimIsServedResizedAndCut();
        Programs.awaitBound(user, ObjectKey.claim("default", "looped"));
        user.delete(ObjectKey.pod("default", "user"), Preconditions.none());
        user.delete(new ObjectKey(Kind.VOLUME_SNAPSHOT, "default", "cut"), Preconditions.none());
        user.delete(CLAIM, Preconditions.none());
        user.delete(ObjectKey.claim("default", "looped"), Preconditions.none());
        Programs.awaitList(
                user, Kind.VOLUME_SNAPSHOT_CONTENT, listing -> listing.objects().isEmpty());
        Programs.awaitList(
                user, Kind.PERSISTENT_VOLUME, listing -> listing.objects().isEmpty());
        awaitUseOfEachRight(Permissions.CONTROLLERS, Permissions.PROVISIONING_NODE);
    }

    @Test
    void aNodeMountsReportsAndGrowsVolumes() throws Exception {
        Path root = Path.of("/agent");
        InMemoryPlugin plugin = InMemoryPlugin.on(InMemoryStorage.create());
        InMemoryMountBackend machine = InMemoryMountBackend.create();
        machine.files().createRoot(root);
        PluginRegistry ofControlPlane = PluginRegistry.builder(
                        DefaultPluginHost.builder(Path.of("/control")).build())
                .plugin(plugin)
                .build();
        PluginRegistry ofNode = PluginRegistry.builder(DefaultPluginHost.builder(root)
                        .nodeName("n1")
                        .mounts(machine)
                        .build())
                .defaults(VolumePlugins.defaultPlugins())
                .plugin(plugin)
                .build();
        ControllersRole controllers = new ControllersRole(
                user, ofControlPlane, ObjectKey.lease("kube-system", "controllers"), Measured.nowhere());
        try (HttpCluster asNode = HttpCluster.of(
                Access.to(store.uri()).authorities(directory.resolve("ca.crt")).token(token("node")))) {
            NodeRole node = new NodeRole(asNode, ofNode, new NodeRole.Options(AttachMode.CONTROLLER, true, false));
            controllers.start();
            node.start();
            mountsReportsAndGrows(node);
            node.close();
        } finally {
            controllers.close();
        }
    }

    private void mountsReportsAndGrows(NodeRole node) throws Exception {
        create("""
                apiVersion: storage.k8s.io/v1
                kind: StorageClass
                metadata: {name: mem}
                provisioner: mem
                allowVolumeExpansion: true
                ---
                apiVersion: v1
                kind: PersistentVolumeClaim
                metadata: {name: data, namespace: default}
                spec:
                  storageClassName: mem
                  accessModes: [ReadWriteOnce]
                  resources: {requests: {storage: 1Gi}}
                ---
                apiVersion: v1
                kind: Pod
                metadata: {name: user, namespace: default}
                spec:
                  nodeName: n1
                  containers:
                    - {name: app, image: busybox, volumeMounts: [{name: data, mountPath: /data}]}
                  volumes:
                    - {name: data, persistentVolumeClaim: {claimName: data}}
                ---
                apiVersion: v1
                kind: Pod
                metadata: {name: waits, namespace: default}
                spec:
                  nodeName: n1
                  containers:
                    - {name: app, image: busybox, volumeMounts: [{name: none, mountPath: /none}]}
                  volumes:
                    - {name: none, hostPath: {path: /none, type: Directory}}
                """);
        String pod = user.readLive(ObjectKey.pod("default", "user"))
                .orElseThrow()
                .metadata()
                .uid();
        assertThat(node.volumes().awaitMounted(pod, Duration.ofMinutes(1)).volumes())
                .containsOnlyKeys("data");
        Programs.grow(user, CLAIM, "2Gi");
        Programs.await(
                user,
                CLAIM,
                each -> ((PersistentVolumeClaim) each).status().capacity().bytes() == 2L << 30);
        awaitUse(Set.of("NODE create events events.k8s.io", "NODE patch persistentvolumeclaims/status"));
    }

    /** Otherwise a node that an attacker has taken over could delete every volume of the cluster. */
    @Test
    void aNodeThatMakesNoVolumesMayWriteNone() {
        assertThat(rights(Permissions.NODE))
                .doesNotContain(
                        "NODE create persistentvolumes",
                        "NODE delete persistentvolumes",
                        "NODE patch persistentvolumes",
                        "NODE patch persistentvolumes/status",
                        "NODE patch persistentvolumeclaims");
    }

    private void claimIsServedResizedAndCut() throws Exception {
        classAndClaim();
        PersistentVolumeClaim bound = Programs.awaitBound(user, CLAIM);
        Programs.grow(user, CLAIM, "2Gi");
        awaitSize(bound.spec().volumeName());
        create("""
                apiVersion: snapshot.storage.k8s.io/v1
                kind: VolumeSnapshotClass
                metadata: {name: cuts}
                driver: rbac.csi.test
                deletionPolicy: Delete
                ---
                apiVersion: snapshot.storage.k8s.io/v1
                kind: VolumeSnapshot
                metadata: {name: cut, namespace: default}
                spec: {volumeSnapshotClassName: cuts, source: {persistentVolumeClaimName: data}}
                """);
        Programs.await(
                user,
                new ObjectKey(Kind.VOLUME_SNAPSHOT, "default", "cut"),
                each -> ((VolumeSnapshot) each).status().ready());
    }

    private void classAndClaim() {
        create("""
                apiVersion: storage.k8s.io/v1
                kind: StorageClass
                metadata: {name: csi}
                provisioner: rbac.csi.test
                allowVolumeExpansion: true
                ---
                apiVersion: v1
                kind: PersistentVolumeClaim
                metadata: {name: data, namespace: default}
                spec:
                  storageClassName: csi
                  accessModes: [ReadWriteOnce]
                  resources: {requests: {storage: 1Gi}}
                """);
    }

    private void awaitSize(String volume) throws Exception {
        Programs.await(
                user,
                ObjectKey.volume(volume),
                each -> ((PersistentVolume) each).spec().capacity().bytes() == 2L << 30);
    }

    @Test
    void capacitiesAttributesGroupsOwnClaimsOfPodsAndMoves() throws Exception {
        begin(
                Permissions.NODE,
                "node",
                "--name",
                "n1",
                "--only",
                "registrar",
                "--csi-registration",
                directory.resolve("registry").toString());
        begin(Permissions.CONTROLLERS, "controllers", "--csi", csi());
        Programs.await(
                user,
                new ObjectKey(Kind.CSI_NODE, "", "n1"),
                each -> ((CsiNode) each).driver(DRIVER).isPresent());
        try (InputStream manifests = PermissionsTest.class.getResourceAsStream("rare-work.yaml")) {
            create(new String(Objects.requireNonNull(manifests).readAllBytes(), StandardCharsets.UTF_8));
        }
        for (String claim : List.of("data", "log", "user-own", "kept-set-0")) {
            Programs.awaitBound(user, ObjectKey.claim("default", claim));
        }
        Programs.awaitList(
                user, Kind.CSI_STORAGE_CAPACITY, listing -> !listing.objects().isEmpty());
        create("""
                apiVersion: groupsnapshot.storage.k8s.io/v1
                kind: VolumeGroupSnapshot
                metadata: {name: both, namespace: default}
                spec: {volumeGroupSnapshotClassName: groups, source: {selector: {matchLabels: {app: db}}}}
                """);
        ObjectKey group = new ObjectKey(Kind.VOLUME_GROUP_SNAPSHOT, "default", "both");
        Programs.await(
                user, group, each -> ((VolumeGroupSnapshot) each).status().ready());
        user.patch(
                CLAIM,
                new Patch(
                        Preconditions.none(),
                        false,
                        List.of(FieldChange.set("gold", "spec", "volumeAttributesClassName"))));
        Programs.await(
                user,
                CLAIM,
                each -> ((PersistentVolumeClaim) each)
                        .status()
                        .currentVolumeAttributesClassName()
                        .equals("gold"));
        create("""
                apiVersion: volume4j.io/v1alpha1
                kind: VolumeMove
                metadata: {name: away, namespace: default}
                spec: {claimName: log, storageClassName: other}
                """);
        Programs.await(
                user,
                new ObjectKey(Kind.VOLUME_MOVE, "default", "away"),
                each -> ((VolumeMove) each).status().phase() == VolumeMove.Phase.MOVED);

        user.delete(group, Preconditions.none());
        Programs.awaitList(
                user, Kind.VOLUME_SNAPSHOT_CONTENT, listing -> listing.objects().isEmpty());
        user.delete(ObjectKey.pod("default", "user"), Preconditions.none());
        user.delete(ObjectKey.pod("default", "set-0"), Preconditions.none());
        for (String claim : List.of("data", "log", "kept-set-0")) {
            user.delete(ObjectKey.claim("default", claim), Preconditions.none());
        }
        user.delete(new ObjectKey(Kind.STORAGE_CLASS, "", "late"), Preconditions.none());
        Programs.awaitList(
                user, Kind.CSI_STORAGE_CAPACITY, listing -> listing.objects().isEmpty());
        // What a move leaves behind is for the user to delete.
        Programs.awaitList(
                user,
                Kind.PERSISTENT_VOLUME,
                listing -> listing.objects().stream()
                        .allMatch(each -> ((PersistentVolume) each).spec().reclaimPolicy() == ReclaimPolicy.RETAIN));
        awaitUse(RARE_WORK);
    }

    @Test
    void aProvisionerAndAResizerBesideControllers() throws Exception {
        // Before the programs: a provisioner that hears of the claim before the node takes the choice of that node
        // back.
        create("""
                apiVersion: v1
                kind: Node
                metadata: {name: n1}
                """);
        Program controllers = begin(Permissions.CONTROLLERS, "controllers");
        begin(Permissions.PROVISIONER, "controllers", "--only", "provisioner=" + DRIVER, "--csi", csi());
        begin(Permissions.RESIZER, "controllers", "--only", "resizer=" + DRIVER, "--csi", csi());
        classAndClaim();
        PersistentVolumeClaim bound = Programs.awaitBound(user, CLAIM);
        Programs.grow(user, CLAIM, "2Gi");
        awaitSize(bound.spec().volumeName());
        claimForTheNodeOfItsPod();
        user.delete(CLAIM, Preconditions.none());
        user.delete(ObjectKey.claim("default", "late"), Preconditions.none());
        Programs.awaitList(
                user, Kind.PERSISTENT_VOLUME, listing -> listing.objects().isEmpty());
        Programs.awaitList(
                user, Kind.CSI_STORAGE_CAPACITY, listing -> !listing.objects().isEmpty());
        // All controllers may also delete the capacity of a class that is gone.
        controllers.end();
        user.delete(new ObjectKey(Kind.STORAGE_CLASS, "", "late"), Preconditions.none());
        Programs.awaitList(
                user, Kind.CSI_STORAGE_CAPACITY, listing -> listing.objects().isEmpty());
        awaitUseOfEachRight(Permissions.PROVISIONER, Permissions.RESIZER);
    }

    /** The driver's place for the node is read from its objects. */
    private void claimForTheNodeOfItsPod() throws Exception {
        create("""
                apiVersion: storage.k8s.io/v1
                kind: StorageClass
                metadata: {name: late}
                provisioner: rbac.csi.test
                volumeBindingMode: WaitForFirstConsumer
                ---
                apiVersion: v1
                kind: PersistentVolumeClaim
                metadata:
                  name: late
                  namespace: default
                  annotations: {volume.kubernetes.io/selected-node: n1}
                spec:
                  storageClassName: late
                  accessModes: [ReadWriteOnce]
                  resources: {requests: {storage: 1Gi}}
                """);
        Programs.awaitBound(user, ObjectKey.claim("default", "late"));
    }

    @Test
    void anAttacherAndARegistrar() throws Exception {
        begin(
                Permissions.NODE,
                "node",
                "--name",
                "n1",
                "--only",
                "registrar",
                "--csi-registration",
                directory.resolve("registry").toString());
        begin(Permissions.ATTACHER, "controllers", "--only", "attacher=" + DRIVER, "--csi", csi());
        create("""
                apiVersion: v1
                kind: PersistentVolume
                metadata: {name: pv1}
                spec:
                  capacity: {storage: 1Gi}
                  accessModes: [ReadWriteOnce]
                  csi: {driver: rbac.csi.test, volumeHandle: v1}
                ---
                apiVersion: storage.k8s.io/v1
                kind: VolumeAttachment
                metadata: {name: of-another-controller}
                spec:
                  attacher: rbac.csi.test
                  nodeName: n1
                  source: {persistentVolumeName: pv1}
                """);
        Programs.await(
                user, ATTACHMENT, each -> ((VolumeAttachment) each).status().attached());
        user.delete(ATTACHMENT, Preconditions.none());
        Programs.awaitList(
                user, Kind.VOLUME_ATTACHMENT, listing -> listing.objects().isEmpty());
        awaitUseOfEachRight(Permissions.ATTACHER);
    }

    @Test
    void aSnapshotter() throws Exception {
        begin(Permissions.SNAPSHOTTER, "controllers", "--only", "snapshotter=" + DRIVER, "--csi", csi());
        create("""
                apiVersion: snapshot.storage.k8s.io/v1
                kind: VolumeSnapshot
                metadata: {name: snapshot, namespace: default}
                spec: {source: {persistentVolumeClaimName: of-another}}
                """);
        String uid = user.readLive(new ObjectKey(Kind.VOLUME_SNAPSHOT, "default", "snapshot"))
                .orElseThrow()
                .metadata()
                .uid();
        create("""
                apiVersion: snapshot.storage.k8s.io/v1
                kind: VolumeSnapshotContent
                metadata: {name: content}
                spec:
                  driver: rbac.csi.test
                  deletionPolicy: Delete
                  source: {volumeHandle: v1}
                  volumeSnapshotRef: {name: snapshot, namespace: default, uid: UID}
                """.replace("UID", uid));
        Programs.await(
                user,
                new ObjectKey(Kind.VOLUME_SNAPSHOT_CONTENT, "", "content"),
                each -> ((VolumeSnapshotContent) each).status().ready());
        awaitUseOfEachRight(Permissions.SNAPSHOTTER);
    }

    /** The manifests that people apply are those of the table. */
    @ParameterizedTest
    @EnumSource(Permissions.class)
    void theManifestsSayWhatTheTableSays(Permissions role) throws Exception {
        Path file = Path.of(Objects.requireNonNull(System.getProperty("volume4j.root"), "volume4j.root"))
                .resolve("examples/agent/deploy/rbac-" + role.word() + ".yaml");
        assertThat(file).content().as("printed by: agent.jar rbac").isEqualTo(role.manifests());
    }

    private void create(String manifests) {
        Manifests.read("test", manifests).forEach(user::create);
    }
}
