package io.volume4j.core.migration;

import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.OtherSource;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Azure managed disks. There never was a driver for disks in storage accounts of their own. */
final class AzureDisk extends InTree {
    private static final Pattern MANAGED =
            Pattern.compile("(?i).*/subscriptions/.+/resourcegroups/.+/providers/microsoft\\.compute/disks/(.+)");
    private static final String KIND = "kind";
    private static final String CACHING = "cachingmode";
    private static final String FS = "fstype";

    AzureDisk() {
        super("kubernetes.io/azure-disk", "azureDisk", "disk.csi.azure.com", "topology.disk.csi.azure.com/zone");
    }

    @Override
    CsiSource toCsi(OtherSource source, Around around) {
        String uri = Fields.text(source, "diskURI");
        String kind = Fields.text(source, KIND);
        if (!(kind.isEmpty() || kind.equals("Managed")) || !MANAGED.matcher(uri).matches()) {
            throw invalid(
                    "of volume " + around.meta().name(), "it is not a managed disk: kind \"" + kind + "\", " + uri);
        }
        Map<String, String> attributes = new LinkedHashMap<>();
        attributes.put(KIND, "Managed");
        put(attributes, CACHING, Fields.text(source, "cachingMode"));
        put(attributes, FS, Fields.text(source, "fsType"));
        return new CsiSource(
                driver(),
                uri,
                Fields.flag(source, "readOnly"),
                Fields.text(source, "fsType"),
                attributes,
                null,
                null,
                null,
                null,
                null);
    }

    @Override
    OtherSource toInTree(CsiSource source, Around around) {
        Matcher uri = MANAGED.matcher(source.volumeHandle());
        if (!uri.matches()) {
            throw invalid(
                    "of volume " + around.meta().name(), "\"" + source.volumeHandle() + "\" is not a managed disk");
        }
        Map<String, String> attributes = new LinkedHashMap<>();
        source.volumeAttributes().forEach((key, value) -> attributes.put(key.toLowerCase(Locale.ROOT), value));
        return new Fields.Building(sourceType())
                .text("diskName", uri.group(1))
                .text("diskURI", source.volumeHandle())
                .text("cachingMode", attributes.getOrDefault(CACHING, ""))
                .text("fsType", source.fsType().isEmpty() ? attributes.getOrDefault(FS, "") : source.fsType())
                .flag("readOnly", source.readOnly())
                .text("kind", attributes.getOrDefault(KIND, "Managed"))
                .build();
    }

    /** In-tree volumes already use the driver's topology labels. */
    @Override
    boolean translatesPlace() {
        return false;
    }

    @Override
    boolean zonesInParameters() {
        return true;
    }

    /** A plain number is a fault domain of a region without zones. */
    @Override
    String zone(String inTree) {
        return inTree.matches("[0-9]+") ? "" : inTree;
    }

    private static void put(Map<String, String> attributes, String key, String value) {
        if (!value.isEmpty()) {
            attributes.put(key, value);
        }
    }
}
