package io.volume4j.inmemory.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.inmemory.host.ManualCallContext;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.IscsiSource;
import io.volume4j.spi.mount.FilesystemMount;
import io.volume4j.spi.mount.MountEntry;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How the library drives open-iscsi: its command lines, its sessions and records, and the devices that come of them. */
class IscsiPluginTest extends IscsiBench {
    @Test
    void logsInForTheFirstVolumeAndOutAfterTheLastByTheseCommandLines() {
        initiator.target(TARGET, Set.of(ONE), Map.of("1", "3600a"));

        life.mount(volume(1, ONE), "a");
        life.mount(volume(1, ONE), "a");
        life.unmount(volume(1, ONE), "a");
        life.unmount(volume(1, ONE), "a");

        String node = "-m node -T " + TARGET + " -p ";
        assertThat(initiator.calls)
                .containsExactly(
                        "-m discovery -t sendtargets -p " + ONE + " -I default -o nonpersistent",
                        node + ONE + ",1 -I default -o new",
                        node + ONE + " -I default -o update -n node.session.scan -v manual",
                        node + ONE + " -I default --login",
                        node + ONE + " -I default --logout",
                        node + ONE + " -I default -o delete");
        assertThat(initiator.bus.told).containsExactly("host1 scan - - 1", "sdb delete 1");
        assertNothingIsLeft();
    }

    @Test
    void onlyTheUnitThatIsAskedForAppears() {
        initiator.target(TARGET, Set.of(ONE), Map.of("0", "3600a", "1", "3600b", "7", "3600c"));

        life.mount(volume(7, ONE), "a");

        assertThat(initiator.bus.disks()).hasSize(1);
    }

    /** With flat addressing the kernel has 0x4000 more. */
    @ParameterizedTest
    @ValueSource(strings = {"300", "16684"})
    void aLargeNumberIsFoundByEachMethodOfAddressing(String unit) {
        initiator.target(TARGET, Set.of(ONE), Map.of(unit, "3600a", "1", "3600b"));

        life.mount(volume(300, ONE), "a");

        assertThat(initiator.bus.disks()).hasSize(1);
        life.unmount(volume(300, ONE), "a");
        assertNothingIsLeft();
    }

    @Test
    void volumesOfOneTargetShareItsSessionUntilTheLastIsGone() {
        initiator.target(TARGET, Set.of(ONE), Map.of("0", "3600a", "1", "3600b"));
        life.mount(volume(0, ONE), "a");
        life.mount(volume(1, ONE), "b");
        assertThat(initiator.sessions()).hasSize(1);

        life.unmount(volume(0, ONE), "a");

        assertThat(initiator.sessions()).hasSize(1);
        assertThat(initiator.bus.disks()).as("the other unit's disk").hasSize(1);
        assertThat(life.mounted("b")).isPresent();
        life.restart();
        life.unmount(volume(1, ONE), "b");
        assertNothingIsLeft();
    }

    @Test
    void aPortalThatOnlyOneVolumeNamesIsLeftWithThatVolume() {
        initiator.target(TARGET, Set.of(ONE, TWO), Map.of("0", "3600a", "1", "3600b"));
        life.mount(volume(0, ONE), "a");
        life.mount(volume(1, ONE, TWO), "b");
        assertThat(initiator.sessions()).hasSize(2);

        life.unmount(volume(1, ONE, TWO), "b");

        assertThat(initiator.sessions()).containsExactly(TARGET + " " + ONE + " default");
        life.unmount(volume(0, ONE), "a");
        assertNothingIsLeft();
    }

    @Test
    void aSessionOfAnotherProgramIsUsedAndStays() {
        initiator.target(TARGET, Set.of(ONE), Map.of("0", "3600a"));
        initiator.logInByHand(TARGET, ONE);

        life.mount(volume(0, ONE), "a");
        life.unmount(volume(0, ONE), "a");

        assertThat(initiator.calls).isEmpty();
        assertThat(initiator.sessions()).hasSize(1);
        assertThat(initiator.bus.disks()).hasSize(1);
    }

