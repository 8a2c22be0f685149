package io.volume4j.examples.etcd;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.Lease;
import io.etcd.jetcd.kv.GetResponse;
import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.CmpTarget;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.DeleteOption;
import io.etcd.jetcd.options.GetOption;
import io.etcd.jetcd.options.PutOption;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterException.Reason;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The heartbeat of a node: a key under a lease of etcd, and a second key with the node's statement ({@link NodeWord}), which stays when
 * the lease ends. A life of the agent begins with {@link #begin}, before the first mount, and ends with {@link #fenced}, after the last
 * unmount.
 *
 * <p>Decision 033 explains which evidence {@link EtcdFencing} derives from it. Calls block. Any thread may call {@link #sureFor}; only
 * one thread may call the other methods.
 */
public final class EtcdNodeLease {
    private final EtcdClient etcd;
    private final String node;
    private final String machine;
    private final Duration ttl;
    private final LongSupplier nanoTime;
    private final boolean replaces;

    private @Nullable NodeWord word;

    private long lease;

    /** When the lease may end, by this node's clock; null while the node has no lease. */
    private volatile @Nullable Long until;

    /**
     * Writes nothing yet.
     *
     * @param machine identifies the machine and the root of its volumes. A later start there takes the lease over; another machine is
     *     refused
     * @param ttl whole seconds, 3 at least
     */
    public EtcdNodeLease(EtcdClient etcd, String node, String machine, Duration ttl) {
        this(etcd, node, machine, ttl, false, System::nanoTime);
    }

    EtcdNodeLease(EtcdClient etcd, String node, String machine, Duration ttl, boolean replaces, LongSupplier nanoTime) {
        EtcdSecrets.requireName(node);
        if (ttl.toSeconds() < 3) {
            throw new IllegalArgumentException("a node's lease lasts 3 s at least, but is " + ttl);
        }
        this.etcd = etcd;
        this.node = node;
        this.machine = machine;
        this.ttl = ttl;
        this.replaces = replaces;
        this.nanoTime = nanoTime;
    }

    /**
     * The same lease for a machine that replaces another one. Call this only after a person confirmed that the machine with the node's
     * name is off or was reset. Then an ended lease of that machine needs no evidence. A lease that still lasts is never taken over.
     */
    public EtcdNodeLease replacingAnotherMachine() {
        return new EtcdNodeLease(etcd, node, machine, ttl, true, nanoTime);
    }

    /**
     * Deletes lease and statement of an earlier life of this machine. An agent that does not fence itself calls this before its first
     * mount.
     *
     * @throws ClusterException if etcd does not answer, or conflict, as {@link #begin}; then the agent must not mount anything
     */
    public void forget() {
        String what = "forget the lease of node " + node;
        Stored before = mayTake(what);
        TxnResponse answer = etcd.await(
                what,
                etcd.client()
                        .getKVClient()
                        .txn()
                        .If(same(leaseKey(), before.lease()), same(wordKey(), before.word()))
                        .Then(Op.delete(leaseKey(), DeleteOption.DEFAULT), Op.delete(wordKey(), DeleteOption.DEFAULT))
                        .commit());
        requireFirst(what, answer);
        word = null;
        until = null;
    }

    /** Whether this process has begun a life. */
    boolean begun() {
        return word != null;
    }

    private ByteSequence leaseKey() {
        return etcd.keys().ofNodeLease(node);
    }

    private ByteSequence wordKey() {
        return etcd.keys().ofNodeWord(node);
    }

    /**
     * Begins a life: from now on the node may have volumes mounted.
     *
     * @param life different for each start
     * @param watchdog whether a watchdog resets the machine before the lease ends
     * @throws ClusterException unavailable, if etcd does not answer; conflict, if another machine has the node's lease, or had it last
     *     without evidence that it gave up its volumes. Then nothing is changed
     */
    public void begin(String life, boolean watchdog) {
        String what = "begin the lease of node " + node;
        until = null;
        Stored before = mayTake(what);
        long asked = nanoTime.getAsLong();
        var granted = etcd.await(what, etcd.client().getLeaseClient().grant(ttl.toSeconds()));
        NodeWord said = new NodeWord(
                life, machine, NodeWord.State.SERVING, watchdog ? NodeWord.Guard.WATCHDOG : NodeWord.Guard.NONE);
        TxnResponse answer = etcd.await(
                what,
                etcd.client()
                        .getKVClient()
                        .txn()
                        .If(same(leaseKey(), before.lease()), same(wordKey(), before.word()))
                        .Then(
                                Op.put(
                                        leaseKey(),
                                        said.write(),
                                        PutOption.builder()
                                                .withLeaseId(granted.getID())
                                                .build()),
                                Op.put(wordKey(), said.write(), PutOption.DEFAULT))
                        .commit());
        requireFirst(what, answer);
        word = said;
        lease = granted.getID();
        until = end(asked, granted.getTTL());
    }

    private static void requireFirst(String what, TxnResponse answer) {
        if (!answer.isSucceeded()) {
            throw new ClusterException(
                    Reason.UNAVAILABLE, what + ": another process wrote at the same moment; it is tried again");
        }
    }

    /** The node's lease and statement in etcd, if this machine may replace them. */
    private Stored mayTake(String what) {
        List<GetResponse> both = etcd.await(
                        what,
                        etcd.client()
                                .getKVClient()
                                .txn()
                                .Then(Op.get(leaseKey(), GetOption.DEFAULT), Op.get(wordKey(), GetOption.DEFAULT))
                                .commit())
                .getGetResponses();
        Stored stored = new Stored(first(both.get(0)), first(both.get(1)));
        stored.lease().ifPresent(entry -> {
            String holder =
                    NodeWord.read(entry.getValue()).map(NodeWord::machine).orElse("unknown");
            if (!holder.equals(machine)) {
                throw new ClusterException(
                        Reason.CONFLICT,
                        what + ": machine " + holder + " has it; stop the agent there, or give this node another name");
            }
        });
        if (stored.lease().isEmpty() && !replaces) {
            stored.word().ifPresent(entry -> requireGivenUp(what, entry));
        }
        return stored;
    }

    /** The machine of an ended lease may still have volumes mounted, and another machine with its name would not know about them. */
    private void requireGivenUp(String what, KeyValue entry) {
        Optional<NodeWord> last = NodeWord.read(entry.getValue());
        boolean ours = last.filter(said -> said.machine().equals(machine)).isPresent();
        boolean gaveUp =
                last.flatMap(said -> EtcdFencing.evidence(node, said, false)).isPresent();
        if (!ours && !gaveUp) {
            throw new ClusterException(
                    Reason.CONFLICT,
                    what + ": machine " + last.map(NodeWord::machine).orElse("unknown")
                            + " had it last, and nothing proves that it gave up its volumes; give this node another name,"
                            + " or say that this machine replaces that one once that one is off");
        }
    }

    private static Optional<KeyValue> first(GetResponse answer) {
        return answer.getKvs().stream().findFirst();
    }

    /** The node's lease and statement in etcd, at one revision. */
    private record Stored(Optional<KeyValue> lease, Optional<KeyValue> word) {}

    /** The condition that the key has not changed since it was read. */
    private static Cmp same(ByteSequence key, Optional<KeyValue> was) {
        return new Cmp(
                key,
                Cmp.Op.EQUAL,
                CmpTarget.modRevision(was.map(KeyValue::getModRevision).orElse(0L)));
    }

    /**
     * Renews the lease. False if it has ended in etcd, or if another start or another machine has taken the name.
     *
     * @throws ClusterException if no member answers in a tenth of the lease's time
     */
    public boolean renew() {
        Lease leases = etcd.client().getLeaseClient();
        Duration patience = Duration.ofMillis(Math.max(1000, ttl.toMillis() / 10));
        long asked = nanoTime.getAsLong();
        long left;
        try {
            left = etcd.await("renew the lease of node " + node, leases.keepAliveOnce(lease), patience)
                    .getTTL();
        } catch (ClusterException failed) {
            if (!String.valueOf(failed.getMessage()).contains("lease not found")) {
                throw failed;
            }
            left = 0;
        }
        if (left <= 0 || !ours(patience)) {
            until = null;
            return false;
        }
        until = end(asked, left);
        return true;
    }

    private boolean ours(Duration patience) {
        return first(etcd.await(
                        "look whose the lease of node " + node + " is",
                        etcd.client().getKVClient().get(leaseKey()),
                        patience))
                .filter(entry -> entry.getLease() == lease)
                .isPresent();
    }

    /** A tenth less than etcd's, because two clocks may run at different speeds. */
    private static long end(long asked, long seconds) {
        return asked + TimeUnit.SECONDS.toNanos(seconds) / 10 * 9;
    }

    Duration ttl() {
        return ttl;
    }

    /** How long the lease certainly still lasts; zero or less if it may have ended. */
    public Duration sureFor() {
        Long end = until;
        return end == null ? Duration.ZERO : Duration.ofNanos(end - nanoTime.getAsLong());
    }

    /**
     * Ends the life. No volume that a controller attached may be mounted now, nor before the next {@link #begin}.
     *
     * @throws ClusterException if etcd does not answer: then the caller may call this again
     */
    public void fenced() {
        say(requireWord().fenced());
    }

    /** Writes that no watchdog guards this life any more, while volumes stay mounted. Must come before the watchdog is stopped. */
    public void unguarded() {
        say(requireWord().unguarded());
    }

    /**
     * Writes that a watchdog guards this life from now on. Must come after the watchdog was armed, and before the first mount.
     *
     * @throws ClusterException if etcd does not answer: then the caller may call this again
     */
    public void guarded() {
        say(requireWord().guarded());
    }

    private NodeWord requireWord() {
        if (word == null) {
            throw new IllegalStateException("no life has begun");
        }
        return word;
    }

    /** Replaces only this life's own statement: a later life has its own. */
    private void say(NodeWord next) {
        String what = "write the word of node " + node;
        ByteSequence key = wordKey();
        TxnResponse answer = etcd.await(
                what,
                etcd.client()
                        .getKVClient()
                        .txn()
                        .If(new Cmp(
                                key, Cmp.Op.EQUAL, CmpTarget.value(requireWord().write())))
                        .Then(Op.put(key, next.write(), PutOption.DEFAULT))
                        .commit());
        if (answer.isSucceeded()) {
            word = next;
        } else if (!stands(key, next)) {
            throw new ClusterException(Reason.CONFLICT, what + ": another life of the node has begun");
        }
    }

    /** Whether etcd has this statement already: the answer of an earlier attempt may have been lost. */
    private boolean stands(ByteSequence key, NodeWord next) {
        List<KeyValue> now = etcd.await(
                        "read the word of node " + node,
                        etcd.client().getKVClient().get(key))
                .getKvs();
        boolean same = !now.isEmpty()
                && NodeWord.read(now.get(0).getValue()).filter(next::equals).isPresent();
        if (same) {
            word = next;
        }
        return same;
    }

    /** Revokes the lease, so that no other process waits for its end. */
    public void end() {
        until = null;
        etcd.await(
                "end the lease of node " + node, etcd.client().getLeaseClient().revoke(lease));
    }
}
