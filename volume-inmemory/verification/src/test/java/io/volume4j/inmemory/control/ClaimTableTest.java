package io.volume4j.inmemory.control;

import static io.volume4j.inmemory.control.Classes.storageClass;
import static io.volume4j.inmemory.control.GivenClaim.claim;
import static io.volume4j.inmemory.control.GivenVolume.volume;
import static io.volume4j.inmemory.control.Nodes.node;
import static io.volume4j.inmemory.control.Row.row;
import static io.volume4j.spi.model.AccessMode.READ_ONLY_MANY;
import static io.volume4j.spi.model.AccessMode.READ_WRITE_MANY;
import static io.volume4j.spi.model.AccessMode.READ_WRITE_ONCE;
import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.model.VolumeBindingMode;
import io.volume4j.spi.model.VolumePhase;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The table of claims (docs/binding.md), row by row. The ids are those of the field's own tables where they have a like. */
class ClaimTableTest {
    private static final StorageClass LATE = storageClass(
            "late", "kubernetes.io/no-provisioner", ReclaimPolicy.DELETE, VolumeBindingMode.WAIT_FOR_FIRST_CONSUMER);

    /** 1-x: the claim names no volume. */
    static Stream<Row> unbound() {
        return Stream.of(
                row("1-1", "binds to a volume that fits")
                        .given(volume("v"))
                        .given(claim("c"))
                        .expect("volume v Bound c/uid-c bc", "claim c Bound v bc done"),
                row("1-2", "stays pending where none is large enough")
                        .given(volume("v").size("512Mi"))
                        .given(claim("c"))
                        .expect("volume v Available -", "claim c Pending -")
                        .told("Normal FailedBinding"),
                row("1-3", "goes back to pending if its phase says bound and nothing else does")
                        .given(claim("c").bound())
                        .expect("claim c Pending -")
                        .told("Normal FailedBinding")
                        .then(bench -> {
                            assertThat(bench.claim("c").status().accessModes()).isEmpty();
                            assertThat(bench.claim("c").status().capacity()).isNull();
                        }),
                row("1-4", "takes the smallest of those that fit")
                        .given(
                                volume("v1").size("10Gi"),
                                volume("v2").size("1Gi"),
                                volume("v3").size("5Gi"))
                        .given(claim("c"))
                        .expect(
                                "volume v1 Available -",
                                "volume v2 Bound c/uid-c bc",
                                "volume v3 Available -",
                                "claim c Bound v2 bc done"),
                row("1-5", "takes a volume that is reserved for it by name, though a smaller one is free")
                        .given(
                                volume("v1").size("1Gi"),
                                volume("v2").size("10Gi").reservedFor("c"))
                        .given(claim("c"))
                        .expect("volume v1 Available -", "volume v2 Bound c/uid-c", "claim c Bound v2 bc done"),
                row("1-6", "takes a volume that is reserved for it by UID, though a smaller one is free")
                        .given(
                                volume("v1").size("1Gi"),
                                volume("v2").size("10Gi").boundTo("c", "uid-c"))
                        .given(claim("c"))
                        .expect("volume v1 Available -", "volume v2 Bound c/uid-c", "claim c Bound v2 bc done"),
                row("1-6b", "takes a reserved volume with more access modes before a free one with fewer")
                        .given(
                                volume("v1"),
                                volume("v2")
                                        .modes(READ_WRITE_ONCE, READ_ONLY_MANY, READ_WRITE_MANY)
                                        .reservedFor("c"))
                        .given(claim("c"))
                        .expect("volume v1 Available -", "volume v2 Bound c/uid-c", "claim c Bound v2 bc done"),
                row("1-6c", "takes the volume with its UID before one with its name only")
                        .given(volume("v1").reservedFor("c"), volume("v2").boundTo("c", "uid-c"))
                        .given(claim("c"))
                        .expect("volume v1 Available c", "volume v2 Bound c/uid-c", "claim c Bound v2 bc done"),
                row("1-7", "leaves a volume alone that is reserved for another claim")
                        .given(volume("v").reservedFor("other"))
                        .given(claim("c"))
                        .expect("volume v Available other", "claim c Pending -")
                        .told("Normal FailedBinding"),
                row("1-8", "goes on after the first write: the volume's spec")
                        .given(volume("v").boundTo("c", "uid-c").byController())
                        .given(claim("c"))
                        .expect("volume v Bound c/uid-c bc", "claim c Bound v bc done"),
                row("1-9", "goes on after the second write: the volume's status")
                        .given(volume("v").boundTo("c", "uid-c").byController().phase(VolumePhase.BOUND))
                        .given(claim("c"))
                        .expect("volume v Bound c/uid-c bc", "claim c Bound v bc done"),
                row("1-10", "goes on after the third write: the claim's spec")
                        .given(volume("v").boundTo("c", "uid-c").byController().phase(VolumePhase.BOUND))
                        .given(claim("c").volumeName("v").byController().completed())
                        .expect("volume v Bound c/uid-c bc", "claim c Bound v bc done")
                        .then(bench ->
                                assertThat(bench.writes()).containsExactly("patchStatus PersistentVolumeClaim/ns/c")),
                row("1-11", "chooses by its selector, though a smaller volume is free")
                        .given(volume("v1"), volume("v2").size("10Gi").label("tier", "gold"))
                        .given(claim("c").selector("tier", "gold"))
                        .expect("volume v1 Available -", "volume v2 Bound c/uid-c bc", "claim c Bound v2 bc done"),
                row("1-12", "stays pending where no volume has the labels")
                        .given(volume("v").label("tier", "lead"))
                        .given(claim("c").selector("tier", "gold"))
                        .expect("volume v Available -", "claim c Pending -")
                        .told("Normal FailedBinding"),
                row("1-13", "waits for its first consumer although a volume fits")
                        .given(LATE)
                        .given(volume("v").ofClass("late"))
                        .given(claim("c").ofClass("late"))
                        .expect("volume v Available -", "claim c Pending -")
                        .told("Normal WaitForFirstConsumer"),
                row("1-14", "does not wait for a consumer where a volume is reserved for it")
                        .given(LATE)
                        .given(volume("v").ofClass("late").boundTo("c", "uid-c"))
                        .given(claim("c").ofClass("late"))
                        .expect("volume v Bound c/uid-c", "claim c Bound v bc done"),
                row("1-15", "finds the one that asks for it among many claims")
                        .given(volume("v").reservedFor("c"))
                        .given(claim("b"), claim("c"), claim("d"))
                        .expect(
                                "volume v Bound c/uid-c",
                                "claim b Pending -",
                                "claim c Bound v bc done",
                                "claim d Pending -")
                        .told("Normal FailedBinding", "Normal FailedBinding"),
                row("1-16", "does not take a volume that lacks an access mode")
                        .given(volume("v").modes(READ_WRITE_ONCE))
                        .given(claim("c").modes(READ_WRITE_ONCE, READ_WRITE_MANY))
                        .expect("volume v Available -", "claim c Pending -")
                        .told("Normal FailedBinding"),
                row("1-16b", "takes a volume with more access modes than it asks for")
                        .given(volume("v").modes(READ_WRITE_ONCE, READ_WRITE_MANY))
                        .given(claim("c"))
                        .expect("volume v Bound c/uid-c bc", "claim c Bound v bc done")
                        .then(bench -> assertThat(bench.claim("c").status().accessModes())
                                .containsExactly(READ_WRITE_ONCE, READ_WRITE_MANY)),
                row("1-17", "does not take a volume that is reserved by UID for an earlier claim of its name")
                        .given(volume("v").boundTo("c", "uid-before").phase(VolumePhase.RELEASED))
                        .given(claim("c"))
                        .expect("volume v Released c/uid-before", "claim c Pending -")
                        .told("Normal FailedBinding"),
                row("1-18", "takes a volume of its node's reach when a node was chosen")
                        .given(LATE)
                        .given(node("n1", Map.of("zone", "a")))
                        .given(
                                volume("v1").ofClass("late").onlyWhere("zone", "b"),
                                volume("v2").ofClass("late").size("5Gi").onlyWhere("zone", "a"))
                        .given(claim("c").ofClass("late").onNode("n1"))
                        .expect("volume v1 Available -", "volume v2 Bound c/uid-c bc", "claim c Bound v2 bc done"),
                row(
                                "1-19",
                                "takes the reserved volume even out of its node's reach, so that a scheduler sees where it is")
                        .given(LATE)
                        .given(node("n1", Map.of("zone", "a")))
                        .given(
                                volume("v1")
                                        .ofClass("late")
                                        .onlyWhere("zone", "b")
                                        .boundTo("c", "uid-c"),
                                volume("v2").ofClass("late"))
                        .given(claim("c").ofClass("late").onNode("n1"))
                        .expect("volume v1 Bound c/uid-c", "volume v2 Available -", "claim c Bound v1 bc done"),
                row("1-20", "cannot be bound to a volume that says no size")
                        .given(volume("v").noSize())
                        .given(claim("c").volumeName("v"))
                        .expect("volume v Available -", "claim c Pending v")
                        .told("Warning VolumeMismatch"),
                row("1-21", "takes a class-less volume only if it says that it wants no class")
                        .given(volume("v"))
                        .given(claim("c").noClassSaid())
                        .expect("volume v Bound c/uid-c bc", "claim c Bound v bc done"));
    }

