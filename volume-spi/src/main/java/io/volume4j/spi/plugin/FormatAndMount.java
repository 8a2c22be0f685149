package io.volume4j.spi.plugin;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.mount.RootedPath;
import java.nio.file.Path;
import java.util.List;

/**
 * Mounts a device, and formats it first if necessary. Formats only a device that is proved blank, or that the
 * volume's {@link BlankPolicy} permits without proof. Blocking. Thread-safe.
 *
 * @since 0.1.0
 */
public interface FormatAndMount {
    /**
     * Mounts the device. First formats a blank device, or checks the filesystem of a used one. Idempotent. The proof
     * that a device is blank may require reading all of it, which takes minutes.
     *
     * @throws io.volume4j.spi.VolumeException final, if the device contains something other than the requested
     *     filesystem, if it has no known signature and was not proved blank, or if it is blank and the request is
     *     read-only; transient, if the device could not be read: such a device is never treated as blank
     */
    void mount(Request request, CallContext context);

    /**
     * The device to mount, and the target.
     *
     * @param fsType {@code ""} for ext4
     * @param formats the record of formats of the device's volume
     * @param options mount options as {@code /etc/fstab} writes them; {@code ro} means the same as {@code readOnly}
     * @param blank what the library must know about the device before it formats it
     */
    record Request(
            Path device,
            RootedPath target,
            String fsType,
            List<String> options,
            boolean readOnly,
            FormatLedger formats,
            BlankPolicy blank) {
        /** A request with the {@linkplain BlankPolicy#defaults() default} policy. */
        public Request(
                Path device,
                RootedPath target,
                String fsType,
                List<String> options,
                boolean readOnly,
                FormatLedger formats) {
            this(device, target, fsType, options, readOnly, formats, BlankPolicy.defaults());
        }

        /**
         * A builder for a writable mount of ext4, without options, with the
         * {@linkplain BlankPolicy#defaults() default} policy.
         */
        public static Builder builder(Path device, RootedPath target, FormatLedger formats) {
            return new Builder(device, target, formats);
        }

        /** A builder that starts with the values of this object. */
        public Builder toBuilder() {
            Builder builder = new Builder(device, target, formats);
            builder.fsType = fsType;
            builder.options = options;
            builder.readOnly = readOnly;
            builder.blank = blank;
            return builder;
        }

        /** Builds a {@link Request}. Fields that later versions add have defaults here. Not thread-safe. */
        public static final class Builder {
            private Path device;
            private RootedPath target;
            private String fsType = "";
            private List<String> options = List.of();
            private boolean readOnly;
            private FormatLedger formats;
            private BlankPolicy blank = BlankPolicy.defaults();

            private Builder(Path device, RootedPath target, FormatLedger formats) {
                this.device = device;
                this.target = target;
                this.formats = formats;
            }

            public Builder device(Path value) {
                device = value;
                return this;
            }

            public Builder target(RootedPath value) {
                target = value;
                return this;
            }

            public Builder fsType(String value) {
                fsType = value;
                return this;
            }

            public Builder options(List<String> value) {
                options = value;
                return this;
            }

            public Builder readOnly(boolean value) {
                readOnly = value;
                return this;
            }

            public Builder formats(FormatLedger value) {
                formats = value;
                return this;
            }

            public Builder blank(BlankPolicy value) {
                blank = value;
                return this;
            }

            public Request build() {
                return new Request(device, target, fsType, options, readOnly, formats, blank);
            }
        }
    }
}
