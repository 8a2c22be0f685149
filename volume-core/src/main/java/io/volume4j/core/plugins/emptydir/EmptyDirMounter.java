package io.volume4j.core.plugins.emptydir;

import io.volume4j.core.plugins.common.MessageText;
import io.volume4j.core.plugins.common.MountPoints;
import io.volume4j.core.plugins.common.Tmpfs;
import io.volume4j.core.plugins.common.UnfinishedDirectory;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.EmptyDirSource;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.mount.FilesystemMount;
import io.volume4j.spi.mount.MountBackend;
import io.volume4j.spi.mount.MountEntry;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.mount.UnmountMode;
import io.volume4j.spi.plugin.Mounter;
import io.volume4j.spi.plugin.PluginHost;
import io.volume4j.spi.plugin.PluginState;
import io.volume4j.spi.plugin.Unmounter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;

/** Creates a pod's empty directory, and removes it with all its contents. */
public final class EmptyDirMounter implements Mounter, Unmounter {
    private static final String HUGETLBFS = "hugetlbfs";
    /**
     * The source of the mounts. These filesystems accept any name; this one distinguishes the library's mounts from
     * others at the same path.
     */
    private static final String SOURCE = "volume4j-empty-dir";

    /** The pod's containers may run as any user, unless the pod restricts them. */
    private static final int MODE = 0777;

    private static final int LARGEST_MODE = 01777;

    /** The default size in tmpfs(5). */
    private static final String KERNELS_OWN_SIZE = "50%";

    /** The kernel rounds a size up to its page size. This is the largest page size. */
    private static final long LARGEST_PAGE = 64 << 10;

    /** Returned to the next call: the pod may have changed the mode since, and the plugin must not change it back. */
    private static final PluginState READY = new PluginState(1, Map.of("ready", "true"));

    private final PluginHost host;
    private final long nodeMemoryBytes;
    private final boolean heldOnDisk;

    /** @param heldOnDisk whether a directory on disk gets a quota if its filesystem supports quotas */
    public EmptyDirMounter(PluginHost host, long nodeMemoryBytes, boolean heldOnDisk) {
        this.host = host;
        this.heldOnDisk = heldOnDisk;
        this.nodeMemoryBytes = nodeMemoryBytes;
    }

    @Override
    public MountResult mount(MountRequest request, CallContext context) {
        if (!(request.spec().source() instanceof EmptyDirSource source)) {
            throw VolumeException.finalFailure("not an emptyDir volume: " + request.volume());
        }
        EmptyDirMedium medium = EmptyDirMedium.of(source);
        int mode = mode(source);
        switch (medium.kind()) {
            case DISK -> makeDirectory(request.target(), mode, request.state(), diskLimit(source, request));
            case MEMORY -> mountMemory(request.target(), mode, memoryLimit(source, request.sizeLimitBytes()));
            case HUGE_PAGES -> {
                EmptyDirMedium.HugePages pages = medium.requestedBy(request.pod());
                long limit = smallest(pages.totalBytes(), request.sizeLimitBytes(), ownLimit(source));
                mountHugePages(request.target(), mode, pages.pageBytes(), limit);
            }
        }
        return MountResult.mounted(READY);
    }

    /** Uses what is mounted, and not the request: the pod object may be deleted. */
    @Override
    public void unmount(UnmountRequest request, CallContext context) {
        RootedPath target = request.target();
        MountPoints mountPoints = new MountPoints(backend());
        Optional<MountEntry> there = mountPoints.at(target);
        if (there.isPresent()) {
            if (!there.get().source().equals(SOURCE)) {
                throw VolumeException.finalFailure("at " + target + " is mounted "
                                + there.get().fsType() + " from "
                                + MessageText.text(there.get().source()) + ", which is not the mount of an emptyDir")
                        .withAdvice("unmount it by hand");
            }
            mountPoints.takeAway(target, UnmountMode.NORMAL);
            return;
        }
        List<MountEntry> inside = mountPoints.below(target);
        if (!inside.isEmpty()) {
            throw VolumeException.transientFailure("the content of " + target + " is not removed while something is"
                            + " mounted in it: "
                            + inside.stream().map(MountEntry::mountPoint).toList())
                    .withAdvice("unmount it by hand");
        }
        backend().files().removeQuota(target);
        backend().files().removeTree(target, context);
    }

    /**
     * The permission bits of the directory.
     *
     * @throws VolumeException final, if the pod requests bits other than permissions and the sticky bit
     */
    public static int mode(EmptyDirSource source) {
        int mode = source.mode() == null ? MODE : source.mode();
        if (mode < 0 || mode > LARGEST_MODE) {
            throw VolumeException.finalFailure(
                    "emptyDir has mode " + text(mode) + "; it must be between 0000 and 01777");
        }
        return mode;
    }

    private static String text(int mode) {
        return "0" + Integer.toOctalString(mode);
    }

