package io.volume4j.inmemory.cluster;

import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.CsiNode;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.NameRule;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.VolumeAttachment;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What Kubernetes' API server refuses though the schema allows it, of the writes that volume controllers make. */
final class ServerRules {
    private static final int VOLUME_ERROR_BYTES = 1024;

    private ServerRules() {}

    /** The problems of a new object. */
    static List<String> problems(ApiObject created) {
        List<String> ofMetadata = MetadataRules.problems(created.metadata());
        if (!ofMetadata.isEmpty()) {
            return ofMetadata;
        }
        if (created instanceof PersistentVolume volume
                && volume.spec().accessModes().isEmpty()) {
            return List.of("spec.accessModes: is required");
        }
        PersistentVolume.@Nullable Spec inline = created instanceof VolumeAttachment attachment
                ? attachment.spec().inlineVolumeSpec()
                : null;
        if (inline == null) {
            return List.of();
        }
        return inline.source() instanceof CsiSource csi && NameRule.DRIVER.allows(csi.driver())
                ? List.of()
                : List.of("spec.source.inlineVolumeSpec.csi: is required, with the name of a driver");
    }

    /** The problems of changes to a stored object. */
    static List<String> problems(ApiObject old, Patch patch) {
        List<String> problems = MetadataRules.problems(patch);
        for (FieldChange change : patch.changes()) {
            finalizers(old, change, problems);
            if (old.kind() == Kind.VOLUME_ATTACHMENT) {
                volumeError(change, problems);
            } else if (old instanceof CsiNode node) {
                drivers(node, change, problems);
            }
        }
        return problems;
    }

    /** The problems of the changed object. */
    static List<String> problems(ApiObject old, Patch patch, ObjectTree after) {
        if (patch.status()) {
            return List.of();
        }
        List<String> problems = FixedFields.problems(old, after);
        boolean annotated = patch.changes().stream()
                .anyMatch(change -> change.value() != null
                        && change.path().size() > 1
                        && change.path().get(1).equals("annotations"));
        if (annotated
                && after.get("metadata") instanceof Map<?, ?> metadata
                && metadata.get("annotations") instanceof Map<?, ?> annotations) {
            MetadataRules.size(annotations, problems);
        }
        return problems;
    }

    private static void finalizers(ApiObject old, FieldChange change, List<String> problems) {
        if (old.metadata().deleting()
                && change.path().equals(List.of("metadata", "finalizers"))
                && change.value() instanceof List<?> wanted) {
            wanted.stream()
                    .filter(each -> !old.metadata().finalizers().contains(String.valueOf(each)))
                    .forEach(each -> problems.add("metadata.finalizers: no new finalizers can be added if the object is"
                            + " being deleted, found " + each));
        }
    }

    private static void volumeError(FieldChange change, List<String> problems) {
        List<String> path = change.path();
        boolean error = path.equals(List.of("status", "attachError")) || path.equals(List.of("status", "detachError"));
        if (error
                && change.value() instanceof Map<?, ?> failure
                && failure.get("message") instanceof String message
                && message.getBytes(StandardCharsets.UTF_8).length > VOLUME_ERROR_BYTES) {
            problems.add(path.get(0) + "." + path.get(1) + ".message: may not be more than " + VOLUME_ERROR_BYTES
                    + " bytes");
        }
    }

    /** A driver's entry may change its limit. For everything else it must be removed first. */
    private static void drivers(CsiNode old, FieldChange change, List<String> problems) {
        if (change.path().equals(List.of("spec", "drivers")) && change.value() instanceof List<?> wanted) {
            for (Object each : wanted) {
                if (each instanceof Map<?, ?> entry) {
                    old.driver(String.valueOf(entry.get("name")))
                            .filter(had -> !had.nodeId().equals(text(entry.get("nodeID")))
                                    || !had.topologyKeys().equals(texts(entry.get("topologyKeys"))))
                            .ifPresent(
                                    had -> problems.add("spec.drivers: the entry of " + had.name() + " is immutable"));
                }
            }
        }
    }

    private static String text(@Nullable Object value) {
        return value == null ? "" : value.toString();
    }

    private static List<String> texts(@Nullable Object value) {
        return value instanceof List<?> list
                ? list.stream().map(String::valueOf).toList()
                : List.of();
    }
}
