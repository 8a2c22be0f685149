package io.volume4j.core.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.core.explain.Health;
import io.volume4j.inmemory.cluster.ClusterFault;
import io.volume4j.inmemory.cluster.ClusterFault.Rejection;
import io.volume4j.inmemory.cluster.ClusterVerb;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.inmemory.virtual.VirtualScheduler;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterException.Reason;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.ClusterWriter;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.Lease;
import io.volume4j.spi.model.ObjectKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Processes that elect a leader by a Lease, in virtual time. */
class LeaseElectionTest {
    private static final ObjectKey LEASE = ObjectKey.lease("kube-system", "volume4j");
    private static final LeaseTimes TIMES =
            new LeaseTimes(Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(2));

    private final VirtualScheduler world = new VirtualScheduler(1, Instant.parse("2026-01-01T00:00:00Z"));
    private final InMemoryCluster cluster = InMemoryCluster.create();
    private final Elector a = new Elector("a");
    private final Elector b = new Elector("b");

    @Test
    void oneOfTwoLeadsAndKeepsLeading() {
        a.agent.start();
        b.agent.start();
        pass(Duration.ofSeconds(1));
        Elector first = leader();
        long epoch = first.agent.epoch();

        for (int i = 0; i < 100; i++) {
            pass(Duration.ofSeconds(3));
            assertThat(leader()).isSameAs(first);
        }

        assertThat(first.agent.epoch()).isEqualTo(epoch);
        assertThat(lease().spec().holderIdentity()).isEqualTo(first.name);
        assertThat(lease().spec().leaseDurationSeconds()).isEqualTo(15);
        assertThat(first.told).as("renewals are not told of").isEqualTo(1);
    }

    @Test
    void anotherTakesOverWithinTheDurationWhenTheLeaderDies() {
        leadBy(a);
        long epoch = a.agent.epoch();
        b.agent.start();
        pass(Duration.ofSeconds(5));

        a.loop.kill();
        pass(Duration.ofSeconds(10));
        assertThat(b.leads()).as("the lease is not over").isFalse();
        pass(Duration.ofSeconds(8));

        assertThat(b.leads()).isTrue();
        assertThat(b.agent.epoch()).isGreaterThan(epoch);
        assertThat(b.told).isEqualTo(1);
    }

    @Test
    void aClosedLeaderGivesTheLeaseBackAtOnce() {
        leadBy(a);
        b.agent.start();
        pass(Duration.ofSeconds(5));

        CompletableFuture<Void> closed = a.agent.close();
        pass(Duration.ofSeconds(2));

        assertThat(closed).isDone();
        assertThat(a.leads()).isFalse();
        assertThat(a.told).as("that it leads, and that it ceased to").isEqualTo(2);
        assertThat(b.leads()).isTrue();
        assertThat(b.agent.epoch()).isGreaterThan(a.agent.epoch());
        pass(Duration.ofMinutes(1));
        assertThat(b.leads()).isTrue();
    }

    @Test
    void aLeaderThatCannotWriteCeasesBeforeAnotherBegins() {
        leadBy(a);
        b.agent.start();
        pass(Duration.ofSeconds(3));
        a.link.cut = true;

        pass(Duration.ofSeconds(10));
        assertThat(a.leads()).isFalse();
        assertThat(b.leads()).isFalse();
        pass(Duration.ofSeconds(8));
        assertThat(b.leads()).isTrue();

        a.link.cut = false;
        pass(Duration.ofMinutes(1));
        assertThat(a.leads()).isFalse();
        assertThat(b.leads()).isTrue();
    }

    @Test
    void aProcessWhoseWriterReturnsNothingTriesAgain() {
        a.link.returnsNothing = 1;
        a.agent.start();
        pass(Duration.ofSeconds(1));
        assertThat(a.leads()).isFalse();
        assertThat(a.agent.health().text()).contains("the writer returned no object");

        pass(TIMES.every());
        assertThat(a.leads()).isTrue();
        assertThat(a.agent.health()).isEqualTo(Health.working());
    }