    /** 2-x: the claim asks for a volume by name. */
    static Stream<Row> requested() {
        return Stream.of(
                row("2-1", "waits for a volume that does not exist")
                        .given(claim("c").volumeName("v"))
                        .expect("claim c Pending v"),
                row("2-2", "goes back to pending if the volume is gone and binding was never completed")
                        .given(claim("c").volumeName("v").bound())
                        .expect("claim c Pending v"),
                row("2-3", "gets the volume that it asks for, though a smaller one is free")
                        .given(volume("v").size("10Gi"), volume("w"))
                        .given(claim("c").volumeName("v"))
                        .expect("volume v Bound c/uid-c bc", "volume w Available -", "claim c Bound v done"),
                row("2-4", "gets a volume that is reserved for it by name")
                        .given(volume("v").reservedFor("c"))
                        .given(claim("c").volumeName("v"))
                        .expect("volume v Bound c/uid-c", "claim c Bound v done"),
                row("2-5", "gets a volume that is reserved for it by UID")
                        .given(volume("v").boundTo("c", "uid-c"))
                        .given(claim("c").volumeName("v"))
                        .expect("volume v Bound c/uid-c", "claim c Bound v done"),
                row("2-6", "waits for a volume that is another's")
                        .given(volume("v").boundTo("other", "uid-other").phase(VolumePhase.BOUND))
                        .given(
                                claim("c").volumeName("v"),
                                claim("other").volumeName("v").completed().bound())
                        .expect("volume v Bound other/uid-other", "claim other Bound v done", "claim c Pending v")
                        .told("Warning FailedBinding"),
                row("2-7", "writes nothing where the controller itself named a volume that is another's")
                        .given(volume("v").boundTo("other", "uid-other").phase(VolumePhase.BOUND))
                        .given(
                                claim("c").volumeName("v").byController().phase(ClaimPhase.NONE),
                                claim("other").volumeName("v").completed().bound())
                        .expect("volume v Bound other/uid-other", "claim other Bound v done", "claim c  v bc")
                        .told("Warning FailedBinding"),
                row("2-8", "does not look at its selector")
                        .given(volume("v"))
                        .given(claim("c").volumeName("v").selector("tier", "gold"))
                        .expect("volume v Bound c/uid-c bc", "claim c Bound v done"),
                row("2-9", "refuses a volume that is too small")
                        .given(volume("v").size("512Mi"))
                        .given(claim("c").volumeName("v"))
                        .expect("volume v Available -", "claim c Pending v")
                        .told("Warning VolumeMismatch"),
                row("2-10", "refuses a volume of another class")
                        .given(volume("v").ofClass("fast"))
                        .given(claim("c").volumeName("v"))
                        .expect("volume v Available -", "claim c Pending v")
                        .told("Warning VolumeMismatch"),
                row("2-11", "refuses a volume of another attributes class")
                        .given(volume("v").attributesClass("gold"))
                        .given(claim("c").volumeName("v"))
                        .expect("volume v Available -", "claim c Pending v")
                        .told("Warning VolumeMismatch"),
                row("2-12", "refuses a volume that lacks an access mode")
                        .given(volume("v"))
                        .given(claim("c").volumeName("v").modes(READ_WRITE_MANY))
                        .expect("volume v Available -", "claim c Pending v")
                        .told("Warning VolumeMismatch"));
    }

