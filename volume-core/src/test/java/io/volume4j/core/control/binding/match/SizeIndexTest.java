package io.volume4j.core.control.binding.match;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.control.binding.match.SizeIndex.Place;
import io.volume4j.core.control.binding.match.SizeIndex.Standing;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.model.VolumePhase;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SizeIndexTest {
    /** Fewer than stand in an array, as many, and so many that a tree takes over. */
    @ParameterizedTest
    @ValueSource(ints = {3, 32, 33, 200})
    void givesTheFirstThatFitsOfThoseThatAreLargeEnough(int most) {
        Random random = new Random(most);
        SizeIndex volumes = new SizeIndex();
        TreeMap<Place, PersistentVolume> plainly = new TreeMap<>();
        for (int turn = 0; turn < 2_000; turn++) {
            PersistentVolume volume = volume("v" + random.nextInt(2 * most), 1 + random.nextInt(5));
            Place place = Place.of(volume);
            if (plainly.size() < most && random.nextInt(3) > 0) {
                volumes.put(new Standing(place, volume));
                plainly.put(place, volume);
            } else {
                assertThat(volumes.remove(place)).isEqualTo(plainly.remove(place) != null);
            }
            assertThat(volumes.size()).isEqualTo(plainly.size());
            long bytes = random.nextInt(7);
            String refused = "v" + random.nextInt(2 * most);
            @Nullable
            Standing found = volumes.first(
                    Place.before(bytes), each -> !each.place().name().equals(refused));
            @Nullable
            PersistentVolume wanted = plainly.entrySet().stream()
                    .filter(entry -> entry.getKey().bytes() >= bytes
                            && !entry.getKey().name().equals(refused))
                    .map(Map.Entry::getValue)
                    .findFirst()
                    .orElse(null);
            assertThat(found == null ? null : found.volume()).isEqualTo(wanted);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 32, 33, 200})
    void aCopyHasTheSameVolumesAndGoesItsOwnWay(int many) {
        SizeIndex volumes = new SizeIndex();
        for (int i = 0; i < many; i++) {
            PersistentVolume volume = volume("v" + i, 1 + i % 5);
            volumes.put(new Standing(Place.of(volume), volume));
        }
        SizeIndex copy = volumes.copy();
        Place gone = Place.of(volume("v0", 1));
        PersistentVolume later = volume("later", 9);

        assertThat(volumes.remove(gone)).isTrue();
        copy.put(new Standing(Place.of(later), later));

        assertThat(volumes.size()).isEqualTo(many - 1);
        assertThat(copy.size()).isEqualTo(many + 1);
        assertThat(volumes.first(Place.before(9), each -> true)).isNull();
        assertThat(copy.first(Place.before(9), each -> true))
                .satisfies(found -> assertThat(found.volume()).isEqualTo(later));
        assertThat(copy.remove(gone)).isTrue();
    }

    private static PersistentVolume volume(String name, long bytes) {
        return new PersistentVolume(
                ObjectMeta.named("", name),
                new PersistentVolume.Spec(
                        Quantity.ofBytes(bytes),
                        List.of(AccessMode.READ_WRITE_ONCE),
                        ReclaimPolicy.RETAIN,
                        "",
                        VolumeMode.FILESYSTEM,
                        null,
                        List.of(),
                        null,
                        "",
                        CsiSource.of("d.example.com", name, "", Map.of())),
                new PersistentVolume.Status(VolumePhase.AVAILABLE, "", ""),
                Unmodeled.none());
    }
}
