package io.volume4j.inmemory.remote;

import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** Serves an in-memory cluster on a port of the loopback interface. Closing it cuts every client off. */
final class ClusterServer implements AutoCloseable {
    private final InMemoryCluster cluster;
    private final ServerSocket server;
    private final List<Socket> clients = new CopyOnWriteArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "cluster-server");
        thread.setDaemon(true);
        return thread;
    });

    ClusterServer(InMemoryCluster cluster) throws IOException {
        this.cluster = cluster;
        this.server = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
        threads.execute(this::accept);
    }

    int port() {
        return server.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket client : clients) {
            client.close();
        }
        threads.shutdownNow();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket client = server.accept();
                clients.add(client);
                threads.execute(() -> serve(client));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void serve(Socket client) {
        Map<String, ClusterSource.Watch> watches = new ConcurrentHashMap<>();
        try (client;
                BufferedReader in =
                        new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.UTF_8))) {
            Wire wire = new Wire(client.getOutputStream());
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                Map<String, @Nullable Object> request = Wire.read(line);
                threads.execute(() -> answer(request, wire, watches));
            }
        } catch (IOException gone) {
            // A client that died is what some tests are about.
        } finally {
            watches.values().forEach(ClusterSource.Watch::close);
        }
    }

    private void answer(Map<String, @Nullable Object> request, Wire wire, Map<String, ClusterSource.Watch> watches) {
        String id = Wire.text(request, "id");
        Map<String, @Nullable Object> reply;
        try {
            reply = done(request, wire, watches);
        } catch (ClusterException refused) {
            reply = Wire.message("refused", refused.reason().name(), "message", String.valueOf(refused.getMessage()));
        }
        reply.put("id", id);
        send(wire, reply);
    }

    private Map<String, @Nullable Object> done(
            Map<String, @Nullable Object> request, Wire wire, Map<String, ClusterSource.Watch> watches) {
        switch (Wire.text(request, "do")) {
            case "list" -> {
                ClusterSource.Listing listing = cluster.list(kind(request), Wire.selection(Wire.text(request, "node")));
                return Wire.message(
                        "objects", listing.objects().stream().map(Wire::tree).toList(), "revision", listing.revision());
            }
            case "watch" -> {
                String watch = Wire.text(request, "watch");
                watches.put(
                        watch,
                        cluster.watch(
                                kind(request),
                                Wire.selection(Wire.text(request, "node")),
                                Wire.text(request, "revision"),
                                event -> {
                                    ApiObject object = event.object();
                                    Map<String, @Nullable Object> told = Wire.message(
                                            "watch", watch, "type", event.type().name(), "revision", event.revision());
                                    if (object != null) {
                                        told.put("object", Wire.tree(object));
                                    }
                                    send(wire, told);
                                }));
                return Wire.message();
            }
            case "unwatch" -> {
                Optional.ofNullable(watches.remove(Wire.text(request, "watch"))).ifPresent(ClusterSource.Watch::close);
                return Wire.message();
            }
            case "read" -> {
                Map<String, @Nullable Object> reply = Wire.message();
                cluster.readLive(Wire.key(request.get("key")))
                        .ifPresent(found -> reply.put("object", Wire.tree(found)));
                return reply;
            }
            case "create" -> {
                return Wire.message("object", Wire.tree(cluster.create(Wire.object(request.get("object")))));
            }
            case "patch" -> {
                return Wire.message(
                        "object",
                        Wire.tree(cluster.patch(Wire.key(request.get("key")), Wire.patch(request.get("patch")))));
            }
            case "delete" -> {
                cluster.delete(Wire.key(request.get("key")), Wire.preconditions(request.get("preconditions")));
                return Wire.message();
            }
            default -> throw new IllegalArgumentException("cannot do " + Wire.text(request, "do"));
        }
    }

    private static Kind kind(Map<String, @Nullable Object> request) {
        return Kind.valueOf(Wire.text(request, "kind"));
    }

    private static void send(Wire wire, Map<String, @Nullable Object> message) {
        try {
            wire.send(message);
        } catch (IOException gone) {
            // The reader of this client ends as well and cleans up.
        }
    }
}
