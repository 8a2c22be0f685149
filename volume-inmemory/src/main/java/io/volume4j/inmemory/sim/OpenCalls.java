package io.volume4j.inmemory.sim;

import io.volume4j.core.assembly.EngineSeams;
import io.volume4j.core.engine.Call;
import io.volume4j.core.engine.Seams;
import io.volume4j.core.engine.Step;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The calls of steps in a world that a test explores. The test decides when and how each call takes effect, and when
 * its caller gets the answer. Everything else in such a world runs at once and in one fixed order.
 *
 * @since 0.1.0
 */
public final class OpenCalls {
    /** The fate of a call. */
    public enum Fate {
        DONE,
        /** It fails without effect. */
        REFUSED,
        /** It takes effect, but its caller gets no answer. */
        ANSWER_LOST
    }

    private final List<OpenCall> open = new ArrayList<>();
    private String next = "";

    OpenCalls() {}

    /** One call. */
    public static final class OpenCall {
        private final Job job;
        private final String text;
        private final List<Runnable> answer = new ArrayList<>();
        private boolean ran;
        private Fate fate = Fate.DONE;

        private OpenCall(Job job, String text) {
            this.job = job;
            this.text = text;
        }

        public String process() {
            return job.process.name();
        }

        /** Whether the call has run and only its answer is left. */
        public boolean ran() {
            return ran;
        }

        /** Whether its caller has died. The call can still take effect once. */
        public boolean orphan() {
            return !job.alive();
        }

        /** A text that is the same for equal calls in equal states. */
        @Override
        public String toString() {
            return (orphan() ? "orphan of " : "") + process() + ": " + text + (ran ? " " + fate : "");
        }
    }

    /** The calls that can continue, in the order in which they were sent. */
    public List<OpenCall> all() {
        open.removeIf(call -> call.ran && call.orphan());
        return new ArrayList<>(open);
    }

    /** Runs the call with this fate. Its answer then waits. */
    public void run(OpenCall call, Fate fate) {
        call.ran = true;
        call.fate = fate;
        call.job.fate = fate;
        call.job.run();
    }

    /** Delivers the answer to the caller. */
    public void answer(OpenCall call) {
        open.remove(call);
        call.answer.forEach(Runnable::run);
    }

    /** The answers to the worker's own loop wait. */
    boolean holds(@Nullable Job job, SimProcess process, Runnable toLoop) {
        for (OpenCall call : open) {
            if (call.job == job && process.equals(call.job.process)) {
                call.answer.add(toLoop);
                return true;
            }
        }
        return false;
    }

    /** A call of a step is about to be sent. */
    void announce(String text) {
        if (!next.isEmpty()) {
            throw new IllegalStateException(next + " waits in a queue, where no test explores it");
        }
        next = text;
    }

    /** Whether the job is the call that was announced; all other work of processes is not explored. */
    boolean takes(Job job) {
        if (next.isEmpty()) {
            return false;
        }
        open.add(new OpenCall(job, next));
        next = "";
        return true;
    }

    /** Has the engines announce their calls. */
    EngineSeams.Change announcing() {
        return new Announcing(this);
    }

    private record Announcing(OpenCalls calls) implements EngineSeams.Change {
        @Override
        public <K, V, S extends Step> Seams<K, V, S> of(String reconciler, Seams<K, V, S> seams) {
            return seams.withWorld(world -> new PassingWorld<>(seams.world().apply(world)) {
                @Override
                public Call call(K key, S step) {
                    Call call = super.call(key, step);
                    calls.announce(step.describe());
                    return call;
                }
            });
        }
    }
}
