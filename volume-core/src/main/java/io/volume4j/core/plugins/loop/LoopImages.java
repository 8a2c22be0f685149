package io.volume4j.core.plugins.loop;

import io.volume4j.core.plugins.common.FileNames;
import io.volume4j.core.plugins.common.MessageText;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.VolumeSource;
import io.volume4j.spi.mount.HostFiles.FileStatus;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.plugin.PluginHost;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

/** The image files of the volumes, and their names. Thread-safe. */
public final class LoopImages {
    /** The name of the plugin, which is also the driver that volumes name. */
    public static final String PLUGIN = "loop.volume4j.io";

    /** Sectors have 512 bytes; blocks of a page suit every filesystem. */
    private static final long BLOCK = 4096;

    private static final Path BLOCKS = Path.of("/sys/block");
    private static final int LONGEST_NUMBER = 64;
    private static final String SUFFIX = ".img";
    private static final int FILE_MODE = 0600;
    private static final int DIRECTORY_MODE = 0700;

    private final PluginHost host;
    private final RootedPath directory;

    public LoopImages(PluginHost host) {
        this.host = host;
        Path own = host.root().relativize(host.pluginDirectory(PLUGIN));
        this.directory = new RootedPath(host.root(), own.resolve("images"));
    }

    /**
     * The volume's name in its source.
     *
     * @throws VolumeException final, if it is not valid: it becomes a file name, so it must not be a path
     */
    public static String nameIn(VolumeSource source) {
        if (!(source instanceof CsiSource csi) || !csi.driver().equals(PLUGIN)) {
            throw VolumeException.finalFailure(
                    "not a volume of " + PLUGIN + " but of source " + MessageText.text(source.type()));
        }
        return checkedName(csi.volumeHandle());
    }

    private static String checkedName(String name) {
        return FileNames.checked("volumeHandle", name);
    }

    /** The size in bytes, rounded up to whole blocks. */
    static long roundUp(long bytes) {
        long blocks = bytes / BLOCK + (bytes % BLOCK == 0 ? 0 : 1);
        return blocks > Long.MAX_VALUE / BLOCK ? Long.MAX_VALUE - Long.MAX_VALUE % BLOCK : blocks * BLOCK;
    }

    static String shown(long bytes) {
        return Quantity.ofBytes(bytes).toString();
    }

    RootedPath file(VolumeSource source) {
        return fileOf(nameIn(source));
    }

    RootedPath file(VolumeId volume) {
        return fileOf(checkedName(volume.name()));
    }

    private RootedPath fileOf(String name) {
        return directory.resolve(name + SUFFIX);
    }

    /** The marker file of an image that is larger than its copied filesystem, until that is expanded. */
    private static RootedPath outgrown(RootedPath file) {
        return new RootedPath(
                file.root(), file.relative().resolveSibling(file.relative().getFileName() + ".grow"));
    }

    void markOutgrown(RootedPath file) {
        backend().files().createSparseFile(outgrown(file), 0, FILE_MODE);
    }

    boolean isOutgrown(RootedPath file) {
        return backend().files().status(outgrown(file)).isPresent();
    }

    void unmarkOutgrown(RootedPath file) {
        backend().files().removeFile(outgrown(file));
    }

    RootedPath directory() {
        return directory;
    }

    String nodeName() {
        return host.nodeName();
    }

    PluginHost host() {
        return host;
    }

    MountBackend backend() {
        return host.mounts()
                .orElseThrow(() -> VolumeException.finalFailure(
                                "loop volumes are files of a node, and this process was given no mount backend")
                        .withAdvice("let the node's own process provision them"));
    }

    /** Whether this process can work for that node. A host without a name is the only node. */
    boolean isHere(String wantedNode) {
        return wantedNode.isEmpty()
                || host.nodeName().isEmpty()
                || host.nodeName().equals(wantedNode);
    }

    void requireHere(String wantedNode, String work) {
        if (!isHere(wantedNode)) {
            throw VolumeException.finalFailure("cannot " + work + " on node " + MessageText.text(wantedNode)
                    + " from node " + host.nodeName() + ": a loop volume is reached only on its own node");
        }
    }

