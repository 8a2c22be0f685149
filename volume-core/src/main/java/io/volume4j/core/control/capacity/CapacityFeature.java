package io.volume4j.core.control.capacity;

import io.volume4j.core.control.host.ClusterStep;
import io.volume4j.core.control.host.Feature;
import io.volume4j.core.control.host.Host;
import io.volume4j.core.control.host.facts.CacheCompleteness;
import io.volume4j.core.engine.Call;
import io.volume4j.core.engine.Outcome;
import io.volume4j.core.engine.Planner;
import io.volume4j.core.objects.ObjectChange;
import io.volume4j.core.report.PluginAnswer;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.CsiStorageCapacity;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.plugin.CapacityReporter;
import io.volume4j.spi.plugin.CapacityReporter.Capacity;
import io.volume4j.spi.plugin.CapacityReporter.CapacityRequest;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Publishes the free capacity of backends, for schedulers. Loop thread only, except the bodies of calls. */
public final class CapacityFeature implements Feature<CapacityView, CapacityStep> {
    /** The namespace of the capacity objects. They concern the whole cluster, so any namespace works. */
    private static final String NAMESPACE = "default";

    private final Host host;
    private final CapacityBook book;

    /** @param only the only plugin whose capacities it publishes, {@code ""} for all */
    public CapacityFeature(Host host, String only) {
        this.host = host;
        this.book = new CapacityBook(host, NAMESPACE, only);
        host.exhausted().listener(book::outdated);
    }

    @Override
    public Set<Kind> watches() {
        return Set.of(Kind.CSI_NODE, Kind.CSI_STORAGE_CAPACITY);
    }

    @Override
    public List<Kind> decides() {
        return List.of(Kind.CSI_STORAGE_CAPACITY);
    }

    @Override
    public void changed(ObjectChange change) {
        @Nullable ApiObject before = change.before();
        @Nullable ApiObject after = change.after();
        switch (change.key().kind()) {
            case CSI_STORAGE_CAPACITY -> host.visits().mark(change.key());
            case CSI_NODE, STORAGE_CLASS -> book.refreshSoon();
            case NODE -> {
                boolean sameLabels = before != null
                        && after != null
                        && before.metadata().labels().equals(after.metadata().labels());
                if (!sameLabels) {
                    book.refreshSoon();
                }
            }
            case PERSISTENT_VOLUME -> {
                if ((before == null || after == null)
                        && (after == null ? before : after) instanceof PersistentVolume volume) {
                    book.outdated(volume);
                }
            }
            default -> {
                // has no effect on capacities
            }
        }
    }

    @Override
    public void complete(Kind kind) {
        book.refreshSoon();
    }

    @Override
    public void refresh() {
        book.refreshSoon();
    }

    @Override
    public @Nullable CapacityView view(ObjectKey key) {
        if (key.kind() != Kind.CSI_STORAGE_CAPACITY) {
            return null;
        }
        @Nullable
        CsiStorageCapacity published =
                host.objects().get(key, CsiStorageCapacity.class).orElse(null);
        @Nullable Wanted wanted = book.wanted(key);
        if (wanted == null && published != null && book.ofAnother(published)) {
            return null;
        }
        CacheCompleteness known = host.known();
        return new CapacityView(
                key,
                wanted,
                published,
                published != null && book.awaitsPlugin(published),
                book.ready()
                        && known.all(Kind.CSI_STORAGE_CAPACITY, key)
                        && known.all(Kind.CSI_NODE, key)
                        && known.all(Kind.STORAGE_CLASS, key)
                        && known.all(Kind.NODE, key),
                book.answer(key),
                host.now());
    }

    @Override
    public Planner<CapacityView, ClusterStep> planner() {
        return CapacityPlanner::plan;
    }

    @Override
    public Class<CapacityStep> steps() {
        return CapacityStep.class;
    }

    @Override
    public Call call(ObjectKey key, CapacityStep step) {
        return host.calls()
                .toPlugin(step.plugin(), step.storageClass().metadata().name(), context -> ask(step, context));
    }

    /** Reads the free capacity of a pool. It has no effect, so a process that does not lead may call it too. */
    private Capacity ask(CapacityStep step, CallContext context) {
        CapacityReporter reporter = host.plugins()
                .need(step.plugin())
                .capacity()
                .orElseThrow(() -> VolumeException.transientFailure(
                        "plugin " + step.plugin() + " cannot tell what it has left now"));
        return PluginAnswer.of(
                reporter.capacity(new CapacityRequest(step.storageClass(), step.segment()), context),
                step.plugin(),
                reporter,
                "capacity");
    }

    @Override
    public void completed(ObjectKey key, CapacityStep step, Outcome outcome) {
        if (outcome.succeeded()) {
            book.answered(step.object(), outcome.requireValue(Capacity.class), host.now());
        }
    }
}
