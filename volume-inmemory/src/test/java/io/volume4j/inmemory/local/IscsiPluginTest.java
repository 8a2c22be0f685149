package io.volume4j.inmemory.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.volume4j.core.plugins.IscsiPlugin;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.IscsiSource;
import io.volume4j.spi.model.SecretRef;
import io.volume4j.spi.mount.MountEntry;
import io.volume4j.spi.mount.Programs.Ending;
import io.volume4j.spi.mount.Programs.Outcome;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.plugin.DeviceUnmounter.DeviceUnmountRequest;
import io.volume4j.spi.plugin.PluginState;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How the library drives open-iscsi: its command lines, its records, and what it makes of every answer. */
class IscsiPluginTest {
    private static final String TARGET = "iqn.2003-01.org.example:disk";
    private static final String ONE = "10.0.0.1:3260";
    private static final String TWO = "10.0.0.2:3260";
    private static final Map<String, String> CHAP =
            Map.of("node.session.auth.username", "alice", "node.session.auth.password", "very#secret=12");

    private final InMemoryMountBackend machine = InMemoryMountBackend.create();
    private final ScriptedInitiator initiator = new ScriptedInitiator(machine);
    private final SanLife life = new SanLife(machine, IscsiPlugin::new);

    @AfterEach
    void nothingForbiddenWasDone() {
        assertThat(machine.violations()).isEmpty();
    }

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
    void aSessionThatSomebodyElseBeganIsUsedAndLeft() {
        initiator.target(TARGET, Set.of(ONE), Map.of("0", "3600a"));
        initiator.logInByHand(TARGET, ONE);

        life.mount(volume(0, ONE), "a");
        life.unmount(volume(0, ONE), "a");

        assertThat(initiator.calls).isEmpty();
        assertThat(initiator.sessions()).hasSize(1);
        assertThat(initiator.bus.disks()).hasSize(1);
    }

