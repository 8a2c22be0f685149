package io.volume4j.core.node.state;

import io.volume4j.core.journal.JournalEntry;
import io.volume4j.core.node.AttachState;
import io.volume4j.core.node.Growth;
import io.volume4j.core.node.MountState;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.mount.DeviceIdentity;
import io.volume4j.spi.plugin.FormatLedger.OpenFormat;
import io.volume4j.spi.plugin.PluginState;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Rows as journal records. The first byte of every payload is the version of its layout. A later version only adds
 * fields at the end, so that earlier versions can still read theirs. Strings are length-prefixed UTF, maps are counts
 * and pairs. {@code docs/journal-format.md} defines the layout of each type.
 */
public final class RowCodec {
    public static final int VOLUME = 1;
    public static final int VOLUME_GONE = 2;
    public static final int MOUNT = 3;
    public static final int MOUNT_GONE = 4;
    public static final int FORMAT_BEGUN = 5;
    public static final int FORMAT_ENDED = 6;
    /** Since version 2: the volume's mode, SELinux context and size; the mount's mode. Since version 3: the mount's IDs. */
    private static final int VERSION = 3;

    private static final int MOST_CHARS = 1000;
    /** The expected size of a row whose size is not computed before. */
    private static final int EXPECTED = 224;
    /** The size of the length before every text. */
    private static final int TEXT = 2;

    private RowCodec() {}

    public static JournalEntry volume(VolumeRow row) {
        return entry(
                VOLUME,
                begin(EXPECTED)
                        .id(row.id())
                        .text(row.specName())
                        .text(row.attach().name())
                        .text(row.devicePath())
                        .map(row.metadata())
                        .state(row.attachData())
                        .text(row.device().name())
                        .flag(row.deviceInKernel())
                        .state(row.deviceData())
                        .flag(row.block())
                        .flag(row.label() != null)
                        .text(row.label() == null ? "" : row.label())
                        .i64(row.growth().bytes())
                        .i64(row.growth().target())
                        .i64(row.growth().refused())
                        .text(shortened(row.growth().why())));
    }

    public static VolumeRow readVolume(byte[] payload) {
        return read(payload, (version, in) -> {
            VolumeId id = readId(in);
            String specName = in.readUTF();
            AttachState attach = AttachState.valueOf(in.readUTF());
            String devicePath = in.readUTF();
            Map<String, String> metadata = readMap(in);
            PluginState attachData = readState(in);
            MountState device = MountState.valueOf(in.readUTF());
            boolean deviceInKernel = in.readBoolean();
            PluginState deviceData = readState(in);
            boolean block = version >= 2 && in.readBoolean();
            String label = version < 2 ? null : readNullable(in);
            Growth growth = version < 2
                    ? Growth.unknown()
                    : new Growth(in.readLong(), in.readLong(), in.readLong(), in.readUTF());
            return new VolumeRow(
                    id,
                    specName,
                    block,
                    attach,
                    devicePath,
                    metadata,
                    attachData,
                    device,
                    deviceInKernel,
                    deviceData,
                    label,
                    growth);
        });
    }

    public static JournalEntry volumeGone(VolumeId id) {
        return entry(VOLUME_GONE, begin(idBytes(id)).id(id));
    }

    public static JournalEntry mount(MountRow row) {
        return entry(
                MOUNT,
                begin(mountBytes(row))
                        .id(row.id())
                        .text(row.podUid())
                        .text(row.podNamespace())
                        .text(row.podName())
                        .text(row.outerName())
                        .text(row.state().name())
                        .flag(row.inKernel())
                        .flag(row.readOnly())
                        .state(row.data())
                        .flag(row.block())
                        .text(row.ids()));
    }

    public static MountRow readMount(byte[] payload) {
        return read(payload, (version, in) -> {
            VolumeId id = readId(in);
            String podUid = in.readUTF();
            String podNamespace = in.readUTF();
            String podName = in.readUTF();
            String outerName = in.readUTF();
            MountState state = MountState.valueOf(in.readUTF());
            boolean inKernel = in.readBoolean();
            boolean readOnly = in.readBoolean();
            PluginState data = readState(in);
            boolean block = version >= 2 && in.readBoolean();
            String ids = version < 3 ? "" : in.readUTF();
            return new MountRow(
                    id, podUid, podNamespace, podName, outerName, block, state, inKernel, readOnly, data, ids);
        });
    }

