package io.volume4j.examples.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.codec.Manifests;
import io.volume4j.csi.driver.CsiTestDriver;
import io.volume4j.csi.driver.options.DriverOptions;
import io.volume4j.csi.driver.options.MountStyle;
import io.volume4j.csi.driver.oracle.Rule;
import io.volume4j.csi.driver.oracle.Violation;
import io.volume4j.examples.agent.http.Access;
import io.volume4j.examples.agent.http.BreakingProxy;
import io.volume4j.examples.agent.http.HttpCluster;
import io.volume4j.examples.agent.http.TestAuthority;
import io.volume4j.examples.agent.store.Gate;
import io.volume4j.examples.agent.store.Gate.Verdict;
import io.volume4j.examples.agent.store.Store;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.model.CsiNode;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.VolumeAttachment;
import io.volume4j.spi.model.VolumeSnapshot;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Each part alone, for one CSI driver, and a node's registrar: their server, over TLS, throttles, freezes, denies, or loses its
 * connections from the first request on. Other controllers, which know no driver, have no trouble.
 */
@Timeout(600)
class TroubledPartsTest {
    private static final String DRIVER = "troubled.csi.test";
    private static final String USER = "user.8f3a5c";
    private static final ObjectKey CLAIM = ObjectKey.claim("default", "data");
    private static final ObjectKey ATTACHMENT = ObjectKey.attachment("csi-by-another-controller");
    private static final ObjectKey SNAPSHOT = new ObjectKey(Kind.VOLUME_SNAPSHOT, "default", "s");
    private static final List<String> PARTS = List.of("provisioner", "attacher", "resizer", "snapshotter");
    private static final Map<String, String> PART_THAT_CALLS = Map.of(
            "CreateVolume", "provisioner",
            "DeleteVolume", "provisioner",
            "ControllerPublishVolume", "attacher",
            "ControllerUnpublishVolume", "attacher",
            "ControllerExpandVolume", "resizer",
            "CreateSnapshot", "snapshotter",
            "DeleteSnapshot", "snapshotter");

    @TempDir
    Path directory;

    private final Programs programs = new Programs();
    private volatile Gate trouble = Gate.open();
    private Store store;
    private BreakingProxy way;
    private HttpCluster user;
    private CsiTestDriver driver;
    private ControllersRole foreign;

    @BeforeEach
    void start() throws Exception {
        TestAuthority authority = new TestAuthority("authority");
        Files.writeString(directory.resolve("ca.crt"), authority.pem());
        store = Store.behind(
                authority.serve(authority.server(127, 0, 0, 1), false),
                call -> call.token().equals(USER) ? Verdict.PASS : trouble.judge(call));
        way = new BreakingProxy(store.uri());
        user = HttpCluster.of(Access.to(store.uri())
                .authorities(directory.resolve("ca.crt"))
                .token(Files.writeString(directory.resolve("user"), USER)));
        Files.createDirectory(directory.resolve("registry"));
        driver = CsiTestDriver.start(DriverOptions.at(directory.resolve("csi.sock"))
                .name(DRIVER)
                .nodeId("id-of-n1")
                .mounts(MountStyle.LINKS)
                .registrationDirectory(directory.resolve("registry"))
                .build());
        foreign = new ControllersRole(
                user, Plugins.ofControlPlane(user), ObjectKey.lease("kube-system", "foreign"), Measured.nowhere());
        foreign.start();
    }

    @AfterEach
    void stop() throws Exception {
        trouble = Gate.open();
        programs.close();
        foreign.close();
        driver.close();
        user.close();
        way.close();
        store.close();
    }

    /** Each in a process of its own, as they are deployed apart. */
    private void parts() throws Exception {
        for (String part : PARTS) {
            begin(
                    "controllers",
                    "--csi",
                    DRIVER + "=unix://" + directory.resolve("csi.sock"),
                    "--only",
                    part + "=" + DRIVER);
        }
        begin(
                "node",
                "--name",
                "n1",
                "--only",
                "registrar",
                "--csi-registration",
                directory.resolve("registry").toString());
    }

