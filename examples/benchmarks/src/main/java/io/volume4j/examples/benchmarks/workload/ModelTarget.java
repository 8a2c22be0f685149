package io.volume4j.examples.benchmarks.workload;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** The polling design model, one for each node. */
final class ModelTarget implements Target {
    private final ScriptedBackend backend;
    private final Map<String, PollingDesignModel> nodes = new ConcurrentHashMap<>();

    ModelTarget(ScriptedBackend backend) {
        this.backend = backend;
    }

    @Override
    public void prepare(String node, List<String> volumes) {
        node(node);
    }

    @Override
    public CompletableFuture<?> mount(String pod, String node, List<String> volumes) {
        return node(node).add(pod, volumes);
    }

    @Override
    public CompletableFuture<?> unmount(String pod, String node) {
        return node(node).remove(pod);
    }

    private PollingDesignModel node(String name) {
        return nodes.computeIfAbsent(
                name,
                n -> new PollingDesignModel(new PollingDesignModel.Backend() {
                    @Override
                    public void mount(String pod, String volume) throws BackendFailure {
                        backend.mount(pod, volume);
                    }

                    @Override
                    public void unmount(String pod, String volume) throws BackendFailure {
                        backend.unmount(pod, volume);
                    }
                }));
    }

    @Override
    public void close() {
        nodes.values().forEach(PollingDesignModel::close);
    }
}
