package io.volume4j.examples.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.inmemory.host.ManualCallContext;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.Fence;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A node that keeps its volumes only while its lease is sure. Its clock, its looks and its watchdog are the test's. */
class SelfFencingTest {
    private static final Duration TTL = Duration.ofSeconds(60);
    private static final Duration WATCHDOG = Duration.ofSeconds(5);
    private static final Duration TO_FENCE = Duration.ofSeconds(10);

    private final AtomicLong clock = new AtomicLong(1);
    private final List<String> log = new ArrayList<>();
    private CompletableFuture<Boolean> unmounted = new CompletableFuture<>();
    private @Nullable Supplier<CompletableFuture<Boolean>> fails;
    private Runnable arming = () -> {};
    private Runnable feeding = () -> {};
    private EtcdServer server;
    private EtcdClient etcd;
    private EtcdClient controllers;
    private EtcdNodeLease lease;
    private SelfFencing node;
    private int lives;
    private int made;

    @BeforeEach
    void start() {
        server = EtcdServer.start();
        controllers = server.client();
        connect(server.client());
    }

    private void connect(EtcdClient client) {
        etcd = client;
        lease = new EtcdNodeLease(etcd, "n1", "m1", TTL, false, clock::get);
        node = new SelfFencing(lease, () -> "life-" + ++lives, Life::new, TO_FENCE, new Dog());
    }

    /** For a test in which the node asks etcd while that is away. Until then a call may take too long on a slow machine, too. */
    private void connectWithShortCalls() {
        node.close();
        etcd.close();
        connect(EtcdClient.builder()
                .endpoints(List.of(server.uri()))
                .callTimeout(Duration.ofSeconds(3))
                .build());
    }

    @AfterEach
    void stop() {
        if (server != null) {
            node.close();
            etcd.close();
            controllers.close();
            server.close();
        }
    }

    @Test
    void aLifeStartsAfterItsLeaseAndIsFedWhileThatIsSure() {
        node.turn();
        node.feed();
        pass(30);
        node.feed();
        node.turn();
        node.feed();
        assertThat(log).containsExactly("arm", "start 1", "feed", "feed", "feed");
    }

    /** A device may refuse a write once; a timer whose task throws would never feed again. */
    @Test
    void aFeedThatFailsIsRepeated() {
        node.turn();
        feeding = () -> {
            throw new IllegalStateException("device busy");
        };
        node.feed();
        feeding = () -> {};
        node.feed();
        assertThat(log).containsExactly("arm", "start 1", "feed");
    }

    @Test
    void aFeedForWhichTheMachineHasNoThreadIsRepeated() {
        node.turn();
        feeding = () -> {
            throw new OutOfMemoryError("unable to create native thread");
        };
        node.feed();
        feeding = () -> {};
        node.feed();
        assertThat(log).containsExactly("arm", "start 1", "feed");
    }

    @Test
    void givingUpForWhichTheMachineHasNoThreadIsRepeated() {
        node.turn();
        revokeBehindItsBack();
        fails = () -> {
            throw new OutOfMemoryError("unable to create native thread");
        };
        node.turn();
        fails = null;
        unmounted.complete(true);
        node.turn();
        assertThat(log).containsExactly("arm", "start 1", "fence 1", "fence 1", "close 1", "start 2");
    }

    /** Otherwise the node would hold its volumes without a lease, and no controller would ever get evidence. */
    @Test
    void aLaterLifeThatCannotStartForLackOfAThreadIsFollowedByAnother() throws Exception {
        AtomicInteger starts = new AtomicInteger();
        AtomicInteger closes = new AtomicInteger();
        CountDownLatch third = new CountDownLatch(1);
        NodeLife life = new NodeLife() {
            @Override
            public void start() {
                if (starts.incrementAndGet() == 2) {
                    throw new OutOfMemoryError("unable to create native thread");
                }
                if (starts.get() > 2) {
                    third.countDown();
                }
            }

            @Override
            public CompletableFuture<Boolean> fence() {
                return CompletableFuture.completedFuture(true);
            }

            @Override
            public void close() {
                closes.incrementAndGet();
            }
        };
        // short for the sake of the turns, a twelfth of it apart; it must last until it is revoked here
        EtcdNodeLease brief = new EtcdNodeLease(etcd, "n1", "m1", Duration.ofSeconds(24));
        try (SelfFencing lasting =
                new SelfFencing(brief, () -> "life-" + starts.get(), () -> life, Duration.ofSeconds(1), null)) {
            assertThat(lasting.start().get(1, TimeUnit.MINUTES)).isTrue();
            revokeBehindItsBack();

            assertThat(third.await(1, TimeUnit.MINUTES)).isTrue();
            assertThat(closes.get()).isGreaterThan(1);
        }
    }

