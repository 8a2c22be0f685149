package io.volume4j.examples.agent.store;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsServer;
import io.volume4j.core.codec.ManifestException;
import io.volume4j.core.codec.Manifests;
import io.volume4j.examples.agent.http.ApiPath;
import io.volume4j.examples.agent.http.Json;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterSource.Listing;
import io.volume4j.spi.host.ClusterSource.Watch;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ObjectKey;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The API server. Thread-safe. */
public final class Store implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Store.class);
    private static final int LARGEST_BODY = 1 << 20;
    private static final int NO_THREAD_MILLIS = 50;
    private static final int BOOKMARK_SECONDS = 15;
    private static final int LONGEST_WATCH_SECONDS = 3600;
    private static final List<String> WHOLE_OBJECTS = List.of("application/json", "application/yaml");

    private final KeptCluster cluster;
    private final HttpServer server;
    private final Gate gate;
    private final ExecutorService threads;
    private final ScheduledThreadPoolExecutor timer;
    private final Set<WatchStream> streams = ConcurrentHashMap.newKeySet();

    private Store(KeptCluster cluster, HttpServer server, Gate gate, ThreadFactory requests) {
        this.cluster = cluster;
        this.server = server;
        this.gate = gate;
        threads = Executors.newCachedThreadPool(requests);
        timer = new ScheduledThreadPoolExecutor(1, Store::daemon);
        // Started now, because the machine may run out of threads later.
        timer.prestartCoreThread();
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "store");
        thread.setDaemon(true);
        return thread;
    }

    /**
     * Starts to listen.
     *
     * @param address of this machine's loopback; port 0 for any free one
     * @param directory of the objects, so that the next start finds them; null for objects in memory
     * @throws IOException if it cannot listen at the address, or cannot write to the directory
     */
    public static Store start(InetSocketAddress address, @Nullable Path directory) throws IOException {
        return start(address, directory, Store::daemon);
    }

    /** @param requests creates the threads for requests */
    static Store start(InetSocketAddress address, @Nullable Path directory, ThreadFactory requests) throws IOException {
        if (address.isUnresolved() || !address.getAddress().isLoopbackAddress()) {
            throw new IOException(shown(address)
                    + " is not this machine's loopback; the store lets in every client that can reach it");
        }
        // The JDK's server writes head and body separately; without this property the body would wait for a delayed
        // acknowledgement.
        System.setProperty("sun.net.httpserver.nodelay", "true");
        KeptCluster cluster = new KeptCluster(directory, InstantSource.system());
        try {
            Store store = new Store(cluster, HttpServer.create(address, 0), Gate.open(), requests);
            store.begin();
            return store;
        } catch (IOException inUse) {
            cluster.close();
            throw new IOException(
                    "the store cannot listen at " + shown(address) + ": " + inUse.getMessage() + "; name another port",
                    inUse);
        }
    }

    private static String shown(InetSocketAddress address) {
        return address.getHostString() + ":" + address.getPort();
    }

    /**
     * Serves with this server, which is bound already and may use TLS, and asks the gate about each request. The objects are in memory.
     *
     * @param server is started, and closed with the store
     */
    public static Store behind(HttpServer server, Gate gate) throws IOException {
        Store store = new Store(new KeptCluster(null, InstantSource.system()), server, gate, Store::daemon);
        store.begin();
        return store;
    }

    private void begin() {
        server.setExecutor(this::serve);
        server.createContext("/", this::handle);
        server.start();
        var unused = timer.scheduleWithFixedDelay(this::bookmark, BOOKMARK_SECONDS, BOOKMARK_SECONDS, TimeUnit.SECONDS);
    }

    /** A request without a free thread waits for one: an error here would end the thread that accepts requests. */
    private void serve(Runnable request) {
        try {
            threads.execute(request);
        } catch (Error noThread) {
            var unused = timer.schedule(() -> serve(request), NO_THREAD_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    /** The address for agents. */
    public URI uri() {
        String host = server.getAddress().getAddress().getHostAddress();
        return URI.create((server instanceof HttpsServer ? "https://" : "http://")
                + (host.contains(":") ? "[" + host + "]" : host) + ":"
                + server.getAddress().getPort());
    }

    /** Drops the history: watches from earlier revisions must list again. */
    public void forgetHistory() {
        cluster.read(store -> {
            store.compact();
            return true;
        });
    }

    /**
     * Creates or replaces the object, with its status, as a test or a benchmark needs it. Requests cannot do that: they write status and
     * spec separately, and have no say in what the store itself writes.
     */
    public void apply(ApiObject object) {
        cluster.write(object.key(), store -> store.apply(object));
    }

    /** Writing a bookmark also detects a disconnected client. */
    private void bookmark() {
        try {
            cluster.read(store -> {
                store.bookmark();
                return true;
            });
        } catch (ClusterException broken) {
            LOG.atDebug().addKeyValue("error", broken.getMessage()).log("a watcher did not get its bookmark");
        }
    }

    private void handle(HttpExchange exchange) {
        try (exchange) {
            Target target = Target.of(exchange.getRequestURI()).orElse(null);
            if (target == null) {
                send(exchange, 404, "text/plain", "404 page not found\n".getBytes(StandardCharsets.UTF_8));
                return;
            }
            try {
                Asked asked = Asked.of(exchange, target);
                pass(exchange, asked);
                if (exchange.getRequestMethod().equals("GET") && target.asks("watch")) {
                    watch(exchange, target);
                } else {
                    Map<String, @Nullable Object> answer = answer(exchange, target, asked);
                    int code = exchange.getRequestMethod().equals("POST") ? 201 : 200;
                    send(exchange, code, "application/json", Json.write(answer));
                }
            } catch (ClusterException refused) {
                refuse(exchange, target, Refusal.of(refused));
            } catch (ManifestException wrong) {
                refuse(exchange, target, new Refusal(422, "Invalid", String.valueOf(wrong.getMessage())));
            } catch (Refusal refused) {
                refuse(exchange, target, refused);
            }
        } catch (IOException gone) {
            LOG.atDebug().addKeyValue("error", gone.getMessage()).log("a client did not get its answer");
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
        }
    }

    private void pass(HttpExchange exchange, Asked asked) throws InterruptedException {
        switch (gate.judge(asked)) {
            case PASS -> {}
            case FORBIDDEN ->
                throw new Refusal(
                        403,
                        "Forbidden",
                        asked.verb() + " " + asked.resource() + " of the group \"" + asked.group()
                                + "\" is not allowed to this user");
            case TOO_MANY -> {
                exchange.getResponseHeaders().set("Retry-After", "1");
                throw new Refusal(429, "TooManyRequests", "too many requests, try again later");
            }
        }
    }

    /** @param changes the new object, or a change of one */
    private void passOwners(HttpExchange exchange, Asked asked, Target target, Map<String, @Nullable Object> changes)
            throws InterruptedException {
        BlockedOwners blocked = BlockedOwners.of(changes);
        if (blocked.references().isEmpty()) {
            return;
        }
        BlockedOwners known = BlockedOwners.of(target.name().isEmpty() ? Map.of() : stored(target));
        for (Map<String, @Nullable Object> owner : blocked.without(known)) {
            pass(exchange, asked.finalizersOf(Json.text(owner, "apiVersion"), Json.text(owner, "kind")));
        }
    }

    private record Asked(String token, String verb, String group, String resource, String namespace)
            implements Gate.Call {
        static Asked of(HttpExchange exchange, Target target) {
            String header = exchange.getRequestHeaders().getFirst("Authorization");
            boolean one = !target.name().isEmpty();
            String verb = switch (exchange.getRequestMethod()) {
                case "GET" -> target.asks("watch") ? "watch" : one ? "get" : "list";
                case "POST" -> "create";
                default -> exchange.getRequestMethod().toLowerCase(Locale.ROOT);
            };
            return new Asked(
                    header == null ? "" : header.replaceFirst("^Bearer ", ""),
                    verb,
                    group(target.kind().apiVersion()),
                    ApiPath.plural(target.kind()) + (target.status() ? "/status" : ""),
                    target.namespace());
        }

        Asked finalizersOf(String apiVersion, String kind) {
            return new Asked(token, "update", group(apiVersion), ApiPath.plural(kind) + "/finalizers", namespace);
        }

        private static String group(String apiVersion) {
            int slash = apiVersion.indexOf('/');
            return slash < 0 ? "" : apiVersion.substring(0, slash);
        }
    }

    private Map<String, @Nullable Object> answer(HttpExchange exchange, Target target, Asked asked)
            throws IOException, InterruptedException {
        boolean one = !target.name().isEmpty();
        return switch (exchange.getRequestMethod()) {
            case "GET" -> one ? read(target) : list(target);
            case "POST" -> {
                require(!one, 405, "objects are posted to their collection");
                ApiObject object = whole(exchange, target);
                passOwners(exchange, asked, target, Manifests.toTree(object));
                yield create(target, object);
            }
            case "PATCH" -> {
                require(one, 405, "a collection is not patched");
                Map<String, @Nullable Object> changes = merge(exchange);
                passOwners(exchange, asked, target, changes);
                yield patch(target, changes);
            }
            case "DELETE" -> {
                require(one && !target.status(), 405, "one object at a time is deleted");
                yield delete(target, body(exchange));
            }
            default -> throw new Refusal(405, "MethodNotAllowed", exchange.getRequestMethod() + " is not known here");
        };
    }

    private Map<String, @Nullable Object> read(Target target) {
        Map<String, @Nullable Object> stored = stored(target);
        if (stored.isEmpty()) {
            throw new Refusal(404, "NotFound", target.key() + " is not there");
        }
        return stored;
    }

    /** Empty if it is not there. */
    private Map<String, @Nullable Object> stored(Target target) {
        return cluster.read(store -> store.readLive(target.key()))
                .map(Manifests::toTree)
                .orElse(Map.of());
    }

    private Map<String, @Nullable Object> list(Target target) {
        Listing all = cluster.read(store -> store.list(target.kind(), target.selection()));
        List<ApiObject> objects = all.objects().stream()
                .filter(object -> target.namespace().isEmpty()
                        || object.metadata().namespace().equals(target.namespace()))
                .toList();
        int from = 0;
        String next = target.query("continue");
        if (!next.isEmpty()) {
            require(next.startsWith(all.revision() + "."), 410, "what was begun to be listed has changed");
            from = number(next.substring(all.revision().length() + 1));
        }
        int limit = target.query("limit").isEmpty() ? 0 : number(target.query("limit"));
        int to = limit == 0 ? objects.size() : Math.min(objects.size(), from + limit);
        Map<String, @Nullable Object> metadata = new LinkedHashMap<>();
        metadata.put("resourceVersion", all.revision());
        if (to < objects.size()) {
            metadata.put("continue", all.revision() + "." + to);
        }
        Map<String, @Nullable Object> list = new LinkedHashMap<>();
        list.put("kind", target.kind().apiName() + "List");
        list.put("apiVersion", target.kind().apiVersion());
        list.put("metadata", metadata);
        list.put(
                "items",
                objects.subList(Math.min(from, to), to).stream()
                        .map(Store::item)
                        .toList());
        return list;
    }

    /** Items of a list do not contain their kind. */
    private static Map<String, @Nullable Object> item(ApiObject object) {
        Map<String, @Nullable Object> tree = Manifests.toTree(object);
        tree.remove("kind");
        tree.remove("apiVersion");
        return tree;
    }

    private void watch(HttpExchange exchange, Target target) throws IOException, InterruptedException {
        WatchStream stream = new WatchStream(target.kind(), target.asks("allowWatchBookmarks"));
        String from = target.query("resourceVersion");
        int seconds = target.query("timeoutSeconds").isEmpty()
                ? LONGEST_WATCH_SECONDS
                : number(target.query("timeoutSeconds"));
        Watch watch = cluster.read(store -> store.watch(target.kind(), target.selection(), from, stream));
        streams.add(stream);
        var end = timer.schedule(stream::end, Math.min(seconds, LONGEST_WATCH_SECONDS), TimeUnit.SECONDS);
        try {
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().flush();
            stream.write(exchange.getResponseBody());
        } finally {
            end.cancel(false);
            watch.close();
            streams.remove(stream);
        }
    }

    private Map<String, @Nullable Object> create(Target target, ApiObject object) {
        require(object.key().namespace().equals(target.namespace()), 400, "the object is of another namespace");
        Admission.require(object, Manifests.toTree(object));
        return Manifests.toTree(cluster.write(object.key(), store -> store.create(object)));
    }

    private Map<String, @Nullable Object> patch(Target target, Map<String, @Nullable Object> body) {
        Patch patch = MergeChanges.of(body, target.status());
        return Manifests.toTree(cluster.write(target.key(), store -> {
            requireUid(store, target.key(), patch.preconditions());
            return store.patch(target.key(), patch);
        }));
    }

    private static void requireUid(InMemoryCluster store, ObjectKey key, Preconditions held) {
        ApiObject stored = store.get(key).orElse(null);
        if (stored == null
                || held.uid().isEmpty()
                || held.uid().equals(stored.metadata().uid())) {
            return;
        }
        if (held.resourceVersion().isEmpty()
                || held.resourceVersion().equals(stored.metadata().resourceVersion())) {
            throw Refusal.otherUid(key + ": metadata.uid: field is immutable");
        }
    }

    private Map<String, @Nullable Object> delete(Target target, byte[] options) throws IOException {
        Map<String, @Nullable Object> held =
                options.length == 0 ? Map.of() : Json.map(Json.read(options), "preconditions");
        Preconditions preconditions = new Preconditions(Json.text(held, "uid"), Json.text(held, "resourceVersion"));
        cluster.write(target.key(), store -> {
            store.delete(target.key(), preconditions);
            return true;
        });
        Map<String, @Nullable Object> status = new LinkedHashMap<>();
        status.put("kind", "Status");
        status.put("apiVersion", "v1");
        status.put("status", "Success");
        return status;
    }

    private static String type(HttpExchange exchange) {
        String type = exchange.getRequestHeaders().getFirst("Content-Type");
        return type == null ? "" : type.replaceAll(";.*", "").strip();
    }

    private static byte[] body(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readNBytes(LARGEST_BODY + 1);
        require(body.length <= LARGEST_BODY, 413, "more than " + LARGEST_BODY + " bytes");
        return body;
    }

    /** The single object in the request, of the path's kind. */
    private static ApiObject whole(HttpExchange exchange, Target target) throws IOException {
        require(WHOLE_OBJECTS.contains(type(exchange)), 415, "objects are posted as " + WHOLE_OBJECTS);
        List<ApiObject> objects = Manifests.read("request", new String(body(exchange), StandardCharsets.UTF_8));
        boolean fits = objects.size() == 1 && objects.get(0).kind() == target.kind();
        require(fits, 400, "the body is not one " + target.kind().apiName());
        return objects.get(0);
    }

    private static Map<String, @Nullable Object> merge(HttpExchange exchange) throws IOException {
        require(type(exchange).equals("application/merge-patch+json"), 415, "patches are application/merge-patch+json");
        try {
            return Json.read(body(exchange));
        } catch (IOException noJson) {
            throw new Refusal(400, "BadRequest", String.valueOf(noJson.getMessage()));
        }
    }

    private static int number(String text) {
        require(text.matches("[0-9]{1,9}"), 400, "not a number: " + text);
        return Integer.parseInt(text);
    }

    private static void require(boolean held, int code, String message) {
        if (!held) {
            throw new Refusal(
                    code, code == 410 ? "Expired" : code == 413 ? "RequestEntityTooLarge" : "BadRequest", message);
        }
    }

    private static void refuse(HttpExchange exchange, Target target, Refusal refusal) throws IOException {
        send(exchange, refusal.code(), "application/json", Json.write(refusal.tree(target.name())));
    }

    private static void send(HttpExchange exchange, int code, String type, byte[] body) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(code, body.length);
        exchange.getResponseBody().write(body);
    }

    @Override
    public void close() throws IOException {
        timer.shutdownNow();
        streams.forEach(WatchStream::end);
        server.stop(0);
        threads.shutdownNow();
        cluster.close();
    }
}
