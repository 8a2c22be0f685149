package io.volume4j.inmemory.plugin;

import io.volume4j.inmemory.fault.BlockingGate;
import io.volume4j.inmemory.fault.CallGate;
import io.volume4j.inmemory.fault.CallSite;
import io.volume4j.inmemory.fault.FaultScript;
import io.volume4j.inmemory.fault.ScriptedCalls;
import io.volume4j.inmemory.host.ManualClock;
import io.volume4j.inmemory.oracle.Violation;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.plugin.HealthReporter.Health;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An in-memory storage backend with volumes, attachments and mounts. All plugins of one driver, on all nodes and
 * controllers, share one storage, which exists longer than they do. It records every call in order, applies scripted
 * faults and checks the calls. {@link #violations()} must be empty at the end of every test that does not expect one.
 * Thread-safe.
 *
 * @since 0.1.0
 */
public final class InMemoryStorage {
    private final StorageLimits limits;
    private final StorageModel model;
    private final SnapshotShelf snapshots;
    private final FaultScript faults = new FaultScript();
    private final CallGate gate;
    private final ScriptedCalls scripted;
    private final CallLog log;
    private final Map<String, Health> healths = new ConcurrentHashMap<>();
    private final StorageListener listener;

    private InMemoryStorage(Builder builder) {
        limits = new StorageLimits(
                builder.capacityBytes,
                builder.maxVolumesPerNode,
                builder.maxVolumeBytes,
                builder.onlyKnownHandles,
                builder.refusesSecondNode,
                builder.topologyKey,
                builder.segmentOfNode);
        model = new StorageModel(limits);
        snapshots = new SnapshotShelf(builder.clock);
        gate = builder.gate == null ? new BlockingGate(builder.clock) : builder.gate;
        scripted = new ScriptedCalls(faults, gate);
        log = new CallLog(builder.rememberedCalls);
        listener = builder.listener;
    }

    /** A backend without limits. */
    public static InMemoryStorage create() {
        return builder().build();
    }

    public static Builder builder() {
        return new Builder();
    }

    /** The faults for future calls. */
    public FaultScript faults() {
        return faults;
    }

    /**
     * The gate for hanging calls.
     * @throws IllegalStateException if the storage was built with another kind of gate
     */
    public BlockingGate blockingGate() {
        if (gate instanceof BlockingGate blocking) {
            return blocking;
        }
        throw new IllegalStateException("this storage was built with a gate of its own");
    }

    /** Adds a volume without provisioning. */
    public void add(String handle, long bytes) {
        model.provision(
                handle,
                bytes,
                0,
                Map.of(),
                "",
                () -> limits().firstSegment(null).orElse(""));
    }

    /** The same in the topology segment of this node. */
    public void addNear(String node, String handle, long bytes) {
        model.provision(handle, bytes, 0, Map.of(), "", () -> limits().segment(node));
    }

    /** Expands the volume as another client would: the storage records no call. */
    public void grow(String handle, long bytes) {
        model.expand("another client's expand " + handle, handle, bytes);
    }

    /** The current state of the volume. */
    public Optional<BackingVolume> volume(String handle) {
        return model.volume(handle);
    }

    /** The current state of all volumes, sorted by handle. */
    public List<BackingVolume> volumes() {
        return model.volumes();
    }

    /**
     * Sets the health of the volume, see {@link io.volume4j.spi.plugin.HealthReporter}. By default an existing volume
     * is healthy.
     */
    public void health(String handle, Health health) {
        healths.put(handle, health);
    }

    /** What was said with {@link #health(String, Health)}, by handle. */
    Map<String, Health> healths() {
        return Map.copyOf(healths);
    }

    /** Attaches as another client would: the storage checks the call but does not record it. */
    public void attachBehindOurBack(String handle, String node) {
        model.attach("another client's attach " + handle + " " + node, handle, 0, node, new Access(true, false), false);
    }

    /** Detaches as another client would: the storage checks the call but does not record it. */
    public void detachBehindOurBack(String handle, String node) {
        model.detach("another client's detach " + handle + " " + node, handle, node);
    }

    /** Reports that the node lost its mounts and devices. Attachments stay. */
    public void nodeRebooted(String node) {
        model.forgetMounts(node);
    }

    /**
     * Reports that the node is proved to be cut off from the storage: its attachments no longer exclude other nodes.
     */
    public void fence(String node) {
        model.fence(node, true);
    }

    /** Ends {@link #fence} for the node. */
    public void unfence(String node) {
        model.fence(node, false);
    }

    /** Whether {@link #violations()} is not empty. */
    public boolean violated() {
        return model.violated();
    }

    /** All violations, in order. */
    public List<Violation> violations() {
        return model.violations();
    }

    /** The latest calls in the order in which they began. */
    public List<PluginCall> calls() {
        return log.all();
    }

    /** {@link #calls()} in the form of scenario files. */
    public List<String> callTexts() {
        return calls().stream().map(PluginCall::text).toList();
    }

    /** Removes the recorded calls. */
    public void clearCalls() {
        log.clear();
    }

    StorageModel model() {
        return model;
    }

    /** The handles of all snapshots, including members of groups. */
    public List<String> snapshotHandles() {
        return snapshots.handles();
    }

    /** The handles of all group snapshots. */
    public List<String> groupSnapshotHandles() {
        return snapshots.groupHandles();
    }

    /** The handles of a group's snapshots, by their source volume; empty if the group does not exist. */
    public Map<String, String> groupSnapshotMembers(String group) {
        return snapshots.members(group);
    }

    /** Whether the backend would report the snapshot as ready. */
    public boolean snapshotReady(String handle) {
        return snapshots.ready(handle);
    }

    /** Creates a group snapshot as another client would. */
    public void cutGroupBehindOurBack(String group, List<String> volumes) {
        TreeMap<String, Long> bytes = new TreeMap<>();
        volumes.forEach(handle -> volume(handle).ifPresent(volume -> bytes.put(handle, volume.bytes())));
        snapshots.cutGroup(group, () -> bytes);
    }

    /**
     * The volume that is to be cut, for a call whose name nothing has. Where there is none the failure speaks for earlier calls of that
     * name, too: none of them cut anything, and what is still under way finds no volume either.
     */
    BackingVolume toCut(String call, String handle) {
        return volume(handle)
                .orElseThrow(() -> VolumeException.finalFailure(call + ": the backend has no volume " + handle)
                        .provingAbsence());
    }

    /** How many answers report later snapshots as not ready, including the first answer; 0 by default. */
    public void snapshotsUnfinished(int answers) {
        snapshots.looksUntilReady(answers);
    }

    SnapshotShelf snapshots() {
        return snapshots;
    }

    StorageLimits limits() {
        return limits;
    }

    <T> T call(Call call, CallContext context, Supplier<T> effect) {
        CallSite site = call.site();
        PluginCall begun = log.begin(call, context);
        listener.issued(begun);
        if (call.owner().enter(call.scope(), site.subject(), site.node(), call.podUid())) {
            model.violate("S12", site.toString(), "another call for the same thing is under way");
        }
        String outcome = "killed";
        try {
            T result = scripted.run(site.to(call.driver()), context, () -> {
                T done = effect.get();
                listener.effected(begun);
                return done;
            });
            outcome = "ok";
            return result;
        } catch (VolumeException failure) {
            outcome = failure.kind().name().toLowerCase(Locale.ROOT);
            throw failure;
        } catch (RuntimeException failure) {
            outcome = "unclassified";
            throw failure;
        } finally {
            call.owner().leave(call.scope(), site.subject(), site.node(), call.podUid());
            log.end(begun.number(), outcome);
            listener.ended(begun.endedAs(outcome));
        }
    }

    /** A call as a plugin makes it. */
    record Call(CallSite site, String driver, String podUid, Overlaps.Scope scope, Overlaps owner, Object request) {}

    /** Builds a storage. Not thread-safe. */
    public static final class Builder {
        private long capacityBytes;
        private long maxVolumesPerNode;
        private long maxVolumeBytes;
        private boolean onlyKnownHandles;
        private boolean refusesSecondNode;
        private String topologyKey = "";
        private Map<String, String> segmentOfNode = Map.of();
        private int rememberedCalls = 100_000;
        private ManualClock clock = new ManualClock();
        private @Nullable CallGate gate;
        private StorageListener listener = new StorageListener() {};

        private Builder() {}

        /** The size of the pool in bytes; default 0, no limit. */
        public Builder capacityBytes(long bytes) {
            capacityBytes = bytes;
            return this;
        }

        /** The maximum number of attachments of a node; default 0, no limit. */
        public Builder maxVolumesPerNode(long volumes) {
            maxVolumesPerNode = volumes;
            return this;
        }

        /** The maximum size of a volume; the storage refuses more as infeasible. Default 0, no limit. */
        public Builder maxVolumeBytes(long bytes) {
            maxVolumeBytes = bytes;
            return this;
        }

        /** Refuses handles that were neither provisioned nor added. By default their first use creates them. */
        public Builder onlyKnownHandles() {
            onlyKnownHandles = true;
            return this;
        }

        /**
         * Refuses to attach a volume for one node to a second node, as a dangling attachment. By default the storage
         * attaches it and records a violation.
         */
        public Builder refusesSecondNode() {
            refusesSecondNode = true;
            return this;
        }

        /**
         * Splits the storage into segments: only nodes with the same value of this label can access a volume. Default
         * one segment for all nodes. A new volume gets the segment of the selected node, which the
         * {@code allowedTopologies} of its class must allow. Without a selected node it gets the first segment that they
         * allow; then they are compared with this label only.
         */
        public Builder topology(String key, Map<String, String> valueByNode) {
            topologyKey = key;
            segmentOfNode = new TreeMap<>(valueByNode);
            return this;
        }

        /** How many of the latest calls the storage keeps; default 100,000; 0 for none. */
        public Builder rememberedCalls(int calls) {
            rememberedCalls = calls;
            return this;
        }

        /** The clock for delays, late effects and snapshot times; its own by default. */
        public Builder clock(ManualClock newClock) {
            clock = newClock;
            return this;
        }

        /** The gate where calls wait; by default a {@link BlockingGate} with the clock. */
        public Builder gate(CallGate newGate) {
            gate = newGate;
            return this;
        }

        /** Observes every call; default none. */
        public Builder listener(StorageListener newListener) {
            listener = newListener;
            return this;
        }

        public InMemoryStorage build() {
            return new InMemoryStorage(this);
        }
    }
}
