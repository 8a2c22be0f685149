package io.volume4j.core.control.host.facts;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Reports storage classes whose pool is exhausted. The feature that provisions volumes detects this and tells the
 * other features here. Loop thread only.
 */
public final class ExhaustedClasses {
    private final List<Consumer<String>> listeners = new ArrayList<>();

    /** @param listener gets the name of each exhausted class */
    public void listener(Consumer<String> listener) {
        listeners.add(listener);
    }

    /** Reports that a plugin could not provision a volume of the class, because the pool is exhausted. */
    public void exhausted(String storageClass) {
        listeners.forEach(listener -> listener.accept(storageClass));
    }
}
