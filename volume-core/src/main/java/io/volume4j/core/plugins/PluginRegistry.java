package io.volume4j.core.plugins;

import io.volume4j.core.migration.CsiMigration;
import io.volume4j.core.plugins.common.MessageText;
import io.volume4j.core.plugins.registry.ActiveSecrets;
import io.volume4j.core.plugins.registry.PluginNames;
import io.volume4j.core.plugins.registry.SecretTrackingHost;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.FlexVolumeSource;
import io.volume4j.spi.model.OneLine;
import io.volume4j.spi.plugin.PluginHost;
import io.volume4j.spi.plugin.VolumePlugin;
import io.volume4j.spi.plugin.VolumeSpec;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All plugins of a process. Finds the plugin of a volume.
 *
 * <p>Plugins may be added and removed while the registry is in use, as for CSI drivers. Readers never block and
 * always see one consistent set. The registry holds no lock while it calls plugins, listeners or hosts. Thread-safe.
 *
 * <p>If a plugin cannot be loaded, the others still work: see {@link #problems()} and {@link #loadFailure()}.
 *
 * @since 0.1.0
 */
public final class PluginRegistry {
    private static final Logger log = LoggerFactory.getLogger(PluginRegistry.class);

    private final PluginHost host;
    private final ActiveSecrets confidence;
    private final List<PluginProblem> problems;
    private final CsiMigration migration;
    private final CopyOnWriteArrayList<PluginListener> listeners = new CopyOnWriteArrayList<>();
    private final ReentrantLock changing = new ReentrantLock();
    /** Names whose plugins are being initialised; guarded by {@link #changing}. */
    private final Set<String> coming = new HashSet<>();
    /** Immutable. Replaced as a whole, under {@link #changing}. */
    private volatile SortedMap<String, VolumePlugin> plugins;

    private PluginRegistry(
            PluginHost host,
            ActiveSecrets confidence,
            SortedMap<String, VolumePlugin> plugins,
            List<PluginProblem> problems,
            CsiMigration migration) {
        this.host = host;
        this.migration = migration;
        this.confidence = confidence;
        this.plugins = Collections.unmodifiableSortedMap(plugins);
        this.problems = Collections.unmodifiableList(problems);
    }

    /** A builder for a registry whose plugins use this host. */
    public static Builder builder(PluginHost host) {
        return new Builder(host);
    }

    /**
     * The only plugin that handles such a volume.
     *
     * @throws VolumeException final, if no plugin or more than one plugin handles it. The message names the known
     *     plugins. For a source that no plugin will ever handle, the advice names an alternative
     */
    public VolumePlugin find(VolumeSpec spec) {
        List<VolumePlugin> matching = new ArrayList<>(1);
        List<RuntimeException> broken = new ArrayList<>(0);
        for (VolumePlugin plugin : plugins.values()) {
            try {
                if (plugin.supports(spec)) {
                    matching.add(plugin);
                }
            } catch (Throwable e) { // whatever a plugin throws here must not keep the volumes of the others waiting
                broken.add(new IllegalStateException(
                        "plugin " + plugin.name() + " could not tell: " + MessageText.reason(e), e));
            }
        }
        if (matching.size() == 1) {
            return matching.get(0);
        }
        VolumeException failure = matching.isEmpty() ? noneMatched(spec, broken) : severalMatched(spec, matching);
        broken.forEach(failure::addSuppressed);
        throw failure;
    }

    /** The plugin of that name. */
    public Optional<VolumePlugin> byName(String name) {
        return Optional.ofNullable(plugins.get(name));
    }

    /** The translation of in-tree volumes to CSI, which the registry applies before it looks for a plugin. */
    public CsiMigration migration() {
        return migration;
    }

    /** The host of the plugins. */
    public PluginHost host() {
        return host;
    }

    /**
     * Runs a call to a plugin on the caller's thread. The registry removes from its exception every secret that the
     * plugin resolved through its host during the call. When the call returns, it forgets the secrets. The library
     * makes all calls to plugins in this way.
     */
    public <T extends @Nullable Object> T confidentially(Supplier<T> call) {
        return confidence.run(call);
    }

    /**
     * The text without the secrets of the call on this thread. On a thread without a call, without the secrets of all
     * running calls.
     */
    public String withoutSecrets(String text) {
        return confidence.scrub(text);
    }

    /** All current plugins, by name. */
    public List<VolumePlugin> plugins() {
        return List.copyOf(plugins.values());
    }

    /** The plugins that could not be loaded when the registry was built, in the order in which it tried them. */
    public List<PluginProblem> problems() {
        return problems;
    }

    /** All {@link #problems()} as one final failure, for a host that prefers not to start without them. */
    public Optional<VolumeException> loadFailure() {
        if (problems.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(VolumeException.finalFailure(problems.size() + " volume plugin(s) could not be loaded: "
                + problems.stream().map(PluginProblem::toString).collect(Collectors.joining("; "))));
    }

    /**
     * Initialises a plugin with {@link VolumePlugin#init}, and adds it.
     * @throws VolumeException final, if its name is not valid or another plugin has it, or if {@code init} fails
     */
    public void add(VolumePlugin plugin) {
        admit(plugin, false);
    }

    /**
     * Adds a plugin, and atomically replaces an existing plugin with the same name.
     * @throws VolumeException final, if its name is not valid or {@code init} fails; the old plugin then stays
     */
    public void replace(VolumePlugin plugin) {
        admit(plugin, true);
    }

    /**
     * Removes the plugin with that name. Does not affect its running calls.
     *
     * @return whether there was one
     */
    public boolean remove(String name) {
        changing.lock();
        try {
            SortedMap<String, VolumePlugin> next = new TreeMap<>(plugins);
            if (next.remove(name) == null) {
                return false;
            }
            plugins = Collections.unmodifiableSortedMap(next);
        } finally {
            changing.unlock();
        }
        tell(name);
        return true;
    }

    /** Registers a listener for later changes. */
    public void addListener(PluginListener listener) {
        listeners.add(Objects.requireNonNull(listener, "listener"));
    }

    /** Removes a listener. Does nothing for an unknown listener. */
    public void removeListener(PluginListener listener) {
        listeners.remove(listener);
    }

    private void admit(VolumePlugin plugin, boolean mayReplace) {
        String name = nameOf(plugin);
        changing.lock();
        try {
            if (!coming.add(name)) {
                throw VolumeException.finalFailure("a volume plugin named " + name + " is being added already");
            }
            if (!mayReplace && plugins.containsKey(name)) {
                coming.remove(name);
                throw VolumeException.finalFailure("a volume plugin named " + name + " is there already")
                        .withAdvice("remove that one first, or register one of another name");
            }
        } finally {
            changing.unlock();
        }
        boolean ready = false;
        try {
            initialise(plugin, name, host, confidence);
            ready = true;
        } finally {
            changing.lock();
            try {
                coming.remove(name);
                if (ready) {
                    SortedMap<String, VolumePlugin> next = new TreeMap<>(plugins);
                    next.put(name, plugin);
                    plugins = Collections.unmodifiableSortedMap(next);
                }
            } finally {
                changing.unlock();
            }
        }
        tell(name);
    }

    private void tell(String name) {
        log.atInfo()
                .addKeyValue("plugin", name)
                .addKeyValue("here", plugins.containsKey(name))
                .log("plugin came or went");
        for (PluginListener listener : listeners) {
            try {
                listener.changed(name);
            } catch (Throwable e) {
                log.atWarn()
                        .setCause(e)
                        .addKeyValue("plugin", name)
                        .addKeyValue("reason", MessageText.text(MessageText.reason(e)))
                        .log("listener of plugins failed");
            }
        }
    }

    private VolumeException noneMatched(VolumeSpec spec, List<RuntimeException> broken) {
        Optional<VolumeException> unsupported = UnsupportedSources.failure(spec);
        if (unsupported.isPresent()) {
            return unsupported.get();
        }
        String message = "no volume plugin matched " + describe(spec) + "; known: " + names(plugins.values());
        if (!problems.isEmpty()) {
            message += "; not loaded: "
                    + problems.stream().map(PluginProblem::toString).collect(Collectors.joining("; "));
        }
        if (!broken.isEmpty()) {
            message += "; " + broken.stream().map(Throwable::getMessage).collect(Collectors.joining("; "));
            return VolumeException.finalFailure(message)
                    .withAdvice("mend the plugin that could not tell, or remove it");
        }
        VolumeException failure = VolumeException.finalFailure(message);
        if (spec.source() instanceof CsiSource csi) {
            return failure.withAdvice(
                    "start the driver " + OneLine.name(csi.driver()) + " or add a plugin of that name");
        }
        return spec.source() instanceof FlexVolumeSource flex
                ? failure.withAdvice("install the driver's executable as "
                        + OneLine.name(flex.driver().replace('/', '~') + "/"
                                + flex.driver().substring(flex.driver().lastIndexOf('/') + 1))
                        + " in the directory of flexvolume drivers, which FlexVolumes.start follows")
                : failure;
    }

    private static VolumeException severalMatched(VolumeSpec spec, List<VolumePlugin> matching) {
        return VolumeException.finalFailure(
                        "multiple volume plugins matched: " + names(matching) + " (for " + describe(spec) + ")")
                .withAdvice("remove all but one of them from the registry");
    }

    private static String describe(VolumeSpec spec) {
        String type = spec.source().type().isEmpty()
                ? "no source"
                : "source " + MessageText.text(spec.source().type());
        String name = spec.source() instanceof CsiSource csi
                ? csi.driver()
                : spec.source() instanceof FlexVolumeSource flex ? flex.driver() : "";
        String driver = name.isEmpty() ? "" : " of driver " + MessageText.text(name);
        return "volume " + MessageText.text(spec.name()) + " with " + type + driver;
    }

    private static String names(Collection<VolumePlugin> plugins) {
        return plugins.isEmpty()
                ? "none"
                : plugins.stream().map(VolumePlugin::name).sorted().collect(Collectors.joining(", "));
    }

    /** The plugin's name, checked. */
    private static String nameOf(VolumePlugin plugin) {
        String name;
        try {
            name = Objects.requireNonNull(
                    plugin.name(), () -> "name() returned null; it must return " + PluginNames.RULE);
        } catch (Throwable e) {
            throw VolumeException.finalFailure(
                            plugin.getClass().getName() + " does not tell its name: " + MessageText.reason(e))
                    .withCause(e);
        }
        if (!PluginNames.valid(name)) {
            throw VolumeException.finalFailure(MessageText.text(name)
                    + " is not a valid name for a volume plugin; it must be " + PluginNames.RULE);
        }
        return name;
    }

    private static void initialise(VolumePlugin plugin, String name, PluginHost host, ActiveSecrets confidence) {
        try {
            confidence.run(() -> {
                plugin.init(new SecretTrackingHost(host, confidence));
                return name;
            });
        } catch (Throwable e) {
            throw VolumeException.finalFailure("volume plugin " + name + " could not start: " + MessageText.reason(e))
                    .withCause(e);
        }
    }

    /**
     * Builds a registry. Not thread-safe. If several plugins have the same name, {@link #plugin} wins over
     * {@link #discover}, and {@link #discover} wins over {@link #defaults}.
     */
    public static final class Builder {
        private final PluginHost host;
        private final List<VolumePlugin> explicit = new ArrayList<>();
        private final List<PluginProblem> undiscovered = new ArrayList<>();
        private final List<VolumePlugin> discovered = new ArrayList<>();
        private final List<VolumePlugin> defaults = new ArrayList<>();
        private CsiMigration migration = CsiMigration.standard();

        private Builder(PluginHost host) {
            this.host = Objects.requireNonNull(host, "host");
        }

        /**
         * Adds a plugin of the host. If two have the same name, the second is not loaded and is reported as a
         * problem.
         */
        public Builder plugin(VolumePlugin plugin) {
            explicit.add(Objects.requireNonNull(
                    plugin, "plugin(…) was given null: give a VolumePlugin, or leave the call out"));
            return this;
        }

        /** Adds several plugins of the host. */
        public Builder plugins(Collection<? extends VolumePlugin> all) {
            all.forEach(this::plugin);
            return this;
        }

        /** Adds the plugins that {@link java.util.ServiceLoader} finds with this class loader. */
        public Builder discover(ClassLoader loader) {
            return discovered(DiscoveredPlugins.through(loader));
        }

        /** Adds default plugins. They are used unless another plugin with the same name is added or found. */
        public Builder defaults(Collection<? extends VolumePlugin> all) {
            defaults.addAll(all);
            return this;
        }

        /** The translation of in-tree volumes to CSI; {@link CsiMigration#standard()} by default. */
        public Builder migration(CsiMigration value) {
            migration = Objects.requireNonNull(value, "migration");
            return this;
        }

        Builder discovered(DiscoveredPlugins found) {
            discovered.addAll(found.plugins());
            undiscovered.addAll(found.problems());
            return this;
        }

        /**
         * Builds the registry. Initialises every plugin once. A plugin that fails is not in the registry;
         * {@link PluginRegistry#problems()} reports it.
         */
        public PluginRegistry build() {
            ActiveSecrets confidence = new ActiveSecrets();
            Loading loading = new Loading(host, confidence, undiscovered);
            loading.load(explicit);
            loading.load(discovered);
            loading.load(defaults);
            for (PluginProblem problem : loading.problems) {
                log.atWarn()
                        .addKeyValue("plugin", problem.plugin())
                        .addKeyValue("reason", problem.reason())
                        .log("plugin not loaded");
            }
            return new PluginRegistry(host, confidence, loading.loaded, loading.problems, migration);
        }
    }

    /** Loads the plugins. A name belongs to the first origin that has it, even if its plugin fails. */
    private static final class Loading {
        private final PluginHost host;
        private final ActiveSecrets confidence;
        private final SortedMap<String, VolumePlugin> loaded = new TreeMap<>();
        private final List<PluginProblem> problems;
        private final Set<String> takenBefore = new HashSet<>();

        Loading(PluginHost host, ActiveSecrets confidence, List<PluginProblem> before) {
            this.host = host;
            this.confidence = confidence;
            this.problems = new ArrayList<>(before);
        }

        void load(List<VolumePlugin> origin) {
            Set<String> names = new HashSet<>();
            for (VolumePlugin plugin : origin) {
                String name = plugin.getClass().getName();
                try {
                    name = nameOf(plugin);
                    if (takenBefore.contains(name)) {
                        continue;
                    }
                    if (!names.add(name)) {
                        throw VolumeException.finalFailure("its name is taken by another volume plugin")
                                .withAdvice("give plugin(…) one of that name only");
                    }
                    initialise(plugin, name, host, confidence);
                    loaded.put(name, plugin);
                } catch (VolumeException e) {
                    problems.add(new PluginProblem(name, e.getMessage()));
                }
            }
            takenBefore.addAll(names);
        }
    }
}
