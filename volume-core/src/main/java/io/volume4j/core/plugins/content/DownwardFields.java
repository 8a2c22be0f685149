package io.volume4j.core.plugins.content;

import io.volume4j.core.plugins.common.MessageText;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.Container;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.Quantity;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The fields about a pod that its files may contain. Pure. */
public final class DownwardFields {
    private static final Pattern ENTRY = Pattern.compile("metadata\\.(labels|annotations)\\['([^']+)'\\]");

    private final Map<String, Quantity> allocatable;

    /** @param allocatable the node's allocatable resources, which are the limit of a container without one */
    public DownwardFields(Map<String, Quantity> allocatable) {
        this.allocatable = allocatable;
    }

    /** The value of an item's {@code fieldRef} or {@code resourceFieldRef}. */
    String value(SourceFields item, Pod pod) {
        if (item.has("fieldRef") && item.has("resourceFieldRef")) {
            throw item.wrong("fieldRef", "is set together with resourceFieldRef: set one of them");
        }
        SourceFields field = item.object("fieldRef").orElse(null);
        if (field != null) {
            return field(field, pod);
        }
        return resource(
                item.object("resourceFieldRef")
                        .orElseThrow(() -> item.wrong("fieldRef", "or resourceFieldRef is needed")),
                pod);
    }

    private static String field(SourceFields reference, Pod pod) {
        ObjectMeta metadata = pod.metadata();
        String path = reference.requiredText("fieldPath");
        switch (path) {
            case "metadata.name":
                return metadata.name();
            case "metadata.namespace":
                return metadata.namespace();
            case "metadata.uid":
                return metadata.uid();
            case "metadata.labels":
                return lines(metadata.labels());
            case "metadata.annotations":
                return lines(metadata.annotations());
            default:
                Matcher entry = ENTRY.matcher(path);
                if (entry.matches()) {
                    Map<String, String> entries =
                            entry.group(1).equals("labels") ? metadata.labels() : metadata.annotations();
                    return entries.getOrDefault(entry.group(2), "");
                }
                throw reference.wrong(
                        "fieldPath",
                        "is " + MessageText.text(path) + "; files can have metadata.name, .namespace, .uid, .labels,"
                                + " .annotations, .labels['<key>'] and .annotations['<key>']");
        }
    }

    /** One {@code key="value"} per line, in order of keys, with Go's escapes, as readers of these files expect. */
    private static String lines(Map<String, String> entries) {
        StringBuilder text = new StringBuilder();
        new TreeMap<>(entries)
                .forEach((key, value) -> text.append(text.length() == 0 ? "" : "\n")
                        .append(key)
                        .append('=')
                        .append(GoText.quoted(value)));
        return text.toString();
    }

    private String resource(SourceFields reference, Pod pod) {
        String name = reference.requiredText("resource");
        String containerName = reference.requiredText("containerName");
        Container container = Stream.concat(pod.spec().containers().stream(), pod.spec().initContainers().stream())
                .filter(each -> each.name().equals(containerName))
                .findFirst()
                .orElseThrow(() -> reference.wrong(
                        "containerName", "names " + MessageText.text(containerName) + ", which the pod does not have"));
        Quantity amount;
        if (name.startsWith("limits.")) {
            String resource = name.substring("limits.".length());
            amount = container.limits().getOrDefault(resource, allocatable.get(resource));
            if (amount == null) {
                throw reference.wrong(
                        "resource",
                        "is " + name + ", container " + containerName + " has none, and what the node could give is"
                                + " not known");
            }
        } else if (name.startsWith("requests.")) {
            String resource = name.substring("requests.".length());
            amount = container.requests().getOrDefault(resource, Quantity.ofBytes(0));
        } else {
            throw reference.wrong(
                    "resource", "is " + MessageText.text(name) + "; write limits.<name> or requests.<name>");
        }
        return Long.toString(amount.dividedBy(divisor(reference)));
    }

    private static Quantity divisor(SourceFields reference) {
        String written = reference.has("divisor") ? reference.scalar("divisor") : "1";
        try {
            Quantity divisor = Quantity.parse(written);
            // A missing divisor is written as zero.
            return divisor.signum() == 0 ? Quantity.ofBytes(1) : divisor;
        } catch (IllegalArgumentException e) {
            throw VolumeException.finalFailure(reference.place() + ".divisor: " + e.getMessage());
        }
    }
}
