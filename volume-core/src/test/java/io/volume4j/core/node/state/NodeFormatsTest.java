package io.volume4j.core.node.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.core.engine.ManualLoop;
import io.volume4j.core.journal.InMemoryJournalStore;
import io.volume4j.core.journal.JournalEntry;
import io.volume4j.core.journal.JournalIdentity;
import io.volume4j.core.journal.JournalOptions;
import io.volume4j.core.journal.OpenedJournal;
import io.volume4j.core.node.Blocking;
import io.volume4j.core.node.recover.StateReconstruction;
import io.volume4j.core.plugins.DefaultPluginHost;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.mount.DeviceIdentity;
import io.volume4j.spi.plugin.FormatLedger;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * Formats that were begun are open until they end or their volume leaves. A snapshot that is taken while a row of a format is on
 * its way to the disk says what the row says.
 */
class NodeFormatsTest {
    private static final VolumeId ID = VolumeId.shared("p", "v");
    private static final DeviceIdentity DEVICE = new DeviceIdentity("serial", 1 << 30);

    private final ManualLoop loop = new ManualLoop();
    private final Deque<Runnable> writer = new ArrayDeque<>();
    private final InMemoryJournalStore store = new InMemoryJournalStore(JournalOptions.defaults(), writer::add);
    private final NodeJournal journal = new NodeJournal(loop, this::snapshot);
    private final NodeFormats formats = new NodeFormats(loop, new CompactingWait(), journal, told -> {});
    private boolean compacting;

    NodeFormatsTest() {
        journal.open(open().journal());
    }

    private List<JournalEntry> snapshot() {
        return formats.snapshot();
    }

    @Test
    void keepTheBeginningThatASnapshotOvertakes() {
        compacting = true;
        formats.ledger(ID).begin(DEVICE, "ext4", "zero");

        assertThat(openAfterRestart()).containsExactly(ID);
    }

    /** Or else the permission to overwrite would outlive the format. */
    @Test
    void keepTheEndThatASnapshotOvertakes() {
        FormatLedger ledger = formats.ledger(ID);
        ledger.begin(DEVICE, "ext4", "zero");
        compacting = true;
        ledger.finish();

        assertThat(openAfterRestart()).isEmpty();
    }

    @Test
    void areOpenAgainWhenTheirEndCouldNotBeWritten() {
        FormatLedger ledger = formats.ledger(ID);
        ledger.begin(DEVICE, "ext4", "zero");
        store.failSyncs(1);
        assertThatThrownBy(ledger::finish).isInstanceOf(VolumeException.class);

        assertThat(formats.ledger(ID).open()).isNotNull();
        assertThat(formats.snapshot()).hasSize(1);
    }

    /** Nothing is written to a device without a durable row, so nothing may permit it either. */
    @Test
    void areNotOpenWhenTheirBeginningCouldNotBeWritten() {
        compacting = true;
        store.failSyncs(1);
        FormatLedger ledger = formats.ledger(ID);
        assertThatThrownBy(() -> ledger.begin(DEVICE, "ext4", "zero")).isInstanceOf(VolumeException.class);

        assertThat(formats.ledger(ID).open()).isNull();
        assertThat(formats.snapshot()).isEmpty();
        assertThat(openAfterRestart()).isEmpty();
    }

    /** Elsewhere the volume may be given data, which the permission to finish the format would destroy. */
    @Test
    void areForgottenWithTheirVolume() {
        formats.ledger(ID).begin(DEVICE, "ext4", "zero");

        formats.forget(ID);

        assertThat(formats.ledger(ID).open()).isNull();
        assertThat(formats.snapshot()).isEmpty();
        write();
        assertThat(openAfterRestart()).isEmpty();
    }

    @Test
    void ofOtherVolumesStayWhenOneIsForgotten() {
        formats.ledger(ID).begin(DEVICE, "ext4", "zero");

        formats.forget(VolumeId.shared("p", "other"));

        assertThat(formats.ledger(ID).open()).isNotNull();
        write();
        assertThat(openAfterRestart()).containsExactly(ID);
    }

    /** The loop would wait for itself. Nothing is posted, so nothing permits a format that does not follow. */
    @Test
    void areRefusedToACallThatRunsOnTheLoop() {
        NodeFormats onLoop = new NodeFormats(loop, Blocking.threads(loop), journal, told -> {});

        assertThatThrownBy(() -> onLoop.ledger(ID).begin(DEVICE, "ext4", "zero"))
                .isInstanceOfSatisfying(VolumeException.class, refused -> {
                    assertThat(refused.kind()).isEqualTo(FailureKind.TRANSIENT);
                    assertThat(refused.advice()).contains("its own threads");
                });

        loop.run();
        write();
        assertThat(onLoop.ledger(ID).open()).isNull();
        assertThat(openAfterRestart()).isEmpty();
    }

    private void write() {
        for (Runnable step = writer.poll(); step != null; step = writer.poll()) {
            step.run();
            loop.run();
        }
    }

    private OpenedJournal open() {
        return store.open(new JournalIdentity("n", "boot", "root"), reason -> {});
    }

    private Set<VolumeId> openAfterRestart() {
        store.crash();
        Path root = Path.of("/root-of-volumes");
        NodeLayout layout = new NodeLayout(root);
        PluginRegistry plugins =
                PluginRegistry.builder(DefaultPluginHost.builder(root).build()).build();
        return StateReconstruction.of(
                        open().replayed(),
                        new StateReconstruction.Sources(
                                layout, null, new MountMetadataFiles(layout, null, "boot"), plugins, "root"))
                .formats()
                .keySet();
    }

    /** Where it is asked to, has a snapshot taken between the moment a row is accepted and that in which it is heard of. */
    private final class CompactingWait implements Blocking {
        @Override
        public <T> T await(CompletableFuture<T> future) {
            loop.run();
            if (compacting) {
                journal.compact();
            }
            write();
            assertThat(future).isDone();
            return Blocking.threads(loop).await(future);
        }
    }
}
