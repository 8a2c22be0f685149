package io.volume4j.examples.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.codec.Manifests;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.csi.driver.CsiTestDriver;
import io.volume4j.csi.driver.options.DriverOptions;
import io.volume4j.csi.driver.options.MountStyle;
import io.volume4j.examples.agent.http.Access;
import io.volume4j.examples.agent.http.HttpCluster;
import io.volume4j.examples.agent.store.Store;
import io.volume4j.spi.host.ClusterSource.Listing;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.model.CsiStorageCapacity;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.VolumeAttachment;
import io.volume4j.spi.model.VolumeSnapshotContent;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Each part of the control plane alone, for one CSI driver, beside controllers that do not know the driver. */
@Timeout(300)
class PartsTest {
    private static final String DRIVER = "parts.csi.test";
    private static final String OTHER_DRIVER = "others.csi.test";
    private static final ObjectKey CLAIM = ObjectKey.claim("default", "data");
    private static final String CLASS_AND_CLAIM = """
            apiVersion: storage.k8s.io/v1
            kind: StorageClass
            metadata: {name: csi}
            provisioner: parts.csi.test
            allowVolumeExpansion: true
            ---
            apiVersion: v1
            kind: PersistentVolumeClaim
            metadata: {name: data, namespace: default}
            spec:
              storageClassName: csi
              accessModes: [ReadWriteOnce]
              resources: {requests: {storage: 1Gi}}
            """;

    @TempDir
    Path directory;

    private final Programs programs = new Programs();
    private Store store;
    private HttpCluster user;
    private CsiTestDriver driver;
    private ControllersRole foreign;

