package io.volume4j.inmemory.control;

import io.volume4j.inmemory.plugin.InMemoryStorage;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.NodeSelector;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.plugin.Deleter;
import io.volume4j.spi.plugin.Expander;
import io.volume4j.spi.plugin.GroupSnapshotter;
import io.volume4j.spi.plugin.Inventory;
import io.volume4j.spi.plugin.Modifier;
import io.volume4j.spi.plugin.NodeExpander;
import io.volume4j.spi.plugin.PluginHost;
import io.volume4j.spi.plugin.Provisioner;
import io.volume4j.spi.plugin.Provisioner.ProvisionResult;
import io.volume4j.spi.plugin.Recycler;
import io.volume4j.spi.plugin.Snapshotter;
import io.volume4j.spi.plugin.VolumePlugin;
import io.volume4j.spi.plugin.VolumeSpec;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The in-memory plugin, one of whose volumes can be made to look a byte smaller than was asked for, and that lists them. */
final class ShrinkingPlugin implements VolumePlugin {
    private final VolumePlugin real;
    private final InMemoryStorage storage;
    boolean next;

    /** Whether its backend expands only volumes that no pod uses. */
    boolean offline;

    /** Done at the start of each deletion. */
    Runnable whenDeleting = () -> {};

    /** The nodes that reach volumes that are made from now on, null for all. */
    @Nullable
    NodeSelector reach;

    ShrinkingPlugin(VolumePlugin real, InMemoryStorage storage) {
        this.real = real;
        this.storage = storage;
    }

    @Override
    public Optional<Inventory> inventory() {
        return Optional.of(context -> new Inventory.Holdings(
                storage.volumes().stream()
                        .map(volume -> new Inventory.Held(volume.handle(), 0))
                        .toList(),
                true));
    }

    @Override
    public String name() {
        return real.name();
    }

    @Override
    public void init(PluginHost host) {
        real.init(host);
    }

    @Override
    public boolean supports(VolumeSpec spec) {
        return real.supports(spec);
    }

    @Override
    public String volumeName(VolumeSpec spec) {
        return real.volumeName(spec);
    }

    @Override
    public List<AccessMode> accessModes() {
        return real.accessModes();
    }

    @Override
    public List<VolumeMode> volumeModes() {
        return real.volumeModes();
    }

    @Override
    public Optional<Provisioner> provisioner(StorageClass storageClass) {
        return real.provisioner(storageClass).map(provisioner -> (request, context) -> {
            ProvisionResult made = provisioner.provision(request, context);
            boolean smaller = next;
            next = false;
            if (reach != null) {
                made = made.onlyOn(reach);
            }
            return smaller ? ProvisionResult.of(made.source(), request.requestedBytes() - 1) : made;
        });
    }

    @Override
    public Optional<Snapshotter> snapshotter() {
        return real.snapshotter();
    }

    @Override
    public Optional<GroupSnapshotter> groupSnapshotter() {
        return real.groupSnapshotter();
    }

    @Override
    public boolean fillsFromContent() {
        return real.fillsFromContent();
    }

    @Override
    public Optional<Deleter> deleter(VolumeSpec spec) {
        return real.deleter(spec).map(deleter -> (volume, context) -> {
            whenDeleting.run();
            deleter.delete(volume, context);
        });
    }

    @Override
    public Optional<Recycler> recycler(VolumeSpec spec) {
        return real.recycler(spec);
    }

    @Override
    public Optional<Expander> expander(VolumeSpec spec) {
        return real.expander(spec).map(expander -> new Expander() {
            @Override
            public ExpandResult expand(ExpandRequest request, CallContext context) {
                return expander.expand(request, context);
            }

            @Override
            public boolean online() {
                return !offline;
            }
        });
    }

    @Override
    public Optional<NodeExpander> nodeExpander(VolumeSpec spec) {
        return real.nodeExpander(spec);
    }

    @Override
    public Optional<Modifier> modifier(VolumeSpec spec) {
        return real.modifier(spec);
    }
}