    /** 3-x: binding was completed once. */
    static Stream<Row> completed() {
        return Stream.of(
                row("3-1", "is lost if it no longer names its volume")
                        .given(claim("c").completed().bound())
                        .expect("claim c Lost - done")
                        .told("Warning ClaimLost"),
                row("3-2", "is lost if its volume is gone")
                        .given(claim("c").volumeName("v").completed().bound())
                        .expect("claim c Lost v done")
                        .told("Warning ClaimLost"),
                row("3-2b", "is not lost while it is being deleted: no pod needs the volume")
                        .given(claim("c").volumeName("v").completed().bound().finalizer("test/keep"))
                        .when(bench -> bench.cluster.remove(GivenClaim.key("c")))
                        .expect("claim c Bound v done kept deleting"),
                row("3-3", "takes its volume back if a user freed it")
                        .given(volume("v"))
                        .given(claim("c").volumeName("v").completed().bound())
                        .expect("volume v Bound c/uid-c bc", "claim c Bound v done"),
                row("3-4", "takes its volume if that is reserved for it by name")
                        .given(volume("v").reservedFor("c"))
                        .given(claim("c").volumeName("v").completed().bound())
                        .expect("volume v Bound c/uid-c", "claim c Bound v done"),
                row("3-5", "writes nothing if all is as it should be")
                        .given(volume("v").boundTo("c", "uid-c").byController().phase(VolumePhase.BOUND))
                        .given(claim("c")
                                .volumeName("v")
                                .byController()
                                .completed()
                                .bound())
                        .expect("volume v Bound c/uid-c bc", "claim c Bound v bc done")
                        .then(bench -> assertThat(bench.writes()).isEmpty()),
                row("3-6", "is lost if its volume belongs to another claim")
                        .given(volume("v").boundTo("other", "uid-other").phase(VolumePhase.BOUND))
                        .given(
                                claim("c").volumeName("v").completed().bound(),
                                claim("other").volumeName("v").completed().bound())
                        .expect("volume v Bound other/uid-other", "claim c Lost v done", "claim other Bound v done")
                        .told("Warning ClaimMisbound"),
                row("3-7", "is lost no longer when its volume is back")
                        .given(volume("v").boundTo("c", "uid-c").phase(VolumePhase.BOUND))
                        .given(claim("c").volumeName("v").completed().phase(ClaimPhase.LOST))
                        .expect("volume v Bound c/uid-c", "claim c Bound v done"));
    }

