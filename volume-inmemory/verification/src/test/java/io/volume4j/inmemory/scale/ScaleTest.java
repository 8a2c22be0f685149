package io.volume4j.inmemory.scale;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.inmemory.scale.Growth.Point;
import io.volume4j.inmemory.scale.Growth.Shape;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * What a change costs does not depend on how large the cluster is, but for what is known to: in counts and bytes, never in time. The same
 * worlds in their full size are run by {@code simulator.jar scale}.
 */
class ScaleTest {
    private static final int[] SIZES = {10, 20, 40, 80};
    private static final int FEW = 4;
    private static final int VOLUMES = 3;

    /** What was counted of worlds of growing size. */
    private final Map<Integer, Load> loads = new LinkedHashMap<>();

    private static ScaleSettings nodes(int nodes, int agents) {
        return new ScaleSettings(1, nodes, agents, 1, VOLUMES);
    }

    /** What one of so many things cost, by the size of the world. */
    private Growth growth(Measure measure, int times) {
        List<Point> points = new ArrayList<>();
        loads.forEach((size, load) -> points.add(new Point(size, (double) load.of(measure) / times)));
        return Growth.of(points);
    }

    private void assertLevel(Set<Measure> measures) {
        for (Measure measure : measures) {
            assertThat(growth(measure, 1).shape())
                    .as(
                            "%s: %s",
                            measure.word(),
                            loads.values().stream()
                                    .map(load -> load.of(measure))
                                    .toList())
                    .isEqualTo(Shape.LEVEL);
        }
    }

    private static Set<Measure> counted() {
        Set<Measure> counted = EnumSet.allOf(Measure.class);
        counted.removeIf(measure -> !measure.counted());
        return counted;
    }

    @Test
    void anEventCostsTheSameBesideMoreNodesButForWhatAllNodesHear() {
        List<ScaleDay> days = new ArrayList<>();
        for (int size : SIZES) {
            days.add(ScaleDay.of(nodes(size, size), 1, FEW));
        }

        assertThat(ScaleDay.worse(days)).isEmpty();
        assertThat(ScaleDay.growth(days, Event.TOUCHED, Measure.NODE_EVENTS).slope())
                .as("each node hears of a claim once")
                .isBetween(0.99, 1.01);
        for (ScaleDay day : days) {
            assertThat(day.cost(Event.TOUCHED, Measure.WRITES)).isZero();
            assertThat(day.cost(Event.REPLACED, Measure.NODE_STEPS))
                    .as("mounted on the device and for the pod, and all of it back, and nothing twice")
                    .isBetween(4.0 * VOLUMES, 8.0 * VOLUMES);
        }
    }

    /** So all that could grow is the work of the controllers, down to the bytes that they allocate. */
    @Test
    void controllersDoTheSameBesideMoreNodesWithoutAgents() {
        Map<Integer, Load> touched = new LinkedHashMap<>();
        for (int size : SIZES) {
            try (ScaleWorld world = new ScaleWorld(nodes(size, 2))) {
                world.fill();
                world.happen(Event.TOUCHED, FEW);
                touched.put(size, world.happen(Event.TOUCHED, 10 * FEW));
                loads.put(size, world.happen(Event.REPLACED, FEW));
            }
        }
        Set<Measure> ofControllers = counted();
        // which depend on how many of the pods were on the two nodes
        ofControllers.removeAll(Set.of(Measure.NODE_VISITS, Measure.NODE_STEPS));
        // before storage is deleted, all attachments and nodes are listed
        Set<Measure> withoutListings = EnumSet.copyOf(ofControllers);
        withoutListings.removeAll(Set.of(Measure.LISTED, Measure.ALLOCATED));
        assertLevel(withoutListings);
        loads.clear();
        loads.putAll(touched);
        assertLevel(ofControllers);
    }

    @Test
    void oneClaimCostsTheSameHoweverManyVolumesItsPodHas() {
        for (int volumes : new int[] {20, 40, 80, 160}) {
            try (ScaleWorld world = new ScaleWorld(new ScaleSettings(1, 2, 2, 1, volumes))) {
                world.fill();
                // the first ones load classes
                world.happen(Event.TOUCHED, FEW);
                loads.put(volumes, world.happen(Event.TOUCHED, 100));
            }
        }
        assertLevel(counted());
    }

    /** Each volume that is attached changes the node's object: that must not cost a visit of every other volume there. */
    @Test
    void aPodThatIsReplacedCostsItsNodeTheSameBesideMorePods() {
        for (int pods : SIZES) {
            try (ScaleWorld world = new ScaleWorld(new ScaleSettings(1, 2, 2, pods, 2))) {
                world.fill();
                loads.put(pods, world.happen(Event.REPLACED, FEW));
            }
        }
        assertLevel(EnumSet.of(Measure.NODE_VISITS, Measure.NODE_STEPS));
    }

    @Test
    void allPodsEventsAtOnceCostAsMuchForEachPodAsFew() {
        for (int size : SIZES) {
            try (ScaleWorld world = new ScaleWorld(nodes(size, size))) {
                world.fill();
                world.touchAllPods();
                loads.put(size, world.touchAllPods());
            }
        }
        for (Measure measure : counted()) {
            assertThat(growth(measure, 1).shape().atMost(Shape.LINEAR))
                    .as(
                            "%s: %s",
                            measure.word(),
                            loads.values().stream()
                                    .map(load -> load.of(measure))
                                    .toList())
                    .isTrue();
        }
        assertThat(growth(Measure.CONTROLLER_EVENTS, 1).slope())
                .as("both controllers hear of each pod")
                .isBetween(1.0, 2.01);
    }

    @Test
    void atRestNothingIsDone() {
        for (int size : SIZES) {
            try (ScaleWorld world = new ScaleWorld(nodes(size, size))) {
                world.fill();
                loads.put(size, world.rest(Duration.ofHours(1)));
            }
        }
        for (Load load : loads.values()) {
            for (Measure measure : counted()) {
                if (measure != Measure.ALLOCATED) {
                    assertThat(load.of(measure)).as(measure.word()).isZero();
                }
            }
        }
        assertLevel(EnumSet.of(Measure.ALLOCATED));
    }

    /** Of the library's own classes: what else is alive in this JVM is of no account. */
    @Test
    void memoryGrowsAsTheVolumesDo() {
        List<Point> bytes = new ArrayList<>();
        for (int size : SIZES) {
            LiveHeap before = LiveHeap.now();
            try (ScaleWorld world = new ScaleWorld(nodes(size, 2))) {
                world.fill();
                long library = LiveHeap.now().since(before).ours();
                bytes.add(new Point(
                        world.settings().volumes(),
                        (double) library / world.settings().volumes()));
            }
        }
        assertThat(Growth.of(bytes).shape().atMost(Shape.LEVEL))
                .as("bytes a volume, with its claim, its pod and its attachment: %s", bytes)
                .isTrue();
        assertThat(bytes).allSatisfy(each -> assertThat(each.cost()).isBetween(500d, 20000d));
    }
}
