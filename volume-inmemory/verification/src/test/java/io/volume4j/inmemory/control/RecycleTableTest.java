package io.volume4j.inmemory.control;

import static io.volume4j.inmemory.control.GivenClaim.claim;
import static io.volume4j.inmemory.control.GivenVolume.volume;
import static io.volume4j.inmemory.control.Released.STORAGE;
import static io.volume4j.inmemory.control.Released.calls;
import static io.volume4j.inmemory.control.Released.inTheStorageOfV;
import static io.volume4j.inmemory.control.Released.released;
import static io.volume4j.inmemory.control.Row.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.inmemory.fault.Fault;
import io.volume4j.inmemory.fault.FaultKind;
import io.volume4j.spi.model.HostPathSource;
import io.volume4j.spi.model.PodPhase;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.VolumePhase;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The table of volumes that are emptied (docs/binding.md), row by row. */
class RecycleTableTest {
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
                row("6-3", "fails if no plugin can empty it")
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

    @ParameterizedTest
    @MethodSource("recycled")
    void endsAsTheTableSays(Row row) {
        row.run();
    }
}
