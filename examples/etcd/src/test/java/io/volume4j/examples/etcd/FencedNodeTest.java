package io.volume4j.examples.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.VolumeManager;
import io.volume4j.core.codec.Manifests;
import io.volume4j.core.control.AttachDetachController;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.volumes.AttachMode;
import io.volume4j.inmemory.host.InMemoryPluginHost;
import io.volume4j.inmemory.plugin.InMemoryPlugin;
import io.volume4j.inmemory.plugin.InMemoryStorage;
import io.volume4j.spi.host.Fence;
import io.volume4j.spi.host.FencingAuthority;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ObjectKey;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The whole way, with a real etcd and real time: a node that is cut off gives up its volume before its lease ends, and then, while it is
 * still cut off, the controllers give the volume to another node. The storage in memory judges: it knows who has what.
 */
class FencedNodeTest {
    private static final Duration LEASE = Duration.ofSeconds(15);
    private static final Duration ONE_SECOND = Duration.ofSeconds(1);

    private final InMemoryStorage storage = InMemoryStorage.create();
    private final List<AutoCloseable> open = Collections.synchronizedList(new ArrayList<>());
    private CutLink link;
    private EtcdClient control;
    private EtcdClient first;
    private EtcdCluster admin;
    private Node one;
    private Node two;

    @Test
    void aVolumeGoesToAnotherNodeOnlyAfterTheNodeThatWasCutOffGaveItUp() throws Exception {
        begin(new FedInMemory(), new EtcdFencing(control));

        link.close();
        podLeavesForTheOtherNode();
        two.awaitMounted("b");

        assertThat(storage.callTexts())
                .containsSubsequence(
                        "mount h-v n1 a",
                        "unmount h-v n1 a",
                        "unmountDevice h-v n1",
                        "detach h-v n1",
                        "attach h-v n2",
                        "mount h-v n2 b");
        assertThat(storage.violations()).isEmpty();
    }

    /** Its lease ends, as that of a dead one. But its unmount hangs, and no watchdog vouches for it. */
    @Test
    void aVolumeStaysWithANodeThatCannotGiveItUpUntilAPersonVouchesForTheNode() throws Exception {
        Semaphore askedInVain = new Semaphore(0);
        EtcdFencing authority = new EtcdFencing(control);
        AttachDetachController attachments = begin(null, (node, context) -> {
            Optional<Fence> evidence = authority.fence(node, context);
            if (evidence.isEmpty() && leaseEnded(control, node)) {
                askedInVain.release();
            }
            return evidence;
        });
        one.hangs = true;

        link.close();
        podLeavesForTheOtherNode();
        assertThat(askedInVain.tryAcquire(4, 90, TimeUnit.SECONDS))
                .as("asked again and again after the lease had ended")
                .isTrue();
        assertThat(storage.callTexts()).endsWith("mount h-v n1 a");
        assertThat(attachments
                        .explain(ObjectKey.volume("pv-v"))
                        .get(30, TimeUnit.SECONDS)
                        .text())
                .contains("needs evidence that the node is cut off");

        storage.fence("n1");
        assertThat(attachments
                        .fence(new Fence(Fence.Kind.OPERATOR_ASSERTION, "n1", "its power is off"))
                        .get(30, TimeUnit.SECONDS))
                .isTrue();
        two.awaitMounted("b");
        assertThat(storage.callTexts())
                .doesNotContain("unmount h-v n1 a")
                .containsSubsequence("mount h-v n1 a", "detach h-v n1", "attach h-v n2", "mount h-v n2 b");
        assertThat(storage.violations()).isEmpty();
    }

    @BeforeEach
    void start() throws Exception {
        EtcdServer server = keep(EtcdServer.start());
        link = keep(new CutLink(server.uri()));
        control = keep(server.client());
        admin = EtcdCluster.builder(control).build();
        objects(admin);
        // it is closed behind the link that was cut
        first = keep(EtcdClient.builder()
                .endpoints(List.of(link.uri()))
                .callTimeout(Duration.ofSeconds(3))
                .build());
        one = new Node("n1", EtcdCluster.builder(first).build());
        two = new Node("n2", EtcdCluster.builder(keep(server.client())).build());
    }

    /** Until the first node, behind the link, has mounted the volume for pod a. */
    private AttachDetachController begin(@Nullable Watchdog watchdog, FencingAuthority authority) throws Exception {
        AttachDetachController attachments = controllers(control, authority);
        CompletableFuture<Boolean> firstLife = keep(new SelfFencing(
                        new EtcdNodeLease(first, "n1", "m1", LEASE), one::nextLife, () -> one, ONE_SECOND, watchdog))
                .start();
        two.nextLife();
        two.start();
        EtcdNodeHealth.markReady(admin, "n2");
        admin.create(pod("a", "n1"));
        one.awaitMounted("a");
        assertThat(firstLife).succeedsWithin(Duration.ofMinutes(1));
        assertThat(storage.callTexts()).endsWith("mount h-v n1 a");
        return attachments;
    }

    private void podLeavesForTheOtherNode() {
        admin.delete(ObjectKey.pod("default", "a"), Preconditions.none());
        admin.create(pod("b", "n2"));
    }

