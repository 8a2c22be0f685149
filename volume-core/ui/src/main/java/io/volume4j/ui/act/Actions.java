package io.volume4j.ui.act;

import com.fasterxml.jackson.databind.JsonNode;
import io.volume4j.core.VolumeManager;
import io.volume4j.core.control.AttachDetachController;
import io.volume4j.core.control.Controller;
import io.volume4j.core.control.PersistentVolumeController;
import io.volume4j.core.volumes.OrphanedStorage;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.host.Fence;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.ui.watch.Readings;
import io.volume4j.ui.web.Refusal;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** The possible actions. Creates them without performing them. */
public final class Actions {
    private static final int NOT_POSSIBLE = 409;

    private final Supplier<List<Readings>> sources;

    public Actions(Supplier<List<Readings>> sources) {
        this.sources = sources;
    }

    /**
     * The action of the request. The fields are {@code action}, and depending on it {@code source}, {@code key}, {@code plugin},
     * {@code handle}, {@code policy}, {@code node}, {@code evidence}.
     *
     * @throws Refusal if the action is unknown or does not apply
     */
    public Action of(JsonNode request) {
        return switch (request.path("action").asText()) {
            case "reconcile" -> reconcile(source(request), request.path("key").asText());
            case "release" -> release(claims(), object(request.path("key").asText()));
            case "adopt" -> adopt(claims(), request);
            case "fence" -> fence(attachments(), request);
            default -> throw new Refusal(400, "there is no such action");
        };
    }

    private static Action reconcile(Readings source, String key) {
        String meaning = "The " + (source.node().isPresent() ? "node " : "controller ") + source.name()
                + " forgets the failures of " + key
                + " and looks at it now. A step that waits for its next try is tried at once. Nothing else changes.";
        Optional<VolumeManager> node = source.node();
        if (node.isPresent()) {
            VolumeId id = volume(key);
            return new Action(
                    "reconcile",
                    source.name() + " " + key,
                    meaning,
                    () -> node.get().reconciler().reconcile(id).thenApply(Actions::looked));
        }
        Controller controller = source.controller().orElseThrow(() -> new Refusal(NOT_POSSIBLE, "nothing runs here"));
        ObjectKey object = object(key);
        return new Action(
                "reconcile",
                source.name() + " " + key,
                meaning,
                () -> controller.reconciler().reconcile(object).thenApply(Actions::looked));
    }

    private static String looked(boolean known) {
        return known ? "it is looked at now" : "it is not known here any more; nothing was done";
    }

    private static Action release(PersistentVolumeController claims, ObjectKey volume) {
        if (volume.kind() != Kind.PERSISTENT_VOLUME) {
            throw new Refusal(NOT_POSSIBLE, "only a PersistentVolume is released, not " + volume);
        }
        return new Action(
                "release",
                volume.toString(),
                "PersistentVolume " + volume.name()
                        + " becomes free for any claim that fits, with everything that is in it: the next"
                        + " claim's pods can read what the last ones wrote. It is refused unless the policy is Retain, the claim is gone"
                        + " and no pod uses the volume.",
                () -> claims.release(volume.name())
                        .thenApply(stored ->
                                "released; its phase is " + stored.status().phase()));
    }

    private static Action adopt(PersistentVolumeController claims, JsonNode request) {
        OrphanedStorage orphan = new OrphanedStorage(
                request.path("plugin").asText(), request.path("handle").asText(), 0);
        ReclaimPolicy policy = Arrays.stream(ReclaimPolicy.values())
                .filter(each ->
                        each.name().equalsIgnoreCase(request.path("policy").asText()))
                .filter(each -> each == ReclaimPolicy.RETAIN || each == ReclaimPolicy.DELETE)
                .findFirst()
                .orElseThrow(() -> new Refusal(400, "the policy is Retain or Delete"));
        String meaning = "A PersistentVolume is made for " + orphan.handle() + " of " + orphan.plugin() + ". "
                + (policy == ReclaimPolicy.DELETE
                        ? "Its policy is Delete: its storage and everything in it is then destroyed. Another cluster that shares the"
                                + " backend may have made it."
                        : "Its policy is Retain: nothing is destroyed, and the volume is free to look at or to be released.");
        return new Action(
                "adopt",
                orphan.plugin() + " " + orphan.handle() + " as " + policy,
                meaning,
                () -> claims.adopt(orphan, policy)
                        .thenApply(volume ->
                                "PersistentVolume " + volume.metadata().name() + " was made"));
    }

    private static Action fence(AttachDetachController attachments, JsonNode request) {
        String node = request.path("node").asText();
        String evidence = request.path("evidence").asText().strip();
        if (node.isEmpty() || evidence.isEmpty()) {
            throw new Refusal(400, "an assertion names the node, and says who knows that it is cut off and how");
        }
        return new Action(
                "fence",
                "Node/" + node + ": " + evidence,
                "You assert that node " + node + " is cut off from its volumes (\"" + evidence
                        + "\"). Volumes that no pod wants there are"
                        + " taken from it without its word and may be given to other nodes. If the node still writes to them, their data"
                        + " is damaged. The assertion holds until the node is ready again.",
                () -> attachments
                        .fence(new Fence(Fence.Kind.OPERATOR_ASSERTION, node, evidence))
                        .thenApply(taken -> taken
                                ? "the assertion counts from now on"
                                : "nothing was done: this process does not lead, or knows of no such node"));
    }

    /** The controller of claims and volumes. */
    public PersistentVolumeController claims() {
        return running(PersistentVolumeController.class, "no controller of claims runs in this process");
    }

    private AttachDetachController attachments() {
        return running(AttachDetachController.class, "no attach/detach controller runs in this process");
    }

    private <T> T running(Class<T> type, String otherwise) {
        return sources.get().stream()
                .flatMap(source -> source.controller().stream())
                .filter(type::isInstance)
                .map(type::cast)
                .findFirst()
                .orElseThrow(() -> new Refusal(NOT_POSSIBLE, otherwise));
    }

    private Readings source(JsonNode request) {
        String name = request.path("source").asText();
        return sources.get().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new Refusal(404, "there is no node or controller called " + name));
    }

    /** The volume with this id. */
    public static VolumeId volume(String key) {
        try {
            return VolumeId.parse(key);
        } catch (IllegalArgumentException noId) {
            throw new Refusal(400, "this is no id of a volume: " + key);
        }
    }

    /** The object of the text {@code Kind/namespace/name}. */
    public static ObjectKey object(String key) {
        String[] parts = key.split("/", 3);
        for (Kind kind : Kind.values()) {
            if (parts.length == 3 && kind.apiName().equals(parts[0]) && !parts[2].isEmpty()) {
                return new ObjectKey(kind, parts[1], parts[2]);
            }
        }
        throw new Refusal(400, "this is no object: " + key);
    }
}
