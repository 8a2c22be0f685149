package io.volume4j.core.linux.device;

import static io.volume4j.spi.FailureKind.TRANSIENT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.volume4j.core.linux.Machine;
import io.volume4j.core.linux.ManualContext;
import io.volume4j.core.linux.Refusal;
import io.volume4j.core.linux.device.SignatureRegions.Region;
import io.volume4j.core.linux.sys.Descriptor;
import io.volume4j.core.linux.sys.Kernel;
import io.volume4j.core.linux.sys.SyscallException;
import io.volume4j.core.testing.Privileged;
import io.volume4j.spi.mount.DeviceContent;
import io.volume4j.spi.mount.DeviceContent.Kind;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

@Privileged
class BlankProbeTest {
    private static final long MIB = 1 << 20;
    private static final long SIZE = 160 * MIB;

    private final Machine machine = new Machine();

    @AfterEach
    void close() {
        machine.close();
    }

    @Test
    void aDeviceOfAFileOfHolesIsBlankAndTheEvidenceSaysSo() {
        DeviceContent content = machine.devices.probe(machine.loop("f", SIZE));
        assertThat(content.kind()).isEqualTo(Kind.BLANK);
        assertThat(content.type()).isEmpty();
        assertThat(content.evidence())
                .isEqualTo("all zero: read 0 bytes, and the other 167772160 are holes of its file");
    }

    @Test
    void ofADeviceWithoutAMapOnlyTheMarksAreReadUnlessMoreIsAllowed() throws IOException {
        Path device = machine.loopWithoutHoles("f", SIZE);
        assertThat(machine.devices.probe(device)).satisfies(content -> {
            assertThat(content.kind()).isEqualTo(Kind.UNPROVED);
            assertThat(content.evidence())
                    .isEqualTo("read bytes 0-4259840, 8388608-8454144, 33554432-33619968, 67108864-67174400,"
                            + " 134217728-134283264, 166723584-167772160 of 167772160: all zero; not read was the rest:"
                            + " 167772160 bytes may hold data, and at most 16777216 are read to find out");
        });
        assertThat(machine.devices.probe(device, SIZE - 1, new ManualContext()).kind())
                .isEqualTo(Kind.UNPROVED);

        ManualContext context = new ManualContext();
        DeviceContent content = machine.devices.probe(device, SIZE, context);
        assertThat(content.kind()).isEqualTo(Kind.BLANK);
        assertThat(content.evidence()).isEqualTo("all zero: read all of its 167772160 bytes");
        assertThat(context.told()).last().asString().contains("100 % of 167772160 bytes");
    }

    /** A mebibyte of random data 20 MiB into a device bore no mark, and the device was formatted. */
    @ParameterizedTest(name = "{0} bytes of data at {1}, in a file with holes: {2}")
    @CsvSource({
        "1048576, 20971520, true",
        "1048576, 20971520, false",
        "1, 20971519, true",
        "1, 20971519, false",
        "1, 4259840, false",
        "1, 166723583, false",
        "512, 100000256, true",
    })
    void dataBetweenTheMarksMakesItForeign(int length, long offset, boolean holes) throws IOException {
        Path device = holes ? machine.loop("f", SIZE) : machine.loopWithoutHoles("f", SIZE);
        byte[] data = new byte[length];
        Arrays.fill(data, (byte) 0xa5);
        try (RandomAccessFile writer = new RandomAccessFile(device.toFile(), "rw")) {
            writer.seek(offset);
            writer.write(data);
            // No sync: what was written may still lie in the cache.
            DeviceContent content = machine.devices.probe(device, SIZE, new ManualContext());
            assertThat(content.kind()).isEqualTo(Kind.FOREIGN);
            assertThat(content.type()).isEmpty();
            assertThat(content.evidence()).startsWith("a byte that is not zero is at ");
        }
    }

    /** What a loop device shows from the middle of its file has other holes than the file. */
    @Test
    void theMapOfAFileThatIsShownInPartIsNotTrusted() throws Exception {
        machine.files.createSparseFile(machine.at("f"), 2 * SIZE, 0600);
        machine.write("f", SIZE + 30 * MIB, new byte[] {1});
        Process losetup = new ProcessBuilder(
                        "losetup",
                        "--show",
                        "-f",
                        "-o",
                        Long.toString(SIZE),
                        machine.path("f").toString())
                .start();
        Path device = Path.of(new String(losetup.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).trim());
        try {
            assertThat(losetup.waitFor()).isZero();
            assertThat(machine.devices.probe(device).kind()).isEqualTo(Kind.UNPROVED);
            assertThat(machine.devices.probe(device, SIZE, new ManualContext()).evidence())
                    .isEqualTo("a byte that is not zero is at " + 30 * MIB);
        } finally {
            machine.loops.detach(machine.at("f"));
        }
    }

