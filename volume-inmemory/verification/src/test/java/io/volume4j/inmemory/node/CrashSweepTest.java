package io.volume4j.inmemory.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.volumes.MountedPod;
import io.volume4j.core.volumes.MountedPod.ContainerMount;
import io.volume4j.inmemory.host.InMemoryPodRuntime;
import io.volume4j.inmemory.mount.UserFiles;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.ResizeStatus;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.mount.IdMapping;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A life with a crash after each of its steps in turn: before an intent is durable, between an intent and its effect,
 * between the effect and its outcome. The end is always the same, and nothing is left behind.
 */
class CrashSweepTest {
    private static final Quantity LARGER = Quantity.parse("2Gi");

    @ParameterizedTest
    @EnumSource(Crash.class)
    void mountsAndUnmounts(Crash crash) {
        int steps = 0;
        while (!liveAndDie(crash, steps)) {
            steps++;
        }
        assertThat(steps).as("crash points").isGreaterThan(40);
    }

    @ParameterizedTest
    @EnumSource(Crash.class)
    void givesFilesToAGroupAndBindsParts(Crash crash) {
        int steps = 0;
        while (!prepareAndDie(crash, steps)) {
            steps++;
        }
        assertThat(steps).as("crash points").isGreaterThan(40);
    }

    /** Whenever the pod can see its volume, the volume is its group's and its parts are there. */
    private static boolean prepareAndDie(Crash crash, int crashAfter) {
        NodeHarness node = NodeHarness.withMachine(crashAfter);
        UserFiles files = Objects.requireNonNull(node.machine).user();
        node.boundClaim("data");
        node.preparedPod("a", 2000L, crashAfter % 2 == 0 ? "Always" : "OnRootMismatch", "logs/today", "data");
        node.start();
        boolean survived = crash.after(node, crashAfter);
        node.settle();
        for (ContainerMount mount : allMounts(node.mounted("a"))) {
            assertThat(files.group(mount.hostPath()))
                    .as("%s, crash after %d", mount, crashAfter)
                    .isEqualTo(2000);
        }
        files.write(
                node.mounted("a").container("side").mounts().get(0).hostPath().resolve("f"), new byte[] {1});
        assertThat(files.exists(NodeHarness.ROOT.resolve("pods/a/volumes/mem/data/logs/today/f")))
                .as("crash after %d", crashAfter)
                .isTrue();
        node.deletePod("a");
        if (survived) {
            survived = crash.after(node, crashAfter / 2);
        }
        node.settle();
        Crash.nothingIsLeft(node, crashAfter);
        return survived;
    }

    @ParameterizedTest
    @EnumSource(Crash.class)
    void mapsIdsAndBindsParts(Crash crash) {
        int steps = 0;
        while (!mapAndDie(crash, steps)) {
            steps++;
        }
        assertThat(steps).as("crash points").isGreaterThan(40);
    }

    /** Whenever the pod can see its volume, all of it is seen with the pod's IDs; at the end no view is left. */
    private static boolean mapAndDie(Crash crash, int crashAfter) {
        InMemoryPodRuntime runtime = InMemoryPodRuntime.omniscient();
        runtime.ids("a", IdMapping.shifted(100_000, 65_536));
        NodeHarness node = NodeHarness.withMachine(crashAfter, runtime);
        UserFiles files = Objects.requireNonNull(node.machine).user();
        node.boundClaim("data");
        node.preparedPod("a", 2000L, "Always", "logs/today", "data");
        PodObjects.withOwnUsers(node.cluster, "a");
        node.start();
        boolean survived = crash.after(node, crashAfter);
        node.settle();
        for (ContainerMount mount : allMounts(node.mounted("a"))) {
            assertThat(files.owner(mount.hostPath()))
                    .as("%s, crash after %d", mount, crashAfter)
                    .isEqualTo(100_000);
            assertThat(files.group(mount.hostPath()))
                    .as("%s, crash after %d", mount, crashAfter)
                    .isEqualTo(102_000);
        }
        node.deletePod("a");
        if (survived) {
            survived = crash.after(node, crashAfter / 2);
        }
        node.settle();
        Crash.nothingIsLeft(node, crashAfter);
        return survived;
    }

    private static List<ContainerMount> allMounts(MountedPod pod) {
        List<ContainerMount> mounts = new ArrayList<>(pod.container("app").mounts());
        mounts.addAll(pod.container("side").mounts());
        assertThat(mounts).hasSize(2);
        return mounts;
    }

    /** True if the life was over before the crash. */
    private static boolean liveAndDie(Crash crash, int crashAfter) {
        NodeHarness node = NodeHarness.withMachine(crashAfter);
        node.boundClaim("data");
        node.boundClaim("more");
        node.pod("a", "data", "more");
        node.pod("b", "data");
        node.start();
        boolean survived = crash.after(node, crashAfter);
        node.settle();
        assertThat(node.mounted("a").volumes()).as("crash after %d", crashAfter).hasSize(2);
        assertThat(node.mounted("b").volumes()).as("crash after %d", crashAfter).hasSize(1);
        node.deletePod("a");
        node.deletePod("b");
        if (survived) {
            survived = crash.after(node, crashAfter / 2);
        }
        node.settle();
        Crash.nothingIsLeft(node, crashAfter);
        return survived;
    }

    @ParameterizedTest
    @EnumSource(Crash.class)
    void grows(Crash crash) {
        boolean survived = false;
        for (int steps = 0; !survived; steps++) {
            NodeHarness node = NodeHarness.withMachine(steps);
            node.boundClaim("data");
            node.pod("a", "data");
            node.start().settle();
            node.grow("data", LARGER, ResizeStatus.NODE_PENDING);
            survived = crash.after(node, steps);
            node.settle();

            assertThat(node.mounted("a").volumes()).as("crash after %d", steps).hasSize(1);
            assertThat(node.storedClaim("data").status().capacity())
                    .as("crash after %d", steps)
                    .isEqualTo(LARGER);
            assertThat(ResizeStatus.of(node.storedClaim("data")))
                    .as("crash after %d", steps)
                    .isEqualTo(ResizeStatus.NONE);
            node.deletePod("a");
            node.settle();
            Crash.nothingIsLeft(node, steps);
        }
    }

    @ParameterizedTest
    @EnumSource(Crash.class)
    void mapsAndUnmapsRawDevices(Crash crash) {
        boolean survived = false;
        for (int steps = 0; !survived; steps++) {
            NodeHarness node = NodeHarness.withMachine(steps);
            node.boundClaim("disk", AccessMode.READ_WRITE_MANY, VolumeMode.BLOCK);
            node.pod("a", "disk");
            node.pod("b", "disk");
            node.start();
            survived = crash.after(node, steps);
            node.settle();
            assertThat(node.mounted("a").volumes()).as("crash after %d", steps).hasSize(1);
            assertThat(node.mounted("b").volumes()).as("crash after %d", steps).hasSize(1);
            node.deletePod("a");
            node.deletePod("b");
            if (survived) {
                survived = crash.after(node, steps / 2);
            }
            node.settle();
            Crash.nothingIsLeft(node, steps);
        }
    }
}
