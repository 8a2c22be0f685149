package io.volume4j.core.control.binding.match;

import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.LabelSelector;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.VolumeMode;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The requirements of a claim for a volume: the part of a claim that matching uses.
 *
 * @param bytes the minimum size, rounded up to whole bytes
 * @param modes the access modes as a bit set, see {@link #modeBits}
 * @param node the node from which the volume must be accessible, null for any
 */
public record ClaimNeeds(
        ObjectKey key,
        String uid,
        long bytes,
        int modes,
        VolumeMode volumeMode,
        String className,
        String attributesClass,
        @Nullable LabelSelector selector,
        @Nullable Place node) {

    /**
     * A node's properties for affinity.
     *
     * @param known whether the node exists; without it the node has no labels and can access only volumes that every node can
     *     access
     */
    public record Place(String nodeName, Map<String, String> labels, boolean known) {}

    public static ClaimNeeds of(PersistentVolumeClaim claim, @Nullable Place node) {
        PersistentVolumeClaim.Spec spec = claim.spec();
        @Nullable Quantity request = spec.request();
        return new ClaimNeeds(
                claim.key(),
                claim.metadata().uid(),
                request == null ? 0 : request.bytes(),
                modeBits(spec.accessModes()),
                spec.volumeMode(),
                claim.className(),
                spec.volumeAttributesClassName(),
                spec.selector(),
                node);
    }

    /** Whether the same volumes fit the other claim, apart from their nodes. */
    public boolean sameVolumesFit(ClaimNeeds other) {
        return bytes == other.bytes
                && modes == other.modes
                && volumeMode == other.volumeMode
                && className.equals(other.className)
                && attributesClass.equals(other.attributesClass)
                && Objects.equals(selector, other.selector);
    }

    /** One bit for each mode, so that sets compare in one operation. */
    public static int modeBits(Collection<AccessMode> modes) {
        int bits = 0;
        for (AccessMode mode : modes) {
            bits |= switch (mode) {
                case READ_WRITE_ONCE -> 1;
                case READ_ONLY_MANY -> 2;
                case READ_WRITE_MANY -> 4;
                case READ_WRITE_ONCE_POD -> 8;
                // A claim with an unknown mode gets no volume, and a volume with one is not offered.
                case UNKNOWN -> 16;
            };
        }
        return bits;
    }
}
