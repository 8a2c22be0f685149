package io.volume4j.core.control.attach;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.control.attach.plan.AttachKey;
import io.volume4j.core.engine.ManualLoop;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.host.MetricsSink;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.WellKnown;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What is looked at again when a volume on a node changes, what is counted, and what is forgotten. */
class AttachIndexTest {
    private static final VolumeId V = VolumeId.shared("d", "v");
    private static final VolumeId W = VolumeId.shared("d", "w");
    private static final ObjectKey RECORD = ObjectKey.attachment("r");
    private static final ObjectKey OTHER_RECORD = ObjectKey.attachment("other");

    private final List<String> marked = new ArrayList<>();
    private final Map<String, Long> gauges = new TreeMap<>();
    private final ManualLoop loop = new ManualLoop();
    private long now = 7;
    private final AttachIndex index = new AttachIndex(
            () -> now,
            new AttachIndex.Marks() {
                @Override
                public void visit(AttachKey key) {
                    marked.add(key.toString());
                }

                @Override
                public void visitRecord(ObjectKey record) {
                    marked.add("record " + record.name());
                }

                @Override
                public void retry(AttachKey key) {
                    marked.add("retry " + key);
                }

                @Override
                public void retryRecord(ObjectKey record) {
                    marked.add("retry record " + record.name());
                }
            },
            new AttachCounts(
                    new MetricsSink() {
                        @Override
                        public void count(String name, Map<String, String> labels, long amount) {}

                        @Override
                        public void time(String name, Map<String, String> labels, Duration duration) {}

                        @Override
                        public void gauge(String name, Map<String, String> labels, long value) {
                            gauges.put(String.join(" ", new TreeMap<>(labels).values()), value);
                        }
                    },
                    loop));

    @Test
    void aVolumeOnANodeIsOnePair() {
        PairState pair = pair(V, "n1");

        assertThat(pair(V, "n1")).isSameAs(pair);
        assertThat(index.pair(V, "n1")).isSameAs(pair);
        assertThat(index.pair(W, "n1")).isNull();
        assertThat(index.pair(V, "n2")).isNull();
        assertThat(index.volume(V)).isSameAs(pair.volume);
        assertThat(index.node("n1")).isSameAs(pair.node);
        assertThat(index.nodes()).containsExactly(pair.node);
        assertThat(pair.unwantedSince).isEqualTo(7);
        assertThat(pair.volume.pairs()).containsExactly(pair);
        assertThat(pair.node.pairs).containsExactly(Map.entry(V, pair));
    }

    @Test
    void aPairIsVisitedWithItsRecordsAndItsNode() {
        PairState pair = pair(V, "n1");
        pair.addRecord(RECORD);

        index.visit(pair);

        assertThat(marked).containsExactly("volume d^v on node n1", "record r", "node n1");
    }

    @Test
    void theOtherNodesOfAVolumeAreVisitedWhereOneNodeAloneMayHaveIt() {
        PairState pair = pair(V, "n1");
        PairState other = pair(V, "n2");
        other.addRecord(OTHER_RECORD);
        pair(W, "n2");

        index.visitOthers(pair);
        assertThat(marked).containsExactly("volume d^v on node n2", "record other");

        marked.clear();
        pair.volume.oneNodeOnly = false;
        index.visitOthers(pair);
        assertThat(marked).isEmpty();
    }

    @Test
    void theOtherNodesAreTriedAtOnceWhenARecordIsGone() {
        PairState pair = pair(V, "n1");
        PairState other = pair(V, "n2");
        other.addRecord(OTHER_RECORD);
        pair.addPod("p");
        pair.reported(true);
        pair.checkedUid = "u";
        pair.maybeCreated(true);
        index.count(pair);
        marked.clear();

        index.released(pair);

        assertThat(marked)
                .containsExactly(
                        "volume d^v on node n2",
                        "record other",
                        "volume d^v on node n1",
                        "node n1",
                        "retry volume d^v on node n2",
                        "retry record other");
        assertThat(pair.absent()).isFalse();
        assertThat(pair.checkedUid).isEmpty();
        assertThat(pair.occupied()).isFalse();
        assertThat(pair.node.occupied("d")).isZero();
        assertThat(index.pair(V, "n1")).as("a pod wants it").isSameAs(pair);
    }

    @Test
    void whatTheStatusOfANodeShowsStaysWithTheNode() {
        PairState pair = pair(V, "n1");
        pair.node.update(node("n1", true));
        pair.listed = true;
        index.released(pair);
        assertThat(pair.listed).isTrue();

        pair.node.update(null);
        index.released(pair);
        assertThat(pair.listed).isFalse();
        assertThat(index.pair(V, "n1")).isNull();
    }

