package io.volume4j.examples.etcd;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.Lease;
import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.CmpTarget;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.DeleteOption;
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
 * The heartbeat of a node: a key under a lease of etcd, and beside it the node's word, which stays when the lease ends. A life of the
 * agent begins with {@link #begin}, before anything is mounted, and ends with {@link #fenced}, after nothing is mounted any more.
 *
 * <p>Decision 033 has the argument for what {@link EtcdFencing} makes of it. Calls block. {@link #sureFor} may be asked from any
 * thread; all else belongs to one thread.
 */
public final class EtcdNodeLease {
    private final EtcdClient etcd;
    private final String node;
    private final String machine;
    private final Duration ttl;
    private final LongSupplier nanoTime;

    private @Nullable NodeWord word;

    private long lease;

    /** When the lease may end, by this node's clock; null while it has none. */
    private volatile @Nullable Long until;

    /**
     * Writes nothing yet.
     *
     * @param machine names the machine and the root of its volumes: another start there takes the lease over, another machine waits
     * @param ttl whole seconds, 3 at least
     */
    public EtcdNodeLease(EtcdClient etcd, String node, String machine, Duration ttl) {
        this(etcd, node, machine, ttl, System::nanoTime);
    }

    EtcdNodeLease(EtcdClient etcd, String node, String machine, Duration ttl, LongSupplier nanoTime) {
        EtcdSecrets.requireName(node);
        if (ttl.toSeconds() < 3) {
            throw new IllegalArgumentException("a node's lease lasts 3 s at least, but is " + ttl);
        }
        this.etcd = etcd;
        this.node = node;
        this.machine = machine;
        this.ttl = ttl;
        this.nanoTime = nanoTime;
    }

    /**
     * For an agent that does not fence itself: takes back what an earlier life said, before anything is mounted.
     *
     * @throws ClusterException if etcd does not answer; then nothing may be mounted yet
     */
    public static void forget(EtcdClient etcd, String node) {
        etcd.await(
                "forget the lease of node " + node,
                etcd.client()
                        .getKVClient()
                        .txn()
                        .Then(
                                Op.delete(etcd.keys().ofNodeLease(node), DeleteOption.DEFAULT),
                                Op.delete(etcd.keys().ofNodeWord(node), DeleteOption.DEFAULT))
                        .commit());
    }

    /** @throws ClusterException if etcd does not answer */
    void reach() {
        etcd.await(
                "reach etcd for the lease of node " + node,
                etcd.client().getKVClient().get(etcd.keys().ofNodeLease(node)));
    }

    /**
     * Begins a life: from now on the node may have volumes mounted.
     *
     * @param life different for each start
     * @param watchdog whether a watchdog resets the machine before the lease ends
     * @throws ClusterException unavailable, if etcd does not answer; conflict, while another machine has the node's lease
     */
    public void begin(String life, boolean watchdog) {
        String what = "begin the lease of node " + node;
        until = null;
        ByteSequence key = etcd.keys().ofNodeLease(node);
        Optional<KeyValue> before = etcd.await(what, etcd.client().getKVClient().get(key)).getKvs().stream()
                .findFirst();
        NodeWord holder =
                before.flatMap(entry -> NodeWord.read(entry.getValue())).orElse(null);
        if (holder != null && !holder.machine().equals(machine)) {
            throw new ClusterException(
                    Reason.CONFLICT,
                    what + ": machine " + holder.machine()
                            + " has it; stop the agent there, or give this node another name");
        }
        long asked = nanoTime.getAsLong();
        var granted = etcd.await(what, etcd.client().getLeaseClient().grant(ttl.toSeconds()));
        NodeWord said = new NodeWord(
                life, machine, NodeWord.State.SERVING, watchdog ? NodeWord.Guard.WATCHDOG : NodeWord.Guard.NONE);
        TxnResponse answer = etcd.await(
                what,
                etcd.client()
                        .getKVClient()
                        .txn()
                        .If(new Cmp(
                                key,
                                Cmp.Op.EQUAL,
                                CmpTarget.modRevision(
                                        before.map(KeyValue::getModRevision).orElse(0L))))
                        .Then(
                                Op.put(
                                        key,
                                        said.write(),
                                        PutOption.builder()
                                                .withLeaseId(granted.getID())
                                                .build()),
                                Op.put(etcd.keys().ofNodeWord(node), said.write(), PutOption.DEFAULT))
                        .commit());
        if (!answer.isSucceeded()) {
            throw new ClusterException(Reason.CONFLICT, what + ": another process began it at the same moment");
        }
        word = said;
        lease = granted.getID();
        until = end(asked, granted.getTTL());
    }

    /**
     * Renews the lease; false if it has ended in etcd.
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
        if (left <= 0) {
            until = null;
            return false;
        }
        until = end(asked, left);
        return true;
    }

    /** A tenth less than etcd's, because two clocks do not run equally fast. */
    private static long end(long asked, long seconds) {
        return asked + TimeUnit.SECONDS.toNanos(seconds) / 10 * 9;
    }

    Duration ttl() {
        return ttl;
    }

    /** How long the lease has certainly not ended; zero or less if it may have. */
    public Duration sureFor() {
        Long end = until;
        return end == null ? Duration.ZERO : Duration.ofNanos(end - nanoTime.getAsLong());
    }

    /**
     * Ends the life: nothing that a controller attached is mounted, and none of it is mounted before the next {@link #begin}.
     *
     * @throws ClusterException if etcd does not answer: then the word may be tried again
     */
    public void fenced() {
        say(requireWord().fenced());
    }

    /** Volumes stay mounted, and no watchdog waits for this process any more: it is told before the watchdog is let go. */
    public void unguarded() {
        say(requireWord().unguarded());
    }

    private NodeWord requireWord() {
        if (word == null) {
            throw new IllegalStateException("no life has begun");
        }
        return word;
    }

    /** Only over this life's own word: a later life has its own. */
    private void say(NodeWord next) {
        String what = "write the word of node " + node;
        ByteSequence key = etcd.keys().ofNodeWord(node);
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

    /** The answer of an earlier try may have been lost. */
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

    /** Gives the lease back, so that no other process waits for its end. */
    public void end() {
        until = null;
        etcd.await(
                "end the lease of node " + node, etcd.client().getLeaseClient().revoke(lease));
    }
}
