package io.volume4j.inmemory.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.ClaimSource;
import io.volume4j.spi.model.Container;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.NodeSelector;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodPhase;
import io.volume4j.spi.model.PodVolume;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.SelectorRequirement;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.model.VolumePhase;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What pods want, as it is read from the cluster: which claims and volumes count, and which are refused. */
class PopulatorTest {
    private static final Quantity SIZE = Quantity.parse("1Gi");

    private final NodeHarness node = new NodeHarness(1);

    @Test
    void callersThatWaitForAPodThatEndsOrGoesLearnSo() {
        node.pod("a", "late");
        node.pod("b", "late");
        node.start().settle();
        var a = node.agent().whenMounted("a");
        var b = node.agent().whenMounted("b");
        node.world.runReady();
        assertThat(a).isNotDone();

        end("a");
        node.deletePod("b");
        node.settle();

        var late = node.agent().whenMounted("a");
        node.world.runReady();
        assertThatThrownBy(() -> node.get(a)).hasMessageContaining("pod default/a has ended");
        assertThatThrownBy(() -> node.get(b)).hasMessageContaining("pod b is no longer on node");
        assertThatThrownBy(() -> node.get(late)).hasMessageContaining("pod default/a has ended");
    }

    @Test
    void aVolumeThatNoContainerUsesIsIgnored() {
        node.boundClaim("data");
        pod(List.of(), List.of());
        node.start().settle();

        assertThat(node.calls()).isEmpty();
        assertThat(node.mounted("a").volumes()).isEmpty();
    }

    @Test
    void filesAreMounted() {
        node.boundClaim("data");
        pod(List.of("data"), List.of());
        node.start().settle();

        assertThat(node.mounted("a").volumes()).containsOnlyKeys("data");
    }

    @Test
    void rawDevicesAreMappedAndUnmappedAgain() {
        node.boundClaim("data", AccessMode.READ_WRITE_ONCE, VolumeMode.BLOCK);
        pod(List.of(), List.of("data"));
        node.start().settle();
        assertThat(node.mounted("a").volumes()).containsOnlyKeys("data");

        node.deletePod("a");
        node.settle();
        assertThat(node.calls()).contains("unmapPod h-data n1 a");
        assertThat(node.get(node.agent().present())).isEmpty();
    }

    @Test
    void filesInVolumeDevicesFailThePod() {
        node.boundClaim("data");
        pod(List.of(), List.of("data"));

        assertRefused("holds files: use it in volumeMounts, not volumeDevices");
    }

    @Test
    void aRawDeviceInVolumeMountsFailsThePod() {
        claim(VolumeMode.BLOCK, ClaimPhase.BOUND, "uid-data");
        pod(List.of("data"), List.of());

        assertRefused("is a raw device: use it in volumeDevices, not volumeMounts");
    }

    /** They may be what keeps the pod from writing. */
    @Test
    void mountOptionsThatItsPluginDoesNotApplyFailThePod() {
        node.boundClaim("data");
        giveMountOptions("pv-data");
        pod(List.of("data"), List.of());

        assertRefused("volume pv-data has mount options, and plugin mem mounts without any");
    }

    @Test
    void aRawDeviceHasNoUseForMountOptions() {
        node.boundClaim("data", AccessMode.READ_WRITE_ONCE, VolumeMode.BLOCK);
        giveMountOptions("pv-data");
        pod(List.of(), List.of("data"));
        node.start().settle();

        assertThat(node.mounted("a").volumes()).containsOnlyKeys("data");
    }

    private void giveMountOptions(String volume) {
        PersistentVolume plain = (PersistentVolume)
                node.cluster.readLive(ObjectKey.volume(volume)).orElseThrow();
        node.cluster.apply(new PersistentVolume(
                plain.metadata(),
                plain.spec().toBuilder().mountOptions(List.of("ro")).build(),
                plain.status(),
                plain.unmodeled()));
    }

