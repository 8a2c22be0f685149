package io.volume4j.inmemory.scenario;

import io.volume4j.core.assembly.ControllerFeatures;
import io.volume4j.core.codec.ManifestException;
import io.volume4j.core.codec.Manifests;
import io.volume4j.core.migration.CsiMigration;
import io.volume4j.inmemory.sim.OutsideProcess;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.NameRule;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.Pod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A scenario: the initial objects, the steps, and the expectations. Immutable. {@code docs/scenarios.md} describes
 * the file format.
 *
 * @since 0.1.0
 */
public final class Scenario {
    private static final Set<String> KEYS = new LinkedHashSet<>(List.of(
            "name",
            "seed",
            "components",
            "nodes",
            "verifyEvery",
            "attachmentNames",
            "sync",
            "migration",
            "given",
            "plugins",
            "outside",
            "steps",
            "expect"));

    static final String NODE = "node";
    static final String BINDING = "binding";
    private static final String ATTACH_DETACH = "attach-detach";

    /** A scheduler outside of the library; listed for people who read the file. */
    private static final String SCHEDULING = "scheduling";

    private final String source;
    private final String name;
    private final long seed;
    private final Set<String> components;
    private final boolean attachesCentrally;
    private final boolean namesNodes;
    private final List<String> nodes;
    private final Duration verifyEvery;
    private final boolean kubernetesNames;
    private final boolean syncsOnce;
    private final CsiMigration migration;
    private final List<ApiObject> given;
    private final List<Value> plugins;
    private final List<Value> outside;
    private final List<Step> steps;
    private final List<Value> expectations;

    private Scenario(String source, Value top) {
        Map<String, Value> fields = top.fields(KEYS);
        this.source = source;
        this.name = top.require("name").text();
        this.seed = fields.containsKey("seed") ? top.require("seed").number() : 1;
        this.components = components(fields.get("components"));
        this.attachesCentrally = components.contains(ATTACH_DETACH);
        this.namesNodes = fields.containsKey("nodes");
        this.nodes = namesNodes ? nodes(top.require("nodes")) : List.of("n1");
        this.verifyEvery =
                fields.containsKey("verifyEvery") ? top.require("verifyEvery").duration() : Duration.ZERO;
        this.kubernetesNames = kubernetesNames(fields.get("attachmentNames"));
        this.syncsOnce = syncsOnce(fields.get("sync"));
        this.migration = Translations.of(fields.get("migration"));
        List<ApiObject> objects = new ArrayList<>();
        Set<ObjectKey> keys = new HashSet<>();
        for (Value value : items(fields.get("given"))) {
            ApiObject object = object(value);
            if (!keys.add(object.key())) {
                throw value.at("metadata.name").error(object.key() + " is given twice: leave one out");
            }
            objects.add(object);
        }
        this.given = Collections.unmodifiableList(objects);
        this.plugins = items(fields.get("plugins"));
        WantedPlugin.check(plugins);
        this.outside = items(fields.get("outside"));
        outside.forEach(Scenario::role);
        List<Step> read = new ArrayList<>();
        for (Value step : items(fields.get("steps"))) {
            read.add(Step.of(step));
        }
        this.steps = Collections.unmodifiableList(read);
        if (!fields.containsKey("expect")) {
            throw top.error("the key \"expect\" is missing: say what must be true at the end, or every run would pass");
        }
        this.expectations = top.require("expect").someItems();
        Cast cast = new Cast(this);
        steps.forEach(cast::check);
        expectations.forEach(expectation -> cast.check(Expectation.of(expectation)));
    }

    /**
     * Reads a scenario.
     * @param source the name of the text for errors, such as a file name
     * @throws ScenarioException if the text is not a scenario; the message says where and why
     */
    public static Scenario read(String source, String text) {
        return new Scenario(source, Value.read(source, text));
    }

    /**
     * Reads a scenario file.
     * @throws IOException if the file cannot be read
     * @throws ScenarioException if it is not a scenario
     */
    public static Scenario read(Path file) throws IOException {
        return read(file.toString(), Files.readString(file));
    }

    public String source() {
        return source;
    }

    public String name() {
        return name;
    }

    public long seed() {
        return seed;
    }

    /** What of the library runs. */
    Set<String> components() {
        return components;
    }

    /** Those that are features of controllers. */
    List<String> features() {
        Set<String> known = ControllerFeatures.words();
        return components.stream().filter(known::contains).toList();
    }

    /** Whether a control plane attaches: only in files that list it; elsewhere nodes attach by themselves. */
    boolean attachesCentrally() {
        return attachesCentrally;
    }

