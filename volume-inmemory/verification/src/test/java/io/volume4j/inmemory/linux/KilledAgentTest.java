package io.volume4j.inmemory.linux;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.linux.LinuxMountBackend;
import io.volume4j.spi.mount.LoopDevices.LoopDevice;
import io.volume4j.spi.mount.MountEntry;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.mount.UnmountMode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * A JVM that runs the node agent on real loop devices, filesystems and bind mounts is killed at random points, again and again. Each
 * time the next one must bring the machine to exactly what is wanted then: every mount that should be there, none besides, no
 * loop device and no process left over, and the data that was written before.
 *
 * <p>Thirty times in every build, 300 times with {@code -Pnightly}; {@code -Dvolume4j.kills} says another number,
 * {@code -Dvolume4j.kills.seed} chooses others. What the seed decides is what is
 * wanted and when the kill is sent; where it hits depends on the machine.
 */
@ExtendWith(RealKernel.class)
@Timeout(value = 60, unit = TimeUnit.MINUTES)
class KilledAgentTest {
    private static final int KILLS =
            Integer.getInteger("volume4j.kills", Boolean.getBoolean("volume4j.nightly") ? 300 : 30);
    private static final long SEED = Long.getLong("volume4j.kills.seed", 1);
    private static final String NODE = "node";
    private static final int MOST_MILLIS = 300;
    private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(2);
    private static final String MARKER = "marker";

    @TempDir
    Path directory = Path.of("");

    private final LinuxMountBackend machine = LinuxMountBackend.create();
    private final Random random = new Random(SEED);
    /** What was written to each volume. */
    private final TreeMap<String, String> written = new TreeMap<>();

    private Path root = Path.of("");
    private @Nullable KilledWorld world;
    private @Nullable Process agent;
    private int agents;

    @BeforeEach
    void makeWorld() throws IOException {
        root = directory.toRealPath().resolve("root");
        machine.files().createRoot(root);
        world = new KilledWorld(root, NODE, machine, random);
    }

    @AfterEach
    void leavesNothingBehind() throws Exception {
        try {
            kill();
            List<MountEntry> mounts = new ArrayList<>(machine.table().below(root));
            Collections.reverse(mounts);
            for (MountEntry mount : mounts) {
                machine.unmount(
                        RootedPath.of(root, root.relativize(mount.mountPoint()).toString()), UnmountMode.LAZY);
            }
            for (LoopDevice loop : machine.loops().below(root)) {
                machine.loops()
                        .detach(RootedPath.of(root, root.relativize(loop.file()).toString()));
            }
        } finally {
            machine.close();
        }
    }

    @Test
    void whereverItIsKilledTheNextOneBringsTheMachineToWhatIsWanted() throws Exception {
        for (int kill = 0; kill < KILLS; kill++) {
            start();
            if (random.nextInt(3) > 0) {
                awaitWanted("after kill " + kill);
                writeMarkers();
                world().change();
                tell();
            }
            // The kill's moment; an agent that ends before by itself has failed.
            assertThat(running().waitFor(random.nextInt(MOST_MILLIS), TimeUnit.MILLISECONDS))
                    .as("ended by itself: %s", output())
                    .isFalse();
            kill();
            if (random.nextBoolean()) {
                world().change();
            }
        }
        start();
        awaitWanted("after the last kill");
        world().wantNothing();
        tell();
        awaitWanted("when nothing is wanted any more");
        running().getOutputStream().close();
        assertThat(running().waitFor(2, TimeUnit.MINUTES)).as(output()).isTrue();
        assertThat(running().exitValue()).as(output()).isZero();
        world().deleteVolumes();
        assertThat(filesLeft()).isEmpty();
    }

    private KilledWorld world() {
        return Objects.requireNonNull(world);
    }

    private Process running() {
        return Objects.requireNonNull(agent);
    }

