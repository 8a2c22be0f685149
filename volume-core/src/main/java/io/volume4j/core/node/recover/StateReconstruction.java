package io.volume4j.core.node.recover;

import io.volume4j.core.journal.DamagedRange;
import io.volume4j.core.journal.JournalRecord;
import io.volume4j.core.journal.Replayed;
import io.volume4j.core.node.AttachState;
import io.volume4j.core.node.MountState;
import io.volume4j.core.node.recover.DirectoryScan.DevicePlace;
import io.volume4j.core.node.recover.DirectoryScan.PodPlace;
import io.volume4j.core.node.state.MountKey;
import io.volume4j.core.node.state.MountMetadataFiles;
import io.volume4j.core.node.state.MountMetadataFiles.Content;
import io.volume4j.core.node.state.MountRow;
import io.volume4j.core.node.state.NodeLayout;
import io.volume4j.core.node.state.RowCodec;
import io.volume4j.core.node.state.UnidentifiedMount;
import io.volume4j.core.node.state.VolumeRow;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.mount.MountTable;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.plugin.FormatLedger.OpenFormat;
import io.volume4j.spi.plugin.PluginState;
import io.volume4j.spi.plugin.VolumePlugin;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reconstructs what an earlier run left on this machine. The journal's rows identify volumes and mounts. The mount
 * table shows whether they exist. If the journal lacks a row or is damaged, the {@linkplain MountMetadataFiles files}
 * beside the mounts identify them. If these are lost too, a mount at a path of the layout is
 * {@linkplain UnidentifiedMount unidentified}.
 *
 * <p>A mount that was certain and is missing now becomes uncertain, and so does a mount without a record. The node
 * mounts it again if a pod wants it, and unmounts it if no pod does. No conclusion rests on a single reading.
 */
public final class StateReconstruction {
    private static final Logger LOG = LoggerFactory.getLogger(StateReconstruction.class);
    private static final String NO_PLUGIN = "volume4j.io/unknown";

    private final Map<VolumeId, VolumeRow> volumes = new LinkedHashMap<>();
    private final Map<MountKey, MountRow> mounts = new LinkedHashMap<>();
    private final Map<VolumeId, OpenFormat> formats = new LinkedHashMap<>();
    private final Set<VolumeId> doubtfulVolumes = new LinkedHashSet<>();
    private final Set<MountKey> doubtfulMounts = new LinkedHashSet<>();
    /** Volumes with a row after the last unreadable one; empty if all rows are readable. */
    private final Set<VolumeId> knownSince = new LinkedHashSet<>();

    private final Set<MountKey> mountsKnownSince = new LinkedHashSet<>();
    private boolean changed;
    private boolean damaged;
    private long unreadable;

    private StateReconstruction() {}

    /** The sources besides the journal. */
    public record Sources(
            NodeLayout layout,
            @Nullable MountBackend machine,
            MountMetadataFiles metadataFiles,
            PluginRegistry plugins,
            String rootId) {}

    /** Reconstructs the state. Blocks for the machine. */
    public static StateReconstruction of(Replayed replayed, Sources sources) {
        StateReconstruction recovery = new StateReconstruction();
        recovery.damaged = replayed.report().damaged();
        long trustedFrom = replayed.report().damage().stream()
                .mapToLong(DamagedRange::firstMissing)
                .max()
                .orElse(0);
        replayed.records().forEach(record -> {
            boolean trusted = record.sequence() >= trustedFrom;
            recovery.replay(record, trusted, replayed.writtenInThisBoot(record));
        });
        recovery.doubtWhatUnreadableRowsMayHaveChanged();
        recovery.takeModesFromMounts();
        MountBackend machine = sources.machine();
        if (machine == null) {
            recovery.doubtWhatNoRecordConfirms();
        } else {
            boolean whole = !recovery.damaged && !replayed.report().created();
            recovery.lookAround(sources, machine, whole);
        }
        recovery.completeVolumes(sources);
        return recovery;
    }

    public Collection<VolumeRow> volumes() {
        return volumes.values();
    }

    public Collection<MountRow> mounts() {
        return mounts.values();
    }

    public Map<VolumeId, OpenFormat> formats() {
        return formats;
    }

    /** Whether the result differs from the journal, so that the journal needs a new snapshot. */
    public boolean journalOutdated() {
        return damaged || changed;
    }

    /** The number of volumes and mounts in the result. */
    public long rows() {
        return (long) volumes.size() + mounts.size();
    }

    /** The number of unreadable records. */
    public long unreadable() {
        return unreadable;
    }

