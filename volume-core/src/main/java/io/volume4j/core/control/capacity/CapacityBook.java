package io.volume4j.core.control.capacity;

import io.volume4j.core.control.host.Host;
import io.volume4j.core.objects.ObjectCache;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.CsiNode;
import io.volume4j.spi.model.CsiStorageCapacity;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.NameRule;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.NodeSelector;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.model.VolumeBindingMode;
import io.volume4j.spi.plugin.CapacityReporter.Capacity;
import io.volume4j.spi.plugin.VolumePlugin;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The capacity objects that must exist, and the plugins' last answers. There is one object for each class that waits for its first
 * consumer and whose plugin reports capacity, and for each segment. Segments are the different values of the driver's topology
 * labels on the nodes where it is registered; without labels there is one segment for all nodes. The object's name is a digest of
 * these, so that there are no duplicates. Loop thread only.
 */
final class CapacityBook {
    private static final List<Kind> NEEDED =
            List.of(Kind.STORAGE_CLASS, Kind.NODE, Kind.CSI_NODE, Kind.CSI_STORAGE_CAPACITY);

    /** Combines many changes into one refresh. */
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final Host host;
    private final ObjectCache objects;
    private final String namespace;
    private final String only;

    /** The plugins that this process serves and that have been registered since it began. */
    private final Set<String> met = new HashSet<>();

    private boolean refreshing;
    private boolean ready;
    private final Map<String, List<Map<String, String>>> segments = new HashMap<>();
    private final Map<ObjectKey, Answer> answers = new HashMap<>();
    private Map<ObjectKey, Wanted> wanted = new LinkedHashMap<>();

    /**
     * @param namespace the namespace of the objects
     * @param only the only plugin with objects of this process, {@code ""} for all
     */
    CapacityBook(Host host, String namespace, String only) {
        this.host = host;
        this.objects = host.objects();
        this.namespace = namespace;
        this.only = only;
    }

    /** Whether the required objects are known. Before that, no object counts as superfluous. */
    boolean ready() {
        return ready;
    }

    /** The content of the object, null if it must not exist. */
    @Nullable
    Wanted wanted(ObjectKey key) {
        return wanted.get(key);
    }

    /** Whether it is the task of another process to decide about the object, because this process serves only another plugin. */
    boolean ofAnother(CsiStorageCapacity published) {
        return !serves(published.metadata().labels().getOrDefault(CapacityPlanner.DRIVER, ""));
    }

    /**
     * Whether the object may be required although it is not wanted here: an earlier process published it, and its plugin registers
     * later, or another process serves its plugin.
     */
    boolean awaitsPlugin(CsiStorageCapacity published) {
        return objects.all(Kind.STORAGE_CLASS).stream()
                .filter(StorageClass.class::isInstance)
                .map(StorageClass.class::cast)
                .filter(each -> each.metadata().name().equals(published.storageClassName()))
                .filter(each -> each.volumeBindingMode() == VolumeBindingMode.WAIT_FOR_FIRST_CONSUMER)
                .anyMatch(each -> !met.contains(
                        host.plugins().migration().toCsiIfPossible(each).provisioner()));
    }

    @Nullable
    Answer answer(ObjectKey key) {
        return answers.get(key);
    }

    /** Stores a plugin's answer. */
    void answered(ObjectKey key, Capacity capacity, long now) {
        if (wanted.containsKey(key)) {
            answers.put(key, new Answer(capacity, now, false));
        }
    }

    /** Soon updates the required objects, because nodes, their drivers, classes or plugins may have changed. */
    void refreshSoon() {
        if (!refreshing) {
            refreshing = true;
            host.loop().schedule(PAUSE, () -> {
                refreshing = false;
                refresh();
            });
        }
    }

    private void refresh() {
        if (!NEEDED.stream().allMatch(objects::complete)) {
            return;
        }
        segments.clear();
        Map<ObjectKey, Wanted> next = new LinkedHashMap<>();
        for (ApiObject object : objects.all(Kind.STORAGE_CLASS)) {
            if (object instanceof StorageClass given
                    && given.volumeBindingMode() == VolumeBindingMode.WAIT_FOR_FIRST_CONSUMER) {
                StorageClass storageClass = host.plugins().migration().toCsiIfPossible(given);
                if (reports(storageClass.provisioner())) {
                    segmentsOf(storageClass.provisioner()).forEach(segment -> {
                        Wanted one = new Wanted(storageClass, storageClass.provisioner(), segment);
                        next.put(key(one), one);
                    });
                }
            }
        }
        Map<ObjectKey, Wanted> before = wanted;
        wanted = next;
        Set<ObjectKey> changed = new LinkedHashSet<>();
        if (meet()) {
            objects.all(Kind.CSI_STORAGE_CAPACITY).forEach(object -> changed.add(object.key()));
        }
        before.forEach((key, one) -> {
            if (!one.equals(next.get(key))) {
                answers.remove(key);
                changed.add(key);
            }
        });
        next.forEach((key, one) -> {
            if (!one.equals(before.get(key))) {
                changed.add(key);
            }
        });
        if (!ready) {
            ready = true;
            objects.all(Kind.CSI_STORAGE_CAPACITY).forEach(object -> changed.add(object.key()));
        }
        changed.forEach(host.visits()::now);
    }

