package io.volume4j.inmemory.sim;

import io.volume4j.core.assembly.EngineSeams;
import io.volume4j.core.engine.Call;
import io.volume4j.core.engine.Seams;
import io.volume4j.core.engine.Step;
import java.util.function.BiConsumer;

/**
 * Reports each call of a step to a listener before the call, on its worker.
 *
 * @param listener gets the key and the kind of the step
 */
record BeforeCalls(BiConsumer<Object, Enum<?>> listener) implements EngineSeams.Change {
    @Override
    public <K, V, S extends Step> Seams<K, V, S> of(String reconciler, Seams<K, V, S> seams) {
        // The attach engine only writes the records that another engine executes.
        return reconciler.equals("attach")
                ? seams
                : seams.withWorld(world -> new PassingWorld<>(seams.world().apply(world)) {
                    @Override
                    public Call call(K key, S step) {
                        Call call = super.call(key, step);
                        Call.Body body = context -> {
                            listener.accept(key, step.kind());
                            return call.body().run(context);
                        };
                        return new Call(call.lane(), call.laneLimit(), call.part(), call.deadline(), body);
                    }
                });
    }
}
