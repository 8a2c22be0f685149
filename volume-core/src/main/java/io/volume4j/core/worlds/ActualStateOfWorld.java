package io.volume4j.core.worlds;

import io.volume4j.core.volumes.NodeSnapshot;
import io.volume4j.core.volumes.VolumeTransition;
import io.volume4j.spi.VolumeId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * What is, or may be, attached and mounted on a node. It changes by outcomes of operations and by recovery alone. Thread-safe.
 *
 * @since 0.1.0
 */
public interface ActualStateOfWorld {
    /** What is there now. Costs time in proportion to all volumes. */
    CompletableFuture<Reading> read();

    /** Whether the volume certainly is attached. */
    CompletableFuture<Boolean> isAttached(VolumeId volume);

    /** Whether the volume certainly is mounted for the pod. */
    CompletableFuture<Boolean> isMounted(VolumeId volume, String podUid);

    /** Completes when no volume is, or may be, attached or mounted. */
    CompletableFuture<Boolean> whenEmpty();

    /**
     * Has the listener hear of every step that begins or ends from now on, until the returned subscription is closed. It is
     * called on the event loop and must not block; what it throws is logged.
     */
    AutoCloseable listen(Consumer<VolumeTransition> listener);

    /**
     * What is there at one moment. Immutable. A volume that is certainly gone is not in it.
     *
     * @param revision the same as that of an earlier reading only if both are equal; later readings never have a smaller one
     * @param volumes in the order of their ids, with the paths of their devices
     */
    record Reading(long revision, List<NodeSnapshot.Actual> volumes) {
        public Reading {
            volumes = Collections.unmodifiableList(new ArrayList<>(volumes));
        }

        public Optional<NodeSnapshot.Actual> volume(VolumeId id) {
            return volumes.stream().filter(volume -> volume.volume().equals(id)).findFirst();
        }

        /** Certainly attached. */
        public List<NodeSnapshot.Actual> attached() {
            return those(volume -> volume.attach().equals("ATTACHED"));
        }

        /** Their device is certainly mounted for all pods. */
        public List<NodeSnapshot.Actual> deviceMounted() {
            return those(volume -> volume.device().equals("MOUNTED"));
        }

        /** Certainly mounted for a pod at least. */
        public List<NodeSnapshot.Actual> mounted() {
            return those(volume -> volume.mounts().stream().anyMatch(Reading::certain));
        }

        /** Something about them is not known: a call may have taken effect. */
        public List<NodeSnapshot.Actual> uncertain() {
            return those(volume -> volume.attach().equals("UNCERTAIN")
                    || volume.device().equals("UNCERTAIN")
                    || !volume.mounts().stream().allMatch(Reading::certain));
        }

        private List<NodeSnapshot.Actual> those(Predicate<NodeSnapshot.Actual> which) {
            return volumes.stream().filter(which).toList();
        }

        private static boolean certain(NodeSnapshot.Mount mount) {
            return mount.state().equals("MOUNTED");
        }
    }
}
