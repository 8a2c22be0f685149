package io.volume4j.inmemory.control;

import static io.volume4j.inmemory.control.GivenClaim.claim;
import static io.volume4j.inmemory.control.GivenVolume.volume;
import static io.volume4j.inmemory.control.Released.STORAGE;
import static io.volume4j.inmemory.control.Released.attachment;
import static io.volume4j.inmemory.control.Released.calls;
import static io.volume4j.inmemory.control.Released.inTheStorageOfV;
import static io.volume4j.inmemory.control.Released.released;
import static io.volume4j.inmemory.control.Row.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.inmemory.fault.Fault;
import io.volume4j.inmemory.fault.FaultKind;
import io.volume4j.spi.model.HostPathSource;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.VolumePhase;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The table of volumes that are deleted (docs/binding.md), row by row. */
class DeleteTableTest {
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
                row("8-3", "stays released if no plugin here can delete it")
                        .given(released(ReclaimPolicy.DELETE).source(new HostPathSource("/x", "")))
                        .expect("volume v Released c/uid-c")
                        .told("Warning VolumeFailedDelete"),
                row("8-4", "stays released if a provisioner outside made it")
                        .given(released(ReclaimPolicy.DELETE).provisionedBy("example.com/outside"))
                        .expect("volume v Released c/uid-c")
                        .told("Normal ExternalDeleting")
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
                row("8-7", "does not fail while the backend reports it in use")
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
                        .expect("volume v Released c/uid-c")
                        .told("Normal ExternalDeleting"),
                row("8-15", "is left alone while a node says that it uses it")
                        .given(released(ReclaimPolicy.DELETE))
                        .given(Nodes.nodeUsing("n1", "mem^v"))
                        .when(STORAGE)
                        .expect("volume v Released c/uid-c")
                        .told("Normal VolumeDelete")
                        .then(bench -> assertThat(calls(bench)).isEmpty()),
                row("8-16", "is deleted as soon as no node says so any more")
                        .given(released(ReclaimPolicy.DELETE))
                        .given(Nodes.nodeUsing("n1", "mem^v"), Nodes.nodeUsing("n2", "mem^v"))
                        .when(STORAGE.andThen(bench -> bench.later(() -> {
                            bench.given(Nodes.nodeUsing("n1", "mem^other"));
                            bench.run();
                            assertThat(bench.storage.volumes()).hasSize(1);
                            bench.given(Nodes.nodeUsing("n2"));
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
                            bench.hideFromWatches(Nodes.nodeUsing("n1", "mem^v^pod"));
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
                        .expect("volume v Failed c/uid-c")
                        .told("Warning VolumeFailedDelete", "Warning VolumeFailedDelete", "Warning VolumeFailedDelete")
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

    @ParameterizedTest
    @MethodSource("deleted")
    void endsAsTheTableSays(Row row) {
        row.run();
    }
}
