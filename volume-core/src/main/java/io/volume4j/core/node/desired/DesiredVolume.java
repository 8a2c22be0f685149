package io.volume4j.core.node.desired;

import io.volume4j.core.node.desired.ResolvedPod.ResolvedVolume;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * A volume as it is wanted, and by which pods. Nearly always it is one pod: then what was resolved for that pod is all there is
 * to know, and it stands for itself.
 */
public interface DesiredVolume {
    /** The volume, as the pod that was resolved last describes it. */
    ResolvedVolume volume();

    /**
     * Of each pod, in the order in which they came: the volume as the pod describes it, under the pod's
     * first name for it. There may be more names, and all lead to the same mount; it is read-only if all of them are.
     */
    Collection<ResolvedVolume> uses();

    /** Whether pods may want it as files and as a raw device. */
    default boolean mixed() {
        return false;
    }

    /** What this pod wants of it, null if it does not want it. */
    @Nullable
    ResolvedVolume use(String podUid);
}
