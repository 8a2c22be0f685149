package io.volume4j.inmemory.plugin;

import static io.volume4j.inmemory.plugin.Volumes.attach;
import static io.volume4j.inmemory.plugin.Volumes.detach;
import static io.volume4j.inmemory.plugin.Volumes.id;
import static io.volume4j.inmemory.plugin.Volumes.provision;
import static io.volume4j.inmemory.plugin.Volumes.publish;
import static io.volume4j.inmemory.plugin.Volumes.stage;
import static io.volume4j.inmemory.plugin.Volumes.unpublish;
import static io.volume4j.inmemory.plugin.Volumes.unstage;
import static io.volume4j.inmemory.plugin.Volumes.volume;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.volume4j.inmemory.host.InMemoryPluginHost;
import io.volume4j.inmemory.host.ManualCallContext;
import io.volume4j.inmemory.oracle.Violation;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.plugin.Deleter.DeleteRequest;
import io.volume4j.spi.plugin.NodeExpander.NodeExpandRequest;
import io.volume4j.spi.plugin.PluginState;
import io.volume4j.spi.plugin.Provisioner.ProvisionResult;
import io.volume4j.spi.plugin.VolumeSpec;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** A backend, the plugin on one node of it, and its calls in short. */
abstract class PluginBench {
    static final long GIB = 1L << 30;

    final ManualCallContext context = new ManualCallContext();
    InMemoryStorage storage = InMemoryStorage.create();
    InMemoryPlugin plugin = pluginOn("n1");

    void use(InMemoryStorage newStorage) {
        storage = newStorage;
        plugin = pluginOn("n1");
    }

    InMemoryPlugin pluginOn(String node) {
        InMemoryPlugin made = InMemoryPlugin.on(storage);
        made.init(InMemoryPluginHost.named(node).build());
        return made;
    }

    VolumeException failure(ThrowingCallable call) {
        return catchThrowableOfType(VolumeException.class, call);
    }

    List<String> rules() {
        return storage.violations().stream().map(Violation::rule).toList();
    }

    ProvisionResult provisioned(String name, long bytes) {
        return plugin.provisioner(Volumes.CLASS).orElseThrow().provision(provision(name, bytes, 0), context);
    }

    void delete(String name, ProvisionResult made) {
        plugin.deleter(volume(name)).orElseThrow().delete(new DeleteRequest(name, made.source()), context);
    }

    String attached(VolumeSpec spec, String node) {
        return plugin.attacher(spec)
                .orElseThrow()
                .attach(attach(spec, node), context)
                .devicePath();
    }

    void detached(String handle, String node) {
        plugin.detacher(id(handle)).orElseThrow().detach(detach(handle, node), context);
    }

    void staged(VolumeSpec spec) {
        plugin.deviceMounter(spec).orElseThrow().mountDevice(stage(spec), context);
    }

    void unstaged(String handle) {
        plugin.deviceUnmounter(id(handle)).orElseThrow().unmountDevice(unstage(handle), context);
    }

    void published(VolumeSpec spec, String podUid) {
        plugin.mounter(spec).orElseThrow().mount(publish(spec, podUid, false), context);
    }

    void unpublished(String handle, String podUid) {
        plugin.unmounter(id(handle)).orElseThrow().unmount(unpublish(handle, podUid), context);
    }

    void expandOnNode(VolumeSpec spec, long bytes) {
        plugin.nodeExpander(spec)
                .orElseThrow()
                .expand(
                        new NodeExpandRequest(spec, id(spec.name()), "", null, bytes, GIB, PluginState.none()),
                        context);
    }

    void inUse(String handle, String podUid) {
        attached(volume(handle), "n1");
        staged(volume(handle));
        published(volume(handle), podUid);
    }
}
