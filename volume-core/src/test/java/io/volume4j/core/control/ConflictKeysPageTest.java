package io.volume4j.core.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.DrawnPages;
import io.volume4j.core.codec.Manifests;
import io.volume4j.core.control.attach.plan.AttachStep;
import io.volume4j.core.control.attach.plan.LastEvent;
import io.volume4j.core.control.attach.plan.RecordStep;
import io.volume4j.core.control.binding.plan.BindingStep;
import io.volume4j.core.control.binding.plan.ProvisioningIntent;
import io.volume4j.core.control.capacity.CapacityStep;
import io.volume4j.core.control.expand.ExpandStep;
import io.volume4j.core.control.health.HealthStep;
import io.volume4j.core.control.host.ClusterStep;
import io.volume4j.core.control.host.ClusterWork;
import io.volume4j.core.control.host.ObjectWrite;
import io.volume4j.core.control.modify.ModifyStep;
import io.volume4j.core.control.populate.PopulateStep;
import io.volume4j.core.control.snapshot.SnapshotStep;
import io.volume4j.core.engine.ConflictKey;
import io.volume4j.core.engine.Step;
import io.volume4j.core.node.NodeStep;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.host.EventSink.Event;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.model.TypedReference;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumeAttributesClass;
import io.volume4j.spi.plugin.Populator;
import io.volume4j.spi.plugin.Provisioner.ProvisionResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/conflict-keys.md says of every step which keys it takes. */
class ConflictKeysPageTest {
    private static final Pattern KIND = Pattern.compile("`([A-Z_]+)`( \\((attach step|record|storage)\\))?");
    private static final Pattern SCOPE = Pattern.compile("\\b([A-Z]+(?:_[A-Z]+)*)( shared)?");

    private static final VolumeId ID = VolumeId.shared("p", "v");
    private static final ObjectKey CLAIM = ObjectKey.claim("ns", "c");

    @Test
    void everyStepTakesTheKeysThatThePageSays() throws IOException {
        Map<String, Set<String>> taken = new TreeMap<>();
        steps().forEach((name, steps) -> {
            for (Step step : steps) {
                taken.computeIfAbsent(name, n -> new TreeSet<>()).add(keys(step.conflictKeys()));
            }
        });
        assertThat(page()).containsExactlyEntriesOf(taken);
    }

    @Test
    void noKindOfStepIsMissing() {
        assertThat(steps().keySet())
                .containsAll(Stream.<Enum<?>[]>of(
                                BindingStep.Kind.values(),
                                ClusterWork.Kind.values(),
                                CapacityStep.Kind.values(),
                                ExpandStep.Kind.values(),
                                ModifyStep.Kind.values(),
                                PopulateStep.Kind.values(),
                                HealthStep.Kind.values(),
                                SnapshotStep.Kind.values())
                        .flatMap(Stream::of)
                        .map(ConflictKeysPageTest::bindingName)
                        .toList())
                .containsAll(names(NodeStep.Kind.values(), ""))
                .containsAll(names(RecordStep.Kind.values(), " (record)"))
                .containsAll(names(AttachStep.Kinds.values(), " (attach step)"));
    }

    /** Two steps go together unless they name the same thing and one of them needs it exclusively. */
    @Test
    void thePageDrawsWhichStepsOfOneVolumeOnANodeGoTogether() throws IOException {
        List<NodeStep.Kind> kinds = Stream.of(NodeStep.Kind.values())
                .filter(kind -> kind != NodeStep.Kind.TELL_SIZE)
                .filter(kind -> Stream.of(NodeStep.Kind.values())
                        .anyMatch(other -> other != NodeStep.Kind.TELL_SIZE
                                && !together(kind, other).isEmpty()))
                .toList();
        List<String> lines = new ArrayList<>();
        lines.add("| | " + kinds.stream().map(kind -> "`" + kind + "`").collect(Collectors.joining(" | ")) + " |");
        lines.add("|---".repeat(kinds.size() + 1) + "|");
        for (NodeStep.Kind one : kinds) {
            lines.add("| `" + one + "` | "
                    + kinds.stream().map(other -> together(one, other)).collect(Collectors.joining(" | ")) + " |");
        }
        DrawnPages.demand("conflict-keys.md", "steps of one volume", lines);
        assertThat(NodeStep.Kind.values())
                .filteredOn(kind -> kind != NodeStep.Kind.TELL_SIZE)
                .allMatch(kind -> together(kind, NodeStep.Kind.TELL_SIZE).equals("yes"));
    }

