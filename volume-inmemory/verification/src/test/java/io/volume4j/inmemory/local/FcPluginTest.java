package io.volume4j.inmemory.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.volume4j.core.plugins.FcPlugin;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.FcSource;
import io.volume4j.spi.mount.MountEntry;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How the library finds the disks that Fibre Channel leads to, and lets go of them. */
class FcPluginTest {
    private static final String PORT = "500a0982991b8dc5";
    private static final String OTHER_PORT = "500a0982891b8dc5";

    private final InMemoryMountBackend machine = InMemoryMountBackend.create();
    private final ScriptedFabric fabric = new ScriptedFabric(machine, "host3", "host4");
    private final SanLife life = new SanLife(machine, FcPlugin::new);

    @AfterEach
    void nothingForbiddenWasDone() {
        assertThat(machine.violations()).isEmpty();
    }

    @Test
    void asksTheAdaptersForTheUnitAndTakesItsDisksAwayAgain() {
        fabric.unit(PORT, 2, "3600a");
        fabric.bus.startMultipath();

        life.mount(byPort(2), "a");

        assertThat(fabric.bus.told).containsExactly("host3 scan - - 2", "host4 scan - - 2");
        assertThat(life.mounted("a")).map(MountEntry::source).contains("/dev/dm-0");
        life.restart();
        life.unmount(byPort(2), "a");
        life.unmount(byPort(2), "a");
        assertThat(fabric.bus.multipathCalls).containsExactly(List.of("-f", "--", "/dev/dm-0"));
        assertThat(fabric.bus.told.subList(2, 4)).containsExactly("sdb delete 1", "sdc delete 1");
        assertThat(fabric.bus.disks()).isEmpty();
    }

    @Test
    void aUnitIsMountedWithTheSeLinuxContextOfThePod() {
        fabric.unit(PORT, 2, "3600a");

        life.mount(byPort(2), "a", "system_u:object_r:container_file_t:s0:c1,c2");

        assertThat(life.plugin().mountsWithSeLinuxLabel(life.spec(byPort(2)))).isTrue();
        assertThat(life.mounted("a").orElseThrow().superOptions())
                .contains("context=\"system_u:object_r:container_file_t:s0:c1,c2\"");
        life.unmount(byPort(2), "a");
    }

    @Test
    void whatIsThereAlreadyIsNotAskedFor() {
        fabric.unit(PORT, 2, "3600a");
        life.mount(byPort(2), "a");
        fabric.bus.told.clear();

        life.mount(byPort(2), "a");

        assertThat(fabric.bus.told).isEmpty();
        life.unmount(byPort(2), "a");
    }

    @Test
    void aUnitCanBeNamedByItsOwnIdentifier() {
        fabric.unit(PORT, 2, "3600a0b80");
        FcSource source = new FcSource(List.of(), null, "xfs", false, List.of("3600a0b80"));

        life.mount(source, "a");

        assertThat(fabric.bus.told).containsExactly("host3 scan - - -", "host4 scan - - -");
        assertThat(life.mounted("a")).isPresent();
        life.unmount(source, "a");
        assertThat(fabric.bus.disks())
                .as("the way that the name leads to, and the other")
                .isEmpty();
    }