    @Test
    void aCallThatIsCancelledReadsNoMoreAndProvesNothing() throws IOException {
        Path device = machine.loopWithoutHoles("f", SIZE);
        ManualContext context = new ManualContext();
        context.cancel();
        assertThat(Refusal.of(TRANSIENT, () -> machine.devices.probe(device, SIZE, context)))
                .hasMessageContaining("the call was cancelled after ");
        assertThat(context.told()).isEmpty();
    }

    @Test
    void aCallWhoseTimeIsOverReadsNoMoreAndProvesNothing() throws IOException {
        Path device = machine.loopWithoutHoles("f", SIZE);
        ManualContext context = new ManualContext().passing(Duration.ofMinutes(3));
        assertThat(Refusal.of(TRANSIENT, () -> machine.devices.probe(device, SIZE, context)))
                .hasMessageContaining("the call's time is over after ");
    }

    @Test
    void aReadErrorBetweenTheMarksIsNotBlank() throws IOException {
        Path device = machine.loopWithoutHoles("f", SIZE);
        truncate("f", 100 * MIB);
        try (Descriptor open = new DeviceIdentities(machine.kernel).open(device, Kernel.O_RDONLY)) {
            List<Region> all = List.of(new Region(0, SIZE));
            assertThatThrownBy(() -> ZeroScan.firstNonZero(machine.kernel, open, all, bytes -> {}))
                    .isInstanceOf(SyscallException.class);
        }
    }

    @ParameterizedTest
    @CsvSource({"ext2", "ext3", "ext4"})
    void aFilesystemIsRecognisedByItsFeatures(String type) {
        Path device = machine.loop("f", SIZE);
        Machine.run("mkfs." + type, "-q", device.toString());
        DeviceContent content = machine.devices.probe(device);
        assertThat(content.kind()).isEqualTo(Kind.FILESYSTEM);
        assertThat(content.type()).isEqualTo(type);
    }

    @Test
    void whatIsWrittenByWayOfTheDeviceIsSeenAtOnce() throws IOException {
        Path device = machine.loop("f", SIZE);
        try (RandomAccessFile writer = new RandomAccessFile(device.toFile(), "rw")) {
            writer.seek(5000);
            writer.write(1);
            assertThat(machine.devices.probe(device).evidence()).contains("the first byte that is not zero is at 5000");
        }
    }

    @Test
    void swapIsForeign() {
        Path device = machine.loop("f", SIZE);
        Machine.run("mkswap", device.toString());
        assertThat(machine.devices.probe(device)).satisfies(content -> {
            assertThat(content.kind()).isEqualTo(Kind.FOREIGN);
            assertThat(content.type()).isEqualTo("swap");
        });
    }

    @Test
    void aPartitionTableIsForeignEvenWithNothingInIt() {
        Path device = machine.loop("f", SIZE);
        // One partition entry: active, type 83, from sector 2048.
        machine.write("f", 446, HexFormat.of().parseHex("80202100830000000008000000000100"));
        machine.write("f", 510, HexFormat.of().parseHex("55aa"));
        assertThat(machine.devices.probe(device)).satisfies(content -> {
            assertThat(content.kind()).isEqualTo(Kind.FOREIGN);
            assertThat(content.type()).isEqualTo("mbr");
        });
    }

    static Stream<Arguments> marks() {
        return Stream.of(
                mark("gpt", 512, "EFI PART"),
                mark("gpt", SIZE - 512, "EFI PART"),
                mark("lvm2", 512, "LABELONE"),
                mark("luks", 0, "LUKS" + hex("babe")),
                mark("luks", 0x400000, "SKUL" + hex("babe")),
                mark("bcache", 0x1018, hex("c68573f64e1a45ca8265f57f48ba6d81")),
                mark("zfs", 0x20000, hex("0cb1ba0000000000")),
                mark("zfs", SIZE - 0x20000, hex("0000000000bab10c")),
                mark("ceph_bluestore", 0, "bluestore block device"),
                mark("isw_raid", SIZE - 1024, "Intel Raid ISM Cfg Sig. "));
    }

    private static String hex(String digits) {
        return new String(HexFormat.of().parseHex(digits), StandardCharsets.ISO_8859_1);
    }

    private static Arguments mark(String type, long offset, String text) {
        return Arguments.of(type, offset, text.getBytes(StandardCharsets.ISO_8859_1));
    }

    @ParameterizedTest(name = "{0} at {1}")
    @MethodSource("marks")
    void whoeverMarkedTheDeviceIsNamed(String type, long offset, byte[] mark) {
        Path device = machine.loop("f", SIZE);
        machine.write("f", offset, mark);
        assertThat(machine.devices.probe(device)).satisfies(content -> {
            assertThat(content.kind()).isEqualTo(Kind.FOREIGN);
            assertThat(content.type()).isEqualTo(type);
            assertThat(content.evidence()).contains(type + " at " + offset);
        });
    }

