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
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One volume from its pods to its mounts, as parts of a picture: pod, claim, volume, attachment, device, mounts. The state of each part
 * is {@code ok}, {@code working}, {@code failing}, {@code uncertain} or {@code absent}. The picture omits claim and volume if the
 * volume cannot be read.
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
        Optional<PersistentVolume> volume = read(ObjectKey.volume(row.name()))
                .filter(PersistentVolume.class::isInstance)
                .map(PersistentVolume.class::cast);
        if (volume.isEmpty()) {
            return;
        }
        @Nullable ObjectReference reference = volume.get().spec().claimRef();
        if (reference == null) {
            add("Claim", "no claim", "absent", "the volume is free");
        } else {
            ObjectKey key = ObjectKey.claim(reference.namespace(), reference.name());
            Optional<PersistentVolumeClaim> claim =
                    read(key).filter(PersistentVolumeClaim.class::isInstance).map(PersistentVolumeClaim.class::cast);
            add(
                    "Claim",
                    key.namespace() + "/" + key.name(),
                    claim.map(found -> found.status().phase() == ClaimPhase.BOUND ? "ok" : "working")
                            .orElse("absent"),
                    claim.map(found -> found.status().phase().toString()).orElse("gone"));
        }
        add(
                "PersistentVolume",
                row.name(),
                volume.get().metadata().deleting() ? "working" : "ok",
                volume.get().status().phase().toString());
    }

    private Optional<ApiObject> read(ObjectKey key) {
        if (cluster == null) {
            return Optional.empty();
        }
        try {
            return cluster.readLive(key);
        } catch (ClusterException away) {
            return Optional.empty();
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
