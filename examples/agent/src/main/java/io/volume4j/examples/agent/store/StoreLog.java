package io.volume4j.examples.agent.store;

import io.volume4j.core.codec.ManifestException;
import io.volume4j.core.codec.Manifests;
import io.volume4j.examples.agent.http.Json;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ObjectKey;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The log of a store on disk: a line of JSON for each change, synced before the change is acknowledged. A crash may leave an
 * incomplete last line; that change was not acknowledged, so the log drops it. Belongs to one thread at a time.
 */
final class StoreLog implements AutoCloseable {
    private final Path directory;
    private final FileChannel lock;
    private final Map<ObjectKey, ApiObject> found = new LinkedHashMap<>();
    private long revision;
    private @Nullable FileChannel lines;

    /** @throws IOException also if another store uses the directory */
    StoreLog(Path directory) throws IOException {
        this.directory = Files.createDirectories(directory);
        lock = FileChannel.open(directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            if (lock.tryLock() == null) {
                throw new IOException(directory + " is another store's");
            }
            read();
        } catch (OverlappingFileLockException ours) {
            lock.close();
            throw new IOException(directory + " is another store's", ours);
        } catch (IOException failed) {
            lock.close();
            throw failed;
        }
    }

    /** The stored objects, in the order of their creation. */
    Collection<ApiObject> found() {
        return found.values();
    }

    /** The last assigned revision. */
    long revision() {
        return revision;
    }

    private void read() throws IOException {
        Path file = file();
        if (!Files.exists(file)) {
            return;
        }
        byte[] all = Files.readAllBytes(file);
        int from = 0;
        for (int i = 0; i < all.length; i++) {
            if (all[i] == '\n') {
                try {
                    take(Json.read(Arrays.copyOfRange(all, from, i)));
                } catch (IOException | ManifestException | NumberFormatException damaged) {
                    throw new IOException(
                            file + ": the line from byte " + from + " on is damaged: " + damaged.getMessage()
                                    + "; put back the file from a copy, or name another directory",
                            damaged);
                }
                from = i + 1;
            }
        }
    }

    private void take(Map<String, @Nullable Object> line) {
        ApiObject object = Manifests.fromTree(Json.map(line, "object"));
        revision = Math.max(revision, Long.parseLong(Json.text(line, "revision")));
        if (Json.text(line, "type").equals("DELETED")) {
            found.remove(object.key());
        } else {
            found.put(object.key(), object);
        }
    }

    /** Replaces the content of the log with these objects. */
    void begin(Collection<ApiObject> objects, String atRevision) throws IOException {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        for (ApiObject object : objects) {
            text.write(line("STORED", object, atRevision));
        }
        Path next = directory.resolve("objects.next");
        Files.write(next, text.toByteArray());
        lines = FileChannel.open(next, StandardOpenOption.APPEND);
        lines.force(true);
        Files.move(next, file(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Returns when the change is on the disk. */
    void append(ApiObject object, boolean deleted, String atRevision) throws IOException {
        if (lines == null) {
            throw new IOException("not begun");
        }
        ByteBuffer line = ByteBuffer.wrap(line(deleted ? "DELETED" : "STORED", object, atRevision));
        while (line.hasRemaining()) {
            lines.write(line);
        }
        lines.force(false);
    }

    private static byte[] line(String type, ApiObject object, String atRevision) {
        Map<String, @Nullable Object> line = new LinkedHashMap<>();
        line.put("type", type);
        line.put("revision", atRevision);
        line.put("object", Manifests.toTree(object));
        byte[] text = Json.write(line);
        byte[] ended = Arrays.copyOf(text, text.length + 1);
        ended[text.length] = '\n';
        return ended;
    }

    private Path file() {
        return directory.resolve("objects.jsonl");
    }

    @Override
    public void close() throws IOException {
        if (lines != null) {
            lines.close();
        }
        lock.close();
    }
}
