package io.volume4j.inmemory.control;

import static io.volume4j.inmemory.control.GivenClaim.claim;
import static io.volume4j.inmemory.control.GivenVolume.volume;
import static io.volume4j.inmemory.control.Row.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.codec.Manifests;
import io.volume4j.inmemory.fault.Fault;
import io.volume4j.inmemory.fault.FaultKind;
import io.volume4j.inmemory.plugin.Capability;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.HostPathSource;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PodPhase;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.VolumePhase;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The tables of volumes (docs/binding.md), row by row. The ids are those of the field's own tables where they have a like. */
class VolumeTableTest {
    private static final Consumer<ControlBench> STORAGE = bench -> bench.storage.add("v", 1 << 30);

    /** 4-x: whose the volume is. */
    static Stream<Row> claimed() {
        return Stream.of(
                row("4-1", "is available if it is nobody's")
                        .given(volume("v").phase(VolumePhase.PENDING))
                        .expect("volume v Available -"),
                row("4-1b", "is available from the start, whoever made it, before any phase was written")
                        .given(volume("v").phase(VolumePhase.NONE))
                        .expect("volume v Available -"),
                row("4-1c", "is available again when a person cleared the claim of a released volume")
                        .given(volume("v").phase(VolumePhase.RELEASED))
                        .expect("volume v Available -"),
                row("4-1d", "is available again when a person cleared the claim of a failed volume")
                        .given(volume("v").phase(VolumePhase.FAILED))
                        .expect("volume v Available -"),
                row("4-2", "is available if it is reserved by name only")
                        .given(volume("v").phase(VolumePhase.PENDING).reservedFor("c"))
                        .expect("volume v Available c"),
                row("4-3", "is released if its claim is gone")
                        .given(volume("v").phase(VolumePhase.BOUND).boundTo("c", "uid-c"))
                        .expect("volume v Released c/uid-c"),
                row("4-4", "is released if another claim has the name by now")
                        .given(volume("v").phase(VolumePhase.BOUND).boundTo("c", "uid-before"))
                        .given(claim("c"))
                        .expect("volume v Released c/uid-before", "claim c Pending -")
                        .told("Normal FailedBinding"),
                row("4-5", "is bound by its claim's own plan if that names no volume yet")
                        .given(volume("v").boundTo("c", "uid-c").byController())
                        .given(claim("c"))
                        .expect("volume v Bound c/uid-c bc", "claim c Bound v bc done"),
                row("4-6", "is bound if its claim names it")
                        .given(volume("v").boundTo("c", "uid-c"))
                        .given(claim("c").volumeName("v").completed().bound())
                        .expect("volume v Bound c/uid-c", "claim c Bound v done"),
                row("4-7", "is freed if its claim is bound elsewhere and the controller had chosen it")
                        .given(
                                volume("v").boundTo("c", "uid-c").byController().phase(VolumePhase.BOUND),
                                volume("w").boundTo("c", "uid-c").byController().phase(VolumePhase.BOUND))
                        .given(claim("c")
                                .volumeName("w")
                                .byController()
                                .completed()
                                .bound())
                        .expect("volume v Available -", "volume w Bound c/uid-c bc", "claim c Bound w bc done"),
                row("4-8", "stays reserved by name if its claim is bound elsewhere and a person had reserved it")
                        .given(
                                volume("v").boundTo("c", "uid-c").phase(VolumePhase.BOUND),
                                volume("w").boundTo("c", "uid-c").byController().phase(VolumePhase.BOUND))
                        .given(claim("c")
                                .volumeName("w")
                                .byController()
                                .completed()
                                .bound())
                        .expect("volume v Available c", "volume w Bound c/uid-c bc", "claim c Bound w bc done"),
                row("4-9", "is deleted if its claim is bound elsewhere and it was made for that claim")
                        .given(
                                volume("v")
                                        .boundTo("c", "uid-c")
                                        .byController()
                                        .provisionedBy("mem")
                                        .policy(ReclaimPolicy.DELETE)
                                        .phase(VolumePhase.BOUND),
                                volume("w").boundTo("c", "uid-c").byController().phase(VolumePhase.BOUND))
                        .given(claim("c")
                                .volumeName("w")
                                .byController()
                                .completed()
                                .bound())
                        .when(STORAGE)
                        .expect("volume w Bound c/uid-c bc", "claim c Bound w bc done")
                        .then(bench -> assertThat(bench.storage.volumes()).isEmpty()),
                row("4-10", "keeps failed as its phase while it is retained")
                        .given(volume("v")
                                .boundTo("c", "uid-c")
                                .policy(ReclaimPolicy.UNKNOWN)
                                .phase(VolumePhase.BOUND))
                        .expect("volume v Failed c/uid-c")
                        .told("Warning VolumeUnknownReclaimPolicy")
                        .then(bench -> assertThat(bench.volume("v").status().reason())
                                .isEqualTo("VolumeUnknownReclaimPolicy")));
    }

