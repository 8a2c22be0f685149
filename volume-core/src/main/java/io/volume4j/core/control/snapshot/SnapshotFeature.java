package io.volume4j.core.control.snapshot;

import io.volume4j.core.control.host.ClusterStep;
import io.volume4j.core.control.host.Feature;
import io.volume4j.core.control.host.Host;
import io.volume4j.core.engine.Call;
import io.volume4j.core.engine.Outcome;
import io.volume4j.core.engine.Plan;
import io.volume4j.core.engine.Planner;
import io.volume4j.core.objects.ObjectChange;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Handles snapshots and group snapshots, and protects claims and snapshots while they are the source of others. Loop thread only,
 * except the bodies of calls.
 */
public final class SnapshotFeature implements Feature<SubjectView, SnapshotStep> {
    private static final List<Kind> SINGLE = List.of(Kind.VOLUME_SNAPSHOT, Kind.VOLUME_SNAPSHOT_CONTENT);
    private static final List<Kind> GROUP = List.of(Kind.VOLUME_GROUP_SNAPSHOT, Kind.VOLUME_GROUP_SNAPSHOT_CONTENT);

    private final Host host;
    private final SnapshotSettings settings;
    private final SnapshotState state;
    private final SnapshotViews views;
    private final SnapshotCalls calls;

    public SnapshotFeature(Host host, SnapshotSettings settings) {
        this.host = host;
        this.settings = settings;
        Set<Kind> kept = watches();
        kept.add(Kind.PERSISTENT_VOLUME_CLAIM);
        this.state = new SnapshotState(host, kept);
        this.views = new SnapshotViews(host, state, new SourceViews(host, state, settings), settings);
        this.calls = new SnapshotCalls(host);
        if (settings.restores()) {
            host.sources().contents(new SourceContents(host));
        }
    }

    @Override
    public Set<Kind> watches() {
        Set<Kind> kinds = EnumSet.noneOf(Kind.class);
        kinds.addAll(SINGLE);
        if (settings.snapshots()) {
            kinds.add(Kind.VOLUME_SNAPSHOT_CLASS);
        }
        if (settings.groups()) {
            kinds.addAll(GROUP);
            kinds.add(Kind.VOLUME_GROUP_SNAPSHOT_CLASS);
        }
        return kinds;
    }

    @Override
    public List<Kind> decides() {
        List<Kind> kinds = new ArrayList<>(List.of(Kind.PERSISTENT_VOLUME_CLAIM));
        if (settings.snapshots()) {
            kinds.addAll(SINGLE);
        }
        if (settings.groups()) {
            kinds.addAll(GROUP);
        }
        return kinds;
    }

    @Override
    public void changed(ObjectChange change) {
        state.changed(change);
    }

    @Override
    public @Nullable SubjectView view(ObjectKey key) {
        return host.objects().get(key).map(views::of).orElse(null);
    }

    @Override
    public Planner<SubjectView, ClusterStep> planner() {
        return SnapshotFeature::plan;
    }

    private static Plan<ClusterStep> plan(SubjectView view) {
        if (view instanceof SnapshotView snapshot) {
            return SnapshotPlanner.plan(snapshot);
        }
        return view instanceof ContentView content
                ? ContentPlanner.plan(content)
                : SourcePlanner.plan((SourceView) view);
    }

    @Override
    public Class<SnapshotStep> steps() {
        return SnapshotStep.class;
    }

    @Override
    public Call call(ObjectKey key, SnapshotStep step) {
        return switch (step.kind()) {
            case CREATE_SNAPSHOT -> {
                SnapshotStep.CreateSnapshot create = (SnapshotStep.CreateSnapshot) step;
                yield toPlugin(create.plugin(), context -> calls.create(create, context));
            }
            case GET_SNAPSHOT -> {
                SnapshotStep.GetSnapshot get = (SnapshotStep.GetSnapshot) step;
                yield toPlugin(get.plugin(), context -> calls.get(get, context));
            }
            case DELETE_SNAPSHOT -> {
                SnapshotStep.DeleteSnapshot delete = (SnapshotStep.DeleteSnapshot) step;
                yield toPlugin(delete.plugin(), context -> {
                    calls.delete(delete, context);
                    return null;
                });
            }
        };
    }

    private Call toPlugin(String plugin, Call.Body body) {
        return host.calls().toPlugin(plugin, "", body);
    }

    @Override
    public void completed(ObjectKey key, SnapshotStep step, Outcome outcome) {
        switch (step.kind()) {
            case CREATE_SNAPSHOT -> state.created((SnapshotStep.CreateSnapshot) step, outcome);
            case GET_SNAPSHOT -> state.got((SnapshotStep.GetSnapshot) step, outcome);
            case DELETE_SNAPSHOT -> state.deleted((SnapshotStep.DeleteSnapshot) step, outcome);
        }
    }
}
