package io.volume4j.ui.watch;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.volume4j.core.explain.Explanation;
import io.volume4j.core.explain.Explanation.StepState;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.ui.rows.Row;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One volume from its pods to its mounts, as parts of a picture: pod, claim, volume, attachment, device, mounts. The state of each part
 * is {@code ok}, {@code working}, {@code failing}, {@code uncertain}, {@code absent}, or {@code unknown} if the cluster does not let it
 * be read; then the detail is the reason. The picture omits claim and volume if the cluster has no such volume, and the claim if the
 * volume is unknown, because only the volume names it.
 */
final class Chain {
    private static final Set<String> ATTACHING = Set.of("ATTACH", "CONFIRM_ATTACHED", "DETACH");
    private static final Set<String> STAGING = Set.of("MOUNT_DEVICE", "UNMOUNT_DEVICE");
    private static final Set<String> MOUNTING =
            Set.of("MOUNT_DEVICE", "MOUNT", "APPLY_FS_GROUP", "MAP_IDS", "BIND_SUBPATHS", "UNMOUNT");

    private final ArrayNode parts = JsonNodeFactory.instance.arrayNode();
    private final Row row;
    private final Explanation explanation;
    private final @Nullable ClusterSource cluster;

    private Chain(Row row, Explanation explanation, @Nullable ClusterSource cluster) {
        this.row = row;
        this.explanation = explanation;
        this.cluster = cluster;
    }

    /** @param cluster the source of claim and volume; null to omit them */
    static ArrayNode of(Row row, Explanation explanation, @Nullable ClusterSource cluster) {
        Chain chain = new Chain(row, explanation, cluster);
        chain.pods();
        chain.claimAndVolume();
        chain.add("Attachment", row.plugin(), chain.state(row.attach(), "ATTACHED", ATTACHING), row.attach());
        chain.add(
                "Device",
                row.devicePath().isEmpty() ? "device" : row.devicePath(),
                chain.state(row.device(), "MOUNTED", STAGING),
                row.device());
        chain.mounts();
        return chain.parts;
    }

    private void add(String kind, String name, String state, String detail) {
        ObjectNode part = parts.addObject();
        part.put("kind", kind);
        part.put("name", name);
        part.put("state", state);
        part.put("detail", detail);
    }

    private void pods() {
        Set<String> pods = new LinkedHashSet<>(row.wanted());
        row.mounts().forEach(mount -> pods.add(mount.pod()));
        for (String pod : pods) {
            boolean mounted = row.mounts().stream()
                    .anyMatch(mount -> mount.pod().equals(pod) && mount.state().equals("MOUNTED"));
            boolean wanted = row.wanted().contains(pod);
            add(
                    "Pod",
                    pod,
                    wanted ? mounted ? "ok" : pending() : "working",
                    wanted ? mounted ? "has the volume" : "waits" : "leaves");
        }
        if (pods.isEmpty()) {
            add("Pod", "no pod", "absent", "no pod wants the volume");
        }
    }

    private String pending() {
        return explanation.steps().stream().anyMatch(step -> step.attempts() > 0) ? "failing" : "working";
    }

    private void claimAndVolume() {
        Reading<PersistentVolume> reading = read(ObjectKey.volume(row.name()), PersistentVolume.class);
        if (!reading.failure().isEmpty()) {
            add("PersistentVolume", row.name(), "unknown", reading.failure());
            return;
        }
        @Nullable PersistentVolume volume = reading.found();
        if (volume == null) {
            return;
        }
        @Nullable ObjectReference reference = volume.spec().claimRef();
        if (reference == null) {
            add("Claim", "no claim", "absent", "the volume is free");
        } else {
            claim(ObjectKey.claim(reference.namespace(), reference.name()));
        }
        add(
                "PersistentVolume",
                row.name(),
                volume.metadata().deleting() ? "working" : "ok",
                volume.status().phase().toString());
    }

    private void claim(ObjectKey key) {
        String name = key.namespace() + "/" + key.name();
        Reading<PersistentVolumeClaim> reading = read(key, PersistentVolumeClaim.class);
        @Nullable PersistentVolumeClaim claim = reading.found();
        if (claim != null) {
            ClaimPhase phase = claim.status().phase();
            add("Claim", name, phase == ClaimPhase.BOUND ? "ok" : "working", phase.toString());
        } else if (reading.failure().isEmpty()) {
            add("Claim", name, "absent", "gone");
        } else {
            add("Claim", name, "unknown", reading.failure());
        }
    }

    /**
     * What the cluster answered.
     *
     * @param found null if there is no such object, or it could not be read
     * @param failure why it could not be read; empty if it could
     */
    private record Reading<T>(@Nullable T found, String failure) {}

    private <T extends ApiObject> Reading<T> read(ObjectKey key, Class<T> type) {
        if (cluster == null) {
            return new Reading<>(null, "");
        }
        try {
            return new Reading<>(
                    cluster.readLive(key)
                            .filter(type::isInstance)
                            .map(type::cast)
                            .orElse(null),
                    "");
        } catch (ClusterException unread) {
            return new Reading<>(null, "cannot be read: " + unread.getMessage());
        }
    }

    private void mounts() {
        for (Row.Mount mount : row.mounts()) {
            add(
                    "Mount",
                    mount.path(),
                    state(mount.state(), "MOUNTED", MOUNTING),
                    mount.pod() + (mount.readOnly() ? ", read-only" : ""));
        }
        if (row.mounts().isEmpty()) {
            add("Mount", "no mount", "absent", "mounted for no pod");
        }
    }

    /** @param kinds of the steps that lead to or from the certain state */
    private String state(String state, String certain, Set<String> kinds) {
        if (state.equals(certain)) {
            return "ok";
        }
        boolean uncertain = state.equals("UNCERTAIN");
        for (StepState step : explanation.steps()) {
            if (kinds.contains(step.kind())) {
                return step.attempts() == 0 ? "working" : uncertain ? "uncertain" : "failing";
            }
        }
        return uncertain ? "uncertain" : "absent";
    }
}