    /** 6-x and 7-x: recycling. */
    static Stream<Row> recycled() {
        return Stream.of(
                row("6-1", "is emptied and available again")
                        .given(released(ReclaimPolicy.RECYCLE).byController())
                        .when(STORAGE)
                        .expect("volume v Available -")
                        .told("Normal VolumeRecycled")
                        .then(bench -> assertThat(calls(bench)).containsExactly("recycle v")),
                row("6-2", "stays reserved by name if a person had reserved it")
                        .given(released(ReclaimPolicy.RECYCLE))
                        .when(STORAGE)
                        .expect("volume v Available c")
                        .told("Normal VolumeRecycled"),
                row("6-3", "fails if nobody can empty it")
                        .given(released(ReclaimPolicy.RECYCLE).source(new HostPathSource("/x", "")))
                        .expect("volume v Failed c/uid-c")
                        .told("Warning VolumeFailedRecycle"),
                row("6-4", "fails if emptying fails, and is tried again")
                        .given(released(ReclaimPolicy.RECYCLE).byController())
                        .when(STORAGE.andThen(bench ->
                                bench.plugin.faults().add(Fault.on("recycle").as(FaultKind.FINAL))))
                        .expect("volume v Available -")
                        .told("Warning VolumeFailedRecycle", "Normal VolumeRecycled")
                        .then(bench -> assertThat(calls(bench)).containsExactly("recycle v", "recycle v")),
                row("6-5", "is left alone while a pod uses it")
                        .given(released(ReclaimPolicy.RECYCLE).byController())
                        .given(Pods.using("p", "c", PodPhase.RUNNING))
                        .when(STORAGE)
                        .expect("volume v Released c/uid-c bc")
                        .told("Normal VolumeFailedRecycle")
                        .then(bench -> assertThat(calls(bench)).isEmpty()),
                row("6-6", "is left alone while a pod that waits for its node names it")
                        .given(released(ReclaimPolicy.RECYCLE).byController())
                        .given(Pods.using("p", "c", PodPhase.PENDING))
                        .when(STORAGE)
                        .expect("volume v Released c/uid-c bc")
                        .told("Normal VolumeFailedRecycle"),
                row("6-7", "is emptied if the pod that used it is over")
                        .given(released(ReclaimPolicy.RECYCLE).byController())
                        .given(Pods.using("p", "c", PodPhase.SUCCEEDED))
                        .when(STORAGE)
                        .expect("volume v Available -")
                        .told("Normal VolumeRecycled"),
                row("6-8", "is emptied as soon as the pod that used it is over")
                        .given(released(ReclaimPolicy.RECYCLE).byController())
                        .given(Pods.using("p", "c", PodPhase.RUNNING))
                        .when(STORAGE.andThen(
                                bench -> bench.later(() -> bench.given(Pods.using("p", "c", PodPhase.FAILED)))))
                        .expect("volume v Available -")
                        .told("Normal VolumeFailedRecycle", "Normal VolumeRecycled"),
                row("6-9", "is emptied although a pod names a newer claim of the same name")
                        .given(released(ReclaimPolicy.RECYCLE).byController().size("2Gi"))
                        .given(claim("c").uid("uid-newer").size("9Gi"))
                        .given(Pods.using("p", "c", PodPhase.RUNNING))
                        .when(STORAGE)
                        .expect("volume v Available -", "claim c Pending -")
                        .told("Normal FailedBinding", "Normal VolumeRecycled"),
                row("6-10", "is not emptied if its claim turns out to live: the cache was behind")
                        .given(released(ReclaimPolicy.RECYCLE).byController().phase(VolumePhase.BOUND))
                        .when(STORAGE.andThen(bench -> bench.hideFromLists(claim("c")
                                .volumeName("v")
                                .byController()
                                .completed()
                                .bound()
                                .made())))
                        .expect("volume v Bound c/uid-c bc", "claim c Bound v bc done")
                        .then(bench -> assertThat(calls(bench)).isEmpty()),
                row("6-11", "is not emptied if a pod uses it and no watch has shown that yet")
                        .given(released(ReclaimPolicy.RECYCLE).byController().phase(VolumePhase.BOUND))
                        .given(claim("c").volumeName("v").completed().bound())
                        .when(STORAGE.andThen(bench -> bench.later(() -> {
                            bench.hideFromWatches(Pods.using("p", "c", PodPhase.RUNNING));
                            bench.cluster.remove(GivenClaim.key("c"));
                        })))
                        .expect("volume v Released c/uid-c bc")
                        .told("Normal VolumeFailedRecycle")
                        .then(bench -> assertThat(calls(bench)).isEmpty()),
                row(
                                "6-12",
                                "is emptied before another one in the same storage that is to be emptied as well, which is kept then")
                        .given(released(ReclaimPolicy.RECYCLE).byController())
                        .given(inTheStorageOfV().policy(ReclaimPolicy.RECYCLE).phase(VolumePhase.RELEASED))
                        .when(STORAGE)
                        .expect("volume v Available -", "volume w Released d/uid-d")
                        .told("Normal VolumeFailedRecycle", "Normal VolumeRecycled")
                        .then(bench -> assertThat(calls(bench)).containsExactly("recycle v")),
                row("6-13", "is emptied though another one in the same storage is to be deleted, which is kept then")
                        .given(released(ReclaimPolicy.DELETE))
                        .given(inTheStorageOfV().policy(ReclaimPolicy.RECYCLE).phase(VolumePhase.RELEASED))
                        .when(STORAGE)
                        .expect("volume v Released c/uid-c", "volume w Available d")
                        .told("Normal VolumeDelete", "Normal VolumeRecycled")
                        .then(bench -> assertThat(calls(bench)).containsExactly("recycle v")),
                row("7-1", "each of several is emptied and given to a claim that waits")
                        .given(released(ReclaimPolicy.RECYCLE).byController())
                        .given(volume("w")
                                .policy(ReclaimPolicy.RECYCLE)
                                .boundTo("d", "uid-d")
                                .phase(VolumePhase.RELEASED)
                                .byController())
                        .given(claim("e"), claim("f"))
                        .when(STORAGE.andThen(bench -> bench.storage.add("w", 1 << 30)))
                        .expect(
                                "volume v Bound e/uid-e bc", "volume w Bound f/uid-f bc",
                                "claim e Bound v bc done", "claim f Bound w bc done")
                        .then(bench -> assertThat(calls(bench)).containsExactlyInAnyOrder("recycle v", "recycle w"))
                        .toldInAnyOrder(
                                "Normal FailedBinding",
                                "Normal FailedBinding",
                                "Normal VolumeRecycled",
                                "Normal VolumeRecycled"));
    }

