package io.volume4j.inmemory.guide;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.codec.Manifests;
import io.volume4j.core.volumes.MountedPod;
import io.volume4j.core.volumes.MountedPod.MountedVolume;
import io.volume4j.inmemory.fault.Fault;
import io.volume4j.inmemory.sim.NodeProcess;
import io.volume4j.inmemory.sim.Simulation;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.ObjectKey;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A host's unit test, twice: with the library replaced, and with the library itself in virtual time. */
class JobStarterTest {
    private static final String CLUSTER = """
            apiVersion: storage.k8s.io/v1
            kind: StorageClass
            metadata: {name: fast}
            provisioner: mem
            ---
            apiVersion: v1
            kind: PersistentVolumeClaim
            metadata: {name: data}
            spec: {storageClassName: fast, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
            ---
            apiVersion: v1
            kind: Pod
            metadata: {name: job}
            spec:
              nodeName: n1
              volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]
              containers: [{name: main, volumeMounts: [{name: data, mountPath: /data}]}]
            """;

    /** Notes what was started, and what was not. */
    private static final class Notes implements JobStarter.Jobs {
        private final List<String> notes = new ArrayList<>();

        @Override
        public void start(String podUid, Map<String, Path> volumes) {
            notes.add("started with " + volumes);
        }

        @Override
        public void refuse(String podUid, String why) {
            notes.add("refused: " + why);
        }
    }

    @Test
    void aJobStartsWhenItsVolumesAreMountedAndNotBefore() {
        Notes jobs = new Notes();
        CompletableFuture<MountedPod> mounting = new CompletableFuture<>();
        new JobStarter(podUid -> mounting, jobs).submit("uid-1");
        assertThat(jobs.notes).isEmpty();

        MountedVolume data = new MountedVolume(VolumeId.shared("mem", "v"), "v", Path.of("/volumes/v"), false, 0);
        mounting.complete(new MountedPod("uid-1", Map.of("data", data), Map.of(), List.of()));

        assertThat(jobs.notes).containsExactly("started with {data=/volumes/v}");
    }

    @Test
    void aJobWhoseVolumesCannotBeMountedIsRefusedWithTheReason() {
        Notes jobs = new Notes();
        CompletableFuture<MountedPod> mounting =
                CompletableFuture.failedFuture(VolumeException.finalFailure("the export is gone"));
        new JobStarter(podUid -> mounting, jobs).submit("uid-1");

        assertThat(jobs.notes)
                .singleElement()
                .asString()
                .startsWith("refused: ")
                .contains("the export is gone");
    }

    @Test
    void withTheLibraryItselfTheJobWaitsForStorageThatFailsForTenMinutes() {
        try (Simulation world = Simulation.builder(1).controllers(1).machines().build()) {
            world.start();
            world.storage().faults().add(Fault.on("mount").always());
            Manifests.read("cluster", CLUSTER).forEach(world.cluster()::apply);
            String uid = world.cluster()
                    .get(ObjectKey.pod("default", "job"))
                    .orElseThrow()
                    .metadata()
                    .uid();
            Notes jobs = new Notes();
            NodeProcess node = world.node("n1");
            new JobStarter(node::whenMounted, jobs).submit(uid);

            world.advance(Duration.ofMinutes(10)); // takes milliseconds
            assertThat(jobs.notes).isEmpty();
            assertThat(world.get(node.explainPod(uid)).text()).contains("failed ", "next try in", "scripted fault");

            world.storage().faults().heal();
            world.advance(Duration.ofMinutes(10));
            assertThat(jobs.notes).singleElement().asString().startsWith("started with {data=/volumes/pods/" + uid);
        }
    }
}