    /** Logging out would take the disk from under its filesystem. */
    @Test
    void aSessionThroughWhichTheMachineUsesAnotherUnitStays() {
        initiator.target(TARGET, Set.of(ONE, TWO), Map.of("0", "3600a", "1", "3600b"));
        life.mount(volume(0, ONE, TWO), "a");
        String other = initiator.scanByHand(TARGET, ONE, "1");
        useByHand(other);

        life.unmount(volume(0, ONE, TWO), "a");

        assertThat(initiator.sessions()).containsExactly(TARGET + " " + ONE + " default");
        assertThat(initiator.records()).containsExactly("nodes/" + TARGET + "/10.0.0.1,3260,1/default");
        assertThat(initiator.bus.disks())
                .containsExactly(Path.of(other).getFileName().toString());
        // From now on it is the session of another program, also after that unit's use ended.
        machine.unmountForeign(Path.of("/srv/theirs"));
        life.mount(volume(0, ONE), "a");
        life.unmount(volume(0, ONE), "a");
        assertThat(initiator.sessions()).hasSize(1);
    }

    private void useByHand(String device) {
        machine.putFilesystem(Path.of(device), "xfs");
        machine.user().makeDirectory(Path.of("/srv/theirs"));
        machine.mountForeign(new FilesystemMount("xfs", device, false, List.of()), Path.of("/srv/theirs"));
    }

    /** Versions of open-iscsi without manual scans show all units. */
    @Test
    void aSessionWithOtherUnitsThatAreNotUsedEnds() {
        initiator.target(TARGET, Set.of(ONE), Map.of("0", "3600a", "1", "3600b"));
        life.mount(volume(0, ONE), "a");
        String unused = initiator.scanByHand(TARGET, ONE, "1");
        assertThat(unused).startsWith("/dev/sd");

        life.unmount(volume(0, ONE), "a");

        assertNothingIsLeft();
    }

    @Test
    void aSessionOfAnotherProgramThatEndedWithARestartIsOursAfterwards() {
        initiator.target(TARGET, Set.of(ONE), Map.of("0", "3600a"));
        initiator.logInByHand(TARGET, ONE);
        life.mount(volume(0, ONE), "a");
        machine.reboot();
        initiator.reboot();
        life.restart();

        life.mount(volume(0, ONE), "a");
        life.unmount(volume(0, ONE), "a");

        assertNothingIsLeft();
    }

    @Test
    void aDiskIsMountedWithTheSeLinuxContextOfThePod() {
        initiator.target(TARGET, Set.of(ONE), Map.of("0", "3600a"));

        life.mount(volume(0, ONE), "a", "system_u:object_r:container_file_t:s0:c1,c2");

        assertThat(life.plugin().mountsWithSeLinuxLabel(life.spec(volume(0, ONE))))
                .isTrue();
        assertThat(life.mounted("a").orElseThrow().superOptions())
                .contains("context=\"system_u:object_r:container_file_t:s0:c1,c2\"");
        life.unmount(volume(0, ONE), "a");
        assertNothingIsLeft();
    }

    @Test
    void aRecordOfAnotherProgramIsUsedAndStays() {
        initiator.target(TARGET, Set.of(ONE), Map.of("0", "3600a"));
        String record = "nodes/" + TARGET + "/10.0.0.1,3260,1/default";
        initiator.bus.write(
                Path.of("/etc/iscsi", record), "# BEGIN RECORD 2.1.8\nnode.startup = manual\n# END RECORD\n");

        life.mount(volume(0, ONE), "a");
        life.unmount(volume(0, ONE), "a");

        assertThat(initiator.records()).containsExactly(record);
        assertThat(initiator.calls).noneMatch(call -> call.contains("-o new") || call.contains("-o delete"));
    }

