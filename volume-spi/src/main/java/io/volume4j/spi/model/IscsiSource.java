package io.volume4j.spi.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A logical unit of an iSCSI target ({@code iscsi}).
 *
 * @param targetPortal address of the target, {@code host} or {@code host:port}; port 3260 if none is given
 * @param iqn the target's name
 * @param iscsiInterface the initiator's interface, {@code default} for the machine's own TCP
 * @param portals further addresses of the same target, for several paths
 * @param chapAuthDiscovery whether discovery authenticates with the secret
 * @param chapAuthSession whether sessions authenticate with the secret
 * @param initiatorName the name under which the node logs in, {@code ""} for its own
 */
public record IscsiSource(
        String targetPortal,
        String iqn,
        int lun,
        String iscsiInterface,
        String fsType,
        boolean readOnly,
        List<String> portals,
        boolean chapAuthDiscovery,
        boolean chapAuthSession,
        @Nullable SecretRef secretRef,
        String initiatorName)
        implements VolumeSource {
    public IscsiSource {
        targetPortal = Copies.text(targetPortal);
        iqn = Copies.text(iqn);
        iscsiInterface = Copies.text(iscsiInterface);
        fsType = Copies.text(fsType);
        portals = Copies.list(portals);
        initiatorName = Copies.text(initiatorName);
    }

    /** Writable, over one portal, without a secret. */
    public static IscsiSource of(String targetPortal, String iqn, int lun, String fsType) {
        return new IscsiSource(targetPortal, iqn, lun, "", fsType, false, List.of(), false, false, null, "");
    }

    @Override
    public String type() {
        return "iscsi";
    }
}
