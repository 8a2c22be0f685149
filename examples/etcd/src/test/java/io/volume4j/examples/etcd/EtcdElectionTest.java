package io.volume4j.examples.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.etcd.jetcd.options.DeleteOption;
import io.volume4j.core.explain.Health;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterException.Reason;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class EtcdElectionTest {
    /** For tests that wait for its end. */
    private static final Duration TTL = Duration.ofSeconds(3);

    /** Does not end because the machine has no time. */
    private static final Duration LONG = Duration.ofMinutes(10);

    private EtcdServer server;
    private EtcdClient one;
    private EtcdClient two;

    @BeforeEach
    void start() {
        server = EtcdServer.start();
        one = server.client();
        two = server.client();
    }

    @AfterEach
    void stop() {
        if (server != null) {
            one.close();
            two.close();
            server.close();
        }
    }

    @Test
    void aLeaderThatIsClosedOnAnInterruptedThreadGivesItsLeaseBack() throws InterruptedException {
        EtcdElection first = EtcdElection.start(one, "interrupted", LONG);
        await(first, () -> first.leading().isPresent());

        Thread.currentThread().interrupt();
        first.close();

        assertThat(Thread.interrupted()).as("still interrupted").isTrue();
        try (EtcdElection second = EtcdElection.start(two, "interrupted", LONG)) {
            await(second, () -> second.leading().isPresent());
        }
    }

    @Test
    void theFirstLeadsAndTheNextOneTakesOverAtOnceUnderAGreaterEpoch() throws InterruptedException {
        EtcdElection first = EtcdElection.start(one, "again", LONG);
        await(first, () -> first.remaining().compareTo(Duration.ZERO) > 0);
        long epoch = first.epoch();
        try (EtcdElection second = EtcdElection.start(two, "again", LONG)) {
            await(second, () -> second.epoch() == epoch);
            assertThat(second.remaining()).isZero();
            assertThat(second.leading()).isEmpty();
            first.close();
            assertThat(first.remaining()).isZero();
            await(second, () -> second.remaining().compareTo(Duration.ZERO) > 0);
            assertThat(second.epoch()).isGreaterThan(epoch);
        }
    }

    @Test
    @Timeout(60)
    void aProcessIsReadyWhileEtcdAnswersIt() throws InterruptedException {
        try (EtcdClient quick = EtcdClient.builder()
                        .endpoints(List.of(server.uri()))
                        .callTimeout(Duration.ofSeconds(1))
                        .build();
                // renewed within seconds, and not lost because the machine has no time: the second one is to stand by
                EtcdElection first = EtcdElection.start(quick, "health", Duration.ofSeconds(30))) {
            await(first, () -> first.health().equals(Health.working()));
            try (EtcdElection second = EtcdElection.start(two, "health", LONG)) {
                await(second, () -> second.health().equals(Health.standingBy()));
            }

            server.crash();

            while (first.health().ready()) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
            }
            assertThat(first.health().text()).startsWith("live, not ready").contains("election health: ", "etcd");
        }
    }

    @Test
    void aListenerThatFailsEndsNeitherTheElectionNorTheOtherListeners() throws InterruptedException {
        CountDownLatch told = new CountDownLatch(2);
        EtcdElection first = EtcdElection.start(one, "listeners", LONG);
        await(first, () -> first.remaining().compareTo(Duration.ZERO) > 0);
        EtcdElection second = EtcdElection.start(two, "listeners", LONG);
        await(second, () -> second.epoch() == first.epoch());
        second.addListener(() -> {
            throw new OutOfMemoryError("unable to create native thread");
        });
        second.addListener(told::countDown);
        first.close();
        await(second, () -> second.remaining().compareTo(Duration.ZERO) > 0);

        second.close();

        assertThat(told.await(10, TimeUnit.SECONDS)).isTrue();
    }

    /** As a host does that ends everything when it leads, or when it does not lead any more. */
    @Test
    void aListenerMayCloseTheElectionThatTellsItAndTheNextOneTakesOverAtOnce() throws Exception {
        CountDownLatch listens = new CountDownLatch(1);
        EtcdElection first = EtcdElection.start(one, "closes-itself", LONG, () -> {
            awaitUninterruptibly(listens);
            return System.nanoTime();
        });
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        first.addListener(() -> {
            if (first.leading().isPresent()) {
                first.close();
                interrupted.complete(Thread.currentThread().isInterrupted());
            }
        });
        listens.countDown();

        assertThat(interrupted.get(1, TimeUnit.MINUTES))
                .as("as after a wait for itself in vain")
                .isFalse();
        assertThat(first.remaining()).isZero();
        try (EtcdElection second = EtcdElection.start(two, "closes-itself", LONG)) {
            await(second, () -> second.remaining().compareTo(Duration.ZERO) > 0);
        }
    }

    @Test
    void anElectionThatIsClosedDuringItsFirstTurnDoesNotLeadWhenTheAnswerComes() throws InterruptedException {
        CountDownLatch inTurn = new CountDownLatch(1);
        CountDownLatch goesOn = new CountDownLatch(1);
        EtcdElection election = EtcdElection.start(one, "late-answer", LONG, () -> {
            inTurn.countDown();
            awaitUninterruptibly(goesOn);
            return System.nanoTime();
        });
        assertThat(inTurn.await(1, TimeUnit.MINUTES)).isTrue();
        Thread closing = new Thread(election::close);
        closing.start();
        while (closing.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }

        goesOn.countDown();
        closing.join();

        assertThat(election.leading()).isEmpty();
        assertThat(election.remaining()).isZero();
        try (EtcdElection second = EtcdElection.start(two, "late-answer", LONG)) {
            await(second, () -> second.remaining().compareTo(Duration.ZERO) > 0);
        }
    }

    /** A controller that saw no time left does nothing until it is told. */
    @Test
    void aLeaderWhoseLeaseIsRenewedLateTellsItsListenersThatItIsSureAgain() throws InterruptedException {
        AtomicLong late = new AtomicLong();
        Duration lease = Duration.ofSeconds(12);
        try (EtcdElection election = EtcdElection.start(one, "late", lease, () -> System.nanoTime() + late.get())) {
            await(election, () -> election.remaining().compareTo(Duration.ZERO) > 0);
            long epoch = election.epoch();
            CountDownLatch told = new CountDownLatch(1);
            election.addListener(() -> {
                if (!election.remaining().isZero()) {
                    told.countDown();
                }
            });
            late.set(lease.toNanos());

            assertThat(told.await(1, TimeUnit.MINUTES)).isTrue();
            assertThat(election.epoch()).isEqualTo(epoch);
        }
    }

    @Test
    void etcdRefusesEachWriteOfALeaderThatWasDeposedWithoutKnowing() throws InterruptedException {
        try (EtcdElection election = EtcdElection.start(one, "e", LONG)) {
            EtcdCluster cluster = EtcdCluster.builder(one).onlyAs(election).build();
            await(election, () -> election.leading().isPresent());
            ApiObject kept = cluster.create(TestObjects.claim("kept"));
            EtcdElection.Candidate believed = election.leading().orElseThrow();
            two.await("depose", two.client().getKVClient().delete(believed.key()));

            for (Runnable write : List.<Runnable>of(
                    () -> cluster.create(TestObjects.claim("late")),
                    () -> cluster.delete(kept.key(), io.volume4j.spi.host.Preconditions.none()))) {
                assertThatThrownBy(write::run)
                        .isInstanceOfSatisfying(
                                ClusterException.class,
                                refused -> assertThat(refused.reason()).isEqualTo(Reason.FORBIDDEN));
            }
            assertThat(cluster.list(Kind.PERSISTENT_VOLUME_CLAIM, Selection.all())
                            .objects())
                    .containsExactly(kept);
        }
    }

    @Test
    void aProcessTakesPartAgainAfterAPersonHasDeletedItsKey() throws InterruptedException {
        Duration ttl = Duration.ofSeconds(12);
        try (EtcdElection first = EtcdElection.start(one, "e", ttl)) {
            await(first, () -> first.leading().isPresent());
            try (EtcdElection second = EtcdElection.start(two, "e", ttl)) {
                await(second, () -> second.epoch() != 0);
                long epoch = first.epoch();

                two.await(
                        "delete all that etcd has",
                        two.client()
                                .getKVClient()
                                .delete(
                                        two.keys().ofElection("e"),
                                        DeleteOption.builder().isPrefix(true).build()));

                await(first, () -> first.epoch() > epoch);
                await(second, () -> second.epoch() == first.epoch());
                await(
                        first,
                        () -> first.leading().isPresent() != second.leading().isPresent());
            }
        }
    }

    /** It hears nothing for longer than its lease, as a process does that is stopped, and another one leads meanwhile. */
    @Test
    void aLeaderThatWasPausedForLongerThanItsLeaseCannotWriteThoughItStillBelievesToLead()
            throws IOException, InterruptedException {
        CutLink link = new CutLink(server.uri());
        try (EtcdClient paused = EtcdClient.builder()
                        .endpoints(List.of(link.uri()))
                        .callTimeout(Duration.ofSeconds(3))
                        .build();
                EtcdElection first = EtcdElection.start(paused, "e", TTL)) {
            await(first, () -> first.leading().isPresent());
            link.close();
            try (EtcdElection second = EtcdElection.start(two, "e", LONG)) {
                await(second, () -> second.remaining().compareTo(Duration.ZERO) > 0);
                ApiObject made = EtcdCluster.builder(two).onlyAs(second).build().create(TestObjects.claim("made"));

                assertThat(first.leading()).as("what it believes").isPresent();
                assertThat(first.remaining()).as("what its clock says").isZero();
                EtcdCluster stale = EtcdCluster.builder(two).onlyAs(first).build();
                for (Runnable write : List.<Runnable>of(
                        () -> stale.create(TestObjects.claim("late")),
                        () -> stale.delete(made.key(), io.volume4j.spi.host.Preconditions.none()))) {
                    assertThatThrownBy(write::run).hasMessageContaining("this process was deposed");
                }
                assertThat(stale.readLive(made.key())).contains(made);
            }
        }
    }

    @Test
    void aProcessThatDoesNotLeadWritesNothing() throws InterruptedException {
        try (EtcdElection first = EtcdElection.start(one, "e", LONG)) {
            await(first, () -> first.leading().isPresent());
            try (EtcdElection second = EtcdElection.start(two, "e", LONG)) {
                EtcdCluster cluster = EtcdCluster.builder(two).onlyAs(second).build();
                assertThatThrownBy(() -> cluster.create(TestObjects.claim("early")))
                        .hasMessageContaining("this process does not lead");
            }
        }
    }

    @Test
    void etcdThatCrashesAndComesBackWithinTheLeaseKeepsTheLeader() throws InterruptedException {
        try (EtcdElection election = EtcdElection.start(one, "e", LONG)) {
            await(election, () -> election.leading().isPresent());
            long epoch = election.epoch();
            server.crashAndRestart();
            EtcdCluster cluster = EtcdCluster.builder(one).onlyAs(election).build();
            ApiObject made = cluster.create(TestObjects.claim("after"));
            assertThat(cluster.readLive(made.key())).contains(made);
            assertThat(election.epoch()).isEqualTo(epoch);
        }
    }

    @Test
    void aShortLeaseAndAnImpossibleNameAreRefused() {
        assertThatThrownBy(() -> EtcdElection.start(one, "e", Duration.ofSeconds(1)))
                .hasMessageContaining("3 s at least");
        assertThatThrownBy(() -> EtcdElection.start(one, "a/b", TTL)).hasMessageContaining("no name of an election");
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private static void await(EtcdElection election, BooleanSupplier wanted) throws InterruptedException {
        CountDownLatch met = new CountDownLatch(1);
        Runnable look = () -> {
            if (wanted.getAsBoolean()) {
                met.countDown();
            }
        };
        election.addListener(look);
        look.run();
        assertThat(met.await(60, TimeUnit.SECONDS)).as("within a minute").isTrue();
        election.removeListener(look);
    }
}