    /** 13-x: classes must be equal, and none is a class of its own. */
    static Stream<Row> classes() {
        return Stream.of(
                row("13-1", "binds within its class, though a smaller volume is in another")
                        .given(storageClass("fast", "kubernetes.io/no-provisioner"))
                        .given(
                                volume("v1"),
                                volume("v2").ofClass("fast").size("5Gi"),
                                volume("v3").ofClass("slow"))
                        .given(claim("c").ofClass("fast"))
                        .expect(
                                "volume v1 Available -",
                                "volume v2 Bound c/uid-c bc",
                                "volume v3 Available -",
                                "claim c Bound v2 bc done"),
                row("13-2", "binds to a volume without class if it wants none")
                        .given(volume("v1").ofClass("fast"), volume("v2").size("5Gi"))
                        .given(claim("c"))
                        .expect("volume v1 Available -", "volume v2 Bound c/uid-c bc", "claim c Bound v2 bc done"),
                row("13-3", "does not need its class to exist if a volume of it does")
                        .given(volume("v").ofClass("gone"))
                        .given(claim("c").ofClass("gone"))
                        .expect("volume v Bound c/uid-c bc", "claim c Bound v bc done"),
                row("13-4", "follows the old annotation of the claim before its spec")
                        .given(volume("v1").ofClass("spec"), volume("v2").ofClass("beta"))
                        .given(claim("c").ofClass("spec").annotation("volume.beta.kubernetes.io/storage-class", "beta"))
                        .expect("volume v1 Available -", "volume v2 Bound c/uid-c bc", "claim c Bound v2 bc done"),
                row("13-5", "keeps to its attributes class")
                        .given(volume("v1"), volume("v2").size("5Gi").attributesClass("gold"))
                        .given(claim("c").attributesClass("gold"))
                        .expect("volume v1 Available -", "volume v2 Bound c/uid-c bc", "claim c Bound v2 bc done")
                        .then(bench -> assertThat(bench.claim("c").status().currentVolumeAttributesClassName())
                                .isEqualTo("gold")),
                row("13-6", "says that its class never makes volumes")
                        .given(storageClass("local", "kubernetes.io/no-provisioner"))
                        .given(claim("c").ofClass("local"))
                        .expect("claim c Pending -")
                        .told("Normal FailedBinding"),
                row("13-7", "says that its class is missing")
                        .given(claim("c").ofClass("gone"))
                        .expect("claim c Pending -")
                        .told("Warning ProvisioningFailed"));
    }

