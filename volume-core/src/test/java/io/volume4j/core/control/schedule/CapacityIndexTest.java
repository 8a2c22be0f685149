package io.volume4j.core.control.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.spi.model.CsiStorageCapacity;
import io.volume4j.spi.model.LabelSelector;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.Unmodeled;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whether a volume fits into what a driver published, to the byte. */
class CapacityIndexTest {
    private static final String CLASS = "fast";

    private final NodeTable nodes = new NodeTable();
    private final CapacityIndex index = new CapacityIndex(nodes);
    private final int near = node("near", "a");
    private final int far = node("far", "b");

    /** An empty cell is a number that the driver did not publish. */
    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "all of it fits,                              100,    , 0,  0,  100, true",
        "one byte more does not,                      100,    , 0,  0,  101, false",
        "nothing fits into nothing,                   0,      , 0,  0,  1,   false",
        "what is promised is gone,                    100,    , 40, 0,  60,  true",
        "what is promised is gone to the byte,        100,    , 40, 0,  61,  false",
        "what the same pod takes is gone,             100,    , 0,  30, 70,  true",
        "what the same pod takes is gone to the byte, 100,    , 0,  30, 71,  false",
        "promises and the pod add up,                 100,    , 40, 30, 30,  true",
        "promises and the pod add up to the byte,     100,    , 40, 30, 31,  false",
        "as large as one volume may be,               100,  50, 0,  0,  50,  true",
        "larger than one volume may be,               100,  50, 0,  0,  51,  false",
        "a small volume into what is left,            100,  50, 80, 0,  20,  true",
        "small enough for one volume but not left,    100,  50, 80, 0,  21,  false",
        "only the largest volume is known,               ,  50, 0,  0,  50,  true",
        "only the largest volume is known and smaller,   ,  50, 0,  0,  51,  false",
        "promises do not count where no sum is known,    ,  50, 90, 90, 50,  true",
        "a driver that says nothing promises nothing,    ,    , 0,  0,  1,   false",
        "more was promised than there is by now,      100,    , 120, 0, 1,   false"
    })
    void fits(
            String rule,
            @Nullable Long capacity,
            @Nullable Long largest,
            long promised,
            long besides,
            long bytes,
            boolean fits) {
        CsiStorageCapacity published = published("pool", "a", capacity, largest);
        index.put(null, published);
        index.promise(published.key(), promised);

        assertThat(pool(near).fits(bytes, besides)).as(rule).isEqualTo(fits);
    }

    @ParameterizedTest(name = "{0} of 100 bytes promised")
    @CsvSource({"0, 100", "1, 99", "99, 1", "100, 0", "101, 0"})
    void saysWhatIsFree(long promised, long free) {
        CsiStorageCapacity published = published("pool", "a", 100L, null);
        index.put(null, published);
        index.promise(published.key(), promised);

        assertThat(pool(near).free()).isEqualTo(free);
        assertThat(pool(near).capacity()).isEqualTo(100);
    }

    @Test
    void saysNothingOfWhatIsFreeWhereOnlyTheLargestVolumeIsKnown() {
        index.put(null, published("pool", "a", null, 50L));

        assertThat(pool(near).free()).isNull();
    }

    @ParameterizedTest(name = "{0} bytes")
    @CsvSource({"100, true", "101, false"})
    void findsTheNodesWithRoomToTheByte(long bytes, boolean found) {
        index.put(null, published("pool", "a", 100L, null));

        assertThat(index.room(CLASS, bytes, nodes.present()).get(near)).isEqualTo(found);
        assertThat(index.roomAt(CLASS, near, bytes).isPresent()).isEqualTo(found);
        assertThat(index.room(CLASS, bytes, nodes.present()).get(far)).isFalse();
        assertThat(index.roomAt(CLASS, far, bytes)).isEmpty();
    }

    /** One volume lies in one pool: what is left in two is not added. */
    @Test
    void findsTheFirstPoolThatHasRoomForTheWholeVolume() {
        index.put(null, published("small", "a", 60L, null));
        index.put(null, published("large", "a", 100L, null));

        assertThat(index.roomAt(CLASS, near, 60).orElseThrow().key().name()).isEqualTo("small");
        assertThat(index.roomAt(CLASS, near, 61).orElseThrow().key().name()).isEqualTo("large");
        assertThat(index.roomAt(CLASS, near, 101)).isEmpty();
    }

    @Test
    void findsNothingForAClassOfWhichNothingIsPublished() {
        index.put(null, published("pool", "a", 100L, null));

        assertThat(index.at("slow", near)).isEmpty();
        assertThat(index.room("slow", 1, nodes.present()).isEmpty()).isTrue();
    }

    @Test
    void countsPromisesUntilTheyAreGivenBack() {
        CsiStorageCapacity published = published("pool", "a", 100L, null);
        index.put(null, published);
        index.promise(published.key(), 40);
        index.promise(published.key(), 60);
        assertThat(pool(near).free()).isZero();

        index.promise(published.key(), -60);
        assertThat(pool(near).free()).isEqualTo(60);

        index.promise(published.key(), -40);
        assertThat(pool(near).free()).isEqualTo(100);
    }

    /** The driver publishes what is left anew; volumes that it does not know of yet are still on their way. */
    @Test
    void keepsPromisesWhenThePoolIsPublishedAnew() {
        CsiStorageCapacity first = published("pool", "a", 100L, null);
        index.put(null, first);
        index.promise(first.key(), 40);

        index.put(first, published("pool", "a", 90L, null));
        assertThat(pool(near).free()).isEqualTo(50);

        index.put(published("pool", "a", 90L, null), published("pool", "b", 80L, null));
        assertThat(index.at(CLASS, near)).isEmpty();
        assertThat(pool(far).free()).isEqualTo(40);
    }

    @Test
    void keepsPromisesWhileThePoolIsNotPublished() {
        CsiStorageCapacity pool = published("pool", "a", 100L, null);
        index.put(null, pool);
        index.remove(pool);
        index.promise(pool.key(), 40);
        assertThat(index.at(CLASS, near)).isEmpty();

        index.put(null, pool);
        assertThat(pool(near).free()).isEqualTo(60);
    }

    @Test
    void reachesNoNodeWithoutATopology() {
        index.put(
                null,
                new CsiStorageCapacity(
                        ObjectMeta.named("default", "pool"),
                        null,
                        CLASS,
                        Quantity.ofBytes(100),
                        null,
                        Unmodeled.none()));

        assertThat(index.at(CLASS, near)).isEmpty();
        assertThat(index.at(CLASS, far)).isEmpty();
    }

    @Test
    void addsPromisesOfOneSize() {
        CsiStorageCapacity published = published("pool", "a", 100L, null);
        index.put(null, published);
        index.promise(published.key(), 40);
        index.promise(published.key(), 40);

        assertThat(pool(near).free()).isEqualTo(20);
    }

    @Test
    void movesAPoolThatIsPublishedForAnotherClass() {
        CsiStorageCapacity fast = published("pool", "a", 100L, null);
        index.put(null, fast);
        index.promise(fast.key(), 40);

        index.put(
                fast,
                new CsiStorageCapacity(
                        fast.metadata(), fast.nodeTopology(), "slow", fast.capacity(), null, Unmodeled.none()));

        assertThat(index.at(CLASS, near)).isEmpty();
        assertThat(index.at("slow", near))
                .singleElement()
                .satisfies(pool -> assertThat(pool.free()).isEqualTo(60));
    }

    @Test
    void keepsTheOrderOfPoolsWhenOneIsPublishedAnew() {
        CsiStorageCapacity first = published("first", "a", 100L, null);
        index.put(null, first);
        index.put(null, published("second", "a", 100L, null));

        index.put(first, published("first", "a", 90L, null));

        assertThat(index.at(CLASS, near)).extracting(pool -> pool.key().name()).containsExactly("first", "second");
    }

    @Test
    void forgetsAPoolThatIsGoneAndNoOther() {
        CsiStorageCapacity gone = published("gone", "a", 100L, null);
        index.put(null, gone);
        index.put(null, published("stays", "a", 100L, null));
        assertThat(index.at(CLASS, near)).hasSize(2);

        index.remove(gone);

        assertThat(index.at(CLASS, near)).extracting(pool -> pool.key().name()).containsExactly("stays");
    }

    @Test
    void seesNodesThatComeLater() {
        index.put(null, published("pool", "a", 100L, null));
        assertThat(index.at(CLASS, near)).hasSize(1);

        int late = node("late", "a");
        assertThat(index.at(CLASS, late)).hasSize(1);
    }

    private CapacityIndex.Pool pool(int node) {
        List<CapacityIndex.Pool> pools = index.at(CLASS, node);
        assertThat(pools).hasSize(1);
        return pools.get(0);
    }

    private int node(String name, String zone) {
        nodes.put(name, Map.of("zone", zone));
        return nodes.number(name);
    }

    private static CsiStorageCapacity published(
            String name, String zone, @Nullable Long capacity, @Nullable Long largest) {
        return new CsiStorageCapacity(
                ObjectMeta.named("default", name),
                new LabelSelector(Map.of("zone", zone), List.of()),
                CLASS,
                capacity == null ? null : Quantity.ofBytes(capacity),
                largest == null ? null : Quantity.ofBytes(largest),
                Unmodeled.none());
    }
}
