package io.volume4j.core.control.schedule;

import io.volume4j.spi.model.IscsiSource;
import io.volume4j.spi.model.OtherSource;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodVolume;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Disks in pod specs of which a machine can use each only once: GCE disks, iSCSI targets and RBD images unless every pod only
 * reads, EBS volumes in any case. Not thread-safe.
 */
final class Disks {
    /**
     * A pod's use of such a disk.
     *
     * @param disk the identity of the disk
     * @param reads whether the pod can share the disk with others that only read
     */
    record Use(String disk, boolean reads) {}

    private static final class Users {
        int readers;
        int others;
    }

    private final Map<String, Map<Integer, Users>> byDisk = new HashMap<>();

    /** The pod's uses of such disks. */
    static List<Use> of(Pod pod) {
        List<Use> uses = new ArrayList<>();
        for (PodVolume volume : pod.spec().volumes()) {
            if (volume.source() instanceof IscsiSource source) {
                uses.add(new Use("iscsi " + source.iqn(), source.readOnly()));
            } else if (volume.source() instanceof OtherSource source) {
                uses.addAll(of(source));
            }
        }
        return uses;
    }

    private static List<Use> of(OtherSource source) {
        boolean readOnly = Boolean.TRUE.equals(source.fields().get("readOnly"));
        return switch (source.type()) {
            case "gcePersistentDisk" -> List.of(new Use("gce " + text(source, "pdName"), readOnly));
            case "awsElasticBlockStore" -> List.of(new Use("ebs " + text(source, "volumeID"), false));
            case "rbd" -> {
                String pool = source.fields().get("pool") == null ? "rbd" : text(source, "pool");
                List<Use> uses = new ArrayList<>();
                if (source.fields().get("monitors") instanceof List<?> monitors) {
                    for (@Nullable Object monitor : monitors) {
                        uses.add(new Use("rbd " + pool + "/" + text(source, "image") + " at " + monitor, readOnly));
                    }
                }
                yield uses;
            }
            default -> List.of();
        };
    }

    void add(int node, List<Use> uses) {
        uses.forEach(use -> count(node, use, 1));
    }

    void remove(int node, List<Use> uses) {
        uses.forEach(use -> count(node, use, -1));
    }

    /**
     * The nodes where this use of the disk is not possible.
     *
     * @param node the node where the pod has uses of its own already, any number for none
     * @param own these uses, which are ignored
     */
    BitSet taken(Use wanted, int node, List<Use> own) {
        int ownReaders = Collections.frequency(own, new Use(wanted.disk(), true));
        int ownOthers = Collections.frequency(own, new Use(wanted.disk(), false));
        BitSet nodes = new BitSet();
        byDisk.getOrDefault(wanted.disk(), Map.of()).forEach((at, users) -> {
            int readers = users.readers - (at == node ? ownReaders : 0);
            int others = users.others - (at == node ? ownOthers : 0);
            if (others > 0 || (readers > 0 && !wanted.reads())) {
                nodes.set(at);
            }
        });
        return nodes;
    }

    private void count(int node, Use use, int more) {
        Map<Integer, Users> nodes = byDisk.computeIfAbsent(use.disk(), disk -> new HashMap<>());
        Users users = nodes.computeIfAbsent(node, number -> new Users());
        if (use.reads()) {
            users.readers += more;
        } else {
            users.others += more;
        }
        if (users.readers == 0 && users.others == 0) {
            nodes.remove(node);
            if (nodes.isEmpty()) {
                byDisk.remove(use.disk());
            }
        }
    }

    private static String text(OtherSource source, String field) {
        return String.valueOf(source.fields().get(field));
    }
}