    /** 15-x: the default class, also given later. */
    static Stream<Row> defaultClass() {
        return Stream.of(
                row("15-1", "gets the default class if it says nothing")
                        .given(Classes.defaultClass("std", "kubernetes.io/no-provisioner"))
                        .given(volume("v").ofClass("std"))
                        .given(claim("c").noClassSaid())
                        .expect("volume v Bound c/uid-c bc", "claim c Bound v bc done")
                        .then(bench -> assertThat(bench.claim("c").spec().storageClassName())
                                .isEqualTo("std")),
                row("15-2", "prefers a volume without class to the default class")
                        .given(Classes.defaultClass("std", "kubernetes.io/no-provisioner"))
                        .given(volume("v"))
                        .given(claim("c").noClassSaid())
                        .expect("volume v Bound c/uid-c bc", "claim c Bound v bc done")
                        .then(bench -> assertThat(bench.claim("c").spec().storageClassName())
                                .isNull()),
                row("15-3", "keeps to no class if it says so")
                        .given(Classes.defaultClass("std", "mem"))
                        .given(claim("c").ofClass(""))
                        .expect("claim c Pending -")
                        .told("Normal FailedBinding"),
                row("15-4", "keeps to the class of the old annotation, the empty one too")
                        .given(Classes.defaultClass("std", "mem"))
                        .given(claim("c").noClassSaid().annotation("volume.beta.kubernetes.io/storage-class", ""))
                        .expect("claim c Pending -")
                        .told("Normal FailedBinding"),
                row("15-5", "gets the newest of several default classes")
                        .given(Classes.defaultClass("a", "kubernetes.io/no-provisioner"))
                        .when(bench -> {
                            bench.clock.advance(Duration.ofSeconds(5));
                            bench.given(
                                    Classes.defaultClass("z", "kubernetes.io/no-provisioner"),
                                    claim("c").noClassSaid().made());
                        })
                        .expect("claim c Pending -")
                        .told("Normal FailedBinding")
                        .then(bench -> assertThat(bench.claim("c").spec().storageClassName())
                                .isEqualTo("z")),
                row("15-6", "stays without class where there is no default")
                        .given(storageClass("std", "mem"))
                        .given(claim("c").noClassSaid())
                        .expect("claim c Pending -")
                        .told("Normal FailedBinding"),
                row("15-7", "gets a default class that appears later")
                        .given(claim("c").noClassSaid())
                        .when(bench -> bench.later(() -> bench.given(Classes.defaultClass("std", "mem"))))
                        .expect("volume pvc-uid-c Bound c/uid-c bc kept", "claim c Bound pvc-uid-c bc done")
                        .told("Normal FailedBinding", "Normal ProvisioningSucceeded"));
    }

    /** 10-x: many at once. */
    static Stream<Row> many() {
        return Stream.of(row("10-1", "many claims and volumes, each to one that fits")
                .given(
                        volume("v1").size("1Gi"),
                        volume("v2").size("2Gi"),
                        volume("v3").size("3Gi"),
                        volume("v4").size("1Gi"))
                .given(
                        claim("a").size("3Gi"),
                        claim("b").size("2Gi"),
                        claim("c").size("1Gi"),
                        claim("d").size("1Gi"),
                        claim("e").size("1Gi"))
                .expect(
                        "volume v1 Bound c/uid-c bc",
                        "volume v2 Bound b/uid-b bc",
                        "volume v3 Bound a/uid-a bc",
                        "volume v4 Bound d/uid-d bc",
                        "claim a Bound v3 bc done",
                        "claim b Bound v2 bc done",
                        "claim c Bound v1 bc done",
                        "claim d Bound v4 bc done",
                        "claim e Pending -")
                .told("Normal FailedBinding"));
    }

    @ParameterizedTest
    @MethodSource({"unbound", "requested", "completed", "classes", "defaultClass", "many"})
    void endsAsTheTableSays(Row row) {
        row.run();
    }
}
