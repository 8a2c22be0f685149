package io.volume4j.core.node.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.volumes.TimelineEntry;
import io.volume4j.core.volumes.TimelineEntry.Moment;
import io.volume4j.core.volumes.VolumeTransition;
import io.volume4j.spi.VolumeId;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class TimelinesTest {
    private final Timelines timelines = new Timelines(2, 3);

    @Test
    void keepsTheLatestMomentsOfAVolume() {
        for (int attempt = 1; attempt <= 5; attempt++) {
            timelines.add(volume("a"), entry(attempt));
        }

        assertThat(timelines.of(volume("a"))).extracting(TimelineEntry::attempt).containsExactly(3, 4, 5);
    }

    @Test
    void forgetsTheVolumeThatHasBeenAtRestLongest() {
        timelines.add(volume("a"), entry(1));
        timelines.add(volume("b"), entry(1));
        timelines.add(volume("a"), entry(2));
        timelines.add(volume("c"), entry(1));

        assertThat(timelines.of(volume("b"))).isEmpty();
        assertThat(timelines.of(volume("a"))).hasSize(2);
        assertThat(timelines.of(volume("c"))).hasSize(1);
    }

    private static VolumeId volume(String name) {
        return VolumeId.shared("p", name);
    }

    private static Supplier<TimelineEntry> entry(int attempt) {
        return () -> new TimelineEntry(
                Instant.EPOCH, VolumeTransition.Action.MOUNT, Moment.BEGAN, "", "mount", attempt, Duration.ZERO, "");
    }
}
