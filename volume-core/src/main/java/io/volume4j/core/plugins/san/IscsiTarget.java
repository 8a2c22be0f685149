package io.volume4j.core.plugins.san;

import io.volume4j.core.plugins.common.Digests;
import io.volume4j.core.plugins.common.MessageText;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.IscsiSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A logical unit of a target and the paths to it. Valid. Pure.
 *
 * @param iface the initiator's interface to the target; one that the library creates if an initiator name is given
 * @param baseIface the interface that it copies
 * @param initiatorName {@code ""} for the node's own
 */
public record IscsiTarget(Unit unit, List<IscsiPortal> portals, String iface, String baseIface, String initiatorName) {
    private static final Pattern NAME = Pattern.compile("(?:iqn|eui|naa)\\.[A-Za-z0-9.:_-]{1,219}");
    private static final Pattern IFACE = Pattern.compile("[A-Za-z0-9](?:[A-Za-z0-9.:_-]{0,62})");
    private static final Pattern VOLUME = Pattern.compile("(.+),lun-([0-9]{1,5})");
    private static final String OURS = "volume4j-";
    private static final String DEFAULT_IFACE = "default";

    public IscsiTarget {
        portals = Collections.unmodifiableList(new ArrayList<>(portals));
    }

    /**
     * The part that is the same on all nodes.
     *
     * @param target the name of the target
     */
    public record Unit(String target, int lun) {
        /** Parses a result of {@link #toString()}, which teardown gets. */
        static Unit parse(String volumeName) {
            Matcher parts = VOLUME.matcher(volumeName);
            if (!parts.matches() || !NAME.matcher(parts.group(1)).matches()) {
                throw VolumeException.finalFailure("not the name of an iscsi volume: " + MessageText.text(volumeName));
            }
            return new Unit(parts.group(1), Integer.parseInt(parts.group(2)));
        }

        @Override
        public String toString() {
            return target + ",lun-" + lun;
        }
    }

    public static IscsiTarget of(IscsiSource source) {
        requireName("iqn", source.iqn());
        String base = source.iscsiInterface().isEmpty() ? DEFAULT_IFACE : source.iscsiInterface();
        if (!IFACE.matcher(base).matches()) {
            throw VolumeException.finalFailure("iscsiInterface " + MessageText.text(base) + " is no interface's name");
        }
        String iface = base;
        if (!source.initiatorName().isEmpty()) {
            requireName("initiatorName", source.initiatorName());
            iface = OURS + Digests.text(base, source.initiatorName());
        }
        Set<IscsiPortal> portals = new LinkedHashSet<>();
        portals.add(IscsiPortal.parse(source.targetPortal()));
        source.portals().forEach(portal -> portals.add(IscsiPortal.parse(portal)));
        return new IscsiTarget(
                new Unit(source.iqn(), source.lun()), new ArrayList<>(portals), iface, base, source.initiatorName());
    }

    /** Whether the library created the interface, and must remove it. */
    static boolean isOurs(String iface) {
        return iface.startsWith(OURS);
    }

    private static void requireName(String field, String name) {
        if (!NAME.matcher(name).matches()) {
            throw VolumeException.finalFailure(field + " " + MessageText.text(name)
                    + " is no iSCSI name: it begins with iqn., eui. or naa. and has letters, digits, '.', ':', '-'");
        }
    }
}
