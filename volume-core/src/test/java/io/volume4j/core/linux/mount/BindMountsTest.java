package io.volume4j.core.linux.mount;

import static io.volume4j.spi.FailureKind.FINAL;
import static io.volume4j.spi.FailureKind.TRANSIENT;
import static io.volume4j.spi.FailureKind.UNCERTAIN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.volume4j.core.linux.Machine;
import io.volume4j.core.linux.Refusal;
import io.volume4j.core.linux.sys.Descriptor;
import io.volume4j.core.linux.sys.Kernel;
import io.volume4j.core.linux.sys.SyscallException;
import io.volume4j.core.testing.Privileged;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.BindOptions;
import io.volume4j.spi.mount.BindOptions.Propagation;
import io.volume4j.spi.mount.IdMapping;
import io.volume4j.spi.mount.MountEntry;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.mount.UnmountMode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

@Privileged
@ParameterizedClass
@MethodSource("io.volume4j.core.linux.Machine#kernels")
class BindMountsTest {
    /** How the race goes in each is the machine's business; what must hold, holds however it goes. */
    private static final int ROUNDS = 1_000;

    private final Kernel kernel;
    private final Machine machine;

    BindMountsTest(Kernel kernel) {
        this.kernel = kernel;
        machine = new Machine(kernel);
        machine.directory("source");
        machine.directory("target");
        machine.file("source/data", "hello");
    }

    @AfterEach
    void close() {
        machine.close();
    }

    @Test
    void showsTheSourcesFilesAtTheTarget() throws IOException {
        bind("source", "target", BindOptions.readWrite());
        assertThat(machine.read("target/data")).isEqualTo("hello");
        Files.writeString(machine.path("target/new"), "written there");
        assertThat(machine.read("source/new")).isEqualTo("written there");
    }

    @Test
    void whatRootOwnsIsSeenAsTheMappedUsersAndTheOtherWayRound() throws Exception {
        if (!kernel.features().mountApi()) {
            assertThat(Refusal.of(FINAL, () -> bind("source", "target", MAPPED)))
                    .hasMessageContaining("mount_setattr");
            return;
        }
        Files.writeString(machine.path("source/seven"), "x");
        Files.setAttribute(machine.path("source/seven"), "unix:uid", 7);
        Files.setAttribute(machine.path("source/seven"), "unix:gid", 70_000);

        bind("source", "target", MAPPED);

        assertThat(owner("target/data")).isEqualTo("100000:200000");
        assertThat(owner("target/seven")).as("a group without an image").isEqualTo("100007:65534");
        assertThat(owner("source/data")).isEqualTo("0:0");
        Files.setAttribute(machine.path("target/data"), "unix:uid", 100_001);
        assertThat(owner("source/data")).isEqualTo("1:0");
        machine.directory("source/open");
        Files.setAttribute(machine.path("source/open"), "unix:mode", 0777);
        openTheWay();
        Machine.run(
                "setpriv",
                "--reuid=100003",
                "--regid=200004",
                "--clear-groups",
                "touch",
                machine.path("target/open/made").toString());
        assertThat(owner("source/open/made")).isEqualTo("3:4");
        assertThat(owner("target/open/made")).isEqualTo("100003:200004");
        assertThat(helpers()).as("processes that hold namespaces").isEmpty();
    }

    @Test
    void aFilesystemThatCannotMapIdsIsNamed() {
        assumeTrue(kernel.features().mountApi());
        machine.directory("proc");
        Machine.run("mount", "-t", "proc", "proc", machine.path("proc").toString());

        assertThat(Refusal.of(FINAL, () -> bind("proc", "target", MAPPED)))
                .hasMessageContaining("its filesystem, proc, mounted on " + machine.path("proc"))
                .hasMessageContaining("does not support ID-mapped mounts")
                .hasMessageContaining("hostUsers: true");

        assertThat(machine.table.read().below(machine.path("target"))).isEmpty();
        assertThat(helpers()).isEmpty();
    }

    @Test
    void mountsBelowAMappedOneComeAlongAsTheyAre() {
        assumeTrue(kernel.features().mountApi());
        machine.directory("source/inner");
        Machine.run("mount", "-t", "proc", "proc", machine.path("source/inner").toString());

        bind("source", "target", new BindOptions(false, true, Propagation.SLAVE, MAPPED.ids()));

        assertThat(owner("target/data")).isEqualTo("100000:200000");
        assertThat(owner("target/inner/version")).isEqualTo("0:0");
    }

