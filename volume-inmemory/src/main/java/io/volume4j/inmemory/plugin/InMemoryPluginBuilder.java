package io.volume4j.inmemory.plugin;

import io.volume4j.spi.host.SecretResolver;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.plugin.EffectModel;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Builds an {@link InMemoryPlugin} with its capabilities and peculiarities. Not thread-safe.
 *
 * @since 0.1.0
 */
public final class InMemoryPluginBuilder {
    final InMemoryStorage storage;
    final EnumSet<Capability> capabilities = EnumSet.complementOf(EnumSet.of(Capability.HEALTH_LIST));
    String name = InMemoryPlugin.DEFAULT_NAME;
    String driver = "";
    boolean recordOnly;
    boolean formats;
    boolean fallback;
    boolean leaksSecrets;

    @Nullable
    SecretResolver resolver;

    boolean requiresRemount;
    boolean labels;
    boolean mountOptions;
    boolean dataSources;
    boolean growsOnline = true;
    boolean tellsProgress = true;
    boolean expandsOnline = true;
    boolean expandsBeforePods = true;
    boolean asksForNodes;

    @Nullable
    Long saysLimit;

    boolean registersNodes;

    EffectModel effectModel = EffectModel.ordered();
    int maxConcurrentCalls = 16;
    List<AccessMode> accessModes = AccessMode.all();

    InMemoryPluginBuilder(InMemoryStorage storage) {
        this.storage = storage;
    }

    /** Default {@value InMemoryPlugin#DEFAULT_NAME}. */
    public InMemoryPluginBuilder name(String newName) {
        name = newName;
        return this;
    }

    /** The driver that answers the calls; by default the one with the plugin's name. */
    public InMemoryPluginBuilder driver(String name) {
        driver = name;
        return this;
    }

    /** Removes these capabilities. */
    public InMemoryPluginBuilder without(Capability first, Capability... more) {
        capabilities.removeAll(EnumSet.of(first, more));
        return this;
    }

    /** The plugin lists the health of its volumes. Without this call it reports single volumes only. */
    public InMemoryPluginBuilder listsHealth() {
        capabilities.add(Capability.HEALTH_LIST);
        return this;
    }

    /** Keeps only these capabilities. */
    public InMemoryPluginBuilder only(Set<Capability> wanted) {
        capabilities.retainAll(wanted);
        return this;
    }

    /** The plugin mounts nothing, even with a mount backend: only the storage records mounts. */
    public InMemoryPluginBuilder recordOnly() {
        recordOnly = true;
        return this;
    }

    /**
     * Volumes are disks, as in block storage. The device mount is a filesystem on the machine's device
     * {@code /dev/mem/<handle>}, which the host formats if it is blank. By default each volume is a tmpfs.
     */
    public InMemoryPluginBuilder formats() {
        formats = true;
        return this;
    }

    /** The plugin handles PersistentVolumes without a source in their manifest; their handle is their own name. */
    public InMemoryPluginBuilder fallback() {
        fallback = true;
        return this;
    }

    /** Each failure contains the values of the call's secret, as with a careless driver. */
    public InMemoryPluginBuilder leaksSecrets() {
        leaksSecrets = true;
        return this;
    }

    /** The resolver for secrets. By default the plugin asks its host, which then knows the values to redact. */
    public InMemoryPluginBuilder secrets(SecretResolver newResolver) {
        resolver = newResolver;
        return this;
    }

    /** The library sets mounted volumes up again when their pod changes. */
    public InMemoryPluginBuilder requiresRemount() {
        requiresRemount = true;
        return this;
    }

    /** The plugin mounts volumes with the SELinux context of their pod. */
    public InMemoryPluginBuilder labels() {
        labels = true;
        return this;
    }

    /** The plugin accepts classes with mount options, and ignores the options. */
    public InMemoryPluginBuilder mountOptions() {
        mountOptions = true;
        return this;
    }

    /** The plugin says that it resolves data sources of claims itself, but creates empty volumes. */
    public InMemoryPluginBuilder dataSources() {
        dataSources = true;
        return this;
    }

    /** The plugin reports the progress of a snapshot only when CreateSnapshot is repeated. */
    public InMemoryPluginBuilder tellsNoProgress() {
        tellsProgress = false;
        return this;
    }

    /** The backend can expand volumes only while no pod has them. */
    public InMemoryPluginBuilder growsOffline() {
        growsOnline = false;
        return this;
    }

    /** A node can expand volumes only while no pod has them. */
    public InMemoryPluginBuilder expandsOffline() {
        expandsOnline = false;
        return this;
    }

    /** A node can expand volumes only when a pod has them. */
    public InMemoryPluginBuilder expandsUnderPods() {
        expandsBeforePods = false;
        return this;
    }

    /**
     * After each expansion at the backend the plugin says that a node must finish it, even without the node
     * capability.
     */
    public InMemoryPluginBuilder asksForNodes() {
        asksForNodes = true;
        return this;
    }

    /** The reported maximum number of volumes of a node, 0 for no limit; by default the limit of the storage. */
    public InMemoryPluginBuilder saysLimit(long volumes) {
        saysLimit = volumes;
        return this;
    }

    /** The plugin has a driver with its own node ids, {@code id-} and the node's name, so that nodes register it. */
    public InMemoryPluginBuilder registersNodes() {
        registersNodes = true;
        return this;
    }

    /** Default ordered. */
    public InMemoryPluginBuilder effectModel(EffectModel model) {
        effectModel = model;
        return this;
    }

    /** Default 16. */
    public InMemoryPluginBuilder maxConcurrentCalls(int calls) {
        maxConcurrentCalls = calls;
        return this;
    }

    /** Default all. */
    public InMemoryPluginBuilder accessModes(List<AccessMode> modes) {
        accessModes = List.copyOf(modes);
        return this;
    }

    public InMemoryPlugin build() {
        return new InMemoryPlugin(this);
    }
}
