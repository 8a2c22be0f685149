package io.volume4j.inmemory.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.core.volumes.AttachMode;
import io.volume4j.core.volumes.MountedPod;
import io.volume4j.inmemory.cluster.ClusterFault;
import io.volume4j.inmemory.cluster.ClusterVerb;
import io.volume4j.inmemory.cluster.ClusterWatch;
import io.volume4j.inmemory.fault.Fault;
import io.volume4j.inmemory.fault.FaultKind;
import io.volume4j.inmemory.host.InMemoryPodRuntime;
import io.volume4j.inmemory.plugin.InMemoryPlugin;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.ClaimSource;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.OtherSource;
import io.volume4j.spi.model.OwnerReference;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodPhase;
import io.volume4j.spi.model.PodVolume;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.VolumeMode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who gets which volume, under which names, and who has to wait for whom. */
class SharingTest {
    private static final Pod.SecurityContext NO_CONTEXT = Pod.SecurityContext.none();

    private final NodeHarness node = NodeHarness.withMachine(1);

    // names

    @Test
    void mountsOnceWhatAPodNamesTwice() {
        node.boundClaim("data");
        node.cluster.apply(node.pod(
                "a",
                List.of(
                        new PodVolume("one", new ClaimSource("data", false)),
                        new PodVolume("two", new ClaimSource("data", false))),
                NO_CONTEXT));
        node.start().settle();

        MountedPod mounted = node.mounted("a");
        assertThat(mounted.volumes()).containsOnlyKeys("one", "two");
        assertThat(path(mounted, "one")).isEqualTo(path(mounted, "two")).endsWith("/one");
        assertThat(count("mount ")).isEqualTo(1);

        node.deletePod("a");
        node.settle();
        nothingIsLeft();
    }

    @Test
    void mountsForWritingWhatAPodNamesForReadingTooAndKeepsThatNameReadOnly() {
        node.boundClaim("data");
        node.cluster.apply(node.pod(
                "a",
                List.of(
                        new PodVolume("one", new ClaimSource("data", true)),
                        new PodVolume("two", new ClaimSource("data", false))),
                NO_CONTEXT));
        node.start().settle();

        MountedPod mounted = node.mounted("a");
        assertThat(volume(mounted, "one").readOnly()).isTrue();
        assertThat(volume(mounted, "two").readOnly()).isFalse();
        assertThat(mounted.container("app").mounts())
                .extracting(mount -> mount.volume() + " " + mount.readOnly())
                .containsExactly("one true", "two false");
        assertThat(Objects.requireNonNull(node.machine)
                        .table()
                        .at(volume(mounted, "two").path()))
                .hasValueSatisfying(entry -> assertThat(entry.readOnly()).isFalse());
    }

    @Test
    void mountsForEachPodAsThePodSays() {
        node.boundClaim("data");
        node.pod("a", true, NO_CONTEXT, "data");
        node.pod("b", false, NO_CONTEXT, "data");
        node.start().settle();

        assertThat(volume(node.mounted("a"), "data").readOnly()).isTrue();
        assertThat(volume(node.mounted("b"), "data").readOnly()).isFalse();
        assertThat(Objects.requireNonNull(node.machine)
                        .table()
                        .at(volume(node.mounted("a"), "data").path()))
                .hasValueSatisfying(entry -> assertThat(entry.readOnly()).isTrue());
    }

    @Test
    void keepsPodsOwnVolumesApart() {
        PodVolume inline = new PodVolume("scratch", CsiSource.of("mem", "same", "", Map.of()));
        node.cluster.apply(node.pod("a", List.of(inline), NO_CONTEXT));
        node.cluster.apply(node.pod("b", List.of(inline), NO_CONTEXT));
        node.start().settle();

        assertThat(volume(node.mounted("a"), "scratch").id()).isEqualTo(VolumeId.ofPod("mem", "same", "a"));
        assertThat(volume(node.mounted("b"), "scratch").id()).isEqualTo(VolumeId.ofPod("mem", "same", "b"));
    }

