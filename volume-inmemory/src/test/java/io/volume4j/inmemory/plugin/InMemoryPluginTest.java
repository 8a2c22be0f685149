package io.volume4j.inmemory.plugin;

import static io.volume4j.inmemory.plugin.Volumes.id;
import static io.volume4j.inmemory.plugin.Volumes.provision;
import static io.volume4j.inmemory.plugin.Volumes.volume;
import static io.volume4j.spi.model.AccessMode.READ_WRITE_ONCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.inmemory.fault.Fault;
import io.volume4j.inmemory.fault.FaultKind;
import io.volume4j.inmemory.host.InMemoryPluginHost;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.NodeSelector;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.OtherSource;
import io.volume4j.spi.model.PodVolume;
import io.volume4j.spi.model.SelectorRequirement;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumeSource;
import io.volume4j.spi.plugin.Deleter.DeleteRequest;
import io.volume4j.spi.plugin.Expander.ExpandRequest;
import io.volume4j.spi.plugin.Expander.ExpandResult;
import io.volume4j.spi.plugin.GroupSnapshotter;
import io.volume4j.spi.plugin.GroupSnapshotter.CreateGroupRequest;
import io.volume4j.spi.plugin.HealthReporter;
import io.volume4j.spi.plugin.HealthReporter.Health;
import io.volume4j.spi.plugin.HealthReporter.HealthListing;
import io.volume4j.spi.plugin.Observer.Observation;
import io.volume4j.spi.plugin.Observer.Query;
import io.volume4j.spi.plugin.Provisioner.ContentSource;
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
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the plugin does, and what it can be told to do without. */
class InMemoryPluginTest extends PluginBench {
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
    void aTakenNameWithAnotherSourceOfItsContentIsFinal() {
        provisioned("source", GIB);
        ProvisionRequest empty = provision("pvc-u1", GIB, 0);
        ProvisionRequest clone = empty.filledFrom(new ContentSource(ContentSource.Kind.VOLUME, "source"));
        ProvisionResult made = provisioned(clone);

        assertThat(provisioned(clone)).isEqualTo(made);
        assertThat(failure(() -> provisioned(empty)).kind()).isEqualTo(FailureKind.FINAL);
        assertThat(failure(() -> provisioned(provision("source", GIB, 0)
                                .filledFrom(new ContentSource(ContentSource.Kind.VOLUME, "pvc-u1"))))
                        .kind())
                .isEqualTo(FailureKind.FINAL);
    }

    private ProvisionResult provisioned(ProvisionRequest request) {
        return plugin.provisioner(request.storageClass()).orElseThrow().provision(request, context);
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
    void aVolumeIsMadeWhereItsClassAllowsIt() {
        use(InMemoryStorage.builder()
                .topology("zone", Map.of("n1", "a", "n2", "b"))
                .build());

        assertThat(provisioned(in("v1", null, "b", "c")).nodeAffinity())
                .satisfies(nodes -> assertThat(nodes).isNotNull().satisfies(there -> {
                    assertThat(there.matches("n2", Map.of("zone", "b"))).isTrue();
                    assertThat(there.matches("n1", Map.of("zone", "a"))).isFalse();
                }));
        assertThat(failure(() -> provisioned(in("v2", null, "c"))).kind()).isEqualTo(FailureKind.INFEASIBLE);
        assertThat(failure(() -> provisioned(in("v3", "n1", "b"))).kind()).isEqualTo(FailureKind.EXHAUSTED);
        assertThat(provisioned(in("v4", "n2", "b")).nodeAffinity()).isNotNull();
    }

    /** A request for a pod on this node, with a class that allows these zones. */
    private static ProvisionRequest in(String name, @Nullable String node, String... zones) {
        NodeSelector allowed = new NodeSelector(List.of(
                new NodeSelector.Term(List.of(new SelectorRequirement("zone", "In", List.of(zones))), List.of())));
        ProvisionRequest base = provision(name, GIB, 0);
        return new ProvisionRequest(
                name,
                base.claim(),
                base.storageClass().toBuilder().allowedTopologies(allowed).build(),
                GIB,
                0,
                node == null
                        ? null
                        : new Node(
                                ObjectMeta.named("", node),
                                new Node.Spec(List.of()),
                                new Node.Status(true, List.of(), List.of(), Map.of()),
                                Unmodeled.none()));
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

    /** A caller that lost an answer must be able to learn which snapshot was made, whatever became of the volume meanwhile. */
    @Test
    void whatWasCutIsFoundByItsNameAlthoughTheVolumeIsGoneAndNothingElseIsCut() {
        provisioned("v1", GIB);
        Snapshotter snapshotter = plugin.snapshotter().orElseThrow();
        GroupSnapshotter groups = plugin.groupSnapshotter().orElseThrow();
        VolumeSource source = volume("v1").source();
        Snapshotter.CreateRequest one = new Snapshotter.CreateRequest("s1", source, Map.of());
        CreateGroupRequest all = new CreateGroupRequest("g1", List.of(source), Map.of());
        Snapshotter.Snapshot cut = snapshotter.create(one, context);
        GroupSnapshotter.GroupSnapshot group = groups.create(all, context);

        plugin.deleter(volume("v1")).orElseThrow().delete(new DeleteRequest("v1", source), context);

        assertThat(snapshotter.create(one, context)).isEqualTo(cut);
        assertThat(groups.create(all, context)).isEqualTo(group);
        assertThat(failure(() -> snapshotter.create(new Snapshotter.CreateRequest("s2", source, Map.of()), context)))
                .matches(VolumeException::provesAbsent);
        assertThat(failure(() -> groups.create(new CreateGroupRequest("g2", List.of(source), Map.of()), context)))
                .matches(VolumeException::provesAbsent);
    }

    @ParameterizedTest
    @EnumSource(Capability.class)
    void everyCapabilityComesAndGoes(Capability capability) {
        use(InMemoryStorage.builder().maxVolumesPerNode(1).build());
        assertThat(has(capability)).isEqualTo(capability != Capability.HEALTH_LIST);
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
    void volumesAreAsTestsSayAndAListLeavesOutThoseThatAreWell() {
        InMemoryPlugin lister = InMemoryPlugin.builder(storage).listsHealth().build();
        lister.init(InMemoryPluginHost.named("n1").build());
        HealthReporter reporter = lister.health().orElseThrow();
        Health slow = new Health(true, "slow");
        storage.add("a", 1);
        storage.add("b", 1);
        storage.health("a", slow);
        storage.health("gone", slow);

        assertThat(reporter.health(id("a"), context)).isEqualTo(slow);
        assertThat(reporter.health(id("b"), context)).isEqualTo(Health.well());
        assertThat(reporter.health(id("gone"), context).message()).isEqualTo("the backend has no such volume");
        assertThat(reporter.list(context)).isEqualTo(new HealthListing(Map.of("a", slow), true));
        storage.health("a", Health.well());
        assertThat(reporter.list(context).volumes()).isEmpty();
    }

    @Test
    void everyWordOfACapabilityMeansThatOne() {
        for (Capability capability : Capability.values()) {
            assertThat(Capability.ofWord(capability.word())).isEqualTo(capability);
        }
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
                    case HEALTH_LIST -> plugin.health().filter(HealthReporter::lists);
                })
                .isPresent();
    }

    private long filesystemBytes(String handle) {
        return Objects.requireNonNull(
                        storage.volume(handle).orElseThrow().stagings().get("n1"))
                .filesystemBytes();
    }

    private static VolumeSpec inlineOf(String driver) {
        return VolumeSpec.inline(new PodVolume("scratch", CsiSource.of(driver, "", "", Map.of())));
    }
}
