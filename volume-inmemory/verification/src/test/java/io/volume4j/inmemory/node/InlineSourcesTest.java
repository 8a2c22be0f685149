package io.volume4j.inmemory.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.volumes.MountedPod;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.FlexVolumeSource;
import io.volume4j.spi.model.IscsiSource;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodVolume;
import io.volume4j.spi.model.SecretRef;
import io.volume4j.spi.model.VolumeSource;
import io.volume4j.spi.plugin.Mounter;
import io.volume4j.spi.plugin.Unmounter;
import io.volume4j.spi.plugin.VolumePlugin;
import io.volume4j.spi.plugin.VolumeSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What pods describe themselves comes to its plugin whole. */
class InlineSourcesTest {
    private final NodeHarness node = NodeHarness.withMachine(1);

    /** Manifests have no place for a namespace there: the secret of a pod's own volume is the pod's. */
    @Test
    void aPodsOwnVolumeHasItsSecretInThePodsNamespace() {
        Recorder recorder = new Recorder("kubernetes.io/iscsi");
        node.plugin(recorder);
        pod(new IscsiSource(
                "10.0.0.1",
                "iqn.2020-01.example:a",
                0,
                "",
                "ext4",
                false,
                List.of(),
                false,
                true,
                new SecretRef("", "chap"),
                ""));
        node.start().settle();

        assertThat(node.mounted("a").volumes()).hasSize(1);
        assertThat(((IscsiSource) recorder.sources.get(0)).secretRef()).isEqualTo(new SecretRef("default", "chap"));
    }

    @Test
    void aNamespaceThatIsWrittenStays() {
        Recorder recorder = new Recorder("example.com/lvm");
        node.plugin(recorder);
        pod(new FlexVolumeSource("example.com/lvm", "", false, Map.of(), new SecretRef("vault", "key")));
        node.start().settle();

        assertThat(((FlexVolumeSource) recorder.sources.get(0)).secretRef()).isEqualTo(new SecretRef("vault", "key"));
    }

    /** Drivers are installed while the process runs. */
    @Test
    void waitsForAFlexvolumeDriverThatIsNotInstalledYet() {
        pod(new FlexVolumeSource("example.com/lvm", "", false, Map.of(), null));
        node.start();
        CompletableFuture<MountedPod> mounted = node.agent().whenMounted("a");
        node.settle();

        assertThat(mounted).isNotDone();
        assertThat(node.explainPod("a").text()).contains("example.com~lvm/lvm");
    }

    private void pod(VolumeSource source) {
        Pod pod = node.pod("a", List.of(new PodVolume("data", source)), Pod.SecurityContext.none());
        node.cluster.apply(pod);
    }

    /** Mounts nothing and remembers what it was asked for. */
    private static final class Recorder implements VolumePlugin {
        private final List<VolumeSource> sources = new ArrayList<>();
        private final String name;

        Recorder(String name) {
            this.name = name;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public boolean supports(VolumeSpec spec) {
            return spec.source() instanceof IscsiSource || spec.source() instanceof FlexVolumeSource;
        }

        @Override
        public String volumeName(VolumeSpec spec) {
            return spec.name();
        }

        @Override
        public Optional<Mounter> mounter(VolumeSpec spec) {
            return Optional.of((request, context) -> {
                sources.add(request.spec().source());
                return Mounter.MountResult.mounted();
            });
        }

        @Override
        public Optional<Unmounter> unmounter(VolumeId volume) {
            return Optional.of((request, context) -> {});
        }
    }
}
