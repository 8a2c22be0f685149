package io.volume4j.core.control.selinux;

import static io.volume4j.core.control.PlanRow.object;
import static io.volume4j.core.control.PlanRow.row;

import io.volume4j.core.control.PlanRow;
import io.volume4j.core.control.host.LastEvents;
import io.volume4j.core.control.selinux.SeLinuxView.Context;
import io.volume4j.core.control.selinux.SeLinuxView.Other;
import io.volume4j.core.control.selinux.SeLinuxView.Use;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.Pod;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SeLinuxPlannerTest {
    private static final Context ONE = new Context("system_u:object_r:container_file_t:s0:c1", false);
    private static final Context TWO = new Context("system_u:object_r:container_file_t:s0:c2", false);
    private static final Context NONE = new Context("", false);
    private static final Context RECURSIVE = new Context("", true);
    private static final String ADVICE = ". If both come to one node, one of them waits until the other one has ended."
            + " Give both the same seLinuxOptions, or both seLinuxChangePolicy: Recursive";

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void decides(PlanRow<SeLinuxView> row) {
        row.check(SeLinuxPlanner::plan);
    }

    static Stream<PlanRow<SeLinuxView>> decides() {
        return Stream.of(
                row(
                        "a pod is told of a pod with another context",
                        view(ONE, new Other(pod("b"), TWO)),
                        "tell Normal SELinuxLabelConflict: claim data: pod b mounts it with the SELinux context"
                                + " system_u:object_r:container_file_t:s0:c2, and this pod with the SELinux context"
                                + " system_u:object_r:container_file_t:s0:c1" + ADVICE),
                row(
                        "no context is another one than one",
                        view(NONE, new Other(pod("b"), ONE)),
                        "tell Normal SELinuxLabelConflict: claim data: pod b mounts it with the SELinux context"
                                + " system_u:object_r:container_file_t:s0:c1, and this pod without an SELinux context"
                                + ADVICE),
                row(
                        "a pod is told of a pod with another policy",
                        view(ONE, new Other(pod("b"), RECURSIVE)),
                        "tell Normal SELinuxChangePolicyConflict: claim data: pod b mounts it with seLinuxChangePolicy:"
                                + " Recursive, and this pod with the SELinux context"
                                + " system_u:object_r:container_file_t:s0:c1" + ADVICE),
                row(
                        "the other pod is told as well",
                        view(RECURSIVE, new Other(pod("a"), ONE)),
                        "tell Normal SELinuxChangePolicyConflict: claim data: pod a mounts it with the SELinux context"
                                + " system_u:object_r:container_file_t:s0:c1, and this pod with seLinuxChangePolicy:"
                                + " Recursive" + ADVICE),
                row(
                        "two pods without a context go together, whatever their policy",
                        view(NONE, new Other(pod("b"), RECURSIVE))),
                row(
                        "of several others the first that differs is named",
                        view(NONE, new Other(pod("b"), RECURSIVE), new Other(pod("c"), ONE), new Other(pod("d"), TWO)),
                        "tell Normal SELinuxLabelConflict: claim data: pod c …"),
                row(
                        "each claim has its event",
                        new SeLinuxView(
                                pod(),
                                List.of(
                                        new Use(claim("data"), ONE, List.of(new Other(pod("b"), TWO))),
                                        new Use(claim("more"), ONE, List.of(new Other(pod("b"), TWO)))),
                                LastEvents.nothing()),
                        "tell Normal SELinuxLabelConflict: claim data: …"),
                row(
                        "a volume that pods describe themselves is named by plugin and name",
                        new SeLinuxView(
                                pod(),
                                List.of(new Use(
                                        SharedVolume.described("kubernetes.io/nfs", "s:/share"),
                                        ONE,
                                        List.of(new Other(pod("b"), TWO)))),
                                LastEvents.nothing()),
                        "tell Normal SELinuxLabelConflict: volume kubernetes.io/nfs s:/share: pod b mounts it …"),
                row(
                        "a pod of another namespace is not named",
                        view(ONE, new Other(ObjectKey.pod("other", "secret-plans"), TWO)),
                        "tell Normal SELinuxLabelConflict: claim data: a pod of another namespace mounts it with the SELinux"
                                + " context …"),
                row("what was told is not told again", told(view(ONE, new Other(pod("b"), TWO)))));
    }

    private static SeLinuxView told(SeLinuxView view) {
        return new SeLinuxView(view.pod(), view.uses(), LastEvents.nothing().with(SeLinuxPlanner.events(view), 1));
    }

    private static SeLinuxView view(Context own, Other... others) {
        return new SeLinuxView(pod(), List.of(new Use(claim("data"), own, List.of(others))), LastEvents.nothing());
    }

    private static ObjectKey pod(String name) {
        return ObjectKey.pod("ns", name);
    }

    private static SharedVolume claim(String name) {
        return SharedVolume.of(ObjectKey.claim("ns", name));
    }

    private static Pod pod() {
        return object(Pod.class, "{apiVersion: v1, kind: Pod, metadata: {name: a, namespace: ns, uid: u-a}}");
    }
}
