package io.volume4j.inmemory.remote;

import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.ClusterWriter;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.host.WatchEvent;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The cluster of a {@link ClusterServer}, seen from another process. */
final class RemoteCluster implements ClusterSource, ClusterWriter {
    private final Socket socket;
    private final Wire wire;
    private final AtomicLong numbers = new AtomicLong();
    private final Map<String, CompletableFuture<Map<String, @Nullable Object>>> asked = new ConcurrentHashMap<>();
    private final Map<String, WatchListener> watches = new ConcurrentHashMap<>();
    private final CountDownLatch ended = new CountDownLatch(1);

    RemoteCluster(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        wire = new Wire(socket.getOutputStream());
        Thread reader = new Thread(this::read, "remote-cluster");
        reader.setDaemon(true);
        reader.start();
    }

    /** Waits until the server is gone. */
    void awaitEnd() throws InterruptedException {
        ended.await();
    }

    @Override
    public Listing list(Kind kind, Selection selection) {
        Map<String, @Nullable Object> reply =
                ask(Wire.message("do", "list", "kind", kind.name(), "node", selection.nodeName()));
        return new Listing(
                Wire.list(reply.get("objects")).stream().map(Wire::object).toList(), Wire.text(reply, "revision"));
    }

    @Override
    public Watch watch(Kind kind, Selection selection, String revision, WatchListener listener) {
        String watch = "w" + numbers.incrementAndGet();
        watches.put(watch, listener);
        ask(Wire.message(
                "do",
                "watch",
                "watch",
                watch,
                "kind",
                kind.name(),
                "node",
                selection.nodeName(),
                "revision",
                revision));
        return () -> {
            watches.remove(watch);
            ask(Wire.message("do", "unwatch", "watch", watch));
        };
    }

    @Override
    public Optional<ApiObject> readLive(ObjectKey key) {
        return Optional.ofNullable(
                        ask(Wire.message("do", "read", "key", Wire.key(key))).get("object"))
                .map(Wire::object);
    }

    @Override
    public ApiObject create(ApiObject object) {
        return Wire.object(
                ask(Wire.message("do", "create", "object", Wire.tree(object))).get("object"));
    }

    @Override
    public ApiObject patch(ObjectKey key, Patch patch) {
        return Wire.object(ask(Wire.message("do", "patch", "key", Wire.key(key), "patch", Wire.patch(patch)))
                .get("object"));
    }

    @Override
    public void delete(ObjectKey key, Preconditions preconditions) {
        ask(Wire.message("do", "delete", "key", Wire.key(key), "preconditions", Wire.preconditions(preconditions)));
    }

    private Map<String, @Nullable Object> ask(Map<String, @Nullable Object> request) {
        String id = "r" + numbers.incrementAndGet();
        CompletableFuture<Map<String, @Nullable Object>> reply = new CompletableFuture<>();
        asked.put(id, reply);
        request.put("id", id);
        try {
            wire.send(request);
            Map<String, @Nullable Object> found = reply.get(60, TimeUnit.SECONDS);
            if (found.containsKey("refused")) {
                throw new ClusterException(
                        ClusterException.Reason.valueOf(Wire.text(found, "refused")), Wire.text(found, "message"));
            }
            return found;
        } catch (IOException | ExecutionException | TimeoutException gone) {
            throw new ClusterException(ClusterException.Reason.UNAVAILABLE, "the cluster does not answer: " + gone);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new ClusterException(ClusterException.Reason.UNAVAILABLE, "interrupted");
        } finally {
            asked.remove(id);
        }
    }

    private void read() {
        try (BufferedReader in =
                new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                take(Wire.read(line));
            }
        } catch (IOException gone) {
            // ends below
        }
        ended.countDown();
        asked.values().forEach(reply -> reply.completeExceptionally(new IOException("the connection ended")));
    }

    private void take(Map<String, @Nullable Object> message) {
        String watch = Wire.text(message, "watch");
        if (watch.isEmpty()) {
            CompletableFuture<Map<String, @Nullable Object>> reply = asked.get(Wire.text(message, "id"));
            if (reply != null) {
                reply.complete(message);
            }
            return;
        }
        WatchListener listener = watches.get(watch);
        if (listener != null) {
            Object object = message.get("object");
            listener.onEvent(new WatchEvent(
                    WatchEvent.Type.valueOf(Wire.text(message, "type")),
                    object == null ? null : Wire.object(object),
                    Wire.text(message, "revision")));
        }
    }
}
