package io.volume4j.core.plugins;

import static io.volume4j.core.plugins.Failing.failureOf;
import static io.volume4j.core.plugins.LoopLife.IMAGE;
import static io.volume4j.core.plugins.LoopLife.MEBI;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.TypedReference;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.mount.HostFiles.FileStatus;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.plugin.CapacityReporter.CapacityRequest;
import io.volume4j.spi.plugin.Deleter.DeleteRequest;
import io.volume4j.spi.plugin.Provisioner.ProvisionRequest;
import io.volume4j.spi.plugin.Provisioner.ProvisionResult;
import io.volume4j.spi.plugin.VolumeSpec;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which images are made for which claims. */
class LoopProvisioningTest {
    private final LoopLife life = new LoopLife();
    private final FakeMachine machine = life.machine;
    private final LoopPlugin plugin = life.plugin;
    private final TestContext context = life.context;

    @Test
    void provisionsASparseFileThatOnlyItsNodeReaches() {
        ProvisionResult made = life.provision(Given.provision(Map.of(), 64 * MEBI, 0));

        assertThat(machine.status(place(IMAGE))).contains(new FileStatus(FileStatus.Type.FILE, 64 * MEBI, 0600));
        assertThat(made.capacityBytes()).isEqualTo(64 * MEBI);
        assertThat(made.source()).isEqualTo(Given.loop("pvc-1"));
        assertThat(Objects.requireNonNull(made.nodeAffinity()).matches("node-1", Map.of()))
                .isTrue();
        assertThat(Objects.requireNonNull(made.nodeAffinity()).matches("node-2", Map.of()))
                .isFalse();
    }

    @Test
    void provisionsOnceHoweverOftenItIsAsked() {
        ProvisionResult first = life.provision(Given.provision(Map.of(), 64 * MEBI, 0));
        machine.available = 0;

        assertThat(life.provision(Given.provision(Map.of(), 64 * MEBI, 0))).isEqualTo(first);
    }

    @Test
    void finishesAnImageThatACrashLeftWithoutItsSize() {
        machine.put(IMAGE, FileStatus.Type.FILE);

        life.provision(Given.provision(Map.of(), 64 * MEBI, 0));

        assertThat(machine.at(Path.of(IMAGE)).bytes()).isEqualTo(64 * MEBI);
    }

    @ParameterizedTest(name = "{0} asked {1} limit {2} -> {3}")
    @CsvSource({
        "ext4,  1,         0,         4194304",
        "ext4,  4194305,   0,         4198400",
        "ext4,  67108864,  67108864,  67108864",
        "ext4,  1,         1000000,   INFEASIBLE",
        "ext4,  67108865,  67108866,  INFEASIBLE",
        "ext4,  9223372036854775807, 0, INFEASIBLE",
        "xfs,   67108864,  0,         314572800",
        "xfs,   67108864,  134217728, INFEASIBLE",
    })
    void roundsUpToWhatTheFilesystemNeedsWithinTheLimit(String fsType, long asked, long limit, String expected) {
        ProvisionRequest request = Given.provision(Map.of("fsType", fsType), asked, limit);

        if (expected.equals("INFEASIBLE")) {
            assertThat(failureOf(() -> life.provision(request)).kind()).isEqualTo(FailureKind.INFEASIBLE);
            assertThat(machine.fileNames()).isEmpty();
        } else {
            assertThat(life.provision(request).capacityBytes()).isEqualTo(Long.parseLong(expected));
        }
    }

    @Test
    void makesARawDeviceOfAnySizeWithoutAFilesystem() {
        PersistentVolumeClaim claim = Given.claim(VolumeMode.BLOCK, AccessMode.READ_WRITE_ONCE);
        machine.mkfs.clear();

        ProvisionResult made = life.provision(Given.provision(claim, Map.of("fsType", "xfs"), 1, 0, null));

        assertThat(made.capacityBytes()).isEqualTo(4096);
        assertThat(made.source()).isEqualTo(CsiSource.of(LoopPlugin.NAME, "pvc-1", "", Map.of()));
    }

    @ParameterizedTest(name = "{0}={1}: {2}")
    @CsvSource({
        "fsType,                    ext4,  ''",
        "csi.storage.k8s.io/fstype, xfs,   ''",
        "fsType,                    ntfs,  one of [btrfs; ext4; xfs]",
        "fsType,                    btrfs, mkfs.btrfs was not found",
        "size,                      1,     known are fsType and csi.storage.k8s.io/fstype",
    })
    void readsTheParametersOfTheClassAndRefusesOthers(String key, String value, String refusal) {
        ProvisionRequest request = Given.provision(Map.of(key, value), 512 * MEBI, 0);

        if (refusal.isEmpty()) {
            assertThat(((CsiSource) life.provision(request).source()).fsType()).isEqualTo(value);
        } else {
            VolumeException failure = failureOf(() -> life.provision(request));
            assertThat(failure.kind()).isEqualTo(FailureKind.FINAL);
            assertThat(failure).hasMessageContaining(refusal.replace(';', ','));
            assertThat(machine.fileNames()).isEmpty();
        }
    }

