package io.volume4j.core.plugins;

import io.volume4j.core.migration.CsiMigration;
import io.volume4j.core.plugins.common.MessageText;
import io.volume4j.core.plugins.registry.ActiveSecrets;
import io.volume4j.core.plugins.registry.PluginNames;
import io.volume4j.core.plugins.registry.SecretTrackingHost;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.FlexVolumeSource;
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
 * All plugins of a process, and which of them a volume belongs to.
 *
 * <p>Plugins may come and go while the registry is in use, as CSI drivers do. Readers never block and always see one
 * consistent set. Plugins, listeners and hosts are never called with a lock held. Thread-safe.
 *
 * <p>A plugin that could not be loaded does not keep the others from working: see {@link #problems()} and {@link
 * #loadFailure()}.
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
    /** Never changed in place: replaced as a whole, under {@link #changing}. */
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

    /** Begins a registry whose plugins get to see the host. */
    public static Builder builder(PluginHost host) {
        return new Builder(host);
    }

    /**
     * The one plugin that handles such a volume.
     *
     * @throws VolumeException final, if there is none or more than one; the message names those that are known and, for a
     *     source that no plugin will ever handle, what to use in its place
     */
    public VolumePlugin find(VolumeSpec spec) {
        List<VolumePlugin> matching = new ArrayList<>(1);
        List<RuntimeException> broken = new ArrayList<>(0);
        for (VolumePlugin plugin : plugins.values()) {
            try {
                if (plugin.supports(spec)) {
                    matching.add(plugin);
                }
            } catch (RuntimeException | LinkageError e) {
                broken.add(new IllegalStateException(
                        "plugin " + plugin.name() + " could not tell: " + MessageText.reason(e), e));
            }
        }
        if (matching.size() == 1) {
            return matching.get(0);
        }
        VolumeException failure = matching.isEmpty() ? noneMatched(spec) : severalMatched(spec, matching);
        broken.forEach(failure::addSuppressed);
        throw failure;
    }

    /** The plugin of that name. */
    public Optional<VolumePlugin> byName(String name) {
        return Optional.ofNullable(plugins.get(name));
    }

    /** How descriptions of storage are put in the words of the drivers that handle it now, before a plugin is looked up. */
    public CsiMigration migration() {
        return migration;
    }

    /** What the plugins see of their process. */
    public PluginHost host() {
        return host;
    }

    /**
     * Runs a call of a plugin on the caller's thread. What it throws comes out without any secret that the plugin resolved
     * through its host meanwhile; the secrets are forgotten when it returns. The library makes all its calls so.
     */
    public <T extends @Nullable Object> T confidentially(Supplier<T> call) {
        return confidence.run(call);
    }

    /**
     * The text without the secrets that the call on this thread was told; on a thread without a call, those of all calls that
     * are under way.
     */
    public String withoutSecrets(String text) {
        return confidence.scrub(text);
    }

    /** All plugins as they are now, by name. */
    public List<VolumePlugin> plugins() {
        return List.copyOf(plugins.values());
    }

    /** What could not be loaded when the registry was built, in the order in which it was tried. */
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
     * Takes a plugin in, after {@link VolumePlugin#init}.
     *
     * @throws VolumeException final, if its name is not valid or taken, or if it could not be initialised
     */
    public void add(VolumePlugin plugin) {
        admit(plugin, false);
    }

    /**
     * Takes a plugin in, in place of the one of the same name if there is one. There is no moment without either.
     *
     * @throws VolumeException final, if its name is not valid or it could not be initialised; the old one stays then
     */
    public void replace(VolumePlugin plugin) {
        admit(plugin, true);
    }

    /**
     * Forgets the plugin of that name. Calls to it that are under way are not affected.
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

    /** Has the listener told of every later change. */
    public void addListener(PluginListener listener) {
        listeners.add(Objects.requireNonNull(listener, "listener"));
    }

    /** Ends what {@link #addListener} began; unknown is no error. */
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
            } catch (RuntimeException | Error e) {
                log.warn(
                        "event=plugin-listener-failed plugin={} reason={}",
                        name,
                        MessageText.text(MessageText.reason(e)),
                        e);
            }
        }
    }

    private VolumeException noneMatched(VolumeSpec spec) {
        Optional<VolumeException> unsupported = UnsupportedSources.failure(spec);
        if (unsupported.isPresent()) {
            return unsupported.get();
        }
        String message = "no volume plugin matched " + describe(spec) + "; known: " + names(plugins.values());
        if (!problems.isEmpty()) {
            message += "; not loaded: "
                    + problems.stream().map(PluginProblem::toString).collect(Collectors.joining("; "));
        }
        VolumeException failure = VolumeException.finalFailure(message);
        if (spec.source() instanceof CsiSource csi) {
            return failure.withAdvice("start the driver " + csi.driver() + " or add a plugin of that name");
        }
        return spec.source() instanceof FlexVolumeSource flex
                ? failure.withAdvice(
                        "install the driver's executable as " + flex.driver().replace('/', '~')
                                + "/" + flex.driver().substring(flex.driver().lastIndexOf('/') + 1)
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
        } catch (RuntimeException | LinkageError e) {
            throw VolumeException.finalFailure(
                            plugin.getClass().getName() + " does not tell its name: " + MessageText.reason(e))
                    .withCause(e);
        }
        if (!PluginNames.valid(name)) {
            throw VolumeException.finalFailure(
                    MessageText.text(name) + " is no name for a volume plugin; it must be " + PluginNames.RULE);
        }
        return name;
    }

    private static void initialise(VolumePlugin plugin, String name, PluginHost host, ActiveSecrets confidence) {
        try {
            confidence.run(() -> {
                plugin.init(new SecretTrackingHost(host, confidence));
                return name;
            });
        } catch (RuntimeException | LinkageError e) {
            throw VolumeException.finalFailure("volume plugin " + name + " could not start: " + MessageText.reason(e))
                    .withCause(e);
        }
    }

    /** Collects plugins. Not thread-safe. Of plugins with the same name, the origin that comes first here wins. */
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

        /** A plugin that the host brings. Two of one name are a problem: the second is not loaded. */
        public Builder plugin(VolumePlugin plugin) {
            explicit.add(Objects.requireNonNull(
                    plugin, "plugin(…) was given null: give a VolumePlugin, or leave the call out"));
            return this;
        }

        /** Several of them. */
        public Builder plugins(Collection<? extends VolumePlugin> all) {
            all.forEach(this::plugin);
            return this;
        }

        /** What {@link java.util.ServiceLoader} finds through the class loader. */
        public Builder discover(ClassLoader loader) {
            return discovered(DiscoveredPlugins.through(loader));
        }

        /** Plugins that are there unless one of the same name is added or found. */
        public Builder defaults(Collection<? extends VolumePlugin> all) {
            defaults.addAll(all);
            return this;
        }

        /** How storage that Kubernetes once handled itself is translated; {@link CsiMigration#standard()} by default. */
        public Builder migration(CsiMigration value) {
            migration = Objects.requireNonNull(value, "migration");
            return this;
        }

        Builder discovered(DiscoveredPlugins found) {
            discovered.addAll(found.plugins());
            undiscovered.addAll(found.problems());
            return this;
        }

        /** Initialises every plugin, once each. A plugin that fails is left out and told of. */
        public PluginRegistry build() {
            ActiveSecrets confidence = new ActiveSecrets();
            Loading loading = new Loading(host, confidence, undiscovered);
            loading.load(explicit);
            loading.load(discovered);
            loading.load(defaults);
            for (PluginProblem problem : loading.problems) {
                log.warn("event=plugin-not-loaded plugin={} reason={}", problem.plugin(), problem.reason());
            }
            return new PluginRegistry(host, confidence, loading.loaded, loading.problems, migration);
        }
    }

    /** One run of loading. A name stays with the origin that had it first, even if its plugin fails. */
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
