package io.volume4j.core.plugins;

import io.volume4j.core.plugins.common.MessageText;
import io.volume4j.core.plugins.common.PathStatsReporter;
import io.volume4j.core.plugins.content.ContentKind;
import io.volume4j.core.plugins.content.ContentMounter;
import io.volume4j.core.plugins.content.ContentSources;
import io.volume4j.core.plugins.content.ContentWatch;
import io.volume4j.core.plugins.content.ContentWatch.Origin;
import io.volume4j.core.plugins.content.ContentWatch.Thing;
import io.volume4j.core.plugins.content.DownwardFields;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.OtherSource;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.plugin.Mounter;
import io.volume4j.spi.plugin.PluginHost;
import io.volume4j.spi.plugin.StatsReporter;
import io.volume4j.spi.plugin.Unmounter;
import io.volume4j.spi.plugin.VolumePlugin;
import io.volume4j.spi.plugin.VolumeSpec;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Mounts content of the API as files: {@code secret}, {@code configMap}, {@code downwardAPI} and {@code projected}.
 *
 * <p>The files are in memory, without swapping if the kernel supports that. The pod gets them read-only. The content
 * comes from the host's {@link io.volume4j.spi.host.SecretResolver}, {@link io.volume4j.spi.host.ConfigResolver} and
 * {@link io.volume4j.spi.host.CertificateResolver}. When the library sets the volume up again, all files change at
 * the same moment, see {@code AtomicWriter}. The library does that when the pod changes, and before a token or
 * certificate expires. It also does it when the host reports a changed secret, config map or trust bundle, or every
 * one to two minutes if the host does not report changes. A set-up that fails leaves the content as it was.
 * Thread-safe.
 *
 * @since 0.1.0
 */
public final class ContentPlugin implements VolumePlugin {
    private final ContentKind kind;
    private final Map<String, Quantity> allocatable;
    private final ContentWatch watch = new ContentWatch();
    private volatile @Nullable Parts parts;

    private record Parts(ContentMounter mounter, PathStatsReporter reporter) {}

    private ContentPlugin(ContentKind kind, Map<String, Quantity> allocatable) {
        this.kind = kind;
        this.allocatable = Collections.unmodifiableMap(new TreeMap<>(allocatable));
    }

    /** Files of a secret, {@code kubernetes.io/secret}. */
    public static ContentPlugin secret() {
        return new ContentPlugin(ContentKind.SECRET, Map.of());
    }

    /** Files of a config map, {@code kubernetes.io/configmap}. */
    public static ContentPlugin configMap() {
        return new ContentPlugin(ContentKind.CONFIG_MAP, Map.of());
    }

    /**
     * Files about the pod itself, {@code kubernetes.io/downward-api}.
     *
     * @param allocatable the node's allocatable resources by name, which are the limit of a container without one.
     *     Missing resources come from {@link PluginHost#allocatable}
     */
    public static ContentPlugin downwardApi(Map<String, Quantity> allocatable) {
        return new ContentPlugin(ContentKind.DOWNWARD_API, allocatable);
    }

    /**
     * All of these in one directory, with tokens of service accounts, trust bundles and certificates of the pod:
     * {@code kubernetes.io/projected}.
     */
    public static ContentPlugin projected(Map<String, Quantity> allocatable) {
        return new ContentPlugin(ContentKind.PROJECTED, allocatable);
    }

    @Override
    public String name() {
        return kind.plugin();
    }

    @Override
    public void init(PluginHost host) {
        Map<String, Quantity> node = new TreeMap<>(host.allocatable());
        node.putAll(allocatable);
        boolean all = kind == ContentKind.PROJECTED;
        boolean secretsTold = (all || kind == ContentKind.SECRET)
                && host.secrets()
                        .tellChanges(
                                secret -> watch.changed(new Origin(Thing.SECRET, secret.namespace(), secret.name())));
        boolean configsTold = (all || kind == ContentKind.CONFIG_MAP)
                && host.configs()
                        .tellChanges((namespace, name) -> watch.changed(new Origin(Thing.CONFIG_MAP, namespace, name)));
        boolean bundlesTold = all && host.certificates().tellChanges(() -> watch.changed(Origin.trustBundles()));
        Map<Thing, Boolean> told = new EnumMap<>(Thing.class);
        told.put(Thing.SECRET, secretsTold);
        told.put(Thing.CONFIG_MAP, configsTold);
        told.put(Thing.TRUST_BUNDLES, bundlesTold);
        ContentMounter mounter = new ContentMounter(
                host,
                kind,
                new ContentSources(host, new DownwardFields(Collections.unmodifiableMap(node))),
                watch,
                thing -> told.getOrDefault(thing, false));
        parts = new Parts(mounter, new PathStatsReporter(host, PathStatsReporter.Bare.NOTHING));
    }

    /** Requests a remount of the volumes that show an object which the host reports as changed. */
    @Override
    public void onContentChange(Consumer<VolumeId> remount) {
        watch.listen(remount);
    }

    /** The names of pod and volume. The files are in a mount of their own, which only the plugin removes. */
    @Override
    public Optional<VolumeId> identify(String podUid, String outerName) {
        return Optional.of(VolumeId.ofPod(name(), outerName, podUid));
    }

    @Override
    public boolean runsPrograms() {
        return false;
    }

    @Override
    public boolean supports(VolumeSpec spec) {
        return spec.source() instanceof OtherSource other && other.type().equals(kind.source());
    }

    @Override
    public String volumeName(VolumeSpec spec) {
        if (supports(spec)) {
            return spec.name();
        }
        throw VolumeException.finalFailure("not a " + kind.source() + " volume: " + MessageText.text(spec.name()));
    }

    @Override
    public boolean shared(VolumeSpec spec) {
        return false;
    }

    @Override
    public boolean requiresRemount(VolumeSpec spec) {
        return true;
    }

    @Override
    public List<AccessMode> accessModes() {
        return List.of(AccessMode.READ_ONLY_MANY);
    }

    @Override
    public Optional<Mounter> mounter(VolumeSpec spec) {
        return Optional.of(ready().mounter());
    }

    @Override
    public Optional<Unmounter> unmounter(VolumeId volume) {
        return Optional.of(ready().mounter());
    }

    /** The usage of the memory that contains the files. */
    @Override
    public Optional<StatsReporter> stats(VolumeSpec spec) {
        return Optional.of(ready().reporter());
    }

    private Parts ready() {
        Parts made = parts;
        if (made == null) {
            throw new IllegalStateException("plugin " + name() + " was not initialised: add it to a PluginRegistry");
        }
        return made;
    }
}
