package io.volume4j.spi.plugin;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.mount.RootedPath;
import java.nio.file.Path;
import java.util.List;

/**
 * Mounts a device, putting a filesystem on it first if, and only if, it is proved blank or the volume's {@link BlankPolicy}
 * asks for less. Blocking; thread-safe.
 *
 * @since 0.1.0
 */
public interface FormatAndMount {
    /**
     * Mounts, formatting a blank device and checking a used one first. Mounted already is success. Proving that a device is
     * blank may mean to read all of it, which takes minutes.
     *
     * @throws io.volume4j.spi.VolumeException final, if the device holds something else than the filesystem asked for, bears
     *     no mark and was not proved blank, or is blank and asked for read-only; transient, if it could not be read, which
     *     never counts as blank
     */
    void mount(Request request, CallContext context);

    /**
     * What to mount where.
     *
     * @param fsType {@code ""} for ext4
     * @param formats of the volume that the device is
     * @param options mount options as {@code /etc/fstab} writes them
     * @param blank what must be known of the device before it is formatted
     */
    record Request(
            Path device,
            RootedPath target,
            String fsType,
            List<String> options,
            boolean readOnly,
            FormatLedger formats,
            BlankPolicy blank) {
        /** With the {@linkplain BlankPolicy#defaults() default} policy. */
        public Request(
                Path device,
                RootedPath target,
                String fsType,
                List<String> options,
                boolean readOnly,
                FormatLedger formats) {
            this(device, target, fsType, options, readOnly, formats, BlankPolicy.defaults());
        }

        /** Writable, with ext4, no options and the {@linkplain BlankPolicy#defaults() default} policy. */
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
