package io.volume4j.inmemory.host;

import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.SecretResolver;
import io.volume4j.spi.host.SecretValues;
import io.volume4j.spi.model.OneLine;
import io.volume4j.spi.model.SecretRef;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * Secrets of a test. Thread-safe. {@code toString()} contains names only; {@link #everyValue()} returns the values.
 *
 * @since 0.1.0
 */
public final class InMemorySecrets implements SecretResolver {
    private final Map<SecretRef, SecretValues> secrets = new LinkedHashMap<>();
    private final SortedSet<String> everSeen = new TreeSet<>();
    private final List<SecretRef> resolved = new ArrayList<>();
    private final List<Consumer<SecretRef>> listeners = new CopyOnWriteArrayList<>();

    /** A resolver without secrets. */
    public InMemorySecrets() {}

    /** Adds the secret or replaces it. */
    public void put(SecretRef reference, Map<String, String> values) {
        synchronized (this) {
            secrets.put(reference, new SecretValues(values));
            everSeen.addAll(values.values());
        }
        listeners.forEach(listener -> listener.accept(reference));
    }

    public void remove(SecretRef reference) {
        synchronized (this) {
            secrets.remove(reference);
        }
        listeners.forEach(listener -> listener.accept(reference));
    }

    @Override
    public boolean tellChanges(Consumer<SecretRef> listener) {
        listeners.add(listener);
        return true;
    }

    @Override
    public synchronized SecretValues resolve(SecretRef reference) {
        resolved.add(reference);
        SecretValues values = secrets.get(reference);
        if (values == null) {
            throw VolumeException.transientFailure("secret " + OneLine.name(reference.namespace()) + "/"
                            + OneLine.name(reference.name()) + " does not exist")
                    .withAdvice("create the secret, or correct the reference to it");
        }
        return values;
    }

    @Override
    public synchronized Optional<Map<String, byte[]>> content(SecretRef reference) {
        return secrets.containsKey(reference) ? SecretResolver.super.content(reference) : Optional.empty();
    }

    /** The requested secrets, in order. */
    public synchronized List<SecretRef> resolved() {
        return List.copyOf(resolved);
    }

    /** Every value that a test ever put here. For tests that search for leaked values. */
    public synchronized SortedSet<String> everyValue() {
        return Collections.unmodifiableSortedSet(new TreeSet<>(everSeen));
    }

    @Override
    public synchronized String toString() {
        return "InMemorySecrets" + secrets.keySet();
    }
}
