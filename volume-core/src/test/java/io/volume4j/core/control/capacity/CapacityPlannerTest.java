package io.volume4j.core.control.capacity;

import static io.volume4j.core.control.PlanRow.object;
import static io.volume4j.core.control.PlanRow.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.control.PlanRow;
import io.volume4j.core.control.host.ClusterWork;
import io.volume4j.core.engine.Wait;
import io.volume4j.spi.model.CsiStorageCapacity;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.plugin.CapacityReporter.Capacity;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is done about one object that tells how much room is left, row by row. */
class CapacityPlannerTest {
    private static final long NOW = 1_000_000_000_000L;
    private static final long MINUTE = CapacityPlanner.EVERY.toNanos();
    private static final long FIVE_SECONDS = CapacityPlanner.AT_MOST_EVERY.toNanos();
    private static final ObjectKey KEY = new ObjectKey(Kind.CSI_STORAGE_CAPACITY, "ns", "cap");
    private static final long GI = 1L << 30;

    private static final String ASK = "ASK ask mem what class fast has left at {zone=a}";
    private static final String PUBLISHED = "published; the plugin is asked again then";
    private static final boolean OUTDATED = true;

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void decides(PlanRow<CapacityView> row) {
        row.check(CapacityPlanner::plan);
    }

    static Stream<PlanRow<CapacityView>> decides() {
        return Stream.of(
                // whether it is to be there
                row("does nothing before all such objects are known", unknown())
                        .waits("the capacities of the cluster are not known completely"),
                row("has nothing to do with what is neither wanted nor there", unwanted(null, false)),
                row(
                        "removes its own object that is not wanted any more",
                        unwanted(ours("3Gi", ""), false),
                        "REMOVE delete object CSIStorageCapacity/ns/cap"),
                row("leaves an object of others alone", unwanted(others(), false)),
                row("keeps an object of an earlier process until its plugin came", unwanted(ours("3Gi", ""), true))
                        .waits("published by an earlier process; kept until the plugin of its class is there"),
                // asking
                row("asks the plugin first", wanted(null, null), ASK),
                row(
                        "leaves what is published as it is while the plugin does not answer",
                        wanted(ours("3Gi", ""), null),
                        ASK),
                row("leaves what is published alone for a minute", wanted(ours("3Gi", ""), said(3, 0, MINUTE - 1)))
                        .waits(PUBLISHED),
                row("asks again after a minute", wanted(ours("3Gi", ""), said(3, 0, MINUTE)), ASK),
                row(
                                "does not ask sooner than after five seconds, whatever happened",
                                wanted(
                                        ours("3Gi", ""),
                                        new Answer(new Capacity(3 * GI, 0), NOW - FIVE_SECONDS + 1, OUTDATED)))
                        .waits(PUBLISHED),
                row(
                        "asks again after five seconds if something happened",
                        wanted(ours("3Gi", ""), new Answer(new Capacity(3 * GI, 0), NOW - FIVE_SECONDS, OUTDATED)),
                        ASK),
                // telling
                row(
                        "publishes the first answer",
                        wanted(null, said(3, 1, 0)),
                        "CREATE create CSIStorageCapacity/ns/cap"),
                row(
                        "publishes an old answer before it asks again",
                        wanted(null, said(3, 1, 2 * MINUTE)),
                        "CREATE create CSIStorageCapacity/ns/cap"),
                row("writes what has changed", wanted(ours("4Gi", ""), said(3, 0, 0)), writes("capacity=3Gi")),
                row("does not write the same amount in other words", wanted(ours("3072Mi", ""), said(3, 0, 0)))
                        .waits(PUBLISHED),
                row(
                        "writes a capacity where there was none",
                        wanted(ours("", ""), said(3, 0, 0)),
                        writes("capacity=3Gi")),
                row(
                        "writes the largest volume",
                        wanted(ours("3Gi", ""), said(3, 1, 0)),
                        writes("maximumVolumeSize=1Gi")),
                row(
                        "writes another largest volume",
                        wanted(ours("3Gi", "2Gi"), said(3, 1, 0)),
                        writes("maximumVolumeSize=1Gi")),
                row(
                        "takes a limit away that is none any more",
                        wanted(ours("3Gi", "1Gi"), said(3, 0, 0)),
                        writes("maximumVolumeSize=null")),
                row("leaves the same limit alone", wanted(ours("3Gi", "1Gi"), said(3, 1, 0)))
                        .waits(PUBLISHED),
                row(
                        "writes both in one go",
                        wanted(ours("4Gi", ""), said(3, 1, 0)),
                        writes("capacity=3Gi, maximumVolumeSize=1Gi")));
    }

    @Test
    void aPublishedObjectSaysWhoseItIsAndWhereItHolds() {
        ClusterWork.Create create = (ClusterWork.Create)
                CapacityPlanner.plan(wanted(null, said(3, 1, 0))).steps().get(0);
        CsiStorageCapacity object = (CsiStorageCapacity) create.object();

        assertThat(object.metadata().labels())
                .isEqualTo(Map.of(CapacityPlanner.DRIVER, "mem", CapacityPlanner.MANAGED_BY, "volume4j"));
        assertThat(object.storageClassName()).isEqualTo("fast");
        assertThat(object.nodeTopology()).hasToString("LabelSelector[matchLabels={zone=a}, matchExpressions=[]]");
        assertThat(object.capacity()).hasToString("3Gi");
        assertThat(object.maximumVolumeSize()).hasToString("1Gi");
    }

    @Test
    void whatIsPublishedIsLookedAtAgainAMinuteAfterTheAnswer() {
        assertThat(CapacityPlanner.plan(wanted(ours("3Gi", ""), said(3, 0, 7))).waits())
                .extracting(Wait::notBeforeNanos)
                .containsExactly(NOW - 7 + MINUTE);
    }

    private static String writes(String fields) {
        return "write CSIStorageCapacity cap: " + fields;
    }

    private static Answer said(long gi, long largestGi, long ago) {
        return new Answer(new Capacity(gi * GI, largestGi * GI), NOW - ago, !OUTDATED);
    }

    private static CapacityView unknown() {
        return new CapacityView(KEY, null, ours("3Gi", ""), false, false, null, NOW);
    }

    private static CapacityView unwanted(@Nullable CsiStorageCapacity published, boolean awaitsPlugin) {
        return new CapacityView(KEY, null, published, awaitsPlugin, true, null, NOW);
    }

    private static CapacityView wanted(@Nullable CsiStorageCapacity published, @Nullable Answer answer) {
        Wanted wanted = new Wanted(object(StorageClass.class, """
                        {apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: fast}, provisioner: mem}
                        """), "mem", Map.of("zone", "a"));
        return new CapacityView(KEY, wanted, published, false, true, answer, NOW);
    }

    private static CsiStorageCapacity ours(String capacity, String largest) {
        return published("csi.storage.k8s.io/managed-by: volume4j", capacity, largest);
    }

    private static CsiStorageCapacity others() {
        return published("csi.storage.k8s.io/managed-by: external-provisioner", "3Gi", "");
    }

    private static CsiStorageCapacity published(String label, String capacity, String largest) {
        return object(CsiStorageCapacity.class, """
                {apiVersion: storage.k8s.io/v1, kind: CSIStorageCapacity, storageClassName: fast,
                 metadata: {name: cap, namespace: ns, uid: u, labels: {%s}}%s%s}
                """.formatted(
                        label,
                        capacity.isEmpty() ? "" : ", capacity: " + capacity,
                        largest.isEmpty() ? "" : ", maximumVolumeSize: " + largest));
    }
}
