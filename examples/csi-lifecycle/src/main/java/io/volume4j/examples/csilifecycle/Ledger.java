package io.volume4j.examples.csilifecycle;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import io.volume4j.csi.internal.proto.CreateSnapshotRequest;
import io.volume4j.csi.internal.proto.CreateVolumeGroupSnapshotRequest;
import io.volume4j.csi.internal.proto.CreateVolumeRequest;
import io.volume4j.examples.commandline.Usage;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The begun operations that may need an undo, on disk before the driver gets the call. So the next run knows them, whenever
 * this program dies. Contains no secret. Used by one process at a time.
 */
final class Ledger implements AutoCloseable {
    /** The number of entries, to detect a truncated file. */
    private static final String COUNT = "entries";

    private static final Pattern KEY = Pattern.compile("volume\\.[a-z]+\\.(request|id|attached|staged|published)"
            + "|(snapshot|delta|other)\\.(request|id)|group\\.(request|id|members)");

    private final Path folder;
    private final Path file;
    private final FileChannel lockFile;
    private final FileLock lock;
    private final TreeMap<String, String> entries = new TreeMap<>();
    private String unsaved = "";

    private Ledger(Path directory) throws IOException {
        Files.createDirectories(directory);
        folder = directory.toRealPath();
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
            try {
                read();
            } catch (IOException | IllegalArgumentException damaged) {
                unlock(lock, lockFile);
                throw new Failed(
                        "the record " + file + " is damaged: " + damaged.getMessage(),
                        "it says what an earlier run has begun and what may still be there: read it, undo that by"
                                + " hand, and remove the file; or leave all as it is and name another --state");
            }
        }
    }

    private void read() throws IOException {
        Properties read = new Properties();
        try {
            read.load(new StringReader(Files.readString(file)));
        } catch (CharacterCodingException e) {
            throw new IOException("it is not text", e);
        }
        for (String key : read.stringPropertyNames()) {
            String value = read.getProperty(key);
            if (!key.equals(COUNT)) {
                demandKnown(key, value);
                entries.put(key, value);
            }
        }
        String count = read.getProperty(COUNT, "no number of entries");
        if (!count.equals(Integer.toString(entries.size()))) {
            throw new IOException("it should hold " + count + ", and holds " + entries.size());
        }
    }

    private void demandKnown(String key, String value) throws IOException {
        if (!KEY.matcher(key).matches()) {
            throw new IOException("no entry is called " + key);
        }
        if ((key.endsWith(".staged") || key.endsWith(".published"))
                && !Path.of(value).normalize().startsWith(folder)) {
            throw new IOException(key + " lies elsewhere, at " + value);
        }
        if (key.endsWith(".request")) {
            Parser<?> parser = key.startsWith("volume.")
                    ? CreateVolumeRequest.parser()
                    : key.startsWith("group.")
                            ? CreateVolumeGroupSnapshotRequest.parser()
                            : CreateSnapshotRequest.parser();
            try {
                parser.parseFrom(Base64.getDecoder().decode(value));
            } catch (InvalidProtocolBufferException | IllegalArgumentException e) {
                throw new IOException("the entry " + key + " holds no request", e);
            }
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

    /** The directory of the record, without links, as the mount table shows it. */
    Path folder() {
        return folder;
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
                throw new IllegalStateException("was checked when it was read: " + key, e);
            }
        });
    }

    /**
     * Records a begin. Durable on return; an operation that cannot be recorded must not begin.
     *
     * @throws UncheckedIOException if it cannot be written; then nothing has changed
     */
    void begin(String key, String value) {
        TreeMap<String, String> next = new TreeMap<>(entries);
        next.put(key, value);
        save(next);
        entries.put(key, value);
    }

    void begin(String key, Message value) {
        begin(key, Base64.getEncoder().encodeToString(value.toByteArray()));
    }

    /**
     * Records what a driver returned for a begun operation. Kept in memory even if the write fails: a later run can ask the
     * driver again, and this run needs the value for the undo.
     */
    void learn(String key, String value) {
        entries.put(key, value);
        saveIfPossible();
    }

    /** Removes the key and all keys below it, even if the write fails: a later run may undo it again without harm. */
    void remove(String key) {
        boolean any = entries.remove(key) != null;
        any |= entries.keySet().removeIf(each -> each.startsWith(key + "."));
        if (any) {
            saveIfPossible();
        }
    }

    /** Why the file differs from the state in memory; empty if it does not. */
    String unsaved() {
        return unsaved;
    }

    private void saveIfPossible() {
        try {
            save(entries);
        } catch (UncheckedIOException e) {
            unsaved = String.valueOf(e.getMessage());
        }
    }

    /** The second words of the keys that begin with the first, such as the items of {@code volume}. */
    List<String> below(String first) {
        return entries.keySet().stream()
                .filter(key -> key.startsWith(first + "."))
                .map(key -> key.split("\\.", 3)[1])
                .distinct()
                .toList();
    }

    private void save(Map<String, String> what) {
        Path next = file.resolveSibling("begun.next");
        try {
            if (what.isEmpty()) {
                Files.deleteIfExists(file);
            } else {
                write(what, next);
            }
            unsaved = "";
        } catch (IOException e) {
            discard(next);
            throw new UncheckedIOException(
                    "the record of what was begun, " + file + ", cannot be written: " + e.getMessage(), e);
        }
    }

    private static void discard(Path halfWritten) {
        try {
            Files.deleteIfExists(halfWritten);
        } catch (IOException itIsWrittenOverByTheNext) {
            // an unused file
        }
    }

    private void write(Map<String, String> what, Path next) throws IOException {
        Properties properties = new Properties();
        properties.putAll(what);
        properties.setProperty(COUNT, Integer.toString(what.size()));
        StringWriter text = new StringWriter();
        properties.store(text, "begun by csi-lifecycle and not undone yet");
        try (FileChannel out = FileChannel.open(
                next, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            ByteBuffer bytes = ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                out.write(bytes);
            }
            out.force(false);
        }
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        try (FileChannel directory = FileChannel.open(folder, StandardOpenOption.READ)) {
            directory.force(true);
        }
    }

    @Override
    public void close() {
        unlock(lock, lockFile);
    }

    private static void unlock(FileLock lock, FileChannel lockFile) {
        try {
            lock.release();
            lockFile.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
