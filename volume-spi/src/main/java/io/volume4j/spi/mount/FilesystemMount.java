package io.volume4j.spi.mount;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A filesystem to mount.
 *
 * @param source a device, an export or a name, as the filesystem expects it
 * @param options mount options as in {@code /etc/fstab}; those that correspond to flags of mount(2) become flags
 * @since 0.1.0
 */
public record FilesystemMount(String fsType, String source, boolean readOnly, List<String> options) {
    public FilesystemMount {
        options = Collections.unmodifiableList(new ArrayList<>(options));
    }
}