    private void replay(JournalRecord record, boolean trusted, boolean thisBoot) {
        byte[] payload = record.payload();
        try {
            switch (record.type()) {
                case RowCodec.VOLUME -> {
                    VolumeRow row = RowCodec.readVolume(payload);
                    volumes.put(row.id(), thisBoot ? row : afterReboot(row));
                    mark(doubtfulVolumes, row.id(), trusted);
                    known(knownSince, row.id());
                    if (row.device() == MountState.MOUNTED) {
                        // The end of a format is written before a mount of its device, so that record was lost.
                        formats.remove(row.id());
                    }
                }
                case RowCodec.VOLUME_GONE -> volumes.remove(RowCodec.readOnlyId(payload));
                case RowCodec.MOUNT -> {
                    MountRow row = RowCodec.readMount(payload);
                    MountKey key = new MountKey(row.id(), row.podUid());
                    mounts.put(key, thisBoot ? row : row.withState(MountState.UNCERTAIN));
                    mark(doubtfulMounts, key, trusted);
                    known(mountsKnownSince, key);
                }
                case RowCodec.MOUNT_GONE -> mounts.remove(RowCodec.readMountGone(payload));
                case RowCodec.FORMAT_BEGUN -> {
                    RowCodec.BegunFormat begun = RowCodec.readFormatBegun(payload);
                    if (trusted) {
                        formats.put(begun.id(), begun.format());
                    } else {
                        LOG.atWarn()
                                .addKeyValue("volume", begun.id())
                                .addKeyValue("reason", "its end may be lost")
                                .log("format not taken up");
                    }
                }
                case RowCodec.FORMAT_ENDED -> formats.remove(RowCodec.readOnlyId(payload));
                default -> unreadable(record, "a row of this type is not known");
            }
        } catch (IllegalArgumentException unknown) {
            unreadable(record, unknown.getMessage());
        }
    }

    /**
     * An unreadable record may have changed any earlier row. An open format permits overwriting the device. This
     * permission must not outlive a record that may have ended it.
     */
    private void unreadable(JournalRecord record, @Nullable String why) {
        damaged = true;
        unreadable++;
        knownSince.clear();
        mountsKnownSince.clear();
        formats.clear();
        LOG.atWarn()
                .addKeyValue("sequence", record.sequence())
                .addKeyValue("type", record.type())
                .addKeyValue("reason", why)
                .log("journal row skipped");
    }

    private <T> void known(Set<T> since, T key) {
        if (unreadable > 0) {
            since.add(key);
        }
    }

    private void doubtWhatUnreadableRowsMayHaveChanged() {
        if (unreadable == 0) {
            return;
        }
        volumes.keySet().stream().filter(id -> !knownSince.contains(id)).forEach(doubtfulVolumes::add);
        mounts.keySet().stream().filter(key -> !mountsKnownSince.contains(key)).forEach(doubtfulMounts::add);
    }

    /**
     * A volume without a device has the mode of its mounts. Its row is written only with its next change, and can still
     * show the mode of earlier pods.
     */
    private void takeModesFromMounts() {
        for (MountRow mount : mounts.values()) {
            volumes.computeIfPresent(
                    mount.id(),
                    (id, row) -> row.device() == MountState.NOT_MOUNTED ? row.withBlock(mount.block()) : row);
        }
    }

    private static <T> void mark(Set<T> doubtful, T key, boolean trusted) {
        if (trusted) {
            doubtful.remove(key);
        } else {
            doubtful.add(key);
        }
    }

    /**
     * The row after a boot of the machine. A boot removes mounts and devices. They are uncertain all the same, because
     * plugins may keep state of them. Attachments by the control plane survive a boot; the node verifies them again.
     */
    private static VolumeRow afterReboot(VolumeRow row) {
        VolumeRow attach = row.attach() == AttachState.ATTACHED ? row.withAttach(AttachState.UNCERTAIN) : row;
        return attach.device() == MountState.MOUNTED ? attach.withDevice(MountState.UNCERTAIN) : attach;
    }

    private void doubtWhatNoRecordConfirms() {
        doubtfulVolumes.forEach(id -> volumes.computeIfPresent(id, (key, row) -> afterReboot(row)));
        doubtfulMounts.forEach(
                mount -> mounts.computeIfPresent(mount, (key, row) -> row.withState(MountState.UNCERTAIN)));
    }

    private void lookAround(Sources sources, MountBackend machine, boolean whole) {
        MountTable table = machine.table();
        Set<String> knownPods = new HashSet<>();
        if (whole) {
            mounts.keySet().forEach(key -> knownPods.add(key.podUid()));
        }
        DirectoryScan scan = DirectoryScan.of(sources.layout(), machine, sources.rootId(), table, knownPods);
        adoptPods(sources, table, scan);
        adoptDevices(sources, table, scan);
        endFormatsOfMountedDevices(sources, table);
        doubtWhatNoRecordConfirms();
        compare(sources.layout(), machine, table);
    }

