package io.volume4j.core.journal;

import io.volume4j.core.journal.JournalDirectory.JournalFile;
import io.volume4j.core.journal.JournalException.Kind;
import io.volume4j.core.journal.RecordScanner.Scan;
import io.volume4j.spi.VolumeException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The journal in a root directory: the file {@code journal} in format version {@value JournalFormat#VERSION}, a lock
 * against a second owner, and during a compaction {@code journal.new}.
 *
 * <p>The directory must exist and belong to the library. It must be on a file system with POSIX locks, atomic rename
 * and a reliable fsync. On a copy-on-write file system (btrfs, ZFS) the reserve is weaker, because writing to
 * allocated blocks needs new ones; the journal then fails like on a broken disk and recovers as soon as there is
 * space for a snapshot.
 */
public final class FileJournalStore implements JournalStore {
    private final JournalDirectory directory;
    private final JournalOptions options;
    private final Executor executor;
    private final RandomGenerator random;
    private final String owner;

    /**
     * @param root an existing directory
     * @param executor runs the writer's steps, one after another. The steps block for the disk, so use a separate
     *     thread for the journal. It must run until {@link Journal#close} has returned
     * @param random generates the salt of each file's checksums. It should be unpredictable, as {@code SecureRandom}
     *     is, because other users may choose bytes of the payloads
     */
    public FileJournalStore(Path root, JournalOptions options, Executor executor, RandomGenerator random) {
        this(new DiskDirectory(root), options, executor, random, process());
    }

    FileJournalStore(
            JournalDirectory directory,
            JournalOptions options,
            Executor executor,
            RandomGenerator random,
            String owner) {
        this.directory = directory;
        this.options = options;
        this.executor = executor;
        this.random = random;
        this.owner = owner;
    }

    /**
     * Runs work that must be done before the root's journal can be opened, while no other owner has the journal open.
     *
     * @param root an existing directory
     * @throws VolumeException transient, if another owner has the root
     */
    public static <T> T alone(Path root, String nodeName, Supplier<T> work) {
        try {
            Closeable lock = new DiskDirectory(root).lock(process() + ", node " + nodeName);
            try {
                return work.get();
            } finally {
                lock.close();
            }
        } catch (JournalException e) {
            throw e.asVolumeException();
        } catch (IOException e) {
            throw new JournalException(
                            Kind.IO,
                            "root directory " + root + " could not be locked: " + e,
                            "check that the root directory is writable and has free space",
                            e)
                    .asVolumeException();
        }
    }

    @Override
    public OpenedJournal open(JournalIdentity identity, JournalListener listener) {
        Closeable lock = null;
        try {
            lock = directory.lock(owner + ", node " + identity.nodeName());
            directory.deleteIfExists(FileLog.NEW);
            return directory.exists(FileLog.JOURNAL)
                    ? replay(identity, listener, lock)
                    : create(identity, listener, lock);
        } catch (IOException e) {
            release(lock, e);
            throw new JournalException(
                    Kind.IO,
                    "journal " + directory.describe(FileLog.JOURNAL) + " could not be opened: " + e,
                    "check that the root directory exists, is writable and has free space",
                    e);
        } catch (RuntimeException | Error e) {
            // Also an Error, such as a full heap: a root that stays locked could not be opened again.
            release(lock, e);
            throw e;
        }
    }

    private OpenedJournal create(JournalIdentity identity, JournalListener listener, Closeable lock)
            throws IOException {
        SnapshotWriter snapshots = new SnapshotWriter(directory, identity, options, random);
        ByteBuffer buffer = ByteBuffer.allocate(options.maxGroupBytes());
        LogFile file = snapshots.write(List.of(), 1, buffer, true).file();
        try {
            directory.rename(FileLog.NEW, FileLog.JOURNAL);
            directory.sync();
            directory.deleteIfExists(FileLog.SUSPECT);
            FileLog log = new FileLog(directory, options, snapshots, lock, file, 1);
            ReplayReport report = new ReplayReport(true, 0, List.of(), false, false, 1);
            return opened(log, listener, 0, new Replayed(identity, List.of(), report));
        } catch (IOException | RuntimeException | Error e) {
            file.close();
            throw e;
        }
    }

    private OpenedJournal replay(JournalIdentity identity, JournalListener listener, Closeable lock)
            throws IOException {
        JournalFile found = directory.open(FileLog.JOURNAL);
        try {
            FileWindow window = new FileWindow(found);
            HeaderReader read = HeaderReader.read(window, directory.describe(FileLog.JOURNAL));
            JournalHeader header = read.header();
            requireSame(header.identity(), identity);
            Scan scan = RecordScanner.scan(header, window);
            LogFile file = new LogFile(found, header.salt(), scan.tail(), window.size(), scan.snapshotEnd());
            SnapshotWriter snapshots = new SnapshotWriter(directory, identity, options, random);
            FileLog log = new FileLog(directory, options, snapshots, lock, file, scan.nextSequence());
            boolean booted = !scan.lastBootId().equals(identity.bootId());
            settle(log, file, scan, identity.bootId(), booted);
            ReplayReport report = new ReplayReport(
                    false,
                    scan.cutBytes(),
                    scan.damage(),
                    read.repaired(),
                    booted,
                    booted ? scan.nextSequence() : scan.bootFrom());
            JournalIdentity previous = new JournalIdentity(identity.nodeName(), scan.lastBootId(), identity.rootId());
            return opened(log, listener, scan.nextSequence() - 1, new Replayed(previous, scan.records(), report));
        } catch (IOException | RuntimeException | Error e) {
            found.close();
            throw e;
        }
    }

    /**
     * Makes the records that were read durable, so that a power loss cannot remove what the owner builds on. Erases
     * the rest of an interrupted write. If the disk refuses, the journal starts as after a failed write.
     *
     * <p>Lost records at the end leave no trace when their bytes are erased. So a record comes first whose number leaves
     * a gap: until a snapshot replaces the file, each start reports the damage.
     */
    private void settle(FileLog log, LogFile file, Scan scan, String bootId, boolean booted) throws IOException {
        if (directory.exists(FileLog.SUSPECT)) {
            log.distrust();
            return;
        }
        log.refillReserve();
        try {
            if (scan.endLost()) {
                addBoot(log, bootId);
                log.sync();
            }
            file.clear(scan.contentEnd());
            if (booted && !scan.endLost()) {
                addBoot(log, bootId);
            }
            log.sync();
            // An earlier process may have died between the rename of a compaction and the sync of the directory.
            directory.sync();
        } catch (IOException e) {
            log.distrust();
        }
    }

    private static void addBoot(FileLog log, String bootId) throws IOException {
        log.addBoot(bootId.getBytes(StandardCharsets.UTF_8));
        log.write();
    }

    private OpenedJournal opened(FileLog log, JournalListener listener, long lastSequence, Replayed replayed) {
        GroupCommitJournal journal = new GroupCommitJournal(log, options, executor, listener, lastSequence);
        if (!log.trusted()) {
            journal.ask(SnapshotReason.WRITE_FAILED);
        } else if (replayed.report().damaged() || replayed.report().headerRepaired()) {
            journal.ask(SnapshotReason.DAMAGE);
        } else if (log.outgrown()) {
            // Otherwise a node with few writes would read the whole log at each start.
            journal.ask(SnapshotReason.SIZE);
        }
        return new OpenedJournal(journal, replayed);
    }

    private void requireSame(JournalIdentity found, JournalIdentity wanted) {
        String path = directory.describe(FileLog.JOURNAL);
        if (!found.rootId().equals(wanted.rootId())) {
            throw new JournalException(
                    Kind.WRONG_ROOT,
                    "journal " + path + " belongs to root " + found.rootId() + ", not " + wanted.rootId(),
                    "it was copied or moved here; give the node its own root directory, or move the journal back");
        }
        if (!found.nodeName().equals(wanted.nodeName())) {
            throw new JournalException(
                    Kind.WRONG_NODE,
                    "journal " + path + " belongs to node " + found.nodeName() + ", not " + wanted.nodeName(),
                    "start with that node name, or give this node its own root directory");
        }
    }

    private static String process() {
        return "pid " + ProcessHandle.current().pid();
    }

    private static void release(@Nullable Closeable lock, Throwable why) {
        if (lock != null) {
            try {
                lock.close();
            } catch (IOException e) {
                why.addSuppressed(e);
            }
        }
    }
}
