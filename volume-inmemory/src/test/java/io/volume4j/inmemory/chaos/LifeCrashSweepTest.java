package io.volume4j.inmemory.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.inmemory.chaos.LifeAct.Kind;
import io.volume4j.inmemory.chaos.LifeSchedules.Story;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The life of a claim from beginning to end, with a process dying behind each write to the cluster and each change
 * of the storage: it always comes to the same, and nothing is left of it.
 */
class LifeCrashSweepTest {
    /** A claim is made, used, enlarged, changed, copied, snapshotted, restored and filled; the end takes it all away. */
    private static final List<LifeAct> STORY = List.of(
            new LifeAct(Kind.ADD_CLAIM, 0, 0, 0),
            new LifeAct(Kind.ADD_POD, 0, 1, 1),
            new LifeAct(Kind.RESIZE, 0, 1, 0),
            new LifeAct(Kind.CHANGE, 0, 0, 0),
            new LifeAct(Kind.COPY, 1, 0, 0),
            new LifeAct(Kind.SNAPSHOT, 0, 0, 0),
            new LifeAct(Kind.COPY, 2, 0, 1),
            new LifeAct(Kind.FILL, 3, 0, 0),
            new LifeAct(Kind.REMOVE_POD, 0, 0, 0),
            new LifeAct(Kind.REMOVE_CLAIM, 1, 0, 0),
            new LifeAct(Kind.REMOVE_SNAPSHOT, 0, 0, 0));

    /** More than there are changes; the test fails if there are more. */
    private static final int MANY = 1_000;

    @Test
    void comesToTheSameWhereverItDies() {
        LifeSchedules schedules = LifeSchedules.standard();
        Story undisturbed = schedules.story(STORY, 0);
        assertThat(undisturbed.result().violations()).isEmpty();
        assertThat(undisturbed.before())
                .anyMatch(line -> line.startsWith("PersistentVolumeClaim/default/c0 BOUND") && line.contains(" 2Gi "))
                .anyMatch(line -> line.startsWith("PersistentVolumeClaim/default/c0 BOUND") && line.contains(" gold "))
                .anyMatch(line -> line.startsWith("PersistentVolumeClaim/default/c2 BOUND"))
                .anyMatch(line -> line.contains("content=default/d"))
                .noneMatch(line -> line.startsWith("PersistentVolumeClaim/default/c1"))
                .noneMatch(line -> line.startsWith("VolumeSnapshot/"));
        long changes = undisturbed.effects();
        assertThat(changes).isBetween(80L, (long) MANY);

        List<String> different = new ArrayList<>();
        for (long change = 1; change <= changes && different.size() < 3; change++) {
            Story died = schedules.story(STORY, change);
            if (!died.result().passed() || !died.before().equals(undisturbed.before())) {
                different.add("death behind change " + change + ": " + died.before() + "\n"
                        + died.result().report());
            }
        }
        assertThat(different)
                .as(() -> undisturbed.before() + "\n" + String.join("\n", different))
                .isEmpty();
    }
}