    /** A disk that stayed would lead to another unit when the storage gives the number to another one. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void waysThroughPortsThatTheVolumeDoesNotNameAreTakenAwayToo(boolean multipath) {
        fabric.unit(OTHER_PORT, 2, "3600a");
        fabric.unit(PORT, 2, "3600a");
        fabric.unit(OTHER_PORT, 3, "3600other");
        if (multipath) {
            fabric.bus.startMultipath();
        }
        life.mount(byPort(2), "a");
        assertThat(fabric.bus.disks()).containsExactly("sdb", "sdc", "sdd", "sde");

        life.unmount(byPort(2), "a");

        assertThat(fabric.bus.disks()).isEmpty();
        assertThat(fabric.bus.multipathCalls).hasSize(multipath ? 1 : 0);
        assertThat(fabric.bus.told.subList(2, 6))
                .as("the named ones last: a repeated teardown needs them to find the others")
                .containsExactly("sdb delete 1", "sdd delete 1", "sdc delete 1", "sde delete 1");
    }

    @Test
    void aUnitIsNotTakenAwayWhileAWayThatTheVolumeDoesNotNameIsUsed() {
        fabric.unit(PORT, 2, "3600a");
        fabric.unit(OTHER_PORT, 2, "3600a");
        life.mount(byPort(2), "a");
        Path other = machine.files().resolve(Path.of("/sys/block/sdc")).orElseThrow();
        machine.user().makeDirectory(other.resolve("holders/dm-7"));

        VolumeException failure = refused(() -> life.unmount(byPort(2), "a"));

        assertThat(failure.kind()).isEqualTo(FailureKind.IN_USE);
        assertThat(failure).hasMessageContaining("sdc held by dm-7");
        assertThat(fabric.bus.disks()).hasSize(4);
    }

    /** Before multipathd has joined the ways, the link leads to one of them. */
    @Test
    void allWaysToAUnitWithAnIdentifierAreJoinedAndTakenAway() {
        fabric.unit(PORT, 2, "3600a0b80");
        fabric.unit(PORT, 3, "3600other");
        fabric.bus.startMultipath();
        FcSource source = new FcSource(List.of(), null, "xfs", false, List.of("3600a0b80"));

        life.mount(source, "a");

        assertThat(life.mounted("a")).map(MountEntry::source).contains("/dev/dm-0");
        life.unmount(source, "a");
        assertThat(fabric.bus.multipathCalls).containsExactly(List.of("-f", "--", "/dev/dm-0"));
        assertThat(fabric.bus.disks()).as("of the other unit").hasSize(2);
    }

    /** udev takes the link away with the disk that it leads to, and then puts it to the other. */
    @ParameterizedTest
    @CsvSource({"naa.600a0b80, 3600a0b80", "eui.0025b501, 20025b501"})
    void aUnitWithoutALinkIsKnownByItsIdentifierInSysfs(String inSysfs, String wwid) {
        fabric.unit(PORT, 2, inSysfs);
        fabric.unit(PORT, 3, inSysfs + "0");
        fabric.bus.startMultipath();
        FcSource source = new FcSource(List.of(), null, "xfs", false, List.of(wwid));

        life.mount(source, "a");

        assertThat(life.mounted("a")).map(MountEntry::source).contains("/dev/dm-0");
        life.unmount(source, "a");
        assertThat(fabric.bus.disks()).as("of the other unit").hasSize(2);
    }

    @Test
    void aMapThatStillNamesALostWayIsTakenAwayWithTheLastOne() {
        fabric.unit(PORT, 2, "3600a");
        fabric.bus.startMultipath();
        life.mount(byPort(2), "a");

        fabric.bus.loseWay("sdb");
        life.unmount(byPort(2), "a");

        assertThat(fabric.bus.multipathCalls).containsExactly(List.of("-f", "--", "/dev/dm-0"));
        assertThat(fabric.bus.disks()).isEmpty();
    }

    @Test
    void otherUnitsOfTheSamePortAreLeftAlone() {
        fabric.unit(PORT, 2, "3600a");
        fabric.unit(PORT, 22, "3600b");
        life.mount(byPort(2), "a");
        life.mount(byPort(22), "b");

        life.unmount(byPort(2), "a");

        assertThat(life.mounted("b")).isPresent();
        assertThat(fabric.bus.disks()).hasSize(2);
        life.unmount(byPort(22), "b");
    }

    /** With flat addressing the kernel has 0x4000 more. */
    @ParameterizedTest
    @ValueSource(ints = {300, 0x4000 + 300})
    void aLargeNumberIsFoundByEachMethodOfAddressing(int lun) {
        fabric.unit(PORT, lun, "3600a");

        life.mount(byPort(300), "a");

        assertThat(life.mounted("a")).isPresent();
        life.unmount(byPort(300), "a");
        assertThat(fabric.bus.disks()).isEmpty();
    }

