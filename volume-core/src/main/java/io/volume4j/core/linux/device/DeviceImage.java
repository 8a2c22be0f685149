package io.volume4j.core.linux.device;

import io.volume4j.core.linux.device.SignatureRegions.Region;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;

/** The bytes of a device's {@linkplain SignatureRegions signature regions}. Immutable. */
final class DeviceImage {
    private final long bytes;
    private final Map<Region, byte[]> regions;

    DeviceImage(long bytes, Map<Region, byte[]> regions) {
        this.bytes = bytes;
        this.regions = Collections.unmodifiableMap(new LinkedHashMap<>(regions));
    }

    /** The device's size. */
    long bytes() {
        return bytes;
    }

    /** The offset of the first byte that is not zero. */
    OptionalLong firstNonZero() {
        for (Map.Entry<Region, byte[]> region : regions.entrySet()) {
            byte[] content = region.getValue();
            for (int i = 0; i < content.length; i++) {
                if (content[i] != 0) {
                    return OptionalLong.of(region.getKey().from() + i);
                }
            }
        }
        return OptionalLong.empty();
    }

    /** Whether these bytes are at the offset. False if the device is too short or the offset was not read. */
    boolean has(long offset, byte[] magic) {
        for (Map.Entry<Region, byte[]> region : regions.entrySet()) {
            if (offset >= region.getKey().from()
                    && offset + magic.length <= region.getKey().to()) {
                int at = (int) (offset - region.getKey().from());
                for (int i = 0; i < magic.length; i++) {
                    if (region.getValue()[at + i] != magic[i]) {
                        return false;
                    }
                }
                return true;
            }
        }
        return false;
    }

    /** An unsigned number of up to 7 bytes, lowest byte first; 0 if it was not read. */
    long number(long offset, int length) {
        for (Map.Entry<Region, byte[]> region : regions.entrySet()) {
            if (offset >= region.getKey().from()
                    && offset + length <= region.getKey().to()) {
                int at = (int) (offset - region.getKey().from());
                long value = 0;
                for (int i = length - 1; i >= 0; i--) {
                    value = value << 8 | (region.getValue()[at + i] & 0xff);
                }
                return value;
            }
        }
        return 0;
    }

    /** The regions, for messages. */
    String extent() {
        return "bytes "
                + String.join(
                        ", ", regions.keySet().stream().map(Region::toString).toList()) + " of " + bytes;
    }
}