    @Test
    void severalWaysAreOneDeviceWhereMultipathdJoinsThem() {
        initiator.target(TARGET, Set.of(ONE, TWO), Map.of("0", "3600a"));
        initiator.bus.startMultipath();

        life.mount(volume(0, ONE, TWO), "a");

        assertThat(life.mounted("a")).map(MountEntry::source).contains("/dev/dm-0");
        life.unmount(volume(0, ONE, TWO), "a");
        assertThat(initiator.bus.multipathCalls).containsExactly(List.of("-f", "--", "/dev/dm-0"));
        assertNothingIsLeft();
    }

    @Test
    void withoutMultipathOneWayIsUsedAndKept() {
        initiator.target(TARGET, Set.of(ONE, TWO), Map.of("0", "3600a"));
        life.mount(volume(0, ONE, TWO), "a");
        String used = life.mounted("a").map(MountEntry::source).orElse("");
        assertThat(used).startsWith("/dev/sd");

        life.restart();
        life.mount(volume(0, ONE, TWO), "a");

        assertThat(life.mounted("a")).map(MountEntry::source).contains(used);
        life.unmount(volume(0, ONE, TWO), "a");
        assertNothingIsLeft();
    }

    @Test
    void theRawDeviceComesAndGoesInTheSameWay() {
        initiator.target(TARGET, Set.of(ONE, TWO), Map.of("0", "3600a"));
        initiator.bus.startMultipath();

        assertThat(life.map(volume(0, ONE, TWO))).isEqualTo("/dev/dm-0");
        assertThat(life.map(volume(0, ONE, TWO))).isEqualTo("/dev/dm-0");
        life.unmap(volume(0, ONE, TWO));
        life.unmap(volume(0, ONE, TWO));

        assertNothingIsLeft();
    }

    @Test
    void aVolumeThatIsOnlyReadIsMountedReadOnlyFromItsDeviceOn() {
        initiator.target(TARGET, Set.of(ONE), Map.of("0", "3600a"));
        life.mount(volume(0, ONE), "a");
        life.unmount(volume(0, ONE), "a");

        IscsiSource readOnly = new IscsiSource(ONE, TARGET, 0, "", "xfs", true, List.of(), false, false, null, "");
        life.mount(readOnly, "a");
        assertThat(life.mounted("a"))
                .hasValueSatisfying(mount -> assertThat(mount.readOnly()).isTrue());
        life.unmount(readOnly, "a");

        life.accessModes = List.of(AccessMode.READ_ONLY_MANY);
        life.mount(volume(0, ONE), "a");
        assertThat(life.mounted("a"))
                .hasValueSatisfying(mount -> assertThat(mount.readOnly()).isTrue());
        life.unmount(volume(0, ONE), "a");
        assertNothingIsLeft();
    }

    @Test
    void anInitiatorsNameIsAnInterfaceOfItsOwn() {
        initiator.target(TARGET, Set.of(ONE), Map.of("0", "3600a"));
        IscsiSource source = named(TARGET);

        life.mount(source, "a");

        String iface = initiator.records().stream()
                .filter(record -> record.startsWith("ifaces/volume4j-"))
                .findFirst()
                .orElseThrow();
        assertThat(initiator.text(Path.of("/etc/iscsi", iface)))
                .isEqualTo("iface.transport_name = tcp\niface.initiatorname = iqn.2003-01.org.example:node\n");
        assertThat(initiator.sessions().get(0)).endsWith(iface.substring("ifaces/".length()));
        life.unmount(source, "a");
        assertNothingIsLeft();
    }

