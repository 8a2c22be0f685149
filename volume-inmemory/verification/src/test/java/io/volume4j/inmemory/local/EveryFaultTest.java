package io.volume4j.inmemory.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.plugins.EmptyDirPlugin;
import io.volume4j.core.plugins.FcPlugin;
import io.volume4j.core.plugins.HostPathPlugin;
import io.volume4j.core.plugins.IscsiPlugin;
import io.volume4j.core.plugins.LocalPlugin;
import io.volume4j.core.plugins.LoopPlugin;
import io.volume4j.core.plugins.NfsPlugin;
import io.volume4j.inmemory.fault.Fault;
import io.volume4j.inmemory.fault.FaultKind;
import io.volume4j.inmemory.mount.InMemoryMountBackend;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.EmptyDirSource;
import io.volume4j.spi.model.FcSource;
import io.volume4j.spi.model.HostPathSource;
import io.volume4j.spi.model.IscsiSource;
import io.volume4j.spi.model.LocalSource;
import io.volume4j.spi.model.NfsSource;
import io.volume4j.spi.model.Quantity;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every plugin of the node, with every call to the machine gone wrong once in every way: the failed step is tried again,
 * after nothing, after a restart of the machine, or after a power cut. Whatever happened, the pod gets the volume with what
 * was written to it, and in the end nothing is left and nothing forbidden was done.
 */
class EveryFaultTest {
    private static final byte[] HELLO = "hello".getBytes(StandardCharsets.UTF_8);
    private static final int PATIENCE = 5;
    private static final Path NOTE = PluginLife.POD.absolute().resolve("note");

    /** What happens between the failure and the next try. */
    enum Between {
        NOTHING,
        REBOOT,
        POWER_CUT
    }

    enum Kind {
        LOOP,
        LOCAL_DEVICE,
        LOCAL_DIRECTORY,
        HOST_PATH,
        EMPTY_DIR,
        EMPTY_DIR_IN_MEMORY,
        NFS,
        ISCSI,
        FC;

        /** How many calls apart faults come: in lives of many calls, each call meets some ways to fail and not all. */
        int stride() {
            return this == ISCSI ? 12 : this == FC ? 5 : 1;
        }

        /** Whether the content outlives the pod. */
        boolean keepsData() {
            return this != EMPTY_DIR && this != EMPTY_DIR_IN_MEMORY;
        }

        PluginLife begin() {
            InMemoryMountBackend machine = InMemoryMountBackend.builder()
                    .filesystems("ext4", "nfs", "tmpfs", "xfs")
                    .build();
            switch (this) {
                case LOOP:
                    return new PluginLife(
                            machine, new LoopPlugin(), CsiSource.of(LoopPlugin.NAME, "pvc-1", "ext4", Map.of()), true);
                case LOCAL_DEVICE:
                    machine.addDisk(Path.of("/dev/sdb"), "serial-1", 1L << 30);
                    return new PluginLife(machine, new LocalPlugin(), new LocalSource("/dev/sdb", "xfs"), false);
                case LOCAL_DIRECTORY:
                    machine.user().makeDirectory(Path.of("/mnt/disk"));
                    return new PluginLife(machine, new LocalPlugin(), new LocalSource("/mnt/disk", ""), false);
                case HOST_PATH:
                    machine.user().makeDirectory(Path.of("/data"));
                    return new PluginLife(
                            machine, new HostPathPlugin(), new HostPathSource("/data/new", "DirectoryOrCreate"), false);
                case EMPTY_DIR:
                    return new PluginLife(machine, new EmptyDirPlugin(), new EmptyDirSource("", null), false);
                case EMPTY_DIR_IN_MEMORY:
                    return new PluginLife(
                            machine, new EmptyDirPlugin(), new EmptyDirSource("Memory", Quantity.parse("1Mi")), false);
                case NFS:
                    machine.export("nfs", "127.0.0.1:/export");
                    return new PluginLife(
                            machine, new NfsPlugin(), new NfsSource("127.0.0.1", "/export", false), false);
                case ISCSI:
                    ScriptedInitiator initiator = new ScriptedInitiator(machine);
                    initiator.bus.startMultipath();
                    initiator.target(
                            "iqn.2003-01.org.example:a",
                            Set.of("10.0.0.1:3260", "10.0.0.2:3260"),
                            Map.of("0", "3600a"));
                    PluginLife life = new PluginLife(
                            machine,
                            new IscsiPlugin(),
                            new IscsiSource(
                                    "10.0.0.1",
                                    "iqn.2003-01.org.example:a",
                                    0,
                                    "",
                                    "xfs",
                                    false,
                                    List.of("10.0.0.2"),
                                    false,
                                    false,
                                    null,
                                    "iqn.2003-01.org.example:node-1"),
                            false);
                    life.whenRestarted = initiator::reboot;
                    return life;
                case FC:
                    ScriptedFabric fabric = new ScriptedFabric(machine, "host3", "host4");
                    fabric.bus.startMultipath();
                    fabric.unit("500a0982991b8dc5", 2, "3600b");
                    PluginLife fibre = new PluginLife(
                            machine,
                            new FcPlugin(),
                            new FcSource(List.of("500a0982991b8dc5"), 2, "xfs", false, List.of()),
                            false);
                    fibre.whenRestarted = fabric.bus::reboot;
                    return fibre;
            }
            throw new AssertionError(this);
        }
    }

