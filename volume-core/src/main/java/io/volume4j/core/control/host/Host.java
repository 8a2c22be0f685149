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
 * The services of the host for its features. Loop thread only, except the bodies of calls, which may use
 * {@link #plugins}, {@link #lead} and {@link #live} on workers.
 * @param objects the cache of the cluster's objects; features read it, the host writes it
 * @param known whether the cache is complete for a kind
 * @param store the answers of live reads
 * @param uses references between objects that several features need
 * @param sources the data sources of claims
 * @param liveReads live reads of the users of objects
 * @param told the events that were sent last
 * @param visits marks objects for a visit
 * @param lead the leadership of this process, and intents of newer leaders
 * @param plugins the registered plugins
 * @param calls creates the calls of steps
 * @param cluster calls to the cluster, for workers
 * @param live reads the store before a destructive call; for workers
 * @param care calls outside of the engine, for requests of people
 * @param exhausted records which storage classes are exhausted
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
     * The plugin, for a call with effects. Blocks until no program of an earlier process works for the plugin. On a worker.
     *
     * @throws VolumeException transient, if the plugin is not registered now
     */
    public VolumePlugin ready(String plugin, long epoch) {
        VolumePlugin found = plugins.need(plugin);
        lead.ready(found, epoch);
        return found;
    }

    /**
     * Futures of callers that wait for a state of an object.
     *
     * @param answer the result for an object now, empty while the caller must wait
     */
    public <T> ObjectWaiters<T> waiters(Function<ObjectKey, Optional<T>> answer) {
        return new ObjectWaiters<>(loop, workers, answer);
    }

    /** The object with this name, if it still has that UID. */
    public Optional<ApiObject> still(ObjectKey key, String uid) {
        return objects.get(key).filter(found -> found.metadata().uid().equals(uid));
    }

    /** Loop time, in nanoseconds. */
    public long now() {
        return loop.nanoTime();
    }
}
