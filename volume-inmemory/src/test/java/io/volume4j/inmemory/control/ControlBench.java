package io.volume4j.inmemory.control;

import io.volume4j.core.control.run.BindingAgent;
import io.volume4j.core.control.run.ControlOptions;
import io.volume4j.core.control.run.ControlPorts;
import io.volume4j.core.explain.Explanation;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.inmemory.host.InMemoryPluginHost;
import io.volume4j.inmemory.host.RecordingEvents;
import io.volume4j.inmemory.host.RecordingMetrics;
import io.volume4j.inmemory.plugin.InMemoryPlugin;
import io.volume4j.inmemory.plugin.InMemoryStorage;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterWriter;
import io.volume4j.spi.host.LeaderEpoch;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumeBindingMode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A cluster, a backend, and a controller over them that runs in virtual time and can be killed at any write. */
final class ControlBench {
    final InMemoryCluster cluster = InMemoryCluster.create();
    final InMemoryStorage storage = InMemoryStorage.create();
    final InMemoryPlugin plugin = InMemoryPlugin.on(storage);
    final PluginRegistry plugins;
    final RecordingEvents events = new RecordingEvents();
    final RecordingMetrics metrics = new RecordingMetrics();
    VirtualLoop loop = new VirtualLoop();

    @Nullable
    BindingAgent agent;

    private LeaderEpoch leader = LeaderEpoch.alone();
    private int starts;
    private int writesUntilCrash = Integer.MAX_VALUE;

    ControlBench() {
        plugins = PluginRegistry.builder(InMemoryPluginHost.named("").build())
                .plugin(plugin)
                .build();
    }

    ControlBench given(ApiObject... objects) {
        for (ApiObject object : objects) {
            cluster.apply(object);
        }
        return this;
    }

    ControlBench leader(LeaderEpoch value) {
        leader = value;
        return this;
    }

    /** Starts a controller, in place of one that was killed if there was one. */
    ControlBench start() {
        starts++;
        loop = new VirtualLoop();
        agent = newAgent(loop, "p" + starts);
        agent.start();
        return this;
    }

    BindingAgent newAgent(VirtualLoop on, String process) {
        ControlOptions standard = ControlOptions.standard();
        return new BindingAgent(
                new ControlPorts(
                        process,
                        cluster,
                        new Mortal(on),
                        plugins,
                        on,
                        on::work,
                        new Random(1),
                        leader,
                        events,
                        metrics),
                new ControlOptions(
                        standard.clusterDeadline(),
                        standard.pluginDeadline(),
                        standard.clusterCalls(),
                        Map.of(),
                        standard.backoff(),
                        standard.limits(),
                        0));
    }

    /** Runs everything that is ready and whatever falls due within some minutes. */
    ControlBench settle() {
        loop.advance(Duration.ofMinutes(15));
        return this;
    }

    /** Runs only what is ready now. */
    ControlBench run() {
        loop.runReady();
        return this;
    }

    ControlBench startAndSettle() {
        return start().settle();
    }

    /** The process dies right after its n-th write from now on was done, before it hears of it. */
    ControlBench crashAfterWrite(int n) {
        writesUntilCrash = n;
        return this;
    }

    boolean crashed() {
        return loop.dead();
    }

    void kill() {
        loop.kill();
    }

    PersistentVolumeClaim claim(String name) {
        return (PersistentVolumeClaim) cluster.get(GivenClaim.key(name)).orElseThrow();
    }

    PersistentVolume volume(String name) {
        return (PersistentVolume) cluster.get(ObjectKey.volume(name)).orElseThrow();
    }

    boolean has(ObjectKey key) {
        return cluster.get(key).isPresent();
    }

    List<PersistentVolume> volumes() {
        return cluster.export().stream()
                .filter(object -> object.kind() == Kind.PERSISTENT_VOLUME)
                .map(PersistentVolume.class::cast)
                .toList();
    }

    List<String> writes() {
        return cluster.writes().stream().map(write -> write.text()).toList();
    }

    /** Reasons of the events about an object, in order. */
    List<String> told(ObjectKey key) {
        return events.about(key).stream().map(event -> event.reason()).collect(Collectors.toList());
    }

    Explanation explain(ObjectKey key) {
        var future = started().explain(key);
        loop.runReady();
        return future.join();
    }

    BindingAgent started() {
        if (agent == null) {
            throw new IllegalStateException("not started");
        }
        return agent;
    }

    static StorageClass storageClass(String name, String provisioner) {
        return storageClass(name, provisioner, ReclaimPolicy.DELETE, VolumeBindingMode.IMMEDIATE);
    }

    static StorageClass storageClass(
            String name, String provisioner, ReclaimPolicy policy, VolumeBindingMode bindingMode) {
        return new StorageClass(
                ObjectMeta.named("", name).withUid("uid-" + name),
                provisioner,
                Map.of(),
                policy,
                List.of(),
                true,
                bindingMode,
                null,
                Unmodeled.none());
    }

    static Node node(String name, Map<String, String> labels) {
        return new Node(
                ObjectMeta.named("", name).withUid("uid-" + name).withLabels(labels),
                new Node.Spec(List.of()),
                new Node.Status(true, List.of(), List.of(), Map.of()),
                Unmodeled.none());
    }

    /** The cluster, as a process sees it that may die in the middle of a write. */
    private final class Mortal implements ClusterWriter {
        private final VirtualLoop process;

        Mortal(VirtualLoop process) {
            this.process = process;
        }

        @Override
        public ApiObject create(ApiObject object) {
            mustLive();
            ApiObject stored = cluster.create(object);
            survive();
            return stored;
        }

        @Override
        public ApiObject patch(ObjectKey key, Patch patch) {
            mustLive();
            ApiObject stored = cluster.patch(key, patch);
            survive();
            return stored;
        }

        @Override
        public void delete(ObjectKey key, Preconditions preconditions) {
            mustLive();
            cluster.delete(key, preconditions);
            survive();
        }

        private void mustLive() {
            if (process.dead()) {
                throw new ClusterException(ClusterException.Reason.UNAVAILABLE, "this process is dead");
            }
        }

        private void survive() {
            writesUntilCrash--;
            if (writesUntilCrash == 0) {
                process.kill();
                throw new ClusterException(ClusterException.Reason.UNAVAILABLE, "this process is dead");
            }
        }
    }
}
