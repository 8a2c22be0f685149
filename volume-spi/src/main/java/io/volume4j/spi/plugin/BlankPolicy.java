package io.volume4j.spi.plugin;

import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.Quantity;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * What must be known of a device before a filesystem is made on it. A PersistentVolume says so by annotations. A class says
 * it for the volumes that are provisioned from it by parameters of the same names, which no plugin sees. Immutable.
 *
 * @param unproved what happens to a device that bears no known mark and that was not proved blank. Default {@link
 *     Unproved#REFUSE}
 * @param readAtMost how many bytes of a device may be read to prove it blank; known holes do not count. Default 64 GiB
 * @since 0.1.0
 */
public record BlankPolicy(Unproved unproved, long readAtMost) {
    /** Annotation of a volume, parameter of a class: {@code refuse} or {@code signatures}. */
    public static final String UNPROVED = "volume4j.io/format-unproved";

    /** Annotation of a volume, parameter of a class: a quantity of bytes, such as {@code 2Ti}. */
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

    /** What happens to a device that bears no known mark and that was not proved blank. */
    public enum Unproved {
        /** It is left alone. */
        REFUSE,
        /**
         * It is formatted, because the places where filesystems, partition tables and volume managers leave their marks are
         * all zero. Data elsewhere on the device is lost. Other orchestrators format by this rule or a weaker one.
         */
        SIGNATURES
    }

    public static BlankPolicy defaults() {
        return DEFAULTS;
    }

    /**
     * What the volume asks for; {@linkplain #defaults() defaults} where it says nothing.
     *
     * @throws VolumeException final, if an annotation has another value than those that are known
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
