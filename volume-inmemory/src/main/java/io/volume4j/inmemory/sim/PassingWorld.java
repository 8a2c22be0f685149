package io.volume4j.inmemory.sim;

import io.volume4j.core.engine.Call;
import io.volume4j.core.engine.Outcome;
import io.volume4j.core.engine.Step;
import io.volume4j.core.engine.World;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** Passes everything from an engine to its world, except what a subclass changes. */
abstract class PassingWorld<K, V, S extends Step> implements World<K, V, S> {
    private final World<K, V, S> world;

    PassingWorld(World<K, V, S> world) {
        this.world = world;
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
    public String intakeGroup(K key) {
        return world.intakeGroup(key);
    }

    @Override
    public String story(K key) {
        return world.story(key);
    }

    @Override
    public Iterator<K> keys() {
        return world.keys();
    }
}
