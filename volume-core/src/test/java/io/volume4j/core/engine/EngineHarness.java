package io.volume4j.core.engine;

import java.time.Duration;
import java.util.Random;

/** An engine on a world of numbers that want to reach a target by steps of one; time and threads are the test's. */
final class EngineHarness {
    static final Duration DEADLINE = Duration.ofSeconds(10);

    final ManualLoop loop = new ManualLoop();
    final ManualWorkers workers = new ManualWorkers();
    final Counters world = new Counters(loop);
    final HeldIntents intents = new HeldIntents();
    final Engine<String, Counters.View, Counters.Move> engine = new Engine<>(
            loop,
            world,
            Counters::plan,
            intents,
            new OperationExecutor(loop, workers, new OperationExecutor.Limits(8, 2, 4)),
            new Random(1),
            new Engine.Options("test", "1", Backoff.standard(), 10),
            new Engine.Observer<>() {});

    /** Has the key looked at and every call made that comes of it. */
    void settle(String key) {
        engine.dirty(key);
        loop.run();
        while (workers.waiting() > 0) {
            workers.runNext();
            loop.run();
        }
    }
}
