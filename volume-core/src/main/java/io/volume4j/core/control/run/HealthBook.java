package io.volume4j.core.control.run;

import io.volume4j.spi.plugin.HealthReporter.Health;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What plugins said last about volumes, by the UIDs of their objects. Loop thread only. */
final class HealthBook {
    /** One answer, and the loop time when it was given. */
    record Answer(Health health, long at) {}

    private final Map<String, Answer> answers = new HashMap<>();

    @Nullable
    Answer answer(String volumeUid) {
        return answers.get(volumeUid);
    }

    void answered(String volumeUid, Health health, long now) {
        @Nullable Answer before = answers.get(volumeUid);
        answers.put(volumeUid, new Answer(health.after(before == null ? null : before.health()), now));
    }

    void forget(String volumeUid) {
        answers.remove(volumeUid);
    }
}
