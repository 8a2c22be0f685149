package io.volume4j.core.node.view;

import io.volume4j.core.node.MountState;
import io.volume4j.core.node.actual.ActualVolume;
import io.volume4j.core.node.desired.DesiredVolume;
import io.volume4j.core.node.desired.ResolvedPod.ResolvedVolume;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * Decides between files and a raw device. A volume is here in one of the two modes, never in both: a write to the
 * device destroys a mounted filesystem on it. But two PersistentVolumes of one storage, or a changed one, can request
 * both modes.
 */
public final class VolumeModeConflicts {
    private VolumeModeConflicts() {}

    /**
     * The use with the mode in which the node sets the volume up: its present mode, or else that of the pod with the
     * smallest UID.
     */
    public static ResolvedVolume chosen(DesiredVolume wanted, @Nullable ActualVolume present) {
        ResolvedVolume latest = wanted.volume();
        if (!wanted.mixed()) {
            return latest;
        }
        boolean block = (present != null && held(present))
                ? present.block()
                : wanted.uses().stream()
                        .min(Comparator.comparing(ResolvedVolume::podUid))
                        .map(ResolvedVolume::block)
                        .orElse(latest.block());
        return wanted.uses().stream()
                .filter(use -> use.block() == block)
                .findFirst()
                .orElse(latest);
    }

    /** Why the pod cannot have the volume in its mode, {@code ""} if it can. */
    static String obstacle(ResolvedVolume wish, @Nullable DesiredVolume wanted, @Nullable ActualVolume present) {
        if (present != null && held(present)) {
            return present.block() == wish.block() ? "" : "the volume is here as " + what(!wish.block());
        }
        return wanted == null || !wanted.mixed() || chosen(wanted, present).block() == wish.block()
                ? ""
                : "another pod gets the volume as " + what(!wish.block()) + " first";
    }

    /**
     * Fixes the mode before a set-up. It stays until the volume is torn down or the set-up has failed, whichever pods
     * arrive meanwhile.
     */
    public static void fix(ActualVolume present, boolean block) {
        if (!held(present)) {
            present.row(present.row().withBlock(block));
        }
    }

    /** Whether the volume is, may be, or is being set up in either mode. */
    private static boolean held(ActualVolume present) {
        return present.settingUp() || present.anyMounts() || present.row().device() != MountState.NOT_MOUNTED;
    }

    private static String what(boolean block) {
        return block ? "a raw device" : "files";
    }
}
