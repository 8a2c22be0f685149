package io.volume4j.inmemory.control;

import static io.volume4j.inmemory.control.GivenVolume.volume;
import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.assembly.ControllerFeature;
import io.volume4j.core.assembly.ControllerFeatures;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.CsiNode;
import io.volume4j.spi.model.CsiStorageCapacity;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.LabelSelector;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumeBindingMode;
import io.volume4j.spi.plugin.CapacityReporter;
import io.volume4j.spi.plugin.VolumePlugin;
import io.volume4j.spi.plugin.VolumeSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What plugins have left is published for each class and segment, and kept up to date. */
class CapacityTest {
    private static final String DRIVER = "pool.example.com";
    private static final String ZONE = "topology.pool/zone";

    private final ControlBench bench = new ControlBench();
    private final Pools pools = new Pools(DRIVER);

    CapacityTest() {
        bench.features(ControllerFeatures.ofController().with(ControllerFeature.CAPACITY));
        bench.plugins.add(pools);
        bench.given(waiting("fast"));
        for (String node : List.of("n1", "n2", "n3")) {
            String zone = node.equals("n3") ? "b" : "a";
            bench.given(Nodes.node(node, Map.of(ZONE, zone)), csiNode(node));
        }
        pools.left.put("a", 100L);
        pools.left.put("b", 50L);
    }

    @Test
    void tellsWhatEachSegmentHasLeft() {
        bench.start();
        pass(Duration.ofSeconds(10));

        assertThat(published()).containsExactlyInAnyOrder("fast a 100", "fast b 50");
        assertThat(objects()).allSatisfy(object -> {
            assertThat(object.metadata().name()).startsWith("csisc-");
            assertThat(object.metadata().labels())
                    .containsEntry("csi.storage.k8s.io/drivername", DRIVER)
                    .containsEntry("csi.storage.k8s.io/managed-by", "volume4j");
        });
    }

    /** The label with the plugin's name would not be valid, and no CSIDriver object can tell schedulers to look for it. */
    @Test
    void publishesNothingOfAPluginWhoseNameIsNoNameOfADriver() {
        Pools other = new Pools("example.com/pool");
        bench.plugins.add(other);
        bench.given(Classes.storageClass(
                "slow", other.name(), ReclaimPolicy.DELETE, VolumeBindingMode.WAIT_FOR_FIRST_CONSUMER));
        bench.start();
        pass(Duration.ofSeconds(10));

        assertThat(published()).containsExactlyInAnyOrder("fast a 100", "fast b 50");
        assertThat(bench.writes()).as("and nothing is tried in vain").hasSize(2);
        assertThat(other.asked).isZero();
    }

    @Test
    void asksAgainEveryMinuteAndWritesWhatChangedOnly() {
        bench.start();
        pass(Duration.ofSeconds(10));
        int writes = bench.writes().size();
        pass(Duration.ofMinutes(3));
        assertThat(bench.writes()).as("nothing changed").hasSize(writes);
        assertThat(pools.asked).as("each of two, once and three times more").isBetween(6, 10);

        pools.left.put("b", 7L);
        pass(Duration.ofMinutes(1));

        assertThat(published()).containsExactlyInAnyOrder("fast a 100", "fast b 7");
        assertThat(bench.writes()).hasSize(writes + 1);
    }

    @Test
    void asksSoonerWhenAVolumeOfTheClassCame() {
        bench.start();
        pass(Duration.ofSeconds(10));
        pools.left.put("a", 90L);
        pools.left.put("b", 1L);

        bench.given(volume("v").ofClass("fast").onlyWhere(ZONE, "a").made());
        pass(Duration.ofSeconds(10));

        assertThat(published()).as("the volume is in zone a").containsExactlyInAnyOrder("fast a 90", "fast b 50");
    }

    @Test
    void keepsTheOldWordWhileThePluginDoesNotAnswer() {
        bench.start();
        pass(Duration.ofSeconds(10));
        pools.failing = true;
        pools.left.put("a", 1L);
        pass(Duration.ofMinutes(5));
        assertThat(published()).containsExactlyInAnyOrder("fast a 100", "fast b 50");

        pools.failing = false;
        pass(Duration.ofMinutes(15));

        assertThat(published()).containsExactlyInAnyOrder("fast a 1", "fast b 50");
    }

    @Test
    void tellsOfNewSegmentsAndClassesAndNoMoreOfOldOnes() {
        bench.start();
        pass(Duration.ofSeconds(10));
        pools.left.put("c", 5L);
        bench.given(Nodes.node("n4", Map.of(ZONE, "c")), csiNode("n4"), waiting("slow"));
        bench.cluster.remove(ObjectKey.node("n3"));
        pass(Duration.ofSeconds(10));
        assertThat(published()).containsExactlyInAnyOrder("fast a 100", "fast c 5", "slow a 100", "slow c 5");

        bench.cluster.remove(ObjectKey.storageClass("fast"));
        pass(Duration.ofSeconds(10));

        assertThat(published()).containsExactlyInAnyOrder("slow a 100", "slow c 5");
    }

