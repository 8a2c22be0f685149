package io.volume4j.examples.quickstart;

import io.volume4j.core.VolumeManager;
import io.volume4j.core.codec.Manifests;
import io.volume4j.core.control.PersistentVolumeController;
import io.volume4j.core.plugins.DefaultPluginHost;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.plugins.VolumePlugins;
import io.volume4j.core.volumes.AttachMode;
import io.volume4j.core.volumes.MountedPod;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ObjectKey;
import java.nio.file.Path;
import java.time.Duration;

/** A claim of 64Mi becomes a loop device with a filesystem, mounted for a pod, on a machine in memory. */
public class FirstMount {
    private static final String MANIFESTS = """
            {apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: loop}, provisioner: loop.volume4j.io}
            ---
            {apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: data},
             spec: {storageClassName: loop, accessModes: [ReadWriteOnce], resources: {requests: {storage: 64Mi}}}}
            ---
            {apiVersion: v1, kind: Pod, metadata: {name: writer},
             spec: {nodeName: here, containers: [{name: main, volumeMounts: [{name: data, mountPath: /data}]}],
                    volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]}}
            """;

    public static void main(String[] args) {
        Path root = Path.of("/var/lib/volumes");
        InMemoryMountBackend machine = InMemoryMountBackend.create(); // LinuxMountBackend.create() for the real kernel
        machine.files().createRoot(root);
        InMemoryCluster cluster = InMemoryCluster.create(); // yours: anything with list, watch and patch
        PluginRegistry plugins = PluginRegistry.builder(DefaultPluginHost.builder(root)
                        .nodeName("here")
                        .mounts(machine)
                        .build())
                .defaults(VolumePlugins.defaultPlugins())
                .build();

        try (PersistentVolumeController controller = PersistentVolumeController.builder()
                        .cluster(cluster, cluster)
                        .plugins(plugins)
                        .build();
                VolumeManager volumes = VolumeManager.builder()
                        .cluster(cluster)
                        .plugins(plugins)
                        .attachMode(AttachMode.SELF)
                        .journalInMemory() // a file below the root by default
                        .build()) {
            controller.start();
            volumes.start();
            Manifests.read("manifests", MANIFESTS).forEach(cluster::apply);

            ApiObject pod = cluster.get(ObjectKey.pod("default", "writer")).orElseThrow();
            MountedPod mounted = volumes.awaitMounted(pod.metadata().uid(), Duration.ofSeconds(30));
            mounted.volumes().forEach((name, volume) -> System.out.println(name + " is at " + volume.path()));
            System.out.println(volumes.explainPod("default", "writer").join().text());
            System.out.println(volumes.stats(pod.metadata().uid()).join()); // how full each volume is
        }
    }
}