    private static String together(NodeStep.Kind one, NodeStep.Kind other) {
        boolean samePod = together(new NodeStep(one, ID, "a", "v", "p"), new NodeStep(other, ID, "a", "v", "p"));
        boolean otherPods = together(new NodeStep(one, ID, "a", "v", "p"), new NodeStep(other, ID, "b", "v", "p"));
        return samePod ? "yes" : otherPods ? "for different pods" : "";
    }

    private static boolean together(Step one, Step other) {
        return one.conflictKeys().stream()
                .noneMatch(key -> other.conflictKeys().stream()
                        .anyMatch(each -> key.thing().equals(each.thing()) && (key.exclusive() || each.exclusive())));
    }

    private static List<String> names(Enum<?>[] kinds, String suffix) {
        return Stream.of(kinds).map(kind -> name(kind, suffix)).toList();
    }

    /** Kinds whose names two reconcilers use are told apart. */
    private static String name(Enum<?> kind, String suffix) {
        boolean twice = List.of("CLAIM", "VERIFY", "TELL", "ATTACH", "DETACH").contains(kind.name());
        return kind.name() + (twice ? suffix : "");
    }

    /** What the page says: of each kind, the sets of keys that it may take. */
    private static Map<String, Set<String>> page() throws IOException {
        Map<String, Set<String>> said = new TreeMap<>();
        Path page = Path.of(System.getProperty("volume4j.root")).resolve("docs/conflict-keys.md");
        for (String line : Files.readAllLines(page)) {
            String[] cells = line.split("\\|");
            if (cells.length != 3 || !cells[1].contains("`")) {
                continue;
            }
            Set<String> alternatives = new TreeSet<>();
            for (String alternative : cells[2].split(" else ")) {
                List<String> keys = new ArrayList<>();
                Matcher scopes = SCOPE.matcher(alternative);
                while (scopes.find()) {
                    keys.add(scopes.group());
                }
                alternatives.add(String.join(", ", keys));
            }
            Matcher kinds = KIND.matcher(cells[1]);
            while (kinds.find()) {
                said.put(kinds.group(1) + (kinds.group(2) == null ? "" : kinds.group(2)), alternatives);
            }
        }
        return said;
    }

    private static String keys(List<ConflictKey> keys) {
        return String.join(
                ", ",
                keys.stream()
                        .map(key -> key.scope() + (key.exclusive() ? "" : " shared"))
                        .toList());
    }

    private static Map<String, List<Step>> steps() {
        Map<String, List<Step>> steps = new LinkedHashMap<>();
        for (NodeStep.Kind kind : NodeStep.Kind.values()) {
            add(steps, name(kind, ""), new NodeStep(kind, ID, "pod", "v", "p"));
        }
        for (RecordStep.Kind kind : RecordStep.Kind.values()) {
            for (boolean one : new boolean[] {true, false}) {
                add(steps, name(kind, " (record)"), new RecordStep(kind, "a", "u", "1", ID.toString(), "n", one, ""));
            }
        }
        attachSteps().forEach(step -> add(steps, name(step.kind(), " (attach step)"), step));
        bindingSteps().forEach(step -> add(steps, bindingName(step.kind()), step));
        return steps;
    }

    private static String bindingName(Enum<?> kind) {
        return kind == ExpandStep.Kind.EXPAND ? "EXPAND (storage)" : kind.name();
    }

    private static void add(Map<String, List<Step>> steps, String name, Step step) {
        steps.computeIfAbsent(name, n -> new ArrayList<>()).add(step);
    }

