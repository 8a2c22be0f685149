package io.volume4j.core.node.desired;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.spi.model.Container;
import io.volume4j.spi.model.EmptyDirSource;
import io.volume4j.spi.model.HostPathSource;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodPhase;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.Unmodeled;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SizeLimitTest {
    /**
     * Limits of containers, of which the first {@code init} run before the others; {@code -} is a container without one, and {@code +}
     * marks a sidecar, which runs on beside those after it.
     */
    @ParameterizedTest(name = "medium \"{0}\", own {1}, containers {2}, {3} of them before: {4}")
    @CsvSource({
        "'',        ,    -,         0, 0",
        "'',        1Gi, -,         0, 1Gi",
        "'',        1Gi, 512Mi,     0, 512Mi",
        "'',        1Gi, 2Gi,       0, 1Gi",
        "'',        0,   2Gi,       0, 2Gi",
        "Memory,    ,    1Gi 1Gi,   0, 2Gi",
        "Memory,    ,    1Gi -,     0, 0",
        "Memory,    ,    - 1Gi,     1, 0",
        "Memory,    ,    3Gi 1Gi,   1, 3Gi",
        "Memory,    ,    1Gi 1Gi 1Gi, 1, 2Gi",
        "Memory,    1Gi, 3Gi 1Gi,   1, 1Gi",
        "'',        2Gi, +1Gi 1Gi,  1, 2Gi",
        "Memory,    ,    +1Gi 1Gi,  1, 2Gi",
        "Memory,    ,    +1Gi 3Gi 1Gi, 2, 4Gi",
        "Memory,    ,    3Gi +1Gi 1Gi, 2, 3Gi",
        "Memory,    ,    +- 1Gi,    1, 0",
        "HugePages, ,    1Gi,       0, 0",
        "HugePages, 1Gi, 512Mi,     0, 1Gi",
    })
    void isTheSmallestThereIs(String medium, @Nullable String own, String containers, int init, String limit) {
        EmptyDirSource source = new EmptyDirSource(medium, own == null ? null : Quantity.parse(own));
        String resource = medium.isEmpty() ? "ephemeral-storage" : "memory";

        assertThat(SizeLimit.of(pod(resource, List.of(containers.split(" ", -1)), init), source))
                .isEqualTo(Quantity.parse(limit).bytes());
    }

    @Test
    void doesNotTakeOneResourceForAnother() {
        Pod pod = pod("memory", List.of("1Gi"), 0);

        assertThat(SizeLimit.of(pod, new EmptyDirSource("", null))).isZero();
    }

    @Test
    void isNothingForWhatTheNodeDoesNotHold() {
        Pod pod = pod("ephemeral-storage", List.of("1Gi"), 0);

        assertThat(SizeLimit.of(pod, new HostPathSource("/data", ""))).isZero();
    }

    private static Pod pod(String resource, List<String> limits, int init) {
        List<Container> containers = new ArrayList<>();
        for (String limit : limits) {
            boolean sidecar = limit.startsWith("+");
            String amount = sidecar ? limit.substring(1) : limit;
            containers.add(Container.builder("c" + containers.size())
                    .limits(amount.equals("-") ? Map.of() : Map.of(resource, Quantity.parse(amount)))
                    .restartPolicy(sidecar ? "Always" : "")
                    .build());
        }
        return new Pod(
                ObjectMeta.named("default", "p").withUid("p"),
                new Pod.Spec(
                        "n1",
                        List.of(),
                        containers.subList(0, init),
                        containers.subList(init, containers.size()),
                        Pod.SecurityContext.none(),
                        ""),
                new Pod.Status(PodPhase.PENDING, List.of()),
                Unmodeled.none());
    }
}