    @Test
    void neverPublishesTwiceAndLeavesOthersAlone() {
        CsiStorageCapacity foreign = new CsiStorageCapacity(
                ObjectMeta.named("default", "csisc-foreign"),
                new LabelSelector(Map.of(), List.of()),
                "fast",
                Quantity.ofBytes(1),
                null,
                Unmodeled.none());
        bench.given(foreign, ofGoneClass("csisc-old", DRIVER)).start();
        pass(Duration.ofSeconds(10));
        bench.kill();
        int writes = bench.writes().size();
        bench.start();
        pass(Duration.ofMinutes(2));

        assertThat(bench.writes()).as("a start writes nothing").hasSize(writes);

        assertThat(objects())
                .hasSize(3)
                .anyMatch(object -> object.metadata().name().equals("csisc-foreign"));
        assertThat(published()).contains("fast a 100", "fast b 50");
    }

    @Test
    void aProvisionerOfOnePluginLeavesTheObjectsOfOtherPluginsToTheirProvisioners() {
        bench.features(ControllerFeatures.ofProvisioner(DRIVER).with(ControllerFeature.CAPACITY));
        bench.given(ofGoneClass("csisc-old", DRIVER), ofGoneClass("csisc-other", "other.example.com"))
                .start();
        pass(Duration.ofMinutes(2));

        assertThat(published()).containsExactlyInAnyOrder("fast a 100", "fast b 50", "gone  1");
        assertThat(objects())
                .filteredOn(object -> object.storageClassName().equals("gone"))
                .singleElement()
                .satisfies(object -> assertThat(object.metadata().name()).isEqualTo("csisc-other"));
    }

    @Test
    void keepsWhatAnEarlierProcessPublishedUntilThePluginIsThere() {
        bench.start();
        pass(Duration.ofSeconds(10));
        bench.kill();
        bench.plugins.remove(DRIVER);

        bench.start();
        pass(Duration.ofMinutes(5));
        assertThat(published())
                .as("the driver has not registered yet")
                .containsExactlyInAnyOrder("fast a 100", "fast b 50");

        pools.left.put("a", 90L);
        bench.cluster.remove(ObjectKey.node("n3"));
        bench.plugins.add(pools);
        pass(Duration.ofSeconds(10));
        assertThat(published()).containsExactly("fast a 90");

        bench.plugins.remove(DRIVER);
        pass(Duration.ofSeconds(10));
        assertThat(published()).as("it was here and went").isEmpty();
    }

    @Test
    void tellsOneFigureForADriverWithoutTopology() {
        bench.given(new CsiNode(
                ObjectMeta.named("", "n1").withUid("uid-csi-n1"), new CsiNode.Spec(List.of()), Unmodeled.none()));
        bench.cluster.remove(new ObjectKey(Kind.CSI_NODE, "", "n2"));
        bench.cluster.remove(new ObjectKey(Kind.CSI_NODE, "", "n3"));
        pools.left.put("", 9L);
        bench.start();
        pass(Duration.ofSeconds(10));

        assertThat(published()).containsExactly("fast  9");
    }

    private void pass(Duration time) {
        bench.loop.advance(time);
    }

    private List<CsiStorageCapacity> objects() {
        List<CsiStorageCapacity> all = new ArrayList<>();
        for (ApiObject object : bench.cluster.export()) {
            if (object instanceof CsiStorageCapacity capacity) {
                all.add(capacity);
            }
        }
        return all;
    }

    private List<String> published() {
        return objects().stream()
                .map(object -> {
                    LabelSelector nodes = object.nodeTopology();
                    Quantity capacity = object.capacity();
                    return object.storageClassName() + " "
                            + (nodes == null ? "-" : nodes.matchLabels().getOrDefault(ZONE, "")) + " "
                            + (capacity == null ? "-" : capacity.bytes());
                })
                .toList();
    }

    private static CsiStorageCapacity ofGoneClass(String name, String driver) {
        return new CsiStorageCapacity(
                ObjectMeta.named("default", name)
                        .withLabels(Map.of(
                                "csi.storage.k8s.io/drivername", driver, "csi.storage.k8s.io/managed-by", "volume4j")),
                new LabelSelector(Map.of(), List.of()),
                "gone",
                Quantity.ofBytes(1),
                null,
                Unmodeled.none());
    }

    private static StorageClass waiting(String name) {
        return Classes.storageClass(name, DRIVER, ReclaimPolicy.DELETE, VolumeBindingMode.WAIT_FOR_FIRST_CONSUMER);
    }

    private static CsiNode csiNode(String name) {
        return new CsiNode(
                ObjectMeta.named("", name).withUid("uid-csi-" + name),
                new CsiNode.Spec(List.of(new CsiNode.Driver(DRIVER, name, List.of(ZONE), null))),
                Unmodeled.none());
    }

    /** A plugin that only tells what it has left. */
    private static final class Pools implements VolumePlugin {
        final Map<String, Long> left = new HashMap<>();
        boolean failing;
        int asked;
        private final String name;

        Pools(String name) {
            this.name = name;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public boolean supports(VolumeSpec spec) {
            return false;
        }

        @Override
        public String volumeName(VolumeSpec spec) {
            throw new IllegalStateException("no volume of this plugin is used");
        }

        @Override
        public Optional<CapacityReporter> capacity() {
            return Optional.of((request, context) -> {
                asked++;
                if (failing) {
                    throw VolumeException.transientFailure("the backend does not answer");
                }
                String zone = request.topologySegment().getOrDefault(ZONE, "");
                return new CapacityReporter.Capacity(left.getOrDefault(zone, 0L), 0);
            });
        }
    }
}
