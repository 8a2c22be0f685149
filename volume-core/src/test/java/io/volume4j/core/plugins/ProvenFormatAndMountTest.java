package io.volume4j.core.plugins;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.LocalSource;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.mount.DeviceContent;
import io.volume4j.spi.mount.DeviceContent.Kind;
import io.volume4j.spi.mount.DeviceIdentity;
import io.volume4j.spi.mount.HostFiles.FileStatus;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.plugin.BlankPolicy;
import io.volume4j.spi.plugin.FormatAndMount;
import io.volume4j.spi.plugin.FormatLedger.OpenFormat;
import io.volume4j.spi.plugin.VolumeSpec;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProvenFormatAndMountTest {
    private static final Path DEVICE = Path.of("/dev/loop7");
    private static final RootedPath TARGET = RootedPath.of(Path.of("/root"), "plugins/p/devices/h/mount");
    private static final DeviceIdentity OTHER_DEVICE = new DeviceIdentity("serial-2", 1 << 26);

    private final FakeMachine machine = new FakeMachine();
    private final FakeLedger ledger = new FakeLedger(machine.effects);
    private final FormatAndMount formatAndMount = new ProvenFormatAndMount(machine);

    /**
     * The whole policy. Content is what the probe found; open is the type of a format of this device whose end was not recorded;
     * elsewhere, whether the device is mounted at another place; effects in their order, or the kind of failure and a word
     * of its message, and then nothing at all was done.
     */
    @ParameterizedTest(name = "{0} asked {1} {2} open {3} {4} -> {5}")
    @CsvSource(delimiter = '|', textBlock = """
            # content    | asked | access | open | elsewhere | effects or failure
            blank        |       | rw     |      | no        | begin ext4, mkfs ext4, finish, mount ext4
            blank        | xfs   | rw     |      | no        | begin xfs, mkfs xfs, finish, mount xfs
            blank        |       | rw     | ext4 | no        | begin ext4, mkfs ext4, finish, mount ext4
            blank        |       | rw     | xfs  | no        | begin xfs, mkfs xfs, finish, mount xfs
            blank        | xfs   | rw     | ext4 | no        | begin xfs, mkfs xfs, finish, mount xfs
            blank        |       | ro     |      | no        | FINAL read-only
            blank        |       | ro     | ext4 | no        | FINAL read-only
            blank        | btrfs | rw     |      | no        | FINAL mkfs.btrfs
            blank        |       | rw     |      | yes       | FINAL mounted elsewhere
            fs ext4      | ext4  | rw     |      | no        | fsck ext4, mount ext4
            fs ext4      |       | rw     |      | no        | fsck ext4, mount ext4
            fs xfs       |       | rw     |      | no        | fsck xfs, mount xfs
            fs ext4      | ext4  | ro     |      | no        | mount ext4 ro
            fs ext4      | xfs   | rw     |      | no        | FINAL holds ext4 where xfs
            fs ext4      | xfs   | ro     |      | no        | FINAL holds ext4 where xfs
            fs ext4      | xfs   | rw     | xfs  | no        | FINAL holds ext4 where xfs
            fs ext4      | ext4  | rw     |      | yes       | mount ext4
            fs ext4      | ext4  | rw     | ext4 | no        | fsck ext4, finish, mount ext4
            fs ext4      |       | rw     | ext4 | no        | fsck ext4, finish, mount ext4
            broken ext4  | ext4  | rw     | ext4 | no        | fsck ext4, mkfs ext4, finish, mount ext4
            fs ext4      | ext4  | rw     | ext4 | yes       | finish, mount ext4
            fs ext4      | ext4  | ro     | ext4 | no        | FINAL read-only
            fs ext4      |       | rw     | xfs  | no        | FINAL something else wrote
            unproved     |       | rw     |      | no        | FINAL not proved blank
            unproved     | ext4  | ro     |      | no        | FINAL not proved blank
            unproved     |       | rw     | ext4 | no        | mkfs ext4, finish, mount ext4
            unproved     | xfs   | rw     | ext4 | no        | FINAL not proved blank
            unproved     |       | ro     | ext4 | no        | FINAL read-only
            unproved     |       | rw     | ext4 | yes       | FINAL mounted elsewhere
            foreign gpt  |       | rw     |      | no        | FINAL holds gpt
            foreign lvm2 | ext4  | ro     |      | no        | FINAL holds lvm2
            foreign      | ext4  | rw     |      | no        | FINAL data of no known kind
            foreign      | ext4  | rw     | ext4 | no        | mkfs ext4, finish, mount ext4
            foreign      |       | rw     | xfs  | no        | mkfs xfs, finish, mount xfs
            foreign      | xfs   | rw     | ext4 | no        | FINAL one as ext4; did not leave
            foreign lvm2 | ext4  | rw     | ext4 | no        | FINAL holds lvm2; which the format
            foreign      | ext4  | ro     | ext4 | no        | FINAL read-only
            foreign      | ext4  | rw     | ext4 | yes       | FINAL mounted elsewhere
            """)
    void decidesByContentRequestAndLedger(
            String content, String asked, String access, String open, String elsewhere, String expected) {
        decides(request(asked == null ? "" : asked, access.equals("ro")), content, open, elsewhere, expected);
    }

    /** A volume whose mount options say that it is only read is treated as one that is only read. */
    @ParameterizedTest(name = "{0} {1} open {2} -> {3}")
    @CsvSource(delimiter = '|', textBlock = """
            blank    | ro              |      | FINAL read-only
            fs ext4  | ro              |      | mount ext4 ro
            fs ext4  | noatime,ro      |      | mount ext4 ro
            fs ext4  | ro rw           |      | fsck ext4, mount ext4
            fs ext4  | rw noatime      |      | fsck ext4, mount ext4
            fs ext4  | context="a,ro,b" |      | fsck ext4, mount ext4
            fs ext4  | ro              | ext4 | FINAL read-only
            unproved | ro              | ext4 | FINAL read-only
            """)
    void neitherFormatsNorChecksWhatItsMountOptionsLetBeReadOnly(
            String content, String options, String open, String expected) {
        decides(requestWith(List.of(options.split(" "))), content, open, "no", expected);
    }

    @Test
    void findsADeviceThatItsOptionsLetBeReadOnlyMountedAlready() {
        machine.content = () -> contentOf("fs ext4");

        formatAndMount.mount(requestWith(List.of("ro")), TestContext.first());
        formatAndMount.mount(requestWith(List.of("ro")), TestContext.first());

        assertThat(machine.effects).containsExactly("mount ext4 ro");
    }

    /** A check of it fails, or harms it. */
    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"/dev/mapper/group-data", "/dev/loop7", "/dev/disk/by-id/x"})
    void knowsADeviceThatIsMountedUnderAnyOfItsNames(String source) {
        machine.content = () -> contentOf("fs ext4");
        machine.contents.put(Path.of("/sys/class/block/loop7/dev"), "7:0\n");
        machine.mounted(Path.of(source), Path.of("/elsewhere"), "ext4", false);

        formatAndMount.mount(request("", false), TestContext.first());

        assertThat(machine.effects).containsExactly("mount ext4");
    }

    @Test
    void knowsADeviceByThePathThatItsLinkLeadsTo() {
        machine.content = () -> contentOf("fs ext4");
        machine.links.put(DEVICE, Path.of("/dev/dm-3"));
        machine.put("/dev/dm-3", FileStatus.Type.BLOCK_DEVICE);
        machine.contents.put(Path.of("/sys/class/block/dm-3/dev"), "7:0\n");
        machine.mounted(Path.of("/dev/mapper/group-data"), Path.of("/elsewhere"), "ext4", false);

        formatAndMount.mount(request("", false), TestContext.first());

        assertThat(machine.effects).containsExactly("mount ext4");
    }

    private FormatAndMount.Request requestWith(List<String> options) {
        return new FormatAndMount.Request(DEVICE, TARGET, "", options, false, ledger, BlankPolicy.defaults());
    }

    private void decides(
            FormatAndMount.Request request, String content, @Nullable String open, String elsewhere, String expected) {
        machine.content = () -> contentOf(content);
        machine.checkFails = content.startsWith("broken") ? VolumeException.finalFailure("errors left") : null;
        ledger.open = open == null ? null : new OpenFormat(machine.identity, open, "earlier proof");
        if (elsewhere.equals("yes")) {
            machine.mounted(DEVICE, Path.of("/elsewhere"), "ext4", false);
        }
        if (expected.startsWith("FINAL ")) {
            VolumeException failure = failureOf(request);
            assertThat(failure.kind()).isEqualTo(FailureKind.FINAL);
            assertThat(failure)
                    .hasMessageContaining(expected.substring("FINAL ".length()).replace(';', ','));
            assertThat(failure.advice()).isNotEmpty();
            assertThat(machine.effects).isEmpty();
            assertThat(machine.nodes).doesNotContainKey(TARGET.absolute());
        } else {
            formatAndMount.mount(request, TestContext.first());
            assertThat(machine.effects).containsExactlyElementsOf(Arrays.asList(expected.split(", ")));
            assertThat(ledger.open).isNull();
        }
    }

    /** The weaker policy, as {@link #decidesByContentRequestAndLedger}. */
    @ParameterizedTest(name = "{0} {1} open {2} {3} -> {4}")
    @CsvSource(delimiter = '|', textBlock = """
            unproved     | rw     |      | no        | begin ext4, mkfs ext4, finish, mount ext4
            unproved     | rw     | ext4 | no        | mkfs ext4, finish, mount ext4
            unproved     | rw     | xfs  | no        | mkfs xfs, finish, mount xfs
            unproved     | ro     |      | no        | FINAL read-only
            unproved     | rw     |      | yes       | FINAL mounted elsewhere
            foreign      | rw     |      | no        | FINAL no known kind
            foreign gpt  | rw     |      | no        | FINAL holds gpt
            """)
    void formatsWhatBearsNoMarkOnlyWhereTheVolumeAsksForNoMore(
            String content, String access, String open, String elsewhere, String expected) {
        FormatAndMount.Request request = new FormatAndMount.Request(
                DEVICE,
                TARGET,
                "",
                List.of(),
                access.equals("ro"),
                ledger,
                new BlankPolicy(BlankPolicy.Unproved.SIGNATURES, 0));
        decides(request, content, open, elsewhere, expected);
    }

    @ParameterizedTest(name = "{0}: {1} -> {2}")
    @CsvSource({
        "volume4j.io/format-unproved,        signatures, SIGNATURES 68719476736",
        "volume4j.io/format-unproved,        refuse,     REFUSE 68719476736",
        "volume4j.io/format-unproved,        yes,        must be refuse or signatures",
        "volume4j.io/prove-blank-by-reading, 2Ti,        REFUSE 2199023255552",
        "volume4j.io/prove-blank-by-reading, 0,          REFUSE 0",
        "volume4j.io/prove-blank-by-reading, lots,       must be a quantity of bytes",
        "volume4j.io/prove-blank-by-reading, -1,         must not be negative",
        "other,                              x,          REFUSE 68719476736",
    })
    void readsFromTheVolumeWhatMustBeKnownOfItsDevice(String annotation, String value, String expected) {
        VolumeSpec plain = Given.volume(new LocalSource("/dev/disk", ""), VolumeMode.FILESYSTEM);
        PersistentVolume volume = Objects.requireNonNull(plain.persistentVolume());
        VolumeSpec spec = VolumeSpec.of(
                new PersistentVolume(
                        volume.metadata().withAnnotation(annotation, value),
                        volume.spec(),
                        volume.status(),
                        volume.unmodeled()),
                false);
        if (expected.startsWith("must")) {
            VolumeException failure = catchThrowableOfType(VolumeException.class, () -> BlankPolicy.of(spec));
            assertThat(failure.kind()).isEqualTo(FailureKind.FINAL);
            assertThat(failure).hasMessageContaining(annotation).hasMessageContaining(expected);
        } else {
            BlankPolicy policy = BlankPolicy.of(spec);
            assertThat(policy.unproved() + " " + policy.readAtMost()).isEqualTo(expected);
        }
    }

    @Test
    void saysInTheIntentThatAFormatRestsOnSignaturesAlone() {
        machine.content = () -> contentOf("unproved");
        machine.formatFails = VolumeException.uncertain("mkfs.ext4: killed");

        assertThat(failureOf(new FormatAndMount.Request(
                        DEVICE,
                        TARGET,
                        "",
                        List.of(),
                        false,
                        ledger,
                        new BlankPolicy(BlankPolicy.Unproved.SIGNATURES, 0))))
                .isNotNull();

        OpenFormat open = Objects.requireNonNull(ledger.open);
        assertThat(open.proof()).isEqualTo("not proved blank, formatted by its signatures: marks are zero");
    }

    @Test
    void adviseWhatHelpsAgainstADeviceThatWasNotProvedBlank() {
        machine.content = () -> contentOf("unproved");

        assertThat(failureOf(request("", false)).advice())
                .contains("make the filesystem yourself", BlankPolicy.READ, BlankPolicy.UNPROVED + ": signatures");
    }

    @ParameterizedTest
    @CsvSource({"blank", "fs ext4", "foreign", "foreign gpt", "unproved"})
    void leavesADeviceAloneThatIsNotTheOneWhoseFormatIsOpen(String content) {
        machine.content = () -> contentOf(content);
        ledger.open = new OpenFormat(OTHER_DEVICE, "ext4", "proof");

        VolumeException failure = failureOf(request("ext4", false));

        assertThat(failure.kind()).isEqualTo(FailureKind.FINAL);
        assertThat(failure).hasMessageContaining("serial-1").hasMessageContaining("serial-2");
        assertThat(failure.advice()).contains("attach the first device again");
        assertThat(machine.effects).isEmpty();
    }

    @Test
    void countsAnUnreadableDeviceAsTransientAndNeverAsBlank() {
        for (RuntimeException reason : List.of(
                VolumeException.transientFailure("pread: EIO"),
                VolumeException.finalFailure("pread: EIO"),
                VolumeException.uncertain("pread: EIO"),
                new IllegalStateException("pread: EIO"))) {
            machine.content = () -> {
                throw reason;
            };

            VolumeException failure = failureOf(request("", false));

            assertThat(failure.kind()).isEqualTo(FailureKind.TRANSIENT);
            assertThat(failure).hasMessageContaining("EIO");
        }
        assertThat(machine.effects).isEmpty();
    }

    @Test
    void formatsNothingWhileTheIntentIsNotDurable() {
        ledger.beginFails = VolumeException.transientFailure("journal: ENOSPC");

        assertThat(failureOf(request("", false))).hasMessageContaining("ENOSPC");

        assertThat(machine.effects).isEmpty();
    }

    @Test
    void mountsNothingBeforeTheEndOfTheFormatIsDurable() {
        ledger.finishFails = VolumeException.transientFailure("journal: ENOSPC");

        assertThat(failureOf(request("", false))).hasMessageContaining("ENOSPC");

        assertThat(machine.effects).containsExactly("begin ext4", "mkfs ext4");
        assertThat(machine.mounts).isEmpty();
    }

    @Test
    void formatsAgainAfterACrashInTheMiddleOfMkfs() {
        machine.formatFails = VolumeException.uncertain("mkfs.ext4: killed");
        machine.whenFormatting = () -> machine.content = () -> contentOf("foreign");
        assertThat(failureOf(request("", false)).kind()).isEqualTo(FailureKind.UNCERTAIN);
        assertThat(ledger.open).isNotNull();
        machine.formatFails = null;
        machine.effects.clear();

        formatAndMount.mount(request("", false), TestContext.first());

        assertThat(machine.effects).containsExactly("mkfs ext4", "finish", "mount ext4");
    }

    @Test
    void withdrawsThePermissionToFormatWhenMkfsWasNeverBegun() {
        machine.formatFails = VolumeException.finalFailure("the device is another one now");

        assertThat(failureOf(request("", false)).kind()).isEqualTo(FailureKind.FINAL);

        assertThat(ledger.open).isNull();
    }

    @Test
    void keepsThePermissionWhenAnEarlierHalfMadeFormatMayBeThere() {
        machine.content = () -> contentOf("foreign");
        ledger.open = new OpenFormat(machine.identity, "ext4", "proof");
        machine.formatFails = VolumeException.finalFailure("mkfs.ext4 is gone");

        assertThat(failureOf(request("", false)).kind()).isEqualTo(FailureKind.FINAL);

        assertThat(ledger.open).isNotNull();
    }

    @Test
    void mountsNoFilesystemWithErrorsLeft() {
        machine.content = () -> contentOf("fs ext4");
        machine.checkFails = VolumeException.finalFailure("fsck.ext4: exit 4: errors left uncorrected");

        assertThat(failureOf(request("", false))).hasMessageContaining("exit 4");

        assertThat(machine.effects).containsExactly("fsck ext4");
        assertThat(machine.mounts).isEmpty();
    }

    @Test
    void formatsNothingAgainWhileTheCheckCouldNotBeDone() {
        machine.content = () -> contentOf("fs ext4");
        ledger.open = new OpenFormat(machine.identity, "ext4", "proof");
        machine.checkFails = VolumeException.uncertain("fsck.ext4: killed at its deadline");

        assertThat(failureOf(request("", false)).kind()).isEqualTo(FailureKind.UNCERTAIN);

        assertThat(machine.effects).containsExactly("fsck ext4");
        assertThat(ledger.open).isNotNull();
    }

    @Test
    void leavesNoMountPointBehindWhenMountingFails() {
        machine.content = () -> contentOf("fs ext4");
        machine.mountFails = VolumeException.transientFailure("mount: EIO");

        assertThat(failureOf(request("", false))).hasMessageContaining("EIO");

        assertThat(machine.nodes).doesNotContainKey(TARGET.absolute());
    }

    @Test
    void mountsNoDeviceThatChangedWhileItWasLookedAt() {
        machine.content = () -> {
            machine.identity = OTHER_DEVICE;
            return contentOf("fs ext4");
        };

        assertThat(failureOf(request("", false)).kind()).isEqualTo(FailureKind.TRANSIENT);

        assertThat(machine.mounts).isEmpty();
    }

    @Test
    void findsTheDeviceMountedAlreadyAndTouchesNothing() {
        machine.mounted(DEVICE, TARGET.absolute(), "ext4", false);
        machine.content = () -> {
            throw new AssertionError("a mounted device needs no probe");
        };

        formatAndMount.mount(request("ext4", false), TestContext.first());

        assertThat(machine.effects).isEmpty();
    }

    @Test
    void closesAnOpenFormatOnceTheDeviceIsMounted() {
        machine.mounted(DEVICE, TARGET.absolute(), "ext4", false);
        ledger.open = new OpenFormat(machine.identity, "ext4", "proof");

        formatAndMount.mount(request("", false), TestContext.first());

        assertThat(machine.effects).containsExactly("finish");
    }

    @ParameterizedTest(name = "{0} {1} mounted, {2} {3} asked: {4}")
    @CsvSource({
        "/dev/loop7, rw, ext4, ro, FINAL, mounted writable",
        "/dev/loop7, ro, ext4, rw, TRANSIENT, mounted read-only",
        "/dev/loop8, rw, ext4, rw, FINAL, something else",
        "/dev/loop7, rw, xfs,  rw, FINAL, instead of xfs",
    })
    void refusesAMountThatIsNotTheOneAskedFor(
            Path source, String mounted, String fsType, String asked, FailureKind kind, String words) {
        machine.mounted(source, TARGET.absolute(), "ext4", mounted.equals("ro"));

        VolumeException failure = failureOf(request(fsType, asked.equals("ro")));

        assertThat(failure.kind()).isEqualTo(kind);
        assertThat(failure).hasMessageContaining(words);
        assertThat(machine.effects).isEmpty();
    }

    private VolumeException failureOf(FormatAndMount.Request request) {
        return catchThrowableOfType(VolumeException.class, () -> formatAndMount.mount(request, TestContext.first()));
    }

    private FormatAndMount.Request request(String fsType, boolean readOnly) {
        return new FormatAndMount.Request(DEVICE, TARGET, fsType, List.of(), readOnly, ledger);
    }

    private static DeviceContent contentOf(String text) {
        String[] words = text.trim().split(" ");
        String type = words.length > 1 ? words[1] : "";
        return switch (words[0]) {
            case "blank" -> new DeviceContent(Kind.BLANK, "", "all zero");
            case "unproved" -> new DeviceContent(Kind.UNPROVED, "", "marks are zero");
            case "fs", "broken" -> new DeviceContent(Kind.FILESYSTEM, type, "superblock of " + type);
            default -> new DeviceContent(Kind.FOREIGN, type, "0x400: not zero");
        };
    }
}