    /** 8-x and 9-x: deleting. */
    static Stream<Row> deleted() {
        return Stream.of(
                row("8-1", "is deleted with its storage")
                        .given(released(ReclaimPolicy.DELETE))
                        .when(STORAGE)
                        .expect()
                        .then(bench -> {
                            assertThat(bench.storage.volumes()).isEmpty();
                            assertThat(calls(bench)).containsExactly("delete v");
                        }),
                row("8-2", "is deleted though it was never marked as released")
                        .given(released(ReclaimPolicy.DELETE).phase(VolumePhase.BOUND))
                        .when(STORAGE)
                        .expect(),
                row("8-3", "stays released if nobody here can delete it")
                        .given(released(ReclaimPolicy.DELETE).source(new HostPathSource("/x", "")))
                        .expect("volume v Released c/uid-c"),
                row("8-4", "stays released if a provisioner outside made it")
                        .given(released(ReclaimPolicy.DELETE).provisionedBy("example.com/outside"))
                        .expect("volume v Released c/uid-c")
                        .then(bench -> assertThat(
                                        bench.explain(ObjectKey.volume("v")).text())
                                .contains("example.com/outside")),
                row("8-5", "fails if deleting fails, and is tried again")
                        .given(released(ReclaimPolicy.DELETE))
                        .when(STORAGE.andThen(bench ->
                                bench.plugin.faults().add(Fault.on("delete").as(FaultKind.FINAL))))
                        .expect()
                        .told("Warning VolumeFailedDelete"),
                row("8-6", "is shown as failed, with why, while deleting fails")
                        .given(released(ReclaimPolicy.DELETE))
                        .when(STORAGE.andThen(bench -> bench.plugin
                                .faults()
                                .add(Fault.on("delete")
                                        .as(FaultKind.FINAL)
                                        .saying("no key")
                                        .always())))
                        .expect("volume v Failed c/uid-c")
                        .told("Warning VolumeFailedDelete")
                        .then(bench -> {
                            assertThat(bench.volume("v").status().reason()).isEqualTo("VolumeFailedDelete");
                            assertThat(bench.volume("v").status().message()).contains("no key");
                        }),
                row("8-7", "does not fail while somebody uses it")
                        .given(released(ReclaimPolicy.DELETE))
                        .when(STORAGE.andThen(bench -> bench.plugin
                                .faults()
                                .add(Fault.on("delete").as(FaultKind.IN_USE).always())))
                        .expect("volume v Released c/uid-c")
                        .told("Normal VolumeDelete"),
                row("8-8", "is left alone while it is attached")
                        .given(released(ReclaimPolicy.DELETE))
                        .given(attachment("a", "v", "n1"))
                        .when(STORAGE)
                        .expect("volume v Released c/uid-c")
                        .told("Normal VolumeDelete")
                        .then(bench -> assertThat(calls(bench)).isEmpty()),
                row("8-9", "is deleted as soon as it is detached")
                        .given(released(ReclaimPolicy.DELETE))
                        .given(attachment("a", "v", "n1"))
                        .when(STORAGE.andThen(
                                bench -> bench.later(() -> bench.cluster.remove(ObjectKey.attachment("a")))))
                        .expect()
                        .told("Normal VolumeDelete"),
                row("8-10", "is not deleted if its claim turns out to live: the cache was behind")
                        .given(released(ReclaimPolicy.DELETE).phase(VolumePhase.BOUND))
                        .when(STORAGE.andThen(bench -> bench.hideFromLists(claim("c")
                                .volumeName("v")
                                .byController()
                                .completed()
                                .bound()
                                .made())))
                        .expect("volume v Bound c/uid-c", "claim c Bound v bc done")
                        .then(bench -> assertThat(bench.storage.volumes()).hasSize(1)),
                row("8-11", "is not deleted if its policy is changed first")
                        .given(released(ReclaimPolicy.DELETE))
                        .when(STORAGE.andThen(bench -> {
                            bench.plugin.faults().add(Fault.on("delete").always());
                            bench.later(() -> {
                                bench.given(released(ReclaimPolicy.RETAIN).made());
                                bench.plugin.faults().heal();
                            });
                        }))
                        .expect("volume v Released c/uid-c")
                        .told("Warning VolumeFailedDelete")
                        .then(bench -> assertThat(bench.storage.volumes()).hasSize(1)),
                row("8-12", "is not deleted while it is not known who is attached")
                        .given(released(ReclaimPolicy.DELETE))
                        .when(STORAGE.andThen(ControlBench::attachmentsUnreadable))
                        .expect("volume v Released c/uid-c")
                        .then(bench -> assertThat(bench.storage.volumes()).hasSize(1)),
                row("8-13", "whose object is deleted first goes with its claim, not before")
                        .given(volume("v")
                                .policy(ReclaimPolicy.DELETE)
                                .provisionedBy("mem")
                                .byController()
                                .finalizer("kubernetes.io/pv-controller")
                                .boundTo("c", "uid-c")
                                .phase(VolumePhase.BOUND))
                        .given(claim("c")
                                .volumeName("v")
                                .byController()
                                .completed()
                                .bound())
                        .when(STORAGE.andThen(bench -> {
                            bench.cluster.remove(ObjectKey.volume("v"));
                            bench.later(() -> {
                                assertThat(bench.volume("v").metadata().deleting())
                                        .isTrue();
                                assertThat(bench.storage.volumes()).hasSize(1);
                                bench.cluster.remove(GivenClaim.key("c"));
                            });
                        }))
                        .expect()
                        .then(bench -> assertThat(bench.storage.volumes()).isEmpty()),
                row("8-14", "that was migrated is left to the driver that it was migrated to")
                        .given(released(ReclaimPolicy.DELETE)
                                .annotation("pv.kubernetes.io/migrated-to", "driver.example"))
                        .when(STORAGE)
                        .expect("volume v Released c/uid-c"),
                row("8-15", "is left alone while a node says that it uses it")
                        .given(released(ReclaimPolicy.DELETE))
                        .given(ControlBench.nodeUsing("n1", "mem^v"))
                        .when(STORAGE)
                        .expect("volume v Released c/uid-c")
                        .told("Normal VolumeDelete")
                        .then(bench -> assertThat(calls(bench)).isEmpty()),
                row("8-16", "is deleted as soon as no node says so any more")
                        .given(released(ReclaimPolicy.DELETE))
                        .given(ControlBench.nodeUsing("n1", "mem^v"), ControlBench.nodeUsing("n2", "mem^v"))
                        .when(STORAGE.andThen(bench -> bench.later(() -> {
                            bench.given(ControlBench.nodeUsing("n1", "mem^other"));
                            bench.run();
                            assertThat(bench.storage.volumes()).hasSize(1);
                            bench.given(ControlBench.nodeUsing("n2"));
                        })))
                        .expect()
                        .told("Normal VolumeDelete", "Normal VolumeDelete"),
                row("8-17", "is not deleted if it is attached and no watch has shown that yet")
                        .given(released(ReclaimPolicy.DELETE).phase(VolumePhase.BOUND))
                        .given(claim("c").volumeName("v").completed().bound())
                        .when(STORAGE.andThen(bench -> bench.later(() -> {
                            bench.hideFromWatches(attachment("a", "v", "n1"));
                            bench.cluster.remove(GivenClaim.key("c"));
                        })))
                        .expect("volume v Released c/uid-c")
                        .told("Normal VolumeDelete")
                        .then(bench -> assertThat(calls(bench)).isEmpty()),
                row("8-18", "is not deleted if a node uses it and no watch has shown that yet")
                        .given(released(ReclaimPolicy.DELETE).phase(VolumePhase.BOUND))
                        .given(claim("c").volumeName("v").completed().bound())
                        .when(STORAGE.andThen(bench -> bench.later(() -> {
                            bench.hideFromWatches(ControlBench.nodeUsing("n1", "mem^v^pod"));
                            bench.cluster.remove(GivenClaim.key("c"));
                        })))
                        .expect("volume v Released c/uid-c")
                        .told("Normal VolumeDelete")
                        .then(bench -> assertThat(calls(bench)).isEmpty()),
                row("8-19", "is not deleted if its policy was changed and no watch has shown that yet")
                        .given(released(ReclaimPolicy.DELETE))
                        .when(STORAGE.andThen(bench -> {
                            bench.plugin.faults().add(Fault.on("delete").always());
                            bench.later(() -> {
                                bench.hideFromWatches(released(ReclaimPolicy.RETAIN)
                                        .annotation(
                                                "volume4j.io/reclaim-intent",
                                                bench.volume("v").metadata().annotation("volume4j.io/reclaim-intent"))
                                        .made());
                                bench.storage.clearCalls();
                                bench.plugin.faults().heal();
                            });
                        }))
                        .expect("volume v Released c/uid-c")
                        .told("Warning VolumeFailedDelete", "Warning VolumeFailedDelete")
                        .then(bench -> {
                            assertThat(calls(bench)).isEmpty();
                            assertThat(bench.storage.volumes()).hasSize(1);
                        }),
                row("8-20", "is not deleted while another volume is in the same storage")
                        .given(released(ReclaimPolicy.DELETE), inTheStorageOfV())
                        .given(claim("d").volumeName("w").completed().bound())
                        .when(STORAGE)
                        .expect("volume v Released c/uid-c", "volume w Bound d/uid-d", "claim d Bound w done")
                        .told("Normal VolumeDelete")
                        .then(bench -> assertThat(calls(bench)).isEmpty()),
                row("8-21", "is deleted as soon as no other volume is in its storage any more")
                        .given(released(ReclaimPolicy.DELETE), inTheStorageOfV())
                        .when(STORAGE.andThen(bench -> bench.later(() -> {
                            assertThat(bench.storage.volumes()).hasSize(1);
                            bench.cluster.remove(ObjectKey.volume("w"));
                        })))
                        .expect()
                        .told("Normal VolumeDelete"),
                row("8-22", "is deleted though another volume that is in the same storage is to be deleted too")
                        .given(released(ReclaimPolicy.DELETE))
                        .given(inTheStorageOfV().policy(ReclaimPolicy.DELETE).phase(VolumePhase.RELEASED))
                        .when(STORAGE)
                        .expect()
                        .then(bench -> assertThat(bench.storage.volumes()).isEmpty()),
                row(
                                "8-23",
                                "is not deleted while another volume of nodes that it may be in as well is in the same storage")
                        .given(released(ReclaimPolicy.DELETE).onlyWhere("zone", "a"))
                        .given(inTheStorageOfV().onlyWhere("zone", "a", "b"))
                        .given(claim("d").volumeName("w").completed().bound())
                        .when(STORAGE)
                        .expect("volume v Released c/uid-c", "volume w Bound d/uid-d", "claim d Bound w done")
                        .told("Normal VolumeDelete")
                        .then(bench -> assertThat(calls(bench)).isEmpty()),
                row("8-24", "is deleted though another node has a volume of the same handle")
                        .given(released(ReclaimPolicy.DELETE).onlyWhere("node", "a"))
                        .given(inTheStorageOfV().onlyWhere("node", "b"))
                        .given(claim("d").volumeName("w").completed().bound())
                        .when(STORAGE)
                        .expect("volume w Bound d/uid-d", "claim d Bound w done")
                        .then(bench -> assertThat(bench.storage.volumes()).isEmpty()),
                row("9-1", "of two volumes made for one claim only that one stays that the claim has")
                        .given(
                                volume("v")
                                        .policy(ReclaimPolicy.DELETE)
                                        .provisionedBy("mem")
                                        .byController()
                                        .boundTo("c", "uid-c")
                                        .phase(VolumePhase.BOUND),
                                volume("w")
                                        .policy(ReclaimPolicy.DELETE)
                                        .provisionedBy("mem")
                                        .byController()
                                        .boundTo("c", "uid-c")
                                        .phase(VolumePhase.BOUND))
                        .given(claim("c")
                                .volumeName("w")
                                .byController()
                                .completed()
                                .bound())
                        .when(STORAGE.andThen(bench -> bench.storage.add("w", 1 << 30)))
                        .expect("volume w Bound c/uid-c bc kept", "claim c Bound w bc done"));
    }

