package io.volume4j.examples.etcd;

import io.etcd.jetcd.options.PutOption;
import io.volume4j.spi.model.Kind;
import java.time.Duration;

/**
 * How long etcd keeps objects. Events tell users of the last hour, as in Kubernetes: a lease of etcd removes them, so that they do not fill
 * the store. Events of ten minutes share a lease. All other objects stay. Thread-safe.
 */
final class Lifetimes {
    /** The last event of a lease is kept for an hour. */
    static final Duration EVENTS = Duration.ofMinutes(70);

    private static final Duration SHARED = Duration.ofMinutes(10);

    private final EtcdClient etcd;

    private long lease;
    private long begun;

    Lifetimes(EtcdClient etcd) {
        this.etcd = etcd;
    }

    /** @throws io.volume4j.spi.host.ClusterException if etcd grants no lease */
    PutOption of(Kind kind) {
        return kind == Kind.EVENT
                ? PutOption.builder().withLeaseId(leaseOfEvents()).build()
                : PutOption.DEFAULT;
    }

    private synchronized long leaseOfEvents() {
        long now = System.nanoTime();
        if (lease == 0 || now - begun >= SHARED.toNanos()) {
            lease = etcd.await(
                            "grant a lease for events",
                            etcd.client().getLeaseClient().grant(EVENTS.toSeconds()))
                    .getID();
            begun = now;
        }
        return lease;
    }
}
