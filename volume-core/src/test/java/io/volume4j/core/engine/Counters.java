package io.volume4j.core.engine;

import io.volume4j.spi.VolumeException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Numbers and the values that they should have. */
final class Counters implements World<String, Counters.View, Counters.Move> {
    Runnable during = () -> {};
    private final Map<String, Integer> wanted = new TreeMap<>();
    private final Map<String, Integer> actual = new TreeMap<>();
    private final Map<String, Integer> failures = new TreeMap<>();
    private final Map<String, RuntimeException> errors = new TreeMap<>();
    final Map<String, String> lanes = new TreeMap<>();
    final List<String> calls = new ArrayList<>();
    final List<String> log = new ArrayList<>();
    private final EventLoop clock;
    String sharedKey = "";
    String broken = "";
    String brokenOutcome = "";
    String brokenStage = "";
    boolean brokenByAnError;

    @Nullable
    VolumeException refusedCall;

    boolean internal;
    UnaryOperator<String> group = key -> "";
    long notBefore;
    boolean routine;
    /** How often a key was looked at. */
    int looks;

    Counters(EventLoop clock) {
        this.clock = clock;
    }

    record View(String name, int missing, String conflict, boolean internal, long notBefore, boolean routine) {}

    record Move(String name, int by, String conflict, boolean internal) implements Step {
        enum Kind {
            MOVE
        }

        @Override
        public Kind kind() {
            return Kind.MOVE;
        }

        @Override
        public List<ConflictKey> conflictKeys() {
            return List.of(ConflictKey.exclusive(ConflictKey.Scope.OBJECT, conflict));
        }

        @Override
        public boolean cancelledWhenUnwanted() {
            return name.startsWith("optional");
        }

        @Override
        public boolean withdrawnWhenUnwanted() {
            return name.startsWith("droppable");
        }

        @Override
        public String describe() {
            return "move " + name + " by " + by;
        }
    }

    static Plan<Move> plan(View view) {
        if (view.missing() == 0) {
            return Plan.nothing();
        }
        if (view.notBefore() > 0) {
            return new Plan<>(
                    List.of(),
                    List.of(
                            view.routine()
                                    ? Wait.routinely(view.notBefore(), "all is well")
                                    : Wait.until(view.notBefore(), "too early")));
        }
        return new Plan<>(List.of(new Move(view.name(), 1, view.conflict(), view.internal())), List.of());
    }

    void want(String name, int value) {
        wanted.put(name, value);
    }

    void fail(String name, RuntimeException error, int times) {
        errors.put(name, error);
        failures.put(name, times);
    }

    void crash(String name, RuntimeException error) {
        fail(name, error, 1);
    }

    @Override
    public @Nullable View view(String key) {
        looks++;
        if (key.equals(broken)) {
            throw new IllegalStateException("cannot be looked at");
        }
        int missing = wanted.getOrDefault(key, 0) - actual.getOrDefault(key, 0);
        long wait = notBefore > clock.nanoTime() ? notBefore : 0;
        return new View(key, missing, sharedKey.isEmpty() ? key : sharedKey, internal, wait, routine);
    }

    void breakIf(String stage, String key) {
        if (stage.equals(brokenStage) && key.equals("a")) {
            if (brokenByAnError) {
                throw new NoClassDefFoundError("cannot be begun");
            }
            throw new IllegalStateException("cannot be begun");
        }
    }

    @Override
    public void taken(String key, Move step) {
        breakIf("taken", key);
    }

    @Override
    public Call call(String key, Move step) {
        breakIf("call", key);
        if (refusedCall != null) {
            throw refusedCall;
        }
        return new Call(lanes.getOrDefault(key, "test lane"), 4, EngineHarness.DEADLINE, context -> {
            int left = failures.merge(key, -1, Integer::sum);
            if (left >= 0) {
                throw errors.get(key);
            }
            during.run();
            calls.add(key + "+" + step.by() + (context.cancelled() ? " cancelled" : ""));
            return step.by();
        });
    }

    @Override
    public void completed(String key, Move step, Outcome outcome) {
        if (key.equals(brokenOutcome)) {
            throw new IllegalStateException("cannot be taken over");
        }
        if (outcome.succeeded()) {
            actual.merge(key, 1, Integer::sum);
            log.add("moved " + key);
        } else {
            log.add("failed " + key + ": " + outcome.requireFailure().reason());
            log.add(outcome.requireFailure().kind() + " " + key);
        }
    }

    int at(String key) {
        return actual.getOrDefault(key, 0);
    }

    @Override
    public String intakeGroup(String key) {
        return group.apply(key);
    }

    @Override
    public void abandoned(String key, Move step) {
        log.add("abandoned " + key);
    }

    @Override
    public Iterator<String> keys() {
        return new ArrayList<>(wanted.keySet()).iterator();
    }
}
