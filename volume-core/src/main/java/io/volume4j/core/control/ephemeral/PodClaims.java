package io.volume4j.core.control.ephemeral;

import io.volume4j.core.codec.ManifestException;
import io.volume4j.core.codec.Manifests;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.OtherSource;
import io.volume4j.spi.model.OwnerReference;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodVolume;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The claims that a pod must have, from the pod itself:
 *
 * <ul>
 *   <li>each volume of type {@code ephemeral} makes the claim {@code <pod>-<volume>}, which the pod owns;
 *   <li>each template in the annotation {@value #TEMPLATES} makes the claim {@code <template>-<pod>}, which stays for the next pod
 *       with the name. Templates are manifests of claims, as in a StatefulSet's {@code volumeClaimTemplates}: YAML or JSON, several
 *       as documents or as a {@code kind: List}. An annotation with more than {@value #MAX_CHARACTERS} characters or
 *       {@value #MAX_TEMPLATES} templates makes no claims.
 * </ul>
 */
public final class PodClaims {
    /** On a pod: templates of claims for all successive pods with its name. */
    public static final String TEMPLATES = "volume4j.io/volume-claim-templates";

    /** On a pod with templates: the retention of their claims, such as {@code whenDeleted=Delete,whenScaled=Retain}. */
    public static final String RETENTION = "volume4j.io/claim-retention";

    /** On a pod with templates: {@code true} after its set has become smaller, so that no pod with the name will follow. */
    public static final String SCALED_AWAY = "volume4j.io/scaled-away";

    /** The loop of all pods reads the templates. So one pod must not have it read for long. */
    static final int MAX_CHARACTERS = 32 * 1024;

    static final int MAX_TEMPLATES = 64;

    private PodClaims() {}

    /** The claims of the pod's ephemeral volumes. */
    public static List<DesiredClaim> ofVolumes(Pod pod) {
        List<DesiredClaim> claims = new ArrayList<>();
        for (PodVolume volume : pod.spec().volumes()) {
            if (volume.source() instanceof OtherSource source && source.type().equals("ephemeral")) {
                claims.add(claim(
                        pod,
                        pod.metadata().name() + "-" + volume.name(),
                        source.fields().get("volumeClaimTemplate"),
                        List.of(owner(pod)),
                        true));
            }
        }
        return claims;
    }

    /** Whether the pod has claims of its own; cheap. */
    public static boolean hasAny(Pod pod) {
        return pod.metadata().annotations().containsKey(TEMPLATES)
                || pod.spec().volumes().stream()
                        .anyMatch(volume -> volume.source().type().equals("ephemeral"));
    }

    /** The claims of the templates in the pod's annotation. Parses it: see {@link TemplateClaims}. */
    static List<DesiredClaim> ofTemplates(Pod pod) {
        String text = pod.metadata().annotation(TEMPLATES);
        if (text.length() > MAX_CHARACTERS) {
            return unreadable(
                    pod, "has " + text.length() + " characters, and at most " + MAX_CHARACTERS + " are permitted");
        }
        try {
            List<ApiObject> templates = Manifests.read(TEMPLATES, text);
            return templates.size() > MAX_TEMPLATES
                    ? unreadable(
                            pod,
                            "has " + templates.size() + " templates, and at most " + MAX_TEMPLATES + " are permitted")
                    : templates.stream()
                            .map(template -> claim(
                                    pod,
                                    template.metadata().name() + "-"
                                            + pod.metadata().name(),
                                    template instanceof PersistentVolumeClaim ? Manifests.toTree(template) : null,
                                    owners(pod),
                                    false))
                            .toList();
        } catch (ManifestException unreadable) {
            return unreadable(pod, "cannot be read: " + unreadable.getMessage());
        }
    }

    private static List<DesiredClaim> unreadable(Pod pod, String why) {
        ObjectKey none = ObjectKey.claim(
                pod.metadata().namespace(), "template-" + pod.metadata().name());
        return List.of(new DesiredClaim(none, null, false, "annotation " + TEMPLATES + " " + why));
    }

    /** The current owner of a template's claim. */
    static List<OwnerReference> owners(Pod pod) {
        RetentionPolicy policy = RetentionPolicy.of(pod);
        if (policy.deletedWhenScaled() && "true".equals(pod.metadata().annotation(SCALED_AWAY))) {
            return List.of(owner(pod));
        }
        Optional<OwnerReference> set = pod.metadata().ownerReferences().stream()
                .filter(OwnerReference::controller)
                .findFirst();
        return policy.deletedWithSet()
                ? set.map(found -> List.of(
                                new OwnerReference(found.apiVersion(), found.kind(), found.name(), found.uid(), false)))
                        .orElse(List.of())
                : List.of();
    }

    static OwnerReference owner(Pod pod) {
        return new OwnerReference(
                Kind.POD.apiVersion(),
                Kind.POD.apiName(),
                pod.metadata().name(),
                pod.metadata().uid(),
                true);
    }

    private static DesiredClaim claim(
            Pod pod, String name, @Nullable Object template, List<OwnerReference> owners, boolean ownedByPod) {
        ObjectKey key = ObjectKey.claim(pod.metadata().namespace(), name);
        if (!(template instanceof Map<?, ?> fields)) {
            return new DesiredClaim(key, null, ownedByPod, "there is no template for claim " + name);
        }
        Map<String, @Nullable Object> metadata = new LinkedHashMap<>();
        if (fields.get("metadata") instanceof Map<?, ?> given) {
            for (String taken : List.of("labels", "annotations")) {
                if (given.get(taken) instanceof Map<?, ?> values) {
                    metadata.put(taken, values);
                }
            }
        }
        metadata.put("name", name);
        metadata.put("namespace", pod.metadata().namespace());
        if (!owners.isEmpty()) {
            metadata.put("ownerReferences", owners.stream().map(PodClaims::tree).toList());
        }
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("apiVersion", Kind.PERSISTENT_VOLUME_CLAIM.apiVersion());
        tree.put("kind", Kind.PERSISTENT_VOLUME_CLAIM.apiName());
        tree.put("metadata", metadata);
        tree.put("spec", fields.get("spec"));
        try {
            return new DesiredClaim(key, (PersistentVolumeClaim) Manifests.fromTree(tree), ownedByPod, "");
        } catch (ManifestException refused) {
            return new DesiredClaim(key, null, ownedByPod, String.valueOf(refused.getMessage()));
        }
    }

    /** The references for the claim. Those that it has already stay with every field that they have. */
    static List<Object> trees(PersistentVolumeClaim claim, List<OwnerReference> owners) {
        List<OwnerReference> has = claim.metadata().ownerReferences();
        @Nullable
        Object stored = claim.unmodeled().document().get("metadata") instanceof Map<?, ?> metadata
                ? metadata.get("ownerReferences")
                : null;
        List<Object> trees = new ArrayList<>();
        for (OwnerReference owner : owners) {
            int at = has.indexOf(owner);
            trees.add(
                    at >= 0 && stored instanceof List<?> list && list.size() == has.size()
                            ? list.get(at)
                            : tree(owner));
        }
        return trees;
    }

    /**
     * A claim blocks the foreground deletion of its pod, and not of the pod's controller: some API servers permit this only to users
     * who may finalize the owner, and the controller may be of any kind.
     */
    private static Map<String, Object> tree(OwnerReference owner) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("apiVersion", owner.apiVersion());
        tree.put("kind", owner.kind());
        tree.put("name", owner.name());
        tree.put("uid", owner.uid());
        tree.put("controller", owner.controller());
        if (owner.controller()) {
            tree.put("blockOwnerDeletion", true);
        }
        return tree;
    }
}
