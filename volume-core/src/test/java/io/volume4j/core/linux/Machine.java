package io.volume4j.core.linux;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.linux.device.LinuxBlockDevices;
import io.volume4j.core.linux.device.LinuxLoopDevices;
import io.volume4j.core.linux.mount.BindMounts;
import io.volume4j.core.linux.mount.FilesystemMounts;
import io.volume4j.core.linux.mount.SharedMountTable;
import io.volume4j.core.linux.mount.Unmounts;
import io.volume4j.core.linux.path.LinuxFiles;
import io.volume4j.core.linux.path.SafePaths;
import io.volume4j.core.linux.sys.Architecture;
import io.volume4j.core.linux.sys.Kernel;
import io.volume4j.core.linux.sys.KernelFeatures;
import io.volume4j.core.linux.sys.LibC;
import io.volume4j.core.linux.sys.MountCalls;
import io.volume4j.core.linux.sys.PathText;
import io.volume4j.core.linux.tool.ToolProcesses;
import io.volume4j.core.linux.tool.Tools;
import io.volume4j.core.linux.tool.UserNamespaces;
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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

/**
 * The machine's real kernel with a directory to play in. Closing it takes away everything that is mounted below, and
 * fails if a descriptor was left open.
 */
public final class Machine implements AutoCloseable {
    /** As the kernel of this machine is, and as one is that lacks everything which the backend can do without. */
    public static Stream<Kernel> kernels() {
        Kernel kernel = Kernel.load();
        return Stream.of(kernel, kernel.with(KernelFeatures.NONE));
    }

    public final Kernel kernel;
    public final MountCalls calls;
    public final SafePaths paths;
    public final SharedMountTable table;
    public final BindMounts binds;
    public final FilesystemMounts filesystems;
    public final Unmounts unmounts;
    public final LinuxFiles files;
    public final LinuxLoopDevices loops;
    public final LinuxBlockDevices devices;
    public final ToolProcesses processes = new ToolProcesses();
    public final Path root;
    private final List<String> descriptorsBefore;

    public Machine(Kernel kernel) {
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
        binds = new BindMounts(
                kernel,
                calls,
                paths,
                table,
                new UserNamespaces(
                        kernel, new Tools(LinuxMountBackend.Options.defaults().toolDirectories()))::open);
        filesystems = new FilesystemMounts(kernel, calls, paths, table);
        unmounts = new Unmounts(calls, paths, table);
        files = new LinuxFiles(kernel, calls, paths);
        loops = new LinuxLoopDevices(kernel, paths);
        devices = devicesWith(LinuxMountBackend.Options.defaults().toolDirectories());
    }

    public Machine() {
        this(Kernel.load());
    }

    /** Devices whose tools are looked for in these directories. */
    public LinuxBlockDevices devicesWith(List<Path> toolDirectories) {
        LinuxMountBackend.Options options = LinuxMountBackend.Options.defaults();
        return new LinuxBlockDevices(
                kernel,
                table,
                new Tools(toolDirectories),
                processes,
                new LinuxBlockDevices.Limits(options.formatLimit(), options.checkLimit(), options.growLimit()));
    }

    public RootedPath at(String relative) {
        return RootedPath.of(root, relative);
    }

    public Path path(String relative) {
        return root.resolve(relative);
    }

    public Path directory(String relative) {
        return make(() -> Files.createDirectories(path(relative)));
    }

    public Path file(String relative, String content) {
        return make(() -> Files.writeString(path(relative), content));
    }

    public String read(String relative) {
        return make(() -> Files.readString(path(relative)));
    }

    /** A sparse file with a loop device. */
    public Path loop(String relative, long bytes) {
        files.createSparseFile(at(relative), bytes, 0600);
        return loops.attach(at(relative), false);
    }

    /** A loop device for a file whose zeros are written, so that its map tells nothing. */
    public Path loopWithoutHoles(String relative, long bytes) {
        byte[] zeros = new byte[1 << 20];
        for (long at = 0; at < bytes; at += zeros.length) {
            write(relative, at, zeros);
        }
        return loops.attach(at(relative), false);
    }

    /** Overwrites bytes of a file, as its device's user would. */
    public void write(String relative, long offset, byte[] bytes) {
        try (RandomAccessFile file = new RandomAccessFile(path(relative).toFile(), "rw")) {
            file.seek(offset);
            file.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public Path link(String relative, String to) {
        return make(() -> Files.createSymbolicLink(path(relative), Path.of(to)));
    }

    /** Swaps two names for ever, each time at once, while the work goes on. The work begins after the first swap. */
    public void whileSwapping(String one, String other, Runnable work) throws InterruptedException {
        long renameat2 = kernel.architecture() == Architecture.X86_64 ? 316 : 276;
        long atWorkingDirectory = -100;
        long exchange = 2;
        AtomicBoolean done = new AtomicBoolean();
        CountDownLatch swapped = new CountDownLatch(1);
        Thread attacker = new Thread(() -> {
            while (!done.get()) {
                long result = LibC.syscall(
                        renameat2,
                        atWorkingDirectory,
                        PathText.bytes(path(one)),
                        atWorkingDirectory,
                        PathText.bytes(path(other)),
                        exchange);
                if (result == 0) {
                    swapped.countDown();
                }
            }
        });
        attacker.start();
        try {
            assertThat(swapped.await(1, TimeUnit.MINUTES))
                    .as("the names are swapped")
                    .isTrue();
            work.run();
        } finally {
            done.set(true);
            attacker.join();
        }
    }

    /** As another program does it. */
    public static String run(String... command) {
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
