package io.volume4j.core.linux;

import io.volume4j.spi.mount.BindOptions;
import io.volume4j.spi.mount.FilesystemMount;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.mount.UnmountMode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/**
 * What the system calls of a safe bind cost by themselves, and what the backend adds to them; run by hand as root in a mount
 * namespace of its own:
 *
 * <pre>
 *   unshare --mount --propagation private java -cp &lt;test class path&gt; io.volume4j.core.linux.BindCallsBench
 * </pre>
 *
 * <p>All rates come from one run, in many short rounds that take turns. What counts is the fastest round of each, which is
 * the one that nothing else on the machine came in between.
 */
public final class BindCallsBench {
    private static final long OPENAT2 = 437;
    private static final long OPEN_TREE = 428;
    private static final long MOVE_MOUNT = 429;
    private static final long MOUNT_SETATTR = 442;
    private static final int AT_FDCWD = -100;
    private static final int ROUNDS = 150;
    private static final int WARM_UP = 50;
    private static final int PAIRS = 20;

    private final LinuxMountBackend backend;

    private BindCallsBench(LinuxMountBackend backend) {
        this.backend = backend;
    }

    public static void main(String[] arguments) throws IOException {
        Path root = Files.createTempDirectory("bind-calls").toRealPath();
        RootedPath source = RootedPath.of(root, "disk");
        RootedPath target = RootedPath.of(root, "target");
        try (LinuxMountBackend backend = LinuxMountBackend.create()) {
            backend.files().createDirectory(source, 0755);
            backend.files().createDirectory(target, 0755);
            backend.mount(new FilesystemMount("tmpfs", "bench", false, List.of()), source);
            try {
                new BindCallsBench(backend).run(source, target);
            } finally {
                backend.unmount(source, UnmountMode.NORMAL);
                backend.files().removeDirectory(source);
                backend.files().removeDirectory(target);
                Files.delete(root);
            }
        }
    }

    private void run(RootedPath source, RootedPath target) {
        List<Double> bare = new ArrayList<>();
        List<Double> guarded = new ArrayList<>();
        List<Double> ours = new ArrayList<>();
        for (int i = 0; i < ROUNDS + WARM_UP; i++) {
            double bareSeconds = barePairs(source.absolute(), target.absolute());
            double guardedSeconds = guardedPairs(source.absolute(), target);
            double ourSeconds = backendPairs(source, target);
            if (i >= WARM_UP) {
                bare.add(bareSeconds);
                guarded.add(guardedSeconds);
                ours.add(ourSeconds);
            }
        }
        say("bind + unmount                        microseconds   of the bare calls' rate");
        say("mount(2) and umount2(2), bare         %12.1f", 1e6 * fastest(bare));
        say(
                "the calls of a safe bind, bare        %12.1f   %.0f %%",
                1e6 * fastest(guarded), 100 * ratio(bare, guarded));
        say("the backend                           %12.1f   %.0f %%", 1e6 * fastest(ours), 100 * ratio(bare, ours));
        say("the backend, of the safe calls' rate                 %.0f %%", 100 * ratio(guarded, ours));
    }

    private static double ratio(List<Double> one, List<Double> other) {
        return fastest(one) / fastest(other);
    }

    private static double barePairs(Path source, Path target) {
        byte[] from = PathText.bytes(source);
        byte[] to = PathText.bytes(target);
        byte[] none = {0};
        long begun = System.nanoTime();
        for (int i = 0; i < PAIRS; i++) {
            LibC.mount(from, to, none, MountCalls.MS_BIND, none);
            LibC.umount2(to, 0);
        }
        return seconds(begun) / PAIRS;
    }

    /** What it takes, call by call, that no link leads the mount elsewhere and that nobody sees it before it is private. */
    private static double guardedPairs(Path source, RootedPath target) {
        byte[] from = PathText.bytes(source);
        byte[] root = PathText.bytes(target.root());
        byte[] relative = PathText.bytes(target.relative());
        byte[] beneath = how(0x0f);
        byte[] withoutLinks = how(0x06);
        byte[] attributes = new byte[32];
        ByteBuffer.wrap(attributes).order(ByteOrder.nativeOrder()).putLong(16, MountCalls.MS_PRIVATE);
        byte[] none = {0};
        long begun = System.nanoTime();
        for (int i = 0; i < PAIRS; i++) {
            int top = LibC.open(root, Kernel.O_PATH | Kernel.O_CLOEXEC, 0);
            int place = (int) LibC.syscall(OPENAT2, top, relative, beneath, beneath.length);
            int mount = (int) LibC.syscall(OPEN_TREE, AT_FDCWD, from, 1 | Kernel.O_CLOEXEC);
            LibC.syscall(MOVE_MOUNT, mount, none, place, none, 0x44);
            LibC.syscall(MOUNT_SETATTR, mount, none, 0x1000, attributes, attributes.length);
            LibC.close(mount);
            LibC.close(place);
            LibC.close(top);
            int parent = (int) LibC.syscall(OPENAT2, AT_FDCWD, root, withoutLinks, withoutLinks.length);
            LibC.umount2(PathText.bytes("/proc/self/fd/" + parent + "/" + target.relative()), 8);
            LibC.close(parent);
        }
        return seconds(begun) / PAIRS;
    }

    private static byte[] how(long resolve) {
        byte[] how = new byte[24];
        ByteBuffer.wrap(how)
                .order(ByteOrder.nativeOrder())
                .putLong(Kernel.O_PATH | Kernel.O_CLOEXEC)
                .putLong(0)
                .putLong(resolve);
        return how;
    }

    private double backendPairs(RootedPath source, RootedPath target) {
        Path from = source.absolute();
        long begun = System.nanoTime();
        for (int i = 0; i < PAIRS; i++) {
            backend.bind(from, target, BindOptions.readWrite());
            backend.unmount(target, UnmountMode.NORMAL);
        }
        return seconds(begun) / PAIRS;
    }

    private static double fastest(List<Double> values) {
        return Collections.min(values);
    }

    private static double seconds(long begun) {
        return (System.nanoTime() - begun) / 1e9;
    }

    private static void say(String format, Object... values) {
        System.out.printf(Locale.ROOT, format + "%n", values);
    }
}
