package io.volume4j.inmemory.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.journal.FileJournalStore;
import io.volume4j.core.journal.JournalException;
import io.volume4j.core.node.state.RootIdentity;
import io.volume4j.inmemory.host.InMemoryPluginHost;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.HostFiles;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.plugin.PluginHost;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two processes that start for the first time on one new root, in every order of what they do. */
class FirstStartsTest {
    /** More than a process takes. */
    private static final int STEPS = 6;

    @TempDir
    Path root;

    @Test
    void endWithOneIdentityInEveryOrderAndACallerThatComesTooEarlyLearnsWhoHasTheRoot() throws InterruptedException {
        List<boolean[]> orders = new ArrayList<>();
        collect(new boolean[2 * STEPS], 0, 0, orders);
        assertThat(orders).hasSize(924);
        int refused = 0;
        for (boolean[] order : orders) {
            refused += refusedIn(order);
        }
        assertThat(refused).as("orders in which one was refused").isPositive();
    }

    /** How many of the two were refused. */
    private int refusedIn(boolean[] order) throws InterruptedException {
        InMemoryMountBackend machine = InMemoryMountBackend.create();
        Starting one = new Starting(machine, new UUID(0, 1));
        Starting other = new Starting(machine, new UUID(0, 2));
        for (boolean first : order) {
            (first ? one : other).step();
        }
        String kept = written(machine);
        int refused = 0;
        for (Starting each : List.of(one, other)) {
            each.join();
            if (each.failure != null) {
                refused++;
                assertThat(each.failure.kind()).isEqualTo(FailureKind.TRANSIENT);
                assertThat(each.failure).hasMessageContaining(root + " is in use by another");
                assertThat(each.failure.getCause()).isInstanceOf(JournalException.class);
            } else {
                assertThat(each.identity).isEqualTo(kept);
            }
        }
        assertThat(refused).isLessThan(2);
        assertThat(RootIdentity.of(host(machine), this::alone, () -> new UUID(0, 3))
                        .rootId())
                .isEqualTo(kept);
        return refused;
    }

    private String written(MountBackend machine) {
        byte[] text = machine.files()
                .read(RootedPath.of(root, "root-id"), 100)
                .orElseThrow(() -> new AssertionError("no identity was written"));
        return new String(text, StandardCharsets.UTF_8).trim();
    }

    private String alone(Supplier<String> work) {
        return FileJournalStore.alone(root, "n1", work);
    }

    private PluginHost host(MountBackend machine) {
        return InMemoryPluginHost.named("n1").root(root).mounts(machine).build();
    }

    private static void collect(boolean[] order, int at, int ofFirst, List<boolean[]> orders) {
        if (at == order.length) {
            orders.add(order.clone());
            return;
        }
        if (ofFirst < STEPS) {
            order[at] = true;
            collect(order, at + 1, ofFirst + 1, orders);
        }
        if (at - ofFirst < STEPS) {
            order[at] = false;
            collect(order, at + 1, ofFirst, orders);
        }
    }

    /** Goes on only when it is told to, to just before its next step. */
    private final class Starting {
        private final Semaphore go = new Semaphore(0);
        private final Semaphore stands = new Semaphore(0);
        private final Thread thread;
        private volatile boolean over;

        @Nullable
        volatile String identity;

        @Nullable
        volatile VolumeException failure;

        Starting(MountBackend machine, UUID id) throws InterruptedException {
            thread = new Thread(() -> {
                try {
                    identity = RootIdentity.of(host(inSteps(machine)), this::aloneInSteps, () -> id)
                            .rootId();
                } catch (VolumeException e) {
                    failure = e;
                } finally {
                    over = true;
                    stands.release();
                }
            });
            thread.start();
            stands.acquire();
        }

        void step() throws InterruptedException {
            if (!over) {
                go.release();
                stands.acquire();
            }
        }

        void join() throws InterruptedException {
            while (!over) {
                step();
            }
            thread.join();
        }

        private void pause() {
            stands.release();
            go.acquireUninterruptibly();
        }

        private String aloneInSteps(Supplier<String> work) {
            pause();
            return alone(() -> {
                String done = work.get();
                pause();
                return done;
            });
        }

        private MountBackend inSteps(MountBackend machine) {
            HostFiles files = pausing(HostFiles.class, machine.files());
            return (MountBackend) Proxy.newProxyInstance(
                    getClass().getClassLoader(),
                    new Class<?>[] {MountBackend.class},
                    (proxy, method, arguments) ->
                            method.getName().equals("files") ? files : method.invoke(machine, arguments));
        }

        private <T> T pausing(Class<T> type, T target) {
            return type.cast(Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                        // to follow the links of the root's path reads alone, before any of the steps
                        if (!method.getName().equals("resolve")) {
                            pause();
                        }
                        try {
                            return method.invoke(target, arguments);
                        } catch (InvocationTargetException thrown) {
                            throw thrown.getCause() == null ? thrown : thrown.getCause();
                        }
                    }));
        }
    }
}
