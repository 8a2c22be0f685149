package io.volume4j.core.control.schedule;

import io.volume4j.spi.model.PersistentVolume;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The rule for volumes that say where they are by labels, as those did that were made before node affinity: a node that says
 * where it is must be there too. A value may name several places, joined by {@code __}.
 */
final class ZoneLabels {
    private static final Map<String, String> NAMES = names();

    private ZoneLabels() {}

    private static Map<String, String> names() {
        Map<String, String> names = new LinkedHashMap<>();
        names.put("topology.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/zone");
        names.put("topology.kubernetes.io/region", "failure-domain.beta.kubernetes.io/region");
        return names;
    }

    /** Whether the volume says anything by labels. */
    static boolean placed(PersistentVolume volume) {
        Map<String, String> labels = volume.metadata().labels();
        return NAMES.entrySet().stream()
                .anyMatch(name -> labels.containsKey(name.getKey()) || labels.containsKey(name.getValue()));
    }

    /** The nodes that may have the volume. */
    static BitSet allowed(PersistentVolume volume, NodeTable nodes) {
        BitSet allowed = (BitSet) nodes.present().clone();
        Map<String, String> labels = volume.metadata().labels();
        NAMES.forEach((name, old) -> {
            for (String key : List.of(name, old)) {
                String value = labels.get(key);
                if (value != null) {
                    BitSet there = new BitSet();
                    for (String place : value.split("__", -1)) {
                        there.or(nodes.labelled(name, place));
                        BitSet byOldName = (BitSet) nodes.labelled(old, place).clone();
                        byOldName.andNot(nodes.labelled(name));
                        there.or(byOldName);
                    }
                    allowed.and(there);
                }
            }
        });
        BitSet silent = (BitSet) nodes.present().clone();
        NAMES.forEach((name, old) -> {
            silent.andNot(nodes.labelled(name));
            silent.andNot(nodes.labelled(old));
        });
        allowed.or(silent);
        return allowed;
    }
}
