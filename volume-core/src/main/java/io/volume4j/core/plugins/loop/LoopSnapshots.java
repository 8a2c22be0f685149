package io.volume4j.core.plugins.loop;

import io.volume4j.core.plugins.common.FileNames;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.HostFiles;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.plugin.Snapshotter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;

/**
 * Snapshots of images: the file {@code snapshots/<name>.img}, and a file with its time. A process may write to an
 * attached image at any moment. So the plugin creates its snapshot only if the filesystem shares blocks, which copies
 * one instant. The snapshot then has the content that a machine finds after a power failure. Otherwise no program may
 * change the image until the copy is complete. Names are handles.
 */
public final class LoopSnapshots implements Snapshotter {
    private static final int FILE_MODE = 0600;
    private static final int DIRECTORY_MODE = 0700;
    private static final int LONGEST_TIME = 64;

    private final LoopImages images;

    public LoopSnapshots(LoopImages images) {
        this.images = images;
    }

    @Override
    public Snapshot create(CreateRequest request, CallContext context) {
        RootedPath snapshot = file(request.name(), ".img");
        Optional<Snapshot> there = get(request.name(), context);
        if (there.isPresent()) {
            return there.get();
        }
        RootedPath image = images.file(request.source());
        var size = images.requireSize(image);
        files().createDirectory(directory(), DIRECTORY_MODE);
        // Before the copy: every existing snapshot has a time.
        String now = images.host().clock().instant().toString();
        files().writeAtomically(file(request.name(), ".cut"), now.getBytes(StandardCharsets.UTF_8), FILE_MODE);
        context.progress("copying " + size + " bytes of " + image);
        images.copy(image, snapshot, context);
        return get(request.name(), context)
                .orElseThrow(() -> VolumeException.uncertain("the snapshot " + snapshot + " is gone again"));
    }

    @Override
    public Optional<Snapshot> get(String handle, CallContext context) {
        return images.size(file(handle, ".img")).map(bytes -> new Snapshot(handle, cutAt(handle), bytes, true));
    }

    /** Deletes the time last: without the image, it means nothing. */
    @Override
    public void delete(String handle, CallContext context) {
        files().removeFile(file(handle, ".img"));
        files().removeFile(file(handle, ".cut"));
    }

    private Instant cutAt(String handle) {
        String text = files().read(file(handle, ".cut"), LONGEST_TIME)
                .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
                .orElse("");
        try {
            return text.isEmpty() ? Instant.EPOCH : Instant.parse(text);
        } catch (DateTimeParseException e) {
            return Instant.EPOCH;
        }
    }

    /** The path of a snapshot. */
    RootedPath file(String handle) {
        return file(handle, ".img");
    }

    private RootedPath file(String handle, String suffix) {
        return directory().resolve(FileNames.checked("snapshot", handle) + suffix);
    }

    private RootedPath directory() {
        RootedPath of = images.directory();
        return new RootedPath(of.root(), of.relative().resolveSibling("snapshots"));
    }

    private HostFiles files() {
        return images.backend().files();
    }
}