    @Test
    void aClaimThatIsNotBoundIsWaitedFor() {
        claim(VolumeMode.FILESYSTEM, ClaimPhase.PENDING, "uid-data");
        pod(List.of("data"), List.of());
        node.start().settle();

        assertThat(node.explainPod("a").text()).contains("claim default/data is not bound to a volume yet");
        assertThat(node.calls()).isEmpty();
    }

    @Test
    void aVolumeThatIsBoundToAnotherClaimOfThatNameIsNotUsed() {
        claim(VolumeMode.FILESYSTEM, ClaimPhase.BOUND, "uid-of-an-earlier-claim");
        pod(List.of("data"), List.of());
        node.start().settle();

        assertThat(node.explainPod("a").text()).contains("volume pv-data is not bound to claim default/data");
        assertThat(node.calls()).isEmpty();
    }

    @Test
    void aVolumeThatDoesNotExistIsWaitedFor() {
        node.boundClaim("data");
        node.cluster.remove(ObjectKey.volume("pv-data"));
        pod(List.of("data"), List.of());
        node.start().settle();
        assertThat(node.explainPod("a").text()).contains("volume pv-data of claim default/data does not exist");

        node.boundClaim("data");
        node.settle();
        assertThat(node.mounted("a").volumes()).containsOnlyKeys("data");
    }

    /** A node gets its labels when it registers, or from an administrator while pods wait. */
    @Test
    void aVolumeIsMountedAsSoonAsTheNodesLabelsReachIt() {
        node.boundClaim("data");
        reachableOnlyFrom("zone", "east");
        pod(List.of("data"), List.of());
        node.start().settle();
        assertThat(node.explainPod("a").text())
                .contains("node n1, whose labels volume pv-data asks for, does not exist");

        labels(Map.of());
        assertThat(node.explainPod("a").text()).contains("volume pv-data cannot be reached from node n1");
        assertThat(node.calls()).isEmpty();

        labels(Map.of("zone", "east"));
        assertThat(node.mounted("a").volumes()).containsOnlyKeys("data");
    }

    private void labels(Map<String, String> labels) {
        node.nodeObject(labels);
        node.settle();
    }

    private void reachableOnlyFrom(String label, String value) {
        PersistentVolume volume = node.cluster
                .get(ObjectKey.volume("pv-data"))
                .map(PersistentVolume.class::cast)
                .orElseThrow();
        node.cluster.apply(new PersistentVolume(
                volume.metadata(),
                volume.spec().toBuilder()
                        .nodeAffinity(new NodeSelector(List.of(new NodeSelector.Term(
                                List.of(new SelectorRequirement(label, "In", List.of(value))), List.of()))))
                        .build(),
                volume.status(),
                volume.unmodeled()));
    }

    @Test
    void aVolumeWithAWordOfANewerVersionIsWaitedForAndStaysWhereItIsMounted() {
        node.boundClaim("data");
        node.pod("a", "data");
        node.start().settle();
        var before = node.get(node.agent().present());
        assertThat(before).isNotEmpty();
        PersistentVolume volume = node.cluster
                .get(ObjectKey.volume("pv-data"))
                .map(PersistentVolume.class::cast)
                .orElseThrow();

        node.cluster.apply(new PersistentVolume(
                volume.metadata(),
                volume.spec().toBuilder()
                        .accessModes(List.of(AccessMode.UNKNOWN))
                        .build(),
                volume.status(),
                volume.unmodeled()));
        node.pod("b", "data");
        node.settle();

        assertThat(node.explainPod("b").text())
                .contains("the accessModes of volume pv-data has a word that this version of volume4j does not know");
        assertThat(node.get(node.agent().present())).as("what is mounted stays").isEqualTo(before);
    }

    @Test
    void oneVolumeThatCannotBeKeepsNoOtherFromBeingMounted() {
        node.boundClaim("data");
        node.pod("a", "missing", "data");
        node.start().settle();

        assertThat(node.get(node.agent().mounted("a")).volumes()).containsOnlyKeys("data");
    }

