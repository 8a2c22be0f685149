package io.volume4j.core.node.state;

import io.volume4j.core.engine.EventLoop;
import io.volume4j.core.journal.JournalEntry;
import io.volume4j.core.node.Blocking;
import io.volume4j.core.volumes.VolumeTransition;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.mount.DeviceIdentity;
import io.volume4j.spi.plugin.FormatLedger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The formats that were begun on this node, stored in the journal. The map belongs to the loop; ledgers are for
 * workers.
 *
 * <p>A snapshot also replaces rows that are not yet on disk, so it must contain their content: a format from the
 * moment its first row is appended until the row of its end is appended.
 */
public final class NodeFormats {
    private final EventLoop loop;
    private final Blocking blocking;
    private final Map<VolumeId, FormatLedger.OpenFormat> open = new LinkedHashMap<>();
    /**
     * Formats whose end is being written. Such a format is still open for callers, but a snapshot of the journal no
     * longer contains it.
     */
    private final Set<VolumeId> ending = new HashSet<>();

    private final NodeJournal journal;
    private final Map<VolumeId, Long> begunAt = new LinkedHashMap<>();
    private final Consumer<VolumeTransition> listener;

    public NodeFormats(EventLoop loop, Blocking blocking, NodeJournal journal, Consumer<VolumeTransition> listener) {
        this.loop = loop;
        this.blocking = blocking;
        this.journal = journal;
        this.listener = listener;
    }

    /** Stores the open formats of the journal. */
    public void replay(Map<VolumeId, FormatLedger.OpenFormat> formats) {
        open.putAll(formats);
    }

    /** The volume left this node. A format that was begun here no longer describes the device's contents. */
    public void forget(VolumeId id) {
        begunAt.remove(id);
        if (open.remove(id) != null) {
            journal.note(RowCodec.formatEnded(id));
        }
    }

    public List<JournalEntry> snapshot() {
        List<JournalEntry> entries = new ArrayList<>();
        open.forEach((id, format) -> {
            if (!ending.contains(id)) {
                entries.add(RowCodec.formatBegun(id, format));
            }
        });
        return entries;
    }

    private void begins(VolumeId id, FormatLedger.OpenFormat format) {
        open.put(id, format);
        ending.remove(id);
    }

    /**
     * The node will not write to the device, so no record may permit it, even if a snapshot already contains the
     * format.
     */
    private void notBegun(VolumeId id, FormatLedger.OpenFormat format) {
        if (open.remove(id, format)) {
            journal.note(RowCodec.formatEnded(id));
        }
    }

    private void begun(VolumeId id, FormatLedger.OpenFormat format) {
        begunAt.put(id, loop.nanoTime());
        tell(id, format, false, Duration.ZERO);
    }

    private void ended(VolumeId id, FormatLedger.OpenFormat format) {
        ending.remove(id);
        open.remove(id);
        Long at = begunAt.remove(id);
        if (at != null) {
            tell(id, format, true, Duration.ofNanos(loop.nanoTime() - at));
        }
    }

    /** The ledger of one volume, for the next call. */
    public FormatLedger ledger(VolumeId id) {
        return new Ledger(id, open.get(id));
    }

    private void tell(VolumeId id, FormatLedger.OpenFormat format, boolean ended, Duration took) {
        listener.accept(new VolumeTransition(
                VolumeTransition.Action.FORMAT,
                id,
                "",
                "format volume " + id.name() + " with " + format.fsType(),
                1,
                ended,
                took,
                null));
    }

    private final class Ledger implements FormatLedger {
        private final VolumeId id;
        private volatile @Nullable OpenFormat format;

        Ledger(VolumeId id, @Nullable OpenFormat format) {
            this.id = id;
            this.format = format;
        }

        @Override
        public void begin(DeviceIdentity device, String fsType, String proof) {
            OpenFormat begun = new OpenFormat(device, fsType, proof);
            append(
                    RowCodec.formatBegun(id, begun),
                    () -> begins(id, begun),
                    () -> begun(id, begun),
                    () -> notBegun(id, begun));
            format = begun;
        }

        @Override
        public @Nullable OpenFormat open() {
            return format;
        }

        @Override
        public void finish() {
            OpenFormat begun = format;
            if (begun != null) {
                append(RowCodec.formatEnded(id), () -> ending.add(id), () -> ended(id, begun), () -> ending.remove(id));
                format = null;
            }
        }

        private void append(JournalEntry entry, Runnable onItsWay, Runnable durable, Runnable failed) {
            blocking.requireWorker();
            CompletableFuture<Boolean> done = new CompletableFuture<>();
            loop.execute(() -> {
                onItsWay.run();
                journal.intent(entry, false, failure -> {
                    if (failure == null) {
                        durable.run();
                        done.complete(true);
                    } else {
                        failed.run();
                        done.completeExceptionally(failure);
                    }
                });
            });
            blocking.await(done);
        }
    }
}
