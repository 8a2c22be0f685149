package io.volume4j.inmemory.chaos;

import io.volume4j.core.volumes.NodeFit;
import io.volume4j.core.volumes.VolumeReservation;
import io.volume4j.inmemory.chaos.HostScheduler.Placer;
import io.volume4j.spi.host.WatchEvent;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.CsiStorageCapacity;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.VolumeAttachment;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Deliberate bugs of the volume binder, which random worlds must detect. */
final class PlacingMutants {
    /** A bug. */
    record Mutant(String name, UnaryOperator<Changed> change) {
        @Override
        public String toString() {
            return name;
        }
    }

    private PlacingMutants() {}

    /** All of them, in a fixed order. */
    static List<Mutant> all() {
        return List.of(
                new Mutant("counts nothing that a node has", Changed::blind),
                new Mutant(
                        "does not hear how many volumes a node can have",
                        with -> with.deaf(event ->
                                event.object() != null && event.requireObject().kind() == Kind.CSI_NODE)),
                new Mutant(
                        "does not hear that something is gone",
                        with -> with.deaf(event -> event.type() == WatchEvent.Type.DELETED)),
                new Mutant("takes every volume for one that all nodes reach", Changed::everywhere),
                new Mutant("takes what a driver can still provision for one byte less", with -> with.unlike(-1)),
                new Mutant("takes what a driver can still provision for one byte more", with -> with.unlike(1)),
                new Mutant("promises and remembers nothing", Changed::forgetful),
                new Mutant("takes nothing back", Changed::keeping),
                new Mutant("says that all is bound when it is only written", Changed::hasty));
    }

    /**
     * The first seed whose world breaks a rule with the bug.
     *
     * @return -1 if none of this many does
     */
    static long search(Mutant mutant, long schedules) {
        PlacingSchedules changed =
                PlacingSchedules.changed(placer -> mutant.change().apply(new Changed(placer)));
        for (long seed = 0; seed < schedules; seed++) {
            if (!changed.run(seed).passed()) {
                return seed;
            }
        }
        return -1;
    }

    /** The library with a bug between it and the scheduler. */
    static final class Changed implements Placer {
        private final Placer placer;
        private final Predicate<WatchEvent> unheard;
        private final boolean blind;
        private final boolean everywhere;
        private final boolean forgets;
        private final boolean keeps;
        private final boolean hurries;
        private final long bytes;

        Changed(Placer placer) {
            this(placer, event -> false, false, false, false, false, false, 0);
        }

        private Changed(
                Placer placer,
                Predicate<WatchEvent> unheard,
                boolean blind,
                boolean everywhere,
                boolean forgets,
                boolean keeps,
                boolean hurries,
                long bytes) {
            this.placer = placer;
            this.unheard = unheard;
            this.blind = blind;
            this.everywhere = everywhere;
            this.forgets = forgets;
            this.keeps = keeps;
            this.hurries = hurries;
            this.bytes = bytes;
        }

        private Changed deaf(Predicate<WatchEvent> what) {
            return new Changed(placer, what, false, false, false, false, false, 0);
        }

        private Changed unlike(long moreBytes) {
            return new Changed(placer, unheard, false, false, false, false, false, moreBytes);
        }

        private Changed blind() {
            return new Changed(placer, unheard, true, false, false, false, false, 0);
        }

        private Changed everywhere() {
            return new Changed(placer, unheard, false, true, false, false, false, 0);
        }

        private Changed forgetful() {
            return new Changed(placer, unheard, false, false, true, false, false, 0);
        }

        private Changed keeping() {
            return new Changed(placer, unheard, false, false, false, true, false, 0);
        }

        private Changed hasty() {
            return new Changed(placer, unheard, false, false, false, false, true, 0);
        }

        @Override
        public void accept(WatchEvent event) {
            @Nullable ApiObject object = event.object();
            if (blind && object instanceof Pod pod && !pod.spec().nodeName().isEmpty()) {
                placer.accept(WatchEvent.deleted(object, event.revision()));
            } else if (blind && object instanceof VolumeAttachment) {
                return;
            } else if (bytes != 0
                    && event.type() == WatchEvent.Type.CHANGED
                    && object instanceof CsiStorageCapacity pool) {
                placer.accept(WatchEvent.changed(withBytes(pool)));
            } else if (!unheard.test(event)) {
                boolean changed = everywhere && event.type() == WatchEvent.Type.CHANGED;
                placer.accept(
                        changed && object instanceof PersistentVolume volume
                                ? WatchEvent.changed(withoutAffinity(volume))
                                : event);
            }
        }

        private CsiStorageCapacity withBytes(CsiStorageCapacity pool) {
            Quantity capacity = pool.capacity();
            return new CsiStorageCapacity(
                    pool.metadata(),
                    pool.nodeTopology(),
                    pool.storageClassName(),
                    capacity == null ? null : Quantity.ofBytes(capacity.bytes() + bytes),
                    pool.maximumVolumeSize(),
                    pool.unmodeled());
        }

        private static PersistentVolume withoutAffinity(PersistentVolume volume) {
            PersistentVolume.Spec spec = volume.spec();
            return new PersistentVolume(
                    volume.metadata(),
                    new PersistentVolume.Spec(
                            spec.capacity(),
                            spec.accessModes(),
                            spec.reclaimPolicy(),
                            spec.storageClassName(),
                            spec.volumeMode(),
                            spec.claimRef(),
                            spec.mountOptions(),
                            null,
                            spec.volumeAttributesClassName(),
                            spec.source()),
                    volume.status(),
                    volume.unmodeled());
        }

        @Override
        public NodeFit filter(Pod pod, List<String> nodes) {
            return placer.filter(pod, nodes);
        }

        @Override
        public Map<String, Integer> score(Pod pod, List<String> nodes) {
            return placer.score(pod, nodes);
        }

        @Override
        public VolumeReservation reserve(Pod pod, String node) {
            VolumeReservation reservation = placer.reserve(pod, node);
            if (forgets) {
                placer.unreserve(reservation);
            }
            return reservation;
        }

        @Override
        public CompletableFuture<Void> preBind(VolumeReservation reservation) {
            CompletableFuture<Void> bound = placer.preBind(reservation);
            return hurries ? CompletableFuture.completedFuture(null) : bound;
        }

        @Override
        public void unreserve(VolumeReservation reservation) {
            if (!keeps) {
                placer.unreserve(reservation);
            }
        }
    }
}
