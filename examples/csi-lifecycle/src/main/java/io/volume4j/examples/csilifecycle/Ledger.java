package io.volume4j.examples.csilifecycle;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What was begun and may have to be undone, on disk before the driver hears of it: so whatever moment this program dies at, its
 * next run knows. Holds no secret. One process at a time.
 */
final class Ledger implements AutoCloseable {
    private final Path file;
    private final FileChannel lockFile;
    private final FileLock lock;
    private final TreeMap<String, String> entries = new TreeMap<>();

    private Ledger(Path directory) throws IOException {
        Files.createDirectories(directory);
        file = directory.resolve("begun");
        lockFile = FileChannel.open(
                directory.resolve("lock"),
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE);
        FileLock got = tryLock(lockFile);
        if (got == null) {
            lockFile.close();
            throw new Usage("another run is using " + directory + "; give it time, or another --state");
        }
        lock = got;
        if (Files.exists(file)) {
            Properties read = new Properties();
            read.load(new StringReader(Files.readString(file)));
            read.stringPropertyNames().forEach(key -> entries.put(key, read.getProperty(key)));
        }
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException heldByThisProcess) {
            return null;
        }
    }

    static Ledger open(Path directory) {
        try {
            return new Ledger(directory);
        } catch (IOException e) {
            throw new Usage("--state: cannot use " + directory + ": " + e.getMessage());
        }
    }

    boolean isEmpty() {
        return entries.isEmpty();
    }

    Optional<String> get(String key) {
        return Optional.ofNullable(entries.get(key));
    }

    <M extends Message> Optional<M> get(String key, Parser<M> parser) {
        return get(key).map(text -> {
            try {
                return parser.parseFrom(Base64.getDecoder().decode(text));
            } catch (InvalidProtocolBufferException e) {
                throw new Failed("the record " + file + " is damaged at " + key, "look at it, and remove it by hand");
            }
        });
    }

    /** Durable when it returns. */
    void put(String key, String value) {
        entries.put(key, value);
        save();
    }

    void put(String key, Message value) {
        put(key, Base64.getEncoder().encodeToString(value.toByteArray()));
    }

    /** Forgets the key and all that lies below it. */
    void remove(String key) {
        boolean any = entries.remove(key) != null;
        any |= entries.keySet().removeIf(each -> each.startsWith(key + "."));
        if (any) {
            save();
        }
    }

    /** The second words of the keys below the first, such as the items of {@code volume}. */
    List<String> below(String first) {
        return entries.keySet().stream()
                .filter(key -> key.startsWith(first + "."))
                .map(key -> key.split("\\.", 3)[1])
                .distinct()
                .toList();
    }

    private void save() {
        try {
            if (entries.isEmpty()) {
                Files.deleteIfExists(file);
                return;
            }
            Properties properties = new Properties();
            properties.putAll(entries);
            StringWriter text = new StringWriter();
            properties.store(text, "begun by csi-lifecycle and not undone yet");
            Path next = file.resolveSibling("begun.next");
            try (FileChannel out = FileChannel.open(
                    next, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
                ByteBuffer bytes = ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.UTF_8));
                while (bytes.hasRemaining()) {
                    out.write(bytes);
                }
                out.force(false);
            }
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException("the record of what was begun cannot be written", e);
        }
    }

    @Override
    public void close() {
        try {
            lock.release();
            lockFile.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
