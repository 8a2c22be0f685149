package io.volume4j.core.control.ephemeral;

import io.volume4j.spi.model.OwnerReference;
import io.volume4j.spi.model.Pod;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The claims of the templates of pods, so that another visit of a pod does not parse its annotation again. Loop thread only. */
final class TemplateClaims {
    /** What the claims depend on: all else of a pod with one UID stays the same. */
    private record Read(String text, List<OwnerReference> owners, List<DesiredClaim> claims) {}

    private final Map<String, Read> byPodUid = new HashMap<>();

    List<DesiredClaim> of(Pod pod) {
        String text = pod.metadata().annotation(PodClaims.TEMPLATES);
        if (text.isEmpty()) {
            return List.of();
        }
        List<OwnerReference> owners = PodClaims.owners(pod);
        @Nullable Read known = byPodUid.get(pod.metadata().uid());
        if (known != null && known.text().equals(text) && known.owners().equals(owners)) {
            return known.claims();
        }
        List<DesiredClaim> claims = PodClaims.ofTemplates(pod);
        byPodUid.put(pod.metadata().uid(), new Read(text, owners, claims));
        return claims;
    }

    /** Removes the entry of a pod that is gone. */
    void forget(String podUid) {
        byPodUid.remove(podUid);
    }
}
