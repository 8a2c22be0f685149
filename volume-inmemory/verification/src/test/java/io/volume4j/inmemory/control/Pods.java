package io.volume4j.inmemory.control;

import io.volume4j.spi.model.ClaimSource;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodPhase;
import io.volume4j.spi.model.PodVolume;
import io.volume4j.spi.model.Unmodeled;
import java.util.List;

/** Pods that use claims. */
final class Pods {
    private Pods() {}

    /** On a node, unless it is pending. */
    static Pod using(String name, String claim, PodPhase phase) {
        return new Pod(
                ObjectMeta.named("ns", name).withUid("uid-" + name),
                new Pod.Spec(
                        phase == PodPhase.PENDING ? "" : "n1",
                        List.of(new PodVolume("data", new ClaimSource(claim, false))),
                        List.of(),
                        List.of(),
                        Pod.SecurityContext.none(),
                        ""),
                new Pod.Status(phase, List.of()),
                Unmodeled.none());
    }
}
