package io.volume4j.core.control.attach;

import io.volume4j.core.control.attach.call.LeaderTerm;
import io.volume4j.core.control.attach.plan.AttachKey;
import io.volume4j.core.control.attach.plan.AttachPlanner;
import io.volume4j.core.control.attach.plan.AttachStep.WriteGrants;
import io.volume4j.core.control.attach.plan.AttachView;
import io.volume4j.core.engine.ManualLoop;
import io.volume4j.core.grants.GrantKeys;
import io.volume4j.core.objects.CachePorts;
import io.volume4j.core.objects.ObjectCache;
import io.volume4j.core.plugins.DefaultPluginHost;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.core.volumes.NodeVolumeNames;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.LeaderEpoch;
import io.volume4j.spi.host.MetricsSink;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.OtherSource;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodPhase;
import io.volume4j.spi.model.PodVolume;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumeAttachment;
import io.volume4j.spi.model.WellKnown;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The worlds of the attach/detach reconciler, filled by a script, one object after the other, with nothing that acts on them:
 *
 * <ul>
 *   <li>{@code node n1 shows v uses v}, {@code kept n1}, {@code foreign n1}, {@code gone n1}: its object
 *   <li>{@code pod a n1 v w}, {@code ended a n1 v}, {@code delete a}: a pod of the node, with volumes of its own description (in-tree ones, which have handles)
 *   <li>{@code record v n1}, {@code attached v n1}, {@code detaching v n1}, {@code released v n1}: the VolumeAttachment
 *   <li>{@code +5}: seconds pass
 * </ul>
 */
final class WorldScript {
    private static final String DRIVER = "cinder.csi.openstack.org";

    private final ManualLoop loop = new ManualLoop();
    private final LeaderTerm term = new LeaderTerm(LeaderEpoch.alone(), 1, "p");
    private final ObjectCache cache;
    private final AttachIndex worlds;
    private final AttachViews views;
    private long revision = 1;

    WorldScript() {
        Map<Kind, Selection> kinds = new EnumMap<>(Kind.class);
        AttachEvents.KINDS.forEach(kind -> kinds.put(kind, Selection.all()));
        kinds.put(Kind.CSI_DRIVER, Selection.all());
        cache = new ObjectCache(
                new Empty(), kinds, new CachePorts(loop, Runnable::run, loop::schedule, failures -> Duration.ZERO));
        PluginRegistry plugins = PluginRegistry.builder(
                        DefaultPluginHost.builder(Path.of("/nowhere")).build())
                .build();
        PodVolumes resolver = new PodVolumes(cache, plugins, Set.of(DRIVER));
        worlds = new AttachIndex(loop::nanoTime, new NoMarks(), new AttachCounts(MetricsSink.none(), loop));
        DesiredStateOfWorld desired = new DesiredStateOfWorld(cache, resolver, worlds);
        ActualStateOfWorld actual = new ActualStateOfWorld(cache, resolver, worlds);
        views = new AttachViews(cache, worlds, actual, plugins, loop, term, AttachOptions.standard());
        cache.listener(new AttachEvents(
                cache, new NodeObjects(worlds, desired), desired, actual, new CallResults(), views::filled, () -> {}));
        cache.start();
        loop.run();
    }

    WorldScript run(String script) {
        for (String line : script.split(";", -1)) {
            if (!line.isBlank()) {
                carryOut(Arrays.asList(line.trim().split(" ", -1)));
                loop.run();
            }
        }
        return this;
    }