    @Test
    void aSessionOfSomebodyElseThatEndedWithARestartIsOursAfterwards() {
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
    void aRecordThatSomebodyElseMadeIsUsedAndLeft() {
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
    void credentialsAreInARecordForRootAndOnNoCommandLine() {
        initiator.target(TARGET, Set.of(ONE), Map.of("0", "3600a"), "alice", "very#secret=12");
        life.secrets.put(new SecretRef("team", "login"), CHAP);
        initiator.hidden = true;

        life.mount(chap(true, false), "a");

        assertThat(initiator.calls.toString()).doesNotContain("alice").doesNotContain("very#secret");
        Path record = Path.of("/etc/iscsi/nodes", TARGET, "10.0.0.1,3260");
        assertThat(initiator.text(record)).endsWith("""
                        node.session.auth.authmethod = CHAP
                        node.session.auth.username = alice
                        node.session.auth.password = very#secret=12
                        # END RECORD
                        """).doesNotContain("authmethod = None");
        assertThat(machine.files()
                        .status(RootedPath.of(Path.of("/"), record.toString().substring(1))))
                .hasValueSatisfying(status -> assertThat(status.mode()).isEqualTo(0600));
        assertThat(life.context.told().toString()).doesNotContain("very#secret");
        life.unmount(chap(true, false), "a");
        assertNothingIsLeft();
    }

    @Test
    void discoveryCanBeAuthenticatedToo() {
        initiator.target(TARGET, Set.of(ONE), Map.of("0", "3600a"), "alice", "very#secret=12");
        Map<String, String> all = new TreeMap<>(CHAP);
        all.put("discovery.sendtargets.auth.username", "alice");
        all.put("discovery.sendtargets.auth.password", "very#secret=12");
        life.secrets.put(new SecretRef("team", "login"), all);

        life.mount(chap(true, true), "a");

        assertThat(initiator.calls.subList(0, 3))
                .containsExactly(
                        "-m discoverydb -t sendtargets -p " + ONE + " -I default -o new",
                        "-m discoverydb -t sendtargets -p " + ONE + " --discover -I default -o nonpersistent",
                        "-m discoverydb -t sendtargets -p " + ONE + " -o delete");
        assertThat(initiator.records())
                .as("what authenticated the discovery is gone with it")
                .containsExactly("nodes/" + TARGET + "/10.0.0.1,3260,1/default");
        life.unmount(chap(true, true), "a");
        assertNothingIsLeft();
    }

    @Test
    void wrongCredentialsFailWithoutShowingThemAndLeaveNothing() {
        initiator.target(TARGET, Set.of(ONE), Map.of("0", "3600a"), "alice", "another secret");
        life.secrets.put(new SecretRef("team", "login"), CHAP);

        VolumeException failure = refused(() -> life.mount(chap(true, false), "a"));

        assertThat(failure.kind()).isEqualTo(FailureKind.TRANSIENT);
        assertThat(failure).hasMessageContaining("authorization failure");
        assertThat(failure.advice()).contains("secret");
        assertThat(failure.getMessage()).doesNotContain("very#secret");
        assertNothingIsLeft();
    }

    @ParameterizedTest
    @CsvSource({
        "node.session.auth.username, ''",
        "node.session.auth.password, ''",
        "node.session.auth.password, 'two\nlines'",
        "node.session.auth.password, ' blank'",
    })
    void secretsThatCannotBeRecordedAreRefused(String key, String value) {
        initiator.target(TARGET, Set.of(ONE), Map.of("0", "3600a"), "alice", "x");
        Map<String, String> values = new TreeMap<>(CHAP);
        values.put(key, value);
        life.secrets.put(new SecretRef("team", "login"), values);

        VolumeException failure = refused(() -> life.mount(chap(true, false), "a"));

        assertThat(failure.kind()).isEqualTo(FailureKind.FINAL);
        assertThat(failure).hasMessageContaining(key);
        assertThat(initiator.calls).isEmpty();
        assertNothingIsLeft();
    }

    @Test
    void onePortalThatAnswersIsEnough() {
        initiator.target(TARGET, Set.of(ONE, TWO), Map.of("0", "3600a"));
        initiator.dead.add(ONE);

        life.mount(volume(0, ONE, TWO), "a");

        assertThat(initiator.sessions()).hasSize(1);
        life.unmount(volume(0, ONE, TWO), "a");
        assertNothingIsLeft();
    }

    @Test
    void noPortalThatAnswersIsAFailureThatLeavesNothing() {
        initiator.target(TARGET, Set.of(ONE, TWO), Map.of("0", "3600a"));
        initiator.dead.addAll(List.of(ONE, TWO));

        VolumeException failure = refused(() -> life.mount(volume(0, ONE, TWO), "a"));

        assertThat(failure.kind()).isEqualTo(FailureKind.TRANSIENT);
        assertThat(failure)
                .hasMessageContaining(ONE)
                .hasMessageContaining(TWO)
                .hasMessageContaining("Connection refused");
        assertNothingIsLeft();
    }

    @Test
    void aUnitThatTheTargetDoesNotHaveIsAFailureThatLeavesNothing() {
        initiator.target(TARGET, Set.of(ONE), Map.of("0", "3600a"));

        VolumeException failure = refused(() -> life.mount(volume(3, ONE), "a"));

        assertThat(failure.kind()).isEqualTo(FailureKind.TRANSIENT);
        assertThat(failure).hasMessageContaining("no disk appeared for " + TARGET + ",lun-3");
        assertNothingIsLeft();
    }

    @Test
    void aLoginThatWasKilledIsUncertainAndTeardownEndsWhatCameOfIt() {
        initiator.target(TARGET, Set.of(ONE), Map.of("0", "3600a"));
        initiator.ends.put("--login", new Outcome(Ending.OVERDUE, 0, "", false));

        VolumeException failure = refused(() -> life.mount(volume(0, ONE), "a"));

        assertThat(failure.kind()).isEqualTo(FailureKind.UNCERTAIN);
        // The daemon went on with it.
        initiator.logInByHand(TARGET, ONE);
        life.restart();
        life.unmount(volume(0, ONE), "a");
        assertNothingIsLeft();
    }

    @Test
    void aLogoutThatFailsIsTriedAgain() {
        initiator.target(TARGET, Set.of(ONE), Map.of("0", "3600a"));
        life.mount(volume(0, ONE), "a");
        initiator.ends.put("--logout", ScriptedInitiator.ended(9, "iscsiadm: session is busy"));

        assertThat(refused(() -> life.unmount(volume(0, ONE), "a"))).hasMessageContaining("cannot log out");

        life.restart();
        life.unmount(volume(0, ONE), "a");
        assertNothingIsLeft();
    }

    @Test
    void anIscsidThatDoesNotRunIsNamed() {
        initiator.target(TARGET, Set.of(ONE), Map.of("0", "3600a"));
        initiator.ends.put("--login", ScriptedInitiator.ended(20, "iscsiadm: could not connect to iscsid"));

        assertThat(refused(() -> life.mount(volume(0, ONE), "a")).advice()).contains("start iscsid");
        assertNothingIsLeft();
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
    void portalsThatLeadToDifferentStoragesAreRefused() {
        initiator.target(TARGET, Set.of(ONE, TWO), Map.of("0", "3600a"));
        initiator.logInByHand(TARGET, ONE);
        initiator.target(TARGET, Set.of(ONE, TWO), Map.of("0", "3600other"));

        VolumeException failure = refused(() -> life.mount(volume(0, ONE, TWO), "a"));

        assertThat(failure.kind()).isEqualTo(FailureKind.FINAL);
        assertThat(failure).hasMessageContaining("are different units");
        assertThat(initiator.sessions()).as("the one that was there").hasSize(1);
    }

    @Test
    void aDiskThatIsStillMountedIsNotTakenAway() {
        initiator.target(TARGET, Set.of(ONE), Map.of("0", "3600a"));
        life.mount(volume(0, ONE), "a");
        life.mount(volume(0, ONE), "b");

        VolumeException failure = refused(() -> life.unmount(volume(0, ONE), "a"));

        assertThat(failure.kind()).isEqualTo(FailureKind.IN_USE);
        assertThat(initiator.sessions()).hasSize(1);
        life.unmount(volume(0, ONE), "b");
        assertNothingIsLeft();
    }

    @Test
    void aFilesystemThatIsNotTheOneAskedForIsRefusedAndTheSessionEnds() {
        initiator.target(TARGET, Set.of(ONE), Map.of("0", "3600a"));
        machine.putForeign(Path.of("/storage/3600a"), "lvm2");

        assertThat(refused(() -> life.mount(volume(0, ONE), "a")).kind()).isEqualTo(FailureKind.FINAL);

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
        IscsiSource source = new IscsiSource(
                ONE, TARGET, 0, "default", "xfs", false, List.of(), false, false, null, "iqn.2003-01.org.example:node");

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

    @Test
    void aMachineWithoutOpenIscsiIsTold() {
        InMemoryMountBackend bare = InMemoryMountBackend.create();

        VolumeException failure = refused(() -> new SanLife(bare, IscsiPlugin::new).mount(volume(0, ONE), "a"));

        assertThat(failure).hasMessageContaining("there is no iscsiadm");
        assertThat(failure.advice()).contains("open-iscsi");
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.1, iqn.2003-01.org.example:disk, default, iscsi portal, false",
        "10.0.0.1:0, iqn.2003-01.org.example:disk, default, iscsi portal, true",
        "10.0.0.1:70000, iqn.2003-01.org.example:disk, default, iscsi portal, true",
        "-p, iqn.2003-01.org.example:disk, default, iscsi portal, true",
        "'a b', iqn.2003-01.org.example:disk, default, iscsi portal, true",
        "[10.0.0.1]:3260, iqn.2003-01.org.example:disk, default, iscsi portal, true",
        "10.0.0.1, --logout, default, iqn, true",
        "10.0.0.1, iqn.2003-01.org.example:../x, default, iqn, true",
        "10.0.0.1, iqn.2003-01.org.example:disk, -o, iscsiInterface, true",
        "10.0.0.1, iqn.2003-01.org.example:disk, ../x, iscsiInterface, true",
    })
    void sourcesThatCouldMeanMoreThanTheyShowAreRefused(
            String portal, String iqn, String iface, String named, boolean wrong) {
        IscsiSource source = new IscsiSource(portal, iqn, 0, iface, "xfs", false, List.of(), false, false, null, "");

        @Nullable
        VolumeException failure =
                catchThrowableOfType(VolumeException.class, () -> life.plugin().volumeName(life.spec(source)));

        if (wrong) {
            assertThat(failure).isNotNull().hasMessageContaining(named);
        } else {
            assertThat(failure).isNull();
        }
    }

    @Test
    void aVolumeIsItsTargetAndNumberWhicheverWayItIsReached() {
        assertThat(life.plugin().volumeName(life.spec(volume(4, ONE))))
                .isEqualTo(TARGET + ",lun-4")
                .isEqualTo(life.plugin().volumeName(life.spec(volume(4, "[fd00::1]:860", TWO))));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "x", "iqn.2003-01.org.example:disk", "iqn.2003-01.org.example:disk,lun-x", "../..,lun-1"})
    void teardownOfWhatIsNoNameIsRefused(String name) {
        assertThat(catchThrowableOfType(
                        RuntimeException.class,
                        () -> life.plugin()
                                .deviceUnmounter(VolumeId.shared(IscsiPlugin.NAME, name))
                                .orElseThrow()
                                .unmountDevice(
                                        new DeviceUnmountRequest(
                                                VolumeId.shared(IscsiPlugin.NAME, name),
                                                "",
                                                SanLife.target("a"),
                                                PluginState.none()),
                                        life.context)))
                .isNotNull();
    }

    private static IscsiSource volume(int lun, String portal, String... others) {
        return new IscsiSource(portal, TARGET, lun, "", "xfs", false, List.of(others), false, false, null, "");
    }

    private static IscsiSource chap(boolean session, boolean discovery) {
        return new IscsiSource(
                ONE, TARGET, 0, "", "xfs", false, List.of(), discovery, session, new SecretRef("", "login"), "");
    }

    private static VolumeException refused(ThrowingCallable call) {
        return catchThrowableOfType(VolumeException.class, call);
    }

    private void assertNothingIsLeft() {
        assertThat(initiator.sessions()).isEmpty();
        assertThat(initiator.records()).isEmpty();
        assertThat(initiator.bus.disks()).isEmpty();
        assertThat(machine.leaks(SanLife.ROOT))
                .noneMatch(line -> line.startsWith("file ") || line.startsWith("mount "));
    }
}