    @Test
    void aProcessIsReadyWhileItReadsAndRenewsTheLease() {
        assertThat(a.agent.health().text()).startsWith("live, not ready").contains("was not started");
        a.link.cut = true;
        a.agent.start();
        pass(Duration.ofSeconds(1));
        assertThat(a.agent.health().text())
                .startsWith("live, not ready")
                .contains(LEASE.toString(), "cannot be read or renewed", "look whether the cluster can be reached");

        a.link.cut = false;
        pass(Duration.ofSeconds(3));
        assertThat(a.agent.health()).isEqualTo(Health.working());
        b.agent.start();
        pass(Duration.ofSeconds(3));
        assertThat(b.agent.health()).isEqualTo(Health.standingBy());

        a.link.cut = true;
        pass(Duration.ofSeconds(3));
        assertThat(a.agent.health().ready()).isFalse();
        assertThat(a.agent.health().leads()).as("until its time is over").isTrue();
        pass(Duration.ofSeconds(10));
        assertThat(a.agent.health().leads()).isFalse();
    }

    @Test
    void theHealthNamesTheLastFailure() {
        a.link.cut = true;
        a.agent.start();
        pass(Duration.ofSeconds(1));
        assertThat(a.agent.health().text()).contains("look whether the cluster can be reached");

        a.link.cut = false;
        a.link.forbids = true;
        pass(Duration.ofSeconds(3));
        assertThat(a.agent.health().text()).contains("allow get, create and patch of leases");
    }

    @Test
    void aLeaderWithoutTimeDoesNotSayThatAnotherProcessLeads() {
        leadBy(a);
        a.hangs = true;

        pass(Duration.ofMillis(10_500));

        assertThat(a.agent.health().leads()).isFalse();
        assertThat(a.agent.health().ready()).isFalse();
    }

    /** A controller that saw no time left does nothing until it hears of the lease. */
    @Test
    void aRenewalThatIsAnsweredWhenNoTimeIsLeftIsToldOf() {
        leadBy(a);
        long epoch = a.agent.epoch();
        a.answersAfter = Duration.ofSeconds(9);

        pass(Duration.ofMillis(9_300));
        assertThat(a.leads()).isFalse();
        assertThat(a.told).isEqualTo(1);

        pass(Duration.ofMillis(900));
        assertThat(a.leads()).isTrue();
        assertThat(a.agent.epoch()).isEqualTo(epoch);
        assertThat(a.told).isEqualTo(2);
    }

    @Test
    void aCallThatIsNeverAnsweredEndsTheLeadershipAndNotTheElection() {
        leadBy(a);
        long epoch = a.agent.epoch();
        a.hangs = true;
        pass(Duration.ofSeconds(3));
        a.hangs = false;
        assertThat(a.hanging).hasSize(1);

        pass(Duration.ofSeconds(10));
        assertThat(a.told).as("that it leads, and that it ceased to").isGreaterThanOrEqualTo(2);
        pass(Duration.ofSeconds(5));
        assertThat(a.leads()).isTrue();

        a.hanging.forEach(Runnable::run);
        pass(Duration.ofMinutes(1));
        assertThat(a.leads()).isTrue();
        assertThat(a.agent.epoch()).isEqualTo(epoch);
    }

    @Test
    void callsThatHangKeepFewWorkersAndNoCloseWaiting() {
        leadBy(a);
        a.hangs = true;
        pass(Duration.ofHours(1));
        assertThat(a.hanging).hasSize(3);

        a.hangs = false;
        a.hanging.get(2).run();
        pass(Duration.ofSeconds(5));
        assertThat(a.leads()).isTrue();

        a.hangs = true;
        pass(Duration.ofSeconds(30));
        assertThat(a.leads()).isFalse();
        assertThat(a.told).as("that it leads, ceased to, leads, and ceased to").isEqualTo(4);
        CompletableFuture<Void> closed = a.agent.close();
        pass(Duration.ofSeconds(10));
        assertThat(closed).isDone();
    }

    /** A process that was stopped, and goes on later than its lease lasts, knows by its own clock that it leads no more. */
    @Test
    void aFrozenLeaderIsNotSureOfItself() {
        leadBy(a);
        a.loop.kill();
        pass(Duration.ofSeconds(11));

        assertThat(a.agent.remaining()).isNegative();
    }