    /** Many drivers have a limit between both numbers. */
    @Test
    void aLargeNumberIsFoundByAdaptersThatRefuseTheOneOfFlatAddressing() {
        fabric.unit(PORT, 300, "3600a");
        fabric.largestNumber = 511;

        life.mount(byPort(300), "a");

        assertThat(life.mounted("a")).isPresent();
        assertThat(fabric.bus.told).contains("host3 scan - - 300", "host4 scan - - 300");
        life.unmount(byPort(300), "a");
    }

    @Test
    void aNumberThatTheAdaptersRefuseIsAFailure() {
        fabric.unit(PORT, 300, "3600a");
        fabric.largestNumber = 255;

        assertThat(refused(() -> life.mount(byPort(300), "a"))).hasMessageContaining("EINVAL");
    }

    /** Some storages show a unit to a node by Fibre Channel and by iSCSI, to which another volume may lead. */
    @Test
    void disksOfOtherTransportsStay() {
        fabric.unit(PORT, 2, "3600a");
        life.mount(byPort(2), "a");
        String other = fabric.bus.appear(
                Path.of("/sys/devices/platform/host9/session1/target9:0:0/9:0:0:2"), "3600a", "ip-10.0.0.1-lun-2");

        life.unmount(byPort(2), "a");

        assertThat(fabric.bus.disks()).containsExactly(other);
    }

    @Test
    void portsThatLeadToDifferentStoragesAreRefused() {
        fabric.unit(PORT, 2, "3600a");
        fabric.unit(OTHER_PORT, 2, "3600b");
        FcSource source = new FcSource(List.of(PORT, OTHER_PORT), 2, "xfs", false, List.of());

        VolumeException failure = refused(() -> life.mount(source, "a"));

        assertThat(failure.kind()).isEqualTo(FailureKind.FINAL);
        assertThat(failure).hasMessageContaining("are different units");
        assertThat(fabric.bus.disks()).isEmpty();
    }

    /** They may be those of a machine's own database. */
    @Test
    void otherWaysToAUnitThatAPortLeadsToByMistakeAreLeftAlone() {
        String third = "500a0982791b8dc5";
        fabric.unit(PORT, 2, "3600a");
        fabric.unit(OTHER_PORT, 2, "3600b");
        fabric.unit(third, 7, "3600b");
        life.map(new FcSource(List.of(third), 7, "xfs", false, List.of()));
        List<String> before = fabric.bus.disks();
        FcSource source = new FcSource(List.of(PORT, OTHER_PORT), 2, "xfs", false, List.of());

        assertThat(refused(() -> life.mount(source, "a"))).hasMessageContaining("are different units");

        assertThat(fabric.bus.disks()).isEqualTo(before);
    }

    @Test
    void aUnitThatDoesNotAppearIsAFailureThatLeavesNothing() {
        VolumeException failure = refused(() -> life.mount(byPort(9), "a"));

        assertThat(failure.kind()).isEqualTo(FailureKind.TRANSIENT);
        assertThat(failure).hasMessageContaining("no disk appeared for " + PORT + ":lun-9");
    }

    @Test
    void aNodeWithoutAdaptersIsTold() {
        InMemoryMountBackend bare = InMemoryMountBackend.create();

        assertThat(refused(() -> new SanLife(bare, FcPlugin::new).mount(byPort(2), "a")))
                .hasMessageContaining("no Fibre Channel adapter");
    }

    @Test
    void aDiskThatIsStillMountedIsNotTakenAway() {
        fabric.unit(PORT, 2, "3600a");
        life.mount(byPort(2), "a");
        life.mount(byPort(2), "b");

        assertThat(refused(() -> life.unmount(byPort(2), "a")).kind()).isEqualTo(FailureKind.IN_USE);

        life.unmount(byPort(2), "b");
        assertThat(fabric.bus.disks()).isEmpty();
    }

