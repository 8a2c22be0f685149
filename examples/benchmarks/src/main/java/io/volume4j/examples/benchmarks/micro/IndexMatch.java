package io.volume4j.examples.benchmarks.micro;

import io.volume4j.core.control.binding.match.AvailableVolumes;
import io.volume4j.core.control.binding.match.ClaimNeeds;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.model.VolumePhase;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Finding the smallest volume that fits a claim, among this many of five classes and ten sizes. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class IndexMatch {
    private static final List<AccessMode> MODES = List.of(AccessMode.READ_WRITE_ONCE);

    @Param({"1000", "10000", "100000"})
    int size;

    private final List<ClaimNeeds> claims = new ArrayList<>();
    private AvailableVolumes volumes = new AvailableVolumes();
    private int next;

    @Setup
    public void fill() {
        volumes = new AvailableVolumes();
        for (int i = 0; i < size; i++) {
            volumes.put(volume(i));
        }
        claims.clear();
        for (int i = 0; i < 50; i++) {
            claims.add(ClaimNeeds.of(claim(i), null));
        }
    }

    private static PersistentVolume volume(int number) {
        return new PersistentVolume(
                ObjectMeta.named("", "v-" + number),
                new PersistentVolume.Spec(
                        capacity(number),
                        MODES,
                        ReclaimPolicy.RETAIN,
                        className(number),
                        VolumeMode.FILESYSTEM,
                        null,
                        List.of(),
                        null,
                        "",
                        CsiSource.of("static.example.com", "v-" + number, "", Map.of())),
                new PersistentVolume.Status(VolumePhase.AVAILABLE, "", ""),
                Unmodeled.none());
    }

    private static PersistentVolumeClaim claim(int number) {
        return new PersistentVolumeClaim(
                ObjectMeta.named("default", "c-" + number),
                new PersistentVolumeClaim.Spec(
                        MODES, capacity(number), className(number), VolumeMode.FILESYSTEM, "", null, null, null, ""),
                new PersistentVolumeClaim.Status(ClaimPhase.PENDING, List.of(), null, Map.of(), Map.of(), ""),
                Unmodeled.none());
    }

    private static String className(int number) {
        return "class-" + number % 5;
    }

    private static Quantity capacity(int number) {
        return Quantity.parse((1 + number / 5 % 10) + "Gi");
    }

    @Benchmark
    public Optional<PersistentVolume> match() {
        next = next + 1 == claims.size() ? 0 : next + 1;
        return volumes.best(claims.get(next));
    }
}
