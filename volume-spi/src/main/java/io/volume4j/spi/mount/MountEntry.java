package io.volume4j.spi.mount;

import java.nio.file.Path;
import java.util.List;

/**
 * One mount, as proc_pid_mountinfo(5) tells it, with its escapes undone.
 *
 * @param id unique while the mount exists
 * @param majorMinor of the device, such as {@code 7:0}
 * @param rootInFilesystem the directory of the filesystem that appears at the mount point; {@code /} but for binds
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
}