    private void adoptPods(Sources sources, MountTable table, DirectoryScan scan) {
        Set<PodPlace> vouchedFor = new HashSet<>();
        Set<DirectoryScan.SubPathPlace> withSubPaths = new HashSet<>();
        mounts.forEach((key, row) -> {
            withSubPaths.add(new DirectoryScan.SubPathPlace(row.podUid(), row.outerName()));
            if (!doubtfulMounts.contains(key)) {
                vouchedFor.add(PodPlace.of(row));
            }
        });
        for (PodPlace place : scan.podPlaces()) {
            withSubPaths.add(new DirectoryScan.SubPathPlace(place.podUid(), place.outerName()));
            if (!vouchedFor.contains(place)) {
                adopt(adopted(place, sources, table));
            }
        }
        for (DirectoryScan.SubPathPlace place : scan.subPaths()) {
            if (!withSubPaths.contains(place)) {
                adopt(uncertain(
                        UnidentifiedMount.ofPod(NO_PLUGIN, place.podUid(), place.outerName()),
                        place.podUid(),
                        place.outerName(),
                        false));
            }
        }
    }

    private void adopt(MountRow row) {
        MountKey key = new MountKey(row.id(), row.podUid());
        doubtfulMounts.remove(key);
        mounts.put(key, row);
        changed = true;
        LOG.atInfo()
                .addKeyValue("volume", row.id())
                .addKeyValue("pod", row.podUid())
                .addKeyValue("name", row.outerName())
                .addKeyValue("state", row.state())
                .log("mount found");
    }

    private MountRow adopted(PodPlace place, Sources sources, MountTable table) {
        String plugin = NodeLayout.pluginName(place.pluginFile());
        VolumeId guess = UnidentifiedMount.ofPod(plugin, place.podUid(), place.outerName());
        RootedPath path = sources.layout().podMount(guess, place.podUid(), place.outerName(), place.block());
        MountRow blank = uncertain(guess, place.podUid(), place.outerName(), place.block());
        Content<MountRow> file = sources.metadataFiles()
                .mount(sources.layout().podMetadataFile(blank))
                .filter(found -> PodPlace.of(found.row()).equals(place))
                .orElse(null);
        if (file != null) {
            MountRow row = file.row();
            boolean there = !row.inKernel() || table.at(path.absolute()).isPresent();
            return row.state().certain() && file.thisBoot() && there ? row : row.withState(MountState.UNCERTAIN);
        }
        return sources.plugins()
                .byName(plugin)
                .flatMap(found -> found.identify(place.podUid(), place.outerName()))
                .map(id -> uncertain(id, place.podUid(), place.outerName(), place.block()))
                .orElse(blank);
    }

    private static MountRow uncertain(VolumeId id, String podUid, String outerName, boolean block) {
        return new MountRow(
                id, podUid, "", podUid, outerName, block, MountState.UNCERTAIN, false, false, PluginState.none());
    }

    private void adoptDevices(Sources sources, MountTable table, DirectoryScan scan) {
        if (scan.devicePlaces().isEmpty()) {
            return;
        }
        Set<DevicePlace> vouchedFor = new HashSet<>();
        Map<DevicePlace, VolumeId> names = new LinkedHashMap<>();
        volumes.forEach((id, row) -> {
            names.put(DevicePlace.of(row), id);
            if (!doubtfulVolumes.contains(id) && !contradicted(row, sources.layout(), table)) {
                vouchedFor.add(DevicePlace.of(row));
            }
        });
        mounts.values().forEach(row -> names.putIfAbsent(place(row.id()), row.id()));
        for (DevicePlace place : scan.devicePlaces()) {
            if (!vouchedFor.contains(place)) {
                VolumeRow row = adopted(place, names.get(place), sources, table);
                doubtfulVolumes.remove(row.id());
                volumes.put(row.id(), row);
                changed = true;
                LOG.atInfo()
                        .addKeyValue("volume", row.id())
                        .addKeyValue("device", row.device())
                        .addKeyValue("attached", row.attach())
                        .log("device found");
            }
        }
    }

    /** Whether the kernel has a device for a row without one. Then the row is outdated. */
    private static boolean contradicted(VolumeRow row, NodeLayout layout, MountTable table) {
        return row.device() == MountState.NOT_MOUNTED && !missing(table, layout.deviceTarget(row));
    }

    private static DevicePlace place(VolumeId id) {
        return new DevicePlace(NodeLayout.fileName(id.plugin()), NodeLayout.deviceName(id));
    }

