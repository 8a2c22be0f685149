package io.volume4j.core.linux;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.spi.mount.LoopDevices;
import io.volume4j.spi.mount.MountEntry;
import io.volume4j.spi.mount.RootedPath;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

/**
 * The machine's real kernel with a directory to play in. Closing it takes away everything that is mounted below, and
 * fails if a descriptor was left open.
 */
final class Machine implements AutoCloseable {
    /** As the kernel of this machine is, and as one is that lacks everything which the backend can do without. */
    static Stream<Kernel> kernels() {
        Kernel kernel = Kernel.load();
        return Stream.of(kernel, kernel.with(KernelFeatures.NONE));
    }

    final Kernel kernel;
    final MountCalls calls;
    final SafePaths paths;
    final SharedMountTable table;
    final BindMounts binds;
    final FilesystemMounts filesystems;
    final Unmounts unmounts;
    final LinuxFiles files;
    final LinuxLoopDevices loops;
    final LinuxBlockDevices devices;
    final ToolProcesses processes = new ToolProcesses();
    final Path root;
    private final List<String> descriptorsBefore;

    Machine(Kernel kernel) {
        this.kernel = kernel;
        try {
            Files.createDirectories(Path.of(System.getProperty("java.io.tmpdir")));
            root = Files.createTempDirectory("linux").toRealPath();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        descriptorsBefore = descriptors();
        calls = new MountCalls(kernel);
        paths = new SafePaths(kernel);
        table = new SharedMountTable(kernel);
        binds = new BindMounts(kernel, calls, paths, table);
        filesystems = new FilesystemMounts(kernel, calls, paths, table);
        unmounts = new Unmounts(calls, paths, table);
        files = new LinuxFiles(kernel, calls, paths);
        loops = new LinuxLoopDevices(kernel, paths);
        devices = new LinuxBlockDevices(kernel, table, processes, LinuxMountBackend.Options.defaults());
    }

    Machine() {
        this(Kernel.load());
    }

    RootedPath at(String relative) {
        return RootedPath.of(root, relative);
    }

    Path path(String relative) {
        return root.resolve(relative);
    }

    Path directory(String relative) {
        return make(() -> Files.createDirectories(path(relative)));
    }

    Path file(String relative, String content) {
        return make(() -> Files.writeString(path(relative), content));
    }

    String read(String relative) {
        return make(() -> Files.readString(path(relative)));
    }

    /** A sparse file with a loop device. */
    Path loop(String relative, long bytes) {
        files.createSparseFile(at(relative), bytes, 0600);
        return loops.attach(at(relative), false);
    }

    /** A loop device for a file whose zeros are written, so that its map tells nothing. */
    Path loopWithoutHoles(String relative, long bytes) {
        byte[] zeros = new byte[1 << 20];
        for (long at = 0; at < bytes; at += zeros.length) {
            write(relative, at, zeros);
        }
        return loops.attach(at(relative), false);
    }

    /** Overwrites bytes of a file, as its device's user would. */
    void write(String relative, long offset, byte[] bytes) {
        try (RandomAccessFile file = new RandomAccessFile(path(relative).toFile(), "rw")) {
            file.seek(offset);
            file.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path link(String relative, String to) {
        return make(() -> Files.createSymbolicLink(path(relative), Path.of(to)));
    }

    /** Swaps two names for ever, each time at once, while the work goes on. */
    void whileSwapping(String one, String other, Runnable work) throws InterruptedException {
        long renameat2 = kernel.architecture() == Architecture.X86_64 ? 316 : 276;
        long atWorkingDirectory = -100;
        long exchange = 2;
        AtomicBoolean done = new AtomicBoolean();
        Thread attacker = new Thread(() -> {
            while (!done.get()) {
                LibC.syscall(
                        renameat2,
                        atWorkingDirectory,
                        PathText.bytes(path(one)),
                        atWorkingDirectory,
                        PathText.bytes(path(other)),
                        exchange);
            }
        });
        attacker.start();
        try {
            work.run();
        } finally {
            done.set(true);
            attacker.join();
        }
    }

    /** As somebody else would do it. */
    static String run(String... command) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).as(output).isZero();
            return output;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    static List<String> descriptors() {
        try (Stream<Path> entries = Files.list(Path.of("/proc/self/fd"))) {
            List<String> names = new ArrayList<>();
            for (Path entry : (Iterable<Path>) entries::iterator) {
                try {
                    names.add(Files.readSymbolicLink(entry).toString());
                } catch (NoSuchFileException closedMeanwhile) {
                    // Others open and close at any moment, this very listing among them.
                }
            }
            // The JVM opens and closes things of its own at any moment; these can only be the backend's.
            String ours = System.getProperty("java.io.tmpdir");
            names.removeIf(name -> !name.startsWith(ours)
                    && !name.startsWith("/dev/loop")
                    && !name.startsWith("anon_inode:[fs")
                    && !name.endsWith("/mountinfo")
                    && !name.equals("/"));
            names.sort(Comparator.naturalOrder());
            return names;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        for (Optional<Path> mount = innermost(); mount.isPresent(); mount = innermost()) {
            run("umount", "-l", mount.get().toString());
        }
        for (LoopDevices.LoopDevice left : loops.below(root)) {
            run("losetup", "-d", left.device().toString());
        }
        table.close();
        List<String> descriptors = descriptors();
        removeTree();
        assertThat(descriptors).as("descriptors left open").isEqualTo(descriptorsBefore);
    }

    /** Read anew each time: one unmount can take others along, and renamed directories do not mark the table as changed. */
    private Optional<Path> innermost() {
        try (SharedMountTable fresh = new SharedMountTable(kernel)) {
            List<MountEntry> left = fresh.read().below(root);
            return left.isEmpty()
                    ? Optional.empty()
                    : Optional.of(left.get(left.size() - 1).mountPoint());
        }
    }

    private void removeTree() {
        try (Stream<Path> tree = Files.walk(root)) {
            for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private interface Making<T> {
        T get() throws IOException;
    }

    private static <T> T make(Making<T> making) {
        try {
            return making.get();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
