package io.volume4j.core.migration;

import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.OtherSource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Google persistent disks. A source contains no project, and often no zone: both are added from the node's own id. */
final class GcePd extends InTree {
    private static final String UNSPECIFIED = "UNSPECIFIED";
    private static final Pattern HANDLE = Pattern.compile("projects/([^/]+)/(zones|regions)/([^/]+)/disks/([^/]+)");
    private static final Pattern NODE = Pattern.compile("projects/([^/]+)/zones/([^/]+)/instances/[^/]+");

    GcePd() {
        super("kubernetes.io/gce-pd", "gcePersistentDisk", "pd.csi.storage.gke.io", "topology.gke.io/zone");
    }

    @Override
    CsiSource toCsi(OtherSource source, Around around) {
        String disk = Fields.text(source, "pdName");
        if (disk.isEmpty()) {
            throw invalid("of volume " + around.meta().name(), "it names no pdName");
        }
        List<String> zones =
                around.inline() ? List.of() : Places.zones(around.meta().labels());
        String place = switch (zones.size()) {
            case 0 -> "zones/" + UNSPECIFIED;
            case 1 -> "zones/" + zones.get(0);
            default -> "regions/" + onlyRegion(zones, around);
        };
        return new CsiSource(
                driver(),
                "projects/" + UNSPECIFIED + "/" + place + "/disks/" + disk,
                Fields.flag(source, "readOnly"),
                Fields.text(source, "fsType"),
                Map.of("partition", partition(source)),
                null,
                null,
                null,
                null,
                null);
    }

    /** Empty for the whole disk: the driver looks for the device of any other partition, also of partition 0. */
    private static String partition(OtherSource source) {
        long partition = Fields.number(source, "partition");
        return partition == 0 ? "" : Long.toString(partition);
    }

    @Override
    List<AccessMode> inlineModes(CsiSource source) {
        return readersOrOneWriter(source);
    }

    @Override
    OtherSource toInTree(CsiSource source, Around around) {
        Matcher handle = HANDLE.matcher(source.volumeHandle());
        if (!handle.matches()) {
            throw invalid(
                    "of volume " + around.meta().name(),
                    "\"" + source.volumeHandle() + "\" is not a volume handle of this driver");
        }
        return new Fields.Building(sourceType())
                .text("pdName", handle.group(4))
                .text("fsType", source.fsType())
                .number("partition", source.volumeAttributes().getOrDefault("partition", ""))
                .flag("readOnly", source.readOnly())
                .build();
    }

    /** Adds the missing parts of a handle from the driver's id of the node. */
    static String repaired(String volumeHandle, String nodeId) {
        Matcher handle = HANDLE.matcher(volumeHandle);
        Matcher node = NODE.matcher(nodeId);
        if (!handle.matches() || !node.matches()) {
            return volumeHandle;
        }
        boolean zonal = handle.group(2).equals("zones");
        String project = handle.group(1).equals(UNSPECIFIED) ? node.group(1) : handle.group(1);
        String here = zonal ? node.group(2) : region(node.group(2));
        String place = handle.group(3).equals(UNSPECIFIED) && !here.isEmpty() ? here : handle.group(3);
        return "projects/" + project + "/" + handle.group(2) + "/" + place + "/disks/" + handle.group(4);
    }

    /** The driver supports no disk that many nodes write, and none that one node writes and others read. */
    @Override
    List<AccessMode> modes(List<AccessMode> inTree) {
        boolean many = inTree.contains(AccessMode.READ_WRITE_MANY);
        boolean both = inTree.contains(AccessMode.READ_WRITE_ONCE) && inTree.contains(AccessMode.READ_ONLY_MANY);
        return many || both ? List.of(AccessMode.READ_WRITE_ONCE) : inTree;
    }

    @Override
    boolean zonesInParameters() {
        return true;
    }

    @Override
    String regionOf(String zone) {
        return region(zone);
    }

    private String onlyRegion(List<String> zones, Around around) {
        Set<String> regions = new LinkedHashSet<>();
        zones.forEach(zone -> regions.add(region(zone)));
        if (regions.size() != 1 || regions.contains("")) {
            throw invalid("of volume " + around.meta().name(), "its zones " + zones + " are not of one region");
        }
        return regions.iterator().next();
    }

    /** The region of a zone: {@code us-central1} for {@code us-central1-a}. */
    private static String region(String zone) {
        String[] parts = zone.split("-", -1);
        return parts.length == 3 ? parts[0] + "-" + parts[1] : "";
    }
}