    private static List<AttachStep> attachSteps() {
        return List.of(
                new AttachStep.CreateRecord(ID, "n", true, false),
                new AttachStep.CreateRecord(ID, "n", false, false),
                new AttachStep.Claim(ID, "n", "a", "u", "1"),
                new AttachStep.CheckNode(ID, "n", "u"),
                new AttachStep.DeleteRecord(ID, "n", "a", "u", "1", null),
                new AttachStep.WriteGrants("n", "u", "1", null, null, List.of(), List.of(), Map.of()),
                new AttachStep.AskFence("n", "u", "a"),
                new AttachStep.Verify("d"),
                new AttachStep.Tell(ID, "n", new LastEvent("Reason", "message", List.of())));
    }

    private static final ObjectKey CONTENT = new ObjectKey(Kind.VOLUME_SNAPSHOT_CONTENT, "", "s");

    private static final TypedReference SOURCE = new TypedReference("g", "Hello", "ns", "h");

    private static List<ClusterStep> bindingSteps() {
        PersistentVolume volume = (PersistentVolume) Manifests.read("test", """
                {apiVersion: v1, kind: PersistentVolume, metadata: {name: v, uid: u},
                 spec: {capacity: {storage: 1Gi}, accessModes: [ReadWriteOnce], csi: {driver: d, volumeHandle: h}}}
                """).get(0);
        PersistentVolumeClaim prime =
                (PersistentVolumeClaim) Manifests.read("test", """
                {apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: prime-u, namespace: filling, uid: u2},
                 spec: {accessModes: [ReadWriteOnce]}}
                """).get(0);
        ProvisioningIntent intent = new ProvisioningIntent(
                1,
                "p",
                false,
                "d",
                "v",
                1,
                "",
                new ProvisioningIntent.ClassContent("s", "u", Map.of(), List.of(), ReclaimPolicy.DELETE, null));
        ProvisionResult made = ProvisionResult.of(volume.spec().source(), 1);
        ObjectReference about = new ObjectReference("v1", "PersistentVolume", "", "v", "u", "");
        return List.of(
                new ClusterWork.Write(
                        "w",
                        List.of(new ObjectWrite(CLAIM, "u", "1", false, List.of())),
                        "",
                        ClusterWork.Kind.WRITE.name(),
                        true),
                new BindingStep.Provision(CLAIM, "u", intent, false),
                new BindingStep.Save(CLAIM, volume),
                new BindingStep.DeleteUnsavedVolume(CLAIM, "u", intent, made),
                new BindingStep.Delete(volume, "d", true),
                new BindingStep.Recycle(volume, "d", true),
                new ClusterWork.Remove(volume.key(), "u"),
                new ClusterWork.Verify(volume.key(), "u"),
                new ClusterWork.Look(volume.key(), ClusterWork.Look.At.NODES),
                new ClusterWork.Create(volume),
                new HealthStep.Check(volume.key(), "u", ID),
                new HealthStep.ListAll("mem"),
                new CapacityStep(
                        new ObjectKey(Kind.CSI_STORAGE_CAPACITY, "default", "c"),
                        (StorageClass) Manifests.read("test", """
                                {apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: s}, provisioner: d}
                                """).get(0),
                        "d",
                        Map.of()),
                new SnapshotStep.CreateSnapshot(CONTENT, "u", 1, "d", "snapshot-u", List.of("h"), Map.of(), ""),
                new SnapshotStep.GetSnapshot(CONTENT, "u", "d", "snapshot-u", List.of(), Map.of()),
                new SnapshotStep.DeleteSnapshot(CONTENT, "u", 1, "d", "snapshot-u", List.of(), Map.of()),
                new PopulateStep.Fill(CLAIM, new Populator.Request("u", prime, SOURCE, prime, volume), 1),
                new PopulateStep.CleanUp(CLAIM, new Populator.CleanUpRequest("u", "filling", "prime-u"), SOURCE, 1),
                new ExpandStep(CLAIM, "u", volume, "d", 2, 1, 1),
                new ModifyStep(
                        CLAIM,
                        "u",
                        volume,
                        "d",
                        new VolumeAttributesClass(ObjectMeta.named("", "a"), "d", Map.of(), Unmodeled.none()),
                        1),
                new ClusterWork.Tell(volume.key(), List.of(new Event(Event.Type.NORMAL, "Reason", about, "message"))));
    }
}