    /** The finalizer of volumes that were made here. */
    static Stream<Row> protectedVolumes() {
        return Stream.of(
                row("F-1", "made here and to be deleted: kept")
                        .given(made(ReclaimPolicy.DELETE))
                        .given(itsClaim())
                        .expect("volume v Bound c/uid-c bc kept", "claim c Bound v bc done"),
                row("F-2", "made by people: not kept")
                        .given(volume("v")
                                .policy(ReclaimPolicy.DELETE)
                                .boundTo("c", "uid-c")
                                .phase(VolumePhase.BOUND))
                        .given(itsClaim())
                        .expect("volume v Bound c/uid-c", "claim c Bound v bc done"),
                row("F-3", "made outside: not kept by us")
                        .given(volume("v")
                                .policy(ReclaimPolicy.DELETE)
                                .provisionedBy("example.com/outside")
                                .boundTo("c", "uid-c")
                                .phase(VolumePhase.BOUND))
                        .given(itsClaim())
                        .expect("volume v Bound c/uid-c", "claim c Bound v bc done"),
                row("F-4", "to be retained: not kept any more")
                        .given(made(ReclaimPolicy.RETAIN).finalizer("kubernetes.io/pv-controller"))
                        .given(itsClaim())
                        .expect("volume v Bound c/uid-c bc", "claim c Bound v bc done"),
                row("F-5", "to be recycled: not kept any more")
                        .given(made(ReclaimPolicy.RECYCLE).finalizer("kubernetes.io/pv-controller"))
                        .given(itsClaim())
                        .expect("volume v Bound c/uid-c bc", "claim c Bound v bc done"),
                row("F-6", "migrated: not kept any more")
                        .given(made(ReclaimPolicy.DELETE)
                                .finalizer("kubernetes.io/pv-controller")
                                .annotation("pv.kubernetes.io/migrated-to", "driver.example"))
                        .given(itsClaim())
                        .expect("volume v Bound c/uid-c bc", "claim c Bound v bc done"),
                row("F-7", "its plugin is away: still kept")
                        .given(made(ReclaimPolicy.DELETE).finalizer("kubernetes.io/pv-controller"))
                        .given(itsClaim())
                        .when(bench -> bench.plugins.remove("mem"))
                        .expect("volume v Bound c/uid-c bc kept", "claim c Bound v bc done"),
                row("F-8", "other finalizers stay")
                        .given(made(ReclaimPolicy.RETAIN)
                                .finalizer("kubernetes.io/pv-controller")
                                .finalizer("test/other"))
                        .given(itsClaim())
                        .expect("volume v Bound c/uid-c bc kept", "claim c Bound v bc done")
                        .then(bench -> assertThat(bench.volume("v").metadata().finalizers())
                                .containsExactly("test/other")),
                row("F-9", "its plugin cannot delete: not kept")
                        .given(made(ReclaimPolicy.DELETE))
                        .given(itsClaim())
                        .when(bench -> bench.plugin.set(Capability.DELETE, false))
                        .expect("volume v Bound c/uid-c bc", "claim c Bound v bc done"),
                row("F-10", "being deleted without claim: kept, because its storage is nobody's to delete")
                        .given(volume("v")
                                .policy(ReclaimPolicy.DELETE)
                                .provisionedBy("mem")
                                .finalizer("kubernetes.io/pv-controller"))
                        .when(bench -> bench.cluster.remove(ObjectKey.volume("v")))
                        .expect("volume v Available - kept deleting"));
    }

