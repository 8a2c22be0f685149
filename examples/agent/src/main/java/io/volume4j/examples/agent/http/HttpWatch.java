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
 * A watch: JSON lines over successive connections, each from the last revision on, read by its own thread.
 *
 * <p>Opening it blocks until the server has answered. After the end of a connection the watch connects again at once, from the last
 * revision. If that fails, if the server puts it off (429, 5xx), or if connections end without data, it tries for some seconds; then
 * the watch expires. The library then considers its state incomplete and takes no volume down. It lists again with its own pauses,
 * which grow while watches end early.
 */
final class HttpWatch implements Watch {
    private static final Logger LOG = LoggerFactory.getLogger(HttpWatch.class);

    /** The store of Kubernetes limits an object to 1.5 MiB. */
    static final int LONGEST_LINE = 8 << 20;

    /**
     * A connection with this lifetime counts as good, also without events, as in the reflectors of Kubernetes' client. With a longer
     * limit, a network that breaks each connection after seconds would require a new list each time.
     */
    private static final Duration GOOD = Duration.ofSeconds(1);

    /**
     * The time that a watch continues without a good connection; the watcher considers its state complete meanwhile. A network that
     * breaks all connections every few seconds also breaks new ones, and each list would follow a longer pause.
     */
    private static final Duration WITHOUT_CONNECTION = Duration.ofSeconds(5);

    /** A request needs this remaining time, or half of its time if that is less. */
    private static final Duration LEAST_LEFT = Duration.ofSeconds(5);

    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);

    private final ApiServer server;
    private final String what;
    private final Kind kind;
    private final String collection;
    private final String query;
    private final WatchListener listener;
    private final Duration life;
    private final LongSupplier nanos;

    /** The last reported revision. Used only by the watch's thread once it runs. */
    private String revision;

    /** Counted down at the end of the watch. */
    private final CountDownLatch ended = new CountDownLatch(1);

    private @Nullable Exchange current;
    private boolean closed;

    /**
     * A watch that has not begun.
     *
     * @param collection path of the kind's objects
     * @param life of one connection; it bounds the time of an undetected failure
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

    /**
     * Blocks the caller, in the library a worker that does nothing else meanwhile.
     *
     * @param patience the time limit, also if the server begins an answer and stops
     * @throws ClusterException if the server refuses the watch, or does not answer in time
     */
    void begin(Duration patience) {
        Connection begun = connectFirst(patience);
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

    /** Null if the revision has expired. */
    private @Nullable Connection connectFirst(Duration patience) {
        long end = nanos.getAsLong() + patience.toNanos();
        while (true) {
            try {
                return connect(until(end));
            } catch (Expired tooLate) {
                return null;
            } catch (Deferred deferred) {
                boolean inTime = until(end).minus(LEAST_LEFT).compareTo(deferred.pause) >= 0;
                if (deferred.pause.isZero() || !inTime) {
                    throw deferred.refused;
                }
            } catch (IOException failed) {
                throw server.unavailable(what, failed);
            }
        }
    }

    /** The reason why a watch cannot continue. */
    private static final class Expired extends Exception {
        private static final long serialVersionUID = 1L;

        Expired(String why) {
            super(why);
        }
    }

    /** The answer of an overloaded or failing server; the next connection begins after the pause that it requires. */
    private static final class Deferred extends IOException {
        private static final long serialVersionUID = 1L;

        private final transient ClusterException refused;
        private final transient Duration pause;

        Deferred(ClusterException refused, Duration pause) {
            super(refused.getMessage(), refused);
            this.refused = refused;
            this.pause = pause;
        }
    }

    private record Connection(Exchange exchange, InputStream body) {}

    /**
     * Opens the next connection.
     *
     * @param patience for all of it: for this client's turn, for the head of the answer, and for the text of a refusal. Until this
     *     ends, a watch that runs reports nothing, and the library takes the known state for complete
     */
    private Connection connect(Duration patience) throws IOException, Expired {
        long end = nanos.getAsLong() + patience.toNanos();
        String path = collection + "?" + query + "watch=1&allowWatchBookmarks=true&timeoutSeconds=" + life.toSeconds()
                + "&resourceVersion=" + ApiPath.encoded(revision);
        // The server must end the connection first.
        Exchange exchange = server.open(path, life.plusSeconds(30), patience.minus(least(patience)));
        replaceCurrent(exchange);
        Exchange.Head head = exchange.head(until(end));
        if (head.code() == 200) {
            return new Connection(exchange, head.body());
        }
        try (exchange) {
            if (head.code() == 410) {
                throw new Expired("410");
            }
            ApiServer.Answer answer = refusal(exchange, head, until(end));
            Duration pause = server.obey(answer);
            ClusterException refused = server.refusal(what, "", answer);
            if (answer.deferred()) {
                throw new Deferred(refused, pause);
            }
            throw refused;
        }
    }

    /** The server's reason, if it arrives in time; the code alone is an answer, too. */
    private ApiServer.Answer refusal(Exchange exchange, Exchange.Head head, Duration patience) {
        Watch limit = server.later(patience, exchange::close);
        try {
            return exchange.whole(LONGEST_LINE);
        } catch (IOException stopped) {
            LOG.atDebug()
                    .addKeyValue("kind", kind)
                    .addKeyValue("error", stopped.getMessage())
                    .log("the reason of a refused watch could not be read");
            return new ApiServer.Answer(head.code(), head.retryAfter(), new byte[0]);
        } finally {
            limit.close();
        }
    }

    private Duration until(long end) {
        return Duration.ofNanos(end - nanos.getAsLong());
    }

    /** The part of the time that stays for the server after this client has its turn. */
    private static Duration least(Duration patience) {
        Duration half = patience.dividedBy(2);
        return half.compareTo(LEAST_LEFT) < 0 ? half : LEAST_LEFT;
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
            // Catches any exception: if this thread ended without a report, the kind would keep its state for ever.
            end(broken);
            LOG.atError()
                    .setCause(broken)
                    .addKeyValue("kind", kind)
                    .addKeyValue("revision", revision)
                    .log("a watch ended by a defect");
        }
    }

    /** The next connection; tries until the limit for a watch without connection. */
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
     * Waits, but not beyond the limit.
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
            LOG.atDebug()
                    .addKeyValue("kind", kind)
                    .addKeyValue("revision", revision)
                    .addKeyValue("reason", why.getMessage())
                    .log("watch ended; the kind is listed again");
        } finally {
            listener.onEvent(WatchEvent.expired());
        }
    }

    /** Reports the events of the connection until it ends; returns whether there was one. */
    private boolean follow(Connection connection) throws Expired {
        boolean told = false;
        try {
            LineReader lines = new LineReader(connection.body(), LONGEST_LINE);
            for (byte @Nullable [] line = lines.next(); line != null; line = lines.next()) {
                tell(Json.read(line));
                told = true;
            }
        } catch (IOException broken) {
            LOG.atDebug()
                    .addKeyValue("kind", kind)
                    .addKeyValue("revision", revision)
                    .addKeyValue("error", broken.getMessage())
                    .log("connection of a watch broke");
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
