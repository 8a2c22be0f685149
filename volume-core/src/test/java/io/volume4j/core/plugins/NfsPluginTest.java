package io.volume4j.core.plugins;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.NfsSource;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.mount.HostFiles.FileStatus;
import io.volume4j.spi.mount.UnmountMode;
import io.volume4j.spi.plugin.Deleter.DeleteRequest;
import io.volume4j.spi.plugin.Provisioner.ProvisionRequest;
import io.volume4j.spi.plugin.Provisioner.ProvisionResult;
import io.volume4j.spi.plugin.Recycler.RecycleRequest;
import io.volume4j.spi.plugin.StatsReporter.StatsRequest;
import io.volume4j.spi.plugin.VolumeSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NfsPluginTest {
    private static final String WORK = Given.ROOT + "/plugins/kubernetes.io~nfs/data/work/pvc-1";
    private static final VolumeSpec SPEC = spec(new NfsSource("files", "/export/a b", false));

    private final FakeMachine machine = new FakeMachine();
    private final List<Thread> threads = new ArrayList<>();
    /** How many of the next calls to the kernel hang; the rest end before anyone can lose patience with them. */
    private int hanging;

    private final Executor onThreads = work -> {
        if (hanging == 0) {
            work.run();
            return;
        }
        hanging--;
        Thread thread = new Thread(work);
        threads.add(thread);
        thread.start();
    };
    private final CountDownLatch serverIsBack = new CountDownLatch(1);
    private final NfsPlugin plugin =
            Given.ready(new NfsPlugin(server -> "192.0.2.7", onThreads, Duration.ofMillis(20)), machine);

    {
        machine.filesystems.add("nfs4");
    }

    @AfterEach
    void endAllThreads() throws InterruptedException {
        serverIsBack.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
    }

    @ParameterizedTest(name = "{0} {1} {2} -> {3}")
    @CsvSource({
        "false, false, '',            mount nfs,    vers=4.2 addr=192.0.2.7",
        "true,  false, '',            mount nfs ro, vers=4.2 addr=192.0.2.7",
        "false, true,  '',            mount nfs ro, vers=4.2 addr=192.0.2.7",
        "false, false, nfsvers=3 soft, mount nfs,    nfsvers=3 soft addr=192.0.2.7",
        "false, false, vers=4 hard,   mount nfs,    vers=4 hard addr=192.0.2.7",
        "false, false, minorversion=1, mount nfs,    minorversion=1 addr=192.0.2.7",
        "false, false, soft,          mount nfs,    soft vers=4.2 addr=192.0.2.7",
    })
    void mountsTheExportWithItsOptions(
            boolean sourceReadOnly, boolean podReadOnly, String options, String effect, String given) {
        String[] asked = options.isEmpty() ? new String[0] : options.split(" ");

        mount(Given.volume(new NfsSource("files", "/e", sourceReadOnly), VolumeMode.FILESYSTEM, asked), podReadOnly);

        assertThat(machine.effects).containsExactly(effect);
        assertThat(machine.mountOptions).containsExactly(given.split(" "));
        assertThat(machine.mounts)
                .singleElement()
                .satisfies(mount -> assertThat(mount.source()).isEqualTo("files:/e"));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"::1, [::1]:/export/a b", "fe80::1%eth0, [fe80::1%eth0]:/export/a b", "10.0.0.1, 10.0.0.1:/export/a b"})
    void writesAddressesAsTheKernelReadsThem(String server, String source) {
        mount(spec(new NfsSource(server, "/export/a b", false)), false);

        assertThat(machine.mounts)
                .singleElement()
                .satisfies(mount -> assertThat(mount.source()).isEqualTo(source));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-o", "a b", "a,b", "a/b", "a:/x", "a\nb", "$(x)", "a;b", "[::1]"})
    void refusesServersThatAreNoHosts(String server) {
        assertThatThrownBy(() -> plugin.volumeName(spec(new NfsSource(server, "/e", false))))
                .isInstanceOfSatisfying(
                        VolumeException.class, e -> assertThat(e.kind()).isEqualTo(FailureKind.FINAL));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "relative", "/a/../b", "/a\nb", "/a\u0000b"})
    void refusesPathsThatAreNone(String path) {
        assertThatThrownBy(() -> plugin.volumeName(spec(new NfsSource("files", path, false))))
                .isInstanceOfSatisfying(
                        VolumeException.class, e -> assertThat(e.kind()).isEqualTo(FailureKind.FINAL));
    }

    @ParameterizedTest
    @ValueSource(strings = {"soft,addr=10.0.0.1", "addr=10.0.0.1", " ", "a\nb"})
    void refusesOptionsThatAreNotOneOption(String option) {
        assertThat(failureOf(() -> mount(
                                Given.volume(new NfsSource("files", "/e", false), VolumeMode.FILESYSTEM, option),
                                false))
                        .kind())
                .isEqualTo(FailureKind.FINAL);
        assertThat(machine.effects).isEmpty();
    }

    @Test
    void mountsOnce() {
        mount(SPEC, false);
        mount(SPEC, false);

        assertThat(machine.effects).containsExactly("mount nfs");
    }

    @Test
    void refusesATargetWhereSomethingElseIsMounted() {
        mount(SPEC, false);

        assertThat(failureOf(() -> mount(spec(new NfsSource("other", "/e", false)), false)))
                .hasMessageContaining("files:/export/a b");
        assertThat(failureOf(() -> mount(SPEC, true))).hasMessageContaining("writable");
    }

    @Test
    void saysThatTheKernelHasNoClientWithTheKernelsOwnError() {
        machine.filesystems.remove("nfs4");
        machine.mountFails = VolumeException.finalFailure("fsopen nfs: ENODEV (no such device)");

        VolumeException failure = failureOf(() -> mount(SPEC, false));

        assertThat(failure.kind()).isEqualTo(FailureKind.FINAL);
        assertThat(failure)
                .hasMessage("cannot mount files:/export/a b: the running kernel has no NFS client"
                        + " (fsopen nfs: ENODEV (no such device))");
        assertThat(failure.advice()).contains("module nfs");
        assertThat(machine.nodes).doesNotContainKey(Given.POD_TARGET.absolute());
    }

    @Test
    void cleansUpAfterAMountThatFailed() {
        machine.mountFails = VolumeException.transientFailure("mount nfs: ETIMEDOUT (timed out)");

        VolumeException failure = failureOf(() -> mount(SPEC, false));

        assertThat(failure.kind()).isEqualTo(FailureKind.TRANSIENT);
        assertThat(failure)
                .hasMessageContaining("cannot mount files:/export/a b")
                .hasMessageContaining("ETIMEDOUT");
        assertThat(failure.advice()).contains("nfsvers");
        assertThat(machine.nodes).doesNotContainKey(Given.POD_TARGET.absolute());
    }

    @Test
    void leavesWhoOwnsTheFilesToTheServer() {
        assertThat(plugin.mounter(SPEC).orElseThrow().managesContent()).isFalse();
    }

    @Test
    void unmountsTheOrdinaryWayWhileTheServerAnswers() {
        mount(SPEC, false);
        unmount(1);
        unmount(1);

        assertThat(machine.effects).containsExactly("mount nfs", "unmount NORMAL");
        assertThat(machine.nodes).doesNotContainKey(Given.POD_TARGET.absolute());
    }

    @Test
    void abortsWhatWaitsForADeadServer() {
        mount(SPEC, false);
        hanging = 1;
        machine.whenUnmounting = mode -> {
            if (mode == UnmountMode.NORMAL) {
                awaitServer();
            }
        };

        unmount(1);

        assertThat(machine.effects).containsExactly("mount nfs", "unmount FORCE");
        assertThat(machine.mounts).isEmpty();
    }

    @Test
    void neverForcesAMountThatIsMerelyBusy() {
        mount(SPEC, false);
        machine.whenUnmounting = mode -> {
            throw VolumeException.of(FailureKind.IN_USE, "umount2: EBUSY");
        };

        assertThat(failureOf(() -> unmount(5)).kind()).isEqualTo(FailureKind.IN_USE);
        assertThat(machine.effects).containsExactly("mount nfs");
    }

    /** A look that waits for the server makes the mount busy, and must not keep it for ever. */
    @Test
    void abortsItsOwnQuestionThatWaitsForADeadServer() throws Exception {
        mount(SPEC, false);
        CountDownLatch asking = new CountDownLatch(1);
        CountDownLatch aborted = new CountDownLatch(1);
        machine.whenAsked = () -> {
            asking.countDown();
            awaitUninterruptibly(aborted);
        };
        machine.whenUnmounting = mode -> {
            if (mode == UnmountMode.FORCE) {
                aborted.countDown();
            } else if (aborted.getCount() > 0) {
                throw VolumeException.of(FailureKind.IN_USE, "umount2: EBUSY");
            }
        };
        CompletableFuture<?> stats = CompletableFuture.runAsync(() -> ask(plugin));
        asking.await();

        unmount(1);

        assertThat(machine.effects).containsExactly("mount nfs", "unmount FORCE");
        var ended = stats.handle((value, failure) -> true).get(60, TimeUnit.SECONDS);
        assertThat(ended).isTrue();
    }

    /** A look that has its answer is over soon, and nothing is thrown away for it. */
    @Test
    void waitsForItsOwnQuestionWhileTheServerAnswers() throws Exception {
        NfsPlugin patient =
                Given.ready(new NfsPlugin(server -> "192.0.2.7", onThreads, Duration.ofMinutes(1)), machine);
        mount(SPEC, false);
        CountDownLatch asking = new CountDownLatch(1);
        CountDownLatch tried = new CountDownLatch(1);
        machine.whenAsked = () -> {
            asking.countDown();
            awaitUninterruptibly(tried);
        };
        machine.whenUnmounting = mode -> {
            if (tried.getCount() > 0) {
                tried.countDown();
                throw VolumeException.of(FailureKind.IN_USE, "umount2: EBUSY");
            }
        };
        CompletableFuture<?> stats = CompletableFuture.runAsync(() -> ask(patient));
        asking.await();

        unmount(patient, 1);

        assertThat(machine.effects).containsExactly("mount nfs", "unmount NORMAL");
        var ended = stats.handle((value, failure) -> true).get(60, TimeUnit.SECONDS);
        assertThat(ended).isTrue();
    }

    @ParameterizedTest(name = "attempt {0}: gone {1}")
    @CsvSource({"1, false", "2, false", "3, true", "9, true"})
    void takesAMountOutOfSightOnlyAfterSeveralAttempts(int attempt, boolean gone) {
        mount(SPEC, false);
        hanging = 2;
        machine.whenUnmounting = mode -> {
            if (mode != UnmountMode.LAZY) {
                awaitServer();
                throw VolumeException.of(FailureKind.IN_USE, "umount2: EBUSY");
            }
        };

        if (gone) {
            unmount(attempt);
        } else {
            assertThat(failureOf(() -> unmount(attempt)).kind()).isEqualTo(FailureKind.UNCERTAIN);
        }

        assertThat(machine.mounts.isEmpty()).isEqualTo(gone);
    }

    @Test
    void unmountsNothingThatIsNoExport() {
        machine.createDirectory(Given.POD_TARGET, 0750);
        machine.mounted(Path.of("/dev/sda1"), Given.POD_TARGET.absolute(), "ext4", false);

        assertThat(failureOf(() -> unmount(1)).kind()).isEqualTo(FailureKind.FINAL);
        assertThat(machine.mounts).hasSize(1);
    }

    @Test
    void givesEachClaimADirectoryOfItsOwnOnTheExport() {
        ProvisionResult made = provision(Map.of("server", "files", "share", "/export"), "pvc-1");

        assertThat(made.source()).isEqualTo(new NfsSource("files", "/export/pvc-1", false));
        assertThat(made.capacityBytes()).isEqualTo(1 << 20);
        assertThat(made.nodeAffinity()).isNull();
        assertThat(machine.served.get("files:/export"))
                .containsOnlyKeys(Path.of("pvc-1"))
                .containsValue(new FileStatus(FileStatus.Type.DIRECTORY, 0, 0777));
        assertThat(machine.nodes).doesNotContainKey(Path.of(WORK));
        assertThat(machine.effects).containsExactly("mount nfs", "unmount NORMAL");
        assertThat(machine.mountOptions).contains("soft");
        assertThat(provision(Map.of("server", "files", "share", "/export"), "pvc-1"))
                .isEqualTo(made);
    }

    @ParameterizedTest(name = "{0} {1} {2}")
    @CsvSource({
        "server=files,            pvc-1,   must give the parameters server and share",
        "server=files share=/e x=1, pvc-1, does not know; known are server",
        "server=files archiveOnDelete=true, pvc-1, must give the parameters server and share",
        "server=files share=/e archiveOnDelete=yes, pvc-1, must give archiveOnDelete as",
        "server=files share=e,    pvc-1,   not an absolute path",
        "server=-o share=/e,      pvc-1,   no host name",
        "server=files share=/e,   ../pvc,  cannot be the name of a file",
    })
    void refusesClassesAndNamesThatLeadElsewhere(String parameters, String name, String message) {
        Map<String, String> map = new TreeMap<>();
        for (String parameter : parameters.split(" ")) {
            map.put(parameter.split("=")[0], parameter.split("=")[1]);
        }

        assertThat(failureOf(() -> provision(map, name))).hasMessageContaining(message);
        assertThat(machine.effects).isEmpty();
    }

    @Test
    void deletesTheDirectoryOfTheVolumeAndNothingBesides() {
        onExport("files:/export", "pvc-1/a", "pvc-1/b/c", "pvc-2/kept");

        delete("pvc-1", "/export/pvc-1");
        delete("pvc-1", "/export/pvc-1");

        assertThat(machine.served.get("files:/export")).containsOnlyKeys(Path.of("pvc-2"), Path.of("pvc-2/kept"));
        assertThat(machine.mounts).isEmpty();
    }

    @Test
    void renamesTheDirectoryWhenTheClassSaidThatItIsToBeKept() {
        ProvisionResult made =
                provision(Map.of("server", "files", "share", "/export", "archiveOnDelete", "true"), "pvc-1");
        onExport("files:/export", "pvc-1/a", "pvc-2/kept");
        DeleteRequest request = new DeleteRequest("pvc-1", made.source(), made.annotations());

        plugin.deleter(SPEC).orElseThrow().delete(request, TestContext.first());
        plugin.deleter(SPEC).orElseThrow().delete(request, TestContext.first());

        assertThat(machine.served.get("files:/export"))
                .containsOnlyKeys(
                        Path.of("archived-pvc-1"),
                        Path.of("archived-pvc-1/a"),
                        Path.of("pvc-2"),
                        Path.of("pvc-2/kept"));
        assertThat(machine.mounts).isEmpty();
    }

    @Test
    void archivesNothingOverAnArchiveThatIsThere() {
        onExport("files:/export", "pvc-1/a", "archived-pvc-1/old");
        NfsSource source = new NfsSource("files", "/export/pvc-1", false);
        DeleteRequest request = new DeleteRequest("pvc-1", source, Map.of(NfsProvisioner.ON_DELETE, "archive"));

        VolumeException failure =
                failureOf(() -> plugin.deleter(spec(source)).orElseThrow().delete(request, TestContext.first()));

        assertThat(failure.kind()).isEqualTo(FailureKind.FINAL);
        assertThat(machine.served.get("files:/export")).containsKeys(Path.of("pvc-1/a"), Path.of("archived-pvc-1/old"));
        assertThat(machine.mounts).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"pvc-1, /export", "pvc-1, /export/pvc-2", "pvc-1, /export/pvc-1/", "pvc-1, /export/xpvc-1", "pvc-1, /"})
    void deletesNoExportThatWasNotMadeForTheVolume(String name, String path) {
        assertThat(failureOf(() -> delete(name, path))).hasMessageContaining("was not made for volume");
        assertThat(machine.effects).isEmpty();
    }

    @Test
    void recyclesAnExportByRemovingWhatIsInIt() {
        onExport("files:/export/a b", "a", "b/c", "b/d/e");

        plugin.recycler(SPEC).orElseThrow().recycle(new RecycleRequest("pvc-1", SPEC.source(), 1), TestContext.first());

        assertThat(machine.served.get("files:/export/a b")).isEmpty();
        assertThat(machine.mounts).isEmpty();
    }

    @Test
    void unmountsTheExportAlsoWhenTheWorkOnItFailed() {
        onExport("files:/export", "pvc-1");

        assertThat(failureOf(() -> provision(Map.of("server", "files", "share", "/export"), "pvc-1")))
                .hasMessageContaining("EEXIST");

        assertThat(machine.mounts).isEmpty();
    }

    /** Nobody else would come to unmount it. */
    @ParameterizedTest(name = "made before: {0}")
    @ValueSource(booleans = {false, true})
    void anExportThatIsLeftMountedLeavesADoubt(boolean refused) {
        onExport("files:/export", refused ? new String[] {"pvc-1"} : new String[0]);
        machine.whenUnmounting = mode -> {
            throw VolumeException.transientFailure("umount2: EIO");
        };

        VolumeException failure = failureOf(() -> provision(Map.of("server", "files", "share", "/export"), "pvc-1"));

        assertThat(failure.kind()).isEqualTo(FailureKind.UNCERTAIN);
        assertThat(failure).hasMessageContaining("umount2: EIO");
    }

    private ProvisionResult provision(Map<String, String> parameters, String name) {
        StorageClass plain = Given.storageClass(parameters);
        StorageClass storageClass = new StorageClass(
                plain.metadata(),
                NfsPlugin.NAME,
                parameters,
                plain.reclaimPolicy(),
                List.of("soft"),
                false,
                plain.volumeBindingMode(),
                null,
                plain.unmodeled());
        return plugin.provisioner(storageClass)
                .orElseThrow()
                .provision(
                        new ProvisionRequest(
                                name,
                                Given.claim(VolumeMode.FILESYSTEM, AccessMode.READ_WRITE_MANY),
                                storageClass,
                                1 << 20,
                                0,
                                null),
                        TestContext.first());
    }

    private void delete(String name, String path) {
        NfsSource source = new NfsSource("files", path, false);
        plugin.deleter(spec(source)).orElseThrow().delete(new DeleteRequest(name, source), TestContext.first());
    }

    private void onExport(String source, String... paths) {
        TreeMap<Path, FileStatus> content = new TreeMap<>();
        for (String path : paths) {
            Path place = Path.of(path);
            content.put(place, new FileStatus(FileStatus.Type.FILE, 0, 0600));
            for (Path parent = place.getParent(); parent != null; parent = parent.getParent()) {
                content.put(parent, new FileStatus(FileStatus.Type.DIRECTORY, 0, 0700));
            }
        }
        machine.served.put(source, content);
    }

    private void mount(VolumeSpec spec, boolean readOnly) {
        plugin.mounter(spec).orElseThrow().mount(Given.mount(plugin, spec, readOnly), TestContext.first());
    }

    private void ask(NfsPlugin asked) {
        asked.stats(SPEC)
                .orElseThrow()
                .stats(
                        new StatsRequest(VolumeId.ofPod(NfsPlugin.NAME, "data", "uid-1"), Given.POD_TARGET.absolute()),
                        TestContext.first());
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void unmount(int attempt) {
        unmount(plugin, attempt);
    }

    private static void unmount(NfsPlugin plugin, int attempt) {
        plugin.unmounter(VolumeId.ofPod(NfsPlugin.NAME, "data", "uid-1"))
                .orElseThrow()
                .unmount(Given.unmount(plugin), new TestContext(attempt, new ArrayList<>()));
    }

    private void awaitServer() {
        try {
            serverIsBack.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static VolumeException failureOf(Runnable call) {
        return catchThrowableOfType(VolumeException.class, call::run);
    }

    private static VolumeSpec spec(NfsSource source) {
        return Given.volume(source, VolumeMode.FILESYSTEM);
    }
}
