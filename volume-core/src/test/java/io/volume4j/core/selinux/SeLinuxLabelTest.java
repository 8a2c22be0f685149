package io.volume4j.core.selinux;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.spi.model.Container;
import io.volume4j.spi.model.Container.VolumeDevice;
import io.volume4j.spi.model.Container.VolumeMount;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.Pod.SeLinuxOptions;
import io.volume4j.spi.model.PodPhase;
import io.volume4j.spi.model.Unmodeled;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** With which context a volume is mounted: that of the containers which mount it. */
class SeLinuxLabelTest {
    private static final String ONE = "system_u:object_r:container_file_t:s0:c1";
    private static final String TWO = "system_u:object_r:container_file_t:s0:c2";

    /** Levels; {@code -} for no seLinuxOptions. Containers {@code a} and {@code b} mount the volume as {@code mounts} says. */
    @ParameterizedTest(name = "pod {0}, a {1}, b {2}, mounted by {3}, policy {4}")
    @CsvSource({
        "-,     -,     -,     ab,   MountOption, '',  ",
        "s0:c1, -,     -,     ab,   MountOption, one, ",
        "s0:c1, -,     -,     b,    MountOption, one, ",
        "-,     s0:c1, -,     ab,   MountOption, one, ",
        "-,     s0:c1, s0:c1, ab,   MountOption, one, ",
        "s0:c1, s0:c2, -,     a,    MountOption, two, ",
        "s0:c1, s0:c2, -,     b,    MountOption, one, ",
        "s0:c1, -,     s0:c1, ab,   MountOption, one, ",
        "s0:c1, s0:c2, -,     ab,   MountOption, two, conflict",
        "-,     s0:c1, s0:c2, ab,   MountOption, one, conflict",
        "-,     s0:c1, s0:c2, a,    MountOption, one, ",
        "-,     s0:c1, s0:c2, none, MountOption, '',  ",
        "-,     '',    s0:c1, ab,   MountOption, one, ",
        "s0:c1, '',    -,     a,    MountOption, '',  ",
        "s0:c1, -,     -,     ab,   Recursive,   '',  ",
        "-,     s0:c1, s0:c2, ab,   Recursive,   '',  ",
    })
    void aVolumeHasTheContextOfTheContainersThatMountIt(
            String pod, String a, String b, String mounts, String policy, String label, @Nullable String conflict) {
        Pod given = pod(pod, policy, container("a", a, mounts), container("b", b, mounts));
        assertThat(SeLinuxLabel.of(given, "data"))
                .isEqualTo(label.replace("one", ONE).replace("two", TWO));
        if (conflict == null) {
            assertThat(SeLinuxLabel.conflict(given, "data")).isEmpty();
        } else {
            assertThat(SeLinuxLabel.conflict(given, "data"))
                    .contains("containers a and b mount it", ONE, TWO, "seLinuxChangePolicy: Recursive");
        }
    }

    private static Pod pod(String level, String policy, Container... containers) {
        return new Pod(
                ObjectMeta.named("default", "p"),
                Pod.Spec.builder()
                        .containers(List.of(containers))
                        .securityContext(new Pod.SecurityContext(null, "", List.of(), options(level), policy))
                        .build(),
                new Pod.Status(PodPhase.RUNNING, List.of()),
                Unmodeled.none());
    }

    private static Container container(String name, String level, String mounts) {
        return Container.builder(name)
                .volumeMounts(
                        mounts.contains(name) && !mounts.equals("none")
                                ? List.of(VolumeMount.builder("data", "/data").build())
                                : List.of(VolumeMount.builder("other", "/other").build()))
                .volumeDevices(List.of(new VolumeDevice("data", "/dev/data")))
                .seLinuxOptions(options(level))
                .build();
    }

    private static @Nullable SeLinuxOptions options(String level) {
        return level.equals("-") ? null : new SeLinuxOptions("", "", "", level);
    }
}