    @BeforeEach
    void start() throws Exception {
        store = Store.start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), null);
        user = HttpCluster.of(Access.to(store.uri()));
        Files.createDirectory(directory.resolve("registry"));
        driver = CsiTestDriver.start(DriverOptions.at(directory.resolve("csi.sock"))
                .name(DRIVER)
                .nodeId("id-of-n1")
                .mounts(MountStyle.LINKS)
                .presetVolume("v1", 1L << 30)
                .registrationDirectory(directory.resolve("registry"))
                .build());
        PluginRegistry others = Plugins.ofControlPlane(user);
        foreign = new ControllersRole(user, others, ObjectKey.lease("kube-system", "foreign"), Measured.nowhere());
        foreign.start();
    }

    @AfterEach
    void stop() throws Exception {
        programs.close();
        foreign.close();
        driver.close();
        user.close();
        store.close();
    }

    private Programs.Program controllers(String... only) {
        List<String> words = new ArrayList<>(List.of(
                "controllers",
                "--server",
                store.uri().toString(),
                "--csi",
                DRIVER + "=unix://" + directory.resolve("csi.sock")));
        for (String part : only) {
            words.addAll(List.of("--only", part + "=" + DRIVER));
        }
        return programs.begin(words.toArray(new String[0]));
    }

    @Test
    void aProvisionerAndAResizerServeTheClaimsOfTheirDriver() throws Exception {
        controllers("provisioner", "resizer");
        create(CLASS_AND_CLAIM);

        PersistentVolumeClaim bound = Programs.awaitBound(user, CLAIM);
        ObjectKey volume = ObjectKey.volume(bound.spec().volumeName());
        Programs.grow(user, CLAIM, "2Gi");
        Programs.await(
                user,
                volume,
                each -> ((PersistentVolume) each).spec().capacity().bytes() == 2L << 30);

        user.delete(CLAIM, Preconditions.none());
        Programs.awaitList(
                user, Kind.PERSISTENT_VOLUME, listing -> listing.objects().isEmpty());
        assertThat(user.list(Kind.LEASE, Selection.all()).objects())
                .extracting(lease -> lease.metadata().name())
                .contains(
                        "volume4j-controllers-provisioner-parts.csi.test",
                        "volume4j-controllers-resizer-parts.csi.test");
    }

    @Test
    void aProvisionerPublishesTheCapacitiesOfItsDriverAndLeavesThoseOfOthers() throws Exception {
        // They publish capacities, too: they would delete one whose class they hear of later, and maybe that of the
        // class that goes.
        foreign.close();
        CsiTestDriver other = CsiTestDriver.start(DriverOptions.at(directory.resolve("other.sock"))
                .name(OTHER_DRIVER)
                .build());
        try {
            create("""
                    apiVersion: storage.k8s.io/v1
                    kind: StorageClass
                    metadata: {name: late}
                    provisioner: parts.csi.test
                    volumeBindingMode: WaitForFirstConsumer
                    ---
                    apiVersion: storage.k8s.io/v1
                    kind: StorageClass
                    metadata: {name: of-another}
                    provisioner: others.csi.test
                    volumeBindingMode: WaitForFirstConsumer
                    ---
                    apiVersion: storage.k8s.io/v1
                    kind: CSIStorageCapacity
                    metadata:
                      name: of-another
                      namespace: default
                      labels: {csi.storage.k8s.io/managed-by: volume4j}
                    storageClassName: of-another
                    capacity: 5Gi
                    """);
            programs.begin(
                    "controllers",
                    "--server",
                    store.uri().toString(),
                    "--csi",
                    DRIVER + "=unix://" + directory.resolve("csi.sock"),
                    "--csi",
                    OTHER_DRIVER + "=unix://" + directory.resolve("other.sock"),
                    "--only",
                    "provisioner=" + DRIVER);

            Programs.awaitList(
                    user, Kind.CSI_STORAGE_CAPACITY, listing -> classes(listing).equals(List.of("late", "of-another")));
            user.delete(new ObjectKey(Kind.STORAGE_CLASS, "", "late"), Preconditions.none());

            Programs.awaitList(
                    user, Kind.CSI_STORAGE_CAPACITY, listing -> classes(listing).equals(List.of("of-another")));
            assertThat(user.readLive(new ObjectKey(Kind.CSI_STORAGE_CAPACITY, "default", "of-another")))
                    .as("the object that another process published")
                    .isPresent();
        } finally {
            other.close();
        }
    }

    private static List<String> classes(Listing capacities) {
        return capacities.objects().stream()
                .map(each -> ((CsiStorageCapacity) each).storageClassName())
                .sorted()
                .toList();
    }

    @Test
    void anAttacherCarriesOutAttachmentsToNodesThatARegistrarToldOf() throws Exception {
        programs.begin(
                "node",
                "--server",
                store.uri().toString(),
                "--name",
                "n1",
                "--only",
                "registrar",
                "--csi-registration",
                directory.resolve("registry").toString());
        controllers("attacher");
        create("""
                apiVersion: v1
                kind: PersistentVolume
                metadata: {name: pv1}
                spec:
                  capacity: {storage: 1Gi}
                  accessModes: [ReadWriteOnce]
                  csi: {driver: parts.csi.test, volumeHandle: v1}
                ---
                apiVersion: storage.k8s.io/v1
                kind: VolumeAttachment
                metadata: {name: csi-by-another-controller}
                spec:
                  attacher: parts.csi.test
                  nodeName: n1
                  source: {persistentVolumeName: pv1}
                """);
        ObjectKey attachment = ObjectKey.attachment("csi-by-another-controller");

        Programs.await(
                user, attachment, each -> ((VolumeAttachment) each).status().attached());

        user.delete(attachment, Preconditions.none());
        Programs.awaitList(
                user, Kind.VOLUME_ATTACHMENT, listing -> listing.objects().isEmpty());
    }

    @Test
    void aSnapshotterCutsWhatContentsOfItsDriverAskFor() throws Exception {
        controllers("snapshotter");
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
                  driver: parts.csi.test
                  deletionPolicy: Delete
                  source: {volumeHandle: v1}
                  volumeSnapshotRef: {name: snapshot, namespace: default, uid: UID}
                """.replace("UID", uid));

        Programs.await(
                user,
                new ObjectKey(Kind.VOLUME_SNAPSHOT_CONTENT, "", "content"),
                each -> ((VolumeSnapshotContent) each).status().ready());
    }

    @Test
    void anotherProcessTakesAPartOver() throws Exception {
        Programs.Program first = controllers("provisioner");
        ObjectKey lease = ObjectKey.lease("kube-system", "volume4j-controllers-provisioner-" + DRIVER);
        Programs.await(user, lease, each -> true);
        controllers("provisioner");

        first.end();
        create(CLASS_AND_CLAIM);

        Programs.awaitBound(user, CLAIM);
    }

    @Test
    void aNodeMountsOnceAndEnds() {
        create("""
                apiVersion: v1
                kind: Pod
                metadata: {name: job, namespace: default}
                spec:
                  nodeName: n2
                  containers:
                    - {name: app, image: busybox, volumeMounts: [{name: scratch, mountPath: /scratch}]}
                  volumes:
                    - {name: scratch, emptyDir: {medium: Memory}}
                """);
        String uid = user.readLive(ObjectKey.pod("default", "job"))
                .orElseThrow()
                .metadata()
                .uid();

        Programs.Finished once = Programs.run(
                "node",
                "--server",
                store.uri().toString(),
                "--name",
                "n2",
                "--root",
                directory.resolve("node").toString(),
                "--in-memory",
                "--once");

        assertThat(once.err()).isEmpty();
        assertThat(once.code()).isZero();
        assertThat(once.out()).startsWith(uid + " scratch " + directory.resolve("node"));
    }

    private void create(String manifests) {
        Manifests.read("test", manifests).forEach(user::create);
    }
}
