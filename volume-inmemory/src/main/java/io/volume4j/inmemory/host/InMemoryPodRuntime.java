package io.volume4j.inmemory.host;

import io.volume4j.spi.host.PodRuntime;
import io.volume4j.spi.mount.IdMapping;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Says which pods of a test have containers that may use their volumes. Thread-safe. Listeners run on the thread that
 * makes the change.
 *
 * @since 0.1.0
 */
public final class InMemoryPodRuntime implements PodRuntime {
    private final Map<String, Boolean> running = new LinkedHashMap<>();
    private final List<Consumer<String>> listeners = new CopyOnWriteArrayList<>();
    private final boolean answerForOthers;
    private final Map<String, IdMapping> ids = new LinkedHashMap<>();
    private @Nullable IdMapping idsOfOthers;

    private InMemoryPodRuntime(boolean answerForOthers) {
        this.answerForOthers = answerForOthers;
    }

    /**
     * A runtime that knows only the pods that the test reports: other pods may use their volumes.
     */
    public static InMemoryPodRuntime unsure() {
        return new InMemoryPodRuntime(true);
    }

    /** A runtime that knows all containers: a pod that was never started does not use its volumes. */
    public static InMemoryPodRuntime omniscient() {
        return new InMemoryPodRuntime(false);
    }

    /** Sets the IDs of the pod's processes on the machine, for pods with {@code hostUsers: false}. */
    public void ids(String podUid, IdMapping mapping) {
        synchronized (running) {
            ids.put(podUid, mapping);
        }
    }

    /** The same for all pods without their own mapping. */
    public void idsOfOthers(IdMapping mapping) {
        synchronized (running) {
            idsOfOthers = mapping;
        }
    }

    @Override
    public Optional<IdMapping> idMapping(String podUid) {
        synchronized (running) {
            IdMapping own = ids.get(podUid);
            return Optional.ofNullable(own == null ? idsOfOthers : own);
        }
    }

    /** Reports that the pod's containers run. */
    public void started(String podUid) {
        set(podUid, true);
    }

    /** Reports that no container of the pod runs, and none will run. */
    public void stopped(String podUid) {
        set(podUid, false);
    }

    @Override
    public boolean mayStillUse(String podUid) {
        synchronized (running) {
            return running.getOrDefault(podUid, answerForOthers);
        }
    }

    @Override
    public void addListener(Consumer<String> listener) {
        listeners.add(listener);
    }

    @Override
    public void removeListener(Consumer<String> listener) {
        listeners.removeIf(added -> added == listener);
    }

    private void set(String podUid, boolean uses) {
        synchronized (running) {
            running.put(podUid, uses);
        }
        listeners.forEach(listener -> listener.accept(podUid));
    }
}