    @Test
    void leavesAloneWhatNoContainerUses() {
        node.boundClaim("data");
        node.boundClaim("spare");
        Pod pod = node.pod("a", List.of(new PodVolume("data", new ClaimSource("data", false))), NO_CONTEXT);
        node.cluster.apply(new Pod(
                pod.metadata(),
                new Pod.Spec(
                        NodeHarness.NODE,
                        List.of(
                                new PodVolume("data", new ClaimSource("data", false)),
                                new PodVolume("spare", new ClaimSource("spare", false))),
                        List.of(),
                        pod.spec().containers(),
                        NO_CONTEXT,
                        ""),
                pod.status(),
                pod.unmodeled()));
        node.start().settle();

        assertThat(node.mounted("a").volumes()).containsOnlyKeys("data");
        assertThat(node.calls()).noneMatch(call -> call.contains("h-spare"));
    }

    // containers

    @Test
    void doesNothingWhenAContainerIsStartedAgain() {
        node.boundClaim("data");
        node.pod("a", "data");
        node.start().settle();
        List<String> before = node.calls();
        containers("a", PodPhase.RUNNING, false);
        node.settle();
        containers("a", PodPhase.RUNNING, true);
        node.settle();

        assertThat(node.calls()).isEqualTo(before);
        assertThat(node.mounted("a").volumes()).hasSize(1);
    }

    @Test
    void unmountsWhenThePodHasEnded() {
        node.boundClaim("data");
        node.pod("a", "data");
        node.start().settle();
        containers("a", PodPhase.SUCCEEDED, false);
        node.settle();

        nothingIsLeft();
    }

    // handing over

    @Test
    void takesAVolumeFromOnePodBeforeAnotherGetsIt() {
        node.boundClaim("data", AccessMode.READ_WRITE_ONCE_POD);
        node.pod("a", "data");
        node.start().settle();
        node.deletePod("a");
        node.pod("b", "data");
        node.settle();

        assertThat(node.calls()).containsSubsequence("mount h-data n1 a", "unmount h-data n1 a", "mount h-data n1 b");
        assertThat(count("unmountDevice")).as("the device stays").isZero();
        assertThat(node.storage.violations()).isEmpty();
    }

    @Test
    void doesNotTakeAVolumeForOnePodFromARunningPod() {
        InMemoryPodRuntime runtime = InMemoryPodRuntime.omniscient();
        NodeHarness guarded = new NodeHarness(1, runtime);
        guarded.boundClaim("data", AccessMode.READ_WRITE_ONCE_POD);
        guarded.pod("a", "data");
        runtime.started("a");
        guarded.start().settle();
        guarded.deletePod("a");
        guarded.pod("b", "data");
        guarded.settle();

        assertThat(guarded.calls()).noneMatch(call -> call.equals("mount h-data n1 b"));
        runtime.stopped("a");
        guarded.settle();
        assertThat(guarded.mounted("b").volumes()).hasSize(1);
        assertThat(guarded.storage.violations()).isEmpty();
    }

    // SELinux

    /** A context becomes a mount option, in which a quote would begin others; and the first pod's is every pod's. */
    @ParameterizedTest
    @ValueSource(strings = {"s0\",suid,context=\"x", "s0 c1", "s0\n", "s=0"})
    void refusesAPodWhoseSelinuxContextIsNoneAndServesTheOthers(String level) {
        NodeHarness labels = NodeHarness.withPlugin(InMemoryPlugin.Builder::labels);
        labels.boundClaim("data", AccessMode.READ_WRITE_MANY);
        labels.pod("a", false, context(level), "data");
        labels.pod("b", false, context("s0:c1"), "data");
        labels.start();
        var refused = labels.agent().whenMounted("a");
        labels.settle();

        assertThat(labels.mounted("b").volumes()).hasSize(1);
        assertThatThrownBy(() -> labels.get(refused)).hasMessageContaining("SELinux context");
        assertThat(labels.calls()).noneMatch(call -> call.equals("mount h-data n1 a"));
    }

    @Test
    void keepsPodsWithOtherSelinuxContextsWaiting() {
        NodeHarness labels = NodeHarness.withPlugin(InMemoryPlugin.Builder::labels);
        labels.boundClaim("data");
        labels.pod("a", false, context("s0:c1"), "data");
        labels.pod("b", false, context("s0:c1"), "data");
        labels.start().settle();
        labels.pod("c", false, context("s0:c2"), "data");
        labels.settle();

        assertThat(labels.mounted("a").volumes()).hasSize(1);
        assertThat(labels.mounted("b").volumes()).hasSize(1);
        assertThat(labels.explainPod("c").text())
                .contains(
                        "pod default/c waits: its SELinux context",
                        "system_u:object_r:container_file_t:s0:c2",
                        "system_u:object_r:container_file_t:s0:c1");

        labels.deletePod("a");
        labels.settle();
        assertThat(labels.calls()).noneMatch(call -> call.equals("mount h-data n1 c"));

        labels.deletePod("b");
        labels.settle();
        assertThat(labels.mounted("c").volumes()).hasSize(1);
        assertThat(labels.calls())
                .as("the device is mounted anew with the other context")
                .containsSubsequence(
                        "unmount h-data n1 b", "unmountDevice h-data n1", "mountDevice h-data n1", "mount h-data n1 c");
        assertThat(labels.storage.violations()).isEmpty();
    }