    @ParameterizedTest
    @EnumSource
    void livesAndLeavesNothingWithoutAnyFault(Kind kind) {
        PluginLife life = kind.begin();

        live(kind, life, Between.NOTHING);

        assertThat(life.formats())
                .isEqualTo(
                        Set.of(Kind.LOOP, Kind.LOCAL_DEVICE, Kind.ISCSI, Kind.FC)
                                        .contains(kind)
                                ? 1
                                : 0);
        assertEnd(life, "no fault");
    }

    @ParameterizedTest
    @EnumSource
    void bearsEveryFaultOfEveryCall(Kind kind) {
        int way = 0;
        for (FaultKind fault : List.of(
                FaultKind.TRANSIENT,
                FaultKind.FINAL,
                FaultKind.IN_USE,
                FaultKind.UNCERTAIN_BEFORE,
                FaultKind.UNCERTAIN_AFTER,
                FaultKind.PARTIAL,
                FaultKind.UNCLASSIFIED_BEFORE,
                FaultKind.UNCLASSIFIED_AFTER)) {
            for (Between between : Between.values()) {
                int call = 1 + way++ % kind.stride();
                while (bearsOne(kind, fault, call, between)) {
                    call += kind.stride();
                }
                assertThat(call).as("calls of %s", kind).isGreaterThan(8);
            }
        }
    }

    /** False once the life had no such call any more. */
    private static boolean bearsOne(Kind kind, FaultKind fault, int call, Between between) {
        PluginLife life = kind.begin();
        life.machine.faults().add(Fault.on("").nth(call).as(fault));
        String story = kind + ": " + fault + " of call " + call + ", then " + between;
        try {
            live(kind, life, between);
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(story + ": " + e.getMessage(), e);
        }
        boolean happened = life.machine.faults().pending().isEmpty();
        life.machine.faults().heal();
        assertEnd(life, story);
        return happened;
    }

    private static void live(Kind kind, PluginLife life, Between between) {
        rise(life, between);
        if (kind.keepsData()) {
            life.machine.user().write(NOTE, HELLO);
            life.machine.user().sync();
        }
        fall(life, life.down(), between);
        rise(life, between);
        if (kind.keepsData()) {
            assertThat(life.machine.user().read(NOTE)).as("what was written").isEqualTo(HELLO);
        }
        fall(life, life.down(), between);
        fall(life, List.of(life::delete), between);
    }

    /** All steps in their order; after a restart of the machine from the first one on. */
    private static void rise(PluginLife life, Between between) {
        List<Runnable> steps = life.up();
        int tries = 0;
        for (int i = 0; i < steps.size(); i++) {
            RuntimeException failure = attempt(steps.get(i));
            if (failure != null) {
                if (++tries > PATIENCE) {
                    throw failure;
                }
                happens(life, between);
                i = between == Between.NOTHING ? i - 1 : -1;
            }
        }
    }

    private static void fall(PluginLife life, List<Runnable> steps, Between between) {
        for (Runnable step : steps) {
            int tries = 0;
            for (RuntimeException failure = attempt(step); failure != null; failure = attempt(step)) {
                if (++tries > PATIENCE) {
                    throw failure;
                }
                happens(life, between);
            }
        }
    }

    private static void happens(PluginLife life, Between between) {
        switch (between) {
            case NOTHING -> {}
            case REBOOT -> {
                life.machine.reboot();
                life.whenRestarted.run();
            }
            case POWER_CUT -> {
                life.machine.losePower();
                life.whenRestarted.run();
            }
        }
    }

    private static @Nullable RuntimeException attempt(Runnable step) {
        try {
            step.run();
            return null;
        } catch (VolumeException | IllegalStateException e) {
            return e;
        }
    }

    private static void assertEnd(PluginLife life, String story) {
        assertThat(life.machine.violations()).as(story).isEmpty();
        assertThat(life.leftovers()).as(story).isEmpty();
        assertThat(life.mountPointsLeft()).as(story).isFalse();
        assertThat(life.openFormat()).as(story).isNull();
    }
}