    /** Twice the watchdog's time: the process may be stopped between the look at its lease and the feed. */
    @Test
    void theWatchdogStarvesAsSoonAsTheLeaseMayEndWithinTwiceItsTime() {
        node.turn();
        server.pause();
        pass(44);
        node.feed();
        pass(1);
        node.feed();
        assertThat(log).as("at 10 s before the end, and not after").containsExactly("arm", "start 1", "feed");
        server.resume();
    }

    @Test
    void aNodeThatCannotRenewGivesUpItsVolumesBeforeItsLeaseEndsAndSaysSoWhenItCan() {
        connectWithShortCalls();
        turnUntil("start 1");
        server.pause();
        pass(10);
        node.turn();
        assertThat(log).as("there is time").containsExactly("arm", "start 1");

        pass(13);
        node.turn();
        assertThat(log).containsExactly("arm", "start 1", "fence 1");
        pass(40);
        node.feed();
        assertThat(log).as("mounted still: the watchdog is to act").hasSize(3);

        unmounted.complete(true);
        assertThatThrownBy(node::turn).isInstanceOf(ClusterException.class);
        node.feed();
        assertThat(log).as("nothing is mounted").endsWith("close 1", "feed");

        server.resume();
        turnUntil("start 2");
        assertThat(fence()).as("a new life has begun").isEmpty();
    }

    @Test
    void theEvidenceIsThereBeforeTheNextLifeBegins() {
        node.turn();
        revokeBehindItsBack();
        assertThat(fence()).as("the watchdog's promise").isPresent();
        unmounted.complete(true);
        node.turn();
        assertThat(log).containsExactly("arm", "start 1", "fence 1", "close 1", "start 2");
        assertThat(fence()).isEmpty();
    }

    /** No evidence before all is unmounted, however long the lease has ended, where no watchdog made the promise. */
    @Test
    void withoutAWatchdogTheControllersWaitForTheNodesOwnWord() {
        node.close();
        log.clear();
        node = new SelfFencing(lease, () -> "life-" + ++lives, Life::new, TO_FENCE, null);
        node.turn();
        revokeBehindItsBack();
        node.turn();
        pass(3600);
        node.turn();
        assertThat(log).containsExactly("start 1", "fence 1");
        assertThat(fence()).isEmpty();

        unmounted.complete(true);
        node.turn();
        assertThat(log).endsWith("close 1", "start 2");
    }

    @Test
    void aMachineWhoseEtcdIsAwayAtItsStartIsNotReset() {
        connectWithShortCalls();
        server.pause();
        assertThatThrownBy(node::turn).isInstanceOf(ClusterException.class);
        node.feed();
        assertThat(log).as("not armed").isEmpty();
        server.resume();
        turnUntil("start 1");
    }

    /** Otherwise its watchdog would reset a healthy machine. */
    @Test
    void anAgentThatIsClosedOnAnInterruptedThreadTellsEtcdToo() {
        node.turn();
        Thread.currentThread().interrupt();
        node.close();

        assertThat(Thread.interrupted()).as("still interrupted").isTrue();
        assertThat(log).containsExactly("arm", "start 1", "close 1", "release");
    }

    @Test
    void anAgentThatStopsTellsEtcdBeforeItLetsTheWatchdogGo() {
        node.turn();
        node.close();
        assertThat(log).containsExactly("arm", "start 1", "close 1", "release");
        assertThat(fence()).as("its mounts stay").isEmpty();
    }

    @Test
    void anAgentThatStopsWhileEtcdIsAwayLetsTheWatchdogDoAsPromised() {
        connectWithShortCalls();
        turnUntil("start 1");
        server.pause();
        node.close();
        assertThat(log).containsExactly("arm", "start 1", "close 1");
        server.resume();
    }

    /** Such as a plugin that is gone, or a process that cannot be stopped: the next try may succeed. */
    @Test
    void aTryToGiveUpThatFailsIsFollowedByAnotherUntilOneSucceeds() {
        node.turn();
        revokeBehindItsBack();
        fails = () -> CompletableFuture.failedFuture(new IllegalStateException("the plugin is away"));
        node.turn();
        fails = () -> {
            throw new IllegalStateException("no thread can be started");
        };
        node.turn();
        fails = () -> CompletableFuture.completedFuture(false);
        node.turn();
        fails = null;
        node.turn();
        node.feed();
        assertThat(log).containsExactly("arm", "start 1", "fence 1", "fence 1", "fence 1", "fence 1");
        assertThat(etcdSays()).as("mounted still").contains("\"serving\"");

        unmounted.complete(true);
        node.turn();
        assertThat(log).endsWith("close 1", "start 2");
    }

