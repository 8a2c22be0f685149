package io.volume4j.examples.agent;

import io.volume4j.core.explain.Health;
import io.volume4j.examples.agent.machine.VolumeUsers;
import io.volume4j.examples.etcd.NodeLife;
import io.volume4j.examples.etcd.SelfFencing;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.ClusterException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node with a lease in etcd for its volumes. When it cannot renew the lease, it kills the processes that use the volumes and unmounts
 * the volumes. When etcd answers again, it begins a new life with a new manager.
 */
final class LeasedNode implements Role {
    private static final Logger LOG = LoggerFactory.getLogger(LeasedNode.class);
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(250);

    private final Supplier<NodeRole> makes;
    private final @Nullable VolumeUsers users;
    private final Runnable refused;
    private final SelfFencing fencing;
    private final List<String> left = new ArrayList<>();
    private final ExecutorService givesUp = Executors.newSingleThreadExecutor(task -> {
        Thread made = new Thread(task, "node-gives-up");
        made.setDaemon(true);
        return made;
    });

    private volatile @Nullable Throwable refusal;
    private volatile boolean serves;

    /**
     * @param makes creates a life that has not started
     * @param users null if no process can use the volumes, such as those of a node in memory
     * @param checks gets the node's state
     * @param refused called on any thread if the node cannot begin; {@link #requireBegun} throws the reason
     */
    LeasedNode(
            Function<Supplier<NodeLife>, SelfFencing> fencing,
            Supplier<NodeRole> makes,
            @Nullable VolumeUsers users,
            Checks checks,
            Runnable refused) {
        this.makes = makes;
        this.users = users;
        this.refused = refused;
        this.fencing = fencing.apply(Life::new);
        checks.of(this::health);
    }

    private Health health() {
        return serves
                ? Health.working()
                : Health.notReady(false, List.of("the node has no lease in etcd, and mounts nothing until it has one"));
    }

    @Override
    public void start() {
        var unused = fencing.start().whenComplete((begun, failure) -> {
            if (failure != null) {
                refusal = failure instanceof CompletionException wrapped ? wrapped.getCause() : failure;
                refused.run();
            }
        });
    }

    /** @throws ClusterException or {@link VolumeException} with the reason, if the node could not begin */
    void requireBegun() {
        Throwable why = refusal;
        if (why instanceof ClusterException || why instanceof VolumeException) {
            throw (RuntimeException) why;
        }
        if (why != null) {
            throw VolumeException.finalFailure("the node cannot begin: " + why.getMessage())
                    .withCause(why);
        }
    }

    @Override
    public List<String> close() {
        givesUp.shutdownNow();
        fencing.close();
        return List.copyOf(left);
    }

    private final class Life implements NodeLife {
        private final NodeRole role = makes.get();
        private boolean closed;

        @Override
        public void start() {
            role.start();
            serves = true;
        }

        @Override
        public CompletableFuture<Boolean> fence() {
            serves = false;
            return CompletableFuture.supplyAsync(this::giveUp, givesUp);
        }

        /** Also kills processes that start to use a volume meanwhile, until no process has a mount. */
        private boolean giveUp() {
            try {
                CompletableFuture<Boolean> unmounted = role.volumes().fence();
                while (!done(unmounted)) {
                    if (users != null) {
                        users.stopThoseHere();
                    }
                }
                Optional<String> elsewhere = users == null ? Optional.empty() : users.stopThoseElsewhere();
                elsewhere.ifPresent(still -> LOG.atWarn()
                        .addKeyValue("where", still)
                        .log("a volume is mounted in another mount namespace still, whose processes are killed"));
                return elsewhere.isEmpty();
            } catch (InterruptedException closing) {
                Thread.currentThread().interrupt();
                return false;
            }
        }

        private boolean done(CompletableFuture<Boolean> unmounted) throws InterruptedException {
            try {
                return unmounted.get(BETWEEN_LOOKS.toMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException notYet) {
                return false;
            } catch (ExecutionException failed) {
                throw new CompletionException(failed.getCause());
            }
        }

        @Override
        public void close() {
            if (!closed) {
                closed = true;
                serves = false;
                left.addAll(role.close());
            }
        }
    }
}
