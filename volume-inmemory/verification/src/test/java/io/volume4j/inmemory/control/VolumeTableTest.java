package io.volume4j.inmemory.control;

import static io.volume4j.inmemory.control.GivenClaim.claim;
import static io.volume4j.inmemory.control.GivenVolume.volume;
import static io.volume4j.inmemory.control.Released.STORAGE;
import static io.volume4j.inmemory.control.Row.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.inmemory.plugin.Capability;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.VolumePhase;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The tables of volumes (docs/binding.md), row by row: whose they are. The ids are those of the field's own tables where they have a like. */
class VolumeTableTest {
    private static final String EXTERNAL = "external-provisioner.volume.kubernetes.io/finalizer";

    /** 4-x: whose the volume is. */
    static Stream<Row> claimed() {
        return Stream.of(
                row("4-1", "is available if it belongs to no claim")
                        .given(volume("v").phase(VolumePhase.PENDING))
                        .expect("volume v Available -"),
                row("4-1b", "is available from the start, whichever program made it, before any phase was written")
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
                                .isEqualTo("VolumeUnknownReclaimPolicy")),
                row("4-11", "is kept and failed if its deletion had begun before its policy became Retain")
                        .given(volume("v")
                                .boundTo("c", "uid-c")
                                .annotation("volume4j.io/reclaim-intent", "1 delete 3 before")
                                .phase(VolumePhase.RELEASED))
                        .expect("volume v Failed c/uid-c")
                        .told("Warning VolumeFailedDelete"),
                row("4-12", "is kept and failed if it may have been emptied before its policy became Retain")
                        .given(volume("v")
                                .boundTo("c", "uid-c")
                                .annotation("volume4j.io/reclaim-intent", "1 recycle 3 before")
                                .phase(VolumePhase.RELEASED))
                        .expect("volume v Failed c/uid-c")
                        .told("Warning VolumeFailedRecycle"),
                row("4-13", "is neither given away nor rid of an intent that a newer release wrote")
                        .given(volume("v")
                                .annotation("volume4j.io/reclaim-intent", "2 delete 3 before and more")
                                .phase(VolumePhase.FAILED))
                        .expect("volume v Failed -")
                        .told("Warning VolumeFailedDelete"));
    }

    /** The finalizer of volumes that were made here. */
    static Stream<Row> protectedVolumes() {
        return Stream.of(
                row("F-1", "made here and to be deleted: kept")
                        .given(made(ReclaimPolicy.DELETE))
                        .given(itsClaim())
                        .expect("volume v Bound c/uid-c bc kept", "claim c Bound v bc done")
                        .then(bench -> assertThat(bench.volume("v").metadata().finalizers())
                                .as(
                                        "the finalizer that an external-provisioner removes after it has deleted the storage")
                                .containsExactly(EXTERNAL)),
                row("F-11", "kept by the finalizer that only Kubernetes' built-in plugins remove: replaced")
                        .given(made(ReclaimPolicy.DELETE).finalizer("kubernetes.io/pv-controller"))
                        .given(itsClaim())
                        .expect("volume v Bound c/uid-c bc kept", "claim c Bound v bc done")
                        .then(bench -> assertThat(bench.volume("v").metadata().finalizers())
                                .containsExactly(EXTERNAL)),
                row("F-12", "to be retained, made by an external provisioner: not kept any more")
                        .given(made(ReclaimPolicy.RETAIN).finalizer(EXTERNAL))
                        .given(itsClaim())
                        .expect("volume v Bound c/uid-c bc", "claim c Bound v bc done"),
                row("F-13", "migrated: what its driver keeps stays")
                        .given(made(ReclaimPolicy.DELETE)
                                .finalizer(EXTERNAL)
                                .annotation("pv.kubernetes.io/migrated-to", "driver.example"))
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
                row("F-10", "being deleted without claim: kept, because its storage belongs to no claim")
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
    @MethodSource({"claimed", "protectedVolumes", "volumeModes"})
    void endsAsTheTableSays(Row row) {
        row.run();
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
}
