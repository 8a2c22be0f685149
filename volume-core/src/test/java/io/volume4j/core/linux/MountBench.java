package io.volume4j.core.linux;

import io.volume4j.spi.mount.BindOptions;
import io.volume4j.spi.mount.FilesystemMount;
import io.volume4j.spi.mount.MountEntry;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.mount.UnmountMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/**
 * What a bind mount costs, run by hand as root in a mount namespace of its own:
 *
 * <pre>
 *   unshare --mount --propagation private java -cp &lt;test class path&gt; io.volume4j.core.linux.MountBench
 * </pre>
 *
 * <p>All rates come from one run, in many short rounds that take turns. What counts is the fastest round of each, which is
 * the one that nothing else on the machine came in between.
 */
public final class MountBench {
    private static final int ROUNDS = 150;
    private static final int WARM_UP = 50;
    private static final int PAIRS = 20;
    private static final int FORKED_PAIRS = 2;
    private static final int MANY = 10_000;

    private final LinuxMountBackend backend = LinuxMountBackend.create();
    private final Path directory;
    private final Path root;
    private int filled;

    private MountBench(Path directory) {
        this.directory = directory;
        this.root = directory.resolve("root");
    }

    public static void main(String[] arguments) throws IOException {
        Path directory = Files.createTempDirectory("mount-bench").toRealPath();
        MountBench bench = new MountBench(directory);
        try {
            bench.run();
        } finally {
            bench.clean();
            Files.delete(directory);
        }
    }

    private void run() throws IOException {
        backend.files().createRoot(root);
        childless("disk");
        RootedPath target = directory("target");
        rates(at("disk"), target);
        say("");
        say("bind + unmount, microseconds    source on a mount of its own    source on the targets' mount");
        RootedPath shared = directory("shared");
        for (int mounts : new int[] {10, 1_000, MANY}) {
            fill(mounts);
            say(
                    "%,31d    %28.1f    %28.1f",
                    mounts,
                    1e6 * measured(() -> backendPairs(at("disk"), target)),
                    1e6 * measured(() -> backendPairs(shared, target)));
        }
        say("");
        say("look-up in the table of %,d mounts: %.2f microseconds", MANY, 1e6 * measured(this::lookUps));
    }

    private void rates(RootedPath source, RootedPath target) throws IOException {
        List<Double> bare = new ArrayList<>();
        List<Double> ours = new ArrayList<>();
        List<Double> forked = new ArrayList<>();
        for (int i = 0; i < ROUNDS + WARM_UP; i++) {
            double bareSeconds = barePairs(source.absolute(), target.absolute());
            double ourSeconds = backendPairs(source, target);
            double forkedSeconds = forkedPairs(source.absolute(), target.absolute());
            if (i >= WARM_UP) {
                bare.add(bareSeconds);
                ours.add(ourSeconds);
                forked.add(forkedSeconds);
            }
        }
        say("bind + unmount                        microseconds   of the bare calls' rate");
        say("mount(2) and umount2(2), bare         %12.1f", 1e6 * fastest(bare));
        say("the backend                           %12.1f   %.0f %%", 1e6 * fastest(ours), 100 * ratio(bare, ours));
        say(
                "fork of mount and umount              %12.1f   the backend is %.0f times as fast",
                1e6 * fastest(forked), ratio(forked, ours));
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

    private double backendPairs(RootedPath source, RootedPath target) {
        Path from = source.absolute();
        long begun = System.nanoTime();
        for (int i = 0; i < PAIRS; i++) {
            backend.bind(from, target, BindOptions.readWrite());
            backend.unmount(target, UnmountMode.NORMAL);
        }
        return seconds(begun) / PAIRS;
    }

    private static double forkedPairs(Path source, Path target) throws IOException {
        long begun = System.nanoTime();
        for (int i = 0; i < FORKED_PAIRS; i++) {
            fork("mount", "--bind", source.toString(), target.toString());
            fork("umount", target.toString());
        }
        return seconds(begun) / FORKED_PAIRS;
    }

    private static void fork(String... command) throws IOException {
        try {
            int code = new ProcessBuilder(command).inheritIO().start().waitFor();
            if (code != 0) {
                throw new IllegalStateException(command[0] + " ended with " + code);
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private double lookUps() {
        Path known = root.resolve("many/m5");
        int found = 0;
        long begun = System.nanoTime();
        for (int i = 0; i < PAIRS; i++) {
            found += backend.table().at(known).isPresent() ? 1 : 0;
        }
        double seconds = seconds(begun) / PAIRS;
        if (found != PAIRS) {
            throw new IllegalStateException("found " + found + " of " + PAIRS);
        }
        return seconds;
    }

    /** Children of the root's own mount, as pods' mounts are. */
    private void fill(int mounts) {
        for (int i = 0; i < mounts; i++) {
            RootedPath place = directory("many/m" + i);
            if (i >= filled) {
                backend.bind(root.resolve("disk"), place, BindOptions.readWrite());
            }
        }
        filled = Math.max(filled, mounts);
    }

    private interface Round {
        double run();
    }

    private static double measured(Round round) {
        List<Double> all = new ArrayList<>();
        for (int i = 0; i < ROUNDS; i++) {
            all.add(round.run());
        }
        return fastest(all);
    }

    private static double fastest(List<Double> values) {
        return Collections.min(values);
    }

    private static double seconds(long begun) {
        return (System.nanoTime() - begun) / 1e9;
    }

    private void childless(String name) {
        backend.mount(new FilesystemMount("tmpfs", "bench", false, List.of()), directory(name));
    }

    private RootedPath directory(String name) {
        backend.files().createDirectory(at(name), 0755);
        return at(name);
    }

    private RootedPath at(String name) {
        return RootedPath.of(root, name);
    }

    private void clean() {
        List<MountEntry> left = backend.table().below(root);
        for (int i = left.size() - 1; i >= 0; i--) {
            LibC.umount2(PathText.bytes(left.get(i).mountPoint()), MountCalls.UMOUNT_DETACH);
        }
        for (String name : backend.files().listRoot(root)) {
            for (String inner : backend.files().list(at(name))) {
                backend.files().removeDirectory(at(name).resolve(inner));
            }
            backend.files().removeDirectory(at(name));
        }
        backend.files().removeDirectory(RootedPath.of(directory, "root"));
        backend.close();
    }

    private static void say(String format, Object... values) {
        System.out.printf(Locale.ROOT, format + "%n", values);
    }
}
