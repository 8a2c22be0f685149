package io.volume4j.core.plugins.common;

import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.mount.FilesystemMount;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.mount.MountEntry;
import io.volume4j.spi.mount.RootedPath;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A filesystem in memory, without swapping if the kernel supports that; tmpfs(5). */
public final class Tmpfs {
    public static final String TYPE = "tmpfs";

    private static final String NO_SWAP = "noswap";

    private Tmpfs() {}

    /** Creates the mount point and mounts. */
    public static void mount(MountBackend backend, String source, List<String> options, RootedPath target) {
        List<String> unswapped = new ArrayList<>(options);
        unswapped.add(NO_SWAP);
        new MountPoints(backend).mountOn(target, () -> {
            try {
                mountAs(backend, source, unswapped, target);
            } catch (VolumeException notUnswapped) {
                if (notUnswapped.kind() == FailureKind.UNCERTAIN) {
                    throw notUnswapped;
                }
                // Kernels before 6.4 do not know the option; without it, the kernel may swap the content out.
                try {
                    mountAs(backend, source, options, target);
                } catch (VolumeException e) {
                    e.addSuppressed(notUnswapped);
                    throw e;
                }
            }
        });
    }

    /** The size of the mount in bytes, 0 if the kernel chose it. */
    public static long size(MountEntry mounted) {
        for (String option : mounted.superOptions()) {
            if (option.startsWith("size=")) {
                // The kernel writes 1024 bytes as 1k, a quantity as 1Ki.
                String text = option.substring("size=".length()).toUpperCase(Locale.ROOT);
                boolean unit = Character.isLetter(text.charAt(text.length() - 1));
                return Quantity.parse(unit ? text + "i" : text).bytes();
            }
        }
        return 0;
    }

    /** Changes the size of a mounted filesystem; its content stays. */
    public static void resize(MountBackend backend, MountEntry mounted, String size, RootedPath target) {
        List<String> options = new ArrayList<>(List.of("size=" + size));
        if (mounted.superOptions().contains(NO_SWAP)) {
            // If the option is missing, the kernel reads that as a request to swap again, and refuses it.
            options.add(NO_SWAP);
        }
        backend.reconfigure(new FilesystemMount(TYPE, mounted.source(), mounted.readOnly(), options), target);
    }

    private static void mountAs(MountBackend backend, String source, List<String> options, RootedPath target) {
        backend.mount(new FilesystemMount(TYPE, source, false, options), target);
    }
}
