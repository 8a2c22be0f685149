package io.volume4j.spi.model;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A volume of a driver ({@code csi}): a CSI driver behind a socket, or a plugin of that name in this process, such as
 * {@code loop.volume4j.io}. Manifests do not change when one takes the other's place.
 *
 * @param volumeHandle the driver's name for the volume; {@code ""} for a pod's inline volume
 * @param volumeAttributes the driver's own data, opaque to everybody else
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
        return new CsiSource(driver, handle, false, fsType, attributes, null, null, null, null, null);
    }

    @Override
    public String type() {
        return "csi";
    }
}
