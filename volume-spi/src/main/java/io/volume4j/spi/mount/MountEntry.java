package io.volume4j.spi.mount;

import java.nio.file.Path;
import java.util.List;

/**
 * One mount, as in proc_pid_mountinfo(5), with the escapes decoded.
 *
 * @param id unique while the mount exists
 * @param majorMinor device number, such as {@code 7:0}
 * @param rootInFilesystem the directory of the filesystem that is mounted at the mount point; {@code /} except for
 *     bind mounts
 * @since 0.1.0
 */
public record MountEntry(
        long id,
        long parentId,
        String majorMinor,
        String rootInFilesystem,
        Path mountPoint,
        List<String> options,
        String fsType,
        String source,
        List<String> superOptions) {
    public boolean readOnly() {
        return options.contains("ro") || superOptions.contains("ro");
    }

    /** A builder for the root of a filesystem, without options. */
    public static Builder builder(long id, Path mountPoint) {
        return new Builder(id, mountPoint);
    }

    /** A builder that starts with the values of this object. */
    public Builder toBuilder() {
        Builder builder = new Builder(id, mountPoint);
        builder.parentId = parentId;
        builder.majorMinor = majorMinor;
        builder.rootInFilesystem = rootInFilesystem;
        builder.options = options;
        builder.fsType = fsType;
        builder.source = source;
        builder.superOptions = superOptions;
        return builder;
    }

    /** Builds a {@link MountEntry}. Fields that later versions add have defaults here. Not thread-safe. */
    public static final class Builder {
        private long id;
        private long parentId;
        private String majorMinor = "";
        private String rootInFilesystem = "/";
        private Path mountPoint;
        private List<String> options = List.of();
        private String fsType = "";
        private String source = "";
        private List<String> superOptions = List.of();

        private Builder(long id, Path mountPoint) {
            this.id = id;
            this.mountPoint = mountPoint;
        }

        public Builder id(long value) {
            id = value;
            return this;
        }

        public Builder parentId(long value) {
            parentId = value;
            return this;
        }

        public Builder majorMinor(String value) {
            majorMinor = value;
            return this;
        }

        public Builder rootInFilesystem(String value) {
            rootInFilesystem = value;
            return this;
        }

        public Builder mountPoint(Path value) {
            mountPoint = value;
            return this;
        }

        public Builder options(List<String> value) {
            options = value;
            return this;
        }

        public Builder fsType(String value) {
            fsType = value;
            return this;
        }

        public Builder source(String value) {
            source = value;
            return this;
        }

        public Builder superOptions(List<String> value) {
            superOptions = value;
            return this;
        }

        public MountEntry build() {
            return new MountEntry(
                    id, parentId, majorMinor, rootInFilesystem, mountPoint, options, fsType, source, superOptions);
        }
    }
}
