package io.volume4j.core.plugins;

import static io.volume4j.core.plugins.Failing.failureOf;
import static io.volume4j.core.plugins.NfsNode.SPEC;
import static io.volume4j.core.plugins.NfsNode.spec;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.NfsSource;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.mount.MountEntry;
import io.volume4j.spi.plugin.VolumeSpec;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Exports as pods get them. */
class NfsPluginTest {
    private final NfsNode node = new NfsNode(Runnable::run);
    private final FakeMachine machine = node.machine;
    private final NfsPlugin plugin = node.plugin;

    @ParameterizedTest(name = "{0} {1} {2} -> {3}")
    @CsvSource({
        "false, false, '',            mount nfs,    vers=4.2 addr=192.0.2.7",
        "true,  false, '',            mount nfs ro, vers=4.2 addr=192.0.2.7",
        "false, true,  '',            mount nfs ro, vers=4.2 addr=192.0.2.7",
        "false, false, nfsvers=3 soft, mount nfs,    nfsvers=3 soft addr=192.0.2.7",
        "false, false, vers=4 hard,   mount nfs,    vers=4 hard addr=192.0.2.7",
        "false, false, minorversion=1, mount nfs,    minorversion=1 addr=192.0.2.7",
        "false, false, soft,          mount nfs,    soft vers=4.2 addr=192.0.2.7",
        "false, false, v3,            mount nfs,    v3 addr=192.0.2.7",
        "false, false, v4.1 hard,     mount nfs,    v4.1 hard addr=192.0.2.7",
        "false, false, ro,            mount nfs ro, ro vers=4.2 addr=192.0.2.7",
        "false, false, ro rw,         mount nfs,    ro rw vers=4.2 addr=192.0.2.7",
    })
    void mountsTheExportWithItsOptions(
            boolean sourceReadOnly, boolean podReadOnly, String options, String effect, String given) {
        String[] asked = options.isEmpty() ? new String[0] : options.split(" ");

        node.mount(
                Given.volume(new NfsSource("files", "/e", sourceReadOnly), VolumeMode.FILESYSTEM, asked), podReadOnly);

        assertThat(machine.effects).containsExactly(effect);
        assertThat(machine.mountOptions).containsExactly(given.split(" "));
        assertThat(machine.mounts)
                .singleElement()
                .satisfies(mount -> assertThat(mount.source()).isEqualTo("files:/e"));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"::1, [::1]:/export/a b", "fe80::1%eth0, [fe80::1%eth0]:/export/a b", "10.0.0.1, 10.0.0.1:/export/a b"})
    void writesAddressesAsTheKernelReadsThem(String server, String source) {
        node.mount(spec(new NfsSource(server, "/export/a b", false)), false);

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
        assertThat(failureOf(() -> node.mount(
                                Given.volume(new NfsSource("files", "/e", false), VolumeMode.FILESYSTEM, option),
                                false))
                        .kind())
                .isEqualTo(FailureKind.FINAL);
        assertThat(machine.effects).isEmpty();
    }

    @Test
    void mountsOnce() {
        node.mount(SPEC, false);
        node.mount(SPEC, false);

        assertThat(machine.effects).containsExactly("mount nfs");
    }

    @Test
    void mountsOnceWhatItsOptionsLetBeReadOnly() {
        VolumeSpec spec = Given.volume(new NfsSource("files", "/e", false), VolumeMode.FILESYSTEM, "ro", "soft");

        node.mount(spec, false);
        node.mount(spec, false);

        assertThat(machine.effects).containsExactly("mount nfs ro");
    }

    /** The kernel shows the path of an NFSv4 mount without them. */
    @ParameterizedTest(name = "{0}")
    @CsvSource({"/e/, files:/e", "//e, files:/e", "/e//f/./, files:/e/f"})
    void asksForAPathWithoutNeedlessSlashesAndDots(String path, String source) {
        node.mount(spec(new NfsSource("files", path, false)), false);
        node.mount(spec(new NfsSource("files", path, false)), false);

        assertThat(machine.mounts)
                .singleElement()
                .satisfies(mount -> assertThat(mount.source()).isEqualTo(source));
    }

    /** NFSv3 shows the path as it was asked for, and an earlier version of the library asked for it as written. */
    @Test
    void knowsAMountThatWasMadeWithNeedlessSlashes() {
        machine.mounted(Path.of("x"), Given.POD_TARGET.absolute(), "nfs", false);
        MountEntry made = machine.mounts.remove(0);
        machine.mounts.add(made.toBuilder().source("files:/e/").build());

        node.mount(spec(new NfsSource("files", "/e/", false)), false);

        assertThat(machine.effects).isEmpty();
    }

    @Test
    void refusesATargetWhereSomethingElseIsMounted() {
        node.mount(SPEC, false);

        assertThat(failureOf(() -> node.mount(spec(new NfsSource("other", "/e", false)), false)))
                .hasMessageContaining("files:/export/a b");
        assertThat(failureOf(() -> node.mount(SPEC, true))).hasMessageContaining("writable");
    }

    @Test
    void saysThatTheKernelHasNoClientWithTheKernelsOwnError() {
        machine.filesystems.remove("nfs4");
        machine.mountFails = VolumeException.finalFailure("fsopen nfs: ENODEV (no such device)");

        VolumeException failure = failureOf(() -> node.mount(SPEC, false));

        assertThat(failure.kind()).isEqualTo(FailureKind.FINAL);
        assertThat(failure)
                .hasMessageStartingWith("cannot mount files:/export/a b: the running kernel has no NFS client"
                        + " (fsopen nfs: ENODEV (no such device))");
        assertThat(failure.advice()).contains("module nfs");
        assertThat(machine.nodes).doesNotContainKey(Given.POD_TARGET.absolute());
    }

    @Test
    void cleansUpAfterAMountThatFailed() {
        machine.mountFails = VolumeException.transientFailure("mount nfs: ETIMEDOUT (timed out)");

        VolumeException failure = failureOf(() -> node.mount(SPEC, false));

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
}