    /** iscsiadm does not make an interface again while a session uses it. */
    @Test
    void volumesOfSeveralTargetsHaveOneInitiatorsName() {
        String otherTarget = TARGET + "2";
        initiator.target(TARGET, Set.of(ONE), Map.of("0", "3600a"));
        initiator.target(otherTarget, Set.of(ONE), Map.of("0", "3600b"));
        IscsiSource first = named(TARGET);
        IscsiSource second = named(otherTarget);

        life.mount(first, "a");
        life.mount(second, "b");

        assertThat(life.mounted("b")).isPresent();
        assertThat(initiator.records().stream().filter(record -> record.startsWith("ifaces/")))
                .hasSize(1)
                .allSatisfy(iface -> assertThat(initiator.text(Path.of("/etc/iscsi", iface)))
                        .contains("iface.initiatorname = iqn.2003-01.org.example:node\n"));
        life.unmount(first, "a");
        assertThat(initiator.records()).anyMatch(record -> record.startsWith("ifaces/"));
        life.unmount(second, "b");
        assertNothingIsLeft();
    }

    /** iscsiadm does not delete an interface while a session uses it. */
    @Test
    void theInterfaceOfAKeptSessionStaysWithItAndHindersNoTeardown() {
        String otherTarget = TARGET + "2";
        initiator.target(TARGET, Set.of(ONE), Map.of("0", "3600a", "1", "3600c"));
        initiator.target(otherTarget, Set.of(ONE), Map.of("0", "3600b"));
        life.mount(named(TARGET), "a");
        life.mount(named(otherTarget), "b");
        String session = initiator.sessions().get(0);
        String iface = session.substring(session.lastIndexOf(' ') + 1);
        useByHand(initiator.scanByHand(TARGET, ONE, "1", iface));
        life.unmount(named(TARGET), "a");
        assertThat(initiator.sessions()).as("one is kept").hasSize(2);

        life.unmount(named(otherTarget), "b");
        life.mount(named(TARGET), "a");
        life.unmount(named(TARGET), "a");
        life.unmount(named(TARGET), "a");

        assertThat(initiator.sessions()).containsExactly(session);
        assertThat(initiator.records()).contains("ifaces/" + iface);
        assertThat(machine.leaks(SanLife.ROOT)).noneMatch(line -> line.startsWith("file "));
    }

    /** Otherwise the second volume would reset the interface, and the first would log in with the node's own name. */
    @ParameterizedTest
    @ValueSource(strings = {"iface.initiatorname", "--login", "-m iface .* -o delete"})
    void oneInterfaceIsMadeOrDeletedForOneVolumeAtATime(String command) {
        String otherTarget = TARGET + "2";
        initiator.target(TARGET, Set.of(ONE), Map.of("0", "3600a"));
        initiator.target(otherTarget, Set.of(ONE), Map.of("0", "3600b"));
        AtomicReference<@Nullable Throwable> outcome = new AtomicReference<>();
        initiator.meanwhile.put(command, () -> outcome.set(mountElsewhere(named(otherTarget))));

        life.mount(named(TARGET), "a");
        life.unmount(named(TARGET), "a");

        assertThat(outcome.get())
                .isInstanceOfSatisfying(
                        VolumeException.class,
                        failure -> assertThat(failure.kind()).isEqualTo(FailureKind.TRANSIENT))
                .hasMessageContaining("another login or logout with interface volume4j-");
        assertNothingIsLeft();
    }

    /** The failure of a mount in another thread that has no time left to wait; null if it succeeds. */
    private @Nullable Throwable mountElsewhere(IscsiSource source) {
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        ManualCallContext late = new ManualCallContext();
        late.cancel();
        Thread other = new Thread(() -> life.mount(source, "b", "", late));
        other.setUncaughtExceptionHandler((thread, thrown) -> failure.set(thrown));
        other.start();
        try {
            other.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return failure.get();
    }

    private static IscsiSource named(String target) {
        return new IscsiSource(
                ONE, target, 0, "default", "xfs", false, List.of(), false, false, null, "iqn.2003-01.org.example:node");
    }

    @Test
    void aVolumeIsItsTargetAndNumberWhicheverWayItIsReached() {
        assertThat(life.plugin().volumeName(life.spec(volume(4, ONE))))
                .isEqualTo(TARGET + ",lun-4")
                .isEqualTo(life.plugin().volumeName(life.spec(volume(4, "[fd00::1]:860", TWO))));
    }
}
