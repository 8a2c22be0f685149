package io.volume4j.core.control.host;

import io.volume4j.core.engine.Call;
import io.volume4j.core.engine.Outcome;
import io.volume4j.core.engine.World;
import io.volume4j.core.objects.VolumeStory;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The engine's view of the cluster's objects. It gets views from the features, and gives each step to the host or to the step's
 * feature. Loop thread only.
 */
final class FeatureWorld implements World<ObjectKey, ObjectView, ClusterStep> {
    private final Host host;
    private final List<Feature<?, ?>> features;
    private final ClusterSteps shared;
    private final FeatureEvents changes;
    private final List<Kind> decided;

    /** The features that decide about objects of a kind, in the order of the list. */
    private final Map<Kind, List<Feature<?, ?>>> deciding = new EnumMap<>(Kind.class);

    FeatureWorld(
            Host host, List<Feature<?, ?>> features, ClusterSteps shared, FeatureEvents changes, List<Kind> decided) {
        this.host = host;
        this.features = features;
        this.shared = shared;
        this.changes = changes;
        this.decided = decided;
        for (Feature<?, ?> feature : features) {
            feature.decides()
                    .forEach(kind -> deciding.computeIfAbsent(kind, all -> new ArrayList<>())
                            .add(feature));
        }
    }

    @Override
    public @Nullable ObjectView view(ObjectKey key) {
        if (!changes.begun() || host.lead().self().isEmpty()) {
            return null;
        }
        List<ObjectView.Part<?>> parts = new ArrayList<>(2);
        for (Feature<?, ?> feature : deciding.getOrDefault(key.kind(), List.of())) {
            add(feature, key, parts);
        }
        return parts.isEmpty()
                ? null
                : new ObjectView(key, parts, host.liveReads().pace(host.now()));
    }

    private static <V> void add(Feature<V, ?> feature, ObjectKey key, List<ObjectView.Part<?>> parts) {
        @Nullable V view = feature.view(key);
        if (view != null) {
            parts.add(new ObjectView.Part<>(feature.planner(), view));
        }
    }

    @Override
    public String story(ObjectKey key) {
        return VolumeStory.of(key, host.objects());
    }

    @Override
    public Iterator<ObjectKey> keys() {
        return decided.stream()
                .flatMap(kind -> new ArrayList<>(host.objects().all(kind)).stream())
                .map(ApiObject::key)
                .iterator();
    }

    @Override
    public void taken(ObjectKey key, ClusterStep step) {
        features.forEach(feature -> feature.taken(key, step));
    }

    @Override
    public void abandoned(ObjectKey key, ClusterStep step) {
        features.forEach(feature -> feature.released(key, step));
    }

    @Override
    public Call call(ObjectKey key, ClusterStep step) {
        return step instanceof ClusterWork work ? shared.call(key, work) : call(owner(step), key, step);
    }

    @Override
    public void completed(ObjectKey key, ClusterStep step, Outcome outcome) {
        features.forEach(feature -> feature.released(key, step));
        if (step instanceof ClusterWork work) {
            shared.completed(key, work, outcome, host.now());
        } else {
            completed(owner(step), key, step, outcome);
        }
    }

    private static <S extends ClusterStep> Call call(Feature<?, S> feature, ObjectKey key, ClusterStep step) {
        return feature.call(key, feature.steps().cast(step));
    }

    private static <S extends ClusterStep> void completed(
            Feature<?, S> feature, ObjectKey key, ClusterStep step, Outcome outcome) {
        feature.completed(key, feature.steps().cast(step), outcome);
    }

    private Feature<?, ?> owner(ClusterStep step) {
        for (Feature<?, ?> feature : features) {
            if (feature.steps().isInstance(step)) {
                return feature;
            }
        }
        throw new IllegalArgumentException("no feature of this controller has the step " + step.describe());
    }
}
