package io.volume4j.examples.etcd;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.kv.GetResponse;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.GetOption;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.host.Fence;
import io.volume4j.spi.host.FencingAuthority;
import java.util.List;
import java.util.Optional;

/**
 * Derives evidence from the leases of nodes. There is evidence if the node itself wrote that it gave up its volumes, or if its lease
 * has ended and a watchdog guarded it. A lease that ended without a watchdog is no evidence, so the controller waits. Thread-safe;
 * calls block.
 */
public final class EtcdFencing implements FencingAuthority {
    private final EtcdClient etcd;

    /** The caller must close the client. */
    public EtcdFencing(EtcdClient etcd) {
        this.etcd = etcd;
    }

    /** {@inheritDoc} Reads lease and statement at one revision. */
    @Override
    public Optional<Fence> fence(String node, CallContext context) {
        List<GetResponse> both = etcd.await(
                        "look for evidence of node " + node,
                        etcd.client()
                                .getKVClient()
                                .txn()
                                .Then(
                                        get(etcd.keys().ofNodeLease(node)),
                                        get(etcd.keys().ofNodeWord(node)))
                                .commit())
                .getGetResponses();
        boolean leased = !both.get(0).getKvs().isEmpty();
        Optional<KeyValue> entry = both.get(1).getKvs().stream().findFirst();
        return entry.flatMap(said -> NodeWord.read(said.getValue()))
                .flatMap(word -> evidence(node, word, leased))
                .map(text -> new Fence(
                        Fence.Kind.SELF_FENCED_LEASE,
                        node,
                        text + " (etcd revision " + entry.orElseThrow().getModRevision() + ")"));
    }

    private static Op.GetOp get(ByteSequence key) {
        return Op.get(key, GetOption.DEFAULT);
    }

    /** The evidence of statement and lease together; empty for none. */
    static Optional<String> evidence(String node, NodeWord word, boolean leased) {
        if (word.state() == NodeWord.State.FENCED) {
            return Optional.of("node " + node + " wrote that it unmounted what controllers had attached");
        }
        if (!leased && word.guard() == NodeWord.Guard.WATCHDOG) {
            return Optional.of(
                    "the lease of node " + node + " ended, and its watchdog resets the machine before a lease ends");
        }
        return Optional.empty();
    }
}
