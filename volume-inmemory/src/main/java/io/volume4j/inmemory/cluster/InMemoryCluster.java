package io.volume4j.inmemory.cluster;

import io.volume4j.inmemory.host.ManualClock;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterException.Reason;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.ClusterWriter;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An in-memory store of a cluster. The revision is one increasing number for all objects. UIDs and times are
 * injected, so equal requests create equal objects. Thread-safe: the store executes requests of several threads one
 * after another.
 *
 * <p>The library uses {@link ClusterSource} and {@link ClusterWriter}. Tests use {@link #apply}, {@link #remove} and
 * the faults. The executor runs the listener of a watch, one event at a time. The default executor runs it at once; a
 * listener that writes then gets the event of its write after it has returned.
 *
 * @since 0.1.0
 */
public final class InMemoryCluster implements ClusterSource, ClusterWriter {
    private final ObjectStore store;
    private final ClusterFaults faults = new ClusterFaults();
    private final WriteJournal journal;
    private final WatchBoard watches;
    private volatile int listingsBehind;

    private InMemoryCluster(Builder builder) {
        watches = new WatchBoard(builder.clock, builder.executor, builder.history, builder.revision);
        store = new ObjectStore(builder.clock, builder.uids, watches, builder.revision);
        journal = new WriteJournal(builder.rememberedWrites);
    }

    /** A cluster with its own clock, which does not advance. */
    public static InMemoryCluster create() {
        return builder().build();
    }

    public static Builder builder() {
        return new Builder();
    }

    @Override
    public Listing list(Kind kind, Selection selection) {
        return faults.answer(ClusterVerb.LIST, kind, null, () -> store.list(kind, selection, listingsBehind));
    }

    @Override
    public Watch watch(Kind kind, Selection selection, String revision, WatchListener listener) {
        return store.watch(kind, selection, revision, listener);
    }

    @Override
    public Optional<ApiObject> readLive(ObjectKey key) {
        return faults.answer(ClusterVerb.READ, key.kind(), key, () -> store.get(key));
    }

    /**
     * {@inheritDoc}
     *
     * <p>As in an API server, this method ignores the caller's UID, and the status of all kinds but nodes;
     * {@link #apply} stores both.
     *
     * @throws ClusterException invalid, if the object already has a revision, has no valid name, or lacks a required
     *     namespace
     */
    @Override
    public ApiObject create(ApiObject object) {
        return write(ClusterVerb.CREATE, object.key(), null, () -> store.create(object));
    }

    /**
     * {@inheritDoc}
     *
     * <p>A patch that changes nothing keeps the revision and sends no event.
     *
     * @throws ClusterException also invalid, if the patch changes status and other fields together, changes fields that
     *     only the store writes or that Kubernetes' API server fixes at creation, or results in an object that is not
     *     valid
     */
    @Override
    public ApiObject patch(ObjectKey key, Patch patch) {
        ClusterVerb verb = patch.status() ? ClusterVerb.PATCH_STATUS : ClusterVerb.PATCH;
        return write(verb, key, patch, () -> store.patch(key, patch));
    }

    @Override
    public void delete(ObjectKey key, Preconditions preconditions) {
        write(ClusterVerb.DELETE, key, null, () -> store.delete(key, preconditions));
    }

    /**
     * Creates or replaces the object, with its status if it has one. Checks only that the object can be stored. A
     * missing namespace becomes {@code default}. A stored object keeps its UID; a new object keeps the given UID.
     * Faults do not affect this call, and the write journal does not contain it.
     */
    public ApiObject apply(ApiObject object) {
        return store.apply(object);
    }

    /**
     * Requests deletion as {@link #delete} does. Succeeds if the object does not exist. Faults do not affect this
     * call, and the write journal does not contain it.
     */
    public void remove(ObjectKey key) {
        if (store.get(key).isPresent()) {
            store.delete(key, Preconditions.none());
        }
    }

    /** The stored object. Faults do not affect this call. */
    public Optional<ApiObject> get(ObjectKey key) {
        return store.get(key);
    }

    /** All stored objects of the kind, sorted by key. Faults do not affect this call. */
    public List<ApiObject> all(Kind kind) {
        return store.all(kind);
    }

    /** All stored objects, sorted by key. */
    public SortedMap<ObjectKey, ApiObject> snapshot() {
        return store.snapshot();
    }

    /** All stored objects, sorted by key, for a file of manifests. */
    public List<ApiObject> export() {
        return List.copyOf(snapshot().values());
    }

    /** The revision of the latest change. */
    public String revision() {
        return store.revision();
    }

    /** Adds a fault for future requests. */
    public void fail(ClusterFault fault) {
        faults.add(fault);
    }

    /** The faults that never happened, also those that were removed. */
    public List<ClusterFault> unusedFaults() {
        return faults.unused();
    }

    /** Removes all faults. */
    public void heal() {
        faults.heal();
    }

    /** All write requests, in order. Only the latest, if there were very many. */
    public List<ClusterWrite> writes() {
        return journal.all();
    }

    /** Forgets the writes so far. */
    public void clearWrites() {
        journal.clear();
    }

    /** The open watches, in the order in which they were opened. */
    public List<ClusterWatch> watches() {
        return watches.open();
    }

    /** Whether later watches start in the held state, so that a test delivers every event itself. Default false. */
    public void holdNewWatches(boolean hold) {
        watches.holdNew(hold);
    }

    /**
     * Answers later list calls with the state that many changes ago, as a cache before the store may do. Limited by
     * the history. Default 0. Does not affect {@link #readLive} and watches.
     */
    public void listBehind(int changes) {
        listingsBehind = changes;
    }

    /** Removes the history of changes. A watch from an earlier revision then expires. */
    public void compact() {
        watches.forgetHistory();
    }

    /** Sends a bookmark event with the current revision to all watches. */
    public void bookmark() {
        store.bookmark();
    }

    private ApiObject write(ClusterVerb verb, ObjectKey key, @Nullable Patch patch, Supplier<ApiObject> effect) {
        ClusterException.@Nullable Reason refused = null;
        try {
            return faults.answer(verb, key.kind(), key, effect);
        } catch (ClusterException failure) {
            refused = failure.reason();
            throw failure;
        } finally {
            journal.add(verb, key, patch, refused, refused == null ? revision() : "");
        }
    }

    static ClusterException invalid(String message) {
        return new ClusterException(Reason.INVALID, message);
    }

    /** Builds a cluster. Not thread-safe. */
    public static final class Builder {
        private ManualClock clock = new ManualClock();
        private Supplier<String> uids = new NumberedUids();
        private Executor executor = Runnable::run;
        private int history = 10_000;
        private int rememberedWrites = 100_000;
        private long revision;

        private Builder() {}

        /** The clock for timestamps and delayed watches; its own by default. */
        public Builder clock(ManualClock newClock) {
            clock = newClock;
            return this;
        }

        /** Generates UIDs, one call for each new object; by default UUIDs that count from 1. */
        public Builder uids(Supplier<String> generator) {
            uids = generator;
            return this;
        }

        /** Runs the listeners of watches; by default at once, on the thread of the writer. */
        public Builder executor(Executor newExecutor) {
            executor = newExecutor;
            return this;
        }

        /** How many changes the revision of a new watch may be in the past; default 10,000. */
        public Builder history(int changes) {
            history = changes;
            return this;
        }

        /** How many of the latest write requests the cluster keeps; default 100,000. */
        public Builder rememberedWrites(int writes) {
            rememberedWrites = writes;
            return this;
        }

        /** The revision to continue from, as in a store with earlier changes; default 0. */
        public Builder revision(long latest) {
            revision = latest;
            return this;
        }

        public InMemoryCluster build() {
            return new InMemoryCluster(this);
        }
    }

    private static final class NumberedUids implements Supplier<String> {
        private long last;

        @Override
        public String get() {
            last++;
            return new UUID(0, last).toString();
        }
    }
}