    /** Its fence may have done half of its work, and a manager that fenced itself has no way back. */
    @Test
    void aNodeThatBeganToGiveUpNeverServesOnThoughItsLeaseCouldBeRenewed() {
        node.turn();
        server.pause();
        pass(24);
        fails = () -> {
            throw new IllegalStateException("no thread can be started");
        };
        node.turn();
        server.resume();
        fails = null;
        node.turn();
        unmounted.complete(true);
        turnUntil("start 2");
        assertThat(log).containsExactly("arm", "start 1", "fence 1", "fence 1", "close 1", "start 2");
    }

    /** Armed before the name is known to be free, the watchdog would reset a machine that did nothing. */
    @Test
    void aNodeOfAnotherMachinesNameIsRefusedAtItsStartAndHarmsNeither() {
        EtcdNodeLease first = new EtcdNodeLease(controllers, "n1", "m0", TTL, false, clock::get);
        first.begin("l1", true);
        assertThat(node.start())
                .failsWithin(30, TimeUnit.SECONDS)
                .withThrowableOfType(ExecutionException.class)
                .havingCause()
                .withMessageContaining("machine m0 has it");
        node.feed();
        node.close();
        assertThat(log).isEmpty();
        assertThat(first.renew()).isTrue();
        assertThat(etcdSays()).contains("\"m0\"");
    }

    /** A machine that keeps its watchdog quiet by opening it again and again would not be reset when its lease has ended. */
    @Test
    void anEarlierLifesPromiseIsTakenBackBeforeTheWatchdogIsOpened() {
        new EtcdNodeLease(controllers, "n1", "m1", TTL, false, clock::get).begin("l0", true);
        arming = () -> log.add("etcd: " + etcdSays());
        node.turn();
        assertThat(log.get(0)).startsWith("etcd: ").contains("\"guard\":\"none\"");
        assertThat(etcdSays()).contains("\"guard\":\"watchdog\"");
    }

    @Test
    void aWatchdogThatRefusesEndsTheStartAndLeavesNoLease() {
        arming = () -> {
            throw new IllegalStateException("it acts too late");
        };
        assertThat(node.start())
                .failsWithin(30, TimeUnit.SECONDS)
                .withThrowableOfType(ExecutionException.class)
                .havingCause()
                .withMessageContaining("it acts too late");
        node.close();
        assertThat(log).isEmpty();
        assertThat(controllers
                        .await(
                                "read",
                                controllers
                                        .client()
                                        .getKVClient()
                                        .get(controllers.keys().ofNodeLease("n1")))
                        .getKvs())
                .isEmpty();
    }

    private String etcdSays() {
        return EtcdKeys.text(controllers
                .await(
                        "read",
                        controllers
                                .client()
                                .getKVClient()
                                .get(controllers.keys().ofNodeWord("n1")))
                .getKvs()
                .get(0)
                .getValue());
    }

    @Test
    void aLeaseThatIsTooShortIsRefused() {
        EtcdNodeLease brief = new EtcdNodeLease(etcd, "n1", "m1", Duration.ofSeconds(59), false, clock::get);
        assertThatThrownBy(() -> new SelfFencing(brief, () -> "x", Life::new, TO_FENCE, new Dog()))
                .hasMessageContaining("too short")
                .hasMessageContaining("give it 60 s");
    }

    /** A member that hung answers after a while. */
    private void turnUntil(String entry) {
        for (int tries = 0; !log.contains(entry); tries++) {
            assertThat(tries).isLessThan(60);
            try {
                node.turn();
            } catch (ClusterException notYet) {
                assertThat(notYet.reason()).isEqualTo(ClusterException.Reason.UNAVAILABLE);
            }
        }
    }

    private void pass(int seconds) {
        clock.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
    }

    private Optional<Fence> fence() {
        return new EtcdFencing(controllers).fence("n1", new ManualCallContext());
    }

    private void revokeBehindItsBack() {
        long id = controllers
                .await(
                        "read",
                        controllers
                                .client()
                                .getKVClient()
                                .get(controllers.keys().ofNodeLease("n1")))
                .getKvs()
                .get(0)
                .getLease();
        controllers.await("revoke", controllers.client().getLeaseClient().revoke(id));
    }

    private final class Life implements NodeLife {
        private final int number = ++made;
        private boolean closed;

        Life() {
            unmounted = new CompletableFuture<>();
        }

        @Override
        public void start() {
            log.add("start " + number);
        }

        @Override
        public CompletableFuture<Boolean> fence() {
            log.add("fence " + number);
            return fails == null ? unmounted : fails.get();
        }

        @Override
        public void close() {
            if (!closed) {
                closed = true;
                log.add("close " + number);
            }
        }
    }

    private final class Dog implements Watchdog {
        @Override
        public Duration timeout() {
            return WATCHDOG;
        }

        @Override
        public void arm() {
            arming.run();
            log.add("arm");
        }

        @Override
        public void feed() {
            feeding.run();
            log.add("feed");
        }

        @Override
        public void release() {
            log.add("release");
        }
    }
}