    /** The size of the image; empty if it does not exist. */
    Optional<Long> size(RootedPath file) {
        Optional<FileStatus> status = backend().files().status(file);
        if (status.isPresent() && status.get().type() != FileStatus.Type.FILE) {
            throw VolumeException.finalFailure(
                    file + " is not a loop image; its type is " + status.get().type());
        }
        return status.map(FileStatus::bytes);
    }

    long requireSize(RootedPath file) {
        return size(file)
                .filter(bytes -> bytes > 0)
                .orElseThrow(() -> VolumeException.finalFailure("there is no loop image " + file)
                        .withAdvice("the volume was deleted, or never made on this node"));
    }

    /** The loop device of the whole image. If another program detached it, that of a part may be left. */
    Path requireDevice(RootedPath file) {
        Path device = backend()
                .loops()
                .find(file)
                .orElseThrow(() -> VolumeException.transientFailure(file + " is not attached to a loop device")
                        .withAdvice(
                                "if another program detached it, delete the pods that use the volume: the node attaches"
                                        + " it again for the next pod"));
        if (isSet(device, "offset") || isSet(device, "sizelimit")) {
            throw VolumeException.transientFailure(
                            device + ", the only loop device of " + file + ", shows only a part of it")
                    .withAdvice("another program made this device; detach it and delete the pods that use the volume:"
                            + " the node attaches it again for the next pod");
        }
        return device;
    }

    private boolean isSet(Path device, String setting) {
        return backend()
                .files()
                .read(RootedPath.of(BLOCKS.resolve(device.getFileName()), "loop/" + setting), LONGEST_NUMBER)
                .map(bytes -> new String(bytes, StandardCharsets.UTF_8).strip())
                .filter(number -> !number.equals("0"))
                .isPresent();
    }

    /**
     * Creates the image, or accepts an existing one.
     *
     * @throws VolumeException final, if an image of that name has another size; exhausted, if there is no space
     */
    void create(RootedPath file, long bytes) {
        Optional<Long> there = size(file);
        if (there.isPresent() && there.get() == bytes) {
            return;
        }
        if (there.isPresent() && there.get() > 0) {
            throw VolumeException.finalFailure("loop image " + file + " is there already with " + shown(there.get())
                            + " where " + shown(bytes) + " were asked for")
                    .withAdvice("delete that image if it is not needed");
        }
        prepareDirectory();
        requireRoom(bytes, "image " + file);
        if (there.isPresent()) {
            // An interrupted call created it without a size; no volume has the size 0.
            backend().files().growFile(file, bytes);
        } else {
            backend().files().createSparseFile(file, bytes, FILE_MODE);
        }
    }

    /**
     * Copies an image as it is at one instant. A process may write to an attached image at any moment, so that copy must
     * share blocks.
     *
     * @throws VolumeException in use, if the image is attached and the filesystem cannot share blocks; transient, if the
     *     image was changed during the copy
     */
    void copy(RootedPath from, RootedPath to, CallContext context) {
        boolean attached = backend().loops().find(from).isPresent();
        try {
            backend().files().copyFile(from, to, FILE_MODE, attached, context);
        } catch (VolumeException e) {
            if (attached && e.kind() == FailureKind.FINAL) {
                throw VolumeException.of(
                                FailureKind.IN_USE,
                                "loop image " + from
                                        + " is attached, and a copy would not have the content of one instant: "
                                        + e.reason())
                        .withAdvice("keep the images on xfs or btrfs, or detach the volume until the copy is made");
            }
            throw e;
        }
    }

    /** The free bytes on the filesystem of the images. */
    long available() {
        prepareDirectory();
        return backend().usage(directory.absolute()).availableBytes();
    }

    void requireRoom(long bytes, String what) {
        long available = available();
        if (bytes > available) {
            throw VolumeException.of(
                            FailureKind.EXHAUSTED,
                            "no room for " + what + ": it needs " + shown(bytes) + ", free are " + shown(available)
                                    + " in " + directory)
                    .withAdvice("free space there, or ask for less");
        }
    }

    void prepareDirectory() {
        if (backend().files().status(directory).isEmpty()) {
            backend().files().createRoot(host.root());
            backend().files().createDirectory(directory, DIRECTORY_MODE);
        }
    }
}
