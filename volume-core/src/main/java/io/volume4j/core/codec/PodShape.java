package io.volume4j.core.codec;

import io.volume4j.spi.model.NameRule;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodPhase;
import io.volume4j.spi.model.PodVolume;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** {@code Pod}, with the fields that concern volumes. */
final class PodShape {
    private static final String CONTAINERS = "containerStatuses";
    private static final String INIT_CONTAINERS = "initContainerStatuses";
    private static final String EPHEMERAL_CONTAINERS = "ephemeralContainerStatuses";

    private PodShape() {}

    static Pod.Spec readSpec(Fields spec) {
        List<PodVolume> volumes = new ArrayList<>();
        Set<String> names = new LinkedHashSet<>();
        for (Fields volume : spec.objects("volumes")) {
            String name = volume.requiredName("name", NameRule.LABEL, "every volume of a pod needs a name");
            if (!names.add(name)) {
                throw volume.wrong("name", Shown.value(name) + " is also the name of another volume of this pod");
            }
            volumes.add(new PodVolume(name, SourceShapes.readOfPod(volume)));
        }
        return new Pod.Spec(
                spec.name("nodeName", NameRule.SUBDOMAIN),
                volumes,
                ContainerShape.readAll(spec.objects("initContainers"), names),
                ContainerShape.readAll(spec.objects("containers"), names),
                ContainerShape.readAll(spec.objects("ephemeralContainers"), names),
                !spec.has("hostUsers") || spec.flag("hostUsers"),
                readSecurity(spec.object("securityContext")),
                spec.text("serviceAccountName"));
    }

    static Pod.Status readStatus(Fields status) {
        return new Pod.Status(
                status.word("phase", PodPhase.class, PodPhase.PENDING),
                readContainerStatuses(status, CONTAINERS),
                readContainerStatuses(status, INIT_CONTAINERS),
                readContainerStatuses(status, EPHEMERAL_CONTAINERS));
    }

    private static List<Pod.ContainerStatus> readContainerStatuses(Fields status, String key) {
        return status.objects(key).stream()
                .map(container -> new Pod.ContainerStatus(
                        container.text("name"), container.object("state").has("running")))
                .toList();
    }

    static Written write(Pod pod) {
        Pod.Spec spec = pod.spec();
        Written fields = Written.part()
                .text("nodeName", spec.nodeName())
                .text("serviceAccountName", spec.serviceAccountName())
                .object("securityContext", writeSecurity(spec.securityContext()))
                .objects("initContainers", spec.initContainers(), ContainerShape::write)
                .objects("containers", spec.containers(), ContainerShape::write)
                .objects("ephemeralContainers", spec.ephemeralContainers(), ContainerShape::write)
                .objects(
                        "volumes",
                        spec.volumes(),
                        volume -> SourceShapes.write(Written.whole().text("name", volume.name()), volume.source()));
        if (!spec.hostUsers()) {
            fields.answer("hostUsers", false);
        }
        return Written.part()
                .object("spec", fields)
                .object(
                        "status",
                        Written.part()
                                .word("phase", pod.status().phase())
                                .objects(CONTAINERS, pod.status().containerStatuses(), PodShape::writeContainerStatus)
                                .objects(
                                        INIT_CONTAINERS,
                                        pod.status().initContainerStatuses(),
                                        PodShape::writeContainerStatus)
                                .objects(
                                        EPHEMERAL_CONTAINERS,
                                        pod.status().ephemeralContainerStatuses(),
                                        PodShape::writeContainerStatus));
    }

    private static Written writeContainerStatus(Pod.ContainerStatus container) {
        Written fields = Written.whole().text("name", container.name());
        return container.running()
                ? fields.object("state", Written.whole().object("running", Written.whole()))
                : fields;
    }

    private static Pod.SecurityContext readSecurity(Fields security) {
        return new Pod.SecurityContext(
                security.number("fsGroup"),
                security.text("fsGroupChangePolicy"),
                security.numbers("supplementalGroups"),
                readLabel(security),
                security.text("seLinuxChangePolicy"),
                security.number("runAsUser"));
    }

    private static Written writeSecurity(Pod.SecurityContext security) {
        String policy = security.fsGroupChangePolicy();
        String labelPolicy = security.seLinuxChangePolicy();
        return Written.part()
                .number("fsGroup", security.fsGroup())
                .text("fsGroupChangePolicy", policy.equals("Always") ? "" : policy)
                .scalars("supplementalGroups", security.supplementalGroups())
                .object("seLinuxOptions", writeLabel(security.seLinuxOptions()))
                .text("seLinuxChangePolicy", labelPolicy.equals("MountOption") ? "" : labelPolicy)
                .number("runAsUser", security.runAsUser());
    }

    /** The SELinux options of a pod's or a container's security context. */
    static Pod.@Nullable SeLinuxOptions readLabel(Fields security) {
        Fields labels = security.optionalObject("seLinuxOptions");
        return labels == null
                ? null
                : new Pod.SeLinuxOptions(
                        labels.text("user"), labels.text("role"), labels.text("type"), labels.text("level"));
    }

    static @Nullable Written writeLabel(Pod.@Nullable SeLinuxOptions labels) {
        return labels == null
                ? null
                : Written.whole()
                        .text("user", labels.user())
                        .text("role", labels.role())
                        .text("type", labels.type())
                        .text("level", labels.level());
    }
}