    @ParameterizedTest
    @CsvSource({
        "0",
        "511",
        "1048576",
        "4194303",
        "8389632",
        "33554432",
        "67108928",
        "134217728",
        "166723584",
        "167772159",
    })
    void oneUnknownByteMakesItForeign(long offset) {
        Path device = machine.loop("f", SIZE);
        machine.write("f", offset, new byte[] {1});
        assertThat(machine.devices.probe(device)).satisfies(content -> {
            assertThat(content.kind()).isEqualTo(Kind.FOREIGN);
            assertThat(content.type()).isEmpty();
            assertThat(content.evidence()).contains("the first byte that is not zero is at " + offset);
        });
    }

    @Test
    void marksOfSeveralOwnersAreForeign() {
        Path device = machine.loop("f", SIZE);
        Machine.run("mkfs.ext4", "-q", device.toString());
        machine.write("f", 0, "XFSB".getBytes(StandardCharsets.US_ASCII));
        assertThat(machine.devices.probe(device)).satisfies(content -> {
            assertThat(content.kind()).isEqualTo(Kind.FOREIGN);
            assertThat(content.type()).isEqualTo("ext4+xfs");
        });
    }

    @Test
    void aFilesystemThatKeptTheSecondTableOfAnEarlierDiskIsAFilesystem() {
        Path device = machine.loop("f", SIZE);
        Machine.run("mkfs.ext4", "-q", device.toString());
        machine.write("f", SIZE - 512, "EFI PART".getBytes(StandardCharsets.US_ASCII));
        assertThat(machine.devices.probe(device).kind()).isEqualTo(Kind.FILESYSTEM);
    }

    @Test
    void aMemberOfARaidIsForeignWhateverFilesystemShowsThrough() {
        Path device = machine.loop("f", SIZE);
        Machine.run("mkfs.ext4", "-q", device.toString());
        long superblock = (SIZE / 512 - 16) / 8 * 8 * 512;
        machine.write("f", superblock, HexFormat.of().parseHex("fc4e2ba901000000"));
        byte[] where = ByteBuffer.allocate(8)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(superblock / 512)
                .array();
        machine.write("f", superblock + 0x90, where);
        assertThat(machine.devices.probe(device).type()).isEqualTo("md");
    }

    @Test
    void aDeviceWhoseFileWasCutOffIsUnreadableAndNotBlank() throws IOException {
        Path device = machine.loop("f", SIZE);
        truncate("f", MIB);
        assertThat(Refusal.of(TRANSIENT, () -> machine.devices.probe(device)))
                .hasMessageContaining("could not be read, which does not make it blank");
    }

    @Test
    void aReadErrorIsNotBlankEither() throws IOException {
        Path device = machine.loop("f", SIZE);
        truncate("f", MIB);
        DeviceIdentities identities = new DeviceIdentities(machine.kernel);
        BlankProbe probe = new BlankProbe(machine.kernel, identities);
        try (Descriptor open = identities.open(device, Kernel.O_RDONLY)) {
            // Without the look at the file's size, as for a disk that fails in the middle.
            assertThat(Refusal.of(TRANSIENT, () -> probe.readAll(open, device, SIZE)))
                    .hasMessageContaining("could not be read");
        }
    }

    @Test
    void whatIsNoBlockDeviceOrNotThereIsUnreadable() {
        Path file = machine.file("f", "x");
        assertThat(Refusal.of(TRANSIENT, () -> machine.devices.probe(file))).hasMessageContaining("not a block device");
        assertThat(Refusal.of(TRANSIENT, () -> machine.devices.probe(Path.of("/dev/null"))))
                .hasMessageContaining("not a block device");
        assertThat(Refusal.of(TRANSIENT, () -> machine.devices.probe(machine.path("missing"))))
                .hasMessageContaining("ENOENT");
    }

    @Test
    void aDeviceTooSmallToJudgeIsNotBlank() {
        Path device = machine.loop("f", MIB - 512);
        assertThat(Refusal.of(TRANSIENT, () -> machine.devices.probe(device))).hasMessageContaining("1048064 bytes");
    }

    @Test
    void aLoopDeviceWithoutAFileIsUnreadable() {
        Path device = machine.loop("f", SIZE);
        machine.loops.detach(machine.at("f"));
        Refusal.of(TRANSIENT, () -> machine.devices.probe(device));
        Refusal.of(TRANSIENT, () -> machine.devices.identify(device));
    }

    private void truncate(String relative, long bytes) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(machine.path(relative).toFile(), "rw")) {
            file.setLength(bytes);
        }
    }
}
