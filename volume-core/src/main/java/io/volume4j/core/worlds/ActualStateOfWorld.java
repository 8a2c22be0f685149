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
 * The volumes that are, or may be, attached and mounted on a node. Only outcomes of operations and the reconstruction
 * at the start change it. Each query fails while the state is unknown: before the manager's start has returned, and
 * after a start that failed. Thread-safe.
 *
 * @since 0.1.0
 */
public interface ActualStateOfWorld {
    /** The current state. Takes time in proportion to the number of all volumes. */
    CompletableFuture<Reading> read();

    /** Whether the volume is certainly attached. */
    CompletableFuture<Boolean> isAttached(VolumeId volume);

    /** Whether the volume is certainly mounted for the pod. */
    CompletableFuture<Boolean> isMounted(VolumeId volume, String podUid);

    /** Completes when certainly no volume is attached or mounted. */
    CompletableFuture<Boolean> whenEmpty();

    /**
     * Registers a listener for each step that begins or ends, until the caller closes the returned subscription. The
     * manager calls the listener on the event loop; it must not block. The manager logs what the listener throws.
     */
    AutoCloseable listen(Consumer<VolumeTransition> listener);

    /**
     * The state at one moment. Immutable. It does not contain volumes that are certainly not on the node.
     *
     * @param revision two readings have the same revision only if they are equal. A later reading never has a smaller
     *     revision
     * @param volumes in the order of their ids, with the paths of their devices
     */
    record Reading(long revision, List<NodeSnapshot.Actual> volumes) {
        public Reading {
            volumes = Collections.unmodifiableList(new ArrayList<>(volumes));
        }

        public Optional<NodeSnapshot.Actual> volume(VolumeId id) {
            return volumes.stream().filter(volume -> volume.volume().equals(id)).findFirst();
        }

        /** The volumes that are certainly attached. */
        public List<NodeSnapshot.Actual> attached() {
            return those(volume -> volume.attach().equals("ATTACHED"));
        }

        /** The volumes whose device mount certainly exists. */
        public List<NodeSnapshot.Actual> deviceMounted() {
            return those(volume -> volume.device().equals("MOUNTED"));
        }

        /** The volumes that are certainly mounted for at least one pod. */
        public List<NodeSnapshot.Actual> mounted() {
            return those(volume -> volume.mounts().stream().anyMatch(Reading::certain));
        }

        /** The volumes with an uncertain attachment or mount, because a call may have taken effect. */
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