    private void start() throws IOException {
        agents++;
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx64m",
                "-Xshare:auto",
                "-cp",
                classPath(),
                KilledAgent.class.getName(),
                root.toString(),
                NODE);
        agent = builder.redirectErrorStream(true)
                .redirectOutput(directory.resolve("agent.log").toFile())
                .start();
        tell();
    }

    /** Also of classes that a module was patched with, which are on no path. */
    static String classPath() {
        String place = String.valueOf(KilledAgent.class.getResource("KilledAgent.class"));
        String own = KilledAgent.class.getName().replace('.', '/') + ".class";
        String separator = System.getProperty("path.separator");
        StringBuilder all = new StringBuilder(place.substring("file:".length(), place.length() - own.length()));
        for (String property : List.of("java.class.path", "jdk.module.path")) {
            String path = System.getProperty(property, "");
            if (!path.isEmpty()) {
                all.append(separator).append(path);
            }
        }
        return all.toString();
    }

    /** Tells the agent what is wanted now. */
    private void tell() throws IOException {
        Path file = Files.writeString(directory.resolve("wanted-" + agents), world().manifests());
        running().getOutputStream().write((file + "\n").getBytes(StandardCharsets.UTF_8));
        running().getOutputStream().flush();
    }

    private void kill() throws InterruptedException {
        if (agent != null) {
            agent.destroyForcibly().waitFor();
        }
    }

    private String output() throws IOException {
        return "seed " + SEED + ", agent " + agents + ": " + Files.readString(directory.resolve("agent.log"));
    }

    /** Looks at the machine itself, not at what the agent says of it. */
    private void awaitWanted(String when) throws Exception {
        long until = System.nanoTime() + PATIENCE_NANOS;
        List<String> wrong = wrong();
        while (!wrong.isEmpty()) {
            assertThat(System.nanoTime() - until)
                    .as("%s it does not come to what is wanted: %s; %s", when, wrong, output())
                    .isNegative();
            assertThat(running().waitFor(10, TimeUnit.MILLISECONDS))
                    .as("%s it ended by itself: %s", when, output())
                    .isFalse();
            wrong = wrong();
        }
    }

    /** What is different on this machine from what is wanted. */
    private List<String> wrong() throws IOException {
        List<String> wrong = new ArrayList<>();
        Set<Path> mounts = new HashSet<>();
        Set<String> devices = new HashSet<>();
        int deviceMounts = 0;
        for (MountEntry mount : machine.table().below(root)) {
            if (!mounts.add(mount.mountPoint())) {
                wrong.add("mounted twice: " + mount.mountPoint());
            }
            if (mount.mountPoint().startsWith(root.resolve("plugins"))) {
                deviceMounts++;
                if (!devices.add(mount.majorMinor())) {
                    wrong.add("one device in two places: " + mount.mountPoint());
                }
                mounts.remove(mount.mountPoint());
            }
        }
        differ(wrong, "pod mount", mounts, world().podMounts());
        if (deviceMounts != world().volumesWanted().size()) {
            wrong.add(deviceMounts + " device mounts instead of "
                    + world().volumesWanted().size());
        }
        List<Path> files =
                machine.loops().below(root).stream().map(LoopDevice::file).toList();
        if (new HashSet<>(files).size() != files.size()) {
            wrong.add("two loop devices of one file: " + files);
        }
        differ(
                wrong,
                "loop device of",
                files.stream().map(KilledAgentTest::volume).collect(Collectors.toSet()),
                world().volumesWanted());
        differ(wrong, "pod directory", names(root.resolve("pods")), world().podUids());
        wrong.addAll(tools());
        if (wrong.isEmpty()) {
            wrong.addAll(lostData());
            wrong.addAll(unmapped());
        }
        return wrong;
    }

    private static <T> void differ(List<String> wrong, String what, Set<T> there, Set<T> wanted) {
        there.stream().filter(one -> !wanted.contains(one)).forEach(one -> wrong.add(what + " too many: " + one));
        wanted.stream().filter(one -> !there.contains(one)).forEach(one -> wrong.add(what + " missing: " + one));
    }

    /** The name of an image without its ending. */
    private static String volume(Path image) {
        String name = String.valueOf(image.getFileName());
        int end = name.lastIndexOf('.');
        return end < 0 ? name : name.substring(0, end);
    }

    private static Set<String> names(Path path) throws IOException {
        if (!Files.isDirectory(path)) {
            return Set.of();
        }
        try (Stream<Path> all = Files.list(path)) {
            return new HashSet<>(all.map(one -> one.getFileName().toString()).toList());
        }
    }

    /** Programs that a killed agent began and that still run. */
    private List<String> tools() {
        return ProcessHandle.allProcesses()
                .filter(process -> process.pid() != running().pid())
                .map(process -> process.info().commandLine().orElse(""))
                .filter(command -> command.contains(root.toString()))
                .map(command -> "still runs: " + command)
                .toList();
    }

    /** A volume that was formatted again, or another one in its place. */
    private List<String> lostData() throws IOException {
        List<String> lost = new ArrayList<>();
        for (KilledWorld.Use use : world().uses()) {
            Path marker = use.mount(root).resolve(MARKER);
            String wanted = written.get(use.volume());
            String there = Files.exists(marker) ? Files.readString(marker) : "";
            if (wanted != null && !there.equals(wanted)) {
                lost.add(use + " says '" + there + "' instead of '" + wanted + "'");
            }
        }
        return lost;
    }

    /** A view that shows the owners of files as they are. */
    private List<String> unmapped() throws IOException {
        List<String> unmapped = new ArrayList<>();
        for (KilledWorld.Use use : world().uses()) {
            long owner = use.mapped()
                    ? ((Number) Files.getAttribute(use.view(root), "unix:uid")).longValue()
                    : KilledWorld.FIRST_ID;
            if (owner != KilledWorld.FIRST_ID) {
                unmapped.add(use + " is seen as the files of user " + owner);
            }
        }
        return unmapped;
    }

    private void writeMarkers() throws IOException {
        for (KilledWorld.Use use : world().uses()) {
            if (!written.containsKey(use.volume())) {
                Path marker = Files.writeString(use.mount(root).resolve(MARKER), use.volume());
                sync(marker);
                written.put(use.volume(), use.volume());
            }
        }
    }

    private static void sync(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
    }

    /** Everything below the root that is not the root's own identity or journal. */
    private List<String> filesLeft() throws IOException {
        try (Stream<Path> all = Files.walk(root)) {
            return all.filter(path -> !Files.isDirectory(path))
                    .map(path -> root.relativize(path).toString())
                    .filter(name -> !name.equals("root-id") && !name.startsWith("journal"))
                    .toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }
}
