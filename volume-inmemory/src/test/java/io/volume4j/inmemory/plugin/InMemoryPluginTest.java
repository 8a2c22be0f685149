package io.volume4j.inmemory.plugin;

import static io.volume4j.inmemory.plugin.Volumes.attach;
import static io.volume4j.inmemory.plugin.Volumes.detach;
import static io.volume4j.inmemory.plugin.Volumes.id;
import static io.volume4j.inmemory.plugin.Volumes.provision;
import static io.volume4j.inmemory.plugin.Volumes.publish;
import static io.volume4j.inmemory.plugin.Volumes.stage;
import static io.volume4j.inmemory.plugin.Volumes.unpublish;
import static io.volume4j.inmemory.plugin.Volumes.unstage;
import static io.volume4j.inmemory.plugin.Volumes.volume;
import static io.volume4j.spi.model.AccessMode.READ_WRITE_MANY;
import static io.volume4j.spi.model.AccessMode.READ_WRITE_ONCE;
import static io.volume4j.spi.model.AccessMode.READ_WRITE_ONCE_POD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.volume4j.inmemory.fault.Fault;
import io.volume4j.inmemory.fault.FaultKind;
import io.volume4j.inmemory.host.InMemoryPluginHost;
import io.volume4j.inmemory.host.InMemorySecrets;
import io.volume4j.inmemory.host.ManualCallContext;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.inmemory.oracle.Violation;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.OtherSource;
import io.volume4j.spi.model.PodVolume;
import io.volume4j.spi.model.SecretRef;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.plugin.Deleter.DeleteRequest;
import io.volume4j.spi.plugin.Expander.ExpandRequest;
import io.volume4j.spi.plugin.Expander.ExpandResult;
import io.volume4j.spi.plugin.NodeExpander.NodeExpandRequest;
import io.volume4j.spi.plugin.Observer.Observation;
import io.volume4j.spi.plugin.Observer.Query;
import io.volume4j.spi.plugin.PluginState;
import io.volume4j.spi.plugin.Provisioner.ProvisionRequest;
import io.volume4j.spi.plugin.Provisioner.ProvisionResult;
import io.volume4j.spi.plugin.Snapshotter;
import io.volume4j.spi.plugin.VolumeSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class InMemoryPluginTest {
    private static final long GIB = 1L << 30;

    private final ManualCallContext context = new ManualCallContext();
    private InMemoryStorage storage = InMemoryStorage.create();
    private InMemoryPlugin plugin = pluginOn("n1");

    @Test
    void provisionsOnceHoweverOftenItIsAsked() {
        ProvisionResult first = provisioned("pvc-u1", GIB);
        ProvisionResult second = provisioned("pvc-u1", GIB);

        assertThat(second).isEqualTo(first);
        assertThat(first.capacityBytes()).isEqualTo(GIB);
        assertThat(storage.volumes()).hasSize(1);
        assertThat(storage.callTexts()).containsExactly("provision pvc-u1", "provision pvc-u1");
    }

    @Test
    void aTakenNameThatDoesNotFitIsFinal() {
        provisioned("pvc-u1", GIB);

        assertThat(failure(() -> provisioned("pvc-u1", 2 * GIB)).kind()).isEqualTo(FailureKind.FINAL);
    }

    @Test
    void aFullPoolIsExhaustedUntilSomethingIsDeleted() {
        use(InMemoryStorage.builder().capacityBytes(GIB).build());
        ProvisionResult made = provisioned("a", GIB);
        assertThat(failure(() -> provisioned("b", 1)).kind()).isEqualTo(FailureKind.EXHAUSTED);

        delete("a", made);

        assertThat(provisioned("b", 1).capacityBytes()).isEqualTo(1);
    }

    @Test
    void deletingWhatIsGoneIsSuccess() {
        ProvisionResult made = provisioned("a", GIB);
        delete("a", made);
        delete("a", made);

        assertThat(storage.volumes()).isEmpty();
    }

    @Test
    void aDeletedVolumeIsNotThereForAnyoneAndIsNotMadeAnewByUse() {
        delete("a", provisioned("a", GIB));

        assertThat(failure(() -> attached(volume("a"), "n1")).kind()).isEqualTo(FailureKind.FINAL);
        assertThat(storage.volumes()).isEmpty();
    }

    @Test
    void attachingTwiceGivesTheSameDevice() {
        VolumeSpec spec = volume("v1", READ_WRITE_ONCE);

        assertThat(attached(spec, "n1")).isEqualTo(attached(spec, "n1"));
        assertThat(storage.violations()).isEmpty();
    }

    @Test
    void aVolumeForOneNodeOnTwoNodesIsAViolation() {
        VolumeSpec spec = volume("v1", READ_WRITE_ONCE);
        attached(spec, "n1");
        attached(spec, "n2");

        assertThat(storage.violations()).singleElement().satisfies(violation -> {
            assertThat(violation.rule()).isEqualTo("S4");
            assertThat(violation.call()).isEqualTo("attach v1 n2");
            assertThat(violation.message()).contains("n1");
        });
    }

    @Test
    void aFencedNodeNoLongerStandsAgainstAnother() {
        VolumeSpec spec = volume("v1", READ_WRITE_ONCE);
        attached(spec, "n1");
        storage.fence("n1");
        attached(spec, "n2");
        assertThat(storage.violations()).isEmpty();

        storage.unfence("n1");
        attached(spec, "n3");
        assertThat(storage.violations()).isNotEmpty();
    }

    @Test
    void aVolumeForManyNodesMayBeOnMany() {
        VolumeSpec spec = volume("v1", READ_WRITE_MANY);
        attached(spec, "n1");
        attached(spec, "n2");

        assertThat(storage.violations()).isEmpty();
    }

    @Test
    void aCarefulBackendNamesTheNodeThatHoldsTheVolume() {
        use(InMemoryStorage.builder().refusesSecondNode().build());
        VolumeSpec spec = volume("v1", READ_WRITE_ONCE);
        attached(spec, "n1");

        VolumeException refused = failure(() -> attached(spec, "n2"));

        assertThat(refused.kind()).isEqualTo(FailureKind.DANGLING);
        assertThat(refused.holder()).isEqualTo("n1");
        assertThat(storage.violations()).isEmpty();
    }

    @Test
    void aNodeTakesNoMoreVolumesThanItsLimit() {
        use(InMemoryStorage.builder().maxVolumesPerNode(1).build());
        attached(volume("v1"), "n1");

        assertThat(failure(() -> attached(volume("v2"), "n1")).kind()).isEqualTo(FailureKind.EXHAUSTED);
        assertThat(plugin.limits().orElseThrow().maxVolumes(context)).isEqualTo(1);
    }

    @Test
    void theWholeLifeOfAVolumeLeavesNothingAndViolatesNothing() {
        VolumeSpec spec = volume("v1", READ_WRITE_ONCE);
        attached(spec, "n1");
        staged(spec);
        published(spec, "u1");
        published(spec, "u2");
        assertThat(storage.volume("v1").orElseThrow().publications().get("n1")).containsOnlyKeys("u1", "u2");

        unpublished("v1", "u1");
        unpublished("v1", "u2");
        unstaged("v1");
        detached("v1", "n1");

        assertThat(storage.volume("v1").orElseThrow().held()).isFalse();
        assertThat(storage.violations()).isEmpty();
        assertThat(storage.callTexts())
                .containsExactly(
                        "attach v1 n1",
                        "mountDevice v1 n1",
                        "mount v1 n1 u1",
                        "mount v1 n1 u2",
                        "unmount v1 n1 u1",
                        "unmount v1 n1 u2",
                        "unmountDevice v1 n1",
                        "detach v1 n1");
        assertThat(storage.calls()).allMatch(call -> call.outcome().equals("ok"));
    }

    @Test
    void stagingWhatIsNotAttachedIsAViolationAndFails() {
        assertThat(failure(() -> staged(volume("v1"))).kind()).isEqualTo(FailureKind.TRANSIENT);
        assertThat(rules()).containsExactly("S3");
    }

    @Test
    void publishingWhatIsNotStagedIsAViolationAndFails() {
        attached(volume("v1"), "n1");
        assertThat(failure(() -> published(volume("v1"), "u1")).kind()).isEqualTo(FailureKind.TRANSIENT);
        assertThat(rules()).containsExactly("S3");
    }

    @Test
    void unstagingUnderAPodIsAViolation() {
        inUse("v1", "u1");
        unstaged("v1");
        assertThat(rules()).containsExactly("S2");
    }

    @Test
    void detachingUnderAPodIsAViolationUnlessTheNodeIsFenced() {
        inUse("v1", "u1");
        inUse("v2", "u1");
        detached("v1", "n1");
        assertThat(rules()).containsExactly("S1");

        storage.fence("n1");
        detached("v2", "n1");
        assertThat(rules()).containsExactly("S1");
    }

    @Test
    void detachingWhileStagedIsAViolation() {
        attached(volume("v1"), "n1");
        staged(volume("v1"));
        detached("v1", "n1");
        assertThat(rules()).containsExactly("S1");
    }

    @Test
    void deletingWhatIsAttachedIsAViolationAndRefused() {
        ProvisionResult made = provisioned("v1", GIB);
        attached(volume("v1"), "n1");

        assertThat(failure(() -> delete("v1", made)).kind()).isEqualTo(FailureKind.IN_USE);
        assertThat(rules()).containsExactly("S10");
        assertThat(storage.volume("v1")).isPresent();
    }

    @Test
    void aVolumeForOnePodWithTwoPodsIsAViolation() {
        VolumeSpec spec = volume("v1", READ_WRITE_ONCE_POD);
        attached(spec, "n1");
        staged(spec);
        published(spec, "u1");
        published(spec, "u1");
        assertThat(storage.violations()).isEmpty();

        published(spec, "u2");
        assertThat(rules()).containsExactly("S5");
    }

    @Test
    void aRebootTakesMountsAndLeavesAttachments() {
        inUse("v1", "u1");
        storage.nodeRebooted("n1");

        BackingVolume after = storage.volume("v1").orElseThrow();
        assertThat(after.attachments()).containsOnlyKeys("n1");
        assertThat(after.stagings()).isEmpty();
        assertThat(after.publications()).isEmpty();
    }

    @Test
    void twoCallsForTheSameAttachmentAtOnceAreAViolation() {
        use(InMemoryStorage.builder()
                .gate(new Reentry(() -> attached(volume("v2"), "n1")))
                .build());
        attached(volume("v1"), "n1");
        assertThat(storage.violations()).isEmpty();

        use(InMemoryStorage.builder()
                .gate(new Reentry(() -> attached(volume("v1"), "n1")))
                .build());
        attached(volume("v1"), "n1");
        assertThat(rules()).containsExactly("S12");
    }

    @Test
    void expandingGrowsTheVolumeAndLeavesTheFilesystemToTheNode() {
        VolumeSpec spec = volume("v1");
        attached(spec, "n1");
        staged(spec);

        ExpandResult grown = plugin.expander(spec).orElseThrow().expand(new ExpandRequest(spec, 2 * GIB, GIB), context);
        assertThat(grown).isEqualTo(new ExpandResult(2 * GIB, true));
        assertThat(filesystemBytes("v1")).isEqualTo(GIB);

        expandOnNode(spec, 2 * GIB);
        assertThat(filesystemBytes("v1")).isEqualTo(2 * GIB);
    }

    @Test
    void growingAFilesystemBeyondItsVolumeIsAViolationAndFails() {
        VolumeSpec spec = volume("v1");
        attached(spec, "n1");
        staged(spec);

        assertThat(failure(() -> expandOnNode(spec, 2 * GIB)).kind()).isEqualTo(FailureKind.TRANSIENT);
        assertThat(rules()).containsExactly("S21");
    }

    @Test
    void observationTellsPresentAbsentAndUnknown() {
        attached(volume("v1"), "n1");
        storage.faults().add(Fault.on("observe").of("v3").as(FaultKind.UNCERTAIN_BEFORE));

        List<Observation> seen = plugin.observer()
                .orElseThrow()
                .attachments(
                        List.of(new Query(id("v1"), "n1"), new Query(id("v1"), "n2"), new Query(id("v3"), "n1")),
                        context);

        assertThat(seen).containsExactly(Observation.PRESENT, Observation.ABSENT, Observation.UNKNOWN);
    }

    @Test
    void aTopologyKeepsAVolumeWhereItWasMade() {
        use(InMemoryStorage.builder()
                .topology("zone", Map.of("n1", "a", "n2", "b"))
                .build());
        Node second = new Node(
                ObjectMeta.named("", "n2"),
                new Node.Spec(List.of()),
                new Node.Status(true, List.of(), List.of(), Map.of()),
                Unmodeled.none());
        ProvisionRequest base = provision("v1", GIB, 0);
        ProvisionResult made = plugin.provisioner(Volumes.CLASS)
                .orElseThrow()
                .provision(
                        new ProvisionRequest(base.volumeName(), base.claim(), base.storageClass(), GIB, 0, second),
                        context);

        assertThat(made.nodeAffinity()).satisfies(nodes -> {
            assertThat(nodes).isNotNull();
            assertThat(nodes.matches("n2", Map.of("zone", "b"))).isTrue();
            assertThat(nodes.matches("n1", Map.of("zone", "a"))).isFalse();
        });
        assertThat(plugin.topology().orElseThrow().segments(context)).containsExactly(Map.entry("zone", "a"));
        assertThat(failure(() -> attached(volume("v1"), "n1")).kind()).isEqualTo(FailureKind.INFEASIBLE);
    }

    @Test
    void aSnapshotIsCutOnceAndCanBeFoundAndDestroyed() {
        provisioned("v1", GIB);
        Snapshotter snapshotter = plugin.snapshotter().orElseThrow();
        Snapshotter.CreateRequest request =
                new Snapshotter.CreateRequest("s1", volume("v1").source(), Map.of());

        Snapshotter.Snapshot cut = snapshotter.create(request, context);

        assertThat(snapshotter.create(request, context)).isEqualTo(cut);
        assertThat(snapshotter.get(cut.handle(), context)).contains(cut);
        snapshotter.delete(cut.handle(), context);
        assertThat(snapshotter.get(cut.handle(), context)).isEmpty();
    }

    @Test
    void aFaultHitsItsCallVolumeAndNodeAndIsRecorded() {
        storage.faults().add(Fault.on("attach").of("v1").at("n2").as(FaultKind.UNCERTAIN_AFTER));
        attached(volume("v1", READ_WRITE_MANY), "n1");

        assertThat(failure(() -> attached(volume("v1", READ_WRITE_MANY), "n2")).kind())
                .isEqualTo(FailureKind.UNCERTAIN);

        assertThat(storage.volume("v1").orElseThrow().attachments()).containsOnlyKeys("n1", "n2");
        assertThat(storage.calls()).extracting(PluginCall::outcome).containsExactly("ok", "uncertain");
    }

    @ParameterizedTest
    @EnumSource(Capability.class)
    void everyCapabilityComesAndGoes(Capability capability) {
        use(InMemoryStorage.builder().maxVolumesPerNode(1).build());
        assertThat(has(capability)).isTrue();
        plugin.set(capability, false);
        assertThat(has(capability)).isFalse();
        plugin.set(capability, true);
        assertThat(has(capability)).isTrue();
    }

    @Test
    void handlesVolumesOfItsOwnDriverOnly() {
        assertThat(plugin.supports(volume("v1"))).isTrue();
        assertThat(plugin.supports(inlineOf("other"))).isFalse();
        assertThat(plugin.shared(volume("v1"))).isTrue();
        assertThat(plugin.shared(inlineOf("mem"))).isFalse();
        assertThat(plugin.provisioner(Volumes.CLASS)).isPresent();
    }

    @Test
    void aVolumeWithoutASourceIsHandledByAFallbackPluginUnderItsOwnName() {
        VolumeSpec bare = volume("pv-1", new OtherSource("", Map.of()));
        InMemoryPlugin fallback = InMemoryPlugin.builder(storage).fallback().build();

        assertThat(plugin.supports(bare)).isFalse();
        assertThat(fallback.supports(bare)).isTrue();
        assertThat(fallback.volumeName(bare)).isEqualTo("pv-1");
    }

    @Test
    void everyWordOfACapabilityMeansThatOne() {
        for (Capability capability : Capability.values()) {
            assertThat(Capability.ofWord(capability.word())).isEqualTo(capability);
        }
    }

    @Test
    void aCallNeedsTheSecretThatItsSourceNames() {
        SecretRef reference = new SecretRef("default", "attach-key");
        InMemorySecrets secrets = new InMemorySecrets();
        plugin.init(InMemoryPluginHost.named("n1").secrets(secrets).build());
        VolumeSpec spec = volume("v1", withAttachSecret(reference));

        assertThat(failure(() -> attached(spec, "n1")).kind()).isEqualTo(FailureKind.TRANSIENT);
        assertThat(storage.calls()).isEmpty();

        secrets.put(reference, Map.of("key", "canary"));
        attached(spec, "n1");
        storage.faults().add(Fault.on("attach"));
        assertThat(failure(() -> attached(spec, "n2"))).hasMessageNotContaining("canary");
    }

    @Test
    void aCarelessPluginLeaksItsSecretWithoutChangingWhatTheFailureMeans() {
        SecretRef reference = new SecretRef("default", "attach-key");
        InMemorySecrets secrets = new InMemorySecrets();
        secrets.put(reference, Map.of("key", "canary"));
        plugin = InMemoryPlugin.builder(storage).leaksSecrets().build();
        plugin.init(InMemoryPluginHost.named("n1").secrets(secrets).build());
        VolumeSpec spec = volume("v1", withAttachSecret(reference));
        storage.faults().add(Fault.on("attach").dangling("n2"));
        storage.faults().add(Fault.on("attach").as(FaultKind.FINAL_PROVING_ABSENCE));

        VolumeException dangling = failure(() -> attached(spec, "n1"));
        VolumeException proof = failure(() -> attached(spec, "n1"));

        assertThat(dangling).hasMessageContaining("canary");
        assertThat(dangling.holder()).isEqualTo("n2");
        assertThat(proof).hasMessageContaining("canary");
        assertThat(proof.provesAbsent()).isTrue();
    }

    @Test
    void aMountThatMayBeThereStaysOnTheRecord() {
        InMemoryMountBackend machine = InMemoryMountBackend.create();
        machine.files().createRoot(Volumes.ROOT);
        plugin.init(InMemoryPluginHost.named("n1").mounts(machine).build());
        attached(volume("v1"), "n1");
        machine.faults().add(Fault.on("mount").as(FaultKind.FINAL));
        machine.faults().add(Fault.on("mount").as(FaultKind.UNCERTAIN_AFTER));

        failure(() -> staged(volume("v1")));
        assertThat(storage.volume("v1").orElseThrow().stagings()).isEmpty();
        failure(() -> staged(volume("v1")));
        assertThat(storage.volume("v1").orElseThrow().stagings()).containsOnlyKeys("n1");
        assertThat(machine.table().below(Volumes.ROOT)).hasSize(1);
    }

    @Test
    void callsFromSeveralThreadsAreAllCounted() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<?>> done = new ArrayList<>();
            for (int t = 0; t < 4; t++) {
                String handle = "v" + t;
                done.add(threads.submit(() -> {
                    for (int i = 0; i < 100; i++) {
                        attached(volume(handle), "n1");
                        detached(handle, "n1");
                    }
                }));
            }
            for (Future<?> each : done) {
                each.get();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(storage.calls()).hasSize(800).allMatch(call -> call.outcome().equals("ok"));
        assertThat(storage.violations()).isEmpty();
        assertThat(storage.volumes()).noneMatch(BackingVolume::held);
    }

    @Test
    void onlyTheLatestCallsAreKept() {
        use(InMemoryStorage.builder().rememberedCalls(2).build());
        for (int i = 0; i < 5; i++) {
            attached(volume("v" + i), "n1");
        }
        assertThat(storage.callTexts()).containsExactly("attach v3 n1", "attach v4 n1");
    }

    @Test
    void aCallBeforeInitSaysWhatIsMissing() {
        assertThatThrownBy(() -> InMemoryPlugin.on(storage).mounter(volume("v1")))
                .isInstanceOf(NullPointerException.class)
                .hasMessageContaining("init(host)");
    }

    private boolean has(Capability capability) {
        VolumeSpec spec = volume("v1");
        return (switch (capability) {
                    case PROVISION -> plugin.provisioner(Volumes.CLASS);
                    case DELETE -> plugin.deleter(spec);
                    case RECYCLE -> plugin.recycler(spec);
                    case ATTACH ->
                        plugin.attacher(spec)
                                .filter(there -> plugin.detacher(id("v1")).isPresent());
                    case DEVICE_MOUNT ->
                        plugin.deviceMounter(spec)
                                .filter(there ->
                                        plugin.deviceUnmounter(id("v1")).isPresent());
                    case MOUNT ->
                        plugin.mounter(spec)
                                .filter(there -> plugin.unmounter(id("v1")).isPresent());
                    case BLOCK ->
                        plugin.blockMapper(spec)
                                .filter(there -> plugin.blockUnmapper(id("v1")).isPresent());
                    case EXPAND -> plugin.expander(spec);
                    case NODE_EXPAND -> plugin.nodeExpander(spec);
                    case SNAPSHOT -> plugin.snapshotter();
                    case GROUP_SNAPSHOT -> plugin.groupSnapshotter();
                    case MODIFY -> plugin.modifier(spec);
                    case OBSERVE -> plugin.observer();
                    case CAPACITY -> plugin.capacity();
                    case TOPOLOGY -> plugin.topology();
                    case LIMITS -> plugin.limits();
                    case STATS -> plugin.stats(spec);
                    case HEALTH -> plugin.health();
                })
                .isPresent();
    }

    private long filesystemBytes(String handle) {
        return Objects.requireNonNull(
                        storage.volume(handle).orElseThrow().stagings().get("n1"))
                .filesystemBytes();
    }

    private static CsiSource withAttachSecret(SecretRef reference) {
        return new CsiSource("mem", "v1", false, "", Map.of(), reference, null, null, null, null);
    }

    private static VolumeSpec inlineOf(String driver) {
        return VolumeSpec.inline(new PodVolume("scratch", CsiSource.of(driver, "", "", Map.of())));
    }

    private void use(InMemoryStorage newStorage) {
        storage = newStorage;
        plugin = pluginOn("n1");
    }

    private InMemoryPlugin pluginOn(String node) {
        InMemoryPlugin made = InMemoryPlugin.on(storage);
        made.init(InMemoryPluginHost.named(node).build());
        return made;
    }

    private VolumeException failure(ThrowingCallable call) {
        return catchThrowableOfType(VolumeException.class, call);
    }

    private List<String> rules() {
        return storage.violations().stream().map(Violation::rule).toList();
    }

    private ProvisionResult provisioned(String name, long bytes) {
        return plugin.provisioner(Volumes.CLASS).orElseThrow().provision(provision(name, bytes, 0), context);
    }

    private void delete(String name, ProvisionResult made) {
        plugin.deleter(volume(name)).orElseThrow().delete(new DeleteRequest(name, made.source()), context);
    }

    private String attached(VolumeSpec spec, String node) {
        return plugin.attacher(spec)
                .orElseThrow()
                .attach(attach(spec, node), context)
                .devicePath();
    }

    private void detached(String handle, String node) {
        plugin.detacher(id(handle)).orElseThrow().detach(detach(handle, node), context);
    }

    private void staged(VolumeSpec spec) {
        plugin.deviceMounter(spec).orElseThrow().mountDevice(stage(spec), context);
    }

    private void unstaged(String handle) {
        plugin.deviceUnmounter(id(handle)).orElseThrow().unmountDevice(unstage(handle), context);
    }

    private void published(VolumeSpec spec, String podUid) {
        plugin.mounter(spec).orElseThrow().mount(publish(spec, podUid, false), context);
    }

    private void unpublished(String handle, String podUid) {
        plugin.unmounter(id(handle)).orElseThrow().unmount(unpublish(handle, podUid), context);
    }

    private void expandOnNode(VolumeSpec spec, long bytes) {
        plugin.nodeExpander(spec)
                .orElseThrow()
                .expand(
                        new NodeExpandRequest(spec, id(spec.name()), "", null, bytes, GIB, PluginState.none()),
                        context);
    }

    private void inUse(String handle, String podUid) {
        attached(volume(handle), "n1");
        staged(volume(handle));
        published(volume(handle), podUid);
    }
}
