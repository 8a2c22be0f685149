package io.volume4j.inmemory.guide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.core.codec.Manifests;
import io.volume4j.core.plugins.LoopPlugin;
import io.volume4j.core.volumes.MountedPod;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.inmemory.sim.NodeProcess;
import io.volume4j.inmemory.sim.Simulation;
import io.volume4j.inmemory.sim.Turbulence;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What docs/testing.md shows: plugins whose provisioners make files, in a world whose controllers have a machine. */
class FilesInSimulationTest {
    private static final String CLUSTER = """
            apiVersion: storage.k8s.io/v1
            kind: StorageClass
            metadata: {name: files}
            provisioner: %s
            ---
            apiVersion: v1
            kind: PersistentVolumeClaim
            metadata: {name: data}
            spec: {storageClassName: files, accessModes: [ReadWriteOnce], resources: {requests: {storage: 64Mi}}}
            ---
            apiVersion: v1
            kind: Pod
            metadata: {name: web}
            spec:
              nodeName: n1
              volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]
              containers: [{name: main, volumeMounts: [{name: data, mountPath: /data}]}]
            """;

    @ParameterizedTest
    @ValueSource(strings = {"directory.example.com", "loop.volume4j.io"})
    void aClaimBecomesFilesOnTheMachineAndIsGoneAgainWhateverGoesWrong(String provisioner) {
        for (long seed = 1; seed <= 10; seed++) {
            life(seed, provisioner);
        }
    }

    private static void life(long seed, String provisioner) {
        try (Simulation world = Simulation.builder(seed)
                .controllers(1)
                .controllersOn("n1")
                .plugins((all, process) -> List.of(new DirectoryPlugin(), new LoopPlugin()))
                .restarts()
                .build()) {
            world.start();
            world.turbulence(Turbulence.rough());
            Manifests.read("cluster", CLUSTER.formatted(provisioner)).forEach(world.cluster()::apply);
            world.advance(Duration.ofMinutes(5));
            world.turbulence(Turbulence.none());
            world.advance(Duration.ofMinutes(30));
            String uid = world.cluster()
                    .get(ObjectKey.pod("default", "web"))
                    .orElseThrow()
                    .metadata()
                    .uid();
            MountedPod mounted = world.get(world.node("n1").whenMounted(uid));
            assertThat(mounted.volumes()).containsKey("data");

            world.node("n1").reboot(true);
            world.advance(Duration.ofMinutes(30));
            assertThat(world.get(world.node("n1").whenMounted(uid)).volumes()).containsKey("data");

            world.cluster().remove(ObjectKey.pod("default", "web"));
            world.advance(Duration.ofMinutes(30));
            world.cluster().remove(ObjectKey.claim("default", "data"));
            world.advance(Duration.ofMinutes(30));
            InMemoryMountBackend machine = world.node("n1").machine().orElseThrow();
            assertThat(world.cluster().all(Kind.PERSISTENT_VOLUME))
                    .as(() -> String.join("\n", world.trace()))
                    .isEmpty();
            // Empty directories that plugins keep for their next volume are no leak.
            assertThat(machine.leaks(NodeProcess.ROOT))
                    .as("seed %d", seed)
                    .allMatch(left -> left.startsWith("directory ") && !left.contains("pvc-"));
            assertThat(world.violations())
                    .as(() -> "seed " + seed + ": " + world.trace())
                    .isEmpty();
        }
    }

    @Test
    void controllersOnAMachineThatIsNotThereAreRefused() {
        assertThatThrownBy(() ->
                        Simulation.builder(1).controllers(1).controllersOn("n2").build())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("controllersOn(\"n2\") names no node of this world; there are [n1]");
    }
}
