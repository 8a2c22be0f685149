package io.volume4j.core.control.host.facts;

import io.volume4j.core.objects.ObjectChange;
import io.volume4j.core.volumes.NodeVolumeNames;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ClaimSource;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodVolume;
import io.volume4j.spi.model.VolumeAttachment;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Finds where a volume is or may be in use, from the objects of the cluster. An uncertain use counts as use. */
public final class VolumeUse {
    private VolumeUse() {}

    /**
     * The nodes to which the volume is attached, may be attached, or is being attached. Every VolumeAttachment of the
     * volume counts, whether it reports "attached" or not. The volumes in the status of nodes count too.
     *
     * @param id the volume's ID; null if unknown, and then the method does not check the nodes' status
     */
    public static List<String> nodes(
            String volumeName, @Nullable VolumeId id, Collection<? extends ApiObject> objects) {
        Set<String> nodes = new TreeSet<>();
        for (ApiObject object : objects) {
            if (object instanceof VolumeAttachment attachment
                    && attachment.spec().persistentVolumeName().equals(volumeName)) {
                nodes.add(attachment.spec().nodeName());
            } else if (id != null
                    && object instanceof Node node
                    && reported(node).contains(id.toString())) {
                nodes.add(node.metadata().name());
            }
        }
        return new ArrayList<>(nodes);
    }

    /** The names of the pods that use the claim and have not ended. */
    public static List<String> pods(ObjectKey claim, Collection<? extends ApiObject> objects) {
        Set<String> pods = new TreeSet<>();
        for (ApiObject object : objects) {
            if (object instanceof Pod pod
                    && !pod.terminated()
                    && pod.metadata().namespace().equals(claim.namespace())
                    && pod.spec().volumes().stream().anyMatch(volume -> uses(pod, volume, claim))) {
                pods.add(pod.metadata().namespace() + "/" + pod.metadata().name());
            }
        }
        return new ArrayList<>(pods);
    }

    /**
     * The shared volumes that the node or the control plane reports in the node's status. A pod's private volumes are
     * included as if they were shared.
     */
    public static Set<String> reported(Node node) {
        Set<String> ids = new LinkedHashSet<>();
        node.status().volumesInUse().forEach(name -> ids.add(withoutPod(name)));
        node.status().volumesAttached().forEach(attached -> ids.add(withoutPod(attached.name())));
        return ids;
    }

    /**
     * The claims of the pod's volumes, including claims that the controller creates for the pod. Empty for objects
     * that are not pods.
     */
    public static Set<ObjectKey> claimsOf(@Nullable ApiObject object) {
        return object instanceof Pod pod ? claimsOf(pod, volume -> true) : Set.of();
    }

    private static Set<ObjectKey> claimsOf(Pod pod, Predicate<PodVolume> such) {
        Set<ObjectKey> claims = new LinkedHashSet<>();
        String namespace = pod.metadata().namespace();
        for (PodVolume volume : pod.spec().volumes()) {
            String name = claimName(pod, volume);
            if (!name.isEmpty() && such.test(volume)) {
                claims.add(ObjectKey.claim(namespace, name));
            }
        }
        return claims;
    }

    /** The claims of the object before and after the change. */
    public static Set<ObjectKey> claimsOf(ObjectChange change) {
        Set<ObjectKey> claims = new LinkedHashSet<>(claimsOf(change.before()));
        claims.addAll(claimsOf(change.after()));
        return claims;
    }

    /**
     * The volume attributes classes to which the claim or volume refers: the current class, the wanted class, and the
     * class to which a running modification changes it.
     */
    public static Set<String> attributesClassesOf(@Nullable ApiObject object) {
        if (object instanceof PersistentVolumeClaim claim) {
            return named(
                    claim.spec().volumeAttributesClassName(),
                    claim.status().currentVolumeAttributesClassName(),
                    attributesClassBegun(claim));
        }
        return object instanceof PersistentVolume volume ? named(volume.spec().volumeAttributesClassName()) : Set.of();
    }

    /** Without a set for the many objects that name no class: each change of a claim or volume asks twice. */
    private static Set<String> named(String... names) {
        Set<String> named = Set.of();
        for (String name : names) {
            if (!name.isEmpty()) {
                named = named.isEmpty() ? new LinkedHashSet<>(4) : named;
                named.add(name);
            }
        }
        return named;
    }

    /**
     * The class to which a running modification changes the volume, from the claim's {@code status.modifyVolumeStatus}; {@code ""}
     * for none.
     */
    private static String attributesClassBegun(PersistentVolumeClaim claim) {
        @Nullable Object status = claim.unmodeled().document().get("status");
        @Nullable Object found = status instanceof Map<?, ?> fields ? fields.get("modifyVolumeStatus") : null;
        @Nullable
        Object target = found instanceof Map<?, ?> fields ? fields.get("targetVolumeAttributesClassName") : null;
        return target == null ? "" : target.toString();
    }

    /** The name of the claim of the pod's volume; {@code ""} if the volume has no claim. */
    public static String claimName(Pod pod, PodVolume volume) {
        if (volume.source() instanceof ClaimSource claim) {
            return claim.claimName();
        }
        return volume.source().type().equals("ephemeral") ? pod.metadata().name() + "-" + volume.name() : "";
    }

    /**
     * Whether the pod prevents the removal of the claim: the pod has a node and refers to the claim. A pod that has
     * ended also prevents it, because its volumes may still be in use for inspection. This exception does not apply
     * to a claim that the controller created for this pod alone.
     */
    public static boolean keeps(Pod pod, ObjectKey claim) {
        return !pod.spec().nodeName().isEmpty()
                && pod.metadata().namespace().equals(claim.namespace())
                && pod.spec().volumes().stream().anyMatch(volume -> uses(pod, volume, claim) && keeps(pod, volume));
    }

    /** All claims whose removal the pod prevents, in time linear in its volumes. */
    public static Set<ObjectKey> kept(Pod pod) {
        return pod.spec().nodeName().isEmpty() ? Set.of() : claimsOf(pod, volume -> keeps(pod, volume));
    }

    private static boolean keeps(Pod pod, PodVolume volume) {
        return volume.source() instanceof ClaimSource || !pod.terminated();
    }

    private static boolean uses(Pod pod, PodVolume volume, ObjectKey claim) {
        return claimName(pod, volume).equals(claim.name());
    }

    private static String withoutPod(String name) {
        return NodeVolumeNames.parse(name)
                .map(id -> VolumeId.shared(id.plugin(), id.name()).toString())
                .orElse(name);
    }
}