    boolean hasControllers() {
        return attachesCentrally || components.contains(BINDING);
    }

    List<String> nodes() {
        return nodes;
    }

    /**
     * Nodes that have no object and need one, without which no controller attaches for them. A scenario that gives objects of nodes and
     * leaves the agents to the default has given all that there are.
     */
    List<String> unregistered() {
        List<String> given = new ArrayList<>();
        for (ApiObject object : this.given) {
            if (object.kind() == Kind.NODE) {
                given.add(object.metadata().name());
            }
        }
        if (!attachesCentrally || (!namesNodes && !given.isEmpty())) {
            return List.of();
        }
        return nodes.stream().filter(node -> !given.contains(node)).toList();
    }

    /** How often controllers hold attachments against what the backend says; zero for never. */
    Duration verifyEvery() {
        return verifyEvery;
    }

    /** Whether controllers name VolumeAttachments as Kubernetes does. */
    boolean kubernetesNames() {
        return kubernetesNames;
    }

    private static boolean kubernetesNames(@Nullable Value names) {
        if (names == null || names.text().equals("own")) {
            return false;
        }
        if (!names.text().equals("kubernetes")) {
            throw names.error("names of VolumeAttachments are own or kubernetes");
        }
        return true;
    }

    /** Whether controllers look only at the objects that {@code visit} steps name. */
    boolean syncsOnce() {
        return syncsOnce;
    }

    /** How storage that drivers took over is translated. */
    CsiMigration migration() {
        return migration;
    }

    private boolean syncsOnce(@Nullable Value sync) {
        if (sync == null) {
            return false;
        }
        if (!sync.text().equals("once")) {
            throw sync.unknown("way to sync", List.of("once"));
        }
        if (!hasControllers() || attachesCentrally || components.contains(NODE)) {
            throw sync.error("only controllers of objects visit once: list components, binding and no node or"
                    + " attach-detach among them");
        }
        return true;
    }

    List<ApiObject> given() {
        return given;
    }

    List<Value> plugins() {
        return plugins;
    }

    List<Step> steps() {
        return steps;
    }

    List<Value> expectations() {
        return expectations;
    }

    /** Whether a pod has a user namespace of its own: then nodes have machines, whose mounts map IDs, and runtimes that know which. */
    boolean usesUserNamespaces() {
        return given.stream()
                .anyMatch(object -> object instanceof Pod pod && !pod.spec().hostUsers());
    }

    boolean usesRuntime() {
        return steps.stream()
                .anyMatch(step ->
                        step.kind() == Step.Kind.CONTAINERS_RUNNING || step.kind() == Step.Kind.CONTAINERS_STOPPED);
    }

    /** An object, complete or partial. */
    static ApiObject object(Value value) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        value.fields().forEach((key, field) -> tree.put(key, field.tree()));
        Kind kind = Names.kind(value.require("kind"));
        KnownFields.check(kind, value);
        tree.putIfAbsent("apiVersion", kind.apiVersion());
        try {
            return Manifests.fromWrittenTree(tree);
        } catch (ManifestException invalid) {
            throw value.error(invalid);
        }
    }

    /** What works for which driver apart from the controllers. */
    List<Value> outside() {
        return outside;
    }

    /** What {@code {provisioner: far}} says that it does. */
    static OutsideProcess.Role role(Value value) {
        String word = value.onlyField().getKey();
        for (OutsideProcess.Role role : OutsideProcess.Role.values()) {
            if (role.word().equals(word)) {
                return role;
            }
        }
        throw value.key(word)
                .unknown(
                        "process outside",
                        Arrays.stream(OutsideProcess.Role.values())
                                .map(OutsideProcess.Role::word)
                                .toList());
    }

    private static List<Value> items(@Nullable Value list) {
        return list == null ? List.of() : list.items();
    }

    private static List<String> nodes(Value names) {
        for (Value name : names.items()) {
            if (!NameRule.SUBDOMAIN.allows(name.text())) {
                throw name.error("the name of a node must be " + NameRule.SUBDOMAIN.description());
            }
        }
        return names.differentTexts();
    }

    private static Set<String> components(@Nullable Value list) {
        Set<String> all = new LinkedHashSet<>(List.of(NODE, ATTACH_DETACH, BINDING));
        all.addAll(ControllerFeatures.words());
        all.add(SCHEDULING);
        if (list == null) {
            return all;
        }
        Set<String> chosen = new LinkedHashSet<>();
        for (Value item : list.items()) {
            if (!all.contains(item.text())) {
                throw item.unknown("component", List.copyOf(all));
            }
            chosen.add(item.text());
        }
        return chosen;
    }
}
