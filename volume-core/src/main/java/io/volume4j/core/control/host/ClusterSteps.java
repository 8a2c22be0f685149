package io.volume4j.core.control.host;

import io.volume4j.core.control.host.ClusterWork.Look.At;
import io.volume4j.core.control.host.facts.StoreFacts;
import io.volume4j.core.engine.Call;
import io.volume4j.core.engine.Outcome;
import io.volume4j.core.objects.ObjectCache;
import io.volume4j.spi.host.EventSink;
import io.volume4j.spi.host.EventSink.Event;
import io.volume4j.spi.model.ObjectKey;
import java.util.List;

/** Executes the steps that all features share, and stores their outcomes. Loop thread only. */
final class ClusterSteps {
    /** The result of a read, and the UIDs of the objects that asked before the read began. */
    private record Looked(List<String> asking, Users users) {}

    private final ObjectCache cache;
    private final ClusterCalls cluster;
    private final PluginCallFactory calls;
    private final LiveReader live;
    private final LiveReads liveReads;
    private final StoreFacts store;
    private final EventMemory told;
    private final EventSink events;
    private final FailingWrites failing = new FailingWrites();
    private final WriteConflicts<ObjectKey> conflicts = new WriteConflicts<>();

    ClusterSteps(Host host) {
        this.cache = host.objects();
        this.cluster = host.cluster();
        this.calls = host.calls();
        this.live = host.live();
        this.liveReads = host.liveReads();
        this.store = host.store();
        this.told = host.told();
        this.events = host.events();
    }

    Call call(ObjectKey key, ClusterWork step) {
        return switch (step.kind()) {
            case WRITE -> {
                boolean patient = conflicts.patient(key);
                yield calls.toCluster(context -> cluster.write((ClusterWork.Write) step, patient));
            }
            case REMOVE -> {
                ClusterWork.Remove remove = (ClusterWork.Remove) step;
                yield calls.toCluster(context -> {
                    cluster.remove(remove.object(), remove.uid(), remove.revision());
                    return null;
                });
            }
            case VERIFY -> {
                ClusterWork.Verify verify = (ClusterWork.Verify) step;
                yield calls.toCluster(context -> cluster.read(verify.object(), verify.uid()));
            }
            case LOOK -> {
                At at = ((ClusterWork.Look) step).at();
                List<String> asking = liveReads.asking(at);
                yield calls.toCluster(context -> new Looked(asking, live.users(at)));
            }
            case CREATE ->
                // Only while this process leads: a later leader does not expect a late creation. A revision fences a
                // patch, but nothing fences a creation.
                calls.unfencedToCluster(context -> {
                    cluster.make(((ClusterWork.Create) step).object());
                    return null;
                });
            case TELL -> throw new IllegalArgumentException("telling is not a call");
        };
    }

    void completed(ObjectKey key, ClusterWork step, Outcome outcome, long now) {
        failing.ended(key, step, outcome, now)
                .flatMap(why -> cache.get(key)
                        .map(object -> new Event(
                                Event.Type.WARNING, HostReason.FAILED_WRITE, PlanBuilder.referenceTo(object), why)))
                .ifPresent(events::event);
        switch (step.kind()) {
            case WRITE -> conflicts.ended(key, outcome);
            case TELL -> told.tell((ClusterWork.Tell) step);
            case VERIFY -> {
                if (outcome.succeeded()) {
                    ClusterWork.Verify verify = (ClusterWork.Verify) step;
                    store.verified(
                            key,
                            verify.object(),
                            verify.uid(),
                            outcome.requireValue(ClusterCalls.Seen.class).object());
                }
            }
            case LOOK -> {
                if (outcome.succeeded()) {
                    Looked looked = outcome.requireValue(Looked.class);
                    liveReads.found(((ClusterWork.Look) step).at(), looked.asking(), looked.users());
                }
            }
            case REMOVE, CREATE -> {
                // the current state was read from the store and is in the cache
            }
        }
        if (cache.get(key).isEmpty()) {
            // The object went while the step ran, after the last call of forget.
            forget(key);
        }
    }

    void forget(ObjectKey key) {
        failing.forget(key);
        conflicts.forget(key);
    }
}
