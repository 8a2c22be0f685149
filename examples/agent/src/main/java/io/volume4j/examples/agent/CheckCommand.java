package io.volume4j.examples.agent;

import io.volume4j.core.codec.Manifests;
import io.volume4j.core.volumes.AttachMode;
import io.volume4j.core.volumes.MountedPod;
import io.volume4j.examples.agent.cluster.HostCluster;
import io.volume4j.examples.agent.http.Access;
import io.volume4j.examples.agent.http.HttpCluster;
import io.volume4j.examples.agent.store.Store;
import io.volume4j.examples.etcd.EtcdClient;
import io.volume4j.examples.etcd.EtcdCluster;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.host.WatchEvent;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;

/**
 * Runs all roles in one process with a store on loopback. A pod gets a volume, which the node mounts in memory. Then all is
 * unmounted and deleted. The build also runs it to find out which classes the program loads at its start.
 */
@Command(
        name = "check",
        mixinStandardHelpOptions = true,
        description =
                "Tries the program here: a store, the controllers and a node in memory run in this process, a pod gets a volume,"
                        + " and all of it goes again. Changes nothing on this machine.")
final class CheckCommand implements Callable<Integer> {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Path ROOT = Path.of("/check");
    private static final String NODE = "here";
    private static final ObjectKey POD = ObjectKey.pod("default", "writer");
    private static final ObjectKey CLAIM = ObjectKey.claim("default", "data");
    private static final String MANIFESTS = """
            apiVersion: storage.k8s.io/v1
            kind: StorageClass
            metadata: {name: loop}
            provisioner: loop.volume4j.io
            volumeBindingMode: WaitForFirstConsumer
            ---
            apiVersion: v1
            kind: PersistentVolumeClaim
            metadata: {name: data}
            spec: {storageClassName: loop, accessModes: [ReadWriteOnce], resources: {requests: {storage: 64Mi}}}
            ---
            apiVersion: v1
            kind: Pod
            metadata: {name: writer}
            spec:
              containers:
                - {name: app, image: busybox, volumeMounts: [{name: data, mountPath: /data}]}
              volumes:
                - {name: data, persistentVolumeClaim: {claimName: data}}
            """;

    private static final Logger LOG = LoggerFactory.getLogger(CheckCommand.class);

    private final PrintStream out;

    CheckCommand(PrintStream out) {
        this.out = out;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        InMemoryMountBackend machine = InMemoryMountBackend.create();
        machine.files().createRoot(ROOT);
        try (Store store = Store.start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), null);
                HttpCluster cluster = HttpCluster.of(Access.to(store.uri()))) {
            ControllersRole controllers = new ControllersRole(
                    cluster,
                    Plugins.ofControlPlane(cluster),
                    Leadership.byLease(cluster, ObjectKey.lease("kube-system", "check")),
                    true,
                    Measured.nowhere(),
                    Shown.nowhere());
            NodeRole node = new NodeRole(
                    cluster,
                    Plugins.ofNode(machine, ROOT, NODE, cluster),
                    new NodeRole.Options(AttachMode.SELF, true, true));
            try {
                controllers.start();
                node.start();
                walk(cluster, node);
            } finally {
                // running calls end with the process
                List<String> calls = new ArrayList<>(node.close());
                calls.addAll(controllers.close());
                LOG.atDebug().addKeyValue("calls", calls).log("calls that had not returned");
            }
        }
        missEtcd();
        out.println("this program works here");
        return 0;
    }

    /** Checks the client for etcd without a server: it must report that no server answers. */
    private void missEtcd() throws IOException {
        URI closed;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            closed = URI.create("http://127.0.0.1:" + free.getLocalPort());
        }
        try (EtcdClient etcd = EtcdClient.builder()
                .endpoints(List.of(closed))
                .callTimeout(Duration.ofSeconds(1))
                .build()) {
            EtcdCluster.builder(etcd).build().list(Kind.NODE, Selection.all());
        } catch (ClusterException away) {
            out.println("an etcd that is away is noticed");
        }
    }

    private void walk(HostCluster cluster, NodeRole node) throws InterruptedException {
        String uid = "";
        for (ApiObject object : Manifests.read("check", MANIFESTS)) {
            uid = cluster.create(object).metadata().uid();
        }
        MountedPod mounted = node.volumes().awaitMounted(uid, PATIENCE);
        mounted.volumes().forEach((name, volume) -> out.println("volume " + name + " is mounted at " + volume.path()));
        cluster.delete(POD, Preconditions.none());
        node.volumes().awaitUnmounted(uid, PATIENCE);
        out.println("it is unmounted, for its pod is gone");
        CountDownLatch gone = new CountDownLatch(1);
        String now = cluster.list(Kind.PERSISTENT_VOLUME, Selection.all()).revision();
        ClusterSource.Watch watch = cluster.watch(Kind.PERSISTENT_VOLUME, Selection.all(), now, event -> {
            if (event.type() == WatchEvent.Type.DELETED) {
                gone.countDown();
            }
        });
        try {
            cluster.delete(CLAIM, Preconditions.none());
            if (!gone.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                throw VolumeException.transientFailure("the volume of " + CLAIM + " was not deleted within "
                        + PATIENCE.toSeconds() + " s; the log above says what was tried");
            }
        } finally {
            watch.close();
        }
        out.println("it is deleted, for its claim is gone");
    }
}
