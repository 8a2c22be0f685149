package io.volume4j.examples.agent.http;

import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterSource.Watch;
import io.volume4j.spi.host.ClusterSource.WatchListener;
import io.volume4j.spi.host.WatchEvent;
import io.volume4j.spi.model.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A watch: JSON lines over one connection after another, each from the revision that the last one came to, read by a thread
 * of its own.
 *
 * <p>It does not block. A connection that ends is made anew at once, from where the last one was. If that fails, or if connections
 * end without having brought anything, it is tried again for some seconds; then the watch is expired. The library then knows that it
 * knows nothing, takes nothing down meanwhile, and lists again with its own pauses, which grow for as long as watches hardly live.
 */
final class HttpWatch implements Watch {
    private static final Logger LOG = LoggerFactory.getLogger(HttpWatch.class);

    /** More than an object may have in Kubernetes' store, 1.5 MiB. */
    static final int LONGEST_LINE = 8 << 20;

    /**
     * A connection that lived so long was a good one, also if nothing happened meanwhile: as the reflectors of Kubernetes'
     * client have it. If it were longer, a network that breaks each connection after seconds would cost a listing each time.
     */
    private static final Duration GOOD = Duration.ofSeconds(1);

    /**
     * How long a watch goes on without a good connection; the watcher takes its state for complete meanwhile. A network that breaks all
     * connections every few seconds breaks also those that are just being made, and each listing would come after a longer pause.
     */
    private static final Duration WITHOUT_CONNECTION = Duration.ofSeconds(5);

    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);

    private final ApiServer server;
    private final String what;
    private final Kind kind;
    private final String collection;
    private final String query;
    private final WatchListener listener;
    private final Duration life;
    private final LongSupplier nanos;

    /** Up to where everything was told. The watch's thread only, once it runs. */
    private String revision;

    /** Open as long as the watch is. */
    private final CountDownLatch ended = new CountDownLatch(1);

    private @Nullable Exchange current;
    private boolean closed;

    /**
     * A watch that has not begun.
     *
     * @param collection path of the kind's objects
     * @param life of one connection; whatever silence there is in it, afterwards there is another one
     */
    HttpWatch(
            ApiServer server,
            Kind kind,
            String collection,
            String query,
            String revision,
            WatchListener listener,
            Duration life,
            LongSupplier nanos) {
        this.server = server;
        this.what = "watch " + kind.apiName();
        this.kind = kind;
        this.collection = collection;
        this.query = query;
        this.revision = revision;
        this.listener = listener;
        this.life = life;
        this.nanos = nanos;
    }

    /** @throws ClusterException if the server does not let us watch */
    void begin() {
        Connection first;
        try {
            first = connect(Exchange.HEAD);
        } catch (Expired tooLate) {
            first = null;
        } catch (IOException failed) {
            throw server.unavailable(what, failed);
        }
        Connection begun = first;
        Thread thread = new Thread(() -> run(begun), "api-watch-" + kind.apiName());
        thread.setDaemon(true);
        boolean runs = false;
        try {
            thread.start();
            runs = true;
        } finally {
            if (!runs) {
                close();
            }
        }
    }

    /** Says why a watch cannot go on. */
    private static final class Expired extends Exception {
        private static final long serialVersionUID = 1L;

        Expired(String why) {
            super(why);
        }
    }

    private record Connection(Exchange exchange, InputStream body) {}

    private Connection connect(Duration patience) throws IOException, Expired {
        String path = collection + "?" + query + "watch=1&allowWatchBookmarks=true&timeoutSeconds=" + life.toSeconds()
                + "&resourceVersion=" + ApiPath.encoded(revision);
        // The server is to end it first.
        Exchange exchange = server.open(path, life.plusSeconds(30));
        replaceCurrent(exchange);
        Exchange.Head head = exchange.head(patience);
        if (head.code() == 200) {
            return new Connection(exchange, head.body());
        }
        try (exchange) {
            ApiServer.Answer refusal = exchange.whole(LONGEST_LINE);
            if (refusal.code() == 410) {
                throw new Expired("410");
            }
            throw ApiErrors.of(what + server.at(), "", refusal.code(), refusal.body());
        }
    }

    private void run(@Nullable Connection first) {
        try {
            if (first == null) {
                throw new Expired("410");
            }
            Connection connection = first;
            long lost = nanos.getAsLong();
            Duration pause = FIRST_PAUSE;
            while (true) {
                long since = nanos.getAsLong();
                boolean told = follow(connection);
                if (isClosed()) {
                    return;
                }
                if (told || nanos.getAsLong() - since >= GOOD.toNanos()) {
                    lost = nanos.getAsLong();
                    pause = FIRST_PAUSE;
                } else {
                    pause = pauseOf(pause, lost, "the connection ended at once");
                }
                connection = connectAgain(lost, pause);
            }
        } catch (Expired | ClusterException cannotGoOn) {
            end(cannotGoOn);
        } catch (RuntimeException | Error broken) {
            // Whatever it is: if this thread ended without a word, the kind would stay for ever as it is known now.
            end(broken);
            LOG.error("action=watch kind={} revision={}", kind, revision, broken);
        }
    }

    /** The next connection, tried for as long as the watch may go on without one. */
    private Connection connectAgain(long lost, Duration firstPause) throws Expired {
        Duration pause = firstPause;
        while (true) {
            try {
                return connect(left(lost));
            } catch (IOException failed) {
                pause = pauseOf(pause, lost, String.valueOf(failed.getMessage()));
            }
        }
    }

    private Duration left(long lost) {
        return WITHOUT_CONNECTION.minusNanos(nanos.getAsLong() - lost);
    }

    /**
     * Waits, but not beyond the end.
     *
     * @return the pause after the next failure
     */
    private Duration pauseOf(Duration pause, long lost, String why) throws Expired {
        if (left(lost).compareTo(pause) <= 0) {
            throw new Expired(why);
        }
        try {
            if (ended.await(pause.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new Expired("closed");
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new Expired("interrupted");
        }
        return pause.multipliedBy(2);
    }

    private void end(Throwable why) {
        synchronized (this) {
            if (closed) {
                return;
            }
        }
        try {
            close();
            LOG.debug("action=watch kind={} revision={} ended=\"{}\"", kind, revision, why.getMessage());
        } finally {
            listener.onEvent(WatchEvent.expired());
        }
    }

    /** Tells what the connection brings until it ends; whether it brought anything. */
    private boolean follow(Connection connection) throws Expired {
        boolean told = false;
        try {
            LineReader lines = new LineReader(connection.body(), LONGEST_LINE);
            for (byte @Nullable [] line = lines.next(); line != null; line = lines.next()) {
                tell(Json.read(line));
                told = true;
            }
        } catch (IOException broken) {
            LOG.debug("action=watch kind={} revision={} error=\"{}\"", kind, revision, broken.getMessage());
        } finally {
            connection.exchange().close();
        }
        return told;
    }

    private void tell(Map<String, @Nullable Object> line) throws Expired {
        String type = Json.text(line, "type");
        Map<String, @Nullable Object> object = Json.map(line, "object");
        String at = Json.text(Json.map(object, "metadata"), "resourceVersion");
        if (type.equals("ERROR") || at.isEmpty()) {
            throw new Expired(type + " " + Json.text(object, "message"));
        }
        WatchEvent event = switch (type) {
            case "ADDED", "MODIFIED" -> WatchEvent.changed(ObjectReader.read(what, kind, object));
            case "DELETED" -> WatchEvent.deleted(ObjectReader.read(what, kind, object), at);
            case "BOOKMARK" -> WatchEvent.bookmark(at);
            default -> throw new Expired("an event of the type \"" + type + "\"");
        };
        if (isClosed()) {
            return;
        }
        listener.onEvent(event);
        revision = at;
    }

    private synchronized void replaceCurrent(Exchange exchange) {
        current = exchange;
        if (closed) {
            exchange.close();
        }
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    @Override
    public void close() {
        Exchange ends;
        synchronized (this) {
            closed = true;
            ends = current;
        }
        ended.countDown();
        if (ends != null) {
            ends.close();
        }
    }
}