    /** Nothing is mounted with a context where pods get the device itself. */
    @Test
    void comparesNoContextsOfARawDevice() {
        NodeHarness labels = NodeHarness.withPlugin(InMemoryPlugin.Builder::labels);
        labels.boundClaim("data", AccessMode.READ_WRITE_MANY, VolumeMode.BLOCK);
        labels.pod("a", false, context("s0:c1"), "data");
        labels.pod("b", false, context("s0:c2"), "data");
        labels.start().settle();

        assertThat(labels.mounted("a").volumes()).hasSize(1);
        assertThat(labels.mounted("b").volumes()).hasSize(1);
    }

    @Test
    void remembersTheSelinuxContextOverARestart() {
        NodeHarness labels = NodeHarness.withPlugin(InMemoryPlugin.Builder::labels);
        labels.boundClaim("data");
        labels.pod("a", false, context("s0:c1"), "data");
        labels.start().settle();
        labels.kill();
        labels.pod("c", false, context("s0:c2"), "data");
        labels.start().settle();

        assertThat(labels.calls()).noneMatch(call -> call.equals("mount h-data n1 c"));
        assertThat(labels.mounted("a").volumes()).hasSize(1);
    }

    @Test
    void comparesNoContextsWhereThePluginMountsWithNone() {
        node.boundClaim("data");
        node.pod("a", false, context("s0:c1"), "data");
        node.pod("b", false, context("s0:c2"), "data");
        node.start().settle();

        assertThat(node.mounted("a").volumes()).hasSize(1);
        assertThat(node.mounted("b").volumes()).hasSize(1);
    }

    // claims

    @Test
    void mountsNoVolumeOfAnotherClaimOfTheSameName() {
        PersistentVolumeClaim claim = NodeHarness.claim("data", AccessMode.READ_WRITE_ONCE, VolumeMode.FILESYSTEM);
        PersistentVolume volume = NodeHarness.volume("data", claim, Quantity.parse("1Gi"));
        ObjectReference other =
                new ObjectReference("v1", "PersistentVolumeClaim", "default", "data", "another-uid", "");
        node.cluster.apply(claim);
        node.cluster.apply(withHolder(volume, other));
        node.pod("a", "data");
        node.start().settle();

        assertThat(node.calls()).isEmpty();
        assertThat(node.explainPod("a").text()).contains("is not bound to claim default/data");
    }

    @Test
    void mountsAnEphemeralClaimOnlyForThePodThatOwnsIt() {
        PodVolume ephemeral = new PodVolume("scratch", new OtherSource("ephemeral", Map.of()));
        node.boundClaim("a-scratch");
        node.cluster.apply(node.pod("a", List.of(ephemeral), NO_CONTEXT));
        node.start().settle();

        assertThat(node.explainPod("a").text()).contains("the pod is not its owner");
        assertThat(node.calls()).isEmpty();

        PersistentVolumeClaim claim = node.storedClaim("a-scratch");
        ObjectMeta owned = new ObjectMeta(
                claim.metadata().name(),
                claim.metadata().namespace(),
                claim.metadata().uid(),
                claim.metadata().resourceVersion(),
                claim.metadata().generation(),
                Map.of(),
                Map.of(),
                List.of(),
                List.of(new OwnerReference("v1", "Pod", "a", "a", true)),
                null,
                null);
        node.cluster.apply(new PersistentVolumeClaim(owned, claim.spec(), claim.status(), claim.unmodeled()));
        node.settle();
        assertThat(node.mounted("a").volumes()).containsOnlyKeys("scratch");
    }

