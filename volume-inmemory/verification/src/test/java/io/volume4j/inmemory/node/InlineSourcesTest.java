package io.volume4j.inmemory.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.volumes.MountedPod;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.FlexVolumeSource;
import io.volume4j.spi.model.IscsiSource;
import io.volume4j.spi.model.OtherSource;
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
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

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

    /** A user who may create pods in one namespace may not use the secrets of another. */
    @ParameterizedTest
    @MethodSource
    void aPodsOwnVolumeHasNoSecretOfAnotherNamespace(VolumeSource source) {
        Recorder recorder = new Recorder("any");
        node.plugin(recorder);
        pod(source);
        node.start();
        CompletableFuture<MountedPod> mounted = node.agent().whenMounted("a");
        node.settle();

        assertThat(mounted).isCompletedExceptionally();
        assertThat(node.explainPod("a").text())
                .contains("names secret key of namespace vault, and the pod is in namespace default");
        assertThat(recorder.sources).isEmpty();
    }

    static Stream<VolumeSource> aPodsOwnVolumeHasNoSecretOfAnotherNamespace() {
        SecretRef foreign = new SecretRef("vault", "key");
        return Stream.of(
                new FlexVolumeSource("example.com/lvm", "", false, Map.of(), foreign),
                new IscsiSource(
                        "10.0.0.1", "iqn.2020-01.example:a", 0, "", "ext4", false, List.of(), false, true, foreign, ""),
                new CsiSource("d.example.com", "", false, "", Map.of(), null, null, foreign, null, null),
                // CSI drivers mount it: the translated volume has the secret for NodeStageVolume
                new OtherSource(
                        "azureFile", Map.of("secretName", "key", "secretNamespace", "vault", "shareName", "s")));
    }

    /** The handle is that of a volume of another namespace. */
    @Test
    void aPodsOwnVolumeNamesNoExistingVolume() {
        Recorder recorder = new Recorder("any");
        node.plugin(recorder);
        pod(CsiSource.of("any", "pvc-of-another", "", Map.of()));
        node.start();
        CompletableFuture<MountedPod> mounted = node.agent().whenMounted("a");
        node.settle();

        assertThat(mounted).isCompletedExceptionally();
        assertThat(node.explainPod("a").text())
                .contains("inline volume data names an existing volume of driver any by volumeHandle");
        assertThat(recorder.sources).isEmpty();
    }

    @Test
    void aPodsOwnVolumeMayNameThePodsNamespace() {
        Recorder recorder = new Recorder("example.com/lvm");
        node.plugin(recorder);
        SecretRef own = new SecretRef("default", "key");
        pod(new FlexVolumeSource("example.com/lvm", "", false, Map.of(), own));
        node.start().settle();

        assertThat(((FlexVolumeSource) recorder.sources.get(0)).secretRef()).isEqualTo(own);
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
            return spec.source() instanceof IscsiSource
                    || spec.source() instanceof FlexVolumeSource
                    || spec.source() instanceof CsiSource;
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
