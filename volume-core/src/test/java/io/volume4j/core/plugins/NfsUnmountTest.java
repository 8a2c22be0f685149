package io.volume4j.core.plugins;

import static io.volume4j.core.plugins.Failing.failureOf;
import static io.volume4j.core.plugins.NfsNode.SPEC;
import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.mount.UnmountMode;
import io.volume4j.spi.plugin.StatsReporter.StatsRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How an export is let go, whether its server answers or not. */
class NfsUnmountTest {
    private final List<Thread> threads = new ArrayList<>();

    /** How many of the next calls to the kernel hang; the others end before the caller's limit. */
    private int hanging;

    private boolean noThread;

    private final Executor onThreads = work -> {
        if (noThread) {
            throw new OutOfMemoryError("unable to create native thread");
        }
        if (hanging == 0) {
            work.run();
            return;
        }
        hanging--;
        Thread thread = new Thread(work);
        threads.add(thread);
        thread.start();
    };

    private final CountDownLatch serverIsBack = new CountDownLatch(1);
    private final NfsNode node = new NfsNode(onThreads);
    private final FakeMachine machine = node.machine;
    private final NfsPlugin plugin = node.plugin;

    @AfterEach
    void endAllThreads() throws InterruptedException {
        serverIsBack.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
    }

    @Test
    void unmountsTheOrdinaryWayWhileTheServerAnswers() {
        node.mount(SPEC, false);
        unmount(1);
        unmount(1);

        assertThat(machine.effects).containsExactly("mount nfs", "unmount NORMAL");
        assertThat(machine.nodes).doesNotContainKey(Given.POD_TARGET.absolute());
    }

    @Test
    void withoutAThreadNothingIsUnmountedAndTheNextAttemptDoesIt() {
        node.mount(SPEC, false);
        noThread = true;

        assertThat(failureOf(() -> unmount(1)).kind()).isEqualTo(FailureKind.TRANSIENT);
        assertThat(machine.effects).containsExactly("mount nfs");

        noThread = false;
        unmount(2);
        assertThat(machine.effects).containsExactly("mount nfs", "unmount NORMAL");
    }

    @Test
    void abortsWhatWaitsForADeadServer() {
        node.mount(SPEC, false);
        hanging = 1;
        machine.whenUnmounting = mode -> {
            if (mode == UnmountMode.NORMAL) {
                awaitServer();
            }
        };

        unmount(1);

        assertThat(machine.effects).containsExactly("mount nfs", "unmount FORCE");
        assertThat(machine.mounts).isEmpty();
    }

    @Test
    void neverForcesAMountThatIsMerelyBusy() {
        node.mount(SPEC, false);
        machine.whenUnmounting = mode -> {
            throw VolumeException.of(FailureKind.IN_USE, "umount2: EBUSY");
        };

        assertThat(failureOf(() -> unmount(5)).kind()).isEqualTo(FailureKind.IN_USE);
        assertThat(machine.effects).containsExactly("mount nfs");
    }

    /** A look that waits for the server makes the mount busy, and must not keep it for ever. */
    @Test
    void abortsItsOwnQuestionThatWaitsForADeadServer() throws Exception {
        node.mount(SPEC, false);
        CountDownLatch asking = new CountDownLatch(1);
        CountDownLatch aborted = new CountDownLatch(1);
        machine.whenAsked = () -> {
            asking.countDown();
            awaitUninterruptibly(aborted);
        };
        machine.whenUnmounting = mode -> {
            if (mode == UnmountMode.FORCE) {
                aborted.countDown();
            } else if (aborted.getCount() > 0) {
                throw VolumeException.of(FailureKind.IN_USE, "umount2: EBUSY");
            }
        };
        CompletableFuture<?> stats = CompletableFuture.runAsync(() -> ask(plugin));
        asking.await();

        unmount(1);

        assertThat(machine.effects).containsExactly("mount nfs", "unmount FORCE");
        var ended = stats.handle((value, failure) -> true).get(60, TimeUnit.SECONDS);
        assertThat(ended).isTrue();
    }

    /** A look that has its answer is over soon, and nothing is thrown away for it. */
    @Test
    void waitsForItsOwnQuestionWhileTheServerAnswers() throws Exception {
        NfsPlugin patient =
                Given.ready(new NfsPlugin(server -> "192.0.2.7", onThreads, Duration.ofMinutes(1)), machine);
        node.mount(SPEC, false);
        CountDownLatch asking = new CountDownLatch(1);
        CountDownLatch tried = new CountDownLatch(1);
        machine.whenAsked = () -> {
            asking.countDown();
            awaitUninterruptibly(tried);
        };
        machine.whenUnmounting = mode -> {
            if (tried.getCount() > 0) {
                tried.countDown();
                throw VolumeException.of(FailureKind.IN_USE, "umount2: EBUSY");
            }
        };
        CompletableFuture<?> stats = CompletableFuture.runAsync(() -> ask(patient));
        asking.await();

        unmount(patient, 1);

        assertThat(machine.effects).containsExactly("mount nfs", "unmount NORMAL");
        var ended = stats.handle((value, failure) -> true).get(60, TimeUnit.SECONDS);
        assertThat(ended).isTrue();
    }

    @ParameterizedTest(name = "attempt {0}: gone {1}")
    @CsvSource({"1, false", "2, false", "3, true", "9, true"})
    void takesAMountOutOfSightOnlyAfterSeveralAttempts(int attempt, boolean gone) {
        node.mount(SPEC, false);
        hanging = 2;
        machine.whenUnmounting = mode -> {
            if (mode != UnmountMode.LAZY) {
                awaitServer();
                throw VolumeException.of(FailureKind.IN_USE, "umount2: EBUSY");
            }
        };

        if (gone) {
            unmount(attempt);
        } else {
            assertThat(failureOf(() -> unmount(attempt)).kind()).isEqualTo(FailureKind.UNCERTAIN);
        }

        assertThat(machine.mounts.isEmpty()).isEqualTo(gone);
    }

    @Test
    void unmountsNothingThatIsNoExport() {
        machine.createDirectory(Given.POD_TARGET, 0750);
        machine.mounted(Path.of("/dev/sda1"), Given.POD_TARGET.absolute(), "ext4", false);

        assertThat(failureOf(() -> unmount(1)).kind()).isEqualTo(FailureKind.FINAL);
        assertThat(machine.mounts).hasSize(1);
    }

    private void ask(NfsPlugin asked) {
        asked.stats(SPEC)
                .orElseThrow()
                .stats(
                        new StatsRequest(VolumeId.ofPod(NfsPlugin.NAME, "data", "uid-1"), Given.POD_TARGET.absolute()),
                        TestContext.first());
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void unmount(int attempt) {
        unmount(plugin, attempt);
    }

    private static void unmount(NfsPlugin plugin, int attempt) {
        plugin.unmounter(VolumeId.ofPod(NfsPlugin.NAME, "data", "uid-1"))
                .orElseThrow()
                .unmount(Given.unmount(plugin), new TestContext(attempt, new ArrayList<>()));
    }

    private void awaitServer() {
        try {
            serverIsBack.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
