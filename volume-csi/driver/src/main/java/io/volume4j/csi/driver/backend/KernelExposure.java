package io.volume4j.csi.driver.backend;

import io.volume4j.core.linux.LinuxMountBackend;
import io.volume4j.spi.mount.BindOptions;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.mount.UnmountMode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** With bind mounts and, if the style allows devices, loop devices. */
final class KernelExposure implements Exposure {
    private final LinuxMountBackend machine;
    private final boolean loops;

    KernelExposure(LinuxMountBackend machine, boolean loops) {
        this.machine = machine;
        this.loops = loops;
    }

    @Override
    public void stage(Path files, Path staging) {
        machine.bind(files, rooted(staging), BindOptions.readWrite());
    }

    @Override
    public void unstage(Path staging) {
        vanish(staging);
    }

    @Override
    public void publishFiles(Path files, Path target, boolean readOnly) {
        try {
            Files.createDirectories(target);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        machine.bind(files, rooted(target), options(readOnly));
    }

    @Override
    public void publishDevice(Path image, Path target, boolean readOnly) {
        try {
            if (!Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
                Files.createFile(target);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Path source = loops ? machine.loops().attach(rooted(image), false) : image;
        machine.bind(source, rooted(target), options(readOnly));
    }

    @Override
    public void unpublish(Path target) {
        vanish(target);
        try {
            Files.deleteIfExists(target);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void vanish(Path target) {
        while (machine.table().at(target).isPresent()) {
            machine.unmount(rooted(target), UnmountMode.NORMAL);
        }
    }

    @Override
    public void release(Path image) {
        if (loops && Files.exists(image)) {
            machine.loops().detach(rooted(image));
        }
    }

    @Override
    public void releaseAll(Path contents) {
        if (loops) {
            machine.loops().below(contents).forEach(loop -> release(loop.file()));
        }
    }

    @Override
    public void close() {
        machine.close();
    }

    @Override
    public void grown(Path image) {
        if (loops && machine.loops().find(rooted(image)).isPresent()) {
            machine.loops().refreshSize(rooted(image));
        }
    }

    @Override
    public List<String> present(List<Path> targets, Path contents) {
        List<String> found = new ArrayList<>();
        for (Path target : targets) {
            machine.table().at(target).ifPresent(mount -> found.add("mount " + mount.mountPoint()));
        }
        if (loops) {
            machine.loops().below(contents).forEach(loop -> found.add("loop device " + loop.device()));
        }
        return found;
    }

    private static BindOptions options(boolean readOnly) {
        return readOnly ? BindOptions.onlyRead() : BindOptions.readWrite();
    }

    private static RootedPath rooted(Path path) {
        return new RootedPath(Objects.requireNonNull(path.getParent(), "parent"), path.getFileName());
    }
}
