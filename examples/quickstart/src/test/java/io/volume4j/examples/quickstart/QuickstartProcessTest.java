package io.volume4j.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.volume4j.core.linux.LinuxMountBackend;
import io.volume4j.csi.driver.CsiTestDriver;
import io.volume4j.csi.driver.options.DriverOptions;
import io.volume4j.csi.driver.options.MountStyle;
import io.volume4j.spi.mount.Abilities;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The program as a process on a real kernel: run, interrupted, killed, and run again. */
@Timeout(180)
class QuickstartProcessTest {
    @TempDir
    Path directory;

    private final List<Process> processes = new ArrayList<>();

    @BeforeEach
    void needsTheRightToMount() {
        try (LinuxMountBackend linux = LinuxMountBackend.create()) {
            Abilities abilities = linux.abilities();
            if (!abilities.mayMount() && "required".equals(System.getProperty("volume4j.privileged"))) {
                fail("needs the right to mount: " + abilities.reason());
            }
            assumeTrue(abilities.mayMount(), abilities.reason());
        }
    }

    @AfterEach
    void leavesNothingBehind() throws Exception {
        for (Process process : processes) {
            process.destroyForcibly().waitFor(60, TimeUnit.SECONDS);
        }
        try (LinuxMountBackend linux = LinuxMountBackend.create()) {
            List<String> leaks = LeakCheck.leaks(linux, root());
            if (!leaks.isEmpty()) {
                // The next run is the program's own broom; what it cannot sweep is the failure.
                start().waitFor(60, TimeUnit.SECONDS);
            }
            assertThat(linux.loops().below(root())).isEmpty();
        }
    }

    @Test
    void runsOnTheRealKernel() throws Exception {
        String out = finish(start(), 0);

        assertThat(out)
                .contains("the Linux backend", "written by pod", "nothing is left: no mount, no loop device, no file");
    }

    @ParameterizedTest(name = "killed after \"{0}\"")
    @ValueSource(
            strings = {
                "root ",
                "provision ",
                "bind ",
                "attach ",
                "mount device ",
                "wrote through",
                "unmount ",
                "detach "
            })
    void recoversWhatAKilledRunLeft(String after) throws Exception {
        Process first = start();
        readUntil(first, after);
        first.destroyForcibly().waitFor();

        String out = finish(start(), 0);

        assertThat(out).contains("written by pod", "nothing is left: no mount, no loop device, no file");
    }

    @Test
    void recoversFromAKillInTheMiddleOfMkfs() throws Exception {
        Path tools = Files.createDirectories(directory.resolve("tools"));
        Path slow = tools.resolve("mkfs.ext4");
        Path begun = directory.resolve("mkfs-begun");
        Files.writeString(
                slow,
                "#!/bin/sh\nfor device; do :; done\nprintf junk | dd of=\"$device\" bs=1 seek=4096 conv=notrunc,fsync 2>/dev/null\n"
                        + "touch " + begun + "\nexec sleep 600\n");
        assertThat(slow.toFile().setExecutable(true)).isTrue();
        Process first = start("--tools", tools.toString());
        readUntilExists(first, begun);
        first.destroyForcibly().waitFor();

        String out = finish(start(), 0);

        assertThat(out).contains("written by pod", "nothing is left: no mount, no loop device, no file");
        assertThat(ProcessHandle.allProcesses()
                        .filter(process ->
                                process.info().commandLine().orElse("").contains(slow.toString())))
                .as("the killed run's mkfs was ended before its device was touched")
                .isEmpty();
    }

    @Test
    void takesAVolumeOfACsiDriverThroughItsLife() throws Exception {
        Path socket = directory.resolve("csi/csi.sock");
        Path manifests = Files.writeString(directory.resolve("csi.yaml"), """
                {apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: csi},
                 provisioner: csi-driver.volume4j.io, volumeBindingMode: WaitForFirstConsumer}
                ---
                {apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: data}, spec: {storageClassName: csi,
                 accessModes: [ReadWriteOnce], resources: {requests: {storage: 64Mi}}}}
                ---
                {apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{name: c, volumeMounts: [
                 {name: data, mountPath: /d}]}], volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]}}
                """);
        try (CsiTestDriver driver = CsiTestDriver.start(
                DriverOptions.at(socket).mounts(MountStyle.BINDS).build())) {
            String out = finish(start("--csi", "unix://" + socket, "-f", manifests.toString()), 0);

            assertThat(out)
                    .contains("CSI driver csi-driver.volume4j.io is there", "wrote through pod p: ")
                    .containsPattern("data +Bound +pvc-[0-9a-f-]+ +64Mi +RWO +csi")
                    .contains("nothing is left: no mount, no loop device, no file");
            assertThat(driver.inventory().leaks()).isEmpty();
            assertThat(driver.oracle().violations()).isEmpty();
        }
    }

