package io.volume4j.inmemory.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.inmemory.cluster.InMemoryCluster;
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
import io.volume4j.spi.model.ObjectMeta;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The contract finds clusters whose faults show only when two callers meet. They see to it that they do. */
@Timeout(120)
class WrongClustersTest {
    @Test
    void aRightClusterPasses() throws Exception {
        for (Check check : new Check[] {
            ClusterContract::ofWritesAtTheSameTimeForOneRevisionOneSucceeds,
            ClusterContract::ofAChangeAndADeletionAtTheSameTimeForOneRevisionOneSucceeds,
            ClusterContract::nothingIsMissedBetweenAnyOfManyListingsAndItsWatch
        }) {
            run(new Wrong(), check);
        }
    }

    @Test
    void aWriterThatComparesAndThenWritesIsFound() {
        assertThatThrownBy(() -> run(
                        new ComparesFirst(ClusterContract.WRITERS),
                        ClusterContract::ofWritesAtTheSameTimeForOneRevisionOneSucceeds))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("written for one revision");
    }

    @Test
    void aWriterThatComparesAndThenDeletesIsFound() {
        assertThatThrownBy(() -> run(
                        new ComparesFirst(2),
                        ClusterContract::ofAChangeAndADeletionAtTheSameTimeForOneRevisionOneSucceeds))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("done for one revision");
    }

    @Test
    void aSourceThatReadsTheRevisionAfterTheObjectsIsFound() {
        assertThatThrownBy(() -> run(
                        new ReadsTheRevisionLater(),
                        ClusterContract::nothingIsMissedBetweenAnyOfManyListingsAndItsWatch))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("that was not in the listing");
    }

    @Test
    void aSourceThatCannotWatchWhatItListedIsFound() {
        assertThatThrownBy(() ->
                        run(new WatchesNothing(), ClusterContract::nothingIsMissedBetweenAnyOfManyListingsAndItsWatch))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("could be watched");
    }

    @Test
    void aWriterThatRefusesForAnotherReasonIsFound() {
        assertThatThrownBy(() ->
                        run(new RefusesAsInvalid(), ClusterContract::ofWritesAtTheSameTimeForOneRevisionOneSucceeds))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("refused with INVALID, allowed: [CONFLICT]");
    }

    private interface Check {
        void of(ClusterContract contract) throws Exception;
    }

    private static void run(Wrong cluster, Check check) throws Exception {
        Contract contract = new Contract(cluster);
        contract.open();
        try {
            check.of(contract);
        } finally {
            contract.close();
        }
    }

    private static final class Contract extends ClusterContract {
        private final Wrong cluster;

        Contract(Wrong cluster) {
            this.cluster = cluster;
        }

        @Override
        protected ClusterUnderTest subject() {
            return new ClusterUnderTest() {
                @Override
                public ClusterSource source() {
                    return cluster;
                }

                @Override
                public ClusterWriter writer() {
                    return cluster;
                }
            };
        }

        /** The cluster calls the listener within the call that makes the change. */
        @Override
        Duration patience() {
            return Duration.ZERO;
        }
    }

    /** No fault yet. */
    private static class Wrong implements ClusterSource, ClusterWriter {
        final InMemoryCluster cluster = InMemoryCluster.create();

        @Override
        public Listing list(Kind kind, Selection selection) {
            return cluster.list(kind, selection);
        }

        @Override
        public Watch watch(Kind kind, Selection selection, String revision, WatchListener listener) {
            return cluster.watch(kind, selection, revision, listener);
        }

        @Override
        public Optional<ApiObject> readLive(ObjectKey key) {
            return cluster.readLive(key);
        }

        @Override
        public ApiObject create(ApiObject object) {
            return cluster.create(object);
        }

        @Override
        public ApiObject patch(ObjectKey key, Patch patch) {
            return cluster.patch(key, patch);
        }

        @Override
        public void delete(ObjectKey key, Preconditions preconditions) {
            cluster.delete(key, preconditions);
        }
    }

    /** All callers compare before one of them writes. The deletion comes last. */
    private static final class ComparesFirst extends Wrong {
        private final CyclicBarrier compared;
        private final CountDownLatch changed = new CountDownLatch(1);

        ComparesFirst(int callers) {
            compared = new CyclicBarrier(callers);
        }

        @Override
        public ApiObject patch(ObjectKey key, Patch patch) {
            compare(key, patch.preconditions());
            ApiObject after = cluster.patch(key, new Patch(Preconditions.none(), patch.status(), patch.changes()));
            changed.countDown();
            return after;
        }

        @Override
        public void delete(ObjectKey key, Preconditions preconditions) {
            compare(key, preconditions);
            await(changed);
            cluster.delete(key, Preconditions.none());
        }

        private void compare(ObjectKey key, Preconditions preconditions) {
            ObjectMeta now = cluster.readLive(key).orElseThrow().metadata();
            if (!Preconditions.of(now).equals(preconditions)) {
                throw new ClusterException(Reason.CONFLICT, "changed");
            }
            try {
                compared.await(1, TimeUnit.MINUTES);
            } catch (Exception alone) {
                throw new AssertionError(alone);
            }
        }
    }

    /** An object is created between the two reads of the first listing that has one. */
    private static final class ReadsTheRevisionLater extends Wrong {
        private final CountDownLatch listed = new CountDownLatch(1);
        private final CountDownLatch created = new CountDownLatch(1);

        @Override
        public Listing list(Kind kind, Selection selection) {
            Listing listing = cluster.list(kind, selection);
            if (listing.objects().size() == 1) {
                listed.countDown();
                await(created);
            }
            return new Listing(listing.objects(), cluster.revision());
        }

        @Override
        public ApiObject create(ApiObject object) {
            boolean second = !cluster.revision().equals("0");
            if (second) {
                await(listed);
            }
            ApiObject stored = cluster.create(object);
            if (second) {
                created.countDown();
            }
            return stored;
        }
    }

    private static final class WatchesNothing extends Wrong {
        @Override
        public Watch watch(Kind kind, Selection selection, String revision, WatchListener listener) {
            throw new ClusterException(Reason.FORBIDDEN, "no watches");
        }
    }

    private static final class RefusesAsInvalid extends Wrong {
        @Override
        public ApiObject patch(ObjectKey key, Patch patch) {
            throw new ClusterException(Reason.INVALID, "not valid");
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }
}
