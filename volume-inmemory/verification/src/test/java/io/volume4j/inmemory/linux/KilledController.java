package io.volume4j.inmemory.linux;

import io.volume4j.core.codec.Manifests;
import io.volume4j.core.control.AttachDetachController;
import io.volume4j.core.control.ExternalAttacher;
import io.volume4j.core.control.PersistentVolumeController;
import io.volume4j.core.linux.LinuxMountBackend;
import io.volume4j.core.plugins.DefaultPluginHost;
import io.volume4j.core.plugins.FlexVolumes;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * A controller that runs a flexvolume driver, made to be killed: {@code KilledController ROOT DRIVER ROLE}. It wants one volume
 * attached and larger, and ends when its input does.
 */
final class KilledController implements AutoCloseable {
    static final String NAME = "example.com/disk";

    private static final String OBJECTS = """
            kind: Node
            apiVersion: v1
            metadata:
              name: n1
              annotations: {volumes.kubernetes.io/controller-managed-attach-detach: "true"}
            status:
              conditions: [{type: Ready, status: "True"}]
            ---
            kind: StorageClass
            apiVersion: storage.k8s.io/v1
            metadata: {name: disks}
            provisioner: example.com/disk
            allowVolumeExpansion: true
            ---
            kind: PersistentVolume
            apiVersion: v1
            metadata: {name: pv}
            spec:
              storageClassName: disks
              capacity: {storage: 1Gi}
              accessModes: [ReadWriteOnce]
              claimRef: {kind: PersistentVolumeClaim, namespace: default, name: data, uid: claim-uid}
              flexVolume: {driver: example.com/disk, fsType: ext4}
            status: {phase: Bound}
            ---
            kind: PersistentVolumeClaim
            apiVersion: v1
            metadata:
              namespace: default
              name: data
              uid: claim-uid
              annotations: {pv.kubernetes.io/bind-completed: "yes"}
            spec:
              storageClassName: disks
              volumeName: pv
              accessModes: [ReadWriteOnce]
              resources: {requests: {storage: 2Gi}}
            status:
              phase: Bound
              accessModes: [ReadWriteOnce]
              capacity: {storage: 1Gi}
            ---
            kind: Pod
            apiVersion: v1
            metadata: {namespace: default, name: p, uid: pod-uid}
            spec:
              nodeName: n1
              containers:
              - name: app
                volumeMounts: [{name: data, mountPath: /data}]
              volumes:
              - name: data
                persistentVolumeClaim: {claimName: data}
            """;

    private final LinuxMountBackend machine = LinuxMountBackend.create();
    private final List<Runnable> endings;

    /** What has to run the driver. */
    enum Role {
        ATTACHES,
        ATTACHES_FOR_ANOTHER,
        EXPANDS
    }

    KilledController(Path root, Path driver, Role role) {
        InMemoryCluster cluster = InMemoryCluster.create();
        Manifests.read("objects", OBJECTS).forEach(cluster::apply);
        PluginRegistry plugins = PluginRegistry.builder(
                        DefaultPluginHost.builder(root).mounts(machine).build())
                .plugin(FlexVolumes.plugin(NAME, driver, FlexVolumes.Options.defaults()))
                .build();
        endings = begin(role, cluster, plugins);
    }

    /** Starts what has that role; returns what ends it. */
    private static List<Runnable> begin(Role role, InMemoryCluster cluster, PluginRegistry plugins) {
        if (role == Role.EXPANDS) {
            PersistentVolumeController controller = PersistentVolumeController.builder()
                    .cluster(cluster, cluster)
                    .plugins(plugins)
                    .expandsVolumes()
                    .build();
            controller.start();
            return List.of(controller::close);
        }
        var builder = AttachDetachController.builder().cluster(cluster, cluster).plugins(plugins);
        if (role == Role.ATTACHES) {
            AttachDetachController controller = builder.build();
            controller.start();
            return List.of(controller::close);
        }
        AttachDetachController controller = builder.externalAttacher(NAME).build();
        ExternalAttacher attacher = ExternalAttacher.builder(NAME)
                .cluster(cluster, cluster)
                .plugins(plugins)
                .build();
        controller.start();
        attacher.start();
        return List.of(controller::close, attacher::close);
    }

    /** Runs until it is killed or its input ends. */
    public static void main(String[] arguments) throws IOException {
        try (KilledController running =
                new KilledController(Path.of(arguments[0]), Path.of(arguments[1]), Role.valueOf(arguments[2]))) {
            untilInputEnds(running);
        }
    }

    private static void untilInputEnds(KilledController running) throws IOException {
        while (!running.endings.isEmpty() && System.in.read() >= 0) {
            // The process that started this one says when it ends.
        }
    }

    @Override
    public void close() {
        endings.forEach(Runnable::run);
        machine.close();
    }
}
