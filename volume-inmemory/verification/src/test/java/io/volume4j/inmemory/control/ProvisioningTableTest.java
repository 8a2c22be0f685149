package io.volume4j.inmemory.control;

import static io.volume4j.inmemory.control.Classes.storageClass;
import static io.volume4j.inmemory.control.GivenClaim.claim;
import static io.volume4j.inmemory.control.GivenClaim.key;
import static io.volume4j.inmemory.control.GivenVolume.volume;
import static io.volume4j.inmemory.control.Nodes.node;
import static io.volume4j.inmemory.control.Row.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.inmemory.cluster.ClusterFault;
import io.volume4j.inmemory.cluster.ClusterFault.Rejection;
import io.volume4j.inmemory.cluster.ClusterVerb;
import io.volume4j.inmemory.fault.Fault;
import io.volume4j.inmemory.fault.FaultKind;
import io.volume4j.inmemory.plugin.Capability;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.NodeSelector;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PodPhase;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.SelectorRequirement;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumeBindingMode;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.model.WellKnown;
import io.volume4j.spi.plugin.BlankPolicy;
import io.volume4j.spi.plugin.Provisioner.ProvisionRequest;
import io.volume4j.spi.plugin.VolumeSpec;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** 11-x and 12-x: volumes that are made for claims. The ids are those of the field's own tables where they have a like. */
class ProvisioningTableTest {
    private static final String BOUND = "claim c Bound pvc-uid-c bc done";
    private static final String MADE = "volume pvc-uid-c Bound c/uid-c bc kept";
    private static final String OK = "Normal ProvisioningSucceeded";
    private static final String FAILED = "Warning ProvisioningFailed";
    private static final StorageClass FAST = storageClass("fast", "mem");
    private static final StorageClass LATE =
            storageClass("late", "mem", ReclaimPolicy.DELETE, VolumeBindingMode.WAIT_FOR_FIRST_CONSUMER);

