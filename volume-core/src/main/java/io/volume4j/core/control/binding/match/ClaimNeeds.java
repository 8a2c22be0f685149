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
 * What a volume must be like for a claim: the projection of a claim that matching works on.
 *
 * @param bytes the least size, rounded up to whole bytes
 * @param modes the access modes as a bit set, see {@link #modeBits}
 * @param node from where the volume must be reachable, null for anywhere
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
     * A node as affinity sees it.
     *
     * @param known whether there is such a node; one that is not there has no labels and reaches only what every node reaches
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

    /** Whether the same volumes fit the other claim, wherever the two are needed. */
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
                // No claim with such a word looks for a volume, and no volume with one is offered.
                case UNKNOWN -> 16;
            };
        }
        return bits;
    }
}
