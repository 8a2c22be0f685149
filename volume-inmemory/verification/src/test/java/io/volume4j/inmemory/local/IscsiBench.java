package io.volume4j.inmemory.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.volume4j.core.plugins.IscsiPlugin;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.IscsiSource;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;

/** A machine with open-iscsi, and the lives of volumes on it; nothing that is forbidden may be done there. */
abstract class IscsiBench {
    static final String TARGET = "iqn.2003-01.org.example:disk";
    static final String ONE = "10.0.0.1:3260";
    static final String TWO = "10.0.0.2:3260";

    final InMemoryMountBackend machine = InMemoryMountBackend.create();
    final ScriptedInitiator initiator = new ScriptedInitiator(machine);
    final SanLife life = new SanLife(machine, IscsiPlugin::new);

    @AfterEach
    void nothingForbiddenWasDone() {
        assertThat(machine.violations()).isEmpty();
    }

    static IscsiSource volume(int lun, String portal, String... others) {
        return new IscsiSource(portal, TARGET, lun, "", "xfs", false, List.of(others), false, false, null, "");
    }

    static VolumeException refused(ThrowingCallable call) {
        return catchThrowableOfType(VolumeException.class, call);
    }

    void assertNothingIsLeft() {
        assertThat(initiator.sessions()).isEmpty();
        assertThat(initiator.records()).isEmpty();
        assertThat(initiator.bus.disks()).isEmpty();
        assertThat(machine.leaks(SanLife.ROOT))
                .noneMatch(line -> line.startsWith("file ") || line.startsWith("mount "));
    }
}
