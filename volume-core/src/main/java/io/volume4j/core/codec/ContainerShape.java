package io.volume4j.core.codec;

import io.volume4j.spi.model.Container;
import java.util.List;
import java.util.Set;

/** A container of a pod, with the fields that concern volumes. */
final class ContainerShape {
    private ContainerShape() {}

    static List<Container> readAll(List<Fields> containers, Set<String> volumes) {
        return containers.stream().map(container -> read(container, volumes)).toList();
    }

    private static Container read(Fields container, Set<String> volumes) {
        Fields resources = container.object("resources");
        Fields security = container.object("securityContext");
        return new Container(
                container.text("name"),
                container.objects("volumeMounts").stream()
                        .map(mount -> readMount(mount, volumes))
                        .toList(),
                container.objects("volumeDevices").stream()
                        .map(device ->
                                new Container.VolumeDevice(volumeName(device, volumes), device.text("devicePath")))
                        .toList(),
                resources.amounts("requests"),
                resources.amounts("limits"),
                PodShape.readLabel(security),
                container.text("restartPolicy"),
                security.number("runAsUser"));
    }

    private static Container.VolumeMount readMount(Fields mount, Set<String> volumes) {
        String subPath = mount.text("subPath");
        if (subPath.startsWith("/") || List.of(subPath.split("/", -1)).contains("..")) {
            throw mount.wrong("subPath", "must stay inside the volume: a relative path without '..'");
        }
        return new Container.VolumeMount(
                volumeName(mount, volumes),
                mount.text("mountPath"),
                subPath,
                mount.text("subPathExpr"),
                mount.flag("readOnly"),
                mount.text("mountPropagation"),
                mount.text("recursiveReadOnly"));
    }

    private static String volumeName(Fields use, Set<String> volumes) {
        String name = use.requiredText("name", "write the name of one of the pod's volumes");
        if (!volumes.contains(name)) {
            throw use.wrong(
                    "name",
                    Shown.value(name) + " is not a volume of this pod: "
                            + (volumes.isEmpty()
                                    ? "spec.volumes has none"
                                    : "spec.volumes has " + Shown.line(String.join(", ", volumes))));
        }
        return name;
    }

    static Written write(Container container) {
        return Written.whole()
                .text("name", container.name())
                .text("restartPolicy", container.restartPolicy())
                .objects(
                        "volumeMounts",
                        container.volumeMounts(),
                        mount -> Written.whole()
                                .text("name", mount.name())
                                .text("mountPath", mount.mountPath())
                                .text("subPath", mount.subPath())
                                .text("subPathExpr", mount.subPathExpr())
                                .flag("readOnly", mount.readOnly())
                                .text("mountPropagation", mount.mountPropagation())
                                .text("recursiveReadOnly", mount.recursiveReadOnly()))
                .objects(
                        "volumeDevices",
                        container.volumeDevices(),
                        device -> Written.whole().text("name", device.name()).text("devicePath", device.devicePath()))
                .object(
                        "securityContext",
                        Written.part()
                                .number("runAsUser", container.runAsUser())
                                .object("seLinuxOptions", PodShape.writeLabel(container.seLinuxOptions())))
                .object(
                        "resources",
                        Written.part().amounts("requests", container.requests()).amounts("limits", container.limits()));
    }
}
