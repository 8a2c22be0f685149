package io.volume4j.core.control.host;

import io.volume4j.core.objects.ObjectChange;
import io.volume4j.core.objects.ObjectListener;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Updates the host's facts for changes of objects, and passes the changes to the features. Loop thread only. */
final class FeatureEvents implements ObjectListener {
    /** Kinds that are necessary for every decision about claims and volumes. */
    private static final List<Kind> NEEDED =
            List.of(Kind.STORAGE_CLASS, Kind.NODE, Kind.PERSISTENT_VOLUME, Kind.PERSISTENT_VOLUME_CLAIM);

    private final Host host;
    private final ClusterSteps shared;
    private final List<Kind> decided;

    /** In reverse order: the engine begins with the last mark, and marks of earlier features must come first. */
    private final List<Feature<?, ?>> features;

    private boolean begun;

    /** @param decided the kinds of objects that features decide about */
    FeatureEvents(Host host, List<Feature<?, ?>> features, ClusterSteps shared, List<Kind> decided) {
        this.host = host;
        this.shared = shared;
        this.decided = decided;
        List<Feature<?, ?>> reversed = new ArrayList<>(features);
        Collections.reverse(reversed);
        this.features = reversed;
    }

    @Override
    public void changed(ObjectChange change) {
        host.uses().changed(change);
        host.sources().changed(change);
        host.store().changed(change);
        @Nullable ApiObject before = change.before();
        if (before != null && change.after() == null) {
            forget(change.key(), before.metadata().uid());
        }
        features.forEach(feature -> feature.changed(change));
        if (decided.contains(change.key().kind())) {
            // Also an object that is gone: a live view reads an object again after its visit.
            host.visits().mark(change.key());
        }
    }

    private void forget(ObjectKey key, String uid) {
        host.liveReads().forget(uid);
        host.told().forget(key);
        host.known().forget(key);
        host.lead().forget(uid);
        shared.forget(key);
    }

    @Override
    public void completeness(Kind kind, boolean complete) {
        if (!complete) {
            return;
        }
        features.forEach(feature -> feature.complete(kind));
        if (begun) {
            host.known().takeBlocked().forEach(host.visits()::mark);
        } else if (NEEDED.stream().allMatch(host.objects()::complete)) {
            begun = true;
            refresh();
        }
    }

    /** Whether all necessary kinds were listed once. The features decide nothing before. */
    boolean begun() {
        return begun;
    }

    /** Volumes before claims, because claims look for available volumes. */
    void refresh() {
        features.forEach(Feature::refresh);
        for (Kind kind : decided) {
            host.objects().all(kind).forEach(object -> host.visits().mark(object.key()));
        }
    }
}
