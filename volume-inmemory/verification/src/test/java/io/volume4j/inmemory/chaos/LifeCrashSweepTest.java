package io.volume4j.inmemory.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.inmemory.chaos.Act.Kind;
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
    private static final List<Act> STORY = List.of(
            new Act(Kind.ADD_CLAIM, 0, 0, 0),
            new Act(Kind.ADD_POD, 0, 1, 1),
            new Act(Kind.RESIZE, 0, 1, 0),
            new Act(Kind.CHANGE, 0, 0, 0),
            new Act(Kind.COPY, 1, 0, 0),
            new Act(Kind.SNAPSHOT, 0, 0, 0),
            new Act(Kind.COPY, 2, 0, 1),
            new Act(Kind.FILL, 3, 0, 0),
            new Act(Kind.REMOVE_POD, 0, 0, 0),
            new Act(Kind.REMOVE_CLAIM, 1, 0, 0),
            new Act(Kind.REMOVE_SNAPSHOT, 0, 0, 0));

    /**
     * Two claims are cut together, one goes, the other is enlarged and then restored from its member; a second group is kept by its
     * policy when it goes; the backend works on snapshots for a while.
     */
    private static final List<Act> GROUPS = List.of(
            new Act(Kind.ADD_CLAIM, 0, 0, 0),
            new Act(Kind.ADD_CLAIM, 2, 0, 0),
            new Act(Kind.GROUP, 0, 0, 0),
            new Act(Kind.REMOVE_CLAIM, 2, 0, 0),
            new Act(Kind.RESIZE, 0, 1, 0),
            new Act(Kind.COPY, 3, 0, 3),
            new Act(Kind.GROUP, 1, 2, 2),
            new Act(Kind.REMOVE_MEMBER, 0, 0, 0),
            new Act(Kind.REMOVE_GROUP, 0, 0, 0),
            new Act(Kind.REMOVE_GROUP, 1, 0, 0));

    /** More than there are changes; the test fails if there are more. */
    private static final int MANY = 1_000;

    @Test
    void aClaimComesToTheSameWhereverItDies() {
        Story undisturbed = undisturbed(STORY);
        assertThat(undisturbed.before())
                .anyMatch(line -> line.startsWith("PersistentVolumeClaim/default/c0 BOUND") && line.contains(" 2Gi "))
                .anyMatch(line -> line.startsWith("PersistentVolumeClaim/default/c0 BOUND") && line.contains(" gold "))
                .anyMatch(line -> line.startsWith("PersistentVolumeClaim/default/c2 BOUND"))
                .anyMatch(line -> line.contains("content=default/d"))
                .noneMatch(line -> line.startsWith("PersistentVolumeClaim/default/c1"))
                .noneMatch(line -> line.startsWith("VolumeSnapshot/"));
        sweep(STORY, undisturbed);
    }

    @Test
    void aGroupComesToTheSameWhereverItDies() {
        Story undisturbed = undisturbed(GROUPS);
        assertThat(undisturbed.before())
                .anyMatch(line -> line.startsWith("PersistentVolume//pvc-uid-c0") && line.contains(" 2Gi "))
                .anyMatch(line -> line.startsWith("PersistentVolumeClaim/default/c3 BOUND") && line.contains(" 1Gi "))
                .noneMatch(line -> line.startsWith("VolumeGroupSnapshot/") || line.startsWith("VolumeSnapshot/"));
        assertThat(undisturbed.before().stream().filter(line -> line.startsWith("groupsnapshot-")))
                .as("the group that is kept, and its two members")
                .hasSize(3);
        sweep(GROUPS, undisturbed);
    }

    private static Story undisturbed(List<Act> acts) {
        Story undisturbed = LifeSchedules.standard().story(acts, 0);
        assertThat(undisturbed.result().violations()).isEmpty();
        return undisturbed;
    }

    private static void sweep(List<Act> acts, Story undisturbed) {
        LifeSchedules schedules = LifeSchedules.standard();
        long changes = undisturbed.effects();
        assertThat(changes).isBetween(80L, (long) MANY);

        List<String> different = new ArrayList<>();
        for (long change = 1; change <= changes && different.size() < 3; change++) {
            Story died = schedules.story(acts, change);
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
