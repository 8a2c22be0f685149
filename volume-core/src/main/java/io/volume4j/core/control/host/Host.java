package io.volume4j.core.control.host;

import io.volume4j.core.control.host.facts.CacheCompleteness;
import io.volume4j.core.control.host.facts.ExhaustedClasses;
import io.volume4j.core.control.host.facts.ObjectUses;
import io.volume4j.core.control.host.facts.StoreFacts;
import io.volume4j.core.control.host.lead.Lead;
import io.volume4j.core.control.host.source.DataSources;
import io.volume4j.core.engine.EventLoop;
import io.volume4j.core.objects.ObjectCache;
import io.volume4j.core.objects.ObjectWaiters;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.EventSink;
import io.volume4j.spi.host.MetricsSink;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.plugin.VolumePlugin;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * What the host offers to its features. Loop thread only, but for the bodies of calls, which may use {@link #plugins}, {@link
 * #lead} and {@link #live} on workers.
 *
 * @param objects the objects of the cluster as the loop knows them; features read, the host writes
 * @param known whether what the cache does not have does not exist
 * @param store what the store itself answered
 * @param uses which objects name which others, where several features ask for it
 * @param sources what claims are filled from
 * @param liveReads who uses what, read from the store for those that asked before the read began
 * @param told which events people were told last
 * @param visits marks objects that are to be looked at
 * @param lead whether this process leads, and what it leaves to newer leaders
 * @param plugins the registered plugins
 * @param calls makes calls out of the work that steps do
 * @param cluster calls to the cluster, for workers
 * @param live reads the store before a destructive call; for workers
 * @param care calls beside the engine, for what people ask for by name
 * @param exhausted tells which storage classes have no room left
 */
public record Host(
        ObjectCache objects,
        CacheCompleteness known,
        StoreFacts store,
        ObjectUses uses,
        DataSources sources,
        LiveReads liveReads,
        EventMemory told,
        Visits visits,
        Lead lead,
        PluginAccess plugins,
        PluginCallFactory calls,
        ClusterCalls cluster,
        LiveReader live,
        CareCalls care,
        ExhaustedClasses exhausted,
        EventLoop loop,
        Executor workers,
        EventSink events,
        MetricsSink metrics) {
    /**
     * The plugin, for a call with effects: returns when no program of an earlier process works for it any more. On a worker.
     *
     * @throws VolumeException transient, if the plugin is not registered now
     */
    public VolumePlugin ready(String plugin, long epoch) {
        VolumePlugin found = plugins.need(plugin);
        lead.ready(found, epoch);
        return found;
    }

    /**
     * Futures of callers that wait until something is true of an object.
     *
     * @param answer what they get for an object now, empty as long as they must wait
     */
    public <T> ObjectWaiters<T> waiters(Function<ObjectKey, Optional<T>> answer) {
        return new ObjectWaiters<>(loop, workers, answer);
    }

    /** The object, if the one of the name still has that UID. */
    public Optional<ApiObject> still(ObjectKey key, String uid) {
        return objects.get(key).filter(found -> found.metadata().uid().equals(uid));
    }

    /** Loop time, in nanoseconds. */
    public long now() {
        return loop.nanoTime();
    }
}
