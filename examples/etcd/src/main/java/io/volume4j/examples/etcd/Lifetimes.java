package io.volume4j.examples.etcd;

import io.etcd.jetcd.options.PutOption;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.model.Kind;
import java.time.Duration;
import java.util.function.Function;

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

    /**
     * Runs a write with the options of the kind. etcd may have lost the shared lease, for example while this machine slept. It has done
     * nothing then, and the write runs again with a new lease.
     *
     * @throws ClusterException if the write fails, or if etcd grants no lease
     */
    <T> T with(Kind kind, Function<PutOption, T> write) {
        if (kind != Kind.EVENT) {
            return write.apply(PutOption.DEFAULT);
        }
        long shared = leaseOfEvents();
        try {
            return write.apply(under(shared));
        } catch (ClusterException failed) {
            if (!String.valueOf(failed.getMessage()).contains("lease not found")) {
                throw failed;
            }
            forget(shared);
            return write.apply(under(leaseOfEvents()));
        }
    }

    private static PutOption under(long lease) {
        return PutOption.builder().withLeaseId(lease).build();
    }

    /** Another thread may have replaced it already. */
    private synchronized void forget(long lost) {
        if (lease == lost) {
            lease = 0;
        }
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