    private void makeDirectory(RootedPath target, int mode, PluginState state, long limit) {
        Optional<MountEntry> there = new MountPoints(backend()).at(target);
        if (there.isPresent()) {
            throw notOurs(target, there.get(), "a directory of the node's disk");
        }
        if (state.isEmpty()) {
            // Not by a new directory: if only this plugin's state is lost, the pod uses this one.
            UnfinishedDirectory.finish(backend().files(), target, mode);
        }
        backend().files().createDirectory(target, mode);
        if (limit > 0) {
            // If the filesystem has no quotas, the host reads the usage from VolumeManager.stats.
            backend().files().setQuota(target, limit);
        }
    }

    private void mountMemory(RootedPath target, int mode, long limit) {
        Optional<MountEntry> there = new MountPoints(backend()).at(target);
        if (there.isPresent()) {
            requireType(target, there.get(), Tmpfs.TYPE);
            resize(target, there.get(), limit);
            return;
        }
        List<String> options = new ArrayList<>(List.of("mode=" + text(mode)));
        if (limit > 0) {
            options.add("size=" + limit);
        }
        Tmpfs.mount(backend(), SOURCE, options, target);
    }

    /**
     * Changes the limit of mounted memory; the pod's files stay. The kernel refuses a limit below the usage, and the
     * old limit stays.
     */
    private void resize(RootedPath target, MountEntry there, long limit) {
        long now = Tmpfs.size(there);
        boolean fits = limit == 0 ? now == 0 : now >= limit && now - limit < LARGEST_PAGE;
        if (fits) {
            return;
        }
        String size = limit == 0 ? KERNELS_OWN_SIZE : Long.toString(limit);
        try {
            Tmpfs.resize(backend(), there, size, target);
        } catch (VolumeException refused) {
            throw VolumeException.transientFailure("the emptyDir in memory at " + target + " keeps its size of "
                            + (now == 0 ? "half the memory" : now + " bytes") + ": it cannot be changed to " + size
                            + ": "
                            + refused.getMessage())
                    .withAdvice(
                            "if the pod uses more than the new limit, delete files in the volume or raise the limit")
                    .withCause(refused);
        }
    }

    private void mountHugePages(RootedPath target, int mode, long pageBytes, long limit) {
        Optional<MountEntry> there = new MountPoints(backend()).at(target);
        if (there.isPresent()) {
            requireType(target, there.get(), HUGETLBFS);
            requirePageSize(target, there.get(), pageBytes);
            return;
        }
        mount(HUGETLBFS, List.of("pagesize=" + pageBytes, "size=" + limit, "mode=" + text(mode)), target);
    }

    private void mount(String type, List<String> options, RootedPath target) {
        new MountPoints(backend())
                .mountOn(target, () -> backend().mount(new FilesystemMount(type, SOURCE, false, options), target));
    }

    /** Checks the page size. The kernel shows {@code pagesize=2M}, in hugetlbfs's own notation of powers of 1024. */
    private static void requirePageSize(RootedPath target, MountEntry there, long pageBytes) {
        for (String option : there.superOptions()) {
            if (option.startsWith("pagesize=")) {
                String shown = option.substring("pagesize=".length());
                Quantity actual =
                        Quantity.parse(Character.isLetter(shown.charAt(shown.length() - 1)) ? shown + "i" : shown);
                if (actual.bytes() != pageBytes) {
                    throw VolumeException.finalFailure("at " + target + " are huge pages of " + shown + " where "
                            + Quantity.ofBytes(pageBytes) + " are asked for");
                }
            }
        }
    }

    private static void requireType(RootedPath target, MountEntry there, String type) {
        if (!there.fsType().equals(type) || !there.source().equals(SOURCE)) {
            throw notOurs(target, there, type);
        }
    }

    private static VolumeException notOurs(RootedPath target, MountEntry there, String wanted) {
        return VolumeException.finalFailure("at " + target + " is mounted " + there.fsType() + " from "
                + MessageText.text(there.source()) + " where " + wanted + " was to be");
    }

    private long memoryLimit(EmptyDirSource source, long podLimit) {
        return smallest(nodeMemoryBytes, podLimit, ownLimit(source));
    }

    private long diskLimit(EmptyDirSource source, MountRequest request) {
        return heldOnDisk ? smallest(request.sizeLimitBytes(), ownLimit(source)) : 0;
    }

    private static long ownLimit(EmptyDirSource source) {
        Quantity own = source.sizeLimit();
        return own == null ? 0 : own.bytes();
    }

    /** The smallest existing limit, 0 for none. */
    private static long smallest(long... limits) {
        return LongStream.of(limits).filter(bytes -> bytes > 0).min().orElse(0);
    }

    private MountBackend backend() {
        return host.mounts().orElseThrow(() -> VolumeException.finalFailure("this process was given no mount backend"));
    }
}
