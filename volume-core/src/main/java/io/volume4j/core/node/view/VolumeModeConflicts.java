package io.volume4j.core.node.view;

import io.volume4j.core.node.MountState;
import io.volume4j.core.node.actual.ActualVolume;
import io.volume4j.core.node.desired.DesiredVolume;
import io.volume4j.core.node.desired.ResolvedPod.ResolvedVolume;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * A volume is here as files or as a raw device, never as both: who writes to the device destroys the filesystem that others have
 * mounted from it. Two PersistentVolumes of one storage, or one that was changed, can ask for both all the same.
 */
public final class VolumeModeConflicts {
    private VolumeModeConflicts() {}

    /** As what the volume is set up now: as it is here, or else as the first of its pods wants it. */
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

    /** Why it cannot come to the pod as that wants it, {@code ""} if it can. */
    static String obstacle(ResolvedVolume wish, @Nullable DesiredVolume wanted, @Nullable ActualVolume present) {
        if (present != null && held(present)) {
            return present.block() == wish.block() ? "" : "the volume is here as " + what(!wish.block());
        }
        return wanted == null || !wanted.mixed() || chosen(wanted, present).block() == wish.block()
                ? ""
                : "another pod gets the volume as " + what(!wish.block()) + " first";
    }

    /** What is set up from now on is of this mode until it is taken down or has failed, whichever pods come meanwhile. */
    public static void fix(ActualVolume present, boolean block) {
        if (!held(present)) {
            present.row(present.row().withBlock(block));
        }
    }

    /** Whether anything is, or may be, or is being set up in one of the ways. */
    private static boolean held(ActualVolume present) {
        return present.settingUp() || present.anyMounts() || present.row().device() != MountState.NOT_MOUNTED;
    }

    private static String what(boolean block) {
        return block ? "a raw device" : "files";
    }
}
