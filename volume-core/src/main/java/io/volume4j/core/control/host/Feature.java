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
 * One capability of the control plane. It decides about objects of some kinds; the host puts its plans beside those of the other
 * features of the controller, in the order in which the controller lists them, and the conflict keys of the steps keep the plans
 * apart. The host calls every method on the loop; no method may block.
 *
 * @param <V> everything that the feature's planner needs to know about one object; a value
 * @param <S> the feature's own steps; the host does {@link ClusterWork} for it
 */
public interface Feature<V, S extends ClusterStep> {
    /** Makes a feature for the host that it works on. */
    @FunctionalInterface
    interface Factory {
        Feature<?, ?> on(Host host);
    }

    /** The kinds of objects that it reads, beside those that the host reads for every feature. */
    default Set<Kind> watches() {
        return Set.of();
    }

    /** The kinds of objects that it decides about. */
    List<Kind> decides();

    /** What is to be known to decide about the object now; null if the feature has nothing to decide about it. */
    @Nullable
    V view(ObjectKey key);

    /** Decides, as a pure function of the view. */
    Planner<V, ClusterStep> planner();

    /** The type of its own steps. No other feature may have steps of that type. */
    Class<S> steps();

    /** What carries out one of its own steps: the host calls it on the loop and runs the call on a worker. */
    Call call(ObjectKey key, S step);

    /** One of its own steps ended so. */
    void completed(ObjectKey key, S step, Outcome outcome);

    /**
     * An object changed. The feature marks the other objects that this concerns, see {@link Visits}; the host marks the object itself
     * if a feature decides about its kind.
     */
    default void changed(ObjectChange change) {}

    /** All objects of the kind are known now. */
    default void complete(Kind kind) {}

    /** All is to be looked at again: this process began to lead, plugins changed, or the controller has just read all. */
    default void refresh() {}

    /** The host took a step of any feature, also a shared one; its call may come at once or later. */
    default void taken(ObjectKey key, ClusterStep step) {}

    /** A step that was {@link #taken} ended or was given up. The host tells this before it tells {@link #completed}. */
    default void released(ObjectKey key, ClusterStep step) {}

    /** The host sent the call of a step of any feature, for metrics. */
    default void started(ObjectKey key, ClusterStep step) {}

    /** The call of a step of any feature ended, for metrics. */
    default void ended(ObjectKey key, ClusterStep step, Outcome outcome) {}

    /** The controller ends: nothing is decided any more. */
    default void closed() {}

    /** Whether a step under way will have the object visited when it ends, so that no change before that needs to. */
    default boolean visitsLater(ObjectKey key) {
        return false;
    }
}
