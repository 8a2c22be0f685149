package io.volume4j.spi.plugin;

import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.Quantity;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * What the library must know about a device before it makes a filesystem on it. Annotations of a PersistentVolume set
 * the policy. Parameters of a StorageClass with the same names set it for volumes that are provisioned from the
 * class; plugins do not get these parameters. Immutable.
 *
 * @param unproved what happens to a device that has no known signature and was not proved blank. Default
 *     {@link Unproved#REFUSE}
 * @param readAtMost how many bytes of a device the library may read to prove that it is blank; known holes do not
 *     count. Default 64 GiB
 * @since 0.1.0
 */
public record BlankPolicy(Unproved unproved, long readAtMost) {
    /** Annotation of a volume and parameter of a class. Values: {@code refuse} or {@code signatures}. */
    public static final String UNPROVED = "volume4j.io/format-unproved";

    /** Annotation of a volume and parameter of a class. Value: a quantity of bytes, such as {@code 2Ti}. */
    public static final String READ = "volume4j.io/prove-blank-by-reading";

    /** The names of annotations and parameters. */
    public static final List<String> NAMES = List.of(UNPROVED, READ);

    private static final BlankPolicy DEFAULTS = new BlankPolicy(Unproved.REFUSE, 64L << 30);

    public BlankPolicy {
        Objects.requireNonNull(unproved, "unproved");
        if (readAtMost < 0) {
            throw new IllegalArgumentException("readAtMost must not be negative: " + readAtMost);
        }
    }

    /** What happens to a device that has no known signature and was not proved blank. */
    public enum Unproved {
        /** The library does not format the device. */
        REFUSE,
        /**
         * The library formats the device, because all places are zero where filesystems, partition tables and volume
         * managers write their signatures. Data in other places of the device is lost. Other orchestrators use this
         * rule or a weaker one.
         */
        SIGNATURES
    }

    public static BlankPolicy defaults() {
        return DEFAULTS;
    }

    /**
     * The policy of the volume. {@linkplain #defaults() Defaults} apply where the volume has no annotation.
     *
     * @throws VolumeException final, if an annotation has an unknown value
     */
    public static BlankPolicy of(VolumeSpec spec) {
        PersistentVolume volume = spec.persistentVolume();
        if (volume == null) {
            return DEFAULTS;
        }
        String unproved = volume.metadata().annotation(UNPROVED);
        String read = volume.metadata().annotation(READ);
        return new BlankPolicy(
                unproved.isEmpty() ? DEFAULTS.unproved : unproved(spec, unproved),
                read.isEmpty() ? DEFAULTS.readAtMost : bytes(spec, read));
    }

    private static Unproved unproved(VolumeSpec spec, String value) {
        for (Unproved each : Unproved.values()) {
            if (each.name().toLowerCase(Locale.ROOT).equals(value)) {
                return each;
            }
        }
        throw wrong(spec, UNPROVED, "must be refuse or signatures");
    }

    private static long bytes(VolumeSpec spec, String value) {
        try {
            long bytes = Quantity.parse(value).wholeBytes();
            if (bytes >= 0) {
                return bytes;
            }
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw wrong(spec, READ, "must be a quantity of bytes, such as 2Ti").withCause(e);
        }
        throw wrong(spec, READ, "must not be negative");
    }

    private static VolumeException wrong(VolumeSpec spec, String annotation, String why) {
        return VolumeException.finalFailure(
                        "annotation " + annotation + " of volume " + spec.name() + " " + why + "; nothing was written")
                .withAdvice("correct the annotation");
    }
}