    @Test
    void aRecordThatIsAboutToBeStoredTakesAPlace() {
        PairState pair = pair(V, "n1");
        PairState other = pair(V, "n2");

        index.creating(pair, true);
        assertThat(pair.creating).isTrue();
        assertThat(pair.node.occupied("d")).isEqualTo(1);
        assertThat(marked).containsExactly(other.key.toString());

        index.creating(pair, false);
        assertThat(pair.node.occupied("d")).isZero();
    }

    @Test
    void aPairThatWaitsForRoomIsVisitedWhenSomeCame() {
        PairState leaves = pair(V, "n1");
        PairState waits = pair(W, "n1");
        PairState content = pair(VolumeId.shared("d", "x"), "n1");
        waits.waitsForRoom = true;
        leaves.dangling = true;
        index.count(leaves);
        assertThat(marked).isEmpty();

        leaves.dangling = false;
        index.count(leaves);

        assertThat(marked).containsExactly(waits.key.toString()).doesNotContain(content.key.toString());
    }

    @Test
    void deletedObjectsOfAVolumeAreVisitedOnceWhenANodeNoLongerHasIt() {
        PairState leaves = pair(V, "n1");
        leaves.dangling = true;
        index.count(leaves);
        leaves.volume.leaves(ObjectKey.volume("pv-1"));
        leaves.volume.leaves(ObjectKey.volume("pv-2"));
        assertThat(leaves.volume.occupied()).isTrue();
        assertThat(marked).isEmpty();

        leaves.dangling = false;
        index.count(leaves);
        assertThat(leaves.volume.occupied()).isFalse();
        assertThat(marked).containsExactly("record pv-1", "record pv-2");

        leaves.dangling = true;
        index.count(leaves);
        leaves.dangling = false;
        index.count(leaves);
        assertThat(marked).hasSize(2);
    }

    @Test
    void whatIsWantedAndWhatIsThereIsCountedByDriverAndNode() {
        PairState pair = pair(V, "n1");
        pair.addPod("p");
        pair.dangling = true;
        index.count(pair);
        index.count(pair);
        assertThat(told()).as("an agent of the node does it").containsExactly(Map.entry("d actual_state_of_world", 1L));

        pair.node.update(node("n1", true));
        index.count(pair);
        index.count(pair);
        assertThat(told())
                .containsExactly(
                        Map.entry("d actual_state_of_world", 1L),
                        Map.entry("d desired_state_of_world", 1L),
                        Map.entry("n1 d", 1L));

        pair.removePod("p");
        pair.dangling = false;
        index.count(pair);
        assertThat(told())
                .containsExactly(
                        Map.entry("d actual_state_of_world", 0L),
                        Map.entry("d desired_state_of_world", 0L),
                        Map.entry("n1 d", 0L));
    }

    @Test
    void aPairThatIsNeitherWantedNorThereIsForgottenWithItsVolumeAndNode() {
        PairState pair = pair(V, "n1");
        pair.addPod("p");
        index.prune(pair);
        assertThat(index.pair(V, "n1")).isSameAs(pair);

        pair.removePod("p");
        index.prune(pair);

        assertThat(index.pair(V, "n1")).isNull();
        assertThat(index.volume(V)).isNull();
        assertThat(index.node("n1")).isNull();
    }

    @Test
    void aVolumeIsKeptWhileANodeHasItOrACallWithoutAnAnswerMayTakeEffect() {
        PairState pair = pair(V, "n1");
        pair(V, "n2");
        index.prune(pair);
        assertThat(index.volume(V)).isSameAs(pair.volume);

        PairState last = pair(W, "n1");
        last.volume.unsettled("n1", 8);
        index.prune(last);
        assertThat(index.volume(W)).isSameAs(last.volume);

        now = 8;
        PairState settled = pair(W, "n1");
        index.prune(settled);
        assertThat(index.volume(W)).isNull();
    }

    @Test
    void aNodeIsKeptWhileItIsThereOrHasVolumesOrPods() {
        NodeState there = index.requireNode("there");
        there.update(node("there", false));
        NodeState hasPods = index.requireNode("pods");
        hasPods.pods.add("p");
        NodeState hasVolumes = pair(V, "volumes").node;
        NodeState none = index.requireNode("none");

        List.of(there, hasPods, hasVolumes, none).forEach(index::prune);

        assertThat(index.nodes()).containsExactly(there, hasPods, hasVolumes);
    }

    private PairState pair(VolumeId volume, String node) {
        return index.requirePair(volume, index.requireNode(node));
    }

    private Map<String, Long> told() {
        loop.advance(Duration.ofSeconds(1));
        return gauges;
    }

    private static Node node(String name, boolean managed) {
        ObjectMeta meta = ObjectMeta.named("", name).withUid("u-" + name);
        return new Node(
                managed ? meta.withAnnotation(WellKnown.CONTROLLER_MANAGED_ATTACH, "true") : meta,
                new Node.Spec(List.of()),
                new Node.Status(true, List.of(), List.of(), Map.of()),
                Unmodeled.none());
    }
}
