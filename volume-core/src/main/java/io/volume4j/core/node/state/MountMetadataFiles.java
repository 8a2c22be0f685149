package io.volume4j.core.node.state;

import io.volume4j.core.journal.JournalEntry;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.mount.RootedPath;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Function;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A small file beside each mount that identifies what is mounted there. It is a copy of the journal's row, for the
 * case that the journal is lost. A path contains only a hash of the volume's name, and a teardown needs the name.
 *
 * <p>These files are not synced. Like mounts, they survive the end of the process. After a power failure the mounts
 * are gone too, and the checksum detects a torn file. Thread-safe.
 */
public final class MountMetadataFiles {
    private static final Logger LOG = LoggerFactory.getLogger(MountMetadataFiles.class);
    private static final byte[] MAGIC = {'v', '4', 'j', 'c', 'a', 'r', 'd', '\n'};
    private static final int MODE = 0600;
    private static final int MOST_BYTES = 256 * 1024;

    private final NodeLayout layout;
    private final @Nullable MountBackend machine;
    private final String bootId;

    /** @param machine null for a node that mounts nothing itself, and then writes no such files */
    public MountMetadataFiles(NodeLayout layout, @Nullable MountBackend machine, String bootId) {
        this.layout = layout;
        this.machine = machine;
        this.bootId = bootId;
    }

    /**
     * The contents of a metadata file.
     *
     * @param thisBoot whether it was written since the last boot of the machine
     */
    public record Content<T>(T row, boolean thisBoot) {}

    /**
     * Called before an effect. Fails if the file cannot be written, because the node could not find the effect again.
     */
    public void announce(VolumeRow row) {
        if (machine == null) {
            return;
        }
        write(layout.deviceMetadataFile(row.id()), RowCodec.volume(row));
    }

    public void announce(MountRow row) {
        if (machine == null) {
            return;
        }
        write(layout.podMetadataFile(row), RowCodec.mount(row));
    }

    /** Called after an effect, or before a teardown. A file that cannot be written does not fail the step. */
    public void note(VolumeRow row) {
        try {
            announce(row);
        } catch (VolumeException unwritable) {
            LOG.atDebug()
                    .addKeyValue("volume", row.id())
                    .addKeyValue("reason", unwritable.getMessage())
                    .log("metadata file not written");
        }
    }

    public void note(MountRow row) {
        try {
            announce(row);
        } catch (VolumeException unwritable) {
            LOG.atDebug()
                    .addKeyValue("volume", row.id())
                    .addKeyValue("pod", row.podUid())
                    .addKeyValue("reason", unwritable.getMessage())
                    .log("metadata file not written");
        }
    }

    public void remove(VolumeRow row) {
        remove(layout.deviceMetadataFile(row.id()));
    }

    public void remove(MountRow row) {
        remove(layout.podMetadataFile(row));
    }

    private void remove(RootedPath path) {
        if (machine != null) {
            machine.files().removeFile(path);
        }
    }

    /** The volume of the file; empty if there is no file or it cannot be read. */
    public Optional<Content<VolumeRow>> volume(RootedPath path) {
        return read(path, RowCodec.VOLUME, RowCodec::readVolume);
    }

    public Optional<Content<MountRow>> mount(RootedPath path) {
        return read(path, RowCodec.MOUNT, RowCodec::readMount);
    }

    private void write(RootedPath path, JournalEntry entry) {
        if (machine == null) {
            return;
        }
        ByteArrayOutputStream body = new ByteArrayOutputStream(256);
        try (DataOutputStream out = new DataOutputStream(body)) {
            out.writeUTF(bootId);
            out.writeByte(entry.type());
            out.write(entry.payload());
        } catch (IOException unwritable) {
            throw new UncheckedIOException("a metadata file cannot be encoded: " + unwritable.getMessage(), unwritable);
        }
        byte[] bytes = body.toByteArray();
        ByteArrayOutputStream whole = new ByteArrayOutputStream(bytes.length + 16);
        try (DataOutputStream out = new DataOutputStream(whole)) {
            out.write(MAGIC);
            out.writeInt(crc(bytes, 0));
            out.write(bytes);
        } catch (IOException unwritable) {
            throw new UncheckedIOException("a metadata file cannot be encoded: " + unwritable.getMessage(), unwritable);
        }
        machine.files().writeUnsynced(path, whole.toByteArray(), MODE);
    }

    /** A later version may have written the file: a row that cannot be decoded is as unreadable as a torn file. */
    private <T> Optional<Content<T>> read(RootedPath path, int type, Function<byte[], T> decoder) {
        if (machine == null) {
            return Optional.empty();
        }
        try {
            Optional<byte[]> found = machine.files().read(path, MOST_BYTES);
            return found.isEmpty() ? Optional.empty() : Optional.of(parse(found.get(), type, decoder));
        } catch (VolumeException | IllegalArgumentException | IOException unreadable) {
            LOG.atWarn()
                    .addKeyValue("path", path)
                    .addKeyValue("reason", unreadable.getMessage())
                    .log("metadata file not readable");
            return Optional.empty();
        }
    }

    private <T> Content<T> parse(byte[] bytes, int type, Function<byte[], T> decoder) throws IOException {
        int header = MAGIC.length + Integer.BYTES;
        if (bytes.length <= header || !Arrays.equals(bytes, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
            throw new IllegalArgumentException("it is not a metadata file");
        }
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            in.skipNBytes(MAGIC.length);
            if (in.readInt() != crc(bytes, header)) {
                throw new IllegalArgumentException("its checksum is wrong");
            }
            boolean thisBoot = in.readUTF().equals(bootId);
            int found = in.readUnsignedByte();
            if (found != type) {
                throw new IllegalArgumentException("it is of type " + found + ", not " + type);
            }
            return new Content<>(decoder.apply(in.readAllBytes()), thisBoot);
        }
    }

    private static int crc(byte[] bytes, int from) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, from, bytes.length - from);
        return (int) crc.getValue();
    }
}
