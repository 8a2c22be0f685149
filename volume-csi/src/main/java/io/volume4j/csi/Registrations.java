package io.volume4j.csi;

import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.csi.CsiNodes.CsiNode;
import io.volume4j.csi.CsiRegistrarListener.Liveness;
import io.volume4j.csi.internal.registration.DirectoryWatch;
import io.volume4j.spi.VolumeException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Known sockets and their drivers. One thread owns all state. A few other threads run blocking calls and post the results as
 * events. If several drivers have the same name, the latest is registered. If it leaves, the earlier ones are tried again.
 */
final class Registrations implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Registrations.class);

    /** Most concurrent calls to drivers (connect, probe, close); further calls wait in a queue. */
    private static final int CALLS_AT_ONCE = 16;

    private static final Duration IDLE = Duration.ofSeconds(10);

    private final CsiRegistrar.Builder settings;
    private final PluginRegistry registry;
    private final CsiTransport transport;
    private final ScheduledExecutorService loop;
    private final Executor workers;
    private final ExecutorService ownWorkers;

    /**
     * The futures of {@link #whenRegistered}, by ticket: {@link #close} cancels them, so that no caller waits for a loop that
     * has ended.
     */
    private final Map<Object, CompletableFuture<CsiPlugin>> promised = new ConcurrentHashMap<>();

    // Owned by the loop.
    private final SortedMap<String, Site> sites = new TreeMap<>();
    private final Map<String, Site> owners = new LinkedHashMap<>();
    private final Map<String, List<CompletableFuture<CsiPlugin>>> waiting = new LinkedHashMap<>();
    private boolean closed;
    /** Whether the last call found no thread, so that a shortage is logged once. */
    private boolean scarce;

    private final AtomicBoolean closing = new AtomicBoolean();
    private volatile @Nullable DirectoryWatch watch;

    /** @throws VolumeException transient, if the loop gets no thread */
    Registrations(CsiRegistrar.Builder settings) {
        this(settings, workers -> workers);
    }

    /** @param through wraps the executor of the workers; for tests */
    Registrations(CsiRegistrar.Builder settings, UnaryOperator<Executor> through) {
        this.settings = settings;
        this.registry = settings.registry;
        this.loop = startLoop();
        this.ownWorkers = workers();
        this.workers = through.apply(ownWorkers);
        this.transport = transport(settings);
    }

    void start() throws IOException {
        Path directory = settings.directory;
        if (directory != null) {
            watch = DirectoryWatch.start(directory, seen -> post(() -> look(seen)));
        }
        settings.endpoints.forEach((endpoint, change) -> post(() -> {
            Site site = new Site(endpoint, null, change);
            sites.put(endpoint.toString(), site);
            attempt(site);
        }));
    }

    CompletableFuture<CsiPlugin> whenRegistered(String driver) {
        CompletableFuture<CsiPlugin> future = new CompletableFuture<>();
        Object ticket = new Object();
        promised.put(ticket, future);
        var unused = future.whenComplete((plugin, failure) -> promised.remove(ticket));
        boolean asked = post(() -> {
            Site owner = owners.get(driver);
            if (closed) {
                future.cancel(false);
            } else if (owner != null && owner.plugin != null) {
                complete(List.of(future), owner.plugin);
            } else {
                List<CompletableFuture<CsiPlugin>> others = waiting.computeIfAbsent(driver, none -> new ArrayList<>());
                others.removeIf(CompletableFuture::isDone);
                others.add(future);
            }
        });
        if (!asked) {
            future.cancel(false);
        }
        return future;
    }

    /** Compares the sockets in the directory with the known ones. */
    private void look(DirectoryWatch directory) {
        SortedMap<Path, Object> found;
        try {
            found = directory.sockets();
        } catch (IOException unreadable) {
            // A directory that cannot be read proves no removal.
            after(settings.longestRetry, () -> look(directory));
            return;
        }
        for (Site site : List.copyOf(sites.values())) {
            if (site.identity != null && !site.identity.equals(found.get(site.endpoint.socket()))) {
                leave(site);
            }
        }
        found.forEach((socket, identity) -> {
            CsiEndpoint endpoint;
            try {
                endpoint = new CsiEndpoint(socket);
            } catch (IllegalArgumentException tooLong) {
                LOG.atWarn()
                        .addKeyValue("path", socket)
                        .addKeyValue("reason", tooLong.getMessage())
                        .log("socket of a driver is not used");
                return;
            }
            if (!sites.containsKey(endpoint.toString())) {
                Site site = new Site(endpoint, identity, plugin -> plugin);
                sites.put(endpoint.toString(), site);
                attempt(site);
            }
        });
    }

    private void attempt(Site site) {
        if (site.busy) {
            return;
        }
        site.busy = true;
        onWorker(() -> {
            Arrival arrival = new Arrival(site.endpoint, site.announced(), transport, settings, site.change);
            Arrival.Result result = arrival.meet();
            if (!post(() -> met(site, arrival, result))) {
                result.close();
            }
        });
    }

    private void met(Site site, Arrival arrival, Arrival.Result result) {
        site.busy = false;
        CsiPlugin plugin = result.plugin();
        if (site.gone || closed) {
            result.close();
        } else if (plugin == null) {
            if (!result.failure().isEmpty()) {
                failed(site, arrival, result.failure());
            }
        } else {
            Site before = owners.get(plugin.name());
            if (before != null && plugin.name().equals(site.lostName)) {
                // a later socket took the name in the meantime
                result.close();
                return;
            }
            try {
                if (before == null) {
                    registry.add(plugin);
                } else {
                    registry.replace(plugin);
                }
            } catch (Throwable e) {
                result.close();
                failed(site, arrival, e instanceof VolumeException ? String.valueOf(e.getMessage()) : e.toString());
                return;
            }
            registered(site, plugin, before);
            onWorker(() -> arrival.tell(""));
        }
    }

    private void failed(Site site, Arrival arrival, String reason) {
        tell(listener -> listener.failed(site.endpoint, reason));
        onWorker(() -> arrival.tell(reason));
        again(site);
    }

    private void again(Site site) {
        Duration delay = settings.firstRetry.multipliedBy(1L << Math.min(site.failures++, 20));
        after(delay.compareTo(settings.longestRetry) < 0 ? delay : settings.longestRetry, () -> {
            if (!site.gone && site.plugin == null && !owners.containsKey(site.lostName)) {
                attempt(site);
            }
        });
    }

    private void registered(Site site, CsiPlugin plugin, @Nullable Site before) {
        site.plugin = plugin;
        site.lostName = "";
        site.failures = 0;
        owners.put(plugin.name(), site);
        if (before != null) {
            CsiPlugin old = before.plugin;
            before.plugin = null;
            before.lostName = plugin.name();
            if (old != null) {
                onWorker(old::close);
            }
        }
        tell(listener -> listener.registered(plugin));
        List<CompletableFuture<CsiPlugin>> told = waiting.remove(plugin.name());
        if (told != null) {
            complete(told, plugin);
        }
        site.liveness = Liveness.READY;
        tell(listener -> listener.liveness(plugin.name(), Liveness.READY, ""));
        after(settings.probeInterval, () -> probe(site, plugin));
        askNode(site, plugin);
    }

    /** On a worker, because the host's dependent stages may call the driver. */
    private void complete(List<CompletableFuture<CsiPlugin>> futures, CsiPlugin plugin) {
        onWorker(() -> futures.forEach(future -> future.complete(plugin)));
    }

    private void leave(Site site) {
        site.gone = true;
        sites.remove(site.endpoint.toString());
        CsiPlugin plugin = site.plugin;
        if (plugin == null) {
            return;
        }
        site.plugin = null;
        owners.remove(plugin.name());
        registry.remove(plugin.name());
        tell(listener -> listener.unregistered(plugin.name()));
        onWorker(plugin::close);
        if (closed) {
            return;
        }
        for (Site other : sites.values()) {
            if (other.lostName.equals(plugin.name())) {
                attempt(other);
            }
        }
    }

    private void probe(Site site, CsiPlugin plugin) {
        if (site.plugin != plugin) {
            return;
        }
        onWorker(() -> {
            Liveness liveness;
            String reason = "";
            try {
                boolean ready = plugin.probe(new Patience(settings.patience, System::nanoTime));
                liveness = ready ? Liveness.READY : Liveness.STARTING;
            } catch (VolumeException e) {
                liveness = Liveness.UNWELL;
                reason = e.getMessage();
            } catch (Throwable e) {
                liveness = Liveness.UNWELL;
                reason = e.toString();
            }
            Liveness seen = liveness;
            String why = reason;
            post(() -> {
                if (site.plugin == plugin) {
                    if (site.liveness != seen) {
                        site.liveness = seen;
                        tell(listener -> listener.liveness(plugin.name(), seen, why));
                    }
                    after(settings.probeInterval, () -> probe(site, plugin));
                }
            });
        });
    }

    private void askNode(Site site, CsiPlugin plugin) {
        if (site.plugin != plugin || plugin.limits().isEmpty()) {
            return;
        }
        onWorker(() -> {
            CsiNode told = null;
            try {
                told = plugin.nodeInfo(new Patience(settings.patience, System::nanoTime));
            } catch (Throwable notTold) {
                // The loop asks again at the next interval. A call that needs the answer reports the failure.
                told = null;
            }
            CsiNode node = told;
            post(() -> {
                if (site.plugin == plugin) {
                    if (node != null && !node.equals(site.node)) {
                        site.node = node;
                        tell(listener -> listener.nodeChanged(plugin.name(), node));
                    }
                    after(settings.nodeInterval, () -> askNode(site, plugin));
                }
            });
        });
    }

    /**
     * Runs a blocking task on a worker thread. Without a free thread it tries again later, without limit: the task blocks no
     * other one meanwhile. After close there is no later attempt, so the loop runs the task itself.
     */
    private void onWorker(Runnable work) {
        try {
            workers.execute(work);
            scarce = false;
        } catch (Throwable noThread) {
            if (closed) {
                work.run();
                return;
            }
            if (!scarce) {
                LOG.atWarn()
                        .addKeyValue("reason", noThread.toString())
                        .log("no thread for calls of CSI drivers; tried again");
            }
            scarce = true;
            after(settings.firstRetry, () -> onWorker(work));
        }
    }

    /** Calls the host's listener and logs what it throws. */
    private void tell(Consumer<CsiRegistrarListener> news) {
        try {
            news.accept(settings.listener);
        } catch (Throwable bug) {
            LOG.atError().setCause(bug).log("listener of CSI drivers failed");
        }
    }

    private void after(Duration delay, Runnable action) {
        try {
            ScheduledFuture<?> unused = loop.schedule(action, delay.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException atTheEnd) {
            return;
        }
    }

    /** False after the loop's end. */
    private boolean post(Runnable action) {
        try {
            loop.execute(action);
            return true;
        } catch (RejectedExecutionException atTheEnd) {
            return false;
        }
    }

    /** Idempotent. A listener may call it, too. */
    @Override
    public void close() {
        if (!closing.compareAndSet(false, true)) {
            return;
        }
        DirectoryWatch watching = watch;
        if (watching != null) {
            watching.close();
        }
        onLoopInTime(() -> {
            closed = true;
            List.copyOf(sites.values()).forEach(this::leave);
            waiting.values().forEach(futures -> futures.forEach(future -> future.cancel(false)));
        });
        ownWorkers.shutdown();
        try {
            // A dependent stage of the host runs on a worker, and may close the registrar.
            if (!onOwn("call") && !ownWorkers.awaitTermination(settings.patience.toNanos(), TimeUnit.NANOSECONDS)) {
                ownWorkers.shutdownNow();
            }
        } catch (InterruptedException e) {
            ownWorkers.shutdownNow();
            Thread.currentThread().interrupt();
        }
        // the loop closes the plugins that connected in the meantime
        onLoopInTime(() -> {});
        loop.shutdownNow();
        promised.values().forEach(future -> future.cancel(false));
        transport.close();
    }

    /** Runs the task on the loop and waits for it, but not for a listener that waits for a lock of the caller. */
    private void onLoopInTime(Runnable task) {
        if (onOwn("loop")) {
            task.run();
            return;
        }
        CompletableFuture<Void> done = new CompletableFuture<>();
        post(() -> {
            try {
                task.run();
            } finally {
                done.complete(null);
            }
        });
        try {
            limited(done).join();
        } catch (CompletionException late) {
            LOG.atWarn()
                    .addKeyValue("patience", settings.patience)
                    .log("listener of CSI drivers does not return; the registrar is closed without it");
        }
    }

    /** Without the limit if there is no thread for it. */
    private CompletableFuture<Void> limited(CompletableFuture<Void> done) {
        try {
            return done.orTimeout(settings.patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (OutOfMemoryError noThread) {
            return done;
        }
    }

    /** Starts the loop's thread at once: at the first event the process may be out of threads. */
    private ScheduledExecutorService startLoop() {
        ScheduledThreadPoolExecutor made = new ScheduledThreadPoolExecutor(1, threads("loop"));
        try {
            made.prestartCoreThread();
            return made;
        } catch (Throwable noThread) {
            made.shutdownNow();
            throw VolumeException.transientFailure(
                            "cannot follow CSI drivers: there is no thread for it (" + noThread + ")")
                    .withAdvice("raise the limit of processes and threads (pids.max, ulimit -u) or end some")
                    .withCause(noThread);
        }
    }

    private CsiTransport transport(CsiRegistrar.Builder from) {
        boolean made = false;
        try {
            CsiTransport transportMade = CsiTransport.create(from.channelOptions);
            made = true;
            return transportMade;
        } finally {
            if (!made) {
                loop.shutdownNow();
            }
        }
    }

    private ExecutorService workers() {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                CALLS_AT_ONCE,
                CALLS_AT_ONCE,
                IDLE.toNanos(),
                TimeUnit.NANOSECONDS,
                new LinkedBlockingQueue<>(),
                threads("call"));
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    private ThreadFactory threads(String what) {
        return task -> new Own(task, this, what);
    }

    private boolean onOwn(String what) {
        return Thread.currentThread() instanceof Own thread && thread.registrar == this && thread.what.equals(what);
    }

    /** A thread of one registrar. */
    private static final class Own extends Thread {
        private final Registrations registrar;
        private final String what;

        Own(Runnable task, Registrations registrar, String what) {
            super(task, "volume-csi-registrar-" + what);
            setDaemon(true);
            this.registrar = registrar;
            this.what = what;
        }
    }

    /** One socket. */
    private static final class Site {
        private final CsiEndpoint endpoint;
        /** Distinguishes the socket from a later one at its path; null for an endpoint that the host configured. */
        private final @Nullable Object identity;

        private final UnaryOperator<CsiPluginBuilder> change;
        private @Nullable CsiPlugin plugin;
        /** The name that a later socket took from this one. This one is tried again when that socket leaves; empty for none. */
        private String lostName = "";

        private @Nullable CsiNode node;
        private Liveness liveness = Liveness.STARTING;
        private int failures;
        private boolean busy;
        private boolean gone;

        Site(CsiEndpoint endpoint, @Nullable Object identity, UnaryOperator<CsiPluginBuilder> change) {
            this.endpoint = endpoint;
            this.identity = identity;
            this.change = change;
        }

        boolean announced() {
            return identity != null;
        }
    }
}