    public static JournalEntry mountGone(VolumeId id, String podUid) {
        return entry(
                MOUNT_GONE, begin(idBytes(id) + TEXT + podUid.length()).id(id).text(podUid));
    }

    /** The mount of a {@link #MOUNT_GONE} record. */
    public static MountKey readMountGone(byte[] payload) {
        return read(payload, (version, in) -> new MountKey(readId(in), in.readUTF()));
    }

    public static JournalEntry formatBegun(VolumeId id, OpenFormat format) {
        return entry(
                FORMAT_BEGUN,
                begin(EXPECTED)
                        .id(id)
                        .text(format.device().serial())
                        .i64(format.device().bytes())
                        .text(format.fsType())
                        .text(format.proof()));
    }

    /** The contents of a {@link #FORMAT_BEGUN} record. */
    public record BegunFormat(VolumeId id, OpenFormat format) {}

    public static BegunFormat readFormatBegun(byte[] payload) {
        return read(
                payload,
                (version, in) -> new BegunFormat(
                        readId(in),
                        new OpenFormat(new DeviceIdentity(in.readUTF(), in.readLong()), in.readUTF(), in.readUTF())));
    }

    static JournalEntry formatEnded(VolumeId id) {
        return entry(FORMAT_ENDED, begin(EXPECTED).id(id));
    }

    /** Reads a record that contains only a volume's id. */
    public static VolumeId readOnlyId(byte[] payload) {
        return read(payload, (version, in) -> readId(in));
    }

    private static RowBytes begin(int expected) {
        return new RowBytes(expected).u8(VERSION);
    }

    /** The size of a row that contains only an id, if its text is ASCII. */
    private static int idBytes(VolumeId id) {
        return 1
                + 3 * TEXT
                + id.plugin().length()
                + id.name().length()
                + id.podUid().length();
    }

    /** The size of a mount's row without plugin state. */
    private static int mountBytes(MountRow row) {
        int texts = row.podUid().length()
                + row.podNamespace().length()
                + row.podName().length()
                + row.outerName().length()
                + row.state().name().length()
                + row.ids().length();
        int flags = 3;
        int noState = Integer.BYTES + Short.BYTES;
        return idBytes(row.id()) + 6 * TEXT + texts + flags + noState;
    }

    private static JournalEntry entry(int type, RowBytes row) {
        return new JournalEntry(type, row.done());
    }

    /** @throws IllegalArgumentException if the payload does not match its type */
    private static <T> T read(byte[] payload, Reader<T> reader) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(payload))) {
            int version = in.readByte();
            if (version < 1) {
                throw new IllegalArgumentException("row version " + version + " is unknown");
            }
            return reader.read(version, in);
        } catch (IOException | IndexOutOfBoundsException unreadable) {
            throw new IllegalArgumentException("a row cannot be read: " + unreadable.getMessage(), unreadable);
        }
    }

    private static VolumeId readId(DataInputStream in) throws IOException {
        return new VolumeId(in.readUTF(), in.readUTF(), in.readUTF());
    }

    private static Map<String, String> readMap(DataInputStream in) throws IOException {
        int size = in.readUnsignedShort();
        Map<String, String> map = new TreeMap<>();
        for (int i = 0; i < size; i++) {
            map.put(in.readUTF(), in.readUTF());
        }
        return map;
    }

    private static PluginState readState(DataInputStream in) throws IOException {
        int version = in.readInt();
        Map<String, String> values = readMap(in);
        return version == 0 && values.isEmpty() ? PluginState.none() : new PluginState(version, values);
    }

    private static @Nullable String readNullable(DataInputStream in) throws IOException {
        boolean present = in.readBoolean();
        String text = in.readUTF();
        return present ? text : null;
    }

    /** A backend's message may have any length; a row stores a readable part of it. */
    private static String shortened(String text) {
        return text.length() <= MOST_CHARS ? text : text.substring(0, MOST_CHARS);
    }

    private interface Reader<T> {
        T read(int version, DataInputStream in) throws IOException;
    }
}