    private void carryOut(List<String> words) {
        String verb = words.get(0);
        if (verb.startsWith("+")) {
            loop.advance(Duration.ofSeconds(Long.parseLong(verb.substring(1))));
            return;
        }
        String name = words.get(1);
        switch (verb) {
            case "node" -> cache.applyOwnWrite(node(name, words, Map.of(WellKnown.CONTROLLER_MANAGED_ATTACH, "true")));
            case "kept" ->
                cache.applyOwnWrite(node(
                        name,
                        words,
                        Map.of(
                                WellKnown.CONTROLLER_MANAGED_ATTACH,
                                "true",
                                WellKnown.KEEP_TERMINATED_POD_VOLUMES,
                                "true")));
            case "foreign" -> cache.applyOwnWrite(node(name, words, Map.of()));
            case "gone" -> remove(ObjectKey.node(name));
            case "pod" -> cache.applyOwnWrite(pod(name, words, PodPhase.RUNNING));
            case "ended" -> cache.applyOwnWrite(pod(name, words, PodPhase.SUCCEEDED));
            case "delete" -> remove(ObjectKey.pod("default", name));
            case "record" -> apply(record(name, words.get(2), false, false));
            case "attached" -> apply(record(name, words.get(2), true, false));
            case "detaching" -> apply(record(name, words.get(2), true, true));
            case "released" -> remove(ObjectKey.attachment("va-" + name + "-" + words.get(2)));
            default -> throw new IllegalArgumentException("no such verb: " + verb);
        }
    }

    /** As if this process had stored it, so that the node need not be looked at. */
    private void apply(VolumeAttachment record) {
        cache.applyOwnWrite(record);
        PairState pair = worlds.pair(id(volume(record)), record.spec().nodeName());
        if (pair != null) {
            pair.checkedUid = record.metadata().uid();
        }
    }

    private static String volume(VolumeAttachment record) {
        return VolumeId.parse(record.metadata().annotation(GrantKeys.VOLUME)).name();
    }

    private void remove(ObjectKey key) {
        cache.get(key)
                .ifPresent(known -> cache.applyAbsent(key, known.metadata().uid()));
    }

    private static VolumeId id(String volume) {
        return VolumeId.shared(DRIVER, volume);
    }

    private ObjectMeta meta(ObjectKey key) {
        revision++;
        String uid = cache.get(key).map(known -> known.metadata().uid()).orElse("uid-" + revision);
        return new ObjectMeta(
                key.name(),
                key.namespace(),
                uid,
                String.valueOf(revision),
                0,
                Map.of(),
                Map.of(),
                List.of(),
                List.of(),
                null,
                null);
    }

    private Node node(String name, List<String> words, Map<String, String> annotations) {
        List<String> shown = new ArrayList<>();
        List<String> used = new ArrayList<>();
        List<String> into = shown;
        for (String word : words.subList(2, words.size())) {
            if (word.equals("shows") || word.equals("uses")) {
                into = word.equals("shows") ? shown : used;
            } else {
                into.add(id(word).toString());
            }
        }
        ObjectMeta meta = meta(ObjectKey.node(name));
        for (Map.Entry<String, String> annotation : new TreeMap<>(annotations).entrySet()) {
            meta = meta.withAnnotation(annotation.getKey(), annotation.getValue());
        }
        return new Node(
                meta,
                new Node.Spec(List.of()),
                new Node.Status(
                        true,
                        used,
                        shown.stream()
                                .map(volume ->
                                        new Node.AttachedVolume(NodeVolumeNames.ofIdText(volume), "/dev/" + name))
                                .toList(),
                        Map.of()),
                Unmodeled.none());
    }

    private Pod pod(String name, List<String> words, PodPhase phase) {
        List<PodVolume> volumes = words.subList(3, words.size()).stream()
                .map(volume -> new PodVolume(volume, new OtherSource("cinder", Map.of("volumeID", volume))))
                .toList();
        return new Pod(
                meta(ObjectKey.pod("default", name)),
                new Pod.Spec(words.get(2), volumes, List.of(), List.of(), Pod.SecurityContext.none(), ""),
                new Pod.Status(phase, List.of()),
                Unmodeled.none());
    }

