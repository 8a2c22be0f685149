package io.volume4j.inmemory.contract;

import io.volume4j.core.linux.LinuxMountBackend;
import io.volume4j.inmemory.host.ManualCallContext;
import io.volume4j.spi.mount.LoopDevices.LoopDevice;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.mount.RootedPath;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/**
 * A fixture with this machine, and a new directory for each test. Closing it closes the backend and removes the
 * directory. Needs root. Run the tests in their own mount namespace ({@code unshare --mount --propagation private}).
 *
 * @since 0.1.0
 */
public final class LinuxFixture implements BackendFixture {
    private static final int CAP_SYS_RESOURCE = 24;
    private static final String ELSEWHERE = "machine";

    private final LinuxMountBackend backend = LinuxMountBackend.create();
    private final Path directory;

    /**
     * A fixture with a directory in {@code java.io.tmpdir}.
     * @throws UncheckedIOException if the directory cannot be created
     */
    public LinuxFixture() {
        try {
            Path parent = Path.of(System.getProperty("java.io.tmpdir"));
            Files.createDirectories(parent);
            directory = Files.createTempDirectory(parent, "contract").toRealPath();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public MountBackend backend() {
        return backend;
    }

    @Override
    public Path root() {
        return directory.resolve("root");
    }

    /** A directory of the machine that is not below the root. The fixture removes it after the test. */
    public Path elsewhere(String name) {
        RootedPath path = RootedPath.of(directory, ELSEWHERE).resolve(name);
        backend.files().createDirectory(path, 0755);
        return path.absolute();
    }

    /** A disk of the machine for the test: a loop device with a sparse file. */
    public Path disk(String name, long bytes) {
        elsewhere("disks");
        RootedPath image = RootedPath.of(directory, ELSEWHERE + "/disks/" + name);
        backend.files().createSparseFile(image, bytes, 0600);
        return backend.loops().attach(image, false);
    }

    @Override
    public void write(Path file, byte[] content) {
        try {
            Files.write(file, content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public byte[] read(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public long group(Path path) {
        try {
            return ((Number) Files.getAttribute(path, "unix:gid", LinkOption.NOFOLLOW_LINKS)).longValue();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void link(Path link, Path target) {
        try {
            Files.createSymbolicLink(link, target);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public boolean growsMounted() {
        try {
            return Files.readAllLines(Path.of("/proc/self/status")).stream()
                    .filter(line -> line.startsWith("CapEff:"))
                    .map(line -> line.substring("CapEff:".length()).trim())
                    .anyMatch(mask -> (Long.parseUnsignedLong(mask, 16) >>> CAP_SYS_RESOURCE & 1) == 1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Fails if the test left anything on the machine. */
    @Override
    public void close() {
        for (LoopDevice disk : backend.loops().below(directory)) {
            backend.loops().detach(new RootedPath(directory, directory.relativize(disk.file())));
        }
        backend.files().removeTree(RootedPath.of(directory, ELSEWHERE), new ManualCallContext("contract"));
        backend.close();
        try {
            Files.delete(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
