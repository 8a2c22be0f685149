package io.volume4j.inmemory.scenario;

import io.volume4j.core.engine.Call;
import io.volume4j.core.engine.Outcome;
import io.volume4j.core.engine.Seams;
import io.volume4j.core.engine.Step;
import io.volume4j.core.engine.World;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** Sits between an engine and its world, and hears of calls and outcomes there. Passes all else on. */
abstract class Between<K, V, S extends Step> implements World<K, V, S> {
    private final World<K, V, S> world;

    Between(World<K, V, S> world) {
        this.world = world;
    }

    /** The same seams with the hooks of {@code before} steps behind the world's calls. */
    static <K, V, S extends Step> Seams<K, V, S> hooked(Seams<K, V, S> seams, Hooks hooks) {
        return seams.withWorld(world -> new Between<>(seams.world().apply(world)) {
            @Override
            public Call call(K key, S step) {
                Call call = super.call(key, step);
                Call.Body body = context -> {
                    hooks.reached(key, step);
                    return call.body().run(context);
                };
                return new Call(call.lane(), call.laneLimit(), call.part(), call.deadline(), body);
            }
        });
    }

    @Override
    public @Nullable V view(K key) {
        return world.view(key);
    }

    @Override
    public Call call(K key, S step) {
        return world.call(key, step);
    }

    @Override
    public void taken(K key, S step) {
        world.taken(key, step);
    }

    @Override
    public void completed(K key, S step, Outcome outcome) {
        world.completed(key, step, outcome);
    }

    @Override
    public void abandoned(K key, S step) {
        world.abandoned(key, step);
    }

    @Override
    public Iterator<K> keys() {
        return world.keys();
    }
}
