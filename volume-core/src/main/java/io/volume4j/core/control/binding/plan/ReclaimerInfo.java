package io.volume4j.core.control.binding.plan;

/**
 * Who can reclaim a volume, as far as deciding needs it.
 *
 * @param plugin of this process; {@code ""} if none of its plugins is responsible
 * @param outside who is responsible instead, {@code ""} if none is known
 * @param madeHere whether the plugin made the volume, so that the volume is kept by our finalizer
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