    @Test
    void oneVolumeMayHaveSeveralNamesInAPod() {
        node.boundClaim("data");
        Container container = new Container(
                "app",
                List.of(
                        new Container.VolumeMount("one", "/one", "", false, "", ""),
                        new Container.VolumeMount("two", "/two", "", false, "", "")),
                List.of(),
                Map.of(),
                Map.of());
        apply(
                List.of(
                        new PodVolume("one", new ClaimSource("data", false)),
                        new PodVolume("two", new ClaimSource("data", false))),
                container);
        node.start().settle();

        assertThat(node.mounted("a").volumes()).containsOnlyKeys("one", "two");
        assertThat(node.calls()).filteredOn(call -> call.startsWith("mount ")).hasSize(1);
        node.deletePod("a");
        node.settle();
        assertThat(node.get(node.agent().present())).isEmpty();
        assertThat(node.storage.violations()).isEmpty();
    }

    @Test
    void aPodThatEndedLosesItsVolumes() {
        node.boundClaim("data");
        node.pod("a", "data");
        node.start().settle();
        end("a");
        node.settle();

        assertThat(node.get(node.agent().present())).isEmpty();
    }

    private void end(String name) {
        Pod pod = node.cluster
                .get(ObjectKey.pod("default", name))
                .map(Pod.class::cast)
                .orElseThrow();
        node.cluster.apply(
                new Pod(pod.metadata(), pod.spec(), new Pod.Status(PodPhase.SUCCEEDED, List.of()), pod.unmodeled()));
    }

    private void assertRefused(String why) {
        node.start();
        var waiting = node.agent().whenMounted("a");
        node.settle();
        assertThatThrownBy(() -> node.get(waiting))
                .isInstanceOf(VolumeException.class)
                .hasMessageContaining(why);
        assertThat(node.calls()).isEmpty();
    }

    private void pod(List<String> asFiles, List<String> asDevices) {
        Container container = new Container(
                "app",
                asFiles.stream()
                        .map(name -> new Container.VolumeMount(name, "/" + name, "", false, "", ""))
                        .toList(),
                asDevices.stream()
                        .map(name -> new Container.VolumeDevice(name, "/dev/" + name))
                        .toList(),
                Map.of(),
                Map.of());
        apply(List.of(new PodVolume("data", new ClaimSource("data", false))), container);
    }

    private void apply(List<PodVolume> volumes, Container container) {
        node.cluster.apply(new Pod(
                ObjectMeta.named("default", "a").withUid("a"),
                new Pod.Spec(NodeHarness.NODE, volumes, List.of(), List.of(container), Pod.SecurityContext.none(), ""),
                new Pod.Status(PodPhase.RUNNING, List.of(new Pod.ContainerStatus("app", true))),
                Unmodeled.none()));
    }

    private void claim(VolumeMode mode, ClaimPhase phase, String holderUid) {
        PersistentVolumeClaim claim = new PersistentVolumeClaim(
                ObjectMeta.named("default", "data").withUid("uid-data"),
                new PersistentVolumeClaim.Spec(
                        List.of(AccessMode.READ_WRITE_ONCE),
                        SIZE,
                        "",
                        mode,
                        phase == ClaimPhase.BOUND ? "pv-data" : "",
                        null,
                        null,
                        null,
                        ""),
                new PersistentVolumeClaim.Status(
                        phase, List.of(AccessMode.READ_WRITE_ONCE), SIZE, Map.of(), Map.of(), ""),
                Unmodeled.none());
        node.cluster.apply(claim);
        node.cluster.apply(new PersistentVolume(
                ObjectMeta.named("", "pv-data"),
                new PersistentVolume.Spec(
                        SIZE,
                        List.of(AccessMode.READ_WRITE_ONCE),
                        ReclaimPolicy.RETAIN,
                        "",
                        mode,
                        new ObjectReference("v1", "PersistentVolumeClaim", "default", "data", holderUid, ""),
                        List.of(),
                        null,
                        "",
                        CsiSource.of("mem", "h-data", "", Map.of())),
                new PersistentVolume.Status(VolumePhase.BOUND, "", ""),
                Unmodeled.none()));
        node.storage.add("h-data", SIZE.bytes());
    }
}
