package io.volume4j.core.control.host.facts;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Tells which storage classes have no room left: the feature that makes volumes finds out, and other features want to know. Loop
 * thread only.
 */
public final class ExhaustedClasses {
    private final List<Consumer<String>> listeners = new ArrayList<>();

    /** @param listener gets the name of each class */
    public void listener(Consumer<String> listener) {
        listeners.add(listener);
    }

    /** A plugin could not make a volume of the class, because the pool is exhausted. */
    public void exhausted(String storageClass) {
        listeners.forEach(listener -> listener.accept(storageClass));
    }
}
