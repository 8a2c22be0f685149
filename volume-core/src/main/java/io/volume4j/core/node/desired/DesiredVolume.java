package io.volume4j.core.node.desired;

import io.volume4j.core.node.desired.ResolvedPod.ResolvedVolume;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * A wanted volume, and the pods that want it. Usually it is one pod: then the resolved volume of that pod implements
 * this interface itself.
 */
public interface DesiredVolume {
    /** The volume, as the pod resolved last describes it. */
    ResolvedVolume volume();

    /**
     * The volume as each pod describes it, in the order of the pods, under the pod's first name for it. If a pod has
     * more names, they all mean the same mount; it is read-only if all of them are.
     */
    Collection<ResolvedVolume> uses();

    /** Whether some pods may want it as files and some as a raw device. */
    default boolean mixed() {
        return false;
    }

    /** The pod's use of the volume, null if the pod does not want it. */
    @Nullable
    ResolvedVolume use(String podUid);
}