    @Test
    void aLeaderWhoseAnswerWasLostFindsItselfInTheLease() {
        a.link.losesAnswers = 1;
        a.agent.start();
        pass(Duration.ofSeconds(1));
        assertThat(a.leads()).as("it does not know").isFalse();

        pass(Duration.ofSeconds(3));
        assertThat(a.leads()).isTrue();
        assertThat(lease().spec().leaseTransitions()).as("taken once").isEqualTo(1);
    }

    @Test
    void leadersFollowEachOtherWithGrowingEpochsWhenTheLeaseIsDeleted() {
        leadBy(a);
        long epoch = a.agent.epoch();
        cluster.remove(LEASE);
        pass(Duration.ofSeconds(15));

        assertThat(a.leads()).isTrue();
        assertThat(a.agent.epoch()).isGreaterThan(epoch);
    }

    /** With failures, lost answers and deaths at any moment no two processes are ever sure to lead. */
    @Test
    void neverDoTwoLead() {
        for (long seed = 0; seed < 200; seed++) {
            new Election(seed).live();
        }
    }

    @ParameterizedTest(name = "lasts {0} s, leads {1} s, every {2} s: {3}")
    @CsvSource({
        "15, 15, 2, must be shorter than the lease duration",
        "15, 10, 6, at most half of the renew deadline",
        "0,  10, 2, at least a second",
        "15, 10, 0, must be positive",
    })
    void refusesDurationsThatDoNotFitEachOther(int lasts, int leads, int every, String why) {
        assertThatThrownBy(() ->
                        new LeaseTimes(Duration.ofSeconds(lasts), Duration.ofSeconds(leads), Duration.ofSeconds(every)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(why);
    }

    /** Other processes read whole seconds from the Lease, so they may take it before such a holder gives it up. */
    @Test
    void refusesARenewDeadlineWithinTheFractionThatTheLeaseDrops() {
        assertThatThrownBy(() ->
                        new LeaseTimes(Duration.ofMillis(1_900), Duration.ofMillis(1_500), Duration.ofMillis(500)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PT1.5S must be shorter than the lease duration PT1S");
    }

    @Test
    void saysAllThatItsBuilderMisses() {
        assertThatThrownBy(() -> LeaseElection.builder().build())
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("an election needs cluster(source, writer) and lease(namespace, name) before build()");
    }

    @Test
    void runsOnThreadsOfItsOwnAndEndsThem() throws Exception {
        LeaseElection election = LeaseElection.builder()
                .cluster(cluster, cluster)
                .lease("kube-system", "volume4j")
                .identity("host")
                .build();
        CompletableFuture<Boolean> leads = new CompletableFuture<>();
        election.addListener(() -> leads.complete(true));
        election.start();
        assertThat(leads.get(1, TimeUnit.MINUTES)).isTrue();
        assertThat(election.remaining()).isPositive();
        assertThat(election.health()).isEqualTo(Health.working());
        assertThat(lease().spec().holderIdentity()).startsWith("host_");

        election.close();
        election.close();

        assertThat(election.remaining()).isZero();
        assertThat(election.health().live()).isFalse();
        assertThat(lease().spec().holderIdentity()).isEmpty();
        assertThatThrownBy(election::start).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aListenerMayCloseTheElectionThatTellsIt() throws Exception {
        LeaseElection election = election();
        CompletableFuture<Boolean> released = released();
        election.addListener(() -> {
            if (election.epoch() > 0) {
                election.close();
            }
        });

        election.start();

        assertThat(released.get(1, TimeUnit.MINUTES)).isTrue();
        election.close();
    }

    /** As a host does that ends everything when it does not lead any more. */
    @Test
    void aListenerThatClosesTheElectionAtItsEndDoesNotDelayTheRelease() throws Exception {
        LeaseElection election = election();
        CompletableFuture<Boolean> released = released();
        CompletableFuture<Boolean> leads = new CompletableFuture<>();
        election.addListener(() -> {
            if (!leads.complete(true)) {
                election.close();
            }
        });
        election.start();
        leads.get(1, TimeUnit.MINUTES);

        CompletableFuture<Void> closed = CompletableFuture.runAsync(election::close);

        assertThat(released.get(1, TimeUnit.MINUTES)).isTrue();
        closed.get(1, TimeUnit.MINUTES);
    }

    @Test
    void aListenerThatWaitsForALockOfTheThreadThatClosesDelaysItAndNoMore() throws Exception {
        Object lock = new Object();
        CompletableFuture<Boolean> leads = new CompletableFuture<>();
        CompletableFuture<Boolean> toldOfTheEnd = new CompletableFuture<>();
        LeaseElection election = election();
        election.addListener(() -> {
            if (!leads.complete(true)) {
                synchronized (lock) {
                    toldOfTheEnd.complete(true);
                }
            }
        });
        election.start();
        leads.get(1, TimeUnit.MINUTES);

        synchronized (lock) {
            election.close();
            assertThat(toldOfTheEnd).isNotDone();
        }
        assertThat(toldOfTheEnd.get(1, TimeUnit.MINUTES)).isTrue();
    }

    private LeaseElection election() {
        return LeaseElection.builder()
                .cluster(cluster, cluster)
                .lease("kube-system", "volume4j")
                .build();
    }

    /** Completes when no process holds the lease any more. */
    private CompletableFuture<Boolean> released() {
        CompletableFuture<Boolean> released = new CompletableFuture<>();
        var unused = cluster.watch(Kind.LEASE, Selection.all(), cluster.revision(), event -> {
            if (event.object() instanceof Lease told
                    && told.spec().holderIdentity().isEmpty()) {
                released.complete(true);
            }
        });
        return released;
    }

    private void leadBy(Elector process) {
        process.agent.start();
        pass(Duration.ofSeconds(1));
        assertThat(process.leads()).isTrue();
    }

    private Elector leader() {
        assertThat(List.of(a, b).stream().filter(Elector::leads)).hasSize(1);
        return a.leads() ? a : b;
    }

    private Lease lease() {
        return (Lease) cluster.get(LEASE).orElseThrow();
    }

    private void pass(Duration time) {
        world.advance(time);
    }

    private final class Elector {
        private final String name;
        private final Link link = new Link(cluster);
        private final VirtualScheduler.VirtualLoop loop = world.loop();
        private final LeaseAgent agent;
        private int told;
        private Duration answersAfter = Duration.ZERO;
        private boolean hangs;
        private final List<Runnable> hanging = new ArrayList<>();

        Elector(String name) {
            this.name = name;
            agent = new LeaseAgent(LEASE, name, TIMES, link, link, loop, this::work, world.random());
            agent.addListener(() -> told++);
        }

        private void work(Runnable call) {
            if (hangs) {
                hanging.add(call);
            } else if (answersAfter.isZero()) {
                world.workers().execute(call);
            } else {
                loop.schedule(answersAfter, call);
            }
        }

        boolean leads() {
            return !agent.remaining().isNegative() && !agent.remaining().isZero();
        }
    }

    /** Three processes, of which each dies or is cut off at times and comes again under another name. */
    private static final class Election {
        private final VirtualScheduler world;
        private final RandomGenerator random;
        private final InMemoryCluster cluster = InMemoryCluster.create();
        private final List<LeaseAgent> alive = new ArrayList<>();
        private final List<VirtualScheduler.VirtualLoop> loops = new ArrayList<>();
        private final List<LeaseAgent> everyone = new ArrayList<>();
        private final long seed;
        private int made;
        private long epochs;

        Election(long seed) {
            this.seed = seed;
            world = new VirtualScheduler(seed, Instant.parse("2026-01-01T00:00:00Z"));
            random = world.random();
        }

        void live() {
            for (int i = 0; i < 3; i++) {
                add(i);
            }
            Duration end = Duration.ofMinutes(5);
            for (Duration next = Duration.ZERO;
                    next.compareTo(end) < 0;
                    next = next.plusSeconds(1 + random.nextInt(20))) {
                while (world.stepUntil(next)) {
                    check();
                }
                trouble();
            }
            cluster.heal();
            while (world.stepUntil(end.plusMinutes(1))) {
                check();
            }
            assertThat(alive.stream().filter(Election::leads))
                    .as("seed " + seed)
                    .hasSize(1);
        }

        private void trouble() {
            int which = random.nextInt(3);
            switch (random.nextInt(4)) {
                case 0 -> {
                    loops.get(which).kill();
                    add(which);
                }
                case 1 ->
                    cluster.fail(ClusterFault.on(ClusterVerb.PATCH)
                            .times(1 + random.nextInt(8))
                            .as(random.nextBoolean() ? Rejection.UNAVAILABLE : Rejection.CONFLICT));
                case 2 -> {
                    var unused = alive.get(which).close();
                    add(which);
                }
                default ->
                    cluster.fail(
                            ClusterFault.onAny().times(1 + random.nextInt(8)).as(Rejection.UNAVAILABLE));
            }
            if (random.nextInt(4) == 0) {
                loops.get(which).kill();
                add(which);
            }
        }

        private void add(int place) {
            VirtualScheduler.VirtualLoop loop = world.loop();
            LeaseAgent agent =
                    new LeaseAgent(LEASE, "p" + ++made, TIMES, cluster, cluster, loop, world.workers(), world.random());
            if (place < alive.size()) {
                alive.set(place, agent);
                loops.set(place, loop);
            } else {
                alive.add(agent);
                loops.add(loop);
            }
            everyone.add(agent);
            agent.start();
        }

        /** The dead count too: what they sent may still be done. */
        private void check() {
            List<LeaseAgent> leading = everyone.stream().filter(Election::leads).toList();
            assertThat(leading).as("seed " + seed + " at " + world.elapsed()).hasSizeLessThan(2);
            for (LeaseAgent agent : leading) {
                assertThat(agent.epoch()).as("seed " + seed).isGreaterThanOrEqualTo(epochs);
                epochs = agent.epoch();
            }
        }

        private static boolean leads(LeaseAgent agent) {
            return agent.remaining().compareTo(Duration.ZERO) > 0;
        }
    }

    /** The way to the cluster, which can be cut, and which can lose answers. */
    private static final class Link implements ClusterSource, ClusterWriter {
        private final InMemoryCluster cluster;
        private boolean cut;
        private boolean forbids;
        private int losesAnswers;
        private int returnsNothing;

        Link(InMemoryCluster cluster) {
            this.cluster = cluster;
        }

        private <T> T through(java.util.function.Supplier<T> call) {
            if (cut) {
                throw new ClusterException(Reason.UNAVAILABLE, "cut off");
            }
            if (forbids) {
                throw new ClusterException(Reason.FORBIDDEN, "no permission");
            }
            return call.get();
        }

        @SuppressWarnings("NullAway") // as an adapter that breaks the contract
        private <T> T write(java.util.function.Supplier<T> call) {
            T done = through(call);
            if (losesAnswers > 0) {
                losesAnswers--;
                throw new ClusterException(Reason.UNAVAILABLE, "no answer");
            }
            if (returnsNothing > 0) {
                returnsNothing--;
                return null;
            }
            return done;
        }

        @Override
        public Listing list(Kind kind, Selection selection) {
            throw new UnsupportedOperationException("an election lists nothing");
        }

        @Override
        public Watch watch(Kind kind, Selection selection, String revision, WatchListener listener) {
            throw new UnsupportedOperationException("an election watches nothing");
        }

        @Override
        public Optional<ApiObject> readLive(ObjectKey key) {
            return through(() -> cluster.readLive(key));
        }

        @Override
        public ApiObject create(ApiObject object) {
            return write(() -> cluster.create(object));
        }

        @Override
        public ApiObject patch(ObjectKey key, Patch patch) {
            return write(() -> cluster.patch(key, patch));
        }

        @Override
        public void delete(ObjectKey key, Preconditions preconditions) {
            throw new UnsupportedOperationException("an election deletes nothing");
        }
    }
}
