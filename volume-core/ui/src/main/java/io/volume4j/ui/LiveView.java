package io.volume4j.ui;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.volume4j.core.volumes.OrphanedStorage;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.model.OneLine;
import io.volume4j.ui.act.Actions;
import io.volume4j.ui.act.Tickets;
import io.volume4j.ui.feed.StepFeed;
import io.volume4j.ui.join.JoinedRows;
import io.volume4j.ui.join.JoinedSummary;
import io.volume4j.ui.join.JoinedView;
import io.volume4j.ui.rows.RowTable;
import io.volume4j.ui.watch.Details;
import io.volume4j.ui.watch.Live;
import io.volume4j.ui.watch.Readings;
import io.volume4j.ui.watch.Refresher;
import io.volume4j.ui.watch.Shown;
import io.volume4j.ui.watch.SummaryTree;
import io.volume4j.ui.web.Refusal;
import io.volume4j.ui.web.Tokens;
import io.volume4j.ui.web.WebServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Shows the nodes and controllers of this process while they work, to browsers and to {@link LiveTop}. It can also
 * show the contents of other views. It listens at the loopback address, requires a token, and by default permits no
 * actions; see {@link LiveViewBuilder}.
 *
 * <pre>{@code
 * LiveView view = LiveView.builder().cluster(cluster).build();
 * LiveSource here = view.source("here");
 * VolumeManager volumes = VolumeManager.builder().instrumentation(here)….build();
 * here.watch(volumes);
 * view.start();
 * System.err.println("live view: " + view.link());
 * }</pre>
 *
 * <p>Without viewers it does not query the reconcilers. With viewers it reads the changed volumes and objects, at
 * most 32 in one turn of an event loop. It shows only explanations, events and log texts, from which the library
 * removes secrets.
 *
 * <p>Thread-safe. Its threads are daemons.
 *
 * @since 0.1.0
 */
public final class LiveView implements AutoCloseable {
    private static final int LARGEST_PAGE = 500;
    private static final long PATIENCE_SECONDS = 30;
    private static final Duration CONNECT = Duration.ofSeconds(3);

    private final String title;
    private final InetSocketAddress address;
    private final boolean remote;
    private final boolean actions;
    private final Map<String, LiveSource> sources = new ConcurrentHashMap<>();
    private final List<LiveSource> order = new ArrayList<>();
    private final Map<String, Live> lives = new ConcurrentHashMap<>();
    private final RowTable rows = new RowTable();
    private final InstantSource clock = InstantSource.system();
    private final LongSupplier nanoClock = System::nanoTime;
    private final Tokens tokens;
    private final Tickets tickets;
    private final Actions doable = new Actions(this::readings);
    private final Details details;
    private final SummaryTree summaries = new SummaryTree();
    private final ScheduledThreadPoolExecutor timer;
    private final ExecutorService blocking;
    private final List<JoinedView> joined;
    private final Refresher refresher;
    private @Nullable WebServer server;
    private boolean closed;

    LiveView(
            String title,
            InetSocketAddress address,
            boolean remote,
            boolean actions,
            @Nullable ClusterSource cluster,
            String viewerToken,
            Map<String, LiveViewBuilder.Joins> joins) {
        this.title = title;
        this.address = address;
        this.remote = remote;
        this.actions = actions;
        SecureRandom random = new SecureRandom();
        this.tokens = viewerToken.isEmpty() ? new Tokens(random) : new Tokens(random, viewerToken);
        this.tickets = new Tickets(random, nanoClock);
        this.details = new Details(cluster, clock);
        this.timer = new ScheduledThreadPoolExecutor(1, threads("volume-ui-refresh"));
        // At most one thread for each source: a source is not queried again before it has answered.
        this.blocking = Executors.newCachedThreadPool(threads("volume-ui-ask"));
        this.joined = joins.isEmpty() ? List.of() : joined(joins);
        this.refresher = new Refresher(this::lives, new Shown(rows, timer, clock), blocking, this::publish, nanoClock);
    }

    private List<JoinedView> joined(Map<String, LiveViewBuilder.Joins> joins) {
        HttpClient client = HttpClient.newBuilder()
                .connectTimeout(CONNECT)
                .executor(blocking)
                .build();
        List<JoinedView> all = new ArrayList<>();
        joins.forEach(
                (name, other) -> all.add(new JoinedView(name, other.address(), other.token(), client, nanoClock)));
        return List.copyOf(all);
    }