    static Stream<Row> made() {
        return Stream.of(
                row("11-1", "a volume is made and bound")
                        .given(FAST)
                        .given(claim("c").ofClass("fast"))
                        .expect(MADE, BOUND)
                        .told(OK)
                        .then(bench -> {
                            PersistentVolume volume = bench.volume("pvc-uid-c");
                            assertThat(volume.metadata().annotation(WellKnown.PROVISIONED_BY))
                                    .isEqualTo("mem");
                            assertThat(volume.spec().storageClassName()).isEqualTo("fast");
                            assertThat(volume.spec().reclaimPolicy()).isEqualTo(ReclaimPolicy.DELETE);
                            assertThat(bench.claim("c").metadata().annotation(WellKnown.STORAGE_PROVISIONER))
                                    .isEqualTo("mem");
                            assertThat(bench.claim("c").metadata().annotation(WellKnown.BETA_STORAGE_PROVISIONER))
                                    .isEqualTo("mem");
                            assertThat(bench.claim("c").metadata().annotations())
                                    .doesNotContainKey("volume4j.io/provisioning-intent");
                            assertThat(bench.claim("c").metadata().finalizers()).isEmpty();
                        }),
                row("11-2", "the intent is written before the plugin is called, and its object after")
                        .given(FAST)
                        .given(claim("c").ofClass("fast"))
                        .expect(MADE, BOUND)
                        .told(OK)
                        .then(bench -> assertThat(bench.writes())
                                .containsExactly(
                                        "patch PersistentVolumeClaim/ns/c",
                                        "create PersistentVolume//pvc-uid-c",
                                        "patchStatus PersistentVolume//pvc-uid-c",
                                        "patch PersistentVolumeClaim/ns/c",
                                        "patchStatus PersistentVolumeClaim/ns/c")),
                row("11-3", "it takes policy, mount options and mode from class and claim")
                        .given(new StorageClass(
                                ObjectMeta.named("", "kept").withUid("uid-kept"),
                                "mem",
                                Map.of("a", "b"),
                                ReclaimPolicy.RETAIN,
                                List.of(),
                                true,
                                VolumeBindingMode.IMMEDIATE,
                                null,
                                Unmodeled.none()))
                        .given(claim("c").ofClass("kept").block().modes(AccessMode.READ_WRITE_MANY))
                        .expect("volume pvc-uid-c Bound c/uid-c block bc", BOUND)
                        .told(OK)
                        .then(bench -> {
                            PersistentVolume volume = bench.volume("pvc-uid-c");
                            assertThat(volume.spec().reclaimPolicy()).isEqualTo(ReclaimPolicy.RETAIN);
                            assertThat(volume.spec().volumeMode()).isEqualTo(VolumeMode.BLOCK);
                            assertThat(volume.spec().accessModes()).containsExactly(AccessMode.READ_WRITE_MANY);
                            assertThat(bench.storage
                                            .volume("pvc-uid-c")
                                            .orElseThrow()
                                            .parameters())
                                    .containsEntry("a", "b");
                        }),
                row("11-3b", "what its class says of formatting is written on the volume and no plugin sees it")
                        .given(new StorageClass(
                                ObjectMeta.named("", "large").withUid("uid-large"),
                                "mem",
                                Map.of("a", "b", BlankPolicy.UNPROVED, "signatures", BlankPolicy.READ, "2Ti"),
                                ReclaimPolicy.RETAIN,
                                List.of(),
                                true,
                                VolumeBindingMode.IMMEDIATE,
                                null,
                                Unmodeled.none()))
                        .given(claim("c").ofClass("large"))
                        .expect("volume pvc-uid-c Bound c/uid-c bc", BOUND)
                        .told(OK)
                        .then(bench -> {
                            PersistentVolume volume = bench.volume("pvc-uid-c");
                            assertThat(BlankPolicy.of(VolumeSpec.of(volume, false)))
                                    .isEqualTo(new BlankPolicy(BlankPolicy.Unproved.SIGNATURES, 2L << 40));
                            assertThat(bench.storage
                                            .volume("pvc-uid-c")
                                            .orElseThrow()
                                            .parameters())
                                    .containsOnlyKeys("a");
                        }),
                row("11-4", "none is made where a free volume of the class fits")
                        .given(FAST)
                        .given(volume("v").ofClass("fast"))
                        .given(claim("c").ofClass("fast"))
                        .expect("volume v Bound c/uid-c bc", "claim c Bound v bc done")
                        .then(bench -> assertThat(bench.storage.calls()).isEmpty()),
                row("11-5", "one that exists already under its name is taken: saving was done, its answer lost")
                        .given(FAST)
                        .given(volume("pvc-uid-c")
                                .ofClass("fast")
                                .boundTo("c", "uid-c")
                                .byController()
                                .provisionedBy("mem")
                                .policy(ReclaimPolicy.DELETE))
                        .given(claim("c").ofClass("fast"))
                        .expect(MADE, BOUND)
                        .then(bench -> assertThat(bench.storage.calls()).isEmpty()),
                row("11-6", "the answer of the plugin is lost: the same call is repeated")
                        .given(FAST)
                        .given(claim("c").ofClass("fast"))
                        .when(bench ->
                                bench.plugin.faults().add(Fault.on("provision").as(FaultKind.UNCERTAIN_AFTER)))
                        .expect(MADE, BOUND)
                        .told(FAILED, OK)
                        .then(bench -> {
                            assertThat(bench.storage.volumes()).hasSize(1);
                            assertThat(bench.storage.calls())
                                    .extracting(call -> ((ProvisionRequest) call.request()).volumeName())
                                    .containsExactly("pvc-uid-c", "pvc-uid-c");
                        }),
                row("11-7", "the answer of the cluster is lost: the object is found again")
                        .given(FAST)
                        .given(claim("c").ofClass("fast"))
                        .when(bench -> bench.cluster.fail(
                                ClusterFault.on(ClusterVerb.CREATE).as(Rejection.UNAVAILABLE_AFTER)))
                        .expect(MADE, BOUND)
                        .told(OK)
                        .then(bench -> assertThat(bench.storage.calls()).hasSize(1)),
                row("11-8", "saving fails for a while: nothing is made twice")
                        .given(FAST)
                        .given(claim("c").ofClass("fast"))
                        .when(bench -> bench.cluster.fail(
                                ClusterFault.on(ClusterVerb.CREATE).times(5)))
                        .expect(MADE, BOUND)
                        .told("Warning ProvisioningFailed", OK)
                        .then(bench -> assertThat(bench.storage.calls()).hasSize(1)),
                row("11-9", "saving is refused: people are told, the storage waits")
                        .given(FAST)
                        .given(claim("c").ofClass("fast"))
                        .when(bench -> bench.cluster.fail(ClusterFault.on(ClusterVerb.CREATE)
                                .as(Rejection.FORBIDDEN)
                                .always()))
                        .expect("claim c Pending - kept")
                        .told("Warning ProvisioningFailed")
                        .then(bench -> assertThat(bench.storage.volumes()).hasSize(1)),
                row("11-10", "saving is refused and the claim deleted: the storage is removed")
                        .given(FAST)
                        .given(claim("c").ofClass("fast"))
                        .when(bench -> {
                            bench.cluster.fail(ClusterFault.on(ClusterVerb.CREATE)
                                    .as(Rejection.FORBIDDEN)
                                    .always());
                            bench.later(() -> bench.cluster.remove(key("c")));
                        })
                        .expect()
                        .told("Warning ProvisioningFailed")
                        .then(bench -> assertThat(bench.storage.volumes()).isEmpty()),
                row(
                                "11-11",
                                "saving is refused, the claim deleted, and removing fails: people are told, nothing is forgotten")
                        .given(FAST)
                        .given(claim("c").ofClass("fast"))
                        .when(bench -> {
                            bench.cluster.fail(ClusterFault.on(ClusterVerb.CREATE)
                                    .as(Rejection.FORBIDDEN)
                                    .always());
                            bench.plugin.faults().add(Fault.on("delete").always());
                            bench.later(() -> bench.cluster.remove(key("c")));
                        })
                        .expect("claim c Pending - kept deleting")
                        .told("Warning ProvisioningFailed", "Warning ProvisioningCleanupFailed"),
                row("11-12", "the claim is deleted while it is made: nothing is left")
                        .given(FAST)
                        .given(claim("c").ofClass("fast"))
                        .when(bench -> {
                            bench.plugin
                                    .faults()
                                    .add(Fault.on("provision")
                                            .as(FaultKind.UNCERTAIN_AFTER)
                                            .times(3));
                            bench.start().run();
                            bench.cluster.remove(key("c"));
                        })
                        .expect()
                        .toldInAnyOrder(FAILED, FAILED, OK)
                        .then(bench -> assertThat(bench.storage.volumes()).isEmpty()),
                row("11-13", "it is smaller than asked for: it is removed, and the next try begins anew")
                        .given(FAST)
                        .given(claim("c").ofClass("fast"))
                        .when(bench -> bench.shrinkNextVolume())
                        .expect(MADE, BOUND)
                        .told(FAILED, OK)
                        .then(bench -> assertThat(bench.storage.calls())
                                .extracting(call -> call.text())
                                .containsExactly("provision pvc-uid-c", "delete pvc-uid-c", "provision pvc-uid-c")),
                row("11-14", "it is made where the class allows, and reachable from where the plugin says")
                        .given(new StorageClass(
                                ObjectMeta.named("", "zonal").withUid("uid-zonal"),
                                "mem",
                                Map.of(),
                                ReclaimPolicy.DELETE,
                                List.of(),
                                true,
                                VolumeBindingMode.IMMEDIATE,
                                zones("a", "b"),
                                Unmodeled.none()))
                        .given(claim("c").ofClass("zonal"))
                        .when(bench -> bench.reachableOnlyWhere(zones("b")))
                        .expect(MADE, BOUND)
                        .told(OK)
                        .then(bench -> {
                            assertThat(bench.volume("pvc-uid-c").spec().nodeAffinity())
                                    .isEqualTo(zones("b"));
                            assertThat(bench.storage.calls().get(0).request())
                                    .isInstanceOfSatisfying(
                                            ProvisionRequest.class,
                                            request -> assertThat(request.storageClass()
                                                            .allowedTopologies())
                                                    .isEqualTo(zones("a", "b")));
                        }));
    }