    @Test
    void refusesFilesOfARawDevice() {
        node.boundClaim("disk", AccessMode.READ_WRITE_ONCE, VolumeMode.BLOCK);
        Pod pod = node.pod("a", List.of(), NO_CONTEXT);
        node.cluster.apply(new Pod(
                pod.metadata(),
                new Pod.Spec(
                        NodeHarness.NODE,
                        List.of(new PodVolume("disk", new ClaimSource("disk", false))),
                        List.of(),
                        List.of(new io.volume4j.spi.model.Container(
                                "app",
                                List.of(new io.volume4j.spi.model.Container.VolumeMount(
                                        "disk", "/disk", "", false, "", "")),
                                List.of(),
                                Map.of(),
                                Map.of())),
                        NO_CONTEXT,
                        ""),
                pod.status(),
                pod.unmodeled()));
        node.start();
        CompletableFuture<MountedPod> waiting = node.agent().whenMounted("a");
        node.settle();

        assertThatThrownBy(() -> node.get(waiting))
                .isInstanceOf(VolumeException.class)
                .hasMessageContaining("use it in volumeDevices, not volumeMounts");
    }

    // what is not known

    @Test
    void keepsEverythingWhenThePodsAreNotKnownAnyMore() {
        node.boundClaim("data");
        node.pod("a", "data");
        node.start().settle();
        node.cluster.fail(ClusterFault.on(ClusterVerb.LIST).always());
        node.cluster.watches().forEach(ClusterWatch::expire);
        node.deletePod("a");
        node.settle();

        assertThat(count("unmount")).as("what became of the pod is not known").isZero();
        node.cluster.heal();
        node.settle();
        nothingIsLeft();
    }

    @Test
    void detachesNothingInUseWhenTheAttachModeChanges() {
        node.boundClaim("data");
        node.pod("a", "data");
        node.start().settle();
        List<String> before = node.calls();
        node.kill();
        node.attachMode(AttachMode.CONTROLLER);
        node.start().settle();
        assertThat(node.calls()).as("from SELF to CONTROLLER").isEqualTo(before);
        assertThat(node.mounted("a").volumes()).hasSize(1);

        node.kill();
        node.attachMode(AttachMode.SELF);
        node.start().settle();
        assertThat(node.calls()).as("and back").isEqualTo(before);
        assertThat(node.storage.violations()).isEmpty();

        node.deletePod("a");
        node.settle();
        nothingIsLeft();
    }

    @Test
    void leavesTheAttachmentToTheControlPlaneAfterTheModeChanged() {
        node.boundClaim("data");
        node.pod("a", "data");
        node.start().settle();
        node.kill();
        node.attachMode(AttachMode.CONTROLLER);
        node.deletePod("a");
        node.start().settle();

        assertThat(count("unmountDevice")).isEqualTo(1);
        assertThat(count("detach")).isZero();
        assertThat(node.leftOnMachine()).isEmpty();
        assertThat(node.storage.violations()).isEmpty();
    }

    // content

    @Test
    void setsContentUpAgainWhenItsPodChanges() {
        NodeHarness content = NodeHarness.withPlugin(InMemoryPlugin.Builder::requiresRemount);
        content.boundClaim("data");
        content.pod("a", "data");
        content.start().settle();
        relabel(content, "a", "1");
        content.settle();

        assertThat(mounts(content)).isEqualTo(2);
        assertThat(content.calls()).noneMatch(call -> call.startsWith("unmount"));
        content.world.advance(Duration.ofHours(1));
        assertThat(mounts(content)).as("once").isEqualTo(2);
    }

    @Test
    void setsContentUpAgainWhenThePluginAsks() {
        node.boundClaim("data");
        node.pod("a", "data");
        node.pod("b", "data");
        node.start().settle();
        node.plugin.contentChanged(VolumeId.shared("mem", "h-data"));
        node.plugin.contentChanged(VolumeId.shared("mem", "nobody knows"));
        node.settle();

        assertThat(count("mount ")).isEqualTo(4);
    }