    private static ThreadFactory threads(String name) {
        AtomicInteger number = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, name + "-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    /** A builder for a view. */
    public static LiveViewBuilder builder() {
        return new LiveViewBuilder();
    }

    /**
     * Creates a source for one more node or controller. Pass it to the builder of that node or controller.
     * @param name the name on the page, such as the node's name
     * @throws IllegalArgumentException if another source or a joined view has the name, or it contains a line feed
     */
    public synchronized LiveSource source(String name) {
        if (name.indexOf('\n') >= 0) {
            throw new IllegalArgumentException("the name of a source is one line, not " + OneLine.name(name));
        }
        if (joined.stream().anyMatch(view -> view.has(name))) {
            throw new IllegalArgumentException(
                    "a joined view shows its sources with the name " + name + ": join it under another one");
        }
        LiveSource source = new LiveSource(name, new StepFeed(nanoClock));
        if (sources.putIfAbsent(name, source) != null) {
            throw new IllegalArgumentException("there is a source " + name + " already: give each its own name");
        }
        order.add(source);
        return source;
    }

    /**
     * Removes a source: its node or controller was closed, or the host does not want to show it any more. From then on
     * the name is free for another source. Actions that no operator has confirmed yet must be requested again.
     * Idempotent; does nothing for the source of another view.
     */
    public synchronized void remove(LiveSource source) {
        if (order.remove(source)) {
            source.close();
            tickets.clear();
            sources.remove(source.name());
            lives.remove(source.name());
            if (!closed) {
                // On the thread that adds rows: it reads that the source is closed, or it added them before.
                timer.execute(() -> rows.removeAll(source.name()));
            }
        }
    }

    /**
     * Starts to listen. After an exception the host may call it again, with another view if the machine had no free thread: the
     * JDK's server may keep the port then until the process ends.
     * @throws UncheckedIOException if it cannot listen at its address
     * @throws IllegalStateException if it was started or closed before
     */
    public synchronized void start() {
        if (closed) {
            throw new IllegalStateException("the live view was closed; build another one");
        }
        if (server != null) {
            throw new IllegalStateException("the live view was started before; call start() once");
        }
        // Its queue keeps a task even if it cannot create the thread for it.
        timer.prestartCoreThread();
        WebServer listening;
        try {
            listening = new WebServer(address, remote, tokens, new ViewShows(this), threads("volume-ui-http"));
        } catch (IOException taken) {
            throw new UncheckedIOException(
                    "the live view cannot listen at " + address.getHostString() + ":" + address.getPort() + ": "
                            + taken.getMessage()
                            + "; give another port, or 0 for any",
                    taken);
        }
        try {
            listening.start();
            refresher.start(timer);
        } catch (RuntimeException | Error failed) {
            // For instance there is no thread.
            listening.close();
            throw failed;
        }
        server = listening;
    }

    /**
     * The address of the view, without a token.
     *
     * @throws IllegalStateException if it was not started
     */
    public synchronized URI uri() {
        if (server == null) {
            throw new IllegalStateException("the live view was not started");
        }
        String host = server.address().getAddress().getHostAddress();
        return URI.create("http://" + (host.contains(":") ? "[" + host + "]" : host) + ":"
                + server.address().getPort() + "/");
    }

    /**
     * The address with the viewer's token after {@code #}; browsers do not send that part to servers. Print it once,
     * for the person who started the view.
     */
    public String link() {
        return uri() + "#" + tokens.viewer();
    }

    /** The token that a viewer needs to see the view. */
    public String viewerToken() {
        return tokens.viewer();
    }

    /**
     * The token that an operator needs for each action. Useful only if the host called
     * {@link LiveViewBuilder#actions()}.
     */
    public String operatorToken() {
        return tokens.operator();
    }

    /** Closes the view and all its connections. Idempotent. */
    @Override
    public synchronized void close() {
        closed = true;
        if (server != null) {
            server.close();
        }
        timer.shutdownNow();
        blocking.shutdownNow();
    }

    private synchronized List<Live> lives() {
        List<Live> all = new ArrayList<>();
        for (LiveSource source : order) {
            source.readings()
                    .ifPresent(readings -> all.add(lives.computeIfAbsent(source.name(), name -> new Live(readings))));
        }
        return all;
    }

    private List<Readings> readings() {
        return lives().stream().map(Live::readings).toList();
    }

    private void publish() {
        joined.forEach(JoinedView::refresh);
        @Nullable WebServer listening;
        synchronized (this) {
            listening = server;
        }
        if (listening != null) {
            listening.publish(summary());
        }
    }

    ObjectNode summary() {
        Instant now = clock.instant();
        ObjectNode own = summaries.of(title, actions, lives(), rows, now);
        return joined.isEmpty() ? own : JoinedSummary.of(own, joined, nanoClock.getAsLong());
    }

    JsonNode rows(Map<String, String> query) {
        ObjectNode own = RowPages.of(rows, query, LARGEST_PAGE);
        return joined.isEmpty() ? own : JoinedRows.of(joined, query, LARGEST_PAGE, own);
    }

    JsonNode detail(String name, String key) {
        Optional<JoinedView> other =
                joined.stream().filter(view -> view.has(name)).findFirst();
        if (other.isPresent()) {
            return other.get().detail(name, key);
        }
        Readings source = readings().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new Refusal(404, "there is no node or controller called " + name));
        return source.node().isPresent()
                ? details.volume(name, source.node().get(), Actions.volume(key))
                : details.object(source, Actions.object(key));
    }

    JsonNode orphans() {
        requireActions();
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        orphansWithinLimit()
                .forEach(orphan -> array.addObject()
                        .put("plugin", orphan.plugin())
                        .put("handle", orphan.handle())
                        .put("bytes", orphan.capacityBytes()));
        return array;
    }

    private List<OrphanedStorage> orphansWithinLimit() {
        try {
            return doable.claims().orphans().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
            throw new Refusal(503, "the view was closed");
        } catch (TimeoutException late) {
            throw new Refusal(504, "the backends did not list their storage within " + PATIENCE_SECONDS + " s");
        } catch (ExecutionException failed) {
            throw new IllegalStateException("the storage of the backends was not listed", failed.getCause());
        }
    }

    JsonNode ask(JsonNode action, String peer) {
        requireActions();
        String source = action.path("source").asText();
        joined.stream().filter(view -> view.has(source)).findFirst().ifPresent(view -> {
            throw new Refusal(
                    409, "this view cannot act on a volume of a joined view: use that view at " + view.address());
        });
        return tickets.ask(doable.of(action), peer);
    }

    JsonNode confirm(String ticket, String peer) {
        requireActions();
        return tickets.confirm(ticket, peer);
    }

    private void requireActions() {
        if (!actions) {
            throw new Refusal(403, "this view permits no actions: it was started without them");
        }
    }

    Refresher refresher() {
        return refresher;
    }
}
