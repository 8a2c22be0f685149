package io.volume4j.examples.newcomer;

import io.volume4j.core.VolumeManager;
import io.volume4j.core.codec.Manifests;
import io.volume4j.core.linux.LinuxMountBackend;
import io.volume4j.core.plugins.DefaultPluginHost;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.plugins.VolumePlugins;
import io.volume4j.core.volumes.AttachMode;
import io.volume4j.core.volumes.MountedPod;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.mount.MountBackend;
import java.nio.file.Path;
import java.time.Duration;

/** Mounts an emptyDir for a pod and takes it away again. The argument is a root directory that it may make. */
public final class Newcomer {
    private static final String MANIFESTS =
            """
            {apiVersion: v1, kind: Node, metadata: {name: here}}
            ---
            apiVersion: v1
            kind: Pod
            metadata: {name: job, namespace: default, uid: job-1}
            spec:
              nodeName: here
              containers: [{name: main, volumeMounts: [{name: scratch, mountPath: /scratch}]}]
              volumes: [{name: scratch, emptyDir: {medium: Memory, sizeLimit: 16Mi}}]
            """;

    private Newcomer() {}

    public static void main(String[] arguments) {
        Path root = Path.of(arguments[0]);
        try (LinuxMountBackend linux = LinuxMountBackend.create()) {
            boolean real = linux.abilities().mayMount();
            MountBackend machine = real ? linux : InMemoryMountBackend.create();
            machine.files().createRoot(root);
            InMemoryCluster cluster = InMemoryCluster.create();
            Manifests.read("job", MANIFESTS).forEach(cluster::apply);
            PluginRegistry plugins = PluginRegistry.builder(DefaultPluginHost.builder(root)
                            .nodeName("here")
                            .mounts(machine)
                            .build())
                    .defaults(VolumePlugins.defaultPlugins())
                    .build();
            try (VolumeManager volumes = VolumeManager.builder()
                    .cluster(cluster)
                    .plugins(plugins)
                    .attachMode(AttachMode.SELF)
                    .journalInMemory()
                    .build()) {
                volumes.start();
                MountedPod mounted = volumes.awaitMounted("job-1", Duration.ofSeconds(30));
                System.out.println("mounted " + mounted.volumes().keySet() + (real ? "" : " in memory"));
                cluster.remove(ObjectKey.pod("default", "job"));
                volumes.awaitUnmounted("job-1", Duration.ofSeconds(30));
                System.out.println("unmounted");
            }
        }
    }
}
