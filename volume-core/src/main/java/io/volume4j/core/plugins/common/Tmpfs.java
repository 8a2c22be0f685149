package io.volume4j.core.plugins.common;

import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.FilesystemMount;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.mount.RootedPath;
import java.util.ArrayList;
import java.util.List;

/** Memory as a filesystem, kept out of the swap where the kernel can; tmpfs(5). */
public final class Tmpfs {
    public static final String TYPE = "tmpfs";

    private Tmpfs() {}

    /** Makes the mount point and mounts. */
    public static void mount(MountBackend backend, String source, List<String> options, RootedPath target) {
        List<String> unswapped = new ArrayList<>(options);
        unswapped.add("noswap");
        new MountPoints(backend).mountOn(target, () -> {
            try {
                mountAs(backend, source, unswapped, target);
            } catch (VolumeException notUnswapped) {
                if (notUnswapped.kind() == FailureKind.UNCERTAIN) {
                    throw notUnswapped;
                }
                // Kernels before 6.4 do not know the option; without it the content may be swapped out.
                try {
                    mountAs(backend, source, options, target);
                } catch (VolumeException e) {
                    e.addSuppressed(notUnswapped);
                    throw e;
                }
            }
        });
    }

    private static void mountAs(MountBackend backend, String source, List<String> options, RootedPath target) {
        backend.mount(new FilesystemMount(TYPE, source, false, options), target);
    }
}
