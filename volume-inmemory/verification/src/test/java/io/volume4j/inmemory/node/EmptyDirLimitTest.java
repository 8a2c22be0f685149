package io.volume4j.inmemory.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.core.plugins.EmptyDirPlugin;
import io.volume4j.core.volumes.MountedPod.MountedVolume;
import io.volume4j.inmemory.mount.UserFiles;
import io.volume4j.spi.model.Container;
import io.volume4j.spi.model.EmptyDirSource;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodVolume;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.mount.MountEntry;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What a pod may use at most comes to the plugin that holds it to that, and to the host. */
class EmptyDirLimitTest {
    private NodeHarness node = NodeHarness.withMachine(1);

    @Test
    void aPodsMemoryBoundsItsVolumeInMemory() {
        MountedVolume volume = mounted(new EmptyDirSource("Memory", Quantity.parse("1Gi")), "memory", "64Mi");

        MountEntry tmpfs =
                Objects.requireNonNull(node.machine).table().at(volume.path()).orElseThrow();
        assertThat(tmpfs.fsType()).isEqualTo("tmpfs");
        assertThat(tmpfs.superOptions()).contains("size=" + (64 << 20));
        assertThat(volume.sizeLimitBytes()).isEqualTo(64 << 20);
    }

    @Test
    void soDoesWhatTheNodeHasForPods() {
        node.allocatable(Map.of("memory", Quantity.parse("32Mi")));

        MountedVolume volume = mounted(new EmptyDirSource("Memory", Quantity.parse("1Gi")), "memory", "64Mi");

        MountEntry tmpfs =
                Objects.requireNonNull(node.machine).table().at(volume.path()).orElseThrow();
        assertThat(tmpfs.superOptions()).contains("size=" + (32 << 20));
    }

    @Test
    void theHostLearnsWhatADirectoryOnDiskMayHold() {
        MountedVolume volume = mounted(new EmptyDirSource("", Quantity.parse("1Gi")), "ephemeral-storage", "2Gi");

        assertThat(volume.sizeLimitBytes()).isEqualTo(1 << 30);
    }

    @Test
    void aDiskWithProjectQuotasHoldsADirectoryToIt() {
        node = NodeHarness.withProjectQuotas();
        MountedVolume volume = mounted(new EmptyDirSource("", Quantity.parse("1Gi")), "ephemeral-storage", "4");
        UserFiles files = Objects.requireNonNull(node.machine).user();

        files.write(volume.path().resolve("fits"), new byte[4]);

        assertThatThrownBy(() -> files.write(volume.path().resolve("more"), new byte[1]))
                .hasMessageContaining("EDQUOT");
    }

    @Test
    void aChangedLimitResizesTheMemoryOfARunningPod() {
        MountedVolume volume = mounted(new EmptyDirSource("Memory", Quantity.parse("1Gi")), "memory", "64Mi");

        apply(new EmptyDirSource("Memory", Quantity.parse("1Gi")), "memory", "128Mi");
        node.settle();

        MountEntry tmpfs =
                Objects.requireNonNull(node.machine).table().at(volume.path()).orElseThrow();
        assertThat(tmpfs.superOptions()).contains("size=" + (128 << 20));
        assertThat(Objects.requireNonNull(node.mounted("a").volumes().get("scratch"))
                        .sizeLimitBytes())
                .isEqualTo(128 << 20);
    }

    private MountedVolume mounted(EmptyDirSource source, String resource, String limit) {
        node.plugin(new EmptyDirPlugin());
        apply(source, resource, limit);
        node.start().settle();
        return Objects.requireNonNull(node.mounted("a").volumes().get("scratch"));
    }

    private void apply(EmptyDirSource source, String resource, String limit) {
        Pod pod = node.pod("a", List.of(new PodVolume("scratch", source)), Pod.SecurityContext.none());
        Container app = pod.spec().containers().get(0);
        Container limited = new Container(
                app.name(), app.volumeMounts(), List.of(), Map.of(), Map.of(resource, Quantity.parse(limit)));
        node.cluster.apply(new Pod(
                pod.metadata(),
                new Pod.Spec(
                        pod.spec().nodeName(),
                        pod.spec().volumes(),
                        List.of(),
                        List.of(limited),
                        Pod.SecurityContext.none(),
                        ""),
                pod.status(),
                pod.unmodeled()));
    }
}
