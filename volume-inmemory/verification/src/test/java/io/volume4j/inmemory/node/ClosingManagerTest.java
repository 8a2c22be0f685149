package io.volume4j.inmemory.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.core.VolumeManager;
import io.volume4j.core.plugins.DefaultPluginHost;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.volumes.AttachMode;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.inmemory.plugin.InMemoryPlugin;
import io.volume4j.inmemory.plugin.InMemoryStorage;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whatever is asked of a manager that is being closed, by whichever thread: it is answered, or refused, and not forgotten. */
@Timeout(120)
class ClosingManagerTest {
    private static final Path ROOT = Path.of("/volumes");

    private static VolumeManager started() {
        InMemoryMountBackend machine = InMemoryMountBackend.create();
        machine.files().createRoot(ROOT);
        PluginRegistry plugins = PluginRegistry.builder(DefaultPluginHost.builder(ROOT)
                        .nodeName("n1")
                        .mounts(machine)
                        .build())
                .plugins(List.of(InMemoryPlugin.on(InMemoryStorage.create())))
                .build();
        // Long enough for a machine that has no time; a second close that waited for it would end in the test's
        // timeout.
        VolumeManager manager = VolumeManager.builder()
                .cluster(InMemoryCluster.create())
                .plugins(plugins)
                .attachMode(AttachMode.SELF)
                .journalInMemory()
                .closeTimeout(Duration.ofMinutes(10))
                .build();
        manager.start();
        return manager;
    }

    private static List<CompletableFuture<?>> questions(VolumeManager manager) {
        return List.of(
                manager.whenMounted("unknown"),
                manager.snapshot(),
                manager.plan(),
                manager.present(),
                manager.volumesInUse(),
                manager.explainPod("unknown"),
                manager.timeline(VolumeId.shared("mem", "none")));
    }

    @Test
    void refusesEveryQuestionOnceItIsClosed() {
        VolumeManager manager = started();
        manager.close();

        for (CompletableFuture<?> answer : questions(manager)) {
            assertThat(answer).isDone();
            assertThatThrownBy(answer::join).hasRootCauseInstanceOf(VolumeException.class);
        }
    }

    @Test
    void failsTheWaitingCallersWhenItIsClosed() {
        VolumeManager manager = started();
        CompletableFuture<?> waiting = manager.whenMounted("unknown");

        manager.close();

        assertThatThrownBy(waiting::join)
                .hasRootCauseInstanceOf(VolumeException.class)
                .hasMessageContaining("closed");
    }

    @Test
    void closingAgainIsNothing() {
        VolumeManager manager = started();
        manager.close();

        assertThat(manager.closeReportingLeft()).isEmpty();
    }

    @Test
    void leavesNoCallerWaitingHoweverQuestionsAndTwoCloseCallsMeet() throws Exception {
        for (int round = 0; round < 20; round++) {
            VolumeManager manager = started();
            ConcurrentLinkedQueue<CompletableFuture<?>> asked = new ConcurrentLinkedQueue<>();
            CountDownLatch begin = new CountDownLatch(1);
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                threads.add(new Thread(() -> {
                    awaitUninterruptibly(begin);
                    asked.addAll(questions(manager));
                    asked.addAll(questions(manager));
                }));
            }
            threads.add(new Thread(() -> {
                awaitUninterruptibly(begin);
                manager.close();
            }));
            threads.forEach(Thread::start);
            begin.countDown();
            manager.close();
            for (Thread thread : threads) {
                thread.join();
            }

            assertThat(asked).hasSize(42);
            for (CompletableFuture<?> answer : asked) {
                // Whether it was answered or refused is the race's business.
                answer.handle((value, failure) -> true).get(1, TimeUnit.MINUTES);
            }
        }
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }
}
