package io.volume4j.inmemory.scenario;

import io.volume4j.core.codec.Manifests;
import io.volume4j.core.explain.Explanation;
import io.volume4j.inmemory.cluster.FlowYaml;
import io.volume4j.inmemory.plugin.PluginCall;
import io.volume4j.inmemory.sim.ControlProcess;
import io.volume4j.inmemory.sim.NodeProcess;
import io.volume4j.inmemory.sim.OutsideProcess;
import io.volume4j.inmemory.sim.Simulation;
import io.volume4j.spi.host.EventSink.Event;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ClaimSource;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.OtherSource;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodVolume;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Checks the expectations in a world. */
final class Checks {
    private final Simulation world;
    private final Map<ObjectKey, ApiObject> asGiven;
    private final Map<ObjectKey, Pod> pods;

    /** @param pods the latest state of each pod that the file describes */
    Checks(Simulation world, Map<ObjectKey, ApiObject> asGiven, Map<ObjectKey, Pod> pods) {
        this.world = world;
        this.asGiven = asGiven;
        this.pods = pods;
    }

    /** Whether no work is left; waiting for a lease does not count as work. */
    boolean quiet() {
        for (NodeProcess node : world.nodes()) {
            if (node.ready() && !world.get(node.quiet())) {
                return false;
            }
        }
        return world.controllers().stream().filter(ControlProcess::alive).allMatch(ControlProcess::quiet)
                && world.outside().stream().allMatch(OutsideProcess::quiet);
    }

    /** The violations of the expectation, one line each; empty if it holds. */
    List<String> check(Expectation expectation) {
        Value subject = expectation.subject();
        return switch (expectation.kind()) {
            case OBJECT -> matches(subject, expectation.value().require("matches"));
            case ABSENT ->
                world.cluster()
                        .get(Names.object(subject))
                        .map(found -> List.of("it is there:", Manifests.toYaml(found)))
                        .orElse(List.of());
            case UNCHANGED -> unchanged(Names.object(subject));
            case EVENTS -> events(world.events().all(), subject.items());
            case ONLY_EVENTS -> onlyEvents(subject.items());
            case NO_EVENTS ->
                world.events().all().stream()
                        .filter(event -> matches(event, subject))
                        .map(event -> "there was " + text(event))
                        .toList();
            case CALLS -> calls(callTexts(), subject.texts());
            case ONLY_CALLS -> onlyCalls(subject.texts());
            case NO_CALLS -> noCalls(subject.texts());
            case MOUNTED -> mounted(subject);
            case UNMOUNTED -> unmounted(subject);
            case EXPLAINS -> explains(subject);
        };
    }

    private List<String> matches(Value name, Value expected) {
        ObjectKey key = Names.object(name);
        Optional<ApiObject> found = world.cluster().get(key);
        if (found.isEmpty()) {
            return List.of("there is no " + key);
        }
        return Difference.of((Map<?, ?>) tree(expected), Manifests.toTree(found.get()));
    }

    private static Object tree(Value value) {
        Object tree = value.tree();
        if (!(tree instanceof Map<?, ?>)) {
            throw value.error("expected the fields of an object");
        }
        return tree;
    }

    private List<String> unchanged(ObjectKey key) {
        ApiObject given = asGiven.get(key);
        Optional<ApiObject> now = world.cluster().get(key);
        if (given == null || now.isEmpty()) {
            return List.of((given == null ? "it was not given: " : "it is gone: ") + key);
        }
        return Difference.between(withoutRevision(given), withoutRevision(now.get()));
    }