    /** Returns whether a plugin is registered that was not registered before. */
    private boolean meet() {
        boolean news = false;
        for (ApiObject object : objects.all(Kind.STORAGE_CLASS)) {
            if (object instanceof StorageClass given) {
                String plugin =
                        host.plugins().migration().toCsiIfPossible(given).provisioner();
                news |= serves(plugin) && host.plugins().byName(plugin).isPresent() && met.add(plugin);
            }
        }
        return news;
    }

    /** A volume was created or deleted, so the free capacity of its pool has changed. */
    void outdated(PersistentVolume volume) {
        @Nullable NodeSelector affinity = volume.spec().nodeAffinity();
        outdated(volume.className(), segment -> affinity == null || segment.isEmpty() || affinity.matches("", segment));
    }

    /** A plugin could not create a volume of the class, because a pool was exhausted. */
    void outdated(String className) {
        outdated(className, segment -> true);
    }

    private void outdated(String className, Predicate<Map<String, String>> where) {
        wanted.forEach((key, one) -> {
            @Nullable Answer answer = answers.get(key);
            if (answer != null
                    && !answer.outdated()
                    && one.storageClass().metadata().name().equals(className)
                    && where.test(one.segment())) {
                answers.put(key, new Answer(answer.capacity(), answer.at(), true));
                host.visits().now(key);
            }
        });
    }

    /**
     * The objects name the plugin in a label, which can have no slash. Without a CSIDriver object of that name, which can have none
     * either, no scheduler looks for them.
     */
    private boolean reports(String plugin) {
        return serves(plugin)
                && NameRule.DRIVER.allows(plugin)
                && host.plugins().byName(plugin).flatMap(VolumePlugin::capacity).isPresent();
    }

    private boolean serves(String plugin) {
        return only.isEmpty() || only.equals(plugin);
    }

    private List<Map<String, String>> segmentsOf(String driver) {
        return segments.computeIfAbsent(driver, this::findSegments);
    }

    private List<Map<String, String>> findSegments(String driver) {
        Set<Map<String, String>> found = new LinkedHashSet<>();
        boolean placed = false;
        for (ApiObject object : objects.all(Kind.CSI_NODE)) {
            if (object instanceof CsiNode node) {
                List<String> keys =
                        node.driver(driver).map(CsiNode.Driver::topologyKeys).orElse(List.of());
                placed |= !keys.isEmpty();
                Map<String, String> labels = objects.get(
                                ObjectKey.node(node.metadata().name()), Node.class)
                        .map(known -> known.metadata().labels())
                        .orElse(Map.of());
                // A node that does not have all of its labels yet is in no segment.
                if (!keys.isEmpty() && labels.keySet().containsAll(keys)) {
                    Map<String, String> segment = new TreeMap<>();
                    keys.forEach(key -> segment.put(key, labels.getOrDefault(key, "")));
                    found.add(segment);
                }
            }
        }
        return placed ? new ArrayList<>(found) : List.of(Map.of());
    }

    private ObjectKey key(Wanted one) {
        StringBuilder parts = new StringBuilder();
        part(parts, one.plugin());
        part(parts, one.storageClass().metadata().name());
        one.segment().forEach((key, value) -> {
            part(parts, key);
            part(parts, value);
        });
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256").digest(parts.toString().getBytes(StandardCharsets.UTF_8));
            return new ObjectKey(
                    Kind.CSI_STORAGE_CAPACITY,
                    namespace,
                    "csisc-" + HexFormat.of().formatHex(digest, 0, 10));
        } catch (NoSuchAlgorithmException never) {
            throw new IllegalStateException(never);
        }
    }

    private static void part(StringBuilder parts, String text) {
        parts.append(text.length()).append(':').append(text);
    }
}