    /** 14-x: files or a device. */
    static Stream<Row> volumeModes() {
        return Stream.of(
                row("14-1", "files and files")
                        .given(volume("v"))
                        .given(claim("c"))
                        .expect("volume v Bound c/uid-c bc", "claim c Bound v bc done"),
                row("14-2", "device and device")
                        .given(volume("v").block())
                        .given(claim("c").block())
                        .expect("volume v Bound c/uid-c block bc", "claim c Bound v bc done"),
                row("14-3", "device and files")
                        .given(volume("v").block())
                        .given(claim("c"))
                        .expect("volume v Available - block", "claim c Pending -")
                        .told("Normal FailedBinding"),
                row("14-4", "files and device")
                        .given(volume("v"))
                        .given(claim("c").block())
                        .expect("volume v Available -", "claim c Pending -")
                        .told("Normal FailedBinding"),
                row("14-5", "device that asks by name for files")
                        .given(volume("v"))
                        .given(claim("c").block().volumeName("v"))
                        .expect("volume v Available -", "claim c Pending v")
                        .told("Warning VolumeMismatch"),
                row("14-6", "files that ask by name for a device")
                        .given(volume("v").block())
                        .given(claim("c").volumeName("v"))
                        .expect("volume v Available - block", "claim c Pending v")
                        .told("Warning VolumeMismatch"),
                row("14-7", "device reserved by name for files")
                        .given(volume("v").block().reservedFor("c"))
                        .given(claim("c"))
                        .expect("volume v Available c block", "claim c Pending -")
                        .told("Normal FailedBinding"),
                row("14-8", "files reserved by UID for a device: both are told")
                        .given(volume("v").boundTo("c", "uid-c").phase(VolumePhase.BOUND))
                        .given(claim("c").block())
                        .expect("volume v Bound c/uid-c", "claim c Pending -")
                        .toldInAnyOrder("Warning VolumeMismatch", "Warning VolumeMismatch", "Normal FailedBinding"),
                row("14-9", "files for files that are both reserved")
                        .given(volume("v").reservedFor("c"))
                        .given(claim("c").volumeName("v"))
                        .expect("volume v Bound c/uid-c", "claim c Bound v done"),
                row("14-10", "device for a device that are both reserved")
                        .given(volume("v").block().reservedFor("c"))
                        .given(claim("c").block().volumeName("v"))
                        .expect("volume v Bound c/uid-c block", "claim c Bound v done"));
    }

