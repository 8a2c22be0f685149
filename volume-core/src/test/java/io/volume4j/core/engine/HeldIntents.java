package io.volume4j.core.engine;

import io.volume4j.spi.VolumeException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Keeps intents until they are released. */
final class HeldIntents implements IntentLog<String, Counters.Move> {
    private final List<Consumer<@Nullable VolumeException>> held = new ArrayList<>();
    Runnable refusing = () -> {};
    boolean hold;
    int recorded;

    @Override
    public void record(
            String operationId, String key, Counters.Move step, Consumer<@Nullable VolumeException> durable) {
        recorded++;
        if (key.equals("a")) {
            refusing.run();
        }
        if (hold) {
            held.add(durable);
        } else {
            durable.accept(null);
        }
    }

    void release(@Nullable VolumeException failure) {
        List<Consumer<@Nullable VolumeException>> all = new ArrayList<>(held);
        held.clear();
        all.forEach(durable -> durable.accept(failure));
    }
}