    private VolumeRow adopted(DevicePlace place, @Nullable VolumeId known, Sources sources, MountTable table) {
        VolumeId guess = known == null
                ? UnidentifiedMount.ofDevice(NodeLayout.pluginName(place.pluginFile()), place.name())
                : known;
        Content<VolumeRow> file = sources.metadataFiles()
                .volume(sources.layout().deviceMetadataFile(guess))
                .filter(found -> DevicePlace.of(found.row()).equals(place))
                .orElse(null);
        if (file == null) {
            VolumeRow row = volumes.get(guess);
            VolumeRow base = row == null ? VolumeRow.unknown(guess, guess.name(), false) : row;
            return base.withDevice(MountState.UNCERTAIN)
                    .withAttach(UnidentifiedMount.is(guess) ? AttachState.DETACHED : AttachState.UNCERTAIN);
        }
        VolumeRow row = file.thisBoot() ? file.row() : afterReboot(file.row());
        boolean there = table.at(sources.layout().deviceTarget(row).absolute()).isPresent();
        boolean asTheFileSays = row.device() == MountState.MOUNTED ? there || !row.deviceInKernel() : !there;
        return asTheFileSays ? row : row.withDevice(MountState.UNCERTAIN);
    }

    /**
     * The end of a format is written before its device is mounted. If the machine shows such a mount, now or at an
     * earlier boot, the journal lost that record, and users may have written to the device since.
     */
    private void endFormatsOfMountedDevices(Sources sources, MountTable table) {
        changed |= formats.keySet().removeIf(id -> mountedSince(id, sources, table));
    }

    private static boolean mountedSince(VolumeId id, Sources sources, MountTable table) {
        NodeLayout layout = sources.layout();
        boolean shown = !missing(table, layout.deviceMount(id)) || !missing(table, layout.rawDevice(id));
        return shown
                || sources.metadataFiles()
                        .volume(layout.deviceMetadataFile(id))
                        .map(Content::row)
                        .filter(row -> row.id().equals(id) && row.device() == MountState.MOUNTED)
                        .isPresent();
    }

    private void compare(NodeLayout layout, MountBackend machine, MountTable first) {
        List<VolumeId> devicesMissing = new ArrayList<>();
        for (VolumeRow row : volumes.values()) {
            if (row.device() == MountState.MOUNTED
                    && row.deviceInKernel()
                    && missing(first, layout.deviceTarget(row))) {
                devicesMissing.add(row.id());
            }
        }
        List<MountKey> mountsMissing = new ArrayList<>();
        for (Map.Entry<MountKey, MountRow> entry : mounts.entrySet()) {
            MountRow row = entry.getValue();
            if (row.state().certain() && row.inKernel() && missing(first, layout.podMount(row))) {
                mountsMissing.add(entry.getKey());
            }
        }
        if (devicesMissing.isEmpty() && mountsMissing.isEmpty()) {
            return;
        }
        // Kernels before 5.8 can omit a mount from one reading during unmounts of others.
        MountTable second = machine.table();
        for (VolumeId id : devicesMissing) {
            volumes.computeIfPresent(
                    id,
                    (key, row) ->
                            missing(second, layout.deviceTarget(row)) ? row.withDevice(MountState.UNCERTAIN) : row);
        }
        for (MountKey key : mountsMissing) {
            mounts.computeIfPresent(
                    key, (k, row) -> missing(second, layout.podMount(row)) ? row.withState(MountState.UNCERTAIN) : row);
        }
    }

    /** Adds the missing volume rows of mounts: such a volume may be attached, and may have a device mount. */
    private void completeVolumes(Sources sources) {
        for (MountRow row : mounts.values()) {
            VolumeId id = row.id();
            if (volumes.containsKey(id)) {
                continue;
            }
            volumes.put(id, reconstructed(row, sources));
            changed = true;
        }
    }

    private static VolumeRow reconstructed(MountRow row, Sources sources) {
        VolumeId id = row.id();
        VolumeRow blank = VolumeRow.unknown(id, row.outerName(), row.block());
        if (UnidentifiedMount.is(id)) {
            return blank;
        }
        VolumePlugin plugin = sources.plugins().byName(id.plugin()).orElse(null);
        boolean mayBeAttached = plugin == null || plugin.detacher(id).isPresent();
        boolean mayHaveDevice = plugin == null
                || plugin.deviceUnmounter(id).isPresent()
                || plugin.blockUnmapper(id).isPresent();
        return blank.withAttach(mayBeAttached ? AttachState.UNCERTAIN : AttachState.DETACHED)
                .withDevice(mayHaveDevice ? MountState.UNCERTAIN : MountState.NOT_MOUNTED);
    }

    private static boolean missing(MountTable table, RootedPath path) {
        return table.at(path.absolute()).isEmpty();
    }
}