    private static NodeSelector zones(String... names) {
        return new NodeSelector(List.of(new NodeSelector.Term(
                List.of(new SelectorRequirement("topology.kubernetes.io/zone", "In", List.of(names))), List.of())));
    }

    static Stream<Row> failing() {
        return Stream.of(
                row("12-1", "the class does not exist")
                        .given(claim("c").ofClass("gone"))
                        .expect("claim c Pending -")
                        .told(FAILED),
                row("12-2", "the class appears later")
                        .given(claim("c").ofClass("fast"))
                        .when(bench -> bench.later(() -> bench.given(FAST)))
                        .expect(MADE, BOUND)
                        .told(FAILED, OK),
                row("12-3", "no plugin has the name of Kubernetes' own that the class asks for")
                        .given(storageClass("x", "kubernetes.io/quobyte"))
                        .given(claim("c").ofClass("x"))
                        .expect("claim c Pending -")
                        .told(FAILED),
                row("12-4", "the plugin comes later")
                        .given(storageClass("x", "later.example.com"))
                        .given(claim("c").ofClass("x"))
                        .when(bench -> bench.later(() -> bench.plugins.add(bench.pluginNamed("later.example.com"))))
                        .expect(MADE, BOUND)
                        .told("Normal ExternalProvisioning", OK),
                row("12-5", "a provisioner outside is named and waited for")
                        .given(storageClass("x", "example.com/x"))
                        .given(claim("c").ofClass("x"))
                        .expect("claim c Pending -")
                        .told("Normal ExternalProvisioning")
                        .then(bench -> assertThat(bench.claim("c").metadata().annotation(WellKnown.STORAGE_PROVISIONER))
                                .isEqualTo("example.com/x")),
                row("12-6", "what a provisioner outside made is bound")
                        .given(storageClass("x", "example.com/x"))
                        .given(claim("c").ofClass("x"))
                        .when(bench -> bench.later(() -> bench.given(volume("any-name")
                                .ofClass("x")
                                .boundTo("c", "uid-c")
                                .provisionedBy("example.com/x")
                                .made())))
                        .expect("volume any-name Bound c/uid-c", "claim c Bound any-name bc done")
                        .told("Normal ExternalProvisioning"),
                row("12-7", "a plugin of this process that makes none leaves it to an external provisioner")
                        .given(FAST)
                        .given(claim("c").ofClass("fast"))
                        .when(bench -> bench.plugin.set(Capability.PROVISION, false))
                        .expect("claim c Pending -")
                        .told("Normal ExternalProvisioning"),
                row("12-8", "the class has mount options that the plugin does not support")
                        .given(new StorageClass(
                                ObjectMeta.named("", "opt"),
                                "mem",
                                Map.of(),
                                ReclaimPolicy.DELETE,
                                List.of("noatime"),
                                true,
                                VolumeBindingMode.IMMEDIATE,
                                null,
                                Unmodeled.none()))
                        .given(claim("c").ofClass("opt"))
                        .expect("claim c Pending -")
                        .told(FAILED),
                row("12-9", "the claim has a selector")
                        .given(FAST)
                        .given(claim("c").ofClass("fast").selector("a", "b"))
                        .expect("claim c Pending -")
                        .told(FAILED),
                row("12-10", "the claim wants a device and the plugin makes none")
                        .given(FAST)
                        .given(claim("c").ofClass("fast").block())
                        .when(bench -> bench.plugin.set(Capability.BLOCK, false))
                        .expect("claim c Pending -")
                        .told(FAILED),
                row("12-11", "the claim wants to be filled from a source and the plugin does not do that")
                        .given(FAST)
                        .given(claim("c").ofClass("fast").dataSource("PersistentVolumeClaim", "other"))
                        .expect("claim c Pending -")
                        .told(FAILED),
                row("12-12", "the claim asks for no size")
                        .given(FAST)
                        .given(claim("c").ofClass("fast").noSize())
                        .expect("claim c Pending -")
                        .told(FAILED),
                row("12-13", "the plugin fails for a while")
                        .given(FAST)
                        .given(claim("c").ofClass("fast"))
                        .when(bench ->
                                bench.plugin.faults().add(Fault.on("provision").times(3)))
                        .expect(MADE, BOUND)
                        .told(FAILED, OK),
                row("12-14", "people are told again when the reason changes, and not otherwise")
                        .given(FAST)
                        .given(claim("c").ofClass("fast"))
                        .when(bench -> {
                            bench.plugin
                                    .faults()
                                    .add(Fault.on("provision").times(2).saying("full"));
                            bench.plugin
                                    .faults()
                                    .add(Fault.on("provision").times(2).saying("broken"));
                        })
                        .expect(MADE, BOUND)
                        .told(FAILED, FAILED, OK),
                row("12-15", "the plugin fails for good, with nothing made: the claim is not kept")
                        .given(FAST)
                        .given(claim("c").ofClass("fast"))
                        .when(bench -> {
                            bench.plugin
                                    .faults()
                                    .add(Fault.on("provision")
                                            .as(FaultKind.INFEASIBLE)
                                            .always());
                            bench.later(() -> bench.cluster.remove(key("c")));
                        })
                        .expect()
                        .told(FAILED),
                row("12-16", "the class is repaired: the next try goes by what it says now")
                        .given(FAST)
                        .given(claim("c").ofClass("fast"))
                        .when(bench -> {
                            bench.plugin
                                    .faults()
                                    .add(Fault.on("provision")
                                            .as(FaultKind.FINAL)
                                            .times(3));
                            bench.later(() -> bench.given(new StorageClass(
                                    FAST.metadata(),
                                    "mem",
                                    Map.of("good", "yes"),
                                    ReclaimPolicy.DELETE,
                                    List.of(),
                                    true,
                                    VolumeBindingMode.IMMEDIATE,
                                    null,
                                    Unmodeled.none())));
                        })
                        .expect(MADE, BOUND)
                        .told(FAILED, OK),
                row("12-17", "the claim becomes bound to another volume meanwhile: what was made is deleted")
                        .given(FAST)
                        .given(claim("c").ofClass("fast"))
                        .when(bench -> {
                            bench.plugin
                                    .faults()
                                    .add(Fault.on("provision")
                                            .as(FaultKind.UNCERTAIN_AFTER)
                                            .times(2));
                            bench.start().run();
                            bench.given(volume("v")
                                    .ofClass("fast")
                                    .boundTo("c", "uid-c")
                                    .made());
                        })
                        .expect("volume v Bound c/uid-c", "claim c Bound v bc done")
                        .toldInAnyOrder(FAILED, FAILED, OK)
                        .then(bench -> assertThat(bench.storage.volumes()).isEmpty()));
    }

