package io.volume4j.spi.model;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A volume of an executable driver ({@code flexVolume}).
 *
 * @since 0.1.0
 */
public record FlexVolumeSource(
        String driver,
        String fsType,
        boolean readOnly,
        Map<String, String> options,
        @Nullable SecretRef secretRef) implements VolumeSource {
    public FlexVolumeSource {
        driver = Copies.text(driver);
        fsType = Copies.text(fsType);
        options = Copies.map(options);
    }

    @Override
    public String type() {
        return "flexVolume";
    }
}