    @Test
    void neverTakesAwayWhatItCannotSetUpAgain() {
        NodeHarness content = NodeHarness.withPlugin(InMemoryPlugin.Builder::requiresRemount);
        content.boundClaim("data");
        content.pod("a", "data");
        content.start().settle();
        content.plugin.faults().add(Fault.on("mount").times(3).as(FaultKind.FINAL));
        content.plugin.faults().add(Fault.on("mount").nth(4).as(FaultKind.UNCERTAIN_AFTER));
        relabel(content, "a", "1");
        content.world.advance(Duration.ofSeconds(1));

        assertThat(content.mounted("a").volumes())
                .as("what was certain stays so")
                .hasSize(1);
        content.world.advance(Duration.ofHours(2));
        assertThat(content.explainPod("a").settled())
                .as("tried until it is done")
                .isTrue();
        assertThat(mounts(content)).isGreaterThan(4);
        assertThat(content.calls()).noneMatch(call -> call.startsWith("unmount"));
    }

    /** What changed while the process was away is made good for at once. */
    @Test
    void setsContentUpAgainAfterARestart() {
        NodeHarness content = NodeHarness.withPlugin(InMemoryPlugin.Builder::requiresRemount);
        content.boundClaim("data");
        content.pod("a", "data");
        content.start().settle();
        content.kill();
        content.start().settle();

        assertThat(mounts(content)).isEqualTo(2);
        assertThat(content.calls().stream().filter(call -> call.startsWith("mountDevice")))
                .hasSize(1);
    }

    private static long mounts(NodeHarness node) {
        return node.calls().stream().filter(call -> call.startsWith("mount ")).count();
    }

    private static void relabel(NodeHarness node, String pod, String value) {
        Pod stored = (Pod) node.cluster.get(ObjectKey.pod("default", pod)).orElseThrow();
        node.cluster.apply(new Pod(
                stored.metadata().withLabels(Map.of("version", value)),
                stored.spec(),
                stored.status(),
                stored.unmodeled()));
    }

    private void containers(String pod, PodPhase phase, boolean running) {
        Pod stored = (Pod) node.cluster.get(ObjectKey.pod("default", pod)).orElseThrow();
        node.cluster.apply(new Pod(
                stored.metadata(),
                stored.spec(),
                new Pod.Status(phase, List.of(new Pod.ContainerStatus("app", running))),
                stored.unmodeled()));
    }

    private static PersistentVolume withHolder(PersistentVolume volume, ObjectReference holder) {
        PersistentVolume.Spec spec = volume.spec();
        return new PersistentVolume(
                volume.metadata(),
                new PersistentVolume.Spec(
                        spec.capacity(),
                        spec.accessModes(),
                        spec.reclaimPolicy(),
                        "",
                        spec.volumeMode(),
                        holder,
                        List.of(),
                        null,
                        "",
                        spec.source()),
                volume.status(),
                volume.unmodeled());
    }

    private static Pod.SecurityContext context(String level) {
        return new Pod.SecurityContext(null, "", List.of(), new Pod.SeLinuxOptions("", "", "", level));
    }

    private static MountedPod.MountedVolume volume(MountedPod pod, String name) {
        return Objects.requireNonNull(pod.volumes().get(name));
    }

    private static String path(MountedPod pod, String name) {
        return volume(pod, name).path().toString();
    }

    private long count(String prefix) {
        return node.calls().stream().filter(call -> call.startsWith(prefix)).count();
    }

    private void nothingIsLeft() {
        assertThat(node.get(node.agent().present())).isEmpty();
        assertThat(node.leftOnMachine()).isEmpty();
        assertThat(node.storage.volumes()).noneMatch(volume -> volume.held());
        assertThat(node.storage.violations()).isEmpty();
    }

    /** No API server gives a UID twice; another store may, and a pod that runs must not lose its volumes for that. */
    @ParameterizedTest
    @ValueSource(strings = {"a", "twin"})
    void aPodKeepsWhatItHasWhenAnotherOneOfItsUidGoes(String first) {
        node.boundClaim("data");
        node.pod("a", "data");
        node.start().settle();
        Pod pod = (Pod) node.cluster.get(ObjectKey.pod("default", "a")).orElseThrow();
        node.cluster.apply(
                new Pod(ObjectMeta.named("default", "twin").withUid("a"), pod.spec(), pod.status(), pod.unmodeled()));
        node.settle();
        node.cluster.remove(ObjectKey.pod("default", first));
        node.settle();

        assertThat(node.calls()).noneMatch(call -> call.startsWith("unmount"));
        assertThat(node.mounted("a").volumes()).hasSize(1);

        node.cluster.remove(ObjectKey.pod("default", first.equals("a") ? "twin" : "a"));
        node.settle();
        assertThat(node.calls()).contains("unmount h-data n1 a");
    }
}
