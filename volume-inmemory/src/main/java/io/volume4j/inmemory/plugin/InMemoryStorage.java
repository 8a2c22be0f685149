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
 * A storage backend in memory: volumes, what is attached where, and who holds what. All plugins of one driver, on all nodes
 * and controllers, share one; it outlives them. It records every call in order, makes calls fail as its script wants,
 * and judges: {@link #violations()} must be empty at the end of every test that did not ask for one. Thread-safe.
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

    /** The faults to come. */
    public FaultScript faults() {
        return faults;
    }

    /**
     * The gate that holds hanging calls.
     *
     * @throws IllegalStateException if the builder was given another kind of gate
     */
    public BlockingGate blockingGate() {
        if (gate instanceof BlockingGate blocking) {
            return blocking;
        }
        throw new IllegalStateException("this storage was built with a gate of its own");
    }

    /** Puts a volume there without provisioning. */
    public void add(String handle, long bytes) {
        model.provision(handle, bytes, 0, Map.of(), null);
    }

    /** The same for one in the part of the storage that this node reaches. */
    public void addNear(String node, String handle, long bytes) {
        model.provision(handle, bytes, 0, Map.of(), node);
    }

    /** Makes the volume larger as if another client had asked for it: not recorded as a call. */
    public void grow(String handle, long bytes) {
        model.expand("another client's expand " + handle, handle, bytes);
    }

    /** The volume as it is now. */
    public Optional<BackingVolume> volume(String handle) {
        return model.volume(handle);
    }

    /** All volumes as they are now, sorted by handle. */
    public List<BackingVolume> volumes() {
        return model.volumes();
    }

    /** Says from now on that the volume is so, see {@link io.volume4j.spi.plugin.HealthReporter}; without it a volume that exists is well. */
    public void health(String handle, Health health) {
        healths.put(handle, health);
    }

    /** What was said with {@link #health(String, Health)}, by handle. */
    Map<String, Health> healths() {
        return Map.copyOf(healths);
    }

    /** Attaches as if another client had asked for it: not recorded as a call, judged as one. */
    public void attachBehindOurBack(String handle, String node) {
        model.attach("another client's attach " + handle + " " + node, handle, 0, node, new Access(true, false), false);
    }

    /** Detaches as if another client had asked for it: not recorded as a call, judged as one. */
    public void detachBehindOurBack(String handle, String node) {
        model.detach("another client's detach " + handle + " " + node, handle, node);
    }

    /** The node lost its mounts and devices; attachments stay. */
    public void nodeRebooted(String node) {
        model.forgetMounts(node);
    }

    /** The node is proved to be cut off: what it holds no longer stands against others. */
    public void fence(String node) {
        model.fence(node, true);
    }

    /** The node is back. */
    public void unfence(String node) {
        model.fence(node, false);
    }

    /** Whether {@link #violations()} is not empty. */
    public boolean violated() {
        return model.violated();
    }

    /** Everything that was done and may never be, in order. */
    public List<Violation> violations() {
        return model.violations();
    }

    /** The latest calls in the order in which they began. */
    public List<PluginCall> calls() {
        return log.all();
    }

    /** {@link #calls()} as scenario files write them. */
    public List<String> callTexts() {
        return calls().stream().map(PluginCall::text).toList();
    }

    /** Forgets the calls so far. */
    public void clearCalls() {
        log.clear();
    }

    StorageModel model() {
        return model;
    }

    /** The backend's names of the snapshots that it keeps, members of groups among them. */
    public List<String> snapshotHandles() {
        return snapshots.handles();
    }

    /** The backend's names of the groups of snapshots that it keeps. */
    public List<String> groupSnapshotHandles() {
        return snapshots.groupHandles();
    }

    /** The backend's names of the snapshots of a group, by the volume that each was cut of; empty if there is no such group. */
    public Map<String, String> groupSnapshotMembers(String group) {
        return snapshots.members(group);
    }

    /** Whether the backend would say of the snapshot that volumes can be made from it. */
    public boolean snapshotReady(String handle) {
        return snapshots.ready(handle);
    }

    /** Another client has the backend create a group snapshot. */
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

    /** How often snapshots that are cut from now on are told to be unfinished, the first answer included; 0 at first. */
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
            T result = scripted.run(site, context, () -> {
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

    /** Not thread-safe. */
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

        /** Size of the pool; default 0, no limit. */
        public Builder capacityBytes(long bytes) {
            capacityBytes = bytes;
            return this;
        }

        /** Attachments that a node can have; default 0, no limit. */
        public Builder maxVolumesPerNode(long volumes) {
            maxVolumesPerNode = volumes;
            return this;
        }

        /** The size that a volume can have; more is refused as infeasible. Default 0, no limit. */
        public Builder maxVolumeBytes(long bytes) {
            maxVolumeBytes = bytes;
            return this;
        }

        /** Refuses handles that were neither provisioned nor added; by default they are created when first used. */
        public Builder onlyKnownHandles() {
            onlyKnownHandles = true;
            return this;
        }

        /**
         * Refuses to attach a volume for one node to a second one, as a dangling attachment; by default that is done and
         * recorded as a violation.
         */
        public Builder refusesSecondNode() {
            refusesSecondNode = true;
            return this;
        }

        /** Splits the storage: a volume is reached only by nodes with the same value; default one storage for all. */
        public Builder topology(String key, Map<String, String> valueByNode) {
            topologyKey = key;
            segmentOfNode = new TreeMap<>(valueByNode);
            return this;
        }

        /** How many of the latest calls are kept; default 100,000; 0 keeps none. */
        public Builder rememberedCalls(int calls) {
            rememberedCalls = calls;
            return this;
        }

        /** For delays, late effects and snapshot times; default one of its own. */
        public Builder clock(ManualClock newClock) {
            clock = newClock;
            return this;
        }

        /** Where calls wait; default a {@link BlockingGate} on the clock. */
        public Builder gate(CallGate newGate) {
            gate = newGate;
            return this;
        }

        /** Called for every call; default none. */
        public Builder listener(StorageListener newListener) {
            listener = newListener;
            return this;
        }

        public InMemoryStorage build() {
            return new InMemoryStorage(this);
        }
    }
}
