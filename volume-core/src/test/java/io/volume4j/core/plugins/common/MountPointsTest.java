package io.volume4j.core.plugins.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.volume4j.core.plugins.FakeMachine;
import io.volume4j.core.plugins.Given;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.HostFiles.FileStatus;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.mount.UnmountMode;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a failed mount leaves, and what its failure says of that. */
class MountPointsTest {
    private static final RootedPath TARGET = Given.POD_TARGET;
    private static final Path PLACE = TARGET.absolute();

    private final FakeMachine machine = new FakeMachine();
    private final MountPoints mountPoints = new MountPoints(machine);

    {
        machine.createRoot(Given.ROOT);
    }

    @ParameterizedTest
    @EnumSource(
            value = FailureKind.class,
            names = {"DANGLING"},
            mode = EnumSource.Mode.EXCLUDE)
    void aFailureOfWhichNothingIsLeftStaysWhatItIs(FailureKind kind) {
        for (boolean file : new boolean[] {false, true}) {
            assertThat(failureOf(kind, file).kind()).isEqualTo(kind);
            assertThat(machine.nodes).doesNotContainKey(PLACE);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = FailureKind.class,
            names = {"DANGLING"},
            mode = EnumSource.Mode.EXCLUDE)
    void aMountPointThatCannotBeRemovedLeavesADoubt(FailureKind kind) {
        machine.removalFails = VolumeException.transientFailure("unlinkat: EIO");
        for (boolean file : new boolean[] {false, true}) {
            VolumeException failure = failureOf(kind, file);

            assertThat(failure.kind()).isEqualTo(FailureKind.UNCERTAIN);
            assertThat(failure).hasMessageContaining("the mount failed");
            assertThat(machine.nodes).containsKey(PLACE);
            machine.nodes.remove(PLACE);
        }
    }

    @Test
    void aDoubtSaysWhatIsLeftAndWhy() {
        machine.removalFails = VolumeException.transientFailure("unlinkat: EIO");

        assertThat(failureOf(FailureKind.TRANSIENT, false))
                .hasMessage("the mount failed; and its mount point is left: unlinkat: EIO");
    }

    @Test
    void aMountPointThatCannotBeLookedAtIsRemovedAllTheSame() {
        VolumeException unreadable = VolumeException.transientFailure("mountinfo: EMFILE");

        VolumeException failure = failureOf(FailureKind.TRANSIENT, true, () -> machine.tableFails = unreadable);

        assertThat(failure.kind()).isEqualTo(FailureKind.TRANSIENT);
        assertThat(machine.nodes).doesNotContainKey(PLACE);
    }

    @Test
    void aMountPointThatCanNeitherBeRemovedNorLookedAtLeavesADoubt() {
        VolumeException unreadable = VolumeException.transientFailure("mountinfo: EMFILE");

        VolumeException failure = failureOf(FailureKind.FINAL, false, () -> {
            machine.tableFails = unreadable;
            machine.removalFails = VolumeException.transientFailure("unlinkat: EIO");
        });

        assertThat(failure.kind()).isEqualTo(FailureKind.UNCERTAIN);
    }

    @Test
    void aForeignMountOnAMountPointStays() {
        VolumeException failure =
                failureOf(FailureKind.FINAL, false, () -> machine.mounted(Path.of("/dev/other"), PLACE, "ext4", false));

        assertThat(failure.kind()).isEqualTo(FailureKind.FINAL);
        assertThat(machine.nodes).containsKey(PLACE);
    }

    @Test
    void aMountPointWithFilesInItStays() {
        machine.put(PLACE + "/file", FileStatus.Type.FILE);

        VolumeException failure = failureOf(FailureKind.TRANSIENT, false);

        assertThat(failure.kind()).isEqualTo(FailureKind.TRANSIENT);
        assertThat(machine.nodes).containsKeys(PLACE, PLACE.resolve("file"));
    }

    @Test
    void anUnclassifiedFailureStaysUnclassifiedAndTellsWhatIsLeft() {
        machine.removalFails = VolumeException.transientFailure("unlinkat: EIO");

        IllegalStateException failure = catchThrowableOfType(
                IllegalStateException.class,
                () -> mountPoints.mountOn(TARGET, () -> {
                    throw new IllegalStateException("broken");
                }));

        assertThat(failure.getSuppressed()).containsExactly(machine.removalFails);
    }

    @Test
    void whatIsUnmountedAndWhoseMountPointStaysIsNotMountedAnyMore() {
        machine.put(PLACE.toString(), FileStatus.Type.DIRECTORY);
        machine.mounted(Path.of("/dev/one"), PLACE, "ext4", false);
        machine.removalFails = VolumeException.transientFailure("rmdir: EIO");

        VolumeException failure =
                catchThrowableOfType(VolumeException.class, () -> mountPoints.takeAway(TARGET, UnmountMode.NORMAL));

        assertThat(failure.kind()).as("no step goes on with the mount").isEqualTo(FailureKind.UNCERTAIN);
        assertThat(failure).hasMessage("it was done, but then: rmdir: EIO");
        assertThat(mountPoints.at(TARGET)).isEmpty();
    }

    @Test
    void memoryThatCannotBeMountedEitherWayLeavesNoMountPoint() {
        machine.mountRefused = filesystem -> true;

        VolumeException failure = catchThrowableOfType(
                VolumeException.class, () -> Tmpfs.mount(machine, "memory", List.of("mode=0755"), TARGET));

        assertThat(failure.kind()).isEqualTo(FailureKind.FINAL);
        assertThat(machine.nodes).doesNotContainKey(PLACE);
    }

    @Test
    void memoryThatMayBeMountedIsNotMountedASecondTime() {
        machine.mountFails = VolumeException.uncertain("mount tmpfs: cut off");

        VolumeException failure = catchThrowableOfType(
                VolumeException.class, () -> Tmpfs.mount(machine, "memory", List.of("mode=0755"), TARGET));

        assertThat(failure).isSameAs(machine.mountFails);
        assertThat(failure.getSuppressed()).isEmpty();
    }

    private VolumeException failureOf(FailureKind kind, boolean file) {
        return failureOf(kind, file, () -> {});
    }

    private VolumeException failureOf(FailureKind kind, boolean file, Runnable meanwhile) {
        Runnable mount = () -> {
            meanwhile.run();
            throw VolumeException.of(kind, "the mount failed");
        };
        return catchThrowableOfType(VolumeException.class, () -> {
            if (file) {
                mountPoints.mountOnFile(TARGET, mount);
            } else {
                mountPoints.mountOn(TARGET, mount);
            }
        });
    }
}
