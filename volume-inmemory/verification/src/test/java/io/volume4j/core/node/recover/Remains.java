package io.volume4j.core.node.recover;

import io.volume4j.core.journal.DamagedRange;
import io.volume4j.core.journal.JournalEntry;
import io.volume4j.core.journal.JournalIdentity;
import io.volume4j.core.journal.JournalRecord;
import io.volume4j.core.journal.ReplayReport;
import io.volume4j.core.journal.Replayed;
import io.volume4j.core.node.AttachState;
import io.volume4j.core.node.MountState;
import io.volume4j.core.node.state.MountMetadataFiles;
import io.volume4j.core.node.state.MountRow;
import io.volume4j.core.node.state.NodeLayout;
import io.volume4j.core.node.state.RowCodec;
import io.volume4j.core.node.state.VolumeRow;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.inmemory.host.InMemoryPluginHost;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.mount.FilesystemMount;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.plugin.PluginState;
import io.volume4j.spi.plugin.VolumePlugin;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;

/** What an earlier run left: the rows of its journal, and directories, mounts and metadata files on a machine in memory. */
final class Remains {
    static final Path ROOT = Path.of("/volumes");
    static final VolumeId DATA = VolumeId.shared("mem", "h-data");
    static final VolumeId MORE = VolumeId.shared("mem", "h-more");

    final InMemoryMountBackend machine = InMemoryMountBackend.create();
    final NodeLayout layout = new NodeLayout(ROOT);
    private final List<JournalRecord> records = new ArrayList<>();
    private final List<DamagedRange> damage = new ArrayList<>();
    private final List<VolumePlugin> plugins = new ArrayList<>();
    private boolean created;
    private long thisBootFrom = 1;

    Remains() {
        write("root-id", "root".getBytes(StandardCharsets.UTF_8));
    }

    /** The next rows of the journal; the first has the number 1. */
    Remains rows(JournalEntry... entries) {
        for (JournalEntry entry : entries) {
            records.add(new JournalRecord(records.size() + 1L, entry));
        }
        return this;
    }

    /** The journal cannot be read where this many records stood, from that number on. */
    Remains damagedAt(long firstMissing, long missing) {
        damage.add(new DamagedRange(9_000, 100, firstMissing, missing));
        return this;
    }

    /** There was no journal, and a new one was made. */
    Remains newJournal() {
        created = true;
        return this;
    }

    /** The machine was booted before the row of that number. */
    Remains bootedBefore(long sequence) {
        thisBootFrom = sequence;
        return this;
    }

    Remains plugin(VolumePlugin plugin) {
        plugins.add(plugin);
        return this;
    }

    Remains mounted(RootedPath at) {
        machine.files().createDirectory(at, 0750);
        machine.mount(new FilesystemMount("tmpfs", "x", false, List.of()), at);
        return this;
    }

    Remains directory(String path) {
        machine.files().createDirectory(at(path), 0750);
        return this;
    }

    void write(String path, byte[] content) {
        machine.files().createRoot(ROOT);
        machine.files().writeAtomically(at(path), content, 0600);
    }

    /** The metadata file that was written in this boot, or in an earlier one. */
    Remains metadataFile(MountRow row, String boot) {
        machine.files().createDirectory(layout.podVolumes(row.podUid(), row.id().plugin(), row.block()), 0750);
        new MountMetadataFiles(layout, machine, boot).announce(row);
        return this;
    }

    Remains metadataFile(VolumeRow row, String boot) {
        machine.files().createDirectory(layout.deviceDirectory(row.id()), 0750);
        new MountMetadataFiles(layout, machine, boot).announce(row);
        return this;
    }

    /** A later version has written a state to the file that this one does not know. */
    Remains ofLaterVersion(RootedPath metadataFile) {
        byte[] bytes = machine.files().read(metadataFile, 1 << 16).orElseThrow();
        String text = new String(bytes, StandardCharsets.ISO_8859_1).replace("MOUNTED", "FROZEN.");
        ByteBuffer changed = ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1));
        int checksum = "v4jcard\n".length();
        CRC32C crc = new CRC32C();
        crc.update(changed.array(), checksum + Integer.BYTES, bytes.length - checksum - Integer.BYTES);
        changed.putInt(checksum, (int) crc.getValue());
        machine.files().writeAtomically(metadataFile, changed.array(), 0600);
        return this;
    }

    /** What a start makes of it. */
    StateReconstruction found() {
        return found("root");
    }

    StateReconstruction found(String rootId) {
        ReplayReport report = new ReplayReport(created, 0, damage, false, thisBootFrom > 1, thisBootFrom);
        JournalIdentity identity = new JournalIdentity("n1", "boot", "root");
        PluginRegistry registry = PluginRegistry.builder(InMemoryPluginHost.named("n1")
                        .root(ROOT)
                        .mounts(machine)
                        .build())
                .plugins(plugins)
                .build();
        return StateReconstruction.of(
                new Replayed(identity, records, report),
                new StateReconstruction.Sources(
                        layout, machine, new MountMetadataFiles(layout, machine, "boot"), registry, rootId));
    }

    /** What a start makes of it on a node that mounts nothing itself. */
    StateReconstruction foundWithoutMachine() {
        ReplayReport report = new ReplayReport(created, 0, damage, false, thisBootFrom > 1, thisBootFrom);
        PluginRegistry registry = PluginRegistry.builder(
                        InMemoryPluginHost.named("n1").root(ROOT).build())
                .build();
        return StateReconstruction.of(
                new Replayed(new JournalIdentity("n1", "boot", "root"), records, report),
                new StateReconstruction.Sources(
                        layout, null, new MountMetadataFiles(layout, null, "boot"), registry, "root"));
    }

    static RootedPath at(String path) {
        return RootedPath.of(ROOT, path);
    }

    /** A volume that is attached and whose device mount shows in the kernel's table. */
    static VolumeRow staged(VolumeId id) {
        return VolumeRow.unknown(id, "pv-" + id.name(), false)
                .attached("/dev/x", Map.of("k", "v"), PluginState.none())
                .deviceMounted(true, PluginState.none(), null);
    }

    /** The same as a raw device. */
    static VolumeRow stagedRaw(VolumeId id) {
        return staged(id).withBlock(true);
    }

    static VolumeRow attachedOnly(VolumeId id) {
        return VolumeRow.unknown(id, "pv-" + id.name(), false).withAttach(AttachState.ATTACHED);
    }

    static MountRow mount(VolumeId id, String pod, String outerName) {
        return new MountRow(
                id, pod, "ns", "pod-" + pod, outerName, false, MountState.MOUNTED, true, false, PluginState.none());
    }

    static JournalEntry row(VolumeRow row) {
        return RowCodec.volume(row);
    }

    static JournalEntry row(MountRow row) {
        return RowCodec.mount(row);
    }
}
