package io.volume4j.examples.etcd;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KV;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.kv.GetResponse;
import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.CmpTarget;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.DeleteOption;
import io.etcd.jetcd.options.GetOption;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterException.Reason;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.ClusterWriter;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.host.WatchEvent;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A cluster with its objects in etcd. A revision is etcd's modification revision, one growing number for all objects. Thread-safe;
 * calls block.
 *
 * <p>Each write is one transaction that compares the revision that was read. With a leader ({@link Builder#onlyAs}) it also compares
 * the key of the election: a deposed process cannot write, even if it still believes that it leads.
 */
public final class EtcdCluster implements ClusterSource, ClusterWriter {
    /** How often a patch without a revision is tried at most, if other writers are faster. */
    static final int TRIES = 32;

    /** How often a listing is begun at most, if etcd compacts its revision meanwhile. */
    private static final int LISTINGS = 3;

    private final EtcdClient etcd;
    private final InstantSource clock;
    private final Supplier<String> uids;
    private final int pageSize;
    private final @Nullable EtcdElection leader;
    private final Lifetimes lifetimes;

    private EtcdCluster(Builder builder) {
        etcd = builder.etcd;
        clock = builder.clock;
        uids = builder.uids;
        pageSize = builder.pageSize;
        leader = builder.leader;
        lifetimes = new Lifetimes(etcd);
    }

    /** The caller must close the client. */
    public static Builder builder(EtcdClient etcd) {
        return new Builder(etcd);
    }

    /**
     * {@inheritDoc} Reads page by page, all pages at one revision. Reduces the page size if an answer exceeds the client's limit. If
     * etcd compacts the revision before the last page, the listing starts again.
     */
    @Override
    public Listing list(Kind kind, Selection selection) {
        String what = "list " + kind.apiName();
        ByteSequence one = onlyKey(kind, selection);
        ByteSequence from = one == null ? etcd.keys().ofKind(kind) : one;
        ByteSequence end = one == null ? endOf(from) : after(one);
        for (int tries = 1; ; tries++) {
            try {
                return pages(what, from, end, selection);
            } catch (EtcdFailure failed) {
                if (failed.kind() != EtcdFailure.Kind.COMPACTED) {
                    throw failed.refusal();
                }
                if (tries == LISTINGS) {
                    throw new ClusterException(
                            Reason.UNAVAILABLE,
                            what + ": etcd forgot the revision of the listing before its last page was read, " + tries
                                    + " times in turn; compact less often, or give this process a shorter way to etcd");
                }
            }
        }
    }

    private Listing pages(String what, ByteSequence begin, ByteSequence end, Selection selection) {
        List<ApiObject> found = new ArrayList<>();
        ByteSequence from = begin;
        long revision = 0;
        int limit = pageSize;
        boolean more = true;
        while (more) {
            GetOption page = GetOption.builder()
                    .withRange(end)
                    .withLimit(limit)
                    .withRevision(revision)
                    .build();
            GetResponse answer;
            try {
                answer = etcd.answer(what, kv().get(from, page));
            } catch (EtcdFailure large) {
                if (large.kind() != EtcdFailure.Kind.ANSWER_TOO_LARGE || limit == 1) {
                    throw large;
                }
                limit = Math.max(1, limit / 4);
                continue;
            }
            revision = revision == 0 ? answer.getHeader().getRevision() : revision;
            for (KeyValue entry : answer.getKvs()) {
                ApiObject object = read(entry);
                if (EtcdWatch.wanted(object, selection)) {
                    found.add(object);
                }
                from = after(entry.getKey());
            }
            more = answer.isMore();
        }
        return new Listing(found, Long.toString(revision));
    }

    /** The single key of a node that reads its own object only; otherwise null. */
    private @Nullable ByteSequence onlyKey(Kind kind, Selection selection) {
        return kind == Kind.NODE && !selection.nodeName().isEmpty()
                ? etcd.keys().of(ObjectKey.node(selection.nodeName()))
                : null;
    }

    @Override
    public Watch watch(Kind kind, Selection selection, String revision, WatchListener listener) {
        long from;
        try {
            from = Long.parseLong(revision);
        } catch (NumberFormatException foreign) {
            listener.onEvent(WatchEvent.expired());
            return () -> {};
        }
        ByteSequence one = onlyKey(kind, selection);
        return new EtcdWatch(etcd, one == null ? etcd.keys().ofKind(kind) : one, one == null, selection, from, listener)
                .open();
    }

    @Override
    public Optional<ApiObject> readLive(ObjectKey key) {
        return entry("read " + key, key).map(EtcdCluster::read);
    }

    @Override
    public ApiObject create(ApiObject object) {
        String what = "create " + object.key();
        Map<String, @Nullable Object> tree = in(what, () -> StoredObjects.created(object, uids.get(), clock.instant()));
        ByteSequence key = etcd.keys().of(object.key());
        ByteSequence value = StoredObjects.write(tree);
        TxnResponse answer =
                lifetimes.with(object.kind(), options -> commit(what, key, 0, Op.put(key, value, options)));
        if (!answer.isSucceeded()) {
            requireLeading(what, answer);
            throw new ClusterException(Reason.ALREADY_EXISTS, what + ": it is there already");
        }
        return StoredObjects.read(key, value, answer.getHeader().getRevision());
    }

    @Override
    public ApiObject patch(ObjectKey key, Patch patch) {
        String what = "patch " + key;
        return change(what, key, patch.preconditions(), before -> StoredObjects.patched(before, patch));
    }

    @Override
    public void delete(ObjectKey key, Preconditions preconditions) {
        String what = "delete " + key;
        change(
                what,
                key,
                preconditions,
                before -> StoredObjects.deleting(before) ? before : StoredObjects.marked(before, clock.instant()));
    }

    /** Reads, changes and writes, again while other writers are faster. Removes an object with the deletion mark and no finalizers. */
    private ApiObject change(
            String what,
            ObjectKey key,
            Preconditions preconditions,
            Function<Map<String, @Nullable Object>, Map<String, @Nullable Object>> change) {
        ByteSequence at = etcd.keys().of(key);
        Optional<KeyValue> stored = entry(what, key);
        for (int tries = 0; tries < TRIES; tries++) {
            KeyValue entry =
                    stored.orElseThrow(() -> new ClusterException(Reason.NOT_FOUND, what + ": there is no " + key));
            long revision = entry.getModRevision();
            Map<String, @Nullable Object> before = StoredObjects.tree(at, entry.getValue());
            Map<String, @Nullable Object> after = in(what, () -> {
                StoredObjects.requireHeld(preconditions, before, revision);
                return change.apply(before);
            });
            boolean goes = StoredObjects.deleting(after) && !StoredObjects.hasFinalizers(after);
            if (after.equals(before) && !goes) {
                return StoredObjects.read(at, entry.getValue(), revision);
            }
            ByteSequence value = StoredObjects.write(after);
            TxnResponse answer = goes
                    ? commit(what, at, revision, Op.delete(at, DeleteOption.DEFAULT))
                    : lifetimes.with(key.kind(), options -> commit(what, at, revision, Op.put(at, value, options)));
            if (answer.isSucceeded()) {
                return StoredObjects.read(at, value, answer.getHeader().getRevision());
            }
            requireLeading(what, answer);
            stored = answer.getGetResponses().get(0).getKvs().stream().findFirst();
        }
        throw new ClusterException(
                Reason.CONFLICT, what + ": other writers changed the object " + TRIES + " times meanwhile");
    }

    /** Writes if the key still has the revision (0: the key does not exist) and this process still leads. */
    private TxnResponse commit(String what, ByteSequence key, long revision, Op write) {
        List<Cmp> conditions = new ArrayList<>();
        List<Op> otherwise = new ArrayList<>();
        conditions.add(new Cmp(key, Cmp.Op.EQUAL, CmpTarget.modRevision(revision)));
        otherwise.add(Op.get(key, GetOption.DEFAULT));
        if (leader != null) {
            EtcdElection.Candidate own = leader.leading()
                    .orElseThrow(() -> new ClusterException(
                            Reason.FORBIDDEN, what + ": this process does not lead; the leader does it"));
            conditions.add(new Cmp(own.key(), Cmp.Op.EQUAL, CmpTarget.createRevision(own.revision())));
            otherwise.add(Op.get(own.key(), GetOption.DEFAULT));
        }
        return etcd.await(
                what,
                kv().txn()
                        .If(conditions.toArray(Cmp[]::new))
                        .Then(write)
                        .Else(otherwise.toArray(Op[]::new))
                        .commit());
    }

    /** Throws if etcd refused a transaction because another process leads. */
    private static void requireLeading(String what, TxnResponse refused) {
        List<GetResponse> answers = refused.getGetResponses();
        if (answers.size() > 1 && answers.get(1).getKvs().isEmpty()) {
            throw new ClusterException(
                    Reason.FORBIDDEN, what + ": this process was deposed, its lease ended; another leader goes on");
        }
    }

    private Optional<KeyValue> entry(String what, ObjectKey key) {
        ByteSequence at = etcd.keys().of(key);
        return etcd.await(what, kv().get(at)).getKvs().stream().findFirst();
    }

    private static ApiObject read(KeyValue entry) {
        return StoredObjects.read(entry.getKey(), entry.getValue(), entry.getModRevision());
    }

    private static <T> T in(String what, Supplier<T> rules) {
        try {
            return rules.get();
        } catch (ClusterException refused) {
            throw new ClusterException(refused.reason(), what + ": " + refused.getMessage());
        }
    }

    private KV kv() {
        return etcd.client().getKVClient();
    }

    /** The first key after all keys with the prefix, which ends with a slash. */
    private static ByteSequence endOf(ByteSequence prefix) {
        byte[] end = prefix.getBytes();
        end[end.length - 1]++;
        return ByteSequence.from(end);
    }

    private static ByteSequence after(ByteSequence key) {
        return ByteSequence.from(java.util.Arrays.copyOf(key.getBytes(), key.getBytes().length + 1));
    }

    /** Not thread-safe. */
    public static final class Builder {
        private final EtcdClient etcd;
        private InstantSource clock = InstantSource.system();
        private Supplier<String> uids = () -> UUID.randomUUID().toString();
        private int pageSize = 10_000;
        private @Nullable EtcdElection leader;

        private Builder(EtcdClient etcd) {
            this.etcd = etcd;
        }

        /** The clock for timestamps; default the system's. */
        public Builder clock(InstantSource newClock) {
            clock = newClock;
            return this;
        }

        /** Generates UIDs; default random UUIDs. Called once for each attempt to create an object. */
        public Builder uids(Supplier<String> generator) {
            uids = generator;
            return this;
        }

        /**
         * How many objects a list call reads at once; default 10,000. etcd counts all keys of the kind for each page, so small
         * pages of many objects are slow.
         */
        public Builder pageSize(int objects) {
            if (objects < 1) {
                throw new IllegalArgumentException("a page has one object at least, not " + objects);
            }
            pageSize = objects;
            return this;
        }

        /** Writes only while the process leads in this election; etcd itself checks that. Default: writes always. */
        public Builder onlyAs(EtcdElection election) {
            leader = election;
            return this;
        }

        public EtcdCluster build() {
            return new EtcdCluster(this);
        }
    }
}
