package io.volume4j.inmemory.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.volume4j.inmemory.contract.MortalBackend.Death;
import io.volume4j.spi.mount.HostFiles;
import java.nio.file.Path;
import java.util.List;

/**
 * One volume's life from creation to deletion, in which the process dies once between two effects and the next process
 * continues from the actual state. The test repeats it with the death one effect later, until the process survives the
 * whole life.
 */
final class CrashedLife {
    private static final String POD = VolumeLife.FIRST_POD;
    private static final int MOST_EFFECTS = 500;
    private static final byte[] NOTE = VolumeLife.text("written before the end");

    /** What the next process does with a half set up volume. */
    enum Heir {
        CARRIES_ON,
        GIVES_UP
    }

    private final PluginUnderTest subject;
    private final MortalBackend process;
    private final VolumeLife volume;

    private CrashedLife(PluginUnderTest subject, int effects) {
        this.subject = subject;
        this.process = new MortalBackend(subject.machine().backend(), effects);
        this.volume = new VolumeLife(subject, "pvc-" + effects, process);
        process.begin();
    }

    static void livesThroughEveryCrash(PluginUnderTest subject, Heir heir) {
        int stride = heir == Heir.GIVES_UP ? subject.crashStride() : 1;
        int effects = 0;
        while (livesThrough(subject, effects, heir)) {
            effects += stride;
            assertTrue(effects < MOST_EFFECTS, "a life of more than " + MOST_EFFECTS + " effects");
        }
        assertTrue(effects > 0, "a life without any effect proves nothing");
    }

    /** Whether the process died. */
    private static boolean livesThrough(PluginUnderTest subject, int effects, Heir heir) {
        CrashedLife life = new CrashedLife(subject, effects);
        try {
            life.rise(heir);
            // From here on both heirs act in the same way, so one of them is enough.
            boolean same = heir == Heir.GIVES_UP && !life.process.dead();
            life.fall();
            life.assertGone();
            return life.process.dead() && !same;
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(
                    "after a crash behind effect " + effects + ", heir " + heir + ": " + e.getMessage(), e);
        }
    }

    private void rise(Heir heir) {
        if (survives(this::setUp)) {
            return;
        }
        // The volume's name is known before its creation, so the next process finds it.
        volume.restart().create();
        if (heir == Heir.CARRIES_ON) {
            volume.attach();
            volume.stage();
            volume.publish(POD, false);
            useIt();
        }
    }

    private void setUp() {
        volume.create();
        volume.attach();
        volume.stage();
        volume.publish(POD, false);
        useIt();
    }

    private void useIt() {
        if (!subject.readOnly()) {
            Path note = volume.publishPath(POD).absolute().resolve("note");
            subject.machine().write(note, NOTE);
            assertArrayEquals(NOTE, subject.machine().read(note));
        }
    }

    private void fall() {
        for (Runnable step :
                List.<Runnable>of(() -> volume.unpublish(POD), volume::unstage, volume::detach, volume::delete)) {
            if (!survives(step)) {
                volume.restart();
                step.run();
            }
        }
    }

    private boolean survives(Runnable step) {
        boolean before = process.dead();
        try {
            step.run();
            return true;
        } catch (Death death) {
            return false;
        } catch (RuntimeException e) {
            if (before || !process.dead()) {
                throw e;
            }
            return false;
        }
    }

    private void assertGone() {
        HostFiles files = subject.machine().backend().files();
        assertEquals(
                List.of(),
                new MachineCleaner(
                                subject.machine().backend(), subject.machine().root())
                        .leaks());
        assertTrue(files.status(volume.publishPath(POD)).isEmpty(), "the pod's target is left");
        assertTrue(files.status(volume.stagingPath()).isEmpty(), "the device mount's place is left");
    }
}