    private static Map<String, @Nullable Object> withoutRevision(ApiObject object) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>(Manifests.toTree(object));
        Names.set(tree, List.of("metadata", "resourceVersion"), null);
        return tree;
    }

    private static List<String> events(List<Event> all, List<Value> expected) {
        int at = 0;
        for (Value wanted : expected) {
            while (at < all.size() && !matches(all.get(at), wanted)) {
                at++;
            }
            if (at++ >= all.size()) {
                List<String> lines = new ArrayList<>(List.of("- " + FlowYaml.of(wanted.tree())));
                all.forEach(event -> lines.add("+ " + text(event)));
                return lines;
            }
        }
        return List.of();
    }

    /** Events with other reasons do not count, so that a list shows what it is about. */
    private List<String> onlyEvents(List<Value> expected) {
        Set<String> reasons =
                expected.stream().map(wanted -> wanted.require("reason").text()).collect(Collectors.toSet());
        List<Event> sent = world.events().all().stream()
                .filter(event -> reasons.contains(event.reason()))
                .toList();
        if (sent.size() <= expected.size()) {
            return events(sent, expected);
        }
        List<String> lines = new ArrayList<>();
        expected.forEach(wanted -> lines.add("- " + FlowYaml.of(wanted.tree())));
        sent.forEach(event -> lines.add("+ " + text(event)));
        return lines;
    }

    private static boolean matches(Event event, Value wanted) {
        Map<String, Value> fields = wanted.fields();
        boolean same = true;
        for (Map.Entry<String, Value> field : fields.entrySet()) {
            Value value = field.getValue();
            same &= switch (field.getKey()) {
                case "type" -> event.type().name().equalsIgnoreCase(value.text());
                case "reason" -> event.reason().equals(value.text());
                case "message" -> event.message().contains(value.text());
                default -> {
                    ObjectKey key = Names.object(value);
                    yield event.object().kind().equals(key.kind().apiName())
                            && event.object().namespace().equals(key.namespace())
                            && event.object().name().equals(key.name());
                }
            };
        }
        return same;
    }

    private static String text(Event event) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("type", event.type() == Event.Type.WARNING ? "Warning" : "Normal");
        fields.put("reason", event.reason());
        fields.put(
                "object",
                event.object().kind() + "/" + event.object().namespace() + "/"
                        + event.object().name());
        fields.put("message", event.message());
        return FlowYaml.of(fields);
    }

    private static List<String> calls(List<String> made, List<String> expected) {
        int at = 0;
        for (String wanted : expected) {
            while (at < made.size() && !isCall(made.get(at), wanted)) {
                at++;
            }
            if (at++ >= made.size()) {
                List<String> lines = new ArrayList<>(List.of("- " + wanted));
                made.forEach(call -> lines.add("+ " + call));
                return lines;
            }
        }
        return List.of();
    }

    /** Calls with other names do not count, so that a list shows what it is about. */
    private List<String> onlyCalls(List<String> expected) {
        Set<String> names = expected.stream().map(Checks::callName).collect(Collectors.toSet());
        List<String> made = callTexts().stream()
                .filter(call -> names.contains(callName(call)))
                .toList();
        if (made.size() <= expected.size()) {
            return calls(made, expected);
        }
        List<String> lines = new ArrayList<>();
        expected.forEach(call -> lines.add("- " + call));
        made.forEach(call -> lines.add("+ " + call));
        return lines;
    }

    private static String callName(String call) {
        return call.split(" ", 2)[0];
    }

    private List<String> noCalls(List<String> unwanted) {
        return callTexts().stream()
                .filter(call -> unwanted.stream().anyMatch(each -> isCall(call, each)))
                .map(call -> "+ " + call)
                .toList();
    }

    private List<String> callTexts() {
        return world.storage().calls().stream().map(PluginCall::text).toList();
    }

    /** A shorter text matches all calls that begin with it. */
    private static boolean isCall(String made, String wanted) {
        return made.equals(wanted) || made.startsWith(wanted + " ");
    }

    private List<String> mounted(Value wanted) {
        Pod pod = pod(wanted.require("pod"));
        Value node = wanted.get("node");
        Value volume = wanted.get("volume");
        String nodeName = node == null ? pod.spec().nodeName() : node.text();
        List<String> names = pod.spec().volumes().stream().map(PodVolume::name).toList();
        if (volume != null && !names.contains(volume.text())) {
            throw volume.unknown("volume of the pod", names);
        }
        if (names.isEmpty()) {
            return List.of("the pod has no volumes");
        }
        List<String> missing = new ArrayList<>();
        for (PodVolume each : pod.spec().volumes()) {
            if (volume == null || each.name().equals(volume.text())) {
                String holding = "mounted " + handle(pod, each) + " " + nodeName + " "
                        + pod.metadata().uid();
                if (!world.oracle().holdings().contains(holding)) {
                    missing.add("- " + holding);
                }
            }
        }
        if (!missing.isEmpty()) {
            world.oracle().holdings().forEach(holding -> missing.add("+ " + holding));
        }
        return missing;
    }

    private List<String> unmounted(Value wanted) {
        String uid = pod(wanted.require("pod")).metadata().uid();
        Value node = wanted.get("node");
        return world.oracle().holdings().stream()
                .filter(holding -> holding.startsWith("mounted ") && holding.endsWith(" " + uid))
                .filter(holding -> node == null || holding.contains(" " + node.text() + " "))
                .map(holding -> "+ " + holding)
                .toList();
    }

    /** The pod in the cluster, or its latest state if it is gone. */
    Pod pod(Value name) {
        ObjectKey key = Names.pod(name);
        ApiObject found = world.cluster().get(key).orElseGet(() -> pods.get(key));
        if (found instanceof Pod pod) {
            return pod;
        }
        throw name.error("there is no pod " + name.text() + ", and there was none");
    }

    private String handle(Pod pod, PodVolume volume) {
        if (volume.source() instanceof CsiSource csi) {
            return csi.volumeHandle().isEmpty() ? volume.name() : csi.volumeHandle();
        }
        String claim = volume.source() instanceof ClaimSource source
                ? source.claimName()
                : volume.source() instanceof OtherSource other && other.type().equals("ephemeral")
                        ? pod.metadata().name() + "-" + volume.name()
                        : "";
        if (claim.isEmpty()) {
            return volume.name();
        }
        return world.cluster()
                .get(ObjectKey.claim(pod.metadata().namespace(), claim))
                .map(found -> ((PersistentVolumeClaim) found).spec().volumeName())
                .flatMap(name -> world.cluster().get(ObjectKey.volume(name)))
                .map(PersistentVolume.class::cast)
                .map(found -> found.spec().source() instanceof CsiSource csi
                        ? csi.volumeHandle()
                        : found.metadata().name())
                .orElse("(no volume)");
    }

    private List<String> explains(Value wanted) {
        ObjectKey key = Names.object(wanted.require("object"));
        String text = key.kind() == Kind.POD ? explainPod(wanted.require("object"), key) : explainObject(key);
        String part = wanted.require("contains").text();
        return text.contains(part) ? List.of() : List.of("- …" + part + "…", "+ " + text);
    }

    /** What the pod's node says. A node that is down says nothing. */
    private String explainPod(Value name, ObjectKey key) {
        Pod pod = (Pod) world.cluster().get(key).orElseThrow(() -> name.error("there is no pod " + key));
        String node = pod.spec().nodeName();
        Optional<NodeProcess> agent =
                world.nodes().stream().filter(each -> each.name().equals(node)).findFirst();
        if (agent.isEmpty()) {
            return node.isEmpty() ? key + " has no node" : "node " + node + " of " + key + " has no agent";
        }
        return agent.get().alive()
                ? explain(agent.get().explainPod(pod.metadata().uid()))
                : "node " + node + " of " + key + " is down";
    }

    private String explainObject(ObjectKey key) {
        StringBuilder all = new StringBuilder();
        for (ControlProcess controller : world.controllers()) {
            if (key.kind() == Kind.NODE ? controller.attaches() : controller.binds()) {
                all.append(explain(
                                key.kind() == Kind.NODE ? controller.explainNode(key.name()) : controller.explain(key)))
                        .append('\n');
            }
        }
        for (OutsideProcess process : world.outside()) {
            if (process.explains(key)) {
                all.append(explain(process.explain(key))).append('\n');
            }
        }
        return all.toString();
    }

    private String explain(CompletableFuture<Explanation> answer) {
        return world.get(answer).text();
    }
}
