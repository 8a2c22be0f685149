package io.volume4j.inmemory.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.VolumeManager;
import io.volume4j.core.codec.Manifests;
import io.volume4j.core.plugins.DefaultPluginHost;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.volumes.AttachMode;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.plugin.DeviceMounter;
import io.volume4j.spi.plugin.Mounter;
import io.volume4j.spi.plugin.VolumePlugin;
import io.volume4j.spi.plugin.VolumeSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Time for mkfs and the like is given where they may run, and nowhere else: what hangs is written off sooner. */
class DeviceDeadlineTest {
    private static final Path ROOT = Path.of("/volumes");
    private static final Duration MOUNT = Duration.ofMinutes(10);
    private static final Duration DEVICE = Duration.ofDays(1);

    private static final String OBJECTS = """
            kind: PersistentVolume
            apiVersion: v1
            metadata: {name: pv}
            spec:
              capacity: {storage: 1Gi}
              accessModes: [ReadWriteOnce]
              claimRef: {kind: PersistentVolumeClaim, namespace: default, name: data, uid: claim-uid}
              csi: {driver: example.com, volumeHandle: one}
            status: {phase: Bound}
            ---
            kind: PersistentVolumeClaim
            apiVersion: v1
            metadata: {namespace: default, name: data, uid: claim-uid}
            spec: {volumeName: pv, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
            status: {phase: Bound, accessModes: [ReadWriteOnce], capacity: {storage: 1Gi}}
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

    /** Mounts nothing and remembers how much time each call had. */
    private record Patient(boolean runsPrograms, Map<String, Duration> given) implements VolumePlugin {
        @Override
        public String name() {
            return "example.com";
        }

        @Override
        public boolean supports(VolumeSpec spec) {
            return spec.source() instanceof CsiSource;
        }

        @Override
        public String volumeName(VolumeSpec spec) {
            return spec.name();
        }

        @Override
        public Optional<DeviceMounter> deviceMounter(VolumeSpec spec) {
            return Optional.of((request, context) -> {
                given.put("device", context.remaining());
                return DeviceMounter.DeviceMountResult.mounted();
            });
        }

        @Override
        public Optional<Mounter> mounter(VolumeSpec spec) {
            return Optional.of((request, context) -> {
                given.put("pod", context.remaining());
                return Mounter.MountResult.mounted();
            });
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void onlyCallsThatMayRunProgramsHaveTheTimeForThem(boolean runsPrograms) throws Exception {
        InMemoryMountBackend machine = InMemoryMountBackend.create();
        machine.files().createRoot(ROOT);
        Patient plugin = new Patient(runsPrograms, new ConcurrentHashMap<>());
        InMemoryCluster cluster = InMemoryCluster.create();
        Manifests.read("objects", OBJECTS).forEach(cluster::apply);
        try (VolumeManager manager = VolumeManager.builder()
                .cluster(cluster)
                .plugins(PluginRegistry.builder(DefaultPluginHost.builder(ROOT)
                                .nodeName("n1")
                                .mounts(machine)
                                .build())
                        .plugin(plugin)
                        .build())
                .attachMode(AttachMode.SELF)
                .mountDeadline(MOUNT)
                .deviceDeadline(DEVICE)
                .journalInMemory()
                .build()) {
            manager.start();
            assertThat(manager.whenMounted("pod-uid").get(2, TimeUnit.MINUTES).volumes())
                    .hasSize(1);
        }

        assertThat(plugin.given().get("pod")).isLessThanOrEqualTo(MOUNT);
        if (runsPrograms) {
            assertThat(plugin.given().get("device")).isGreaterThan(MOUNT);
        } else {
            assertThat(plugin.given().get("device")).isLessThanOrEqualTo(MOUNT);
        }
    }
}