    @Test
    void aSocketWithoutADriverIsAFailureAlthoughNoPodUsesIt() throws Exception {
        Path socket = directory.resolve("csi/none.sock");

        assertThat(finish(start("--csi", "unix://" + socket), 1))
                .contains("written by pod", "error: no CSI driver is registered from unix://" + socket);
    }

    @Test
    void aShellLeavesItsMountsForTheNextOneWhichAnotherProcessSees() throws Exception {
        String out = type(start("shell"), "wait pod writer\nexit --keep\n", 0);
        assertThat(out).contains("everything stays; go on with: quickstart shell --root " + root());

        assertThat(finish(start("get", "pvc"), 0)).containsPattern("data +Bound +pvc-[0-9a-f-]+ +64Mi");
        assertThat(finish(start("describe", "pod", "writer"), 0)).contains("kind: Pod", "events: ");
        assertThat(finish(start("get", "pvc", "dat"), 2)).contains("did you mean data?");

        assertThat(type(start("shell"), "wait pod reader\n", 0))
                .contains("an earlier run left something", "nothing is left: no mount, no loop device, no file");
        assertThat(finish(start("get", "pvc"), 2)).contains("nothing is saved in");
    }

    private static String type(Process process, String commands, int code) throws Exception {
        try (var in = process.getOutputStream()) {
            in.write(commands.getBytes(StandardCharsets.UTF_8));
        }
        return finish(process, code);
    }

    @Test
    void saysThatTheKernelHasNoNfsClientWhereItHasNone() throws Exception {
        try (LinuxMountBackend linux = LinuxMountBackend.create()) {
            assumeTrue(!linux.abilities().filesystems().contains("nfs"), "this kernel has an NFS client");
        }
        Path manifests = Path.of(System.getProperty("volume4j.root"))
                .resolve("volume-core/src/test/resources/manifests/seeds/static-nfs.yaml");

        String out = finish(start("-f", manifests.toString()), 1);

        assertThat(out.lines().filter(line -> line.startsWith("error: ")))
                .singleElement()
                .asString()
                .contains("Pod/default/test-nfs", "the running kernel has no NFS client", "ENODEV");
    }

    @Test
    void takesEverythingDownOnCtrlC() throws Exception {
        Process process = start();
        readUntil(process, "mount device ");
        process.destroy();

        assertThat(process.waitFor(90, TimeUnit.SECONDS)).isTrue();
        try (LinuxMountBackend linux = LinuxMountBackend.create()) {
            assertThat(LeakCheck.leaks(linux, root())).isEmpty();
        }
    }

    private Path root() {
        return directory.resolve("root");
    }

    private Process start(String... more) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path")
                        + (System.getProperty("jdk.module.path") == null
                                ? ""
                                : System.getProperty("path.separator") + System.getProperty("jdk.module.path")),
                Quickstart.class.getName()));
        command.addAll(List.of(more));
        command.addAll(List.of("--root", root().toString()));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        processes.add(process);
        return process;
    }

    private static String finish(Process process, int code) throws Exception {
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(out).isEqualTo(code);
        return out;
    }

    private static void readUntil(Process process, String text) throws IOException {
        BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        List<String> seen = new ArrayList<>();
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            seen.add(line);
            if (line.strip().startsWith(text.strip())) {
                return;
            }
        }
        fail("ended before \"" + text + "\": " + seen);
    }

    private static void readUntilExists(Process process, Path file) throws Exception {
        while (!Files.exists(file)) {
            if (process.waitFor(20, TimeUnit.MILLISECONDS)) {
                fail(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
            }
        }
    }
}
