package io.volume4j.core.control.binding.plan;

/**
 * The plugin that can reclaim a volume.
 *
 * @param plugin of this process; {@code ""} if no plugin of it is responsible
 * @param outside the program that is responsible instead, {@code ""} if none is known
 * @param madeHere whether the plugin made the volume, so that our finalizer keeps it
 */
public record ReclaimerInfo(String plugin, String outside, boolean deletes, boolean recycles, boolean madeHere) {
    private static final ReclaimerInfo NONE = new ReclaimerInfo("", "", false, false, false);

    public static ReclaimerInfo none() {
        return NONE;
    }

    public static ReclaimerInfo outside(String provisioner) {
        return new ReclaimerInfo("", provisioner, false, false, false);
    }
}
