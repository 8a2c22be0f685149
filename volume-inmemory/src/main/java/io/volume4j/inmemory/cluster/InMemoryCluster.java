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
 * A cluster's store in memory. Revisions are one growing number for all objects; UIDs and times are injected, so the same
 * requests give the same objects. Thread-safe: requests from several threads are done one after another.
 *
 * <p>The library's side is {@link ClusterSource} and {@link ClusterWriter}; {@link #apply}, {@link #remove} and the faults
 * are the test's. A watch's listener runs by the executor, one event at a time; with the default, which runs at once, a
 * listener that writes hears of its write after it has returned.
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

    /** With a clock of its own that does not move. */
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
     * <p>As an API server does it, the status is not taken from the caller; {@link #apply} takes it.
     *
     * @throws ClusterException invalid, if the object has a revision already, no proper name, or no namespace where one is
     *     needed
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
     * @throws ClusterException also invalid, if the patch mixes status and other fields, touches what is the store's own,
     *     or leaves an object that cannot be read
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
     * Creates the object or replaces it, status included where the given one has one. Nothing is checked but that it can be
     * stored; a missing namespace becomes {@code default}. UID and revision of a stored object stay, a new one keeps the UID
     * that it brings. Faults and the journal do not see it.
     */
    public ApiObject apply(ApiObject object) {
        return store.apply(object);
    }

    /** Asks for deletion as {@link #delete} does; not there is success. Faults and the journal do not see it. */
    public void remove(ObjectKey key) {
        if (store.get(key).isPresent()) {
            store.delete(key, Preconditions.none());
        }
    }

    /** The object as it is stored; faults do not see it. */
    public Optional<ApiObject> get(ObjectKey key) {
        return store.get(key);
    }

    /** All objects of the kind as they are stored, sorted by key; faults do not see it. */
    public List<ApiObject> all(Kind kind) {
        return store.all(kind);
    }

    /** All objects as they are stored, sorted by key. */
    public SortedMap<ObjectKey, ApiObject> snapshot() {
        return store.snapshot();
    }

    /** All objects as they are stored, sorted by key, for a file of manifests. */
    public List<ApiObject> export() {
        return List.copyOf(snapshot().values());
    }

    /** The revision of the latest change. */
    public String revision() {
        return store.revision();
    }

    /** Adds a fault to come. */
    public void fail(ClusterFault fault) {
        faults.add(fault);
    }

    /** Forgets the faults to come. */
    public void heal() {
        faults.heal();
    }

    /** Every write that was asked for, the latest only if there were very many, in order. */
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

    /** Whether watches to come start held, so that a test lets every event through itself. Default false. */
    public void holdNewWatches(boolean hold) {
        watches.holdNew(hold);
    }

    /**
     * Answers lists to come with what was true that many changes ago, as a cache in front of the store may do; as far as the
     * history goes. Default 0. {@link #readLive} and watches are not concerned.
     */
    public void listBehind(int changes) {
        listingsBehind = changes;
    }

    /** Forgets what changed so far: a watch that wants to go on from an earlier revision is expired. */
    public void compact() {
        watches.forgetHistory();
    }

    /** Tells all watches that nothing happened up to now. */
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

    /** Not thread-safe. */
    public static final class Builder {
        private ManualClock clock = new ManualClock();
        private Supplier<String> uids = new NumberedUids();
        private Executor executor = Runnable::run;
        private int history = 10_000;
        private int rememberedWrites = 100_000;
        private long revision;

        private Builder() {}

        /** For timestamps and delayed watches; default one of its own. */
        public Builder clock(ManualClock newClock) {
            clock = newClock;
            return this;
        }

        /** Where UIDs come from, called once for each new object; default UUIDs that count from 1. */
        public Builder uids(Supplier<String> generator) {
            uids = generator;
            return this;
        }

        /** Runs watch listeners; default at once, on the thread of the writer. */
        public Builder executor(Executor newExecutor) {
            executor = newExecutor;
            return this;
        }

        /** How many changes a watch can be behind when it starts; default 10,000. */
        public Builder history(int changes) {
            history = changes;
            return this;
        }

        /** How many of the latest writes are kept; default 100,000. */
        public Builder rememberedWrites(int writes) {
            rememberedWrites = writes;
            return this;
        }

        /** Counts revisions on from there, as a store does that was there before; default 0. */
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
