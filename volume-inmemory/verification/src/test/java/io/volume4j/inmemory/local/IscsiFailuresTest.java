package io.volume4j.inmemory.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.volume4j.core.plugins.IscsiPlugin;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.IscsiSource;
import io.volume4j.spi.mount.Programs.Ending;
import io.volume4j.spi.mount.Programs.Outcome;
import io.volume4j.spi.plugin.DeviceUnmounter.DeviceUnmountRequest;
import io.volume4j.spi.plugin.PluginState;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the library makes of every answer that is not the one it wants, and what it refuses to ask. */
class IscsiFailuresTest extends IscsiBench {
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
}