    @Test
    void refusesAClassThatContradictsItself() {
        assertThat(failureOf(() -> life.provision(
                        Given.provision(Map.of("fsType", "ext4", "csi.storage.k8s.io/fstype", "xfs"), 512 * MEBI, 0))))
                .hasMessageContaining("differ");
    }

    @Test
    void refusesANameThatIsTakenByAnotherSize() {
        life.provision(Given.provision(Map.of(), 64 * MEBI, 0));

        VolumeException failure = failureOf(() -> life.provision(Given.provision(Map.of(), 128 * MEBI, 0)));

        assertThat(failure.kind()).isEqualTo(FailureKind.FINAL);
        assertThat(failure).hasMessageContaining("64Mi where 128Mi");
    }

    @Test
    void saysHowMuchRoomIsMissing() {
        machine.available = 10 * MEBI;

        VolumeException failure = failureOf(() -> life.provision(Given.provision(Map.of(), 64 * MEBI, 0)));

        assertThat(failure.kind()).isEqualTo(FailureKind.EXHAUSTED);
        assertThat(failure).hasMessageContaining("64Mi").hasMessageContaining("10Mi");
        assertThat(machine.fileNames()).isEmpty();
        assertThat(plugin.capacity()
                        .orElseThrow()
                        .capacity(new CapacityRequest(Given.storageClass(Map.of()), Map.of()), context)
                        .availableBytes())
                .isEqualTo(10 * MEBI);
    }

    @Test
    void leavesAVolumeForAnotherNodeToThatNode() {
        PersistentVolumeClaim claim = Given.claim(VolumeMode.FILESYSTEM, AccessMode.READ_WRITE_ONCE);

        VolumeException failure =
                failureOf(() -> life.provision(Given.provision(claim, Map.of(), 64 * MEBI, 0, Given.node("node-2"))));

        assertThat(failure.kind()).isEqualTo(FailureKind.EXHAUSTED);
        life.provision(Given.provision(claim, Map.of(), 64 * MEBI, 0, Given.node("node-1")));
    }

    @Test
    void promisesNoAccessFromSeveralNodes() {
        PersistentVolumeClaim shared = Given.claim(VolumeMode.FILESYSTEM, AccessMode.READ_WRITE_MANY);

        VolumeException failure =
                failureOf(() -> life.provision(Given.provision(shared, Map.of(), 64 * MEBI, 0, null)));

        assertThat(failure.kind()).isEqualTo(FailureKind.INFEASIBLE);
        assertThat(failure).hasMessageContaining("ReadWriteMany");
    }

    @Test
    void makesNoEmptyVolumeWhereACopyWasAskedFor() {
        PersistentVolumeClaim plain = Given.claim(VolumeMode.FILESYSTEM, AccessMode.READ_WRITE_ONCE);
        PersistentVolumeClaim copy = new PersistentVolumeClaim(
                plain.metadata(),
                new PersistentVolumeClaim.Spec(
                        plain.spec().accessModes(),
                        plain.spec().request(),
                        "loop",
                        VolumeMode.FILESYSTEM,
                        "",
                        null,
                        new TypedReference("", "PersistentVolumeClaim", "", "source"),
                        null,
                        ""),
                plain.status(),
                plain.unmodeled());

        assertThat(failureOf(() -> life.provision(Given.provision(copy, Map.of(), 64 * MEBI, 0, null)))
                        .kind())
                .isEqualTo(FailureKind.FINAL);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "..", "a/b", "/etc/passwd", "../x", "a..b", ".hidden", "a\nb", "a b", "-rf", "ü"})
    void takesNoPathForAName(String handle) {
        VolumeSpec spec = Given.volume(Given.loop(handle), VolumeMode.FILESYSTEM);

        assertThatThrownBy(() -> plugin.volumeName(spec))
                .isInstanceOfSatisfying(
                        VolumeException.class, e -> assertThat(e.kind()).isEqualTo(FailureKind.FINAL));
        assertThat(failureOf(() -> plugin.deleter(spec)
                                .orElseThrow()
                                .delete(new DeleteRequest("pv", Given.loop(handle)), context))
                        .kind())
                .isEqualTo(FailureKind.FINAL);
    }

    @Test
    void takesNoNameLongerThanAFileCanHave() {
        assertThatThrownBy(() -> plugin.volumeName(Given.volume(Given.loop("a".repeat(201)), VolumeMode.FILESYSTEM)))
                .isInstanceOf(VolumeException.class);
    }

    @Test
    void saysSoInAProcessThatCannotMount() {
        LoopPlugin controlPlane = new LoopPlugin();
        controlPlane.init(DefaultPluginHost.builder(Given.ROOT).build());

        assertThat(failureOf(() -> controlPlane
                        .provisioner(Given.storageClass(Map.of()))
                        .orElseThrow()
                        .provision(Given.provision(Map.of(), 64 * MEBI, 0), context)))
                .hasMessageContaining("no mount backend");
    }

    private static RootedPath place(String path) {
        return RootedPath.of(Path.of("/"), path.substring(1));
    }
}
