package io.volume4j.spi.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A logical unit of an iSCSI target ({@code iscsi}).
 *
 * @param targetPortal address of the target, {@code host} or {@code host:port}; port 3260 by default
 * @param iqn the target's name
 * @param iscsiInterface the initiator's interface, {@code default} for the machine's own TCP
 * @param portals further addresses of the same target, for multipath
 * @param chapAuthDiscovery whether discovery authenticates with the secret
 * @param chapAuthSession whether sessions authenticate with the secret
 * @param initiatorName the initiator name for the login, {@code ""} for the node's own
 * @since 0.1.0
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
        return builder(targetPortal, iqn, lun).fsType(fsType).build();
    }

    @Override
    public String type() {
        return "iscsi";
    }

    /** Writable, over one portal, without a secret. */
    public static Builder builder(String targetPortal, String iqn, int lun) {
        return new Builder(targetPortal, iqn, lun);
    }

    /** A builder that starts with the values of this object. */
    public Builder toBuilder() {
        Builder builder = new Builder(targetPortal, iqn, lun);
        builder.iscsiInterface = iscsiInterface;
        builder.fsType = fsType;
        builder.readOnly = readOnly;
        builder.portals = portals;
        builder.chapAuthDiscovery = chapAuthDiscovery;
        builder.chapAuthSession = chapAuthSession;
        builder.secretRef = secretRef;
        builder.initiatorName = initiatorName;
        return builder;
    }

    /** Builds a {@link IscsiSource}. Fields that later versions add have defaults here. Not thread-safe. */
    public static final class Builder {
        private String targetPortal;
        private String iqn;
        private int lun;
        private String iscsiInterface = "";
        private String fsType = "";
        private boolean readOnly;
        private List<String> portals = List.of();
        private boolean chapAuthDiscovery;
        private boolean chapAuthSession;
        private @Nullable SecretRef secretRef;
        private String initiatorName = "";

        private Builder(String targetPortal, String iqn, int lun) {
            this.targetPortal = targetPortal;
            this.iqn = iqn;
            this.lun = lun;
        }

        public Builder targetPortal(String value) {
            targetPortal = value;
            return this;
        }

        public Builder iqn(String value) {
            iqn = value;
            return this;
        }

        public Builder lun(int value) {
            lun = value;
            return this;
        }

        public Builder iscsiInterface(String value) {
            iscsiInterface = value;
            return this;
        }

        public Builder fsType(String value) {
            fsType = value;
            return this;
        }

        public Builder readOnly(boolean value) {
            readOnly = value;
            return this;
        }

        public Builder portals(List<String> value) {
            portals = value;
            return this;
        }

        public Builder chapAuthDiscovery(boolean value) {
            chapAuthDiscovery = value;
            return this;
        }

        public Builder chapAuthSession(boolean value) {
            chapAuthSession = value;
            return this;
        }

        public Builder secretRef(@Nullable SecretRef value) {
            secretRef = value;
            return this;
        }

        public Builder initiatorName(String value) {
            initiatorName = value;
            return this;
        }

        public IscsiSource build() {
            return new IscsiSource(
                    targetPortal,
                    iqn,
                    lun,
                    iscsiInterface,
                    fsType,
                    readOnly,
                    portals,
                    chapAuthDiscovery,
                    chapAuthSession,
                    secretRef,
                    initiatorName);
        }
    }
}
