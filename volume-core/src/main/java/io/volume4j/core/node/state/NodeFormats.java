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
 * Formats that were begun on this node, kept in the journal. The map belongs to the loop; ledgers are for workers.
 *
 * <p>A snapshot replaces the rows that are still on their way to the disk too, so it holds what they say: a format from the
 * moment its row is appended, and none any more once the row of its end is.
 */
public final class NodeFormats {
    private final EventLoop loop;
    private final Blocking blocking;
    private final Map<VolumeId, FormatLedger.OpenFormat> open = new LinkedHashMap<>();
    /** The row of the end is being written: the format is still open for callers here, and ended in a snapshot of the journal. */
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

    /** Takes over what the journal says. */
    public void replay(Map<VolumeId, FormatLedger.OpenFormat> formats) {
        open.putAll(formats);
    }

    /** The volume left this node: what was begun here says nothing any more about what it holds. */
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

    /** Nothing will be written to the device, so nothing may be left that permits it, whether a snapshot took it or not. */
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

    /** The ledger of one volume, for the call that is about to be made. */
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
