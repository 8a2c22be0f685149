package io.volume4j.core.node;

import io.volume4j.core.journal.JournalRecord;
import io.volume4j.core.journal.Replayed;
import io.volume4j.core.node.RowCodec.MountKey;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.mount.MountTable;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.plugin.FormatLedger.OpenFormat;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an earlier run left on this machine: the journal's rows, held against the mount table. The journal says what
 * something is; the table says whether it is there. What was certain and is not there any more becomes uncertain, because
 * traces may be left: it is made again if it is wanted, and taken down if it is not.
 */
final class Recovery {
    private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);

    private final Map<VolumeId, VolumeRow> volumes = new LinkedHashMap<>();
    private final Map<MountKey, MountRow> mounts = new LinkedHashMap<>();
    private final Map<VolumeId, OpenFormat> formats = new LinkedHashMap<>();
    private boolean damaged;

    private Recovery() {}

    /** Reads what is left; blocks for the machine. */
    static Recovery of(Replayed replayed, NodeLayout layout, @Nullable MountBackend machine) {
        Recovery recovery = new Recovery();
        recovery.damaged = replayed.report().damaged();
        replayed.records().forEach(recovery::replay);
        if (replayed.report().bootIdChanged()) {
            recovery.afterReboot();
        }
        if (machine != null) {
            recovery.compare(layout, machine);
        }
        return recovery;
    }

    Collection<VolumeRow> volumes() {
        return volumes.values();
    }

    Collection<MountRow> mounts() {
        return mounts.values();
    }

    Map<VolumeId, OpenFormat> formats() {
        return formats;
    }

    /** Whether something of the journal could not be read. */
    boolean damaged() {
        return damaged;
    }

    private void replay(JournalRecord record) {
        byte[] payload = record.payload();
        try {
            switch (record.type()) {
                case RowCodec.VOLUME -> {
                    VolumeRow row = RowCodec.readVolume(payload);
                    volumes.put(row.id(), row);
                }
                case RowCodec.VOLUME_GONE -> volumes.remove(RowCodec.readOnlyId(payload));
                case RowCodec.MOUNT -> {
                    MountRow row = RowCodec.readMount(payload);
                    mounts.put(new MountKey(row.id(), row.podUid()), row);
                }
                case RowCodec.MOUNT_GONE -> mounts.remove(RowCodec.readMountGone(payload));
                case RowCodec.FORMAT_BEGUN -> {
                    RowCodec.BegunFormat begun = RowCodec.readFormatBegun(payload);
                    formats.put(begun.id(), begun.format());
                }
                case RowCodec.FORMAT_ENDED -> formats.remove(RowCodec.readOnlyId(payload));
                default -> damaged = true;
            }
        } catch (IllegalArgumentException unreadable) {
            damaged = true;
            LOG.warn(
                    "journal row skipped sequence={} type={} reason=\"{}\"",
                    record.sequence(),
                    record.type(),
                    unreadable.getMessage());
        }
    }

    /** Mounts and devices went with the boot; attachments by the control plane did not, and are asked for again. */
    private void afterReboot() {
        volumes.replaceAll((id, row) -> {
            VolumeRow attach = row.attach() == AttachState.ATTACHED ? row.withAttach(AttachState.UNCERTAIN) : row;
            return attach.device() == MountState.MOUNTED ? attach.withDevice(MountState.UNCERTAIN) : attach;
        });
        mounts.replaceAll((key, row) -> row.withState(MountState.UNCERTAIN));
    }

    private void compare(NodeLayout layout, MountBackend machine) {
        MountTable first = machine.table();
        List<VolumeId> devicesMissing = new ArrayList<>();
        for (VolumeRow row : volumes.values()) {
            if (row.device() == MountState.MOUNTED
                    && row.deviceInKernel()
                    && missing(first, layout.deviceMount(row.id()))) {
                devicesMissing.add(row.id());
            }
        }
        List<MountKey> mountsMissing = new ArrayList<>();
        for (Map.Entry<MountKey, MountRow> entry : mounts.entrySet()) {
            MountRow row = entry.getValue();
            if (row.state() == MountState.MOUNTED
                    && row.inKernel()
                    && missing(first, layout.podMount(row.id(), row.podUid(), row.outerName()))) {
                mountsMissing.add(entry.getKey());
            }
        }
        if (devicesMissing.isEmpty() && mountsMissing.isEmpty()) {
            return;
        }
        // Kernels before 5.8 can leave a mount out of one reading while others are taken away.
        MountTable second = machine.table();
        for (VolumeId id : devicesMissing) {
            if (missing(second, layout.deviceMount(id))) {
                volumes.computeIfPresent(id, (key, row) -> row.withDevice(MountState.UNCERTAIN));
            }
        }
        for (MountKey key : mountsMissing) {
            mounts.computeIfPresent(
                    key,
                    (k, row) -> missing(second, layout.podMount(row.id(), row.podUid(), row.outerName()))
                            ? row.withState(MountState.UNCERTAIN)
                            : row);
        }
    }

    private static boolean missing(MountTable table, RootedPath path) {
        return table.at(path.absolute()).isEmpty();
    }
}
