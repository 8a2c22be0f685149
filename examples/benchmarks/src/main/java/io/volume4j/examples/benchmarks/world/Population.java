package io.volume4j.examples.benchmarks.world;

import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumeBindingMode;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.model.VolumePhase;
import io.volume4j.spi.model.WellKnown;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Claims and volumes of ten sizes and five classes, so that every claim has several matching volumes. */
public final class Population {
    private static final int CLASSES = 5;
    private static final int SIZES = 10;
    private static final List<AccessMode> MODES = List.of(AccessMode.READ_WRITE_ONCE);

    private final Consumer<ApiObject> cluster;

    public Population(InMemoryCluster cluster) {
        this(cluster::apply);
    }

    /** @param cluster stores an object with its status */
    public Population(Consumer<ApiObject> cluster) {
        this.cluster = cluster;
    }

    public void classes() {
        for (int i = 0; i < CLASSES; i++) {
            cluster.accept(storageClass("static-" + i, WellKnown.NO_PROVISIONER));
        }
        cluster.accept(storageClass("made", NoStorage.NAME));
    }

    public void volumes(int number) {
        for (int i = 0; i < number; i++) {
            cluster.accept(new PersistentVolume(
                    ObjectMeta.named("", "v-" + i),
                    new PersistentVolume.Spec(
                            size(i),
                            MODES,
                            ReclaimPolicy.RETAIN,
                            className(i),
                            VolumeMode.FILESYSTEM,
                            null,
                            List.of(),
                            null,
                            "",
                            CsiSource.of("static.example.com", "v-" + i, "", Map.of())),
                    new PersistentVolume.Status(VolumePhase.AVAILABLE, "", ""),
                    Unmodeled.none()));
        }
    }

    public void claims(int from, int to) {
        for (int i = from; i < to; i++) {
            store(claim(i));
        }
    }

    /** A claim that matches the volume of that number; any matching claim may get that volume. */
    public PersistentVolumeClaim claim(int number) {
        return claim("c-" + number, className(number), size(number));
    }

    public void provisionedClaims(int number) {
        for (int i = 0; i < number; i++) {
            store(claim("p-" + i, "made", size(i)));
        }
    }

    public void store(PersistentVolumeClaim claim) {
        cluster.accept(claim);
    }

    private static PersistentVolumeClaim claim(String name, String className, @Nullable Quantity size) {
        return new PersistentVolumeClaim(
                ObjectMeta.named("ns", name),
                new PersistentVolumeClaim.Spec(MODES, size, className, VolumeMode.FILESYSTEM, "", null, null, null, ""),
                new PersistentVolumeClaim.Status(ClaimPhase.PENDING, List.of(), null, Map.of(), Map.of(), ""),
                Unmodeled.none());
    }

    private static StorageClass storageClass(String name, String provisioner) {
        return new StorageClass(
                ObjectMeta.named("", name),
                provisioner,
                Map.of(),
                ReclaimPolicy.DELETE,
                List.of(),
                true,
                VolumeBindingMode.IMMEDIATE,
                null,
                Unmodeled.none());
    }

    private static String className(int number) {
        return "static-" + number % CLASSES;
    }

    private static Quantity size(int number) {
        return Quantity.parse((1 + number / CLASSES % SIZES) + "Gi");
    }
}