    @AfterEach
    void close() throws Exception {
        Collections.reverse(open);
        for (AutoCloseable each : open) {
            each.close();
        }
    }

    private <T extends AutoCloseable> T keep(T resource) {
        open.add(resource);
        return resource;
    }

    private static boolean leaseEnded(EtcdClient etcd, String node) {
        return etcd.await(
                        "look for the lease of node " + node,
                        etcd.client().getKVClient().get(etcd.keys().ofNodeLease(node)))
                .getKvs()
                .isEmpty();
    }

    private AttachDetachController controllers(EtcdClient etcd, FencingAuthority authority) {
        EtcdElection election = keep(EtcdElection.start(etcd, "controllers", Duration.ofSeconds(5)));
        EtcdCluster cluster = EtcdCluster.builder(etcd).onlyAs(election).build();
        AttachDetachController attachments = keep(AttachDetachController.builder()
                .cluster(cluster, cluster)
                .plugins(plugins(""))
                .leader(election)
                .fencing(authority)
                .askFenceEvery(ONE_SECOND)
                .build());
        attachments.start();
        EtcdNodeHealth health =
                keep(new EtcdNodeHealth(etcd, cluster, () -> election.leading().isPresent()));
        health.start(ONE_SECOND);
        return attachments;
    }

    private PluginRegistry plugins(String node) {
        return PluginRegistry.builder(InMemoryPluginHost.named(node).build())
                .plugin(InMemoryPlugin.builder(storage).recordOnly().build())
                .build();
    }

    /** The agent of a node: all its lives. */
    private final class Node implements NodeLife {
        private final String name;
        private final EtcdCluster cluster;
        private final CompletableFuture<VolumeManager> begun = new CompletableFuture<>();
        private @Nullable VolumeManager volumes;
        private volatile boolean hangs;
        private int lives;

        Node(String name, EtcdCluster cluster) {
            this.name = name;
            this.cluster = cluster;
        }

        String nextLife() {
            volumes = keep(VolumeManager.builder()
                    .cluster(cluster)
                    .clusterWriter(cluster)
                    .plugins(plugins(name))
                    .attachMode(AttachMode.CONTROLLER)
                    .withoutMounts()
                    .journalInMemory()
                    .build());
            lives++;
            return name + "-" + lives;
        }

        @Override
        public void start() {
            running().start();
            EtcdNodeHealth.markReady(cluster, name);
            begun.complete(running());
        }

        /** No processes run on a machine in memory. */
        @Override
        public CompletableFuture<Boolean> fence() {
            return hangs ? new CompletableFuture<>() : running().fence();
        }

        @Override
        public void close() {
            running().close();
        }

        private VolumeManager running() {
            return Objects.requireNonNull(volumes, "no life has begun");
        }

        void awaitMounted(String pod) throws InterruptedException, ExecutionException, TimeoutException {
            begun.thenCompose(manager -> manager.whenMounted(pod)).get(120, TimeUnit.SECONDS);
        }
    }

    /** Nothing here can be reset: that the node gives up in time is what the storage judges. */
    private static final class FedInMemory implements Watchdog {
        @Override
        public Duration timeout() {
            return ONE_SECOND;
        }

        @Override
        public void arm() {}

        @Override
        public void feed() {}

        @Override
        public void release() {}
    }

    private void objects(EtcdCluster admin) throws IOException {
        storage.add("h-v", 1 << 30);
        for (ApiObject object : Manifests.read("objects", """
                apiVersion: v1
                kind: Node
                metadata: {name: n1}
                ---
                apiVersion: v1
                kind: Node
                metadata: {name: n2}
                ---
                apiVersion: v1
                kind: PersistentVolume
                metadata: {name: pv-v}
                spec:
                  capacity: {storage: 1Gi}
                  accessModes: [ReadWriteOnce]
                  claimRef: {kind: PersistentVolumeClaim, namespace: default, name: v, uid: claim-v}
                  csi: {driver: mem, volumeHandle: h-v}
                ---
                apiVersion: v1
                kind: PersistentVolumeClaim
                metadata: {name: v, namespace: default, uid: claim-v}
                spec:
                  accessModes: [ReadWriteOnce]
                  volumeName: pv-v
                  resources: {requests: {storage: 1Gi}}
                """)) {
            admin.create(object);
        }
        for (ObjectKey key : List.of(ObjectKey.volume("pv-v"), ObjectKey.claim("default", "v"))) {
            admin.patch(
                    key,
                    new Patch(Preconditions.none(), true, List.of(Patch.FieldChange.set("Bound", "status", "phase"))));
        }
    }

    private static ApiObject pod(String name, String node) {
        return Manifests.read("pod", """
                apiVersion: v1
                kind: Pod
                metadata: {name: %s, namespace: default, uid: %s}
                spec:
                  nodeName: %s
                  containers: [{name: app, image: app, volumeMounts: [{name: v, mountPath: /v}]}]
                  volumes: [{name: v, persistentVolumeClaim: {claimName: v}}]
                """.formatted(name, name, node)).get(0);
    }
}
