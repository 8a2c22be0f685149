package io.volume4j.core.node;

import io.volume4j.core.engine.EventLoop;
import io.volume4j.core.journal.JournalEntry;
import io.volume4j.core.volumes.VolumeTransition;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.mount.DeviceIdentity;
import io.volume4j.spi.plugin.FormatLedger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Formats that were begun on this node, kept in the journal. The map belongs to the loop; ledgers are for workers. */
final class NodeFormats {
    private final EventLoop loop;
    private final Blocking blocking;
    private final Map<VolumeId, FormatLedger.OpenFormat> open = new LinkedHashMap<>();
    private @Nullable NodeJournal journal;

    private final Map<VolumeId, Long> begunAt = new LinkedHashMap<>();
    private final Consumer<VolumeTransition> listener;

    NodeFormats(EventLoop loop, Blocking blocking, Consumer<VolumeTransition> listener) {
        this.loop = loop;
        this.blocking = blocking;
        this.listener = listener;
    }

    void journal(NodeJournal opened) {
        journal = opened;
    }

    /** Takes over what the journal says. */
    void replay(Map<VolumeId, FormatLedger.OpenFormat> formats) {
        open.putAll(formats);
    }

    /** The volume left this node: what was begun here says nothing any more about what it holds. */
    void forget(VolumeId id) {
        begunAt.remove(id);
        if (open.remove(id) != null && journal != null) {
            journal.note(RowCodec.formatEnded(id));
        }
    }

    List<JournalEntry> snapshot() {
        List<JournalEntry> entries = new ArrayList<>();
        open.forEach((id, format) -> entries.add(RowCodec.formatBegun(id, format)));
        return entries;
    }

    /** The ledger of one volume, for the call that is about to be made. */
    FormatLedger ledger(VolumeId id) {
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
            append(RowCodec.formatBegun(id, begun), () -> {
                open.put(id, begun);
                begunAt.put(id, loop.nanoTime());
                tell(id, begun, false, Duration.ZERO);
            });
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
                append(RowCodec.formatEnded(id), () -> {
                    open.remove(id);
                    Long at = begunAt.remove(id);
                    if (at != null) {
                        tell(id, begun, true, Duration.ofNanos(loop.nanoTime() - at));
                    }
                });
                format = null;
            }
        }

        private void append(JournalEntry entry, Runnable whenDurable) {
            CompletableFuture<Boolean> done = new CompletableFuture<>();
            loop.execute(() -> {
                if (journal == null) {
                    done.completeExceptionally(VolumeException.transientFailure("the journal is not open"));
                    return;
                }
                journal.intent(entry, false, failure -> {
                    if (failure == null) {
                        whenDurable.run();
                        done.complete(true);
                    } else {
                        done.completeExceptionally(failure);
                    }
                });
            });
            blocking.await(done);
        }
    }
}
