package io.volume4j.spi.model;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A volume of a driver ({@code csi}). The driver is a CSI driver behind a socket, or a plugin of that name in this
 * process, such as {@code loop.volume4j.io}. The manifest is the same for both.
 *
 * @param volumeHandle the driver's name for the volume; {@code ""} for a pod's inline volume, which is refused with another value
 * @param volumeAttributes data that only the driver interprets
 * @since 0.1.0
 */
public record CsiSource(
        String driver,
        String volumeHandle,
        boolean readOnly,
        String fsType,
        Map<String, String> volumeAttributes,
        @Nullable SecretRef controllerPublishSecretRef,
        @Nullable SecretRef nodeStageSecretRef,
        @Nullable SecretRef nodePublishSecretRef,
        @Nullable SecretRef controllerExpandSecretRef,
        @Nullable SecretRef nodeExpandSecretRef)
        implements VolumeSource {
    public CsiSource {
        driver = Copies.text(driver);
        volumeHandle = Copies.text(volumeHandle);
        fsType = Copies.text(fsType);
        volumeAttributes = Copies.map(volumeAttributes);
    }

    /** A volume without secrets. */
    public static CsiSource of(String driver, String handle, String fsType, Map<String, String> attributes) {
        return builder(driver, handle)
                .fsType(fsType)
                .volumeAttributes(attributes)
                .build();
    }

    @Override
    public String type() {
        return "csi";
    }

    /** A builder for a writable volume without secrets and attributes. */
    public static Builder builder(String driver, String volumeHandle) {
        return new Builder(driver, volumeHandle);
    }

    /** A builder that starts with the values of this object. */
    public Builder toBuilder() {
        Builder builder = new Builder(driver, volumeHandle);
        builder.readOnly = readOnly;
        builder.fsType = fsType;
        builder.volumeAttributes = volumeAttributes;
        builder.controllerPublishSecretRef = controllerPublishSecretRef;
        builder.nodeStageSecretRef = nodeStageSecretRef;
        builder.nodePublishSecretRef = nodePublishSecretRef;
        builder.controllerExpandSecretRef = controllerExpandSecretRef;
        builder.nodeExpandSecretRef = nodeExpandSecretRef;
        return builder;
    }

    /** Builds a {@link CsiSource}. Fields that later versions add have defaults here. Not thread-safe. */
    public static final class Builder {
        private String driver;
        private String volumeHandle;
        private boolean readOnly;
        private String fsType = "";
        private Map<String, String> volumeAttributes = Map.of();
        private @Nullable SecretRef controllerPublishSecretRef;
        private @Nullable SecretRef nodeStageSecretRef;
        private @Nullable SecretRef nodePublishSecretRef;
        private @Nullable SecretRef controllerExpandSecretRef;
        private @Nullable SecretRef nodeExpandSecretRef;

        private Builder(String driver, String volumeHandle) {
            this.driver = driver;
            this.volumeHandle = volumeHandle;
        }

        public Builder driver(String value) {
            driver = value;
            return this;
        }

        public Builder volumeHandle(String value) {
            volumeHandle = value;
            return this;
        }

        public Builder readOnly(boolean value) {
            readOnly = value;
            return this;
        }

        public Builder fsType(String value) {
            fsType = value;
            return this;
        }

        public Builder volumeAttributes(Map<String, String> value) {
            volumeAttributes = value;
            return this;
        }

        public Builder controllerPublishSecretRef(@Nullable SecretRef value) {
            controllerPublishSecretRef = value;
            return this;
        }

        public Builder nodeStageSecretRef(@Nullable SecretRef value) {
            nodeStageSecretRef = value;
            return this;
        }

        public Builder nodePublishSecretRef(@Nullable SecretRef value) {
            nodePublishSecretRef = value;
            return this;
        }

        public Builder controllerExpandSecretRef(@Nullable SecretRef value) {
            controllerExpandSecretRef = value;
            return this;
        }

        public Builder nodeExpandSecretRef(@Nullable SecretRef value) {
            nodeExpandSecretRef = value;
            return this;
        }

        public CsiSource build() {
            return new CsiSource(
                    driver,
                    volumeHandle,
                    readOnly,
                    fsType,
                    volumeAttributes,
                    controllerPublishSecretRef,
                    nodeStageSecretRef,
                    nodePublishSecretRef,
                    controllerExpandSecretRef,
                    nodeExpandSecretRef);
        }
    }
}
