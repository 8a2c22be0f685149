package io.volume4j.core.control.host;

import io.volume4j.core.engine.Call;
import io.volume4j.core.engine.Outcome;
import io.volume4j.core.engine.Planner;
import io.volume4j.core.objects.ObjectChange;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One capability of the control plane. It decides about objects of some kinds. The host combines its plans with those
 * of the other features of the controller, in the order of the controller's list. The conflict keys of the steps
 * separate the plans. The host calls every method on the loop; no method may block.
 * @param <V> the view of one object for the feature's planner; a value
 * @param <S> the feature's own steps; the host executes {@link ClusterWork} for it
 */
public interface Feature<V, S extends ClusterStep> {
    /** Creates a feature for its host. */
    @FunctionalInterface
    interface Factory {
        Feature<?, ?> on(Host host);
    }

    /** The kinds of objects that it reads, in addition to those that the host reads for all features. */
    default Set<Kind> watches() {
        return Set.of();
    }

    /** The kinds of objects that it decides about. */
    List<Kind> decides();

    /** The view of the object for the next decision; null if the feature has nothing to decide about it. */
    @Nullable
    V view(ObjectKey key);

    /** Decides, as a pure function of the view. */
    Planner<V, ClusterStep> planner();

    /** The type of its own steps. No other feature may have steps of that type. */
    Class<S> steps();

    /** The call for one of its own steps. This method runs on the loop; a worker runs the call. */
    Call call(ObjectKey key, S step);

    /** Reports the outcome of one of its own steps. */
    void completed(ObjectKey key, S step, Outcome outcome);

    /**
     * Reports a change of an object. The feature marks other objects that it concerns, see {@link Visits}. The host
     * marks the object itself if a feature decides about its kind.
     */
    default void changed(ObjectChange change) {}

    /** Reports that all objects of the kind are known now. */
    default void complete(Kind kind) {}

    /**
     * Marks everything for a visit, because this process became leader, plugins changed, or the controller has read
     * all objects.
     */
    default void refresh() {}

    /** The host took a step of any feature, also a shared one. Its call may begin at once or later. */
    default void taken(ObjectKey key, ClusterStep step) {}

    /** A step that was {@link #taken} ended or was dropped. The host calls this before {@link #completed}. */
    default void released(ObjectKey key, ClusterStep step) {}

    /** The host sent the call of a step of any feature, for metrics. */
    default void started(ObjectKey key, ClusterStep step) {}

    /** The call of a step of any feature ended, for metrics. */
    default void ended(ObjectKey key, ClusterStep step, Outcome outcome) {}

    /** The controller ends and makes no more decisions. */
    default void closed() {}

    /** Whether the end of a running step will cause a visit of the object, so that earlier changes need not. */
    default boolean visitsLater(ObjectKey key) {
        return false;
    }
}
