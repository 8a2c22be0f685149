package io.volume4j.csi.driver.oracle;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The objects in the storage and on its nodes at one time, each as a line of text.
 *
 * @param volumes ids
 * @param snapshots ids
 * @param groups ids of group snapshots
 * @param attachments as {@code VOLUME on NODE}
 * @param uses where volumes are staged and published
 * @param mounts the mounts at the paths that were ever published, and the used devices
 * @param born how often an object of each name was created
 * @since 0.1.0
 */
public record Inventory(
        List<String> volumes,
        List<String> snapshots,
        List<String> groups,
        List<String> attachments,
        List<String> uses,
        List<String> mounts,
        Map<String, Integer> born) {
    public Inventory {
        volumes = List.copyOf(volumes);
        snapshots = List.copyOf(snapshots);
        groups = List.copyOf(groups);
        attachments = List.copyOf(attachments);
        uses = List.copyOf(uses);
        mounts = List.copyOf(mounts);
        born = Collections.unmodifiableMap(new TreeMap<>(born));
    }

    /** Every existing object that is not in the caller's list of known ids; empty if nothing leaked. */
    public List<String> leaks(List<String> known) {
        List<String> leaks = new ArrayList<>();
        volumes.stream().filter(id -> !known.contains(id)).forEach(id -> leaks.add("volume " + id));
        snapshots.stream().filter(id -> !known.contains(id)).forEach(id -> leaks.add("snapshot " + id));
        groups.stream().filter(id -> !known.contains(id)).forEach(id -> leaks.add("group snapshot " + id));
        attachments.stream()
                .filter(each -> !known.contains(each.substring(0, each.indexOf(" on "))))
                .forEach(each -> leaks.add("attachment of " + each));
        uses.stream()
                .filter(each -> !known.contains(each.substring(0, each.indexOf(' '))))
                .forEach(leaks::add);
        if (known.isEmpty()) {
            leaks.addAll(mounts);
        }
        return leaks;
    }

    /** Every existing object. */
    public List<String> leaks() {
        return leaks(List.of());
    }
}