    @ParameterizedTest
    @MethodSource({"claimed", "recycled", "deleted", "protectedVolumes", "volumeModes"})
    void endsAsTheTableSays(Row row) {
        row.run();
    }

    /** As people make one to hand a volume over to another claim. */
    private static GivenVolume inTheStorageOfV() {
        return volume("w")
                .source(CsiSource.of("mem", "v", "", Map.of()))
                .policy(ReclaimPolicy.RETAIN)
                .boundTo("d", "uid-d")
                .phase(VolumePhase.BOUND);
    }

    private static GivenVolume released(ReclaimPolicy policy) {
        return volume("v").policy(policy).phase(VolumePhase.RELEASED).boundTo("c", "uid-c");
    }

    private static GivenVolume made(ReclaimPolicy policy) {
        return volume("v")
                .policy(policy)
                .provisionedBy("mem")
                .byController()
                .boundTo("c", "uid-c")
                .phase(VolumePhase.BOUND);
    }

    private static GivenClaim itsClaim() {
        return claim("c").volumeName("v").byController().completed().bound();
    }

    private static List<String> calls(ControlBench bench) {
        return bench.storage.calls().stream().map(call -> call.text()).toList();
    }

    static ApiObject attachment(String name, String volume, String node) {
        Map<String, @Nullable Object> spec =
                Map.of("attacher", "mem", "nodeName", node, "source", Map.of("persistentVolumeName", volume));
        return Manifests.fromTree(Map.of(
                "apiVersion",
                "storage.k8s.io/v1",
                "kind",
                "VolumeAttachment",
                "metadata",
                Map.of("name", name),
                "spec",
                spec,
                "status",
                Map.of("attached", true)));
    }
}
