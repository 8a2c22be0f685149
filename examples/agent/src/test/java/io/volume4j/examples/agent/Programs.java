package io.volume4j.examples.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.examples.agent.http.HttpCluster;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.ClusterSource.Listing;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolumeClaim;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;

/** Programs that run in this JVM until they are closed, as a person starts them. */
@SuppressWarnings("try") // an interrupted test fails
final class Programs implements AutoCloseable {
    private final List<Program> all = new ArrayList<>();

    record Finished(int code, String out, String err) {}

    /** One that runs. */
    static final class Program {
        private final StopSignal stop = new StopSignal();
        private final CompletableFuture<Integer> code;

        Program(PrintStream err, String... words) {
            code = CompletableFuture.supplyAsync(
                    () -> Agent.run(words, stream(new ByteArrayOutputStream()), err, stop),
                    task -> new Thread(task).start());
        }

        boolean runs() {
            return !code.isDone();
        }

        /** Whether it ends by itself. */
        boolean endsWithin(Duration time) throws Exception {
            try {
                code.get(time.toMillis(), TimeUnit.MILLISECONDS);
                return true;
            } catch (TimeoutException runs) {
                return false;
            }
        }

        void end() throws Exception {
            stop.ask();
            assertThat(code.get(1, TimeUnit.MINUTES)).isZero();
        }
    }

    static Finished run(String... words) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = Agent.run(words, stream(out), stream(err), new StopSignal());
        return new Finished(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    static PrintStream stream(ByteArrayOutputStream to) {
        return new PrintStream(to, true, StandardCharsets.UTF_8);
    }

    /** A member of etcd that keeps its files in the directory. */
    static Process etcd(String url, Path directory) throws IOException {
        return new ProcessBuilder(
                        "etcd",
                        "--data-dir=" + directory.resolve("etcd"),
                        "--listen-client-urls=" + url,
                        "--advertise-client-urls=" + url,
                        "--listen-peer-urls=http://127.0.0.1:0",
                        "--log-level=error")
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("etcd.log").toFile())
                .start();
    }

    Program begin(String... words) {
        Program program = new Program(System.err, words);
        all.add(program);
        return program;
    }

    /** Waits until the object is there and as wanted. */
    static ApiObject await(HttpCluster cluster, ObjectKey key, Predicate<ApiObject> wanted) throws Exception {
        return awaitList(
                        cluster,
                        key.kind(),
                        listing -> listing.objects().stream()
                                .anyMatch(each -> each.key().equals(key) && wanted.test(each)))
                .objects()
                .stream()
                .filter(each -> each.key().equals(key))
                .findFirst()
                .orElseThrow();
    }

    static PersistentVolumeClaim awaitBound(HttpCluster cluster, ObjectKey claim) throws Exception {
        return (PersistentVolumeClaim) await(
                cluster, claim, each -> ((PersistentVolumeClaim) each).status().phase() == ClaimPhase.BOUND);
    }

    /** The claim asks for so much now. */
    static void grow(HttpCluster cluster, ObjectKey claim, String size) {
        cluster.patch(
                claim,
                new Patch(
                        Preconditions.none(),
                        false,
                        List.of(FieldChange.set(size, "spec", "resources", "requests", "storage"))));
    }

    /** An agent that was refused at first may pause for minutes before the object that makes the difference. */
    static Listing awaitList(HttpCluster cluster, Kind kind, Predicate<Listing> wanted) throws Exception {
        Semaphore news = new Semaphore(0);
        Listing listing = cluster.list(kind, Selection.all());
        try (ClusterSource.Watch watch = cluster.watch(kind, Selection.all(), listing.revision(), event -> {
            if (event.object() != null) {
                news.release();
            }
        })) {
            assertThat(watch).isNotNull();
            while (!wanted.test(listing)) {
                assertThat(news.tryAcquire(4, TimeUnit.MINUTES))
                        .as("stays %s", listing)
                        .isTrue();
                listing = cluster.list(kind, Selection.all());
            }
            return listing;
        }
    }

    @Override
    public void close() throws Exception {
        for (Program program : all) {
            program.end();
        }
    }
}
