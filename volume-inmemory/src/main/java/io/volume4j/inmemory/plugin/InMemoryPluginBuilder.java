package io.volume4j.inmemory.plugin;

import io.volume4j.spi.host.SecretResolver;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.plugin.EffectModel;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What an {@link InMemoryPlugin} can do, and what is odd about it. Not thread-safe.
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

    /** The driver that answers the calls; by default the one of the plugin's name. */
    public InMemoryPluginBuilder driver(String name) {
        driver = name;
        return this;
    }

    /** Takes these capabilities away. */
    public InMemoryPluginBuilder without(Capability first, Capability... more) {
        capabilities.removeAll(EnumSet.of(first, more));
        return this;
    }

    /** Lists how its volumes are; without it only single volumes can be asked about. */
    public InMemoryPluginBuilder listsHealth() {
        capabilities.add(Capability.HEALTH_LIST);
        return this;
    }

    /** Leaves these capabilities only. */
    public InMemoryPluginBuilder only(Set<Capability> wanted) {
        capabilities.retainAll(wanted);
        return this;
    }

    /** Mounts nothing even where there is a backend: the storage's record is all that there is. */
    public InMemoryPluginBuilder recordOnly() {
        recordOnly = true;
        return this;
    }

    /**
     * Volumes are disks, as those of a block storage: the device mount is a filesystem on the machine's device {@code
     * /dev/mem/<handle>}, which the host puts there if nothing is on it. By default each is a tmpfs.
     */
    public InMemoryPluginBuilder formats() {
        formats = true;
        return this;
    }

    /** Takes PersistentVolumes whose manifest names no source; their handle is their own name. */
    public InMemoryPluginBuilder fallback() {
        fallback = true;
        return this;
    }

    /** Tells the values of a call's secret in each of its failures, as a careless driver does. */
    public InMemoryPluginBuilder leaksSecrets() {
        leaksSecrets = true;
        return this;
    }

    /** Asks there for secrets; by default it asks its host, which then knows what not to tell on. */
    public InMemoryPluginBuilder secrets(SecretResolver newResolver) {
        resolver = newResolver;
        return this;
    }

    /** Mounted volumes are set up again when their pod changes. */
    public InMemoryPluginBuilder requiresRemount() {
        requiresRemount = true;
        return this;
    }

    /** Volumes are mounted with the SELinux context of their pod. */
    public InMemoryPluginBuilder labels() {
        labels = true;
        return this;
    }

    /** Makes volumes of classes with mount options, which it lets be. */
    public InMemoryPluginBuilder mountOptions() {
        mountOptions = true;
        return this;
    }

    /** Says that it finds out by itself what claims are to be filled from, and fills their volumes with nothing. */
    public InMemoryPluginBuilder dataSources() {
        dataSources = true;
        return this;
    }

    /** It tells how far a snapshot is only when CreateSnapshot is called again. */
    public InMemoryPluginBuilder tellsNoProgress() {
        tellsProgress = false;
        return this;
    }

    /** Volumes grow at the backend only while no pod has them. */
    public InMemoryPluginBuilder growsOffline() {
        growsOnline = false;
        return this;
    }

    /** Volumes grow on a node only while no pod has them. */
    public InMemoryPluginBuilder expandsOffline() {
        expandsOnline = false;
        return this;
    }

    /** Volumes grow on a node only once a pod has them. */
    public InMemoryPluginBuilder expandsUnderPods() {
        expandsBeforePods = false;
        return this;
    }

    /** Says after each growing at the backend that a node must finish it, even where it has no part for nodes. */
    public InMemoryPluginBuilder asksForNodes() {
        asksForNodes = true;
        return this;
    }

    /** How many volumes it says that a node can have, 0 for no limit; by default as many as the storage allows. */
    public InMemoryPluginBuilder saysLimit(long volumes) {
        saysLimit = volumes;
        return this;
    }

    /** It has a driver that knows nodes by names of its own, {@code id-} and the node's name, so that nodes register it. */
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
