package io.volume4j.examples.csilifecycle;

import io.volume4j.csi.CsiEndpoint;
import io.volume4j.csi.internal.proto.VolumeCapability.AccessMode.Mode;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converters for options with a format. */
final class Words {
    private Words() {}

    /** {@code unix:///PATH}. */
    static final class Socket implements ITypeConverter<CsiEndpoint> {
        @Override
        public CsiEndpoint convert(String text) {
            try {
                return CsiEndpoint.parse(text);
            } catch (IllegalArgumentException wrong) {
                throw new TypeConversionException(String.valueOf(wrong.getMessage()));
            }
        }
    }

    /** Bytes, such as {@code 64Mi}. */
    static final class Size implements ITypeConverter<Long> {
        @Override
        public Long convert(String text) {
            String number = text.replaceAll("(?i)(ki|mi|gi|ti)b?$", "");
            String unit = text.substring(number.length()).toLowerCase(Locale.ROOT);
            int shift = unit.isEmpty() ? 0 : 10 * (1 + "kmgt".indexOf(unit.charAt(0)));
            try {
                long bytes = Math.multiplyExact(Long.parseLong(number), 1L << shift);
                if (bytes > 0) {
                    return bytes;
                }
            } catch (NumberFormatException | ArithmeticException notASize) {
                // reported below, with every other invalid size
            }
            throw new TypeConversionException("not a size such as 64Mi: " + text);
        }
    }

    /** An access mode of the schema. */
    static final class AccessMode implements ITypeConverter<Mode> {
        @Override
        public Mode convert(String text) {
            for (Mode each : Mode.values()) {
                if (each.name().equals(text) && each != Mode.UNKNOWN && each != Mode.UNRECOGNIZED) {
                    return each;
                }
            }
            throw new TypeConversionException("no access mode of CSI is called " + text);
        }
    }

    /** A number from 1 on. */
    static final class Positive implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            try {
                int number = Integer.parseInt(text);
                if (number > 0) {
                    return number;
                }
            } catch (NumberFormatException notANumber) {
                // reported below, like a number that is not positive
            }
            throw new TypeConversionException("needs a positive number, not " + text);
        }
    }
}
