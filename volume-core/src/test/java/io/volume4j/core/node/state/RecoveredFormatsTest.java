package io.volume4j.core.node.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.journal.DamagedRange;
import io.volume4j.core.journal.JournalEntry;
import io.volume4j.core.journal.JournalIdentity;
import io.volume4j.core.journal.JournalRecord;
import io.volume4j.core.journal.ReplayReport;
import io.volume4j.core.journal.Replayed;
import io.volume4j.core.node.MountState;
import io.volume4j.core.node.recover.StateReconstruction;
import io.volume4j.core.plugins.DefaultPluginHost;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.mount.DeviceIdentity;
import io.volume4j.spi.plugin.FormatLedger.OpenFormat;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * The beginning of a format is a permission to overwrite. It outlives a restart, and nothing that may have ended it.
 */
class RecoveredFormatsTest {
    private static final VolumeId ID = VolumeId.shared("p", "v");
    private static final VolumeId OTHER = VolumeId.shared("p", "w");
    private static final OpenFormat FORMAT = new OpenFormat(new DeviceIdentity("serial", 1 << 30), "ext4", "zero");
    private static final JournalEntry BEGUN = RowCodec.formatBegun(ID, FORMAT);
    private static final JournalEntry ENDED = RowCodec.formatEnded(ID);
    private static final JournalEntry LATER_RELEASE = new JournalEntry(100, new byte[] {3, 1});
    private static final JournalEntry UNREADABLE = new JournalEntry(RowCodec.FORMAT_ENDED, new byte[] {0});

    private final List<JournalRecord> records = new ArrayList<>();

    @Test
    void areOpenAsLongAsTheirEndWasNotWritten() {
        rows(device(MountState.UNCERTAIN), BEGUN, RowCodec.formatEnded(OTHER), device(MountState.UNCERTAIN));

        assertThat(open()).containsExactly(ID);
    }

    @Test
    void areOverWithTheirEnd() {
        rows(BEGUN, ENDED);

        assertThat(open()).isEmpty();
    }

    @Test
    void areBegunAnewAfterTheirEnd() {
        rows(BEGUN, ENDED, LATER_RELEASE, BEGUN);

        assertThat(open()).containsExactly(ID);
    }

    @Test
    void areOverWhereARowThatCannotBeReadMayBeTheirEnd() {
        rows(BEGUN, LATER_RELEASE);
        assertThat(open()).isEmpty();

        records.clear();
        rows(BEGUN, UNREADABLE);
        assertThat(open()).isEmpty();
    }

    /** The end is written ahead of the mount. */
    @Test
    void areOverWhereTheirDeviceWasMountedSince() {
        rows(BEGUN, device(MountState.MOUNTED));

        assertThat(open()).isEmpty();
    }

    @Test
    void areOverWhereDamageMayHaveHeldTheirEnd() {
        rows(BEGUN, device(MountState.UNCERTAIN));
        DamagedRange damage = new DamagedRange(9000, 100, 3, 1);

        assertThat(open(damage)).isEmpty();
    }

    @Test
    void areOpenWhereTheDamageCameBeforeThem() {
        DamagedRange damage = new DamagedRange(9000, 100, 1, 1);
        rows(device(MountState.UNCERTAIN), BEGUN);

        assertThat(open(damage)).containsExactly(ID);
    }

    private static JournalEntry device(MountState state) {
        return RowCodec.volume(VolumeRow.unknown(ID, "v", false).withDevice(state));
    }

    private void rows(JournalEntry... entries) {
        for (JournalEntry entry : entries) {
            records.add(new JournalRecord(records.size() + 1L, entry));
        }
    }

    private Set<VolumeId> open(DamagedRange... damage) {
        JournalIdentity identity = new JournalIdentity("n", "boot", "root");
        ReplayReport report = new ReplayReport(false, 0, List.of(damage), false, false, 1);
        Path root = Path.of("/root-of-volumes");
        NodeLayout layout = new NodeLayout(root);
        PluginRegistry plugins =
                PluginRegistry.builder(DefaultPluginHost.builder(root).build()).build();
        StateReconstruction recovery = StateReconstruction.of(
                new Replayed(identity, records, report),
                new StateReconstruction.Sources(
                        layout, null, new MountMetadataFiles(layout, null, "boot"), plugins, "root"));
        return recovery.formats().keySet();
    }
}