    private static final BindOptions MAPPED = BindOptions.readWrite()
            .withIds(new IdMapping(
                    List.of(new IdMapping.Range(0, 100_000, 65_536)),
                    List.of(new IdMapping.Range(0, 200_000, 65_536))));

    private String owner(String path) {
        try {
            return Files.getAttribute(machine.path(path), "unix:uid") + ":"
                    + Files.getAttribute(machine.path(path), "unix:gid");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The test's directory is its own; a user without rights is to come through. */
    private void openTheWay() throws IOException {
        Files.setAttribute(machine.root, "unix:mode", 0711);
    }

    private static List<ProcessHandle> helpers() {
        return ProcessHandle.current()
                .children()
                .filter(child -> child.info().command().orElse("").endsWith("/cat"))
                .toList();
    }

    @Test
    void bindsAFileOnAFile() {
        machine.file("target/f", "");
        bind("source/data", "target/f", BindOptions.onlyRead());
        assertThat(machine.read("target/f")).isEqualTo("hello");
        assertThatThrownBy(() -> Files.writeString(machine.path("target/f"), "x"))
                .isInstanceOf(FileSystemException.class)
                .hasMessageContaining("Read-only");
    }

    @Test
    void readOnlyIsOnlyTheTargetAndKeepsTheOtherFlagsOfTheSource() {
        Machine.run(
                "mount",
                "-t",
                "tmpfs",
                "-o",
                "nosuid,nodev,noexec,noatime",
                "t",
                machine.path("source").toString());
        machine.file("source/data", "hello");
        bind("source", "target", BindOptions.onlyRead());
        assertThat(there("target").options()).contains("ro", "nosuid", "nodev", "noexec", "noatime");
        assertThatThrownBy(() -> machine.file("target/x", "")).hasMessageContaining("Read-only");
        machine.file("source/x", "still writable");
    }

    @Test
    void boundThereAlreadyIsSuccessAndStacksNothing() {
        for (BindOptions options : List.of(BindOptions.readWrite(), BindOptions.onlyRead())) {
            bind("source", "target", options);
            bind("source", "target", options);
            assertThat(machine.table.read().below(machine.path("target"))).hasSize(1);
            unmount("target");
        }
    }

    @Test
    void theSameDirectoryThroughAnotherMountIsTheSame() {
        machine.directory("alias");
        bind("source", "alias", BindOptions.readWrite());
        bind("source", "target", BindOptions.readWrite());
        bind("alias", "target", BindOptions.readWrite());
        assertThat(machine.table.read().below(machine.path("target"))).hasSize(1);
    }

    @Test
    void anotherModeThanTheOneBoundAlreadyIsRefused() {
        bind("source", "target", BindOptions.readWrite());
        assertThat(Refusal.of(FINAL, () -> bind("source", "target", BindOptions.onlyRead())))
                .hasMessageContaining("already, but read-write");
        unmount("target");
        bind("source", "target", BindOptions.onlyRead());
        assertThat(Refusal.of(FINAL, () -> bind("source", "target", BindOptions.readWrite())))
                .hasMessageContaining("already, but read-only");
    }

    @Test
    void nothingIsStackedOnAForeignMount() {
        Machine.run("mount", "-t", "tmpfs", "foreign", machine.path("target").toString());
        assertThat(Refusal.of(FINAL, () -> bind("source", "target", BindOptions.readWrite())))
                .hasMessageContaining("something else is mounted there: tmpfs from foreign");
        // A sibling of the source on the same filesystem is not the source either.
        unmount("target");
        machine.directory("source2");
        bind("source2", "target", BindOptions.readWrite());
        Refusal.of(FINAL, () -> bind("source", "target", BindOptions.readWrite()));
        assertThat(machine.table.read().below(machine.path("target"))).hasSize(1);
    }

    @Test
    void aFileIsNotBoundOnADirectoryNorTheOtherWayRound() {
        machine.file("f", "");
        assertThat(Refusal.of(FINAL, () -> bind("f", "target", BindOptions.readWrite())))
                .hasMessageContaining("the target is a directory and the source is not");
        assertThat(Refusal.of(FINAL, () -> bind("source", "f", BindOptions.readWrite())))
                .hasMessageContaining("the source is a directory and the target is not");
    }

    @Test
    void aMissingSourceOrTargetIsNamedAndMayComeBack() {
        assertThat(Refusal.of(TRANSIENT, () -> bind("nowhere", "target", BindOptions.readWrite())))
                .hasMessageContaining(machine.path("nowhere").toString())
                .hasMessageContaining("ENOENT");
        assertThat(Refusal.of(TRANSIENT, () -> bind("source", "nowhere", BindOptions.readWrite())))
                .hasMessageContaining("nowhere below " + machine.root)
                .hasMessageContaining("ENOENT");
    }

    @Test
    void mountsBelowTheSourceComeAlongOnlyWhenAsked() {
        machine.directory("source/inner");
        Machine.run(
                "mount", "-t", "tmpfs", "inner", machine.path("source/inner").toString());
        machine.file("source/inner/f", "inner");
        bind("source", "target", BindOptions.readWrite());
        assertThat(machine.path("target/inner/f")).doesNotExist();
        unmount("target");
        bind("source", "target", new BindOptions(false, true, Propagation.PRIVATE));
        assertThat(machine.read("target/inner/f")).isEqualTo("inner");
    }

    @Test
    void recursiveReadOnlyHoldsForTheMountsBelowOrIsRefused() {
        machine.directory("source/inner");
        Machine.run(
                "mount", "-t", "tmpfs", "inner", machine.path("source/inner").toString());
        BindOptions options = new BindOptions(true, true, Propagation.PRIVATE);
        if (kernel.features().mountApi()) {
            bind("source", "target", options);
            assertThatThrownBy(() -> machine.file("target/inner/x", "")).hasMessageContaining("Read-only");
            machine.file("source/inner/x", "");
        } else {
            assertThat(Refusal.of(FINAL, () -> bind("source", "target", options))
                            .advice())
                    .contains("Linux 5.12");
            assertThat(machine.table.read().at(machine.path("target"))).isEmpty();
        }
    }

    @Test
    void laterMountsTravelAsAskedEvenBelowASharedMount() {
        machine.directory("source/late");
        machine.directory("outer");
        Machine.run("mount", "-t", "tmpfs", "outer", machine.path("outer").toString());
        Machine.run("mount", "--make-shared", machine.path("outer").toString());
        shared("source", "source");
        for (Propagation propagation : Propagation.values()) {
            String target = "outer/" + propagation;
            machine.directory(target);
            bind("source", target, new BindOptions(false, false, propagation));
        }
        Machine.run("mount", "-t", "tmpfs", "late", machine.path("source/late").toString());
        MountSnapshot table = machine.table.read();
        assertThat(table.at(machine.path("outer/PRIVATE/late"))).isEmpty();
        assertThat(table.at(machine.path("outer/SLAVE/late"))).isPresent();
        assertThat(table.at(machine.path("outer/SHARED/late"))).isPresent();
    }

    /**
     * A peer of the parent gets a copy of the mount as it is when it is attached. A process that is killed then leaves the mount like
     * that too.
     */
    @ParameterizedTest
    @EnumSource(names = {"PRIVATE", "SLAVE"})
    void atNoTimeAnUnmountBelowATargetUnmountsWhatIsBelowTheSource(Propagation propagation) {
        machine.directory("source/below");
        shared("source", "source");
        Machine.run(
                "mount", "-t", "tmpfs", "below", machine.path("source/below").toString());
        shared("target", "target");
        machine.directory("peer");
        shared("target", "peer");
        machine.directory("target/bound");

        bind("source", "target/bound", new BindOptions(false, true, propagation));

        for (String copy : List.of("target/bound/below", "peer/bound/below")) {
            assertThat(machine.table.read().at(machine.path(copy))).as(copy).isPresent();
            Machine.run("umount", machine.path(copy).toString());
            assertThat(machine.table.read().at(machine.path("source/below")))
                    .as("after the unmount of %s", copy)
                    .isPresent();
        }
    }

    /** A hostPath above the agent's root receives what is mounted below the root. */
    @Test
    void aBindOfADirectoryAboveTheRootHindersNoLaterOne() {
        machine.directory("node");
        shared("node", "node");
        shared("source", "source");
        machine.directory("source/below");
        Machine.run(
                "mount", "-t", "tmpfs", "below", machine.path("source/below").toString());
        for (String source : List.of("node", "source", "source")) {
            String target =
                    "pods/" + source + machine.table.read().below(machine.root).size();
            machine.directory("node/" + target);
            machine.binds.bind(
                    machine.path(source),
                    RootedPath.of(machine.path("node"), target),
                    new BindOptions(false, true, Propagation.SLAVE));
        }
        assertThat(machine.table.read().below(machine.root))
                .extracting(mount -> mount.mountPoint().toString())
                .noneMatch(mountPoint -> mountPoint.contains(LegacyBindMounts.STAGING.toString()));
        assertThat(machine.path("node").resolve(LegacyBindMounts.STAGING)).doesNotExist();
    }

    private void shared(String source, String target) {
        Machine.run(
                "mount",
                "--bind",
                machine.path(source).toString(),
                machine.path(target).toString());
        Machine.run("mount", "--make-shared", machine.path(target).toString());
    }

    @Test
    void aLinkOnTheWayToTheTargetIsRefused() {
        machine.directory("elsewhere/target");
        machine.link("way", "elsewhere");
        machine.link("end", "target");
        assertThat(Refusal.of(FINAL, () -> bind("source", "way/target", BindOptions.readWrite())))
                .hasMessageContaining("ELOOP");
        assertThat(Refusal.of(FINAL, () -> bind("source", "end", BindOptions.readWrite())))
                .hasMessageContaining("ELOOP");
    }

    @Test
    void nobodySeesAReadOnlyBindWritable() throws Exception {
        AtomicBoolean done = new AtomicBoolean();
        AtomicInteger written = new AtomicInteger();
        AtomicInteger refusedByTheMount = new AtomicInteger();
        Thread writer = new Thread(() -> {
            while (!done.get()) {
                try {
                    // Fails on the empty directory below, which has no such subdirectory, and on a read-only mount.
                    Files.createFile(machine.path("target/inside/seen-writable"));
                    written.incrementAndGet();
                } catch (IOException refused) {
                    if (String.valueOf(refused.getMessage()).contains("Read-only file system")) {
                        refusedByTheMount.incrementAndGet();
                    }
                }
            }
        });
        machine.directory("source/inside");
        writer.start();
        try {
            // Until the writer has met the mount, however the two threads are scheduled.
            for (int i = 0; i < 60 || (refusedByTheMount.get() == 0 && i < 100_000); i++) {
                bind("source", "target", BindOptions.onlyRead());
                machine.unmounts.unmount(machine.at("target"), UnmountMode.LAZY);
            }
        } finally {
            done.set(true);
            writer.join();
        }
        assertThat(refusedByTheMount).as("tries on the mount").hasPositiveValue();
        assertThat(written).hasValue(0);
    }

    @Test
    void swappingTheTargetForALinkNeverLeadsTheMountOutside() throws Exception {
        Path outside = machine.directory("outside");
        machine.directory("root/way/target");
        machine.link("root/decoy", outside.toString());
        machine.directory("outside/target");
        RootedPath target = RootedPath.of(machine.path("root"), "way/target");
        machine.whileSwapping("root/way", "root/decoy", () -> {
            for (int i = 0; i < ROUNDS; i++) {
                try {
                    machine.binds.bind(machine.path("source"), target, BindOptions.readWrite());
                    machine.unmounts.unmount(target, UnmountMode.NORMAL);
                } catch (VolumeException e) {
                    assertThat(e.getMessage()).containsAnyOf("ELOOP", "ENOENT", "gone again");
                }
            }
        });
        assertThat(machine.table.read().below(outside)).isEmpty();
    }

    @Test
    void aMountThatCannotBeFinishedIsTakenBackAndElseADoubt() {
        SyscallException failure = new SyscallException(12, "mount_setattr " + machine.path("target"));
        bind("source", "target", BindOptions.readWrite());
        try (Descriptor mounted = machine.paths.open(machine.at("target"))) {
            assertThat(machine.calls.takenBack(failure, mounted, "target")).isSameAs(failure);
        }
        assertThat(machine.table.read().below(machine.path("target"))).isEmpty();
        try (Descriptor unmounted = machine.paths.open(machine.at("target"))) {
            assertThat(machine.calls.takenBack(failure, unmounted, "target"))
                    .isInstanceOfSatisfying(
                            VolumeException.class,
                            doubt -> assertThat(doubt.kind()).isEqualTo(UNCERTAIN))
                    .hasMessageContaining("mount_setattr")
                    .hasMessageContaining("still mounted: umount2 target");
        }
    }

    private void bind(String source, String target, BindOptions options) {
        machine.binds.bind(machine.path(source), machine.at(target), options);
    }

    private void unmount(String target) {
        Machine.run("umount", machine.path(target).toString());
    }

    private MountEntry there(String target) {
        return machine.table.read().at(machine.path(target)).orElseThrow();
    }
}