    private VolumeAttachment record(String volume, String node, boolean attached, boolean deleting) {
        ObjectMeta meta = meta(ObjectKey.attachment("va-" + volume + "-" + node))
                .withAnnotation(GrantKeys.VOLUME, id(volume).toString())
                .withAnnotation(GrantKeys.GENERATION, term.generation())
                .withAnnotation(GrantKeys.DEVICE_PATH, "/dev/" + node);
        if (deleting) {
            meta = new ObjectMeta(
                    meta.name(),
                    meta.namespace(),
                    meta.uid(),
                    meta.resourceVersion(),
                    0,
                    meta.labels(),
                    meta.annotations(),
                    meta.finalizers(),
                    meta.ownerReferences(),
                    null,
                    Instant.EPOCH);
        }
        return new VolumeAttachment(
                meta,
                VolumeAttachment.Spec.ofVolume(DRIVER, node, ""),
                new VolumeAttachment.Status(attached, Map.of(), null, null),
                Unmodeled.none());
    }

    /**
     * Every volume on every node that is wanted or may be there, sorted: {@code v@n1 attached for a, used}; of one that no pod
     * wants {@code since 5} instead. Then what each node's object is to show from now on, if that is to be written: {@code n1 is told v=/dev/n1}.
     */
    String worlds() {
        TreeMap<String, String> lines = new TreeMap<>();
        for (NodeState node : worlds.nodes()) {
            for (PairState pair : node.pairs.values()) {
                if (pair.occupied() || !pods(pair).isEmpty()) {
                    lines.put(pair.key.volume().name() + "@" + node.name, told(pair));
                }
            }
        }
        List<String> all = new ArrayList<>();
        lines.forEach((pair, told) -> all.add(pair + " " + told));
        for (NodeState node : worlds.nodes()) {
            String write = write(node);
            if (write != null) {
                all.add(node.name + " is told" + write);
            }
        }
        return String.join("; ", all);
    }

    private List<String> pods(PairState pair) {
        List<String> names = new ArrayList<>();
        for (String pod : views.podNames(pair)) {
            names.add(pod.substring(pod.indexOf('/') + 1));
        }
        return names;
    }

    private String told(PairState pair) {
        VolumeAttachment record = views.record(pair);
        String state = "detached";
        if (record != null) {
            boolean attached = record.status().attached() && !record.metadata().deleting();
            state = attached ? "attached" : "uncertain";
        } else if (pair.listed) {
            state = "listed";
        }
        String wish = pods(pair).isEmpty()
                ? "since " + pair.unwantedSince / 1_000_000_000
                : "for " + String.join("+", pods(pair));
        String use = switch (pair.node.use(pair)) {
            case FREE -> "";
            case IN_USE -> ", used";
            case UNKNOWN -> ", perhaps used";
        };
        return state + " " + wish + use;
    }

    private @Nullable String write(NodeState node) {
        AttachView view = views.of(new AttachKey.OfNode(node.name));
        if (view == null) {
            return null;
        }
        return new AttachPlanner()
                .plan(view).steps().stream()
                        .filter(WriteGrants.class::isInstance)
                        .map(step -> shown((WriteGrants) step))
                        .findFirst()
                        .orElse(null);
    }

    private static String shown(WriteGrants step) {
        List<Node.AttachedVolume> attached = step.attached();
        StringBuilder text = new StringBuilder();
        if (attached == null) {
            return " the grants alone";
        }
        attached.forEach(volume -> text.append(' ')
                .append(VolumeId.parse(volume.name()).name())
                .append('=')
                .append(volume.devicePath()));
        return attached.isEmpty() ? " nothing" : text.toString();
    }

    private static final class NoMarks implements AttachIndex.Marks {
        @Override
        public void visit(AttachKey key) {}

        @Override
        public void visitRecord(ObjectKey record) {}

        @Override
        public void retry(AttachKey key) {}

        @Override
        public void retryRecord(ObjectKey record) {}
    }

    /** Lists nothing; what there is comes by the script. */
    private static final class Empty implements ClusterSource {
        @Override
        public Listing list(Kind kind, Selection selection) {
            return new Listing(List.of(), "1");
        }

        @Override
        public Watch watch(Kind kind, Selection selection, String from, WatchListener listener) {
            return () -> {};
        }

        @Override
        public Optional<ApiObject> readLive(ObjectKey key) {
            return Optional.empty();
        }
    }
}