    private void begin(String command, String... options) throws Exception {
        List<String> words = new ArrayList<>(List.of(
                command,
                "--server",
                "https://127.0.0.1:" + way.uri().getPort(),
                "--ca-file",
                directory.resolve("ca.crt").toString(),
                "--token-file",
                Files.writeString(directory.resolve("agent"), "agent.8f3a5c").toString()));
        words.addAll(List.of(options));
        programs.begin(words.toArray(new String[0]));
    }

    /** Makes, grows, attaches, cuts and deletes; and nothing was done twice or is left. */
    private void aWholeLife() throws Exception {
        create("""
                apiVersion: storage.k8s.io/v1
                kind: StorageClass
                metadata: {name: csi}
                provisioner: troubled.csi.test
                allowVolumeExpansion: true
                ---
                apiVersion: snapshot.storage.k8s.io/v1
                kind: VolumeSnapshotClass
                metadata: {name: csi}
                driver: troubled.csi.test
                deletionPolicy: Delete
                ---
                apiVersion: v1
                kind: PersistentVolumeClaim
                metadata: {name: data, namespace: default}
                spec:
                  storageClassName: csi
                  accessModes: [ReadWriteOnce]
                  resources: {requests: {storage: 1Gi}}
                """);
        PersistentVolumeClaim bound = Programs.awaitBound(user, CLAIM);
        ObjectKey volume = ObjectKey.volume(bound.spec().volumeName());
        Programs.await(
                user,
                new ObjectKey(Kind.CSI_NODE, "", "n1"),
                each -> ((CsiNode) each).driver(DRIVER).isPresent());
        create("""
                apiVersion: storage.k8s.io/v1
                kind: VolumeAttachment
                metadata: {name: csi-by-another-controller}
                spec:
                  attacher: troubled.csi.test
                  nodeName: n1
                  source: {persistentVolumeName: VOLUME}
                ---
                apiVersion: snapshot.storage.k8s.io/v1
                kind: VolumeSnapshot
                metadata: {name: s, namespace: default}
                spec: {volumeSnapshotClassName: csi, source: {persistentVolumeClaimName: data}}
                """.replace("VOLUME", volume.name()));
        Programs.grow(user, CLAIM, "2Gi");
        Programs.await(
                user, ATTACHMENT, each -> ((VolumeAttachment) each).status().attached());
        Programs.await(user, SNAPSHOT, each -> ((VolumeSnapshot) each).status().ready());
        Programs.await(
                user,
                volume,
                each -> ((PersistentVolume) each).spec().capacity().bytes() == 2L << 30);
        assertThat(driver.inventory().volumes()).hasSize(1);
        assertThat(driver.inventory().snapshots()).hasSize(1);

        user.delete(SNAPSHOT, Preconditions.none());
        user.delete(ATTACHMENT, Preconditions.none());
        gone(Kind.VOLUME_SNAPSHOT_CONTENT);
        gone(Kind.VOLUME_ATTACHMENT);
        user.delete(CLAIM, Preconditions.none());
        gone(Kind.PERSISTENT_VOLUME);
        assertThat(driver.inventory().volumes()).isEmpty();
        assertThat(driver.inventory().snapshots()).isEmpty();
        assertThat(driver.oracle().violations()).allMatch(TroubledPartsTest::overlapOfTwoParts);
    }

    /**
     * Processes apart do not know of each other's calls. The driver answers the second one with ABORTED, and its part repeats it.
     * A part never overlaps with itself.
     */
    private static boolean overlapOfTwoParts(Violation violation) {
        if (violation.rule() != Rule.OVERLAP) {
            return false;
        }
        String one = PART_THAT_CALLS.get(violation.rpc());
        String other = PART_THAT_CALLS.get(violation.text().split(" ")[1]);
        return one != null && other != null && !one.equals(other);
    }

    private void gone(Kind kind) throws Exception {
        Programs.awaitList(user, kind, listing -> listing.objects().isEmpty());
    }

    private void create(String manifests) {
        Manifests.read("test", manifests).forEach(user::create);
    }

    @ParameterizedTest
    @EnumSource(Trouble.class)
    void thePartsDoTheirWorkOnceAndLeaveNothing(Trouble kind) throws Exception {
        Trouble.Met met = new Trouble.Met();
        trouble = kind.gate(way, met);
        parts();

        aWholeLife();

        kind.assertMet(met, List.of("create persistentvolumes", "create csinodes", "create leases"));
    }
}