    @Test
    void aDiskThatSomethingElseIsBuiltOnIsNotTakenAway() {
        fabric.unit(PORT, 2, "3600a");
        String disk = life.map(byPort(2)).substring("/dev/".length());
        machine.user()
                .makeDirectory(machine.files()
                        .resolve(Path.of("/sys/block", disk))
                        .orElseThrow()
                        .resolve("holders/dm-7"));

        VolumeException failure = refused(() -> life.unmap(byPort(2)));

        assertThat(failure.kind()).isEqualTo(FailureKind.IN_USE);
        assertThat(failure).hasMessageContaining(disk + " held by dm-7");
    }

    /** As with a pod's virtual machine whose volume groups the machine has found and activated. */
    @Test
    void aDiskOfWhichAPartitionIsUsedIsNotTakenAway() {
        fabric.unit(PORT, 2, "3600a");
        String disk = life.map(byPort(2)).substring("/dev/".length());
        Path partition = partition(disk);
        machine.user().makeDirectory(partition.resolve("holders/dm-7"));

        VolumeException failure = refused(() -> life.unmap(byPort(2)));

        assertThat(failure.kind()).isEqualTo(FailureKind.IN_USE);
        assertThat(failure).hasMessageContaining(disk + "1 held by dm-7");
        assertThat(fabric.bus.disks()).contains(disk);
    }

    @Test
    void aDiskIsTakenAwayWithThePartitionsThatAPodMade() {
        fabric.unit(PORT, 2, "3600a");
        fabric.bus.startMultipath();
        assertThat(life.map(byPort(2))).isEqualTo("/dev/dm-0");
        fabric.bus.disks().forEach(this::partition);
        Path blocks = Path.of("/sys/block");
        machine.user().makeDirectory(blocks.resolve("dm-0/holders/dm-9"));
        fabric.bus.write(blocks.resolve("dm-9/dm/uuid"), "part1-mpath-3600a\n");

        life.unmap(byPort(2));

        assertThat(fabric.bus.multipathCalls).containsExactly(List.of("-f", "--", "/dev/dm-0"));
        assertThat(fabric.bus.disks()).isEmpty();
    }

    /** The kernel finds a partition table on the disk. */
    private Path partition(String disk) {
        Path place = machine.files()
                .resolve(Path.of("/sys/block", disk))
                .orElseThrow()
                .resolve(disk + "1");
        fabric.bus.write(place.resolve("partition"), "1\n");
        machine.user().makeDirectory(place.resolve("holders"));
        return place;
    }

    @ParameterizedTest
    @CsvSource({
        "500a0982991b8dc5, 0, '', 500a0982991b8dc5:lun-0",
        "50:0A:09:82:99:1B:8D:C5, 3, '', 500a0982991b8dc5:lun-3",
        "0x500a0982991b8dc5, 300, '', 500a0982991b8dc5:lun-300",
        "'', , 3600508b400105e210000900000490000, wwid-3600508b400105e210000900000490000",
        "'', , SATA QEMU 7, wwid-SATA_QEMU_7",
    })
    void unitsHaveOneName(String port, @Nullable Integer lun, String wwid, String name) {
        assertThat(life.plugin().volumeName(life.spec(source(port, lun, wwid)))).isEqualTo(name);
    }

    @ParameterizedTest
    @CsvSource({
        "'', , ''",
        "500a0982991b8dc5, , ''",
        "'', 2, ''",
        "500a0982991b8dc5, 2, 3600a",
        "500a0982, 2, ''",
        "../../x, 2, ''",
        "'', , ../x",
        "'', , 'a,b'",
    })
    void whatNamesNoUnitIsRefused(String port, @Nullable Integer lun, String wwid) {
        assertThat(refused(() -> life.plugin().volumeName(life.spec(source(port, lun, wwid))))
                        .kind())
                .isEqualTo(FailureKind.FINAL);
    }

    private static FcSource source(String port, @Nullable Integer lun, String wwid) {
        return new FcSource(
                port.isEmpty() ? List.of() : List.of(port),
                lun,
                "xfs",
                false,
                wwid.isEmpty() ? List.of() : List.of(wwid));
    }

    private static FcSource byPort(int lun) {
        return new FcSource(List.of(PORT), lun, "xfs", false, List.of());
    }

    private static VolumeException refused(ThrowingCallable call) {
        return catchThrowableOfType(VolumeException.class, call);
    }
}
