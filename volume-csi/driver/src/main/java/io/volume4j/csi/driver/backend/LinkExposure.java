package io.volume4j.csi.driver.backend;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * With symbolic links at the targets, without the right to mount. Does not enforce read-only; staging has no visible
 * effect.
 */
final class LinkExposure implements Exposure {
    @Override
    public void stage(Path files, Path staging) {}

    @Override
    public void unstage(Path staging) {}

    @Override
    public void publishFiles(Path files, Path target, boolean readOnly) {
        link(files, target);
    }

    @Override
    public void publishDevice(Path image, Path target, boolean readOnly) {
        link(image, target);
    }

    @Override
    public void unpublish(Path target) {
        try {
            Files.deleteIfExists(target);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void vanish(Path target) {
        try {
            if (Files.isSymbolicLink(target)) {
                Files.delete(target);
                Files.createDirectory(target);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void release(Path image) {}

    @Override
    public void releaseAll(Path contents) {}

    @Override
    public void close() {}

    @Override
    public void grown(Path image) {}

    @Override
    public List<String> present(List<Path> targets, Path contents) {
        List<String> found = new ArrayList<>();
        for (Path target : targets) {
            if (Files.isSymbolicLink(target)) {
                found.add("link " + target);
            }
        }
        return found;
    }

    private static void link(Path content, Path target) {
        try {
            if (Files.isSymbolicLink(target) && Files.readSymbolicLink(target).equals(content)) {
                return;
            }
            if (Files.isDirectory(target, LinkOption.NOFOLLOW_LINKS)) {
                // empty, from before a reboot: the caller of this method has checked
                Files.delete(target);
            }
            Files.createSymbolicLink(target, content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