    static Stream<Row> delayed() {
        return Stream.of(
                row("13-W1", "it waits for the first consumer")
                        .given(LATE)
                        .given(claim("c").ofClass("late"))
                        .expect("claim c Pending -")
                        .told("Normal WaitForFirstConsumer"),
                row("13-W2", "it waits for the consumer to be scheduled")
                        .given(LATE)
                        .given(claim("c").ofClass("late"))
                        .given(Pods.using("p", "c", PodPhase.PENDING))
                        .expect("claim c Pending -")
                        .told("Normal WaitForPodScheduled"),
                row("13-W3", "it is made when a node was chosen, and with that node")
                        .given(LATE)
                        .given(node("n1", Map.of()))
                        .given(claim("c").ofClass("late").onNode("n1"))
                        .expect(MADE, BOUND)
                        .told(OK)
                        .then(bench -> assertThat(bench.storage.calls().get(0).request())
                                .isInstanceOfSatisfying(
                                        ProvisionRequest.class,
                                        request -> assertThat(request.selectedNode())
                                                .isEqualTo(bench.cluster
                                                        .get(ObjectKey.node("n1"))
                                                        .orElseThrow()))),
                row("13-W4", "the claim goes back to the scheduler if the node is gone")
                        .given(LATE)
                        .given(claim("c").ofClass("late").onNode("gone"))
                        .expect("claim c Pending -")
                        .told("Normal WaitForFirstConsumer")
                        .then(bench -> assertThat(bench.claim("c").metadata().annotations())
                                .doesNotContainKey(WellKnown.SELECTED_NODE)),
                row("13-W5", "the claim goes back to the scheduler if there is no room at the node")
                        .given(LATE)
                        .given(node("n1", Map.of()))
                        .given(claim("c").ofClass("late").onNode("n1"))
                        .when(bench ->
                                bench.plugin.faults().add(Fault.on("provision").as(FaultKind.EXHAUSTED)))
                        .expect("claim c Pending -")
                        .told("Warning ProvisioningFailed", "Normal WaitForFirstConsumer")
                        .then(bench -> {
                            assertThat(bench.claim("c").metadata().annotations())
                                    .doesNotContainKey(WellKnown.SELECTED_NODE)
                                    .doesNotContainKey("volume4j.io/provisioning-intent");
                            assertThat(bench.claim("c").metadata().finalizers()).isEmpty();
                        }),
                row("13-W6", "the claim keeps its node while something may have been made there")
                        .given(LATE)
                        .given(node("n1", Map.of()))
                        .given(claim("c").ofClass("late").onNode("n1"))
                        .when(bench -> {
                            bench.plugin.faults().add(Fault.on("provision").as(FaultKind.UNCERTAIN_AFTER));
                            bench.plugin
                                    .faults()
                                    .add(Fault.on("provision")
                                            .as(FaultKind.EXHAUSTED)
                                            .times(3));
                        })
                        .expect(MADE, BOUND)
                        .told(FAILED, FAILED, OK));
    }

    @ParameterizedTest
    @MethodSource({"made", "failing", "delayed"})
    void endsAsTheTableSays(Row row) {
        row.run();
    }
}
